#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf timechart record, and the chart of it, against what a program knows of itself: how long it ran and slept, who woke it
up, what it read and wrote.

    timechart.py --perf BUILD/perf
"""
import json
import os
import sys

from live_case import Skip, Suite, show

TRACING = '/sys/kernel/tracing/events/'
# It sleeps until its child has spun; then it tells its own CPU time, and the child's.
WAITER = """
import ctypes, os, resource, time
name = lambda n: ctypes.CDLL(None).prctl(15, n)
r, w = os.pipe()
child = os.fork()
if not child:
    name(b"spinner")
    while time.process_time() < 0.15: pass
    os.write(w, b"x")
    os._exit(0)
name(b"waiter")
begin = time.monotonic()
os.read(r, 1)
slept = time.monotonic() - begin
os.waitpid(child, 0)
print(slept, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime)
"""
WRITER = """
import ctypes, os
ctypes.CDLL(None).prctl(15, b"writer")
fd = os.open("file", os.O_RDWR | os.O_CREAT)
for _ in range(8): os.write(fd, bytes(65536))
os.fsync(fd)
os.lseek(fd, 0, 0)
for _ in range(4): os.read(fd, 16384)
r, w = os.pipe()
os.set_blocking(r, False)
try: os.read(r, 1)
except BlockingIOError: pass
"""


def need(event):
    if os.geteuid() or not os.path.isdir(TRACING + event):
        raise Skip('needs root and the tracepoint ' + event)


def record(suite, options, program):
    with open(os.path.join(suite.here, 'program.py'), 'w', encoding='ascii') as f:
        f.write(program)
    r = suite.sh('"$PERF" timechart record %s -- -o p.data -m 16M "%s" program.py' % (options, sys.executable))
    assert r.status == 0, show(r)
    return r


def chart(suite, options=''):
    r = suite.sh('"$PERF" timechart -i p.data --json %s' % options)
    assert r.status == 0, show(r)
    return json.loads(r.out)


def test_times(suite):
    need('sched/sched_switch')
    slept, spun = map(float, record(suite, '-g', WAITER).out.split()[-2:])
    found = chart(suite, '-p spinner -p waiter')
    tasks = {t['name']: t for t in found['tasks']}
    assert set(tasks) == {'spinner', 'waiter'}, tasks.keys()
    ran = tasks['spinner']['running_ns'] / 1e9
    # before it had its name it ran, too; a virtual machine may hide some of its switches
    assert 0.6 * spun - 0.02 < ran <= slept + 0.2, (ran, spun, slept)
    wakes = [w for w in found['wakeups'] if w['name'] == 'waiter' and w.get('by', {}).get('name') == 'spinner']
    assert wakes, [w for w in found['wakeups'] if w['name'] == 'waiter']
    assert any('pipe' in w.get('stack', '') or 'unknown' in w.get('stack', '') for w in wakes), wakes
    states = tasks['waiter']['states']
    gaps = [b['from'] - a['until'] for a, b in zip(states, states[1:])]
    assert max(gaps) / 1e9 > 0.6 * slept, (max(gaps), slept)


def test_calls(suite):
    need('syscalls/sys_enter_read')
    record(suite, '-I', WRITER)
    task = [t for t in chart(suite, '-p writer')['tasks'] if t['name'] == 'writer'][0]
    total = {kind: sum(s.get('bytes', 0) for s in task[kind]) for kind in ('read', 'write')}
    assert total == {'read': 65536, 'write': 8 * 65536}, (total, task)
    assert len(task['sync']) == 1 and task['sync'][0]['fd'] == task['write'][0]['fd'], task['sync']
    errors = [s['error'] for s in task['read'] if 'error' in s]
    assert errors == [-11], errors
    again = [t for t in chart(suite, '-p writer --io-skip-eagain')['tasks'] if t['name'] == 'writer'][0]
    assert not [s for s in again['read'] if 'error' in s], again


def test_picture(suite):
    need('sched/sched_switch')
    record(suite, '-T', WAITER)
    r = suite.sh('"$PERF" timechart -i p.data && "%s" "%s" output.svg' %
                 (sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tools/show_timechart.py')))
    assert r.status == 0 and 'spinner:' in r.out and 'sample' in r.out and 'seconds of trace to output.svg' in r.err, show(r)


def test_power(suite):
    need('power/cpu_idle')
    record(suite, '-P', 'import time; time.sleep(0.2)')
    r = suite.sh('"$PERF" evlist -i p.data')
    assert 'power:cpu_idle' in r.out and 'sched:' not in r.out, show(r)


def main():
    suite = Suite(__doc__)
    suite.check('times', test_times, suite)
    suite.check('calls', test_calls, suite)
    suite.check('picture', test_picture, suite)
    suite.check('power', test_power, suite)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
