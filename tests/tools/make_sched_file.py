#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of the scheduler's events, from a list of what happened:

    make_sched_file.py FILE [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME switch CPU PREV STATE NEXT         who goes, its state then (0: it is preempted), who comes
    TIME waking CPU TID WHOM [irq]          TID wakes WHOM up; irq: an interrupt does, while TID runs
    TIME runtime CPU TID NS                 it ran so long
    TIME migrate CPU TID WHOM FROM TO       TID, on CPU, moves WHOM
    TIME lost NUMBER                        of a chunk of events
    TIME comm TID NAME | TIME fork TID PARENT | TIME exit TID | round      as of make_switch_file.py

TIDs are alone in their processes. --field: the formats have a field by another name.
"""
import argparse
import struct
import sys

import make_switch_file as switch_file

RAW, TRACEPOINT, FEAT_TRACING_DATA, FIRST_ID = 1 << 10, 2, 1, 300
# Name of an event, its fields: all of 8 bytes.
EVENTS = [('sched_switch', ('prev_pid', 'prev_state', 'next_pid')), ('sched_waking', ('pid',)),
          ('sched_stat_runtime', ('pid', 'runtime')), ('sched_migrate_task', ('pid', 'orig_cpu', 'dest_cpu'))]
WORDS = {'switch': 0, 'waking': 1, 'runtime': 2, 'migrate': 3}
# Of the kernel's ring buffer: perf 6.1 does without formats where this is missing.
PAGE = (b'\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n'
        b'\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n')
HARD_INTERRUPT = 8  # in common_flags
FIELD = '\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n'


class Recording(switch_file.Recording):
    SYSTEM, EVENTS = 'sched', EVENTS

    def __init__(self, renamed):
        super().__init__(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None,
                                            plain=False, wide=False))
        self.renamed = renamed
        self.type |= RAW
        self.events = [(f'{self.SYSTEM}:{name}', TRACEPOINT, FIRST_ID + i)
                       for i, (name, _) in enumerate(self.EVENTS)]

    def trace(self, event, time, cpu, tid, values, flags=0):
        raw = struct.pack('<HHI', FIRST_ID + event, flags, tid) + struct.pack('<%dQ' % len(values), *values) + bytes(4)
        body = struct.pack('<QQIIQIIQI', event + 1, 0, tid, tid, time, cpu, 0, 1, len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

    def line(self, words):
        if words[0] == 'round':
            super().line(words)
            return
        time, what, numbers = int(words[0]), words[1], words[2:]
        if what == 'lost':
            self.record(2, 0, struct.pack('<QQ', 1, int(numbers[0])), (0, 0), time)
        elif what in ('comm', 'fork', 'exit'):
            super().line(words[:2] + ['%s/%s' % (n, n) if n.isdigit() else n for n in numbers])
        else:
            flags = HARD_INTERRUPT if numbers[-1] == 'irq' else 0
            cpu, tid, *more = map(int, numbers[:-1] if flags else numbers)
            values = [tid] + more if what in ('switch', 'runtime') else more
            self.trace(WORDS[what], time, cpu, tid, values, flags)

    def format(self, event):
        name, fields = self.EVENTS[event]
        text = 'name: %s\nID: %d\nformat:\n' % (name, FIRST_ID + event)
        text += FIELD % ('unsigned short', 'common_type', 0, 2, 0) + FIELD % ('unsigned char', 'common_flags', 2, 1, 0)
        text += FIELD % ('int', 'common_pid', 4, 4, 1) + '\n'
        for i, field in enumerate(fields):
            text += FIELD % ('long', self.renamed.get(field, field), 8 + 8 * i, 8, 1)
        return (text + '\nprint fmt: "%d", REC->common_pid\n').encode()

    def systems(self):
        """Formats of each system."""
        return {self.SYSTEM: [self.format(i) for i in range(len(self.EVENTS))]}

    def features(self):
        blob = b'\x17\x08\x44tracing0.6\0\0\x08' + struct.pack('<I', 4096) + b'header_page\0'
        blob += struct.pack('<Q', len(PAGE)) + PAGE
        systems = self.systems()
        blob += b'header_event\0' + bytes(8) + struct.pack('<II', 0, len(systems))
        for system, formats in systems.items():
            blob += system.encode() + b'\0' + struct.pack('<I', len(formats))
            blob += b''.join(struct.pack('<Q', len(f)) + f for f in formats)
        return {**super().features(), FEAT_TRACING_DATA: blob + bytes(16)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    recording = Recording(dict(f.split('=') for f in args.field))
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
