#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of interrupts, softirqs and work of workqueues, from a list of what happened:

    make_kwork_file.py FILE [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME irq_entry CPU NUMBER NAME | TIME irq_exit CPU NUMBER
    TIME raise|entry|exit CPU NUMBER                 of a softirq
    TIME activate CPU WORK FUNCTION | TIME start CPU WORK FUNCTION | TIME end CPU WORK FUNCTION
    TIME switch CPU PREV STATE NEXT                  of tasks; events behind it are those of NEXT
    TIME lost NUMBER | TIME comm TID NAME | TIME fork TID PARENT | TIME exit TID

The formats of switches are there only if the list has one, as without `-k sched` they are not recorded.

Of an event of the first three lines, `@ ADDRESS...` may be behind it: its callers in the kernel. If one has them, samples of all have
callchains. Numbers may be hexadecimal (0x...). --field: the formats have a field by another name.
"""
import argparse
import struct
import sys

import make_sched_file as sched_file

SOFTIRQ = ('print fmt: "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 1, "TIMER" }, { 4, "BLOCK" }, '
           '{ 7, "SCHED" })\n')
CALLCHAIN, CONTEXT_KERNEL, KERNEL = 1 << 5, (1 << 64) - 128, 0xffffffff81000000
WORDS = ['irq_entry', 'irq_exit', 'raise', 'entry', 'exit', 'activate', 'start', 'end', 'switch']


class Recording(sched_file.Recording):
    SYSTEM = 'irq'
    EVENTS = [('irq_handler_entry', ('irq', 'name')), ('irq_handler_exit', ('irq',)), ('softirq_raise', ('vec',)),
              ('softirq_entry', ('vec',)), ('softirq_exit', ('vec',)), ('workqueue_activate_work', ('work', 'function')),
              ('workqueue_execute_start', ('work', 'function')), ('workqueue_execute_end', ('work', 'function')),
              ('sched_switch', ('prev_pid', 'prev_state', 'next_pid'))]

    def __init__(self, renamed, switches, chains):
        self.EVENTS = self.EVENTS if switches else self.EVENTS[:-1]
        self.running = {}  # by CPU
        super().__init__(renamed)
        self.chains, self.callers = chains, []
        if chains:
            self.type |= CALLCHAIN
            # where the kernel's code is: --kallsyms has its names
            self.record(1, 1, struct.pack('<IIQQQ', 0xffffffff, 0, KERNEL, 0x1000000, KERNEL) + b'[kernel.kallsyms]_text\0\0', (0, 0), 0)
        self.events = [(self.system_of(name[4:]) + name[3:], kind, number) for name, kind, number in self.events]

    @staticmethod
    def system_of(event):
        return 'workqueue' if event.startswith('workqueue') else 'sched' if event.startswith('sched') else 'irq'

    def systems(self):
        systems = {}
        for (event, _), text in zip(self.EVENTS, super().systems()[self.SYSTEM]):
            systems.setdefault(self.system_of(event), []).append(text)
        return systems

    def sample(self, event, time, cpu, tid, raw):
        body = struct.pack('<QQIIQIIQ', event + 1, 0, tid, tid, time, cpu, 0, 1)
        if self.chains:
            chain = [CONTEXT_KERNEL] + self.callers if self.callers else []
            body += struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
        body += struct.pack('<I', len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

    def trace(self, event, time, cpu, tid, values, flags=0):
        self.sample(event, time, cpu, tid, struct.pack('<HHI', sched_file.FIRST_ID + event, flags, tid) +
                    struct.pack('<%dQ' % len(values), *values) + bytes(4))

    def line(self, words):
        at = words.index('@') if '@' in words else len(words)
        words, self.callers = words[:at], [int(w, 0) for w in words[at + 1:]]
        if words[1] not in WORDS:
            super().line(words)
            return
        event = WORDS.index(words[1])
        values = [int(w, 0) for w in words[3:] if w[0].isdigit()]
        if event:
            self.trace(event, int(words[0]), int(words[2]), self.running.get(words[2], 7), values)
            if words[1] == 'switch':
                self.running[words[2]] = values[-1]
            return
        name = words[4].encode() + b'\0'
        tid = self.running.get(words[2], 7)
        raw = struct.pack('<HHIQIQ', sched_file.FIRST_ID, 0, tid, values[0], len(name) << 16 | 28, 0) + name
        raw += b'\0' * ((4 - len(raw)) % 8)
        self.sample(0, int(words[0]), int(words[2]), tid, raw)

    def format(self, event):
        text = super().format(event)
        if event == 0:
            return text.replace(b'field:long name;\toffset:16;\tsize:8;\tsigned:1;',
                                b'field:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;')
        if event != 3:
            return text
        return text[:text.index(b'print fmt')] + SOFTIRQ.encode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    lines = [words for words in (line.split('#')[0].split() for line in sys.stdin) if words]
    recording = Recording(dict(f.split('=') for f in args.field), any(w[1] == 'switch' for w in lines),
                          any('@' in w for w in lines))
    for words in lines:
        recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
