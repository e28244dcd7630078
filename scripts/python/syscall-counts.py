# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts system calls (raw_syscalls:sys_enter), of all tasks or those of one name.

    perf script -s syscall-counts.py [COMM]
"""
import os
import sys

sys.path.append(os.environ['PERF_EXEC_PATH'] + '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')

from Util import syscall_name

wanted = sys.argv[1] if len(sys.argv) > 1 else None
counts = {}


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                            common_callchain, id, args):
    if wanted is None or common_comm == wanted:
        counts[id] = counts.get(id, 0) + 1


def trace_end():
    print('\nsyscall events%s:\n' % (' for ' + wanted if wanted else ''))
    print('%-40s  %10s' % ('event', 'count'))
    print('%s  %s' % ('-' * 40, '-' * 11))
    for number, count in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])):
        print('%-40s  %10d' % (syscall_name(number), count))
