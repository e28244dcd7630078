#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of waits for locks, from a list of what happened:

    make_lock_file.py FILE [--plain] [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME begin CPU TID LOCK FLAGS [CALLER...]    TID begins to wait; callers from the innermost on
    TIME end CPU TID LOCK RESULT [CALLER...]     and has the lock (RESULT 0), or gave up
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--plain', action='store_true')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    recording = Recording(dict(f.split('=') for f in args.field), args.plain)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
