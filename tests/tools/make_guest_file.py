#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes DIR/perf.data: samples of virtual machines' kernels, of their users, and of the host at the same
address. Processes 7 and 8888 run a machine each. The kernel of 7 stood 0x1000000 above where DIR/kallsyms says,
with the reference symbol _text; with --silent no record tells. Further files: DIR/modules and
DIR/guests/8888/proc/kallsyms and modules.

With --machines, the events' numbers tell of which machine and virtual CPU records are, as perf inject
--guest-data has it: processes of the machine of 7 have names, and samples are of two virtual CPUs.

With --code, process 7 runs a machine whose code is a part of its own program FILE (tests/data/annotate/types/list).

    make_guest_file.py DIR [--silent] [--machines] [--code FILE]
"""
import os
import struct
import sys

TEXT, SIZE, MOVED = 0xffffffff81000000, 0x200000, 0x1000000
MODULE = 0xffffffffc0a00000
CODE = 0x401004  # in the program of --code
ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, PERIOD, IDENTIFIER = 1, 2, 4, 256, 1 << 16
SAMPLE_ID_ALL = 1 << 18
MMAP, COMM, SAMPLE, ID_INDEX = 1, 3, 9, 69
HOST_ID, GUEST_IDS = 50, (61, 62)
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


def code(path):
    """At one address in each of the levels, in all orders."""
    out = record(COMM, USER, struct.pack("<II", 7, 7) + b"test\0")
    out += record(MMAP, USER, struct.pack("<iIQQQ", 7, 7, 0x401000, 0x1000, 0x1000) + path.encode() + b"\0")
    levels = [GUEST_KERNEL, USER, GUEST_USER, USER, GUEST_KERNEL, GUEST_USER]
    return out + b"".join(sample(level, ip, 7, 2 * n + (ip & 1)) for n, level in enumerate(levels)
                          for ip in (CODE, CODE + 0x25))


def machines():
    """Events of the host and of the two virtual CPUs of 7, with the trailers of a sample's numbers."""
    ids = (HOST_ID,) + GUEST_IDS
    out = record(ID_INDEX, 0, struct.pack("<Q", len(ids)) +
                 b"".join(struct.pack("<QQqq", n, 0, -1, -1) for n in ids) +
                 struct.pack("<6Q", 0, 0, 7, 0, 7, 1))
    named = lambda misc, pid, name, time, number: record(
        COMM, misc, struct.pack("<II", pid, pid) + name.ljust(8, b"\0") +
        struct.pack("<IIQQ", pid, pid, time, number))
    out += named(0, 7, b"qemu", 1000, HOST_ID) + named(0, 42, b"host", 1001, HOST_ID)
    out += named(GUEST_KERNEL, 42, b"guest", 1002, GUEST_IDS[1])
    for n, (misc, pid, number) in enumerate([(USER, 42, HOST_ID), (GUEST_KERNEL, 7, GUEST_IDS[0]),
                                             (GUEST_USER, 7, GUEST_IDS[1]), (USER, 7, HOST_ID)]):
        out += record(SAMPLE, misc, struct.pack("<QQIIQQ", number, 0x400010, pid, pid, 1010 + n, 1000))
    return out


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def main():
    folder = sys.argv[1]
    with_ids = "--machines" in sys.argv
    kind = IP | TID | TIME | PERIOD | (IDENTIFIER if with_ids else 0)
    attr = struct.pack("<IIQQQQQ", 1, ATTR_SIZE, 0, 1000, kind, 0, SAMPLE_ID_ALL if with_ids else 0)
    ids = struct.pack("<3Q", HOST_ID, *GUEST_IDS) if with_ids else b""
    body = (machines() if with_ids else code(sys.argv[sys.argv.index("--code") + 1]) if "--code" in sys.argv else
            data("--silent" in sys.argv))
    at = HEADER_SIZE + ATTR_SIZE + 16
    head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16,
                                     at + len(ids), len(body), *[0] * 6)
    with open(os.path.join(folder, "perf.data"), "wb") as f:
        f.write(head + attr.ljust(ATTR_SIZE, b"\0") + struct.pack("<QQ", at if ids else 0, len(ids)) + ids + body)
    modules = "nfs 4096 1 - Live 0x%x (E)\n" % MODULE
    write(folder + "/kallsyms", KALLSYMS % (TEXT, TEXT + 0x100, TEXT + 0x200, MODULE))
    write(folder + "/modules", modules)
    write(folder + "/guests/8888/proc/kallsyms", KALLSYMS % (TEXT, TEXT + 0x1000, TEXT + 0x2000, MODULE))
    write(folder + "/guests/8888/proc/modules", modules)


main()
