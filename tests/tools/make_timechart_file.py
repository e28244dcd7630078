#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of what perf timechart reads, from a list of what happened:

    make_timechart_file.py FILE [--field OLD=NEW]... [--only EVENT,...] [--online N] [--cores TEXT] < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME switch CPU PREV STATE NEXT | TIME wakeup|waking|new CPU TID WHOM [irq]     as of make_sched_file.py
    TIME idle CPU STATE | TIME freq CPU KHZ                                      STATE -1: it ends
    TIME enter CPU TID SYSCALL FD | TIME exit CPU TID SYSCALL RESULT             one of SYSCALLS
    TIME lost NUMBER | TIME comm TID NAME | TIME fork TID PARENT | ended TID     as of make_sched_file.py

Numbers may be hexadecimal (0x...). --only: the formats of these events alone are in the file, and events of others
cannot be. --online: so many CPUs. --cores: sibling CPUs of cores and threads, "0,2;1,3/0,1;2,3" (the header's topology).
"""
import argparse
import struct
import sys

import make_sched_file as sched_file

FEAT_CPU_TOPOLOGY = 13
SYSCALLS = ['read', 'write', 'recvfrom', 'sendto', 'poll', 'epoll_wait', 'fsync', 'writev']
EVENTS = {'switch': ('sched', 'sched_switch', ('prev_pid', 'prev_state', 'next_pid')),
          'wakeup': ('sched', 'sched_wakeup', ('pid',)),
          'waking': ('sched', 'sched_waking', ('pid',)),
          'new': ('sched', 'sched_wakeup_new', ('pid',)),
          'idle': ('power', 'cpu_idle', ('state', 'cpu_id')),
          'freq': ('power', 'cpu_frequency', ('state', 'cpu_id'))}
for call in SYSCALLS:
    EVENTS['enter_' + call] = ('syscalls', 'sys_enter_' + call, ('fd',))
    EVENTS['exit_' + call] = ('syscalls', 'sys_exit_' + call, ('ret',))


class Recording(sched_file.Recording):
    def __init__(self, renamed, only, online, cores):
        self.words = [w for w in EVENTS if not only or w in only]
        self.EVENTS = [EVENTS[w][1:] for w in self.words]
        self.online, self.cores = online, cores
        super().__init__(renamed)
        self.events = [(f'{EVENTS[w][0]}:{name}', kind, number)
                       for w, (name, kind, number) in zip(self.words, [(e[0].split(':')[1], *e[1:]) for e in self.events])]

    def systems(self):
        out = {}
        for i, word in enumerate(self.words):
            out.setdefault(EVENTS[word][0], []).append(self.format(i))
        return out

    def features(self):
        out = super().features()
        out[sched_file.switch_file.FEAT_NRCPUS] = struct.pack('<II', self.online, self.online)
        if self.cores:
            lists = [part.split(';') for part in self.cores.split('/')]
            out[FEAT_CPU_TOPOLOGY] = b''.join(struct.pack('<I', len(names)) + b''.join(self.string(n) for n in names)
                                              for names in lists)
        return out

    def put(self, word, time, cpu, tid, values, flags=0):
        if word in self.words:
            self.trace(self.words.index(word), time, cpu, tid, [v & (1 << 64) - 1 for v in values], flags)

    def line(self, words):
        if words[0] == 'round' or words[1] in ('lost', 'comm', 'fork', 'ended'):
            super().line([{'ended': 'exit'}.get(w, w) for w in words])
            return
        time, what = int(words[0]), words[1]
        flags = sched_file.HARD_INTERRUPT if words[-1] == 'irq' else 0
        numbers = [int(w, 0) for w in words[2:] if w[0] in '-0123456789']
        cpu = numbers[0]
        if what == 'switch':
            self.put(what, time, cpu, numbers[1], numbers[1:4])
        elif what in ('wakeup', 'waking', 'new'):
            self.put(what, time, cpu, numbers[1], [numbers[2]], flags)
        elif what in ('idle', 'freq'):
            self.put(what, time, cpu, 0, [numbers[1] & 0xffffffff, cpu])
        else:
            self.put(what + '_' + words[4], time, cpu, numbers[1], [numbers[2]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--field', action='append', default=[])
    parser.add_argument('--only', default='')
    parser.add_argument('--online', type=int, default=16)
    parser.add_argument('--cores')
    args = parser.parse_args()
    recording = Recording(dict(f.split('=') for f in args.field), [w for w in args.only.split(',') if w],
                          args.online, args.cores)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
