#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""stretch_time.py N M <IN >OUT: a perf.data file, of one kind of samples, whose times since the first are N/M of what they
were."""
import struct
import sys

n, m = map(int, sys.argv[1:])
b = bytearray(sys.stdin.buffer.read())
attrs, data, size = struct.unpack_from('<QxxxxxxxxQQ', b, 24)
kind, = struct.unpack_from('<Q', b, attrs + 24)
IP, TID, TIME, ID, CPU, STREAM_ID, IDENTIFIER = 1, 2, 4, 64, 128, 512, 1 << 16
in_sample = 8 + 8 * sum(1 for bit in (IDENTIFIER, IP, TID) if kind & bit)
from_end = 8 * sum(1 for bit in (TIME, ID, STREAM_ID, CPU, IDENTIFIER) if kind & bit)
first, at = None, data
while at < data + size:
    record, _, length = struct.unpack_from('<IHH', b, at)
    place = at + in_sample if record == 9 else at + length - from_end
    if record < 64:
        time, = struct.unpack_from('<Q', b, place)
        if time:
            first = first or time
            struct.pack_into('<Q', b, place, max(0, first + (time - first) * n // m))
    at += length
sys.stdout.buffer.write(b)
