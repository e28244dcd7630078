#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of interrupts, softirqs and work of workqueues, from a list of what happened:

    make_kwork_file.py FILE [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME irq_entry CPU NUMBER NAME | TIME irq_exit CPU NUMBER
    TIME raise|entry|exit CPU NUMBER                 of a softirq
    TIME activate CPU WORK FUNCTION | TIME start CPU WORK FUNCTION | TIME end CPU WORK FUNCTION
    TIME lost NUMBER

Numbers may be hexadecimal (0x...). --field: the formats have a field by another name.
"""
import argparse
import struct
import sys

import make_sched_file as sched_file

SOFTIRQ = ('print fmt: "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 1, "TIMER" }, { 4, "BLOCK" }, '
           '{ 7, "SCHED" })\n')
WORDS = ['irq_entry', 'irq_exit', 'raise', 'entry', 'exit', 'activate', 'start', 'end']


class Recording(sched_file.Recording):
    SYSTEM = 'irq'
    EVENTS = [('irq_handler_entry', ('irq', 'name')), ('irq_handler_exit', ('irq',)), ('softirq_raise', ('vec',)),
              ('softirq_entry', ('vec',)), ('softirq_exit', ('vec',)), ('workqueue_activate_work', ('work', 'function')),
              ('workqueue_execute_start', ('work', 'function')), ('workqueue_execute_end', ('work', 'function'))]

    def __init__(self, renamed):
        super().__init__(renamed)
        self.events = [('workqueue' + name[3:] if ':workqueue' in name else name, kind, number)
                       for name, kind, number in self.events]

    def systems(self):
        formats = super().systems()[self.SYSTEM]
        return {'irq': formats[:5], 'workqueue': formats[5:]}

    def line(self, words):
        if words[1] not in WORDS:
            super().line(words)
            return
        event = WORDS.index(words[1])
        values = [int(w, 0) for w in words[3:] if w[0].isdigit()]
        if event:
            self.trace(event, int(words[0]), int(words[2]), 7, values)
            return
        name = words[4].encode() + b'\0'
        raw = struct.pack('<HHIQIQ', sched_file.FIRST_ID, 0, 7, values[0], len(name) << 16 | 28, 0) + name
        raw += b'\0' * ((4 - len(raw)) % 8)
        body = struct.pack('<QQIIQIIQI', 1, 0, 7, 7, int(words[0]), int(words[2]), 0, 1, len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

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
    recording = Recording(dict(f.split('=') for f in args.field))
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
