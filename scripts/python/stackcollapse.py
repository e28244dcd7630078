# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes each stack as a line "COMM;OUTERMOST;...;INNERMOST NUMBER", sorted, as programs for flame graphs read it.

    perf script -s stackcollapse.py > stacks.txt
"""
lines = {}


def name_of(frame):
    symbol = frame.get('sym')
    return symbol['name'].replace(';', ':') if symbol else '[unknown]'


def add(comm, chain):
    stack = [name_of(frame) for frame in reversed(chain)]
    key = ';'.join([comm.replace(';', ':'), *stack])
    lines[key] = lines.get(key, 0) + 1


def process_event(event):
    chain = event['callchain'] or [{'sym': {'name': event['symbol']}} if 'symbol' in event else {}]
    add(event['comm'], chain)


def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):
    add(perf_sample_dict['comm'], perf_sample_dict['callchain'])


def trace_end():
    for key in sorted(lines):
        print(key, lines[key])
