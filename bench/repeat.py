#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a long recording of a short one: the same records again and again, with their times moved on.

    repeat.py IN OUT TIMES

IN is a perf.data file (no stream, not compressed) whose records all have times; what it says of itself (names, build
ids) is that of OUT, too.
"""
import array
import os
import struct
import sys

MAGIC = b'PERFILE2'
HEAD = struct.Struct('<8sQQ' + 'QQ' * 3 + '4Q')
RECORD = struct.Struct('<IHH')
SAMPLE, FIRST_USER = 9, 64
# sample_type: what stands before the time in a sample, and behind it in other records
IDENTIFIER, IP, TID, TIME, ID, STREAM_ID, CPU = 1 << 16, 1, 2, 4, 1 << 6, 1 << 9, 1 << 7


class Recording:
    def __init__(self, path):
        with open(path, 'rb') as f:
            self.head = HEAD.unpack(f.read(HEAD.size))
            if self.head[0] != MAGIC:
                sys.exit('%s: not a perf.data file' % path)
            attrs, self.at, self.size = self.head[3], self.head[5], self.head[6]
            f.seek(attrs)
            attr = f.read(self.head[2])
            self.sample_type, = struct.unpack_from('<Q', attr, 24)
            if not self.sample_type & TIME:
                sys.exit('%s: its records have no times' % path)
            f.seek(0)
            self.front = f.read(self.at)
            self.data = f.read(self.size)
            self.rest = f.read()
        self.nr_features = sum(bin(bits).count('1') for bits in self.head[9:])

    def time_places(self):
        """Where the times stand, as numbers of u64 words."""
        kind, places, at = self.sample_type, array.array('I'), 0
        before = 8 * bool(kind & IDENTIFIER) + 8 * bool(kind & IP) + 8 * bool(kind & TID)
        behind = 8 * sum(bool(kind & bit) for bit in (TIME, ID, STREAM_ID, CPU, IDENTIFIER))
        while at < self.size:
            what, _, size = RECORD.unpack_from(self.data, at)
            if what == SAMPLE:
                places.append((at + RECORD.size + before) // 8)
            elif what < FIRST_USER:
                places.append((at + size - behind) // 8)
            at += size
        return places

    def write(self, path, times):
        words = array.array('Q', self.data)
        places = self.time_places()
        known = [words[i] for i in places if words[i]]
        step = max(known) - min(known) + 1000000
        with open(path, 'wb') as f:
            head = list(self.head)
            head[6] = self.size * times
            f.write(HEAD.pack(*head) + self.front[HEAD.size:])
            for n in range(times):
                if n:
                    for i in places:
                        if words[i]:  # else what was there before everything
                            words[i] += step
                words.tofile(f)
            self.write_features(f, self.size * (times - 1))

    def write_features(self, f, moved):
        for i in range(self.nr_features):
            where, size = struct.unpack_from('<QQ', self.rest, 16 * i)
            f.write(struct.pack('<QQ', where + moved, size))
        f.write(self.rest[16 * self.nr_features:])


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if os.path.abspath(sys.argv[1]) == os.path.abspath(sys.argv[2]):
        sys.exit('IN and OUT are one file')
    Recording(sys.argv[1]).write(sys.argv[2], int(sys.argv[3]))
