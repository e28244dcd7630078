#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile_names.py <IN >OUT: a perf.data file whose commands and objects are called what would drive a terminal: escape
sequences, bytes that are no UTF-8, names of nearly 64 KiB."""
import struct
import sys

COMM, MMAP, MMAP2, MAX = 3, 1, 10, 65000
OUTSIDE = {MMAP: 40, MMAP2: 72}  # where the name begins
data = sys.stdin.buffer.read()
start, size = struct.unpack_from('<QQ', data, 40)
out, at, nr = bytearray(), start, 0
while at < start + size:
    kind, misc, length = struct.unpack_from('<IHH', data, at)
    record = bytearray(data[at:at + length])
    at += length
    if kind == COMM:
        end = record.index(0, 16)
        hostile = b'\x1b[31m\xff\x9b\x07'[:end - 16]
        record[16:16 + len(hostile)] = hostile
    elif kind in OUTSIDE and misc & 7 == 2:
        begin = OUTSIDE[kind]
        end = record.index(0, begin)
        rest = record[begin + (end - begin + 8) // 8 * 8:]
        nr += 1
        room = (MAX - begin - len(rest)) // 8 * 8
        name = (b'/\x1b[2J\xe2\x80\xae%d' % nr + b'x' * MAX)[:room - 1] + b'\0'
        record = record[:begin] + name + rest
        struct.pack_into('<H', record, 6, len(record))
    out += record
head = bytearray(data[:start])
struct.pack_into('<Q', head, 48, len(out))
head[72:104] = bytes(32)  # no features
sys.stdout.buffer.write(head + out)
