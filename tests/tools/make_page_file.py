#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of what the page allocator did, from a list of what happened:

    make_page_file.py FILE [--plain] [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME alloc CPU PFN ORDER FLAGS TYPE [CALLER...]     callers from the innermost on; PFN -1: it failed
    TIME free CPU PFN ORDER
    TIME task TID                                       what is behind it is of that task
    TIME lost NUMBER | TIME comm TID NAME | ...         as of make_sched_file.py

Numbers may be hexadecimal (0x...). --plain: samples have no callers. --field: the formats have a field by another name
(kernels before 4.1: pfn=page). Flags have the names of FLAGS.
"""
import argparse
import struct
import sys

import make_lock_file as lock_file

FLAGS = [(0x140cca, 'GFP_HIGHUSER_MOVABLE'), (0x100cc0, 'GFP_USER'), (0x400cc0, 'GFP_KERNEL_ACCOUNT'), (0xcc0, 'GFP_KERNEL'),
         (0xc40, 'GFP_NOFS'), (0x820, 'GFP_ATOMIC'), (0x2800, 'GFP_NOWAIT'), (0x8, '__GFP_MOVABLE'), (0x10, '__GFP_RECLAIMABLE'),
         (0x100, '__GFP_ZERO'), (0x1000, '__GFP_WRITE'), (0x2000, '__GFP_NOWARN'), (0x40000, '__GFP_COMP'),
         (0x800000, '__GFP_NEW_ONE')]
TID = 7


class Recording(lock_file.Recording):
    SYSTEM = 'kmem'
    EVENTS = [('mm_page_alloc', ('pfn', 'order', 'gfp_flags', 'migratetype')), ('mm_page_free', ('pfn', 'order'))]

    def __init__(self, renamed, plain, flags=None):
        self.flags = flags or FLAGS
        self.tid = TID
        super().__init__(renamed, plain)

    def line(self, words):
        if words[1] == 'task':
            self.tid = int(words[2])
            return
        if words[1] not in ('alloc', 'free'):
            super().line(words)
            return
        cpu, *values = (int(w, 0) & (1 << 64) - 1 for w in words[2:])
        nr = 4 if words[1] == 'alloc' else 2
        self.wait(words[1] == 'free', int(words[0]), cpu, self.tid, values[:nr], values[nr:])

    def format(self, event):
        text = super().format(event)
        if event:
            return text
        names = ', '.join('{ 0x%x, "%s" }' % flag for flag in self.flags)
        return text[:text.index(b'print fmt')] + (
            'print fmt: "page=%%p pfn=%%lu order=%%d migratetype=%%d gfp_flags=%%s", REC->%s, REC->%s, REC->order, '
            'REC->migratetype, (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", %s) : "none"\n' %
            (self.renamed.get('pfn', 'pfn'), self.renamed.get('pfn', 'pfn'), names)).encode()


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
