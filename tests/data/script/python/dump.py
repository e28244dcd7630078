# Prints everything that handlers get.
import os
import sys

sys.path.append(os.environ['PERF_EXEC_PATH'] + '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')

from perf_trace_context import common_flags, common_lock_depth, common_pc
from Core import *


def show(name, *args):
    print(name, *(a if type(a).__name__ != 'PyCapsule' else '-' for a in args))


def trace_begin():
    show('begin', sys.argv[1:])


def trace_end():
    show('end')


def trace_unhandled(name, context, fields, sample):
    show('unhandled', name, common_pc(context), common_flags(context), common_lock_depth(context), fields, sample)


def raw_syscalls__sys_enter(*args):
    show('sys_enter', *args)


def sched__sched_switch(name, context, cpu, secs, nsecs, pid, comm, chain, prev_comm, prev_pid, prev_prio,
                        prev_state, next_comm, next_pid, next_prio, sample):
    show('switch', flag_str(name, 'prev_state', prev_state), prev_comm, next_comm, sample)


def process_event(event):
    show('event', event)


def context_switch(*args):
    show('context_switch', *args)


def throttle(*args):
    show('throttle', *args)


def unthrottle(*args):
    show('unthrottle', *args)


def stat__interval(*args):
    show('interval', *args)


def stat__cycles(*args):
    show('cycles', *args)


def stat__instructions(*args):
    show('instructions', *args)
