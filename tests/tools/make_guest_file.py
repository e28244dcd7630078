#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes DIR/perf.data: samples of virtual machines' kernels, of their users, and of the host at the same
address. Processes 7 and 8888 run a machine each. The kernel of 7 stood 0x1000000 above where DIR/kallsyms says,
with the reference symbol _text; with --silent no record tells. Further files: DIR/modules and
DIR/guests/8888/proc/kallsyms and modules.

    make_guest_file.py DIR [--silent]
"""
import os
import struct
import sys

TEXT, SIZE, MOVED = 0xffffffff81000000, 0x200000, 0x1000000
MODULE = 0xffffffffc0a00000
ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, PERIOD = 1, 2, 4, 256
MMAP, COMM, SAMPLE = 1, 3, 9
KERNEL, USER, GUEST_KERNEL, GUEST_USER = 1, 2, 4, 5
KALLSYMS = """%x T _text
%x T do_idle
%x t vmx_exit
%x t nfs_read\t[nfs]
"""


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sample(misc, ip, pid, number):
    return record(SAMPLE, misc, struct.pack("<QIIQQ", ip, pid, pid, 1000 + number, 1000))


def data(silent):
    moved = 0 if silent else MOVED
    out = b""
    if not silent:
        out += record(MMAP, GUEST_KERNEL, struct.pack("<iIQQQ", 0, 0, TEXT + MOVED, SIZE, TEXT + MOVED) +
                      b"[guest.kernel.kallsyms]_text\0")
    for pid, name in ((7, b"qemu\0"), (8888, b"other\0")):
        out += record(COMM, USER, struct.pack("<II", pid, pid) + name)
    out += record(MMAP, USER, struct.pack("<iIQQQ", 7, 7, 0x400000, 0x1000, 0) + b"/nonexistent/qemu\0")
    places = [(GUEST_KERNEL, TEXT + moved + 0x105, 7), (GUEST_KERNEL, TEXT + moved + 0x210, 7),
              (GUEST_KERNEL, MODULE + 4, 7), (GUEST_USER, 0x400010, 7), (USER, 0x400010, 7),
              (GUEST_USER, 0x400010, 7), (GUEST_KERNEL, TEXT + 0x1005, 8888), (GUEST_KERNEL, MODULE + 4, 8888),
              (GUEST_KERNEL, TEXT + moved + 0xb, 7)]
    return out + b"".join(sample(*p, i) for i, p in enumerate(places))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def main():
    folder = sys.argv[1]
    attr = struct.pack("<IIQQQQ", 1, ATTR_SIZE, 0, 1000, IP | TID | TIME | PERIOD, 0).ljust(ATTR_SIZE, b"\0")
    body = data("--silent" in sys.argv)
    head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16,
                                     HEADER_SIZE + ATTR_SIZE + 16, len(body), *[0] * 6)
    with open(os.path.join(folder, "perf.data"), "wb") as f:
        f.write(head + attr + struct.pack("<QQ", 0, 0) + body)
    modules = "nfs 4096 1 - Live 0x%x (E)\n" % MODULE
    write(folder + "/kallsyms", KALLSYMS % (TEXT, TEXT + 0x100, TEXT + 0x200, MODULE))
    write(folder + "/modules", modules)
    write(folder + "/guests/8888/proc/kallsyms", KALLSYMS % (TEXT, TEXT + 0x1000, TEXT + 0x2000, MODULE))
    write(folder + "/guests/8888/proc/modules", modules)


main()
