#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf doctor on small programs that were built with and without frame pointers, unwind tables and
symbols, on recordings of them, and on a process that runs."""
import errno
import json
import os
import socket
import subprocess
import sys

from live_case import Skip, Suite, need_program, show

HERE = os.path.dirname(os.path.abspath(__file__))
# (of few functions one that calls alloca() is many)
NONE = ('no frame pointers', 'keeps frame pointers in parts')


def build(suite, flags):
    need_program('gcc')
    r = suite.sh('gcc %s -pthread -o deep %s/stacks/deep.c' % (flags, HERE))
    assert r.status == 0, show(r)


def doctor(suite, words, status=(0, 1)):
    r = suite.sh('perf doctor --json ' + words)
    assert r.status in status, show(r)
    d = json.loads(r.out)
    assert (d['wrong'] > 0) == (r.status == 1), d['wrong']
    return d


def rows(d, check, about=''):
    return [f for f in d['findings'] if f['check'] == check and about in (f['about'] or '')]


def program(suite, flags, frames, graph, state):
    """The verdict on a program, and the command line that it leads to."""
    build(suite, flags)
    d = doctor(suite, '-- ./deep sort 400')
    mine = rows(d, 'object', '/deep')
    assert len(mine) == 1, d['findings']
    assert mine[0]['value'].startswith(frames), mine[0]['value']
    assert mine[0]['state'] == state, mine[0]
    assert d['record'].endswith('-- ./deep sort 400') and graph in d['record'], d['record']
    return mine[0]


def kept(suite):
    program(suite, '-O1 -g -fno-omit-frame-pointer', 'keeps frame pointers (', 'perf record', 'ok')


def lost(suite):
    program(suite, '-O2 -g -fomit-frame-pointer', NONE, '--call-graph dwarf', 'ok')


def stripped(suite):
    row = program(suite, '-O2 -s', NONE, '--call-graph dwarf', 'wrong')
    assert 'stripped' in row['value'] and row['mend'], row


def no_tables(suite):
    build(suite, '-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions')
    row = rows(doctor(suite, '-- ./deep sort 1'), 'object', '/deep')[0]
    assert '% of its code' in row['value'] or 'no unwind tables' in row['value'], row


def is_not_run(suite):
    """Neither the program nor what it was given is there afterwards."""
    r = suite.sh('perf doctor -- touch made >out; ls made; ls')
    assert 'made' not in r.out, show(r)


def process(suite):
    build(suite, '-O2 -g')
    victim = subprocess.Popen(['sleep', '60'])
    try:
        d = doctor(suite, '-p %d' % victim.pid)
        assert rows(d, 'object', '/sleep') or rows(d, 'object', 'busybox') or rows(d, 'object', 'coreutils')
        assert '-p %d' % victim.pid in d['record'], d['record']
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()


def wrapper(suite):
    d = doctor(suite, '-- env true')
    assert rows(d, 'wrapper'), d['findings']


def silent_jit(suite):
    need_program('node')
    d = doctor(suite, '-- node x.js')
    if rows(d, 'wrapper'):
        raise Skip('node is a script here')
    assert rows(d, 'jit')[0]['state'] == 'wrong' and 'perf-basic-prof' in rows(d, 'jit')[0]['mend']
    # The command that will work names its code.
    assert d['record'].endswith(' -- node --perf-basic-prof --interpreted-frames-native-stack x.js'), d['record']
    d = doctor(suite, '-- node --perf-basic-prof x.js')
    assert d['record'].endswith(' -- node --perf-basic-prof x.js'), d['record']
    assert rows(d, 'jit')[0]['state'] == 'ok', rows(d, 'jit')


def java_frames(suite):
    """A JVM whose code keeps no frame pointers: as a command and as a process, before, after and in a recording."""
    need_program('javac')
    with open(suite.top + '/W.java', 'w', encoding='utf-8') as f:
        f.write('class W { public static void main(String[] a) { long end = System.nanoTime() + '
                'Long.parseLong(a[0]) * 1000000, n = 0; while (System.nanoTime() < end) n++; System.exit(n > 0 ? 0 : 1); } }')
    r = suite.sh('javac -J-XX:TieredStopAtLevel=1 W.java')
    assert r.status == 0, show(r)
    flag = '-XX:+PreserveFramePointer'
    d = doctor(suite, '-- java -cp . W 1', (1,))
    assert flag in rows(d, 'jit-frames')[0]['mend'] and flag in d['record'], d
    for words in flag, '@options':
        assert not rows(doctor(suite, '-- java %s -cp . W 1' % words), 'jit-frames'), words
    d = doctor(suite, '-- java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -cp . W 1', (1,))
    assert d['record'].split(' -- ')[1].startswith('java %s -XX:+Unlock' % flag), d['record']
    assert not rows(json.loads(suite.sh('perf doctor --json -- java -cp . W 1', JAVA_TOOL_OPTIONS=flag).out), 'jit-frames')
    java = subprocess.Popen(['java', '-cp', suite.top, 'W', '60000'])
    try:
        suite.sh('for i in {1..999}; do grep -q libjvm /proc/%d/maps && break; sleep 0.02; done' % java.pid)
        assert flag in rows(doctor(suite, '-p %d' % java.pid, (1,)), 'jit-frames')[0]['mend']
        r = suite.sh('perf record -o d.data -F 499 -e cpu-clock:u -g -p %d -- sleep 1' % java.pid)
    finally:
        java.kill()
        java.wait()
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    assert 'Java (process %d) was started without %s' % (java.pid, flag) in r.err, show(r)
    d = doctor(suite, 'd.data', (1,))
    assert flag in rows(d, 'jit-frames')[0]['mend'] and rows(d, 'jit-frames')[0]['state'] == 'wrong', d['findings']
    assert '# call-graph : Java (process' in suite.sh('perf report --header-only -i d.data').out
    r = suite.sh('perf record -o d.data -F 499 -e cpu-clock:u -g -- java %s -cp . W 300' % flag)
    assert flag not in r.err.replace('hint: perf', ''), show(r)


def few_samples(suite):
    """Broken stacks are told of few samples too, with the command to type next."""
    build(suite, '-O2 -g -fomit-frame-pointer')
    r = suite.sh('perf record -e cpu-clock:u -o d.data -F 199 -g ./deep deep 600')
    if r.status or '(' not in r.err:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    if int(r.err.split('(')[-1].split()[0]) < 40:
        raise Skip('too few samples')
    assert 'of stacks are broken' in r.err, show(r)
    assert 'hint: perf record -e cpu-clock:u -o d.data -F 199 --call-graph auto ./deep deep 600\n' in r.err, show(r)


def record(suite, options):
    r = suite.sh('perf record -q -o d.data -e cpu-clock:u -F 1999 %s ./deep sort 150' % options)
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])


def whole(suite, flags='-O2 -g'):
    build(suite, flags)
    record(suite, '--call-graph dwarf')
    m = doctor(suite, 'd.data')['measures']
    assert m['stacks'] > 50 and m['stacks'] == m['samples'], m
    assert m['stacks-complete'] >= m['stacks'] * 0.97, m
    assert m['stacks'] == sum(m['stacks-' + k] for k in ('complete', 'truncated', 'cut', 'broken')), m


def whole_without_names(suite):
    """That a stack ends with the start of its thread is told by its unwind tables alone."""
    whole(suite, '-O2 -s')


def broken(suite):
    build(suite, '-O2 -g -fomit-frame-pointer')
    record(suite, '--call-graph fp')
    d = doctor(suite, 'd.data', (1,))
    m = d['measures']
    assert m['stacks-complete'] < m['stacks'] * 0.5, m
    assert any('--call-graph auto' in (f['mend'] or '') for f in rows(d, 'broken')), rows(d, 'broken')


def broken_objects(suite):
    """What mends stacks that end in an object depends on what it has."""
    build(suite, '-O2 -g -fomit-frame-pointer')
    record(suite, '--call-graph fp')
    row = rows(doctor(suite, 'd.data', (1,)), 'broken', '/deep')
    assert row and row[0]['mend'].startswith('perf record --call-graph dwarf'), row
    build(suite, '-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions')
    record(suite, '--call-graph dwarf')
    d = doctor(suite, 'd.data', (0, 1))
    row = rows(d, 'broken', '/deep')
    if d['measures']['stacks-broken'] * 20 > d['measures']['stacks']:
        assert row and '-fno-omit-frame-pointer' in row[0]['mend'], d['findings']
        assert row[0]['means'] == 'it has neither frame pointers nor unwind tables', row


def judged_wrongly(suite):
    """Code that keeps frame pointers but for the function where the time goes, where nothing changes meanwhile."""
    need_program('gcc')
    r = suite.sh('gcc -O1 -fno-omit-frame-pointer -fno-stack-protector -DBARE -DTRASH -nostdlib -static -o trash '
                 '%s/stacks/frames.c' % HERE)
    assert r.status == 0, show(r)
    r = suite.sh('./trash & for i in {1..999}; do [ "$(cat /proc/$!/comm)" = trash ] && break; sleep 0.05; done; '
                 'perf record -q -N --threads -o d.data -e cpu-clock:u -F 999 --call-graph auto -p $! sleep 0.5; '
                 's=$?; kill $!; exit $s')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    found = rows(doctor(suite, 'd.data', (1,)), 'broken')
    assert all('--call-graph dwarf' in f['mend'] for f in found), found
    row = [f for f in found if '/trash' in (f['about'] or '')]
    assert row and 'keep frame pointers, these stacks tell otherwise' in row[0]['means'], found


def other_stacks(suite, raw):
    """Where makecontext() begins a stack is its start; behind a signal handler with a stack of its own it ends."""
    need_program('gcc')
    r = suite.sh('gcc -O2 -o switch %s/stacks/switch.c' % HERE)
    assert r.status == 0, show(r)
    for how in 'context', 'handler', 'large':
        r = suite.sh('perf record -q -o m.data -e cpu-clock:u -F 999 --call-graph dwarf%s ./switch %s 400' % (raw, how))
        if r.status:
            raise Skip('cannot record here: ' + r.err.strip()[:200])
        d = doctor(suite, 'm.data')
        m = d['measures']
        if how == 'context':
            assert m['stacks-complete'] >= m['stacks'] * .98 > 50, d
            continue
        if how == 'large':
            # the kernel copies no memory that was never used; the process still has it if it is asked in time
            if not raw:
                assert m['stacks-complete'] + m['stacks-truncated'] >= m['stacks'] * .9 > 50, d
                continue
            assert m['stacks-truncated'] >= m['stacks'] * .9 > 50, d
            assert any('not in memory' in f['value'] and not f['mend'] for f in rows(d, 'truncated')), d
            assert '# stack cut' in suite.sh('perf script -i m.data -F ip,sym').out
            continue
        r = suite.sh('perf script -i m.data -F ip,sym')
        handled = r.out.count(' on_signal')
        ends = [f for f in rows(d, 'broken') if 'a stack of its own' in f['value']]
        assert handled < 5 or ends, (handled, d)


def truncated(suite):
    build(suite, '-O2 -g')
    r = suite.sh('perf record -q -o d.data -e cpu-clock:u -F 499 --call-graph dwarf,1024 ./deep deep 400')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    d = doctor(suite, 'd.data', (1,))
    assert d['measures']['stacks-truncated'] > d['measures']['stacks'] * 0.3, d['measures']
    assert 'dwarf,65528' in rows(d, 'truncated')[0]['mend'], rows(d, 'truncated')
    assert rows(d, 'truncated')[0]['state'] == 'wrong', rows(d, 'truncated')
    # what helps keeps the way in use
    r = suite.sh('perf record -o d.data -e cpu-clock:u -F 499 --call-graph auto,1024 ./deep deep 400')
    if 'were cut' not in r.err:
        raise Skip('too few samples: ' + r.err)
    assert '--call-graph auto,65528' in r.err, show(r)
    assert 'auto,65528' in rows(doctor(suite, 'd.data', (1,)), 'truncated')[0]['mend'], show(r)
    r = suite.sh('perf report --stdio -i d.data -g caller')
    assert 'record --call-graph auto,65528 keeps more' in r.err, show(r)
    r = suite.sh('perf record -q -o d.data -e cpu-clock:u --call-graph auto,65528 ./deep deep 1')
    assert not r.status, show(r)


LONG = r'''
volatile unsigned long n;
static void __attribute__((noinline)) spin(void)
{
	for (unsigned long i = 0; i < 400000000; i++)
		n += i;
}
static void __attribute__((noinline)) deep(int left)
{
	volatile char frame[20000];

	for (unsigned i = 0; i < sizeof(frame); i += 1024)
		frame[i] = left;
	if (left)
		deep(left - 1);
	else
		spin();
	n += frame[0];
}
int main(void)
{
	deep(10);
	return 0;
}
'''


def longer_than_any(suite):
    """What the recorder tried already is not advised again."""
    need_program('gcc')
    with open(os.path.join(suite.here, 'long.c'), 'w') as f:
        f.write(LONG)
    suite.sh('gcc -O2 -fomit-frame-pointer -o long long.c')
    for mode in 'dwarf', 'auto':
        r = suite.sh('perf record -o d.data -e cpu-clock:u -F 1999 --call-graph %s ./long' % mode)
        if 'switched back' not in r.err:
            raise Skip('nothing was tried: ' + r.err.strip()[:200])
        d = doctor(suite, 'd.data', (1,))
        assert '65528' not in json.dumps(rows(d, 'truncated')), rows(d, 'truncated')
        assert 'were tried' in json.dumps(rows(d, 'truncated')), rows(d, 'truncated')
        r = suite.sh('perf report --stdio -i d.data -g caller')
        assert 'which were tried, hardly better' in r.err and '65528' not in r.err, show(r)
        r = suite.sh('perf report --header-only -i d.data')
        assert 'call-graph %s : switched back' % mode in r.out, show(r)


ASLEEP = r'''
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;
__attribute__((noinline)) static void hold(void)
{
	pthread_mutex_lock(&mutex);
	usleep(15000);
	for (int i = 0; i < 1000000; i++)
		sum++;
	pthread_mutex_unlock(&mutex);
}
static void *run(void *arg) { for (int i = 0; i < 15; i++) hold(); return arg; }
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++) pthread_create(t + i, 0, run, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}
'''


def asleep(suite):
    """Stacks with which tasks went to sleep are judged apart: by frame pointers they end in the C library."""
    need_program('gcc')
    with open(suite.top + '/asleep.c', 'w', encoding='utf-8') as f:
        f.write(ASLEEP)
    r = suite.sh('gcc -O2 -g -pthread -o asleep asleep.c')
    assert r.status == 0, show(r)
    r = suite.sh('perf record -o d.data -e cpu-clock:u -F 499 --off-cpu -g ./asleep')
    if r.status:
        raise Skip('no BPF here: ' + r.err.strip()[:200])
    m, d = doctor(suite, 'd.data')['measures'], doctor(suite, 'd.data')
    if m['stacks-asleep'] < 4 or m['stacks-asleep-complete'] * 2 > m['stacks-asleep']:
        raise Skip('the C library keeps frame pointers, or too few sleeps: %s' % m)
    assert m['stacks'] + m['stacks-asleep'] == m['samples'], m
    row = rows(d, 'stacks-asleep')[0]
    assert row['state'] == 'wrong' and '--off-cpu --call-graph dwarf' in row['mend'], row
    assert 'with which tasks went to sleep are broken' in r.err, show(r)
    assert '--off-cpu --call-graph dwarf ./asleep\n' in r.err, show(r)
    r = suite.sh('perf record -o d.data -e cpu-clock:u -F 499 --off-cpu --call-graph dwarf ./asleep')
    assert 'went to sleep' not in r.err, show(r)
    assert all(f['state'] != 'wrong' and not f['mend'] for f in rows(doctor(suite, 'd.data'), 'stacks-asleep')), d


def nameless(suite):
    build(suite, '-O2 -s')
    record(suite, '')
    d = doctor(suite, 'd.data', (1,))
    assert rows(d, 'unresolved', '/deep'), d['findings']


def record_tells(suite):
    """A line at the end of a recording whose stacks are broken, and only then."""
    build(suite, '-O2 -g -fomit-frame-pointer')
    r = suite.sh('perf record -o d.data -e cpu-clock:u -F 3999 -g ./deep sort 600')
    if r.status or '(' not in r.err:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    if int(r.err.split('(')[-1].split()[0]) < 500 and 'samples)' in r.err:
        raise Skip('too few samples')
    assert 'of stacks are broken' in r.err and '--call-graph auto' in r.err, show(r)
    r = suite.sh('perf record -q -o d.data -e cpu-clock:u -F 3999 -g ./deep sort 600')
    assert r.err == '', show(r)
    r = suite.sh('perf record -o d.data -e cpu-clock:u -F 1999 --call-graph dwarf ./deep sort 400')
    assert 'broken' not in r.err, show(r)


FORBID = r"""
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
/* ERRNO COMMAND...: perf_event_open() fails with it. */
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(argv[1])),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, code };
	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return perror("seccomp"), 77;
	execv(argv[2], argv + 2);
	return perror(argv[2]), 126;
}
"""


def filtered(suite):
    """A filter of system calls, as containers have it, is told from missing permission."""
    need_program('gcc')
    with open(suite.top + '/forbid.c', 'w', encoding='utf-8') as f:
        f.write(FORBID)
    r = suite.sh('gcc -O1 -o forbid forbid.c')
    if r.status:
        raise Skip('cannot be built here: ' + r.err.strip()[:200])
    for number, means in (errno.EPERM, 'filter of system calls (seccomp)'), (errno.ENOSYS, 'filter of system calls'):
        r = suite.sh('./forbid %d $PERF doctor --json' % number)
        if r.status == 77:
            raise Skip('no filters here: ' + r.err)
        assert r.status == 1, show(r)
        d = json.loads(r.out)
        events = rows(d, 'perf-events')[0]
        assert events['state'] == 'wrong' and os.strerror(number) in events['value'], events
        if os.geteuid() == 0 or number == errno.ENOSYS:
            assert means in events['means'] and 'seccomp=unconfined' in events['mend'], events
        assert rows(d, 'seccomp')[0]['state'] == 'wrong', d['findings']
    # one that forbids nothing of interest is no fault
    r = suite.sh('sed s/__NR_perf_event_open/__NR_swapoff/ forbid.c > allow.c; gcc -O1 -o allow allow.c; '
                 './allow 1 $PERF doctor --json')
    d = json.loads(r.out)
    if rows(d, 'perf-events')[0]['state'] == 'ok':
        assert rows(d, 'seccomp')[0]['state'] == 'ok', rows(d, 'seccomp')


def machine(suite, before):
    """What doctor says of the machine when it is started by another program."""
    r = suite.sh(before + ' true')
    if r.status:
        raise Skip('not here: ' + r.err.strip()[:200])
    return json.loads(suite.sh(before + ' $PERF doctor --json').out)


def user_namespace(suite):
    """Root of a user namespace of its own has no rights at the kernel's limits: what record refuses is said before."""
    level = int(open('/proc/sys/kernel/perf_event_paranoid', encoding='ascii').read())
    d = machine(suite, 'unshare -Ur')
    assert 'users' in rows(d, 'container')[0]['value'], rows(d, 'container')
    refused = suite.sh('unshare -Ur $PERF record -q -a -o u.data -e cpu-clock true').status != 0
    assert refused == (level > 0), level
    assert (rows(d, 'paranoid')[0]['state'] == 'ok') == (level < 0), d
    assert len({f['mend'] for c in ('paranoid', 'kernel-names') for f in rows(d, c) if f['mend']}) <= 1, d


def pid_namespace(suite):
    d = machine(suite, 'unshare -mpf --mount-proc')
    assert 'processes' in rows(d, 'container')[0]['value'], rows(d, 'container')


def no_proc(suite):
    r = suite.sh("unshare -m sh -c 'umount -l /proc && $PERF doctor --json'")
    if not r.out:
        raise Skip('/proc cannot be unmounted here: ' + r.err.strip()[:200])
    d = json.loads(r.out)
    assert r.status == 1 and rows(d, 'proc') and not rows(d, 'paranoid'), d


def debuginfod(suite):
    """A server that nobody runs is no help; one that listens is."""
    closed = socket.socket()
    closed.bind(('127.0.0.1', 0))
    with socket.create_server(('127.0.0.1', 0)) as served:
        for server, state in (closed, 'wrong'), (served, 'ok'):
            r = suite.sh('env -u http_proxy -u https_proxy -u all_proxy -u HTTPS_PROXY -u ALL_PROXY '
                         'DEBUGINFOD_URLS=http://127.0.0.1:%d/ $PERF doctor --json' % server.getsockname()[1])
            row = rows(json.loads(r.out), 'debuginfod')[0]
            if 'libdebuginfod' in row['value']:
                raise Skip(row['value'])
            assert row['state'] == state, row
    closed.close()


def main():
    suite = Suite(__doc__)
    for case in (kept, lost, stripped, no_tables, is_not_run, process, wrapper, silent_jit, java_frames, few_samples, whole,
                 whole_without_names, broken, broken_objects, judged_wrongly, truncated, longer_than_any, asleep, nameless,
                 record_tells, filtered, user_namespace, pid_namespace, no_proc, debuginfod):
        suite.check(case.__name__.replace('_', ' '), case, suite)
    suite.check('other stacks', other_stacks, suite, '')
    suite.check('other stacks, copied', other_stacks, suite, ',8192,raw')
    return suite.close()


sys.exit(main())
