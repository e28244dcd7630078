#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of the slab allocator's events, from a list of what happened:

    make_kmem_file.py FILE [--old] [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME kmalloc|kmem_cache_alloc CPU SITE PTR REQUESTED ALLOCATED [NODE]
    TIME kmalloc_node|kmem_cache_alloc_node CPU SITE PTR REQUESTED ALLOCATED NODE
    TIME kfree|kmem_cache_free CPU SITE PTR
    TIME lost NUMBER | TIME task TID                 what is behind it is of that task

Numbers may be hexadecimal (0x...). --old: the formats are those of kernels before 6.1, where kmalloc has no node.
--field: the formats have a field by another name.
"""
import argparse
import sys

import make_sched_file as sched_file

ALLOC, FREE = ('call_site', 'ptr', 'bytes_req', 'bytes_alloc', 'node'), ('call_site', 'ptr')
TODAY = [('kmalloc', ALLOC), ('kmem_cache_alloc', ALLOC), ('kfree', FREE), ('kmem_cache_free', FREE)]
OLD = [('kmalloc', ALLOC[:4]), ('kmem_cache_alloc', ALLOC[:4]), ('kfree', FREE), ('kmem_cache_free', FREE),
       ('kmalloc_node', ALLOC), ('kmem_cache_alloc_node', ALLOC)]
TID = 7


class Recording(sched_file.Recording):
    SYSTEM = 'kmem'

    def __init__(self, renamed, events):
        self.EVENTS = events
        self.tid = TID
        super().__init__(renamed)

    def line(self, words):
        names = [name for name, _ in self.EVENTS]
        if words[1] == 'task':
            self.tid = int(words[2])
            return
        if words[1] not in names:
            super().line(words)
            return
        event = names.index(words[1])
        cpu, *values = (int(w, 0) for w in words[2:])
        fields = self.EVENTS[event][1]
        if len(values) < len(fields):
            values.append(-1)
        self.trace(event, int(words[0]), cpu, self.tid, [v & (1 << 64) - 1 for v in values[:len(fields)]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--old', action='store_true')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    recording = Recording(dict(f.split('=') for f in args.field), OLD if args.old else TODAY)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
