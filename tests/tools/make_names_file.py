#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a recording whose records and header are named one by one: make_names_file.py FILE WORD...

    kernel=ADDR,LEN,NAME        mapping of the kernel or of a module; [kernel.kallsyms]SYMBOL tells SYMBOL's address
    map=PID,ADDR,LEN,PGOFF,PATH mapping of a process
    comm=PID,TID,NAME           command name
    k=PID,TID,ADDR              sample in the kernel
    u=PID,TID,ADDR              sample in a process
    stack=PID,TID,WORD...       the same with a callchain: addresses, U for PERF_CONTEXT_USER (then all samples have one,
                                unwound while it was recorded)
    id=k,HEX,PATH               entry of the header's build-id table, of the kernel's side or (u) of user space;
                                stored in 20 bytes, as old writers do
    sized=k,HEX,PATH            the same with its size
    host=NAME release=NAME arch=NAME
                                header features HOSTNAME, OSRELEASE, ARCH

Numbers are as Python reads them. Each record is 1 us later than the one before.
"""
import os
import struct
import sys

ATTR_SIZE, HEADER_SIZE = 128, 104
IP, TID, TIME, CALLCHAIN, PERIOD = 1, 2, 4, 32, 256
CONTEXT_USER, COPY = (1 << 64) - 512, 8192
SAMPLE_ID_ALL = 1 << 18
MMAP, COMM, SAMPLE = 1, 3, 9
LEVELS = {"k": 1, "u": 2}
SIZED = 1 << 15
FEATURES = {"id": 2, "host": 3, "release": 4, "arch": 6}


def padded(b, to=8):
    return b + b"\0" * (-len(b) % to)


class Recording:
    def __init__(self):
        self.data, self.ids, self.features, self.now = b"", b"", {}, 1000000
        self.chains = False

    def record(self, kind, misc, body, pid=0, tid=0):
        self.now += 1000
        body = padded(body)
        if kind != SAMPLE:
            body += struct.pack("<IIQ", pid & 0xffffffff, tid & 0xffffffff, self.now)
        self.data += struct.pack("<IHH", kind, misc, 8 + len(body)) + body

    def mapping(self, misc, pid, addr, size, pgoff, path):
        self.record(MMAP, misc, struct.pack("<iIQQQ", pid, 0 if pid < 0 else pid, addr, size, pgoff) +
                    path.encode() + b"\0", pid, pid)

    def sample(self, level, words):
        pid, tid, addr = (int(w, 0) for w in words)
        self.record(SAMPLE, LEVELS[level], struct.pack("<QIIQQ", addr, pid & 0xffffffff, tid & 0xffffffff,
                                                       self.now + 1000, 1000))

    def stack(self, words):
        pid, tid = (int(w, 0) for w in words[:2])
        chain = [CONTEXT_USER if w == "U" else int(w, 0) for w in words[2:]]
        self.chains = True
        self.record(SAMPLE, LEVELS["u"], struct.pack(f"<QIIQQ{1 + len(chain)}Q", chain[1], pid, tid, self.now + 1000, 1000,
                                                     len(chain), *chain))

    def build_id(self, words, sized):
        level, number, path = words
        number = bytes.fromhex(number)
        body = struct.pack("<i", -1) + number.ljust(20, b"\0") + bytes([len(number) if sized else 0, 0, 0, 0])
        body += padded(path.encode() + b"\0", 64)
        self.ids += struct.pack("<IHH", 67, LEVELS[level] | (SIZED if sized else 0), 8 + len(body)) + body
        self.features["id"] = self.ids

    def add(self, word):
        kind, _, rest = word.partition("=")
        words = rest.split(",")
        if kind == "kernel":
            addr, size = int(words[0], 0), int(words[1], 0)
            self.mapping(1, -1, addr, size, addr if words[2][0] == "[" else 0, words[2])
        elif kind == "map":
            self.mapping(2, *(int(w, 0) for w in words[:4]), words[4])
        elif kind == "comm":
            pid, tid = (int(w, 0) for w in words[:2])
            self.record(COMM, 2, struct.pack("<ii", pid, tid) + os.fsencode(words[2]) + b"\0", pid, tid)
        elif kind in LEVELS:
            self.sample(kind, words)
        elif kind == "stack":
            self.stack(words)
        elif kind in ("id", "sized"):
            self.build_id(words, kind == "sized")
        elif kind in FEATURES:
            text = padded(rest.encode() + b"\0", 64)
            self.features[kind] = struct.pack("<I", len(text)) + text
        else:
            sys.exit(f"what is {word}?")

    def write(self, path):
        data_at = HEADER_SIZE + ATTR_SIZE + 16
        at = data_at + len(self.data) + 16 * len(self.features)
        bits, table, bodies = 0, b"", b""
        for name, body in sorted(self.features.items(), key=lambda f: FEATURES[f[0]]):
            bits |= 1 << FEATURES[name]
            table += struct.pack("<QQ", at + len(bodies), len(body))
            bodies += body
        attr = struct.pack("<IIQQQQQ", 1, ATTR_SIZE, 0, 1000, IP | TID | TIME | PERIOD | (CALLCHAIN if self.chains else 0), 0,
                           SAMPLE_ID_ALL)
        attr = attr.ljust(88, b"\0") + struct.pack("<I", COPY if self.chains else 0)
        head = b"PERFILE2" + struct.pack("<12Q", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE, ATTR_SIZE + 16, data_at,
                                         len(self.data), 0, 0, bits, 0, 0, 0)
        with open(path, "wb") as f:
            f.write(head + attr.ljust(ATTR_SIZE, b"\0") + struct.pack("<QQ", 0, 0) + self.data + table + bodies)


def main():
    r = Recording()
    for word in sys.argv[2:]:
        r.add(word)
    r.write(sys.argv[1])


main()
