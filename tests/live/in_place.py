#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""in_place.py --perf BUILD/perf: points in code as events (-e uprobe:PATH:FUNCTION), made and taken back by record,
stat, trace and top. What a program prints is what must be seen in it.
"""
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import Skip, Suite, need_program, need_root, show  # noqa: E402

LIST = '/sys/kernel/tracing/uprobe_events'
PROGRAM = r'''
#include <stdio.h>
#include <unistd.h>
#define NOTE(name, operands, ...) __asm__ volatile("990: nop\n" \
	".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n" \
	".4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte ready\n" \
	".asciz \"prov\"\n.asciz \"" name "\"\n.asciz \"" operands "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n" \
	".size _.stapsdt.base,1\n.popsection\n.endif\n" : : __VA_ARGS__)
#define POINT(n) NOTE("point", "-4@%0", "r"(n))
struct item { const char *name; int value[3]; };
unsigned short ready __attribute__((section(".probes"), used));

__attribute__((noinline)) int twice(int n) { __asm__ volatile(""); return 2 * n; }
__attribute__((noinline)) int two_more(int n) { __asm__ volatile(""); return n + 2; }
static inline __attribute__((always_inline)) int inlined(int n) { __asm__ volatile("nop"); return n * 3; }

__attribute__((noinline)) int work(int n, const struct item *it)
{
	int sum = twice(n) + two_more(it->value[n % 3]);

	if (ready)
		POINT(sum);
	return sum;
}

int main(int argc, char **argv)
{
	struct item items[] = { { "apple", { 1, 2, 3 } }, { "pear", { -4, 5, 60 } } };

	for (int i = 0; i < 6; i++) {
		const struct item *it = &items[i & 1];

		printf("%s %d %d %d\n", it->name, i, it->value[1], work(i, it));
	}
#ifdef __x86_64__
	for (long i = -2; i < 3; i++) {
		long values[] = { i, 5000000000 * i };

		/* in registers, in memory, in the instruction; what a uprobe cannot fetch */
		NOTE("kinds", "-4@%%ecx -8@8(%%rdx) -4@$-42 -8@%%rsi 1@%%ah -8@(%%rdx,%%rsi,8) 8@(%%rdx)",
		     "c"(i), "d"(values), "S"(7 * i), "m"(values));
	}
#endif
	if (argc > 1)
		printf("%d %d\n", inlined(argc), inlined(argv[0][0]));
	return 0;
}
'''


class InPlace:
    def __init__(self, suite):
        self.suite = suite
        pathlib.Path(suite.top, 'prog.c').write_text(PROGRAM)
        for name, flags in ('prog', '-g'), ('bare', ''):
            subprocess.run('gcc %s -O1 -o %s prog.c' % (flags, name), shell=True, cwd=suite.top, check=True)
        self.prog, self.bare = (os.path.join(suite.top, n) for n in ('prog', 'bare'))
        said = subprocess.run([self.prog], capture_output=True, text=True, check=True).stdout
        self.truth = [line.split() for line in said.splitlines()]  # name n value[1] sum

    def run(self, command):
        return self.suite.sh(command)

    def ok(self, command):
        r = self.suite.sh(command)
        assert r.status == 0, '%s\n%s' % (command, show(r))
        self.nothing_left()
        return r

    def nothing_left(self):
        """No tracepoint of a perf that works on our programs."""
        left = [line for line in pathlib.Path(LIST).read_text().splitlines()
                if ':perf_' in line and self.suite.top in line]
        assert not left, left


def test_arguments(p):
    """By name, member, string and type; the result; each reader of the file shows the same."""
    p.ok("perf record -q -o a.data -e 'uprobe:%s:work(n, it->name:string, v=it->value[1])' "
         "-e 'uretprobe:%s:work(sum=$retval:s32)' %s >said" % (p.prog, p.prog, p.prog))
    for perf in 'perf', p.suite.ref:
        if not perf:
            continue
        out = p.ok(perf + ' script -i a.data -F event,trace').out
        seen = re.findall(r'uprobe:work: \([0-9a-f]+\) n=(-?\d+) name="(\w+)" v=(-?\d+)', out)
        sums = re.findall(r'uretprobe:work: \([0-9a-f]+ <- [0-9a-f]+\) sum=(-?\d+)', out)
        assert [[name, n, v] for n, name, v in seen] == [row[:3] for row in p.truth], perf + out
        assert sums == [row[3] for row in p.truth], perf + out
        assert p.ok(perf + ' evlist -i a.data').out.startswith('uprobe:work\nuretprobe:work\n')
    assert 'perf_' not in p.ok('perf script -i a.data').out


def test_without_arguments(p):
    """In processes that the command starts, too: nothing fails in them."""
    p.ok('perf record -q -o b.data -e uprobe:%s:work,uretprobe:%s:twice --call-graph fp sh -c "%s; %s" >said' %
         (p.bare, p.bare, p.bare, p.bare))
    for perf in 'perf', p.suite.ref:
        if perf:
            out = p.ok(perf + ' script -i b.data -F event,ip,sym -G').out
            assert out.count('uprobe:work:') == 12 and out.count('uretprobe:twice:') == 12, out
            assert re.search(r'uprobe:work: +[0-9a-f]+ work\n', out), out
    assert re.search(r'100.00% +\S+ +\S+ +\[\.\] work', p.ok('perf report --stdio -i b.data -g none -s comm,dso,sym').out)
    r = p.ok('perf stat -x, -e uprobe:%s:work sh -c "%s; %s" >said' % (p.bare, p.bare, p.bare))
    assert r.err.startswith('12,,uprobe:work,'), show(r)


def test_counts(p):
    r = p.ok("perf stat -x, -e 'uprobe:%s:tw*,uprobe:%s:work:u,{uprobe:%s:work(n),page-faults}' -e uprobe:%s:named=main "
             "-e usdt:%s:prov:point %s >said" % (p.prog, p.prog, p.prog, p.prog, p.prog, p.prog))
    counts = {f[2]: f[0] for f in (line.split(',') for line in r.err.splitlines())}
    wanted = {'uprobe:twice': '6', 'uprobe:two_more': '6', 'uprobe:work': '6', 'uprobe:work_1': '6', 'uprobe:named': '1',
              'usdt:point': '6'}
    assert {k: counts.get(k) for k in wanted} == wanted, show(r)


def test_inlined(p):
    """A function that is inlined in several places is one event."""
    r = p.ok('perf stat -x, -e uprobe:%s:inlined %s x >said' % (p.prog, p.prog))
    assert r.err.startswith('2,,uprobe:inlined,'), show(r)


def test_static_point(p):
    """It has its argument, and its semaphore is set meanwhile."""
    p.ok('perf record -q -o c.data -e usdt:%s:prov:point %s >said' % (p.bare, p.bare))
    out = p.ok('perf script -i c.data -F event,trace').out
    assert re.findall(r'usdt:point: \([0-9a-f]+\) arg1=(-?\d+)', out) == [row[3] for row in p.truth], out


def test_static_operands(p):
    """Each kind of operand has the program's value, and the number that it has there; others are left out."""
    if platform.machine() != 'x86_64':
        raise Skip('operands of x86')
    r = p.ok('perf record -q -o c.data -e usdt:%s:prov:kinds %s >said' % (p.bare, p.bare))
    says = 'sdt_prov:kinds: left out, since the kernel cannot fetch it: arg5 (1@%ah), arg6 (-8@(%rdx,%rsi,8))\n'
    assert says in r.err, show(r)
    r = p.ok('perf probe -x %s -D %%sdt_prov:kinds' % p.bare)
    assert r.err == says and ' arg7=' in r.out, show(r)
    out = p.ok('perf script -i c.data -F event,trace').out
    wanted = ['arg1=%d arg2=%d arg3=-42 arg4=%d arg7=%d' % (i, 5000000000 * i, 7 * i, i % 2 ** 64) for i in range(-2, 3)]
    assert re.findall(r'usdt:kinds: \([0-9a-f]+\) (.*)', out) == wanted, out
    r = p.ok('perf stat -x, -e usdt:%s:prov:kinds %s >said' % (p.bare, p.bare))
    assert r.err.startswith('warning: %s5,,usdt:kinds,' % says), show(r)


def test_trace(p):
    r = p.ok("perf trace -o t -e 'uprobe:%s:work(n,it->name:string),uretprobe:%s:two_more,write' %s >said; cat t" %
             (p.prog, p.prog, p.prog))
    seen = re.findall(r'uprobe:work\(.*name: "(\w+)"', r.out)
    assert seen == [row[0] for row in p.truth] and r.out.count(' uretprobe:two_more(') == 6 and ' write(' in r.out, show(r)


def test_top(p):
    r = p.run('timeout 30 sh -c "while :; do %s; sleep 0.05; done" >said & '
              """timeout -s TERM 2.5 "$PERF" top --stdio -d 1 -e 'uprobe:%s:work(n)' 2>&1 </dev/null; kill $!""" %
              (p.prog, p.prog))
    assert re.search(r'100.00% +prog +\[\.\] work', r.out), show(r)
    p.nothing_left()


def test_filter(p):
    """A filter is for all that a pattern stands for, and for no more."""
    p.ok("perf record -q -o f.data -e uprobe:%s:main -e 'uprobe:%s:tw*(n)' --filter 'n > 3' %s >said" % (p.prog, p.prog, p.prog))
    out = p.ok('perf script -i f.data -F event,trace').out
    rows = re.findall(r'uprobe:(\w+): \([0-9a-f]+\) n=(-?\d+)', out)
    assert [n for name, n in rows if name == 'twice'] == ['4', '5'], out
    assert 'uprobe:main:' in out and all(int(n) > 3 for _, n in rows) and 'two_more' in out, out
    r = p.run("perf record -q -o f.data -e 'uprobe:%s:work(n)' --filter 'm > 3' %s" % (p.prog, p.prog))
    assert r.status and 'm' in r.err, show(r)
    p.nothing_left()


def test_ends(p):
    """Nothing is left, whatever ends perf; the next perf takes back what a killed one has left, and no more."""
    mine = 'mine%d' % os.getpid()
    p.ok('perf probe -q -x %s %s:own=work' % (p.prog, mine))
    try:
        for command, sig in (('record -q -o e.data', signal.SIGINT), ('record -q -o e.data', signal.SIGQUIT),
                             ('stat', signal.SIGTERM), ('trace', signal.SIGHUP)):
            run_and_end(p, command, sig)
            p.nothing_left()
        living = begin(p, 'record -q -o living.data')
        group = run_and_end(p, 'record -q -o killed.data', signal.SIGKILL)
        assert group in pathlib.Path(LIST).read_text()
        p.run('perf probe -l')
        left = pathlib.Path(LIST).read_text()
        assert group not in left and mine + '/own' in left, left
        assert 'perf_%d_' % living.pid in left, left
        group = run_and_end(p, 'record -q -o killed.data', signal.SIGKILL)
        p.run("perf stat -e 'uprobe:%s:twice(n)' true" % p.prog)
        assert group not in pathlib.Path(LIST).read_text()
        living.send_signal(signal.SIGINT)
        living.wait(60)
        p.nothing_left()
    finally:
        p.run('perf probe -q -d %s:own' % mine)


def begin(p, command):
    """A perf whose tracepoint is there."""
    one = subprocess.Popen('exec %s %s -e "uprobe:%s:work(n)" -- sleep 1000' % (p.suite.perf, command, p.prog), shell=True,
                           cwd=p.suite.here, env=p.suite.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL)
    for _ in range(1000):
        # (it is enabled when everything is set up, signals too)
        if any(pathlib.Path('/sys/kernel/tracing/events').glob('perf_%d_*/work' % one.pid)) and child_runs(one.pid):
            return one
        time.sleep(0.02)
    one.kill()
    raise AssertionError('no tracepoint of perf ' + command)


def child_runs(pid):
    """The command has begun: what perf sets up is there."""
    r = subprocess.run(['pgrep', '-x', '-P', str(pid), 'sleep'], check=False, capture_output=True)
    return not r.returncode


def run_and_end(p, command, sig):
    one = begin(p, command)
    children = subprocess.run(['pgrep', '-P', str(one.pid)], check=False, capture_output=True, text=True).stdout.split()
    one.send_signal(sig)
    one.wait(60)
    for child in children if sig == signal.SIGKILL else ():
        os.kill(int(child), signal.SIGKILL)
    return 'perf_%d_' % one.pid


def test_refused(p):
    """One line, with its place, and nothing is left of the events before it."""
    for text, says in (
            ('uprobe:%s:wurk' % p.prog, "did you mean 'work'?"),
            ('uprobe:%s:work(n),uprobe:%s:work(nix)' % (p.prog, p.prog), "Failed to find the location of the 'nix' variable"),
            ('uprobe:%s:nosuch_*' % p.prog, "'nosuch_*' not found"),
            ('uprobe:/nonexistent:main', "cannot find '/nonexistent': No such file"),
            ('uprobe:%s.c:main' % p.prog, ''), ('uprobe:/dev/null:main', ''), ('uprobe:/tmp:main', ''),
            ('usdt:%s:prov:pint' % p.prog, "did you mean 'prov:point'?"),
            ('usdt:/bin/true:a:b', "has no static point 'a:b'"),
            ('uprobe:%s:work(n:nosuch)' % p.prog, ''),
            ('uprobe:%s:work+100000' % p.prog, ''),
            ('uprobe:%s:g:x=work' % p.prog, "the group of such an event is 'uprobe'")):
        for command in 'record -o r.data', 'stat', 'trace':
            r = p.run("perf %s -e '%s' true" % (command, text))
            assert r.status == 129 and r.err.startswith('event syntax error: ') and says in r.err, '%s\n%s' % (text, show(r))
            p.nothing_left()


def test_full_table(p):
    """The kernel has no room for the second of two probes (strace answers in its place): one line, and the first is taken back."""
    need_program('strace')
    for code, says in ('ENOSPC', 'No space left on device'), ('ENOMEM', 'Cannot allocate memory'), ('ENODEV', 'No such device'):
        refuse = 'strace -f -qqq -o /dev/null -P %s -e trace=write -e inject=write:error=%s:when=2' % (LIST, code)
        r = p.run('''ASAN_OPTIONS=detect_leaks=0 %s "$PERF" stat -e 'uprobe:%s:twice,uprobe:%s:work(n)' true''' % (refuse, p.prog, p.prog))
        assert r.status == 129 and 'the kernel has no room for another tracepoint: %s\n' % says in r.err and 'perf probe -d' in r.err, show(r)
        p.nothing_left()
        r = p.run('''ASAN_OPTIONS=detect_leaks=0 %s "$PERF" probe -x %s twice''' % (refuse.replace('when=2', 'when=1'), p.prog))
        assert 'Failed to write event: %s\n' % says in r.err and 'no room for another tracepoint' in r.err and not r.out, show(r)
        r = p.run('''ASAN_OPTIONS=detect_leaks=0 %s "$PERF" probe -x %s -a full:twice=twice -a full:work=work''' % (refuse, p.prog))
        assert r.status and 'Failed to write event: %s\n' % says in r.err, show(r)
        assert 'full/' not in pathlib.Path(LIST).read_text()


def test_other_machine(p):
    """A program that this machine does not run: a probe there would wait for ever. Its definition can be had."""
    other = os.path.join(p.suite.top, 'other')
    data = bytearray(pathlib.Path(p.prog).read_bytes())
    mine = struct.unpack_from('<H', data, 18)[0]
    struct.pack_into('<H', data, 18, 183 if mine == 62 else 62)
    pathlib.Path(other).write_bytes(data)
    says = "'%s' is code of %s, which this machine does not run" % (other, 'aarch64' if mine == 62 else 'x86_64')
    r = p.run('perf stat -e uprobe:%s:work true' % other)
    assert r.status == 129 and says in r.err, show(r)
    r = p.run('perf probe -x %s work' % other)
    assert r.status == 248 and r.err == says + '\n  Error: Failed to add events.\n', show(r)
    assert ' %s:0x' % other in p.run('perf probe -x %s -D work' % other).out
    p.nothing_left()


def test_bounded(p):
    libc = next(line.split()[-1] for line in open('/proc/self/maps') if 'libc.so' in line or 'libc-' in line)
    r = p.run('perf stat -e "uprobe:%s:*" true' % libc)
    assert r.status == 129 and '128' in r.err + 'Too many functions matched', show(r)
    p.nothing_left()


def test_untrusted_cache(p):
    """A cache that others may write to is not used."""
    r = p.run('mkdir -p -m 777 open; chmod 777 open; perf --buildid-dir "$PWD/open" stat -x, -e uprobe:%s:work %s >said' % (p.prog, p.prog))
    assert r.status == 0 and r.err.startswith('6,,uprobe:work,'), show(r)

def test_unprivileged(p):
    user = 'setpriv --reuid 65534 --regid 65534 --clear-groups %s ' % p.suite.perf
    r = p.run(user + "stat -e 'uprobe:%s:work(n)' true" % p.prog)
    assert r.status == 129 and 'no tracepoint can be made in' in r.err and "Hint:\tprobes are root's" in r.err, show(r)


def main():
    suite = Suite(__doc__)
    try:
        need_root()
        need_program('gcc')
        need_program('pgrep')
        if not os.path.exists(LIST):
            raise Skip('no uprobe events')
        if not shutil.which('setpriv'):
            raise Skip('no setpriv')
    except Skip as why:
        print('skipped: %s' % why)
        suite.close()
        return 77
    p = InPlace(suite)
    # (one after the other: each looks for what is left)
    suite.check_all([(f.__name__[5:], f, p) for f in (
        test_arguments, test_without_arguments, test_counts, test_inlined, test_static_point, test_static_operands, test_trace, test_top, test_filter,
        test_ends, test_refused, test_full_table, test_other_machine, test_bounded, test_untrusted_cache, test_unprivileged)], at_once=1)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
