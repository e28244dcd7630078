#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes, as if a kernel had loaded DIR/demo.ko (compiled with function sections) and was sampled in it:
DIR/perf.data, and DIR/kallsyms with the places of its functions (its build id is recorded, if it has one). Prints "FUNCTION ADDRESS" per sample: one for
each instruction behind a function's start.

    make_module_file.py DIR
"""
import os
import re
import struct
import subprocess
import sys

KERNEL_TEXT, MODULE, SIZE = 0xffffffff81000000, 0xffffffffc0100000, 0x40000
ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, PERIOD = 1, 2, 4, 256
MMAP, COMM, SAMPLE, MMAP2 = 1, 3, 9, 10
KERNEL_MODE, USER_MODE, WITH_BUILD_ID = 1, 2, 1 << 14


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def functions(module):
    """Name, and offsets of its instructions in its own section."""
    text = subprocess.run(["objdump", "-d", module], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        start = re.match(r"[0-9a-f]+ <([\w.]+)>:$", line)
        insn = re.match(r" +([0-9a-f]+):\t", line)
        if start:
            name = start.group(1)
            found[name] = []
        elif insn:
            found[name].append(int(insn.group(1), 16))
    return found


def mapping(module):
    start = struct.pack("<iIQQQ", -1, 0, MODULE, SIZE, 0)
    path = module.encode() + b"\0"
    notes = subprocess.run(["readelf", "-n", module], capture_output=True, text=True, check=True).stdout
    found = re.search("Build ID: ([0-9a-f]+)", notes)
    if not found:
        return record(MMAP, KERNEL_MODE, start + path)
    build_id = bytes.fromhex(found.group(1))
    return record(MMAP2, KERNEL_MODE | WITH_BUILD_ID,
                  start + struct.pack("<B3x20sII", len(build_id), build_id, 0, 0) + path)


def main():
    top = os.path.abspath(sys.argv[1])
    module = os.path.join(top, "demo.ko")
    body = record(MMAP, KERNEL_MODE,
                  struct.pack("<iIQQQ", -1, 0, KERNEL_TEXT, 1 << 20, KERNEL_TEXT) + b"[kernel.kallsyms]_text\0")
    body += mapping(module)
    body += record(COMM, USER_MODE, struct.pack("<II", 7, 7) + b"seven\0")
    kallsyms = "%x T _text\n%x T _etext\n" % (KERNEL_TEXT, KERNEL_TEXT + (1 << 20))
    place, time = MODULE + SIZE, 1000
    for name, offsets in sorted(functions(module).items()):
        place -= 0x1000  # another order and other distances than in the file
        kallsyms += "%x t %s\t[demo]\n" % (place, name)
        for offset in offsets:
            print(name, "%x" % offset)
            time += 1
            body += record(SAMPLE, KERNEL_MODE, struct.pack("<QIIQQ", place + offset, 7, 7, time, 1000))
    attr = struct.pack("<IIQQQQ", 1, ATTR_SIZE, 0, 1000, IP | TID | TIME | PERIOD, 0).ljust(ATTR_SIZE, b"\0")
    head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16,
                                     HEADER_SIZE + ATTR_SIZE + 16, len(body), *[0] * 6)
    with open(os.path.join(top, "perf.data"), "wb") as f:
        f.write(head + attr + struct.pack("<QQ", 0, 0) + body)
    with open(os.path.join(top, "kallsyms"), "w", encoding="ascii") as f:
        f.write(kallsyms)


main()
