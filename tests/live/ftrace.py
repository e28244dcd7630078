#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf ftrace of events, which every kernel has: what it measures, and that nothing of it stays behind.

    ftrace.py --perf BUILD/perf

What needs a function tracer is in tests/guest/x86.py.
"""
import os
import re
import shlex
import signal
import subprocess
import sys
import time

from live_case import Skip, Suite, show

TRACING = '/sys/kernel/tracing'
SLEEPS = 'syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep'


def instances():
    return {name for name in os.listdir(TRACING + '/instances') if re.fullmatch(r'perf_\d+_\d+_\d+_ftrace', name)}


def need_tracefs():
    if os.geteuid() or not os.path.isdir(TRACING + '/instances'):
        raise Skip('needs root and tracefs')
    if not os.path.isdir(TRACING + '/events/syscalls/sys_enter_clock_nanosleep'):
        raise Skip('no tracepoints of system calls')


def run(suite, *words, before=()):
    return suite.sh('%s "$PERF" %s' % (shlex.join(before), shlex.join(words)))


def sums(text):
    return {name: int(value) for name, value in re.findall(r'^ +(\w+)(?: time)?: +(\d+)$', text, re.M)}


def rows(text):
    return re.findall(r'^ +(\S+) - +(\S+) +(\S+) +\| +(\d+) \| (#*) *\|$', text, re.M)


def test_pairs(suite, way):
    """Ten sleeps of 3 ms, each of them at least that long."""
    need_tracefs()
    r = run(suite, 'ftrace', 'latency', *way, '-e', SLEEPS, '--', sys.executable, '-c',
                  'import time\nfor i in range(10): time.sleep(0.003)')
    if r.status == 255 and 'in the kernel' in r.err:
        raise Skip(r.err)
    assert r.status == 0, show(r)
    s = sums(r.out)
    assert s['count'] == 10 and 3000 <= s['min'] <= s['avg'] <= s['max'] <= s['total'], show(r)
    assert len(rows(r.out)) == 22 and sum(int(row[3]) for row in rows(r.out)) == 10, show(r)
    for low, high, unit, count, _ in rows(r.out):
        assert count == '0' or unit != 'us', show(r)
        assert (low, high, unit) != ('1', '2', 'ms') or count == '0', show(r)


def test_children(suite, way):
    """Those of a script are measured with --inherit alone."""
    need_tracefs()
    for inherit, count in ((), 0), (('--inherit',), 2):
        r = run(suite, 'ftrace', 'latency', *way, *inherit, '-e', SLEEPS, '--', 'sh', '-c', 'sleep 0.01; sleep 0.01; true')
        if r.status == 255 and 'in the kernel' in r.err:
            raise Skip(r.err)
        assert r.status == 0 and sums(r.out).get('count', 0) == count, show(r)
        assert count or r.err == 'No data found\n', show(r)


def test_ranges(suite):
    need_tracefs()
    r = run(suite, 'ftrace', 'latency', '-n', '--bucket-range', '3000', '--min-latency', '1000', '--max-latency', '12000',
                  '-e', SLEEPS, 'sleep', '0.01')
    got = [row[:4] for row in rows(r.out)]
    assert got == [('0', '1000', 'ns', '0'), ('1.00', '4.00', 'us', '0'), ('4.00', '7.00', 'us', '0'),
                   ('7.00', '10.00', 'us', '0'), ('10.00', '...', 'us', '1')], show(r)
    r = run(suite, 'ftrace', 'latency', '--hide-empty', '-a', '-C', '0', '-e', 'sched:sched_switch,sched:sched_switch',
                  'sleep', '0.05')
    assert r.status == 0 and rows(r.out) and all(row[3] != '0' for row in rows(r.out)), show(r)


def test_ends(suite, number):
    """Whatever ends it: what was measured is shown, the instance goes, and so does the command."""
    need_tracefs()
    before = instances()
    p = subprocess.Popen([suite.perf, 'ftrace', 'latency', '-e', SLEEPS, '--', sys.executable, '-c',
                          'import os, time\nprint(os.getpid(), flush=True)\nwhile 1: time.sleep(0.001)'],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=suite.env)
    child = int(p.stdout.readline())
    mine, = (name for name in instances() if name.startswith(f'perf_{p.pid}_'))
    time.sleep(0.5)
    p.send_signal(number)
    if number == signal.SIGKILL:
        os.kill(child, signal.SIGKILL)
    out, err = p.communicate(timeout=60)
    if number == signal.SIGKILL:
        assert mine in instances()
        r = run(suite, 'ftrace', 'latency', '-e', SLEEPS, 'sleep', '0.01')
        assert r.status == 0 and sums(r.out)['count'] == 1, show(r)
    else:
        assert p.returncode == 0 and sums(out)['count'] > 0, out + err
        assert not os.path.exists(f'/proc/{child}'), 'the command is still there'
    assert mine not in instances(), instances() - before


def test_refusals(suite):
    need_tracefs()
    before = instances()
    for words, status, line in (
            (('-e', 'no:event,sched:sched_switch', 'true'), 255, "error: there is no event 'no:event'"),
            (('-b', '-e', 'sched:sched_switch,no:event', 'true'), 255, "error: there is no event 'no:event'"),
            (('-e', 'sched/sched_switch:enable,a:b', 'true'), 255, 'error: there is no event'),
            (('-e', SLEEPS, '/nonexistent'), 255, 'error: workload failed: No such file or directory'),
            (('-e', SLEEPS, '-p', '2000000000'), 255, 'error: no such process: 2000000000'),
            (('-e', SLEEPS, '-C', '4000', 'true'), 255, 'error: CPU 4000 is not online')):
        r = run(suite, 'ftrace', 'latency', *words)
        if '-b' in words and "there is no event" not in r.err:
            continue
        assert r.status == status and line in r.err and r.err.count('error:') == 1, show(r)
    with open(TRACING + '/available_tracers', encoding='ascii') as f:
        if 'function_graph' not in f.read():
            r = run(suite, 'ftrace', 'true')
            assert r.status == 255 and 'error: this kernel has no function_graph tracer' in r.err, show(r)
    assert instances() <= before, instances() - before


def test_no_root(suite):
    need_tracefs()
    r = run(suite, 'ftrace', 'latency', '-e', SLEEPS, 'true', 
            before=('setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'))
    assert r.status == 255 and r.err.count('error:') == 1 and 'perf ftrace needs root' in r.err, show(r)


def main():
    suite = Suite(__doc__)
    for way in (), ('-b',):
        name = '_bpf' if way else ''
        suite.check('pairs' + name, test_pairs, suite, way)
        suite.check('children' + name, test_children, suite, way)
    suite.check('ranges', test_ranges, suite)
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL:
        suite.check('ends_' + number.name, test_ends, suite, number)
    suite.check('refusals', test_refusals, suite)
    suite.check('no_root', test_no_root, suite)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
