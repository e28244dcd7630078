#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes DIR/perf.data: samples in a kernel that was loaded 0x10000000 above where its vmlinux
(tests/data/elf/tinyvmlinux) says, with the reference symbol _text.

    make_kernel_file.py DIR
"""
import os
import struct
import sys

TEXT, SIZE = 0xffffffff91000000, 0x200000
ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, PERIOD = 1, 2, 4, 256
MMAP, COMM, SAMPLE = 1, 3, 9
KERNEL, USER = 1, 2
OFFSETS = [0, 0xa, 0xb, 0x14, 0x1a, 0x1f, 0x1000]


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def data():
    out = record(MMAP, KERNEL, struct.pack("<iIQQQ", -1, 0, TEXT, SIZE, TEXT) + b"[kernel.kallsyms]_text\0")
    out += record(COMM, USER, struct.pack("<II", 7, 7) + b"seven\0")
    for i, offset in enumerate(OFFSETS):
        out += record(SAMPLE, KERNEL, struct.pack("<QIIQQ", TEXT + offset, 7, 7, 1000 + i, 1000))
    return out


def main():
    attr = struct.pack("<IIQQQQ", 1, ATTR_SIZE, 0, 1000, IP | TID | TIME | PERIOD, 0).ljust(ATTR_SIZE, b"\0")
    body = data()
    head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16,
                                     HEADER_SIZE + ATTR_SIZE + 16, len(body), *[0] * 6)
    with open(os.path.join(sys.argv[1], "perf.data"), "wb") as f:
        f.write(head + attr + struct.pack("<QQ", 0, 0) + body)


main()
