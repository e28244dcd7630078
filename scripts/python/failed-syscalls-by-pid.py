# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts system calls that failed (raw_syscalls:sys_exit), by task, call and error.

    perf script -s failed-syscalls-by-pid.py [COMM]
"""
import os
import sys

sys.path.append(os.environ['PERF_EXEC_PATH'] + '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')

from Util import strerror, syscall_name

LARGEST_ERROR = 4095

wanted = sys.argv[1] if len(sys.argv) > 1 else None
tasks = {}


def raw_syscalls__sys_exit(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                           common_callchain, id, ret):
    # mmap() and others return addresses that are negative numbers, too
    if -LARGEST_ERROR <= ret < 0 and (wanted is None or common_comm == wanted):
        errors = tasks.setdefault((common_comm, common_pid), {}).setdefault(id, {})
        errors[ret] = errors.get(ret, 0) + 1


def trace_end():
    print('\nsyscall errors%s:\n' % (' for ' + wanted if wanted else ''))
    print('%-30s  %10s' % ('comm [pid]', 'count'))
    print('%-30s  %10s' % ('-' * 30, '-' * 10))
    for (comm, pid), calls in sorted(tasks.items()):
        print('\n%s [%d]' % (comm, pid))
        for number, errors in sorted(calls.items()):
            print('  syscall: %s' % syscall_name(number))
            for error, count in sorted(errors.items(), key=lambda kv: (-kv[1], -kv[0])):
                print('    err = %-20s  %10d' % (strerror(error), count))
