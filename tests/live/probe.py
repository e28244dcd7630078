#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""probe.py --perf BUILD/perf: tracepoints that are put into programs, used and removed again.

Every group has the number of this process in its name, so that runs beside each other do not meet.
"""
import glob
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import Skip, Suite, need_mount_namespace, need_program, need_root, show  # noqa: E402

PROGRAM = r'''
#include <stdio.h>
struct item { const char *name; int value[3]; };

static __attribute__((noinline)) int twice(int n)
{
	__asm__ volatile("");
	return 2 * n;
}

__attribute__((noinline)) int work(int n, const struct item *it)
{
	int sum = twice(n) + (it->name[0] == 'x');

	for (int i = 0; i < 3; i++)
		sum += it->value[i];
	return sum;
}

int main(void)
{
	struct item it = { "apple", { 1, 2, 3 } };

	puts(it.name); /* what was never touched, a probe cannot fetch */
	printf("%d\n", work(10, &it));
	return 0;
}
'''
OTHER = r'''
static __attribute__((noinline)) int twice(int n)
{
	__asm__ volatile("");
	return n + n + 1;
}

__attribute__((constructor)) static void start(void)
{
	static volatile int n;
	n = twice(n);
}

/* a static point, as <sys/sdt.h> makes it, with a semaphore */
unsigned short ready __attribute__((section(".probes"), used));
__attribute__((noinline)) int with_point(int n)
{
	__asm__ volatile("990: nop\n"
		".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"
		".4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"
		"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte ready\n"
		".asciz \"prov\"\n.asciz \"point\"\n.asciz \"-4@%0\"\n994: .balign 4\n.popsection\n"
		".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"
		".size _.stapsdt.base,1\n.popsection\n.endif\n" : : "r"(n));
	return n;
}
__attribute__((constructor)) static void fire(void) { with_point(7); }
'''


class Probes:
    """The programs, and groups that are removed whatever happens."""

    def __init__(self, suite):
        self.suite = suite
        self.numbers = itertools.count()
        for name, text in ('prog.c', PROGRAM), ('other.c', OTHER):
            pathlib.Path(suite.top, name).write_text(text)
        for name, flags in ('withdebug', '-g'), ('bare', ''):
            subprocess.run('gcc %s -O1 -o %s prog.c other.c' % (flags, name), shell=True, cwd=suite.top, check=True)
        self.debug, self.bare = (os.path.join(suite.top, n) for n in ('withdebug', 'bare'))

    def group(self):
        return 'live%d_%d' % (os.getpid(), next(self.numbers))

    def run(self, command):
        return self.suite.sh(command)

    def ok(self, command):
        r = self.suite.sh(command)
        assert r.status == 0, '%s\n%s' % (command, show(r))
        return r

    def listed(self, group):
        return self.ok("perf probe -l '%s:*'" % group).out

    def clean(self):
        self.suite.sh("perf probe -q -d 'live%d_*:*'" % os.getpid())


def test_life(p):
    """Added, listed, recorded, counted, removed."""
    g = p.group()
    r = p.ok("perf probe -x %s '%s:enter=work n name=+0(+0(%%si)):string second=it->value[1]'" % (p.debug, g))
    assert r.err == ('Added new event:\n  %-20s (on work in %s with n name=+0(+0(%%si)):string second=it->value[1])\n\n'
                     'You can now use it in all perf tools, such as:\n\n\tperf record -e %s:enter -aR sleep 1\n\n' %
                     (g + ':enter', p.debug, g)), r.err
    p.ok("perf probe -q -x %s '%s:leave=work%%return ret=$retval:s32'" % (p.bare, g))
    text = p.listed(g)
    assert re.search(r'  %s:enter +\(on work@\S+ in %s with n name second\)\n' % (g, p.debug), text), text
    assert re.search(r'%s:leave__return +\(on work%%return in %s with ret\)' % (g, p.bare), text), text
    for perf in 'perf', p.suite.ref:
        if not perf:
            continue
        p.ok("perf record -q -o one.data -e '%s:*' %s" % (g, p.debug))
        out = p.ok(perf + ' script -i one.data -F event,trace').out
        assert re.search(r'%s:enter: \([0-9a-f]+\) n=10 name="apple" second=2' % g, out), out
    out = p.ok("perf record -q -o two.data -e %s:leave__return %s && perf script -i two.data -F event,trace" %
               (g, p.bare)).out
    assert re.search(r'leave__return: \([0-9a-f]+ <- [0-9a-f]+\) ret=26', out), out
    err = p.ok('perf stat -x, -e %s:enter %s' % (g, p.debug)).err
    assert err.startswith('1,,%s:enter,' % g), err
    assert '%s:enter ' % g in p.ok("perf list '%s:*'" % g).out
    r = p.ok("perf probe -d '%s:*'" % g)
    assert r.err == 'Removed event: %s:enter\nRemoved event: %s:leave__return\n' % (g, g), r.err
    assert not p.listed(g)
    assert p.run('perf probe -d %s:enter' % g).status == 254


def test_lines(p):
    g = p.group()
    lines = p.ok('perf probe -x %s -L work' % p.debug).out
    assert lines.startswith('<work@%s/prog.c:0>\n      0  __attribute__((noinline)) int work(' % p.suite.top), lines
    # the last line but one that has code of its own
    number = re.findall(r'^ {0,6}(\d+)  ', lines, re.M)[-1]
    p.ok("perf probe -q -x %s '%s:sum=work:%s it'" % (p.debug, g, number))
    text = p.listed(g)
    assert re.search(r':sum +\(on work:%s@\S+ in \S+ with it\)' % number, text), text
    assert 'int\tn\n' in p.ok('perf probe -x %s -V work' % p.debug).out
    out = p.ok("perf record -q -o lines.data -e %s:sum %s && perf script -i lines.data -F trace" % (g, p.debug)).out
    assert out.count('it=0x') >= 1, out


def test_relative_folder(p):
    """Debug information of a reproducible build names the folder of the sources by a relative path, once."""
    sources = os.path.join(p.suite.top, 'src')
    folder = os.path.join(sources, 'one')
    os.makedirs(folder)
    shutil.copy(os.path.join(p.suite.top, 'prog.c'), folder)
    subprocess.run('gcc -g -O1 -ffile-prefix-map=$PWD=./one -o ../../relative prog.c ../../other.c', shell=True, cwd=folder,
                   check=True)
    g, binary = p.group(), os.path.join(p.suite.top, 'relative')
    p.ok("perf probe -q -x %s '%s:enter=work'" % (binary, g))
    assert '(on work@./one/prog.c in %s)' % binary in p.listed(g), p.listed(g)
    lines = p.ok('cd %s && perf probe -x %s -L work' % (sources, binary)).out
    assert lines.startswith('<work@./one/prog.c:0>\n'), lines


def test_several_places(p):
    """Functions of one name are one event."""
    for program in p.debug, p.bare:
        g = p.group()
        r = p.ok("perf probe -x %s '%s:t=twice'" % (program, g))
        assert r.err.startswith('Added new events:\n') and r.err.count('(on twice in ') == 2, r.err
        assert p.listed(g).count('%s:t ' % g) == 2, p.listed(g)
        out = p.ok('perf record -q -o t.data -e %s:t %s && perf script -i t.data -F event' % (g, program)).out
        assert out.count('%s:t' % g) == 2, out
        assert p.ok('perf probe -d %s:t' % g).err == 'Removed event: %s:t\n' % g


def test_names(p):
    """A name that is taken needs -f; another group may have it."""
    g, h = p.group(), p.group()
    p.ok('perf probe -q -x %s %s:e=main' % (p.bare, g))
    r = p.run('perf probe -x %s %s:e=work' % (p.bare, g))
    assert r.status == 239 and r.err.startswith('Error: event "e" already exists.\n Hint: Remove'), show(r)
    assert '%s:e_1 ' % g in p.ok('perf probe -f -x %s %s:e=work' % (p.bare, g)).err
    p.ok('perf probe -q -x %s %s:e=work' % (p.bare, h))
    assert p.run("perf probe -n -d '%s:*'" % g).status == 0
    assert p.listed(g).count('\n') == 2
    p.ok("perf probe -q -d '%s:e_?,%s:e'" % (g, h))
    assert p.listed(g).count('\n') == 1 and not p.listed(h)


def test_static_points(p):
    g = 'sdt_prov'
    text = p.ok('perf probe -x %s -D %%%s:point' % (p.bare, g)).out
    assert re.fullmatch(r'p:sdt_prov/point %s:0x[0-9a-f]+\(0x[0-9a-f]+\) arg1=%%\w+:s32\n' % p.bare, text), text
    place = text.split(' ', 2)[1]
    assert p.run('perf --buildid-dir %s/none probe -D %%sdt_prov:point' % p.suite.top).status == 254
    cache = 'perf --buildid-dir %s/cache ' % p.suite.top
    p.ok(cache + 'buildid-cache -a %s' % p.bare)
    assert p.ok(cache + 'probe -D %sdt_prov:p*').out == text
    assert place in p.ok(cache + 'probe -D sdt_prov:point').out
    assert 'sdt_prov:point=point\n' in p.ok(cache + 'probe --cache -l').out


def test_kept(p):
    g = p.group()
    cache = 'perf --buildid-dir %s/kept ' % p.suite.top
    p.ok(cache + "probe -q --cache -x %s '%s:k=work n'" % (p.debug, g))
    text = p.ok('perf probe -x %s -D "%s:k=work n"' % (p.debug, g)).out
    p.ok('perf probe -q -d %s:k' % g)
    out = p.ok(cache + 'probe --cache -l').out
    assert out.startswith(p.debug + ' (') and out.endswith('\n%s:k=work n\n' % g), out
    for command in 'probe -D %%%s:k' % g, 'probe -x %s -D %%k' % p.debug:
        out = p.ok(cache + command).out
        assert out == text, out + text
    r = p.ok(cache + "probe --cache -d '%s:*'" % g)
    assert r.err == 'Removed cached event: %s:k=work n\n' % g, r.err
    assert g not in p.ok(cache + 'probe --cache -l').out


def test_refused(p):
    """What the kernel does not take leaves nothing behind, and is told with the kernel's reason."""
    g = p.group()
    r = p.run("perf probe -x %s '%s:bad=work x=%%nothing'" % (p.bare, g))
    assert r.status == 234 and 'Failed to write event: Invalid argument\n' in r.err, show(r)
    assert 'Error: Failed to add events.' in r.err and not r.out, show(r)
    assert not p.listed(g)
    r = p.run("perf probe -q -x %s '%s:bad=work x=%%nothing'" % (p.bare, g))
    assert r.status == 234 and not r.err, show(r)


def test_hostile(p):
    """Definitions that are none: one line that says so, no crash."""
    for text in ('\\', ':', ';', '=', '@', '%', '%:', '+', 'a' * 5000, 'a ' * 200, '%s' * 50, '../../x', '0x', 'a;' + '*' * 500,
                 '*' * 200 + 'b', '[' * 300, 'main ' + 'x->' * 300, 'main x[' + '9' * 40 + ']', 'main+' + '9' * 40,
                 'main:' + '9' * 40, '\x1b[31mred', 'main x=' + '(' * 200, 'main $', 'main @', '\t \t', '0x' + 'f' * 40,
                 '@:3', 'a\x1b[31m=b\x1b', 'main:\x1b[31m'):
        for program, action in ((p.bare, '-D'), (p.debug, '-D'), (p.debug, '-L'), (p.debug, '-V')):
            r = subprocess.run([p.suite.perf, 'probe', '-x', program, action, text], capture_output=True, timeout=100,
                               check=False)
            assert 0 <= r.returncode < 256 and r.returncode not in (134, 139), (text, r)
            assert b'\x1b' not in r.stderr, (text, r.stderr)


def test_paths_that_are_commands(p):
    """A line break in a path would make another command of what is behind it."""
    for name in ('a b', 'a\np:x/y do_exit', 'a\x1b[31m'):
        folder = os.path.join(p.suite.top, name.replace('/', '_'))
        program = os.path.join(folder, 'program')
        os.makedirs(folder, exist_ok=True)
        shutil.copy(p.debug, program)
        for action in ('-D',), ('-n', '-a'):
            r = subprocess.run([p.suite.perf, 'probe', '-x', program, *action, 'work'], capture_output=True, timeout=100,
                               check=False)
            assert r.returncode == 234 and not r.stdout, (name, r)
            assert b'no blanks or control characters' in r.stderr and b'\x1b' not in r.stderr, (name, r)


def test_other_root(p):
    """--target-ns: paths of a process in another mount namespace."""
    need_mount_namespace()
    need_program('unshare')
    g = p.group()
    hidden = os.path.join(p.suite.top, 'hidden')
    os.makedirs(hidden, exist_ok=True)
    r = p.run("""unshare -m bash -c 'mount -t tmpfs none %s && cp %s %s/inside && touch %s/../up && exec sleep 1000' &
                 pid=$!; trap 'kill $pid' EXIT
                 for i in $(seq 1000); do [ -e up ] && break; sleep 0.05; done
                 perf probe -x %s/inside --target-ns $pid -D work
                 perf probe --target-ns $pid -x %s/inside -D work && perf probe --target-ns $pid -x %s/inside -D twice""" %
              (hidden, p.bare, hidden, hidden, hidden, hidden, hidden))
    if 'unshare failed' in r.err or 'permission denied' in r.err.lower():
        raise Skip('no mount namespace')
    assert r.out.count('p:probe_inside/work %s/inside:0x' % hidden) == 1, show(r)
    assert r.out.count('p:probe_inside/twice ') == 2, show(r)
    assert 'Failed to get the absolute path' in r.err and g, show(r)


def test_kernel_types(p):
    """Of many functions of the kernel, parts that the compiler has split off are left out."""
    part = re.search(r'^[0-9a-f]*[1-9a-f][0-9a-f]* t (vfs_\w+\.(?:part|cold)[.0-9]*)$', open('/proc/kallsyms').read(), re.M)
    if not part or not os.path.exists('/sys/kernel/btf/vmlinux') or glob.glob('/usr/lib/debug/boot/vmlinux-*'):
        raise Skip('no split function here, or no type information')
    r = p.ok("perf probe -D 'vfs_* $params'")
    assert '%s has no parameters in the kernel\'s type information, skip it.' % part[1] in r.err, show(r)
    assert re.search(r'^p:probe/vfs_open \S+ path=%\w+ file=%\w+$', r.out, re.M) and part[1] not in r.out, show(r)
    assert p.run("perf probe -D '%s $params'" % part[1]).status, part[1]


def test_unprivileged(p):
    need_program('setpriv')
    user = 'setpriv --reuid 65534 --regid 65534 --clear-groups %s ' % p.suite.perf
    r = p.run(user + 'probe -x %s main' % p.bare)
    assert r.status == 243 and 'No permission to write tracefs.\n' in r.err, show(r)
    r = p.run(user + 'probe -l')
    assert r.status == 243 and 'No permission to read tracefs.\n' in r.err, show(r)
    assert p.run(user + 'probe -x %s -D main' % p.bare).out.startswith('p:probe_bare/main '), show(r)


def main():
    suite = Suite(__doc__)
    try:
        need_root()
        need_program('gcc')
        if not os.path.exists('/sys/kernel/tracing/uprobe_events'):
            raise Skip('no uprobe events')
        if not shutil.which('setpriv'):
            raise Skip('no setpriv')
    except Skip as why:
        print('skipped: %s' % why)
        suite.close()
        return 77
    p = Probes(suite)
    try:
        suite.check_all([(f.__name__[5:], f, p) for f in (
            test_life, test_lines, test_relative_folder, test_several_places, test_names, test_static_points, test_kept, test_refused,
            test_hostile, test_paths_that_are_commands, test_other_root, test_kernel_types, test_unprivileged)])
    finally:
        p.clean()
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
