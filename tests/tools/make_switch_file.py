#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of threads that run beside each other, from a list of what happened:

    make_switch_file.py FILE [--no-switches] [--wide] [--chain] [--group] [--bare] [--plain] [--cmdline TEXT] < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME in TID [PID]            the thread gets a CPU
    TIME out TID [preempt]       it gives it up
    TIME sample TID PERIOD [FUNCTION[;FUNCTION...]]     innermost function first: a number below 16
    TIME comm TID NAME | TIME fork TID PARENT | TIME exit TID
    round                        what came so far is older than what comes two rounds later

TID may be TID/PID; else the process is 100. --no-switches: the event was not told to note switches.
--wide: SWITCH_CPU_WIDE records. --chain: callchains. --group: a second event, each sample of which follows the
first's with half its period. --bare: the same, in no group and without callchains. --plain: without times of records that are no samples. --cmdline: the recorder's words.
"""
import argparse
import struct
import sys

HEADER_SIZE, ATTR_SIZE, PID, CPU = 104, 128, 100, 1
IP, TID, TIME, CALLCHAIN, CPU_BIT, PERIOD, IDENTIFIER = 1, 2, 4, 1 << 5, 1 << 7, 1 << 8, 1 << 16
FLAGS = {'mmap': 1 << 8, 'comm': 1 << 9, 'task': 1 << 13, 'sample_id_all': 1 << 18, 'context_switch': 1 << 26}
CONTEXT_USER = (1 << 64) - 512
CODE, FUNCTION_SIZE = 0x401000, 0x100
EVENTS = [('cpu-clock', 1, 0), ('task-clock', 1, 1)]
FEAT_ARCH, FEAT_NRCPUS, FEAT_CMDLINE, FEAT_EVENT_DESC, FEAT_GROUP_DESC = 6, 7, 11, 12, 17


def thread(word):
    tid, _, pid = word.partition('/')
    return int(pid or PID), int(tid)


class Recording:
    def __init__(self, args):
        self.args, self.out = args, bytearray()
        self.type = IP | TID | TIME | CPU_BIT | PERIOD | IDENTIFIER | (CALLCHAIN if args.chain else 0)
        self.events = EVENTS if args.group or args.bare else EVENTS[:1]

    def record(self, kind, misc, body, who, time):
        body += b'\0' * (-len(body) % 8)
        if not self.args.plain:
            body += struct.pack('<IIQIIQ', *who, time, CPU, 0, 1)
        self.out += struct.pack('<IHH', kind, misc, 8 + len(body)) + body

    def switch(self, who, time, misc):
        if self.args.wide:
            self.record(15, misc, struct.pack('<II', 0, 0), who, time)
        else:
            self.record(14, misc, b'', who, time)

    def sample(self, who, time, period, chain):
        ips = [CODE + FUNCTION_SIZE * f + 8 for f in chain]
        for i in range(len(self.events)):
            body = struct.pack('<QQIIQIIQ', i + 1, ips[0], *who, time, CPU, 0, max(1, period >> i))
            if self.args.chain and not (i and self.args.bare):
                body += struct.pack('<%dQ' % (len(ips) + 2), len(ips) + 1, CONTEXT_USER, *ips)
            self.out += struct.pack('<IHH', 9, 2, 8 + len(body)) + body

    def line(self, words):
        if words[0] == 'round':
            self.out += struct.pack('<IHH', 68, 0, 8)
            return
        time, what, who = int(words[0]), words[1], thread(words[2])
        rest = words[3:]
        if what == 'in':
            self.switch(who, time, 0)
        elif what == 'out':
            self.switch(who, time, 1 << 13 | (1 << 14 if rest else 0))
        elif what == 'sample':
            self.sample(who, time, int(rest[0]), [int(f) for f in (rest[1] if rest[1:] else '0').split(';')])
        elif what == 'comm':
            self.record(3, 0, struct.pack('<II', *who) + rest[0].encode() + b'\0', who, time)
        elif what in ('fork', 'exit'):
            parent = thread(rest[0]) if rest else who
            self.record(7 if what == 'fork' else 4, 0,
                        struct.pack('<IIIIQ', who[0], parent[0], who[1], parent[1], time), who, time)
        else:
            sys.exit('unknown: ' + what)

    def attr(self, i):
        flags = FLAGS['sample_id_all']
        if not i:
            flags |= FLAGS['mmap'] | FLAGS['comm'] | FLAGS['task']
            flags |= 0 if self.args.no_switches else FLAGS['context_switch']
        _, kind, config = self.events[i]
        fields = self.type & ~CALLCHAIN if i and self.args.bare else self.type
        return struct.pack('<IIQQQQQ', kind, ATTR_SIZE, config, 1000, fields, 0, flags).ljust(ATTR_SIZE, b'\0')

    @staticmethod
    def string(text):
        raw = text.encode() + b'\0'
        raw += b'\0' * (-len(raw) % 64)
        return struct.pack('<I', len(raw)) + raw

    def features(self):
        desc = struct.pack('<II', len(self.events), ATTR_SIZE)
        for i, (name, _, _) in enumerate(self.events):
            desc += self.attr(i) + struct.pack('<I', 1) + self.string(name) + struct.pack('<Q', i + 1)
        out = {FEAT_ARCH: self.string('x86_64'), FEAT_NRCPUS: struct.pack('<II', 16, 16), FEAT_EVENT_DESC: desc}
        if self.args.cmdline:
            words = self.args.cmdline.split()
            out[FEAT_CMDLINE] = struct.pack('<I', len(words)) + b''.join(self.string(w) for w in words)
        if self.args.group:
            out[FEAT_GROUP_DESC] = struct.pack('<I', 1) + self.string('') + struct.pack('<II', 0, 2)
        return out

    def file(self):
        nr = len(self.events)
        ids = b''.join(struct.pack('<Q', i + 1) for i in range(nr))
        attrs = b''.join(self.attr(i) + struct.pack('<QQ', HEADER_SIZE + 8 * i, 8) for i in range(nr))
        data_at = HEADER_SIZE + len(ids) + len(attrs)
        features = self.features()
        table_at = data_at + len(self.out)
        body_at = table_at + 16 * len(features)
        table, bodies = b'', b''
        for bit in sorted(features):
            table += struct.pack('<QQ', body_at + len(bodies), len(features[bit]))
            bodies += features[bit]
        bits = sum(1 << bit for bit in features)
        head = b'PERFILE2' + struct.pack('<QQ', HEADER_SIZE, ATTR_SIZE + 16)
        head += struct.pack('<QQQQQQ', HEADER_SIZE + len(ids), len(attrs), data_at, len(self.out), 0, 0)
        return head + struct.pack('<QQQQ', bits, 0, 0, 0) + ids + attrs + self.out + table + bodies


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    for name in ('no-switches', 'wide', 'chain', 'group', 'bare', 'plain'):
        parser.add_argument('--' + name, action='store_true')
    parser.add_argument('--cmdline')
    args = parser.parse_args()
    recording = Recording(args)
    recording.record(3, 0, struct.pack('<II', PID, PID) + b'main\0', (PID, PID), 1)
    recording.record(1, 2, struct.pack('<IIQQQ', PID, PID, CODE, 0x1000, 0) + b'/bin/made\0', (PID, PID), 1)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
