#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The end of stat and record with many tracepoints: closing them is left to another process.

    late_close.py --perf BUILD/perf

That process outlives the command. Here it comes to us when its parent has ended, as it comes to init
elsewhere, so it can be waited for.
"""
import ctypes
import os
import sys

from live_case import Skip, Suite, need_root, show

PR_SET_CHILD_SUBREAPER = 36
MANY = 'syscalls:sys_enter_a*,syscalls:sys_enter_m*'
FEW = 'syscalls:sys_enter_read,syscalls:sys_enter_write'


def left_behind():
    """Exit states of the processes that the command has left."""
    out = []
    while True:
        try:
            out.append(os.waitpid(-1, 0)[1])
        except ChildProcessError:
            return out


def run(c, command, **kw):
    left_behind()
    r = c.sh(command, **kw)
    assert r.status == 0, show(r)
    return left_behind()


def need_tracepoints():
    need_root()
    events = '/sys/kernel/tracing/events/syscalls/sys_enter_read/id'
    if not os.path.exists(events):
        raise Skip('no tracepoints of system calls')
    if not os.path.exists('/sys/kernel/tracing/dynamic_events'):
        raise Skip('the kernel does not list the tracepoints of probes')


def many_are_left(c):
    need_tracepoints()
    for command in ('perf stat -e "%s" true', 'perf stat -a -e "%s" true',
                    'perf record -B -N -o p.data -e "%s" true'):
        left = run(c, command % MANY)
        assert left == [0], (command, left)


def many_beside_a_refused_one(c):
    need_tracepoints()
    left_behind()
    r = c.sh('perf record -o p.data -g -e "%s" -e cpu-clock/max-stack=60000/ true' % MANY)
    assert r.status == 255 and 'stack depth 60000' in r.err, show(r)
    left = left_behind()
    assert left == [0], left


def few_are_not(c):
    need_tracepoints()
    for command in ('perf stat -e "%s" true', 'perf record -B -N -o p.data -e "%s" true'):
        left = run(c, command % FEW)
        assert left == [], (command, left)


def not_when_switched_off(c):
    need_tracepoints()
    with open(os.path.join(c.top, 'config'), 'w', encoding='ascii') as f:
        f.write('[core]\n\tclose-late = false\n')
    for command in ('perf stat -e "%s" true', 'perf record -B -N -o p.data -e "%s" true'):
        left = run(c, command % 'syscalls:sys_enter_m*', PERF_CONFIG=os.path.join(c.top, 'config'))
        assert left == [], (command, left)


def main():
    c = Suite(__doc__)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    c.check('many are left', many_are_left, c)
    c.check('many beside a refused one', many_beside_a_refused_one, c)
    c.check('few are not', few_are_not, c)
    c.check('not when switched off', not_when_switched_off, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
