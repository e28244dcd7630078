#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of waits for locks, from a list of what happened:

    make_lock_file.py FILE [--plain] [--lockdep] [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME begin CPU TID LOCK FLAGS [CALLER...]    TID begins to wait; callers from the innermost on
    TIME end CPU TID LOCK RESULT [CALLER...]     and has the lock (RESULT 0), or gave up
    TIME acquire CPU TID LOCK FLAGS NAME         with --lockdep, in place of both: TID wants it (FLAGS 1: if it is free, 2: to read)
    TIME contended CPU TID LOCK NAME             it is not free
    TIME acquired CPU TID LOCK NAME | TIME release CPU TID LOCK NAME
    TIME lost NUMBER | TIME comm TID NAME | ...  as of make_sched_file.py

Numbers may be hexadecimal (0x...). --plain: samples have no callers. --field: the formats have a field by another name.
"""
import argparse
import struct
import sys

import make_sched_file as sched_file

CALLCHAIN, CONTEXT_KERNEL, KERNEL = 1 << 5, (1 << 64) - 128, 0xffffffff81000000


class Recording(sched_file.Recording):
    SYSTEM = 'lock'
    EVENTS = [('contention_begin', ('lock_addr', 'flags')), ('contention_end', ('lock_addr', 'ret'))]

    def __init__(self, renamed, plain):
        super().__init__(renamed)
        self.plain = plain
        if not plain:
            self.type |= CALLCHAIN
        # where the kernel's code is: --kallsyms has its names
        self.record(1, 1, struct.pack('<IIQQQ', 0xffffffff, 0, KERNEL, 0x1000000, KERNEL) + b'[kernel.kallsyms]_text\0\0', (0, 0), 0)

    def wait(self, event, time, cpu, tid, values, callers):
        raw = struct.pack('<HHI', sched_file.FIRST_ID + event, 0, tid) + struct.pack('<%dQ' % len(values), *values) + bytes(4)
        chain = [CONTEXT_KERNEL] + callers if callers else []
        body = struct.pack('<QQIIQIIQ', event + 1, callers[0] if callers else 0, tid, tid, time, cpu, 0, 1)
        if not self.plain:
            body += struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
        body += struct.pack('<I', len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

    def line(self, words):
        if words[1] not in ('begin', 'end'):
            super().line(words)
            return
        cpu, tid, lock, value, *callers = (int(w, 0) for w in words[2:])
        self.wait(words[1] == 'end', int(words[0]), cpu, tid, (lock, value & (1 << 64) - 1), callers)


class LockdepRecording(Recording):
    """Of kernels with CONFIG_LOCKDEP: names of locks in place of callers."""
    EVENTS = [(f'lock_{word}', ()) for word in ('acquire', 'acquired', 'contended', 'release')]
    WORDS = [name[len('lock_'):] for name, _ in EVENTS]

    def line(self, words):
        if words[1] not in self.WORDS:
            super().line(words)
            return
        event = self.WORDS.index(words[1])
        cpu, tid, lock, *flags = (int(w, 0) for w in words[2:-1])
        raw = struct.pack('<HHIQ', sched_file.FIRST_ID + event, 0, tid, lock)
        raw += struct.pack('<%dI' % len(flags), *flags)
        name = words[-1].encode() + b'\0'
        raw += struct.pack('<HH', len(raw) + 4, len(name)) + name
        raw += bytes(-(len(raw) + 4) % 8)
        body = struct.pack('<QQIIQIIQI', event + 1, 0, tid, tid, int(words[0]), cpu, 0, 1, len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

    def format(self, event):
        field, rename = sched_file.FIELD, lambda name: self.renamed.get(name, name)
        text = 'name: %s\nID: %d\nformat:\n' % (self.EVENTS[event][0], sched_file.FIRST_ID + event)
        text += field % ('unsigned short', 'common_type', 0, 2, 0) + field % ('unsigned char', 'common_flags', 2, 1, 0)
        text += field % ('int', 'common_pid', 4, 4, 1) + '\n' + field % ('void *', rename('lockdep_addr'), 8, 8, 0)
        if event == 0:
            text += field % ('unsigned int', rename('flags'), 16, 4, 0)
        text += field % ('__data_loc char[]', rename('name'), 16 if event else 20, 4, 0)
        return (text + '\nprint fmt: "%d", REC->common_pid\n').encode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--plain', action='store_true')
    parser.add_argument('--lockdep', action='store_true')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    make = LockdepRecording if args.lockdep else Recording
    recording = make(dict(f.split('=') for f in args.field), args.plain or args.lockdep)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
