# SPDX-License-Identifier: GPL-2.0-or-later
"""Leaves samples out of a perf.data file: those whose text (perf script -D) matches a pattern."""
import re
import struct

HEADER, STREAM_HEADER = 104, 16
SAMPLE = 9
RECORD = re.compile(rb'^(?:\S+ )+0x([0-9a-f]+) \[(0x[0-9a-f]+)\]: PERF_RECORD_(\w+)')


def samples(dump):
    """The samples of a dump: (offset in the file, size, their lines). `dump` iterates lines."""
    place, lines = None, []
    for line in dump:
        m = RECORD.match(line)
        if m or line.startswith(b'0x'):
            if place:
                yield place + (lines,)
            sample = m and m.group(3) == b'SAMPLE'
            place, lines = (int(m.group(1), 16), int(m.group(2), 16)) if sample else None, []
        elif place:
            lines.append(line)
    if place:
        yield place + (lines,)


def shorten(raw, less):
    """Adapts a file's header and table of features to so many bytes less of data. False: the file is not finished."""
    data, size = struct.unpack_from('<QQ', raw, 40)
    if size == 0:
        return False
    struct.pack_into('<Q', raw, 48, size - less)
    bits = sum(bin(b).count('1') for b in raw[72:HEADER])
    for i in range(bits):
        at = data + size + 16 * i
        offset, = struct.unpack_from('<Q', raw, at)
        struct.pack_into('<Q', raw, at, offset - less if offset > data else offset)
    return True


def scrub(path, dump, pattern, to):
    """Copies the file without the samples that have a line with `pattern`. Returns the numbers of
    samples left out and kept; (0, n): nothing was written."""
    drop, kept = [], 0
    for offset, size, lines in samples(dump):
        if any(pattern.search(line) for line in lines):
            drop.append((offset, size))
        else:
            kept += 1
    with open(path, 'rb') as f:
        raw = bytearray(f.read())
    if not drop or raw[:8] != b'PERFILE2':
        return 0, kept
    stream = struct.unpack_from('<Q', raw, 8)[0] == STREAM_HEADER
    if stream:  # places are counted behind it, and nothing follows
        drop = [(offset + STREAM_HEADER, n) for offset, n in drop]
    # (places in what was compressed are others)
    if any(struct.unpack_from('<IHH', raw, offset)[::2] != (SAMPLE, n) for offset, n in drop):
        return 0, kept
    if not stream and not shorten(raw, sum(n for _, n in drop)):
        return 0, kept
    for offset, n in sorted(drop, reverse=True):
        del raw[offset:offset + n]
    with open(to, 'wb') as f:
        f.write(raw)
    return len(drop), kept
