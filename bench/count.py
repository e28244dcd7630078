# SPDX-License-Identifier: GPL-2.0-or-later
"""A script of `perf script -s` that does as little as one can: what is measured is perf."""
count = 0


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                            common_callchain, id, args):
    global count
    count += 1


def trace_end():
    print(count)
