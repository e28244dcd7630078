#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make_packed_sections.py PROGRAM COPY: a copy of a 64-bit ELF program with debug information, whose other
sections of it are zeros: 400 MiB each, a few hundred kilobytes when packed."""
import struct
import sys
import zlib

MIB = 1 << 20
SIZE = 400 * MIB
NAMES = ('str', 'line_str', 'ranges', 'rnglists', 'addr', 'str_offsets', 'abbrev')
HEADER = '<IIQQQQIIQQ'  # Elf64_Shdr


def zeros():
    packer = zlib.compressobj(9)
    packed = b''.join(packer.compress(bytes(MIB)) for _ in range(SIZE // MIB)) + packer.flush()
    return struct.pack('<IIQQ', 1, 0, SIZE, 1) + packed  # Elf64_Chdr, ELFCOMPRESS_ZLIB


def main():
    with open(sys.argv[1], 'rb') as f:
        data = bytearray(f.read())
    at, = struct.unpack_from('<Q', data, 40)
    count, strings = struct.unpack_from('<HH', data, 60)
    sections = [list(struct.unpack_from(HEADER, data, at + 64 * i)) for i in range(count)]
    names = bytearray(data[sections[strings][4]:sections[strings][4] + sections[strings][5]])
    packed = zeros()
    for name in NAMES:
        full = b'.debug_' + name.encode()
        for s in sections:
            if names[s[0]:names.index(0, s[0])] == full:
                s[0] = 0
        sections.append([len(names), 1, 0x800, 0, len(data), len(packed), 0, 0, 1, 0])
        names += full + b'\0'
        data += packed
    sections[strings][4:6] = len(data), len(names)
    data += names
    struct.pack_into('<Q', data, 40, len(data))
    struct.pack_into('<H', data, 60, len(sections))
    for s in sections:
        data += struct.pack(HEADER, *s)
    with open(sys.argv[2], 'wb') as f:
        f.write(data)


if __name__ == '__main__':
    main()
