# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares callers in copied stacks (perf script with a frame per line): the reference leaves some
out and ends elsewhere (doc/compatibility.md), so equality is too much."""
import functools
import re
import struct

LOAD, EXECUTABLE, DYNAMIC = 1, 1, 3
NOWHERE = re.compile(rb'\((\[(unknown|stack|heap)\]|//anon)\)$')
FRAME = re.compile(rb'\s*([0-9a-f]+) .*\((/.*)\)$')


@functools.cache
def code_of(path):
    """The [begin, end) of each executable segment of a library or PIE, as offsets and as addresses; nothing of other files."""
    try:
        with open(path, 'rb') as f:
            raw = f.read()
    except OSError:
        return []
    if raw[:6] != b'\x7fELF\x02\x01' or raw[16] != DYNAMIC:
        return []
    table, = struct.unpack_from('<Q', raw, 32)
    size, count = struct.unpack_from('<HH', raw, 54)
    found = []
    for i in range(count):
        kind, flags, offset, address, _, _, length = struct.unpack_from('<IIQQQQQ', raw, table + i * size)
        if kind == LOAD and flags & EXECUTABLE:
            found += [(offset, offset + length), (address, address + length)]
    return found


def is_no_caller(frame):
    """Whether a frame is outside of all objects, or in what is not code of one: nothing returns there."""
    if NOWHERE.search(frame):
        return True
    m = FRAME.match(frame)
    code = code_of(m.group(2)) if m else []
    return code != [] and not any(begin <= int(m.group(1), 16) < end for begin, end in code)


def stacks(path):
    """The samples of a file: lists of lines, the first one not a frame."""
    with open(path, 'rb') as f:
        return [block.split(b'\n') for block in f.read().split(b'\n\n') if block.strip()]


def agree(ref, ours):
    """Whether all frames up to the reference's first one that cannot be a caller are in ours, in
    this order, the innermost at the same place."""
    known = []
    for frame in ref[1:]:
        if is_no_caller(frame):
            break
        known.append(frame)
    if ref[0] != ours[0] or known[:1] != ours[1:2][:len(known)]:
        return False
    rest = iter(ours[1:])
    return all(frame in rest for frame in known)


def stacks_agree(ref_path, our_path):
    ref, ours = stacks(ref_path), stacks(our_path)
    return len(ref) == len(ours) and all(agree(a, b) for a, b in zip(ref, ours))
