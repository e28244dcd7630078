#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes DIR/perf.data, a recording of a process with a JIT compiler, and DIR/jit-77.dump, what that
compiler said of its code: first() is replaced by second(), third() moves. Two samples in each.

    make_jit_file.py DIR [other] [stream] [stack]
        other: times of another clock; stream: as a stream; stack: copies of stacks, whose frames only
        the compiler's call frame information tells
"""
import os
import struct
import sys

PID, CODE, SIZE = 77, 0x10000, 0x40
ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, PERIOD, CALLCHAIN, REGS_USER, STACK_USER = 1, 2, 4, 256, 32, 1 << 12, 1 << 13
REGS = 1 << 6 | 1 << 7 | 1 << 8  # rbp, rsp, rip
FEAT_ARCH = 6
CLOCK_MONOTONIC, USE_CLOCKID, SAMPLE_ID_ALL, MMAP, COMM = 1, 1 << 25, 1 << 18, 1 << 8, 1 << 9
SAMPLES = [(1500, 0x10), (1600, 0x20), (2500, 0x10), (2600, 0x20), (3500, 0x2004), (4500, 0x3008)]


def record(kind, misc, body, time=None):
    body += b"\0" * (-len(body) % 8)
    if time is not None:
        body += struct.pack("<IIQ", PID, PID, time)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def mmap2(time, start, size, name):
    return record(10, 2, struct.pack("<IIQQQIIQQII", PID, PID, start, size, 0, 0, 0, 0, 0, 5, 2)
                  + name.encode() + b"\0", time)


def sample(time, offset, stack, copy=struct.pack("<2Q", 0, CODE + 0x5010).ljust(64, b"\0")):
    chain = [] if stack else [(1 << 64) - 512, CODE + offset, CODE + 0x5000]
    body = struct.pack("<QIIQQQ", CODE + offset, PID, PID, time, 1000, len(chain))
    body += struct.pack("<%dQ" % len(chain), *chain)
    if stack:
        body += struct.pack("<4Q", 2, 0x1234, 0x7ff0000, CODE + offset)
        body += struct.pack("<Q", len(copy)) + copy + struct.pack("<Q", len(copy))
    return record(9, 2, body)


def data(folder, stack):
    out = record(3, 0, struct.pack("<II", PID, PID) + b"node\0", 900)
    out += mmap2(910, 0x1000000, 0x1000, "/nonexistent/node")
    out += mmap2(920, CODE, 0x10000, "//anon")
    out += mmap2(1000, 0x2000000, 0x1000, os.path.join(folder, "jit-%d.dump" % PID))
    for time, offset in SAMPLES:
        out += sample(time, offset, stack)
    return out + record(68, 0, b"")


def attr(stack):
    kind = IP | TID | TIME | PERIOD | CALLCHAIN | (REGS_USER | STACK_USER if stack else 0)
    raw = struct.pack("<IIQQQQ", 1, ATTR_SIZE, 0, 1000, kind, 0)
    raw += struct.pack("<Q", USE_CLOCKID | SAMPLE_ID_ALL | MMAP | COMM)
    raw = raw.ljust(80, b"\0") + struct.pack("<QI", REGS if stack else 0, 64 if stack else 0)
    raw += struct.pack("<i", CLOCK_MONOTONIC)
    return raw.ljust(ATTR_SIZE, b"\0")


def text(s):
    raw = s.encode() + b"\0"
    raw += b"\0" * (-len(raw) % 64)
    return struct.pack("<I", len(raw)) + raw


def perf_file(body, stack):
    at = HEADER_SIZE + ATTR_SIZE + 16
    bits = [1 << FEAT_ARCH, 0, 0, 0]
    arch = text("x86_64")
    head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16,
                                     at, len(body), 0, 0, *bits)
    table = struct.pack("<QQ", at + len(body) + 16, len(arch))
    return head + attr(stack) + struct.pack("<QQ", 0, 0) + body + table + arch


def perf_stream(body, stack):
    return b"PERFILE2" + struct.pack("<Q", 16) + record(64, 0, attr(stack)) + body


def load(time, offset, index, name):
    name = name.encode() + b"\0"
    body = struct.pack("<IIQQQQ", PID, PID, CODE + offset, CODE + offset, SIZE, index) + name + b"\x90" * SIZE
    return struct.pack("<IIQ", 0, 16 + len(body), time) + body


def lines(time, offset, file):
    """Source lines of the next function."""
    body = struct.pack("<QQ", CODE + offset, 2)
    for at, line in (0, 10), (0x18, 12):
        body += struct.pack("<QII", CODE + offset + at, line, 0) + file.encode() + b"\0"
    return struct.pack("<IIQ", 2, 16 + len(body), time) + body


def frames(time):
    """Call frame information: rbp is pushed at once, and is no frame pointer. The address of the function
    is relative to the place of this, which is behind the code."""
    cie = struct.pack("<IB", 0, 1) + b"zR\0" + bytes([1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1])
    cie += b"\0" * (-len(cie) % 4)
    cie = struct.pack("<I", len(cie)) + cie
    fde = struct.pack("<Iii", len(cie) + 4, -(SIZE + len(cie) + 8), SIZE)
    fde += bytes([0, 0x41, 0x0e, 16, 0x86, 2])
    fde += b"\0" * (-len(fde) % 4)
    fde = struct.pack("<I", len(fde)) + fde
    hdr = bytes([1, 0x1b, 3, 0x3b]) + b"\0" * 16
    body = struct.pack("<QQQ", len(cie + fde + hdr), len(hdr), 0) + cie + fde + hdr
    return struct.pack("<IIQ", 4, 16 + len(body), time) + body


def move(time, source, to, index):
    body = struct.pack("<IIQQQQQ", PID, PID, CODE + to, CODE + source, CODE + to, SIZE, index)
    return struct.pack("<IIQ", 1, 16 + len(body), time) + body


def dump(shift):
    out = struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, PID, 0, 0)
    out += lines(1000 + shift, 0, "first.js") + frames(1000 + shift) + load(1000 + shift, 0, 0, "first")
    out += load(2000 + shift, 0, 1, "second")
    out += load(3000 + shift, 0x2000, 2, "third")
    out += move(4000 + shift, 0x2000, 0x3000, 2)
    out += load(1000 + shift, 0x5000, 3, "caller with blanks")
    return out


def main():
    folder, how = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with open(os.path.join(folder, "perf.data"), "wb") as f:
        f.write((perf_stream if "stream" in how else perf_file)(data(folder, "stack" in how), "stack" in how))
    with open(os.path.join(folder, "jit-%d.dump" % PID), "wb") as f:
        f.write(dump(500000 if "other" in how else 0))


if __name__ == "__main__":
    main()
