#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf top on programs whose profile is known: what it prints, when it ends, which keys it takes.

    top.py --perf BUILD/perf
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from live_case import Skip, Suite, need_root, show

# Sleeps as many times as long as it works as its argument says.
SOURCE = """
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
volatile unsigned long sum;
__attribute__((noinline)) void heavy(void) { for (int i = 0; i < 3000000; i++) sum += i; }
__attribute__((noinline)) void light(void) { for (int i = 0; i < 500000; i++) sum ^= i; }
__attribute__((noinline)) void work(void) { heavy(); light(); }
int main(int argc, char **argv)
{
	alarm(120);
	for (;;) {
		clock_t begin = clock();

		work();
		usleep((clock() - begin) * (1000000 / CLOCKS_PER_SEC) * (argc > 1 ? atoi(argv[1]) : 0));
	}
}
"""
# loops that count down, one in each of two pages: mov $2000000, %ecx; dec %ecx; jnz; ret
JIT_SOURCE = """
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static const unsigned char loop[] = { 0xb9, 0x80, 0x84, 0x1e, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
int main(int argc, char **argv)
{
	char *page[2], name[64];

	alarm(240);
	for (int i = 0; i < 2; i++) {
		page[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(page[i], loop, sizeof(loop));
	}
	snprintf(name, sizeof(name), "jit-%d.dump", getpid());
	if (argc > 1)
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(name, O_RDWR | O_CREAT, 0600), 0);
	printf("%p %p\\n", page[0], page[1]);
	fflush(stdout);
	for (;;)
		for (int i = 0; i < 2; i++)
			((void (*)(void))page[i])();
}
"""
# keeps something else than a frame pointer in its register
ASTRAY_SOURCE = """
#include <unistd.h>
static unsigned long fake[2] = { 0, 0x1234567000 };
int main(void)
{
	alarm(120);
	for (;;) {
		asm volatile("push %%rbp; mov %0, %%rbp; mov $1000000, %%ecx; 1: dec %%ecx; jnz 1b; pop %%rbp"
			     :: "r"(fake) : "ecx", "memory");
		usleep(3000);
	}
}
"""
HEAD = re.compile(r'^   PerfTop: +\d+ irqs/sec  kernel: ?\d+\.\d%  exact: +\d+\.\d% lost: \d+/\d+ drop: 0/0 '
                  r'\[(.*)\],  \((.*)\)$', re.M)


class Busy:
    """The program, while it runs: a tenth of the time, unless it is to be seen among all programs."""

    def __init__(self, c, flag='-fno-omit-frame-pointer', source=SOURCE, sleeps=9):
        self.path = os.path.join(c.top, 'astray' if source != SOURCE else
                                 'busyprog' + ('' if flag == '-fno-omit-frame-pointer' else flag))
        if not os.path.exists(self.path):
            done = subprocess.run(['cc', '-O1', '-g', flag, '-xc', '-', '-o', self.path], input=source, text=True, check=False)
            assert not done.returncode
        self.child = subprocess.Popen([self.path, str(sleeps)], env=c.env)
        self.pid = self.child.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()


def refreshes(text):
    """The lists, without what stands before the first head."""
    at = [m.start() for m in HEAD.finditer(text)]
    return [text[a:b] for a, b in zip(at, at[1:] + [len(text)])]


def rows(refresh):
    return [line for line in refresh.splitlines() if re.match(r' +\d+\.\d\d%', line)]


def need_x86():
    if os.uname().machine != 'x86_64':
        raise Skip('machine code of x86-64')


def in_background(c, options, seconds=3.5):
    """What it prints in that time, until it is interrupted."""
    return c.sh('"$PERF" top --stdio -d 1 %s & pid=$!; sleep %s; kill -INT $pid; wait $pid' % (options, seconds))


def a_process(c):
    with Busy(c) as busy:
        r = in_background(c, '-p %d' % busy.pid)
    lists = refreshes(r.out)
    assert r.status == 0 and len(lists) >= 2, show(r)
    m = HEAD.search(r.out)
    assert m[2] == 'target_pid: %d' % busy.pid and re.fullmatch(r'4000Hz [a-z].*', m[1]), m[0]
    first = rows(lists[1])
    assert re.match(r' +\d+\.\d\d%  busyprog +\[\.\] heavy$', first[0]), show(r)
    assert any(line.endswith('[.] light') for line in first), show(r)
    heavy = float(first[0].split('%')[0])
    assert 60 < heavy < 95, first
    assert '\033' not in r.out, show(r)


def shares_of_keys(c):
    with Busy(c) as busy:
        r = in_background(c, '-ns comm,dso -F 500 -p %d' % busy.pid)
    assert re.search(r'^ +\d+\.\d\d% +\d+  busyprog  busyprog *$', r.out, re.M), show(r)
    assert '[500Hz ' in r.out, show(r)
    with Busy(c) as busy:
        r = in_background(c, '-s cgroup,cgroup_id -F 500 -p %d' % busy.pid)
    cgroups = [line.split() for line in rows(r.out)]
    assert cgroups and all(row[1].startswith('/') and row[2] != '0/0x0' for row in cgroups), show(r)
    with Busy(c) as busy:
        r = in_background(c, '-s comm,symbol -F 500 -p %d' % busy.pid)
    assert re.search(r'^ +\d+\.\d\d%  busyprog  \[\.\] heavy *$', r.out, re.M), show(r)


def callers(c):
    with Busy(c) as busy:
        r = in_background(c, '-g -E 3 -p %d' % busy.pid)
    last = refreshes(r.out)[-1]
    shares = [tuple(map(float, re.findall(r'(\d+\.\d\d)%', line)[:2])) for line in rows(last)]
    assert len(shares) == 3 and all(children >= own for children, own in shares), show(r)
    assert re.search(r'\[\.\] main\n +\|\n +---main\n(.*\n)+.*-heavy\n', last), show(r)


def unwound(c):
    with Busy(c) as busy:
        r = in_background(c, '--call-graph dwarf -E 4 -F 300 -p %d' % busy.pid)
    assert re.search(r'-heavy$', refreshes(r.out)[-1], re.M) and ' main' in r.out, show(r)


def graph_words(c):
    """How callers are shown stands behind how they are recorded, or alone."""
    wanted = {'fp,callee': r'---heavy\n +(work\n +)?main\n', 'caller': r'---main\n(.*\n)+.*--heavy\n',
              'dwarf,4096,0.5,folded,callee': r'^\d+\.\d\d% heavy;work;main', 'fp,graph,0.5,caller,function,count': r'\|--\d+--(work|heavy)\n'}
    with Busy(c) as busy:
        for words, pattern in wanted.items():
            r = in_background(c, '-F 300 --call-graph %s -p %d' % (words, busy.pid), 2.5)
            assert re.search(pattern, r.out, re.M), (words, r.out[:2000], r.err)
        r = in_background(c, '--call-graph fp,none -p %d' % busy.pid, 2.5)
        assert '---' not in r.out.replace('-' * 79, '') and rows(refreshes(r.out)[-1]), show(r)
    for words, told in (('dwraf', "did you mean 'dwarf'"), ('fp,calee', "did you mean 'callee'")):
        r = c.sh('"$PERF" top --stdio --call-graph %s' % words)
        assert r.status == 129 and told in r.err, (words, r.err)


def kept_in_a_file(c):
    """What was seen is a recording; an earlier one is kept."""
    with Busy(c) as busy:
        for _ in range(2):
            r = in_background(c, '-g --record kept.data -p %d' % busy.pid, 2.5)
            assert not r.status and not r.err.strip().startswith('error'), show(r)
    for name in 'kept.data', 'kept.data.old':
        r = c.sh('"$PERF" report --stdio -i %s -g none --no-children -s symbol' % name)
        assert re.search(r'^ +[5-9]\d\.\d\d%  \[\.\] heavy', r.out, re.M), show(r)


def switched(c):
    """Samples count between the two events, in order of time."""
    if c.sh('"$PERF" record -q -e sched:sched_switch -a -o x.data true').status:
        raise Skip('no tracepoints here')
    with Busy(c) as busy:
        # the program is switched again and again; it does not exit
        for option, counts in (('on sched:sched_switch', True), ('on sched:sched_process_exit', False),
                               ('off sched:sched_switch', False), ('off sched:sched_process_exit', True)):
            r = in_background(c, '-z -F 300 -f 0 -E 3 -s symbol -e task-clock,sched:sched_switch,sched:sched_process_exit '
                              '--switch-%s -p %d' % (option, busy.pid))
            assert not r.status and bool(re.search(r'\[\.\] heavy', refreshes(r.out)[-1])) == counts, (option, show(r))


def refused(c):
    """One line tells what cannot be done."""
    for options, told in (('--stitch-lbr', '--stitch-lbr must be used with --call-graph lbr'),
                          ('--switch-on foo', 'switch-on event not found (foo)'),
                          ('--record /no/such/dir/x', "cannot write '/no/such/dir/x'")):
        r = c.sh('"$PERF" top --stdio -e cpu-clock %s' % options)
        assert r.status == 255 and told in r.err.splitlines()[0] and not r.out, (options, show(r))
    r = c.sh('"$PERF" top --stdio -e cpu-clock -b')
    assert r.status == 255 and 'branch stack sampling' in r.err, show(r)


def callers_nowhere(c):
    """What frame pointers lead to where nothing is mapped is no caller."""
    need_x86()
    with Busy(c, '-fomit-frame-pointer', ASTRAY_SOURCE) as busy:
        r = in_background(c, '-g -f 0 -p %d' % busy.pid)
        recorded = c.sh('"$PERF" record -q -g -o x.data -p %d -- sleep 0.3; "$PERF" script -i x.data -F ip' % busy.pid)
    assert '1234567000' in recorded.out, show(recorded)
    assert re.search(r'\[\.\] main', refreshes(r.out)[-1]) and '1234567000' not in r.out, show(r)


def shares(text):
    """By function, in percent: with what it calls, of its own."""
    return {m[3]: (float(m[1]), float(m[2])) for m in
            re.finditer(r'^ +(\d+\.\d\d)% +(\d+\.\d\d)% .*\[\.\] (\S+)', text, re.M)}


def as_recorded(c):
    """The functions of the same seconds that a recording has, with the same shares."""
    with Busy(c) as busy:
        r = c.sh('"$PERF" record -q -g -e cpu-clock:u -F 2000 -o same.data -p %d -- sleep 6 & '
                 '"$PERF" top --stdio -g -z -d 5 -e cpu-clock:u -F 2000 -f 0 -p %d & pid=$!; sleep 6; kill -INT $pid; wait; '
                 'echo; echo RECORDED; "$PERF" report --stdio -i same.data --children -g none -s dso,symbol' % (busy.pid, busy.pid))
    watched, recorded = r.out.split('RECORDED')
    watched, recorded = shares(refreshes(watched)[0]), shares(recorded)
    heavy = {name for name, (children, _) in recorded.items() if children >= 3}
    assert {'heavy', 'light', 'main'} <= heavy <= set(watched), show(r)
    for name in heavy:
        assert abs(watched[name][0] - recorded[name][0]) < 8 and abs(watched[name][1] - recorded[name][1]) < 8, (name, show(r))


def auto_stacks(c):
    """Whole stacks of a program with frame pointers and of one without."""
    for flag in '-fno-omit-frame-pointer', '-fomit-frame-pointer':
        with Busy(c, flag) as busy:
            r = in_background(c, '--call-graph auto -v -E 10 -F 300 -p %d' % busy.pid)
        assert re.search(r'-heavy$', refreshes(r.out)[-1], re.M) and ' main' in r.out, show(r)
        assert ('busyprog keeps frame pointers' in r.err) == ('-fno' in flag), show(r)
        assert re.search('call-graph auto: (copies of stacks|frame pointers): ', r.err), show(r)


def several_events(c):
    with Busy(c) as busy:
        r = in_background(c, '-e cpu-clock,task-clock -E 1 -p %d' % busy.pid)
    assert HEAD.search(r.out)[1] == 'cpu-clock', show(r)
    assert len(rows(refreshes(r.out)[1])) == 1, show(r)


def code_and_symbols(c):
    """The code of a function in place of rows, lines with samples; at the end the symbols."""
    need_x86()
    with Busy(c) as busy:
        r = in_background(c, '--sym-annotate heavy -M intel -D -p %d' % busy.pid)
    assert re.search(r'^Showing .* for heavy\n  Events  Pcnt \(>=5%\)\n(.*\n)*? +\d+\.\d\d  .*\b(add|mov)\b', r.out, re.M), show(r)
    assert re.search(r'^dso: busyprog \(/.*, loaded, [0-9a-f]*\)\n( .*\n)* [0-9a-f]+-[0-9a-f]+ heavy$', r.err, re.M), show(r)


def begins_anew(c):
    """A task that stops leaves the list with -z, and stays there without."""
    for option in '', '-z':
        with Busy(c) as busy, subprocess.Popen(
                [c.perf, 'top', '--stdio', '-d', '1', '-s', 'comm', '-p', str(busy.pid), *option.split()],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=c.env,
                text=True) as top:
            for line in top.stdout:
                if 'busyprog' in line:
                    break
            os.kill(busy.pid, signal.SIGSTOP)
            text = ''
            for line in top.stdout:
                text += line
                if len(HEAD.findall(text)) == 4:
                    break
            top.terminate()
        assert bool(rows(refreshes(text)[2])) == (not option), text


def newest_samples(c):
    """Rings that are overwritten: names are known, and what nobody saw is told."""
    with Busy(c) as busy:
        r = in_background(c, '--overwrite -m 1 -F max -p %d' % busy.pid)
    assert r.status == 0 and re.search(r'^ +\d+\.\d\d%  busyprog +\[\.\] heavy *$', r.out, re.M), show(r)
    assert re.search(r'warning: \d+\.\d MB of samples were overwritten', r.err), show(r)
    with Busy(c) as busy:
        r = in_background(c, '--overwrite -vv -F 99 --record newest.data -p %d' % busy.pid)
    assert r.out.count('PerfTop') >= 2 and 'overwritten' not in r.err and 'write_backward' in r.err, show(r)
    r = c.sh('"$PERF" evlist -v -i newest.data; "$PERF" report -i newest.data -s sym --stdio')
    assert re.search(r'write_backward: 1', r.out) and re.search(r'%  \[\.\] heavy', r.out), show(r)
    assert re.search(r'^dummy:(?!.*write_backward).*mmap: 1', r.out, re.M), show(r)


def user_only(c):
    with Busy(c) as busy:
        hidden = in_background(c, '-U -f 0 -p %d' % busy.pid)
    assert 'heavy' not in hidden.out and len(refreshes(hidden.out)) >= 2, show(hidden)


class Jit:
    """Two loops in memory without a file, which nobody has named yet."""

    def __init__(self, c, dump=False):
        path = os.path.join(c.here, 'jitprog')
        done = subprocess.run(['cc', '-O1', '-xc', '-', '-o', path], input=JIT_SOURCE, text=True, check=False)
        assert not done.returncode
        self.child = subprocess.Popen([path] + ['dump'] * dump, cwd=c.here, env=c.env, stdout=subprocess.PIPE, text=True)
        self.pid, self.size = self.child.pid, 4096
        self.code = [int(word, 16) for word in self.child.stdout.readline().split()]
        self.map = '/tmp/perf-%d.map' % self.pid
        self.dump = os.path.join(c.here, 'jit-%d.dump' % self.pid)

    def name_by_map(self, which, name):
        with open(self.map, 'a', encoding='utf-8') as f:
            f.write('%x %x %s\n' % (self.code[which], self.size, name))

    def name_by_dump(self, which, name):
        with open(self.dump, 'ab') as f:
            if not which:
                f.write(struct.pack('=IIIIIIQQ', 0x4a695444, 1, 40, 62, 0, self.pid, 1, 0))
            text = name.encode() + b'\0'
            f.write(struct.pack('=IIQIIQQQQ', 0, 56 + len(text) + 16, 1, self.pid, self.pid, self.code[which], self.code[which],
                                16, which) + text + bytes(16))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()
        if os.path.exists(self.map):
            os.unlink(self.map)


def names_that_come_later(c):
    """Code has the name that its compiler told after it was sampled first, also what was sampled before."""
    need_x86()
    for options, by, dump in ((['-s', 'dso,symbol'], Jit.name_by_map, False), (['-g'], Jit.name_by_map, False),
                              (['-s', 'symbol'], Jit.name_by_dump, True)):
        with Jit(c, dump) as jit, Watching(c, options + ['-f', '0', '-p', str(jit.pid)]) as top:
            nameless = re.compile(r'\[\.\] 0x0*%x[0-9a-f]{3}' % (jit.code[0] >> 12))
            assert 'loop' not in top.wait_for(nameless.pattern)
            by(jit, 0, 'first_loop')
            rest = top.wait_for(r'\[\.\] first_loop')
            assert not nameless.search(rest) and 'second_loop' not in rest, rest
            by(jit, 1, 'second_loop')
            assert 'first_loop' in top.wait_for(r'\[\.\] second_loop')


def code_that_is_replaced(c):
    """What ran before under another name keeps that."""
    need_x86()
    with Jit(c) as jit:
        jit.name_by_map(0, 'earlier_loop')
        with Watching(c, ['-f', '0', '-p', str(jit.pid)]) as top:
            top.wait_for(r'\[\.\] earlier_loop')
            jit.name_by_map(0, 'later_loop')
            jit.name_by_map(1, 'other_loop')
            assert 'earlier_loop' in top.wait_for(r'\[\.\] later_loop')


def the_machine(c):
    need_root()
    with Busy(c, sleeps=0):
        r = in_background(c, '')
    assert re.search(r',  \(all, \d+ CPUs?\)$', r.out, re.M), show(r)
    assert re.search(r'  busyprog +\[\.\] heavy$', r.out, re.M), show(r)
    assert re.search(r'%  \[kernel\] +\[k\] ', r.out), show(r)


def names_cpus(c):
    need_root()
    r = in_background(c, '-C 0 -c 100000 -e cpu-clock', 1.5)
    assert '[100000 cpu-clock],  (all, CPU: 0)' in r.out, show(r)


def as_json(c):
    with Busy(c) as busy:
        r = in_background(c, '--json -p %d' % busy.pid)
    text, objects = r.out, []
    while text.strip():
        value, end = json.JSONDecoder().raw_decode(text.lstrip())
        objects.append(value)
        text = text.lstrip()[end:]
    assert len(objects) >= 2 and objects[0]['schema'] == 'perf top', show(r)
    cells = objects[1]['sections'][0]['rows'][0]['cells']
    assert cells['symbol'] == 'heavy' and cells['dso'] == 'busyprog', cells


def ends_with_its_tasks(c):
    r = c.sh('sleep 1.5 & "$PERF" top --stdio -d 30 -f 0 -e cpu-clock -p $!')
    assert r.status == 0 and len(refreshes(r.out)) == 1, show(r)


def closed_output(c):
    """It ends when nobody reads any more."""
    with Busy(c) as busy:
        r = c.sh('"$PERF" top --stdio -d 1 -p %d | head -4' % busy.pid, limit=60)
    assert HEAD.search(r.out) and not r.err, show(r)


def closed_input(c):
    """No refresh comes early, and no menu comes at all, where the input is at its end or full of keys."""
    with Busy(c) as busy:
        for source in '</dev/null', '< <(yes)', '<&-':
            r = in_background(c, '-p %d %s' % (busy.pid, source))
            assert 1 <= len(refreshes(r.out)) <= 5 and 'Mapped' not in r.out, show(r)


class Watching:
    """perf top --stdio beside the test: its latest list."""

    def __init__(self, c, options):
        self.path = os.path.join(c.here, 'out.txt')
        with open(self.path, 'wb') as out:
            self.child = subprocess.Popen([c.perf, 'top', '--stdio', '-d', '1'] + options, stdin=subprocess.DEVNULL, stdout=out,
                                          stderr=out, env=c.env)

    def wait_for(self, pattern, seconds=60):
        """The list in which it is."""
        end = time.monotonic() + seconds
        while True:
            with open(self.path, encoding='utf-8', errors='replace') as f:
                lists = refreshes(f.read())
            if len(lists) > 1 and re.search(pattern, lists[-2], re.M):
                return lists[-2]
            assert time.monotonic() < end and self.child.poll() is None, 'no %s in %r' % (pattern, lists[-2:])
            time.sleep(0.2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGINT)
        self.child.wait()


class Terminal:
    """perf top on a terminal of its own."""

    def __init__(self, c, words, columns=120):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 20, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave

        def begin():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.child = subprocess.Popen([c.perf, 'top', '--stdio'] + words, stdin=slave, stdout=slave, stderr=slave, preexec_fn=begin,
                                      env=dict(c.env, TERM='xterm'))
        self.text = ''

    def wait_for(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.M):
            assert time.monotonic() < end, 'no %s in %r' % (pattern, self.text[-3000:])
            if select.select([self.master], [], [], 0.2)[0]:
                self.text += os.read(self.master, 65536).decode('utf-8', 'replace').replace('\r', '')

    def type(self, keys):
        self.text = ''
        os.write(self.master, keys.encode())

    def end(self):
        """Its exit status; the terminal is as it was."""
        end = time.monotonic() + 60
        while self.child.poll() is None and time.monotonic() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                os.read(self.master, 65536)
        assert self.child.poll() is not None, 'it does not end'
        assert termios.tcgetattr(self.slave)[3] == self.before[3], 'the terminal is not as it was'
        return self.child.returncode

    def close(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.slave)
        os.close(self.master)


def keys(c):
    with Busy(c) as busy:
        t = Terminal(c, ['-d', '1', '-e', 'cpu-clock,task-clock', '-p', str(busy.pid)])
        try:
            t.wait_for(r'\033\[H\033\[2J\n   PerfTop:(.*\n)+.*heavy')
            t.type('h')
            t.wait_for(r'\[d\]     display refresh delay')
            t.type('E')
            t.wait_for(r'\[task-clock\]')
            t.type('e')
            t.wait_for(r'Enter display entries')
            t.type('1\n')
            t.wait_for(r'PerfTop')
            t.type('U')
            t.wait_for(r'PerfTop(.*\n)+.*PerfTop')
            t.type('h')
            t.wait_for(r'hide user symbols\. +\t\(yes\)')
            t.type('U')
            t.wait_for('PerfTop')
            t.type('F')
            t.wait_for(r'Enter details display event filter \(percent\) \(5\)')
            t.type('0\n')
            t.wait_for('PerfTop')
            t.type('s')
            t.wait_for('Enter details symbol')
            t.type('light\n')
            t.wait_for(r'Showing task-clock for light\n  Events  Pcnt \(>=0%\)\n(.*\n)*.*light\(\):')
            t.type('S')
            t.wait_for(r'PerfTop(.*\n)+.*heavy')
            t.type('q')
            assert t.end() == 0
        finally:
            t.close()


def fits_the_terminal(c):
    with Busy(c) as busy:
        t = Terminal(c, ['-d', '1', '-g', '-p', str(busy.pid)], 70)
        try:
            t.wait_for(r'heavy(.*\n)+\033\[H')
            for page in t.text.split('\033[H\033[2J')[1:-1]:
                plain = re.sub(r'\033\[[0-9;]*m', '', page)
                assert plain.count('\n') <= 19 and max(map(len, plain.split('\n'))) <= 70, plain
            os.kill(t.child.pid, signal.SIGINT)
            assert t.end() == 0
        finally:
            t.close()


def signals(c):
    with Busy(c) as busy:
        for number in signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
            t = Terminal(c, ['-d', '1', '-p', str(busy.pid)])
            try:
                t.wait_for('PerfTop')
                os.kill(t.child.pid, number)
                t.end()
            finally:
                t.close()


def field_of(pid, file, name):
    with open('/proc/%d/%s' % (pid, file), encoding='ascii') as f:
        return int(re.search(name + r'\D+(\d+)', f.read())[1])


def cpu_seconds(pid):
    with open('/proc/%d/stat' % pid, encoding='ascii') as f:
        return sum(map(int, f.read().rsplit(')', 1)[1].split()[11:13])) / os.sysconf('SC_CLK_TCK')


def stopped(c):
    """perf stands still while its rings overflow: it tells what is lost, its shares are right, it neither spins nor grows."""
    out = os.path.join(c.here, 'stopped.out')
    with Busy(c) as busy, open(out, 'w', encoding='utf-8') as to:
        argv = [c.perf, 'top', '--stdio', '-d', '1', '-m', '2', '-F', '4999', '-p', str(busy.pid)]
        top = subprocess.Popen(argv, cwd=c.here, env=c.env, stdin=subprocess.DEVNULL, stdout=to)
        try:
            time.sleep(1.2)
            before = field_of(top.pid, 'status', 'VmRSS')
            os.kill(top.pid, signal.SIGSTOP)
            time.sleep(1)
            os.kill(top.pid, signal.SIGCONT)
            time.sleep(0.5)
            used = cpu_seconds(top.pid)
            time.sleep(1.5)
            used = cpu_seconds(top.pid) - used
            grown = field_of(top.pid, 'status', 'VmHWM') - before
        finally:
            top.send_signal(signal.SIGINT)
            status = top.wait(timeout=60)
    with open(out, encoding='utf-8') as f:
        text = f.read()
    lost = [int(n) for n in re.findall(r' lost: \d+/(\d+) ', text)]
    assert status == 0 and lost and lost[-1] > 0, text[-3000:]
    last = rows(refreshes(text)[-1])
    assert re.match(r' +(6|7|8|9)\d\.\d\d%  busyprog +\[\.\] heavy$', last[0]), text[-3000:]
    assert used < 1 and grown < 32 << 10, (used, grown)


CASES = [a_process, shares_of_keys, callers, unwound, several_events, code_and_symbols, begins_anew, user_only, names_that_come_later, code_that_is_replaced,
         as_recorded, auto_stacks, callers_nowhere, graph_words,
         kept_in_a_file, switched, refused, the_machine, names_cpus, as_json, newest_samples,
         stopped, ends_with_its_tasks, closed_output, closed_input, keys, fits_the_terminal, signals]


def main():
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a shell's jobs in the background ignore it, and so would perf
    c = Suite(__doc__)
    if c.sh('"$PERF" record -q -e cpu-clock:u -o x.data true').status:
        print('skipped: nothing can be sampled here')
        return 77
    Busy(c).__exit__()
    c.check_all([(f.__name__, f, c) for f in CASES], 2)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
