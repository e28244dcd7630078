# SPDX-License-Identifier: GPL-2.0-or-later
"""Leaves samples out of a perf.data file: those whose text (perf script -D) matches a pattern."""
import bisect
import re
import struct

HEADER, STREAM_HEADER = 104, 16
SAMPLE = 9
RECORD = re.compile(rb'^(?:(?:\S+ ){1,4}0x([0-9a-f]+) \[(0x[0-9a-f]+)\]: PERF_RECORD_(\w+)|0x)', re.M)


def samples(dump):
    """The samples of a dump: (where their text begins and ends, offset in the file, size)."""
    records = list(RECORD.finditer(dump))
    ends = [m.start() for m in records[1:]] + [len(dump)]
    return [(m.end(), end, int(m[1], 16), int(m[2], 16)) for m, end in zip(records, ends) if m[3] == b'SAMPLE']


def matching(dump, found, patterns):
    """The indices of the samples that have a line with one of the patterns."""
    ends = [end for _, end, _, _ in found]
    out = set()
    for pattern in patterns:
        for m in re.finditer(pattern.encode(), dump, re.M):
            i = bisect.bisect(ends, m.end() - 1)
            if i < len(found) and m.end() > found[i][0]:
                out.add(i)
    return out


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


def scrub(path, dump, patterns, to):
    """Copies the file without the samples that have a line with one of the patterns in their text, of the dump of the file
    (perf script -D). Returns the numbers of samples left out and kept; (0, n): nothing was written."""
    found = samples(dump)
    gone = matching(dump, found, patterns)
    drop = [found[i][2:] for i in sorted(gone)]
    kept = len(found) - len(gone)
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
