#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Moves the names of functions in a stream (standard input) to its end (standard output), as `record
--embed-symbols -o -` writes them: what says that they follow stays in front, and they come in pieces.

    move_symbols.py PIECE [none | gap | twice]
        PIECE: bytes of a piece; none: they are missing; gap: so is the second piece; twice: all come twice
"""
import struct
import sys

EVENT_UPDATE, SYMBOLS, PIPE_HEADER, FIXED = 78, 255, 16, 40


def update(ident, size, offset, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHHQQQQ", EVENT_UPDATE, 0, FIXED + len(body), SYMBOLS, ident, size, offset) + body


def main():
    piece, how = int(sys.argv[1]), (sys.argv[2:] or [""])[0]
    stream = sys.stdin.buffer.read()
    out, names, at = stream[:PIPE_HEADER], b"", PIPE_HEADER
    while at < len(stream):
        kind, _, size = struct.unpack_from("<IHH", stream, at)
        if kind == EVENT_UPDATE and struct.unpack_from("<Q", stream, at + 8)[0] == SYMBOLS:
            _, ident, whole, offset = struct.unpack_from("<QQQQ", stream, at + 8)
            if not offset:
                out += update(ident, 0, 0, b"")
            names += stream[at + FIXED:at + size]
        else:
            out += stream[at:at + size]
        at += size
    names = names[:whole]
    ends = [update(ident, whole, i, names[i:i + piece]) for i in range(0, whole, piece)]
    if how == "gap":
        del ends[1]
    out += b"".join([] if how == "none" else ends * (2 if how == "twice" else 1))
    sys.stdout.buffer.write(out)


main()
