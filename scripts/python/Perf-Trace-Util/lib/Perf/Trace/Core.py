# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions that scripts of `perf script` share: names of flags and states, dictionaries that grow."""
from collections import defaultdict

__all__ = ['autodict', 'flag_str', 'symbol_str', 'trace_flag_str', 'taskState', 'EventHeaders',
           'define_flag_field', 'define_flag_value', 'define_symbolic_field', 'define_symbolic_value',
           'flag_fields', 'symbolic_fields', 'trace_flags', 'defaultdict']


def autodict():
    """A dictionary in which a missing key is a new dictionary of the same kind."""
    return defaultdict(autodict)


# Filled by perf, before the first sample of an event: [event][field]['values'][value] = name.
flag_fields = autodict()
symbolic_fields = autodict()


def define_flag_field(event_name, field_name, delim):
    flag_fields[event_name][field_name]['delim'] = delim


def define_flag_value(event_name, field_name, value, field_str):
    flag_fields[event_name][field_name]['values'][value] = field_str


def define_symbolic_field(event_name, field_name):
    symbolic_fields[event_name][field_name]


def define_symbolic_value(event_name, field_name, value, field_str):
    symbolic_fields[event_name][field_name]['values'][value] = field_str


def _known(table, event_name, field_name):
    """The entry of a field; {} where there is none, which is not added."""
    return table.get(event_name, {}).get(field_name, {})


def flag_str(event_name, field_name, value):
    """The names of the bits in value, smallest value first."""
    field = _known(flag_fields, event_name, field_name)
    values = field.get('values', {})
    if not value:
        return values.get(0, '')
    names = []
    for bits in sorted(values):
        if bits and value & bits == bits:
            names.append(str(values[bits]))
            value &= ~bits
    delim = field.get('delim', '')
    return (' ' + delim + ' ' if delim else '').join(names)


def symbol_str(event_name, field_name, value):
    """The name of value."""
    return _known(symbolic_fields, event_name, field_name).get('values', {}).get(value, '')


trace_flags = {0x00: 'NONE', 0x01: 'IRQS_OFF', 0x02: 'IRQS_NOSUPPORT', 0x04: 'NEED_RESCHED',
               0x08: 'HARDIRQ', 0x10: 'SOFTIRQ'}


def trace_flag_str(value):
    """The names of the bits in common_flags."""
    if not value:
        return trace_flags[0]
    return ' | '.join(trace_flags[bit] for bit in trace_flags if bit and value & bit)


def taskState(state):
    """The letter of a task's state."""
    return {0: 'R', 1: 'S', 2: 'D', 64: 'DEAD'}.get(state, 'Unknown')


class EventHeaders:
    """What all events have in common."""

    def __init__(self, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain):
        self.cpu = common_cpu
        self.secs = common_secs
        self.nsecs = common_nsecs
        self.pid = common_pid
        self.comm = common_comm
        self.callchain = common_callchain

    def ts(self):
        """Nanoseconds."""
        return self.secs * 1000000000 + self.nsecs

    def ts_format(self):
        """Seconds and whole microseconds."""
        return '%d.%d' % (self.secs, self.nsecs // 1000)
