#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""break_record.py sample|record|mapping|shift|name|empty <IN >OUT: a perf.data file whose third sample is too short
(the bytes behind it are other records), has an impossible size, whose second record of a mapping is
too short (shift: what follows is no record) or has a name without an end, or which has an empty header feature 25."""
import struct, sys
b = bytearray(sys.stdin.buffer.read())
at, size = struct.unpack_from('<QQ', b, 40)
table, seen = at + size, 0
kinds, nth = ((1, 10), 2) if sys.argv[1] in ('mapping', 'shift', 'name') else ((9,), 3)
while seen < nth:
    kind, misc, length = struct.unpack_from('<IHH', b, at)
    seen += kind in kinds
    at += length if seen < nth else 0
if sys.argv[1] == 'name':
    b[at + 40:at + length] = b'x' * (length - 40)
elif sys.argv[1] == 'shift':
    struct.pack_into('<H', b, at + 6, 16)
elif sys.argv[1] in ('sample', 'mapping'):
    struct.pack_into('<H', b, at + 6, 16)
    b[at + 16:at + length] = struct.pack('<IHH', 68, 0, 8) * ((length - 16) // 8)
elif sys.argv[1] == 'record':
    struct.pack_into('<H', b, at + 6, 4)
else:
    bits = struct.unpack_from('<Q', b, 72)[0]
    places = [bit for bit in range(64) if bits >> bit & 1]
    bits |= 1 << 25
    struct.pack_into('<Q', b, 72, bits)
    entries = {bit: b[table + 16 * i:table + 16 * i + 16] for i, bit in enumerate(places)}
    entries[25] = struct.pack('<QQ', len(b), 0)
    rest = b[table + 16 * len(places):]
    moved = b''.join(struct.pack('<QQ', struct.unpack('<QQ', e)[0] + 16, struct.unpack('<QQ', e)[1]) for _, e in sorted(entries.items()))
    b = b[:table] + moved + rest
sys.stdout.buffer.write(bytes(b))
