#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""many_rows.py TIMES <IN >OUT: a perf.data file whose samples are there so many times, each time at other addresses: more
rows than are asked between two keys."""
import struct
import sys

SAMPLE, IP = 9, 8  # where the address is
data = sys.stdin.buffer.read()
start, size = struct.unpack_from('<QQ', data, 40)
out, at = bytearray(), start
while at < start + size:
    kind, _, length = struct.unpack_from('<IHH', data, at)
    record = bytearray(data[at:at + length])
    at += length
    for i in range(int(sys.argv[1]) if kind == SAMPLE else 1):
        if i:
            struct.pack_into('<Q', record, IP, struct.unpack_from('<Q', record, IP)[0] + 16)
        out += record
head = bytearray(data[:start])
struct.pack_into('<Q', head, 48, len(out))
head[72:104] = bytes(32)  # no features
sys.stdout.buffer.write(head + out)
