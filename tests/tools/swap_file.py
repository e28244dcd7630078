#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a little-endian perf.data as a big-endian machine would have.

    swap_file.py IN OUT

What is not known here (compressed records, streams) ends the program with status 3 and a reason. Bit fields lie in
the other direction on such machines; memory that was copied (stacks, code) stays as it is.

Sources: perf.data-file-format, linux/perf_event.h, trace.dat.5.
"""
import re
import struct
import sys

MAGIC = 0x32454c4946524550
IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID, RAW, BRANCH_STACK, REGS_USER, STACK_USER, WEIGHT, \
    DATA_SRC, IDENTIFIER, TRANSACTION, REGS_INTR, PHYS_ADDR, AUX, CGROUP, DATA_PAGE, CODE_PAGE, WEIGHT_STRUCT = (
        1 << i for i in range(25))
ATTR_BITS = [1] * 15 + [2] + [1] * 47  # precise_ip has two; the sum is 64
BRANCH_BITS = [1, 1, 1, 1, 16, 4, 2, 4, 3, 31]
TXN_HW_INDEX = 1 << 17  # PERF_SAMPLE_BRANCH_HW_INDEX


class Unknown(Exception):
    pass


def mirrored(value, bits):
    """Bit fields of a u64 as they lie on a big-endian machine."""
    out, used = 0, 0
    for width in bits:
        out |= (value >> used & (1 << width) - 1) << (64 - used - width)
        used += width
    return out


class Words:
    """Reads little-endian words, writes the same as big-endian ones."""

    def __init__(self, data, at=0, end=None):
        self.data, self.at, self.end, self.out = data, at, len(data) if end is None else end, bytearray()

    def left(self):
        return self.end - self.at

    def word(self, size):
        if self.left() < size:
            raise Unknown('a record is shorter than its fields, at %#x' % self.at)
        value = int.from_bytes(self.data[self.at:self.at + size], 'little')
        self.at += size
        return value

    def put(self, value, size):
        self.out += value.to_bytes(size, 'big')
        return value

    def swap(self, sizes):
        """Each digit is the size of a word; the last is returned."""
        value = 0
        for size in sizes:
            value = self.put(self.word(int(size)), int(size))
        return value

    def many(self, size, nr):
        for _ in range(nr):
            self.put(self.word(size), size)

    def copy(self, size):
        if self.left() < size:
            raise Unknown('a record is shorter than its fields')
        self.out += self.data[self.at:self.at + size]
        self.at += size

    def bits(self, widths):
        self.put(mirrored(self.word(8), widths), 8)

    def string(self):
        self.copy(self.swap('4'))

    def strings(self):
        for _ in range(self.swap('4')):
            self.string()


# ---- attributes

class Attr:
    def __init__(self, data):
        self.type, self.size, self.config = struct.unpack_from('<IIQ', data)
        self.sample_type, self.read_format, self.flags = struct.unpack_from('<QQQ', data, 24)
        self.branch_type = struct.unpack_from('<Q', data, 72)[0] if len(data) >= 80 else 0
        self.regs_user = struct.unpack_from('<Q', data, 80)[0] if len(data) >= 88 else 0
        self.regs_intr = struct.unpack_from('<Q', data, 96)[0] if len(data) >= 104 else 0

    def has(self, bit):
        return bool(self.sample_type & bit)


def swap_attr(w, size):
    start = w.at
    w.swap('44888' + '8')
    w.bits(ATTR_BITS)
    left = size - 48
    for field in '4488884484224488':
        n = int(field)
        if left < n:
            break
        w.swap(field)
        left -= n
    w.copy(left)
    return Attr(w.data[start:start + size])


# ---- samples

def swap_read(w, attr):
    per_value = 1 + bool(attr.read_format & 4) + bool(attr.read_format & 16)
    times = bool(attr.read_format & 1) + bool(attr.read_format & 2)
    if attr.read_format & 8:
        nr = w.swap('8')
        w.many(8, times + nr * per_value)
    else:
        w.many(8, 1 + times + per_value - 1)


def swap_raw(w, formats):
    size = w.swap('4')
    end = w.at + size
    ident = int.from_bytes(w.data[w.at:w.at + 2], 'little')
    for offset, length, element in formats.get(ident, []) if formats else []:
        if w.at + 0 > end or offset + length > size:
            break
        at = end - size + offset
        if at < w.at:
            continue
        w.copy(at - w.at)
        w.many(element, length // element)
    w.copy(end - w.at)


def swap_regs(w, mask):
    if w.swap('8'):
        w.many(8, bin(mask).count('1'))


def swap_sample(w, attr, formats):
    for bit, sizes in ((IDENTIFIER, '8'), (IP, '8'), (TID, '44'), (TIME, '8'), (ADDR, '8'), (ID, '8'), (STREAM_ID, '8'),
                       (CPU, '44'), (PERIOD, '8')):
        if attr.has(bit):
            w.swap(sizes)
    if attr.has(READ):
        swap_read(w, attr)
    if attr.has(CALLCHAIN):
        w.many(8, w.swap('8'))
    if attr.has(RAW):
        swap_raw(w, formats)
    if attr.has(BRANCH_STACK):
        nr = w.swap('8')
        if attr.branch_type & TXN_HW_INDEX:
            w.swap('8')
        for _ in range(nr):
            w.swap('88')
            w.bits(BRANCH_BITS)
    if attr.has(REGS_USER):
        swap_regs(w, attr.regs_user)
    if attr.has(STACK_USER):
        size = w.swap('8')
        w.copy(size)
        if size:
            w.swap('8')
    for bit in (WEIGHT | WEIGHT_STRUCT, DATA_SRC, TRANSACTION):
        if attr.has(bit):
            w.swap('8')
    if attr.has(REGS_INTR):
        swap_regs(w, attr.regs_intr)
    for bit in (PHYS_ADDR, CGROUP, DATA_PAGE, CODE_PAGE):
        if attr.has(bit):
            w.swap('8')
    if attr.has(AUX):
        w.copy(w.swap('8'))


# ---- other records

def id_all_size(attr):
    if not attr.flags >> 18 & 1:
        return 0
    return 8 * sum(attr.has(bit) for bit in (TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER))


def swap_id_all(w, attr):
    if not id_all_size(attr):
        return
    for bit, sizes in ((TID, '44'), (TIME, '8'), (ID, '8'), (STREAM_ID, '8'), (CPU, '44'), (IDENTIFIER, '8')):
        if attr.has(bit):
            w.swap(sizes)


def swap_mmap2(w, misc):
    w.swap('44888')
    file = w.data[w.at:w.at + 24]
    # (some kernels set the bit where there is none)
    if misc & 1 << 14 and file[0] <= 20 and not any(file[1:4]) and not any(file[4 + file[0]:]):
        w.copy(24)
    else:
        w.swap('4488')
    w.swap('44')


def swap_cpu_map(w):
    kind = w.swap('2')
    if kind == 0:
        w.many(2, w.swap('2'))
    elif kind == 1:
        nr, size = struct.unpack_from('<HH', w.data, w.at)
        w.swap('22')
        if size == 8:
            w.copy(4)
        w.many(size, nr)
    elif kind == 2:
        w.copy(2)
        w.swap('22')


def swap_thread_map(w):
    for _ in range(w.swap('8')):
        w.swap('8')
        w.copy(16)


def swap_update(w):
    kind = w.word(8)
    w.put(kind, 8)
    w.swap('8')
    if kind == 3:
        swap_cpu_map(w)
    elif kind == 1:
        w.copy(8)  # scale, a double: put right below
        w.out[-8:] = w.out[-8:][::-1]


def swap_auxtrace_error(w):
    w.swap('4444' + '44' + '88')


# Of the kernel: sizes of words that come first; a text follows, and what all records have behind it.
KERNEL = {1: '44888', 2: '88', 3: '44', 4: '44448', 5: '888', 6: '888', 7: '44448', 11: '888', 12: '44', 13: '8', 14: '',
          15: '44', 16: None, 17: '8422', 18: '224', 19: '8', 20: '822', 21: '8'}
OTHERS = {68: '', 71: '8884444', 77: '88', 82: '', 76: '844888'}


def swap_kernel(w, kind, misc, attr):
    w.end -= id_all_size(attr)
    if kind == 8:
        w.swap('44')
        swap_read(w, attr)
    elif kind == 10:
        swap_mmap2(w, misc)
    elif kind == 16:
        w.swap('44')
        w.many(8, 2 * w.swap('8'))
    elif kind in KERNEL:
        w.swap(KERNEL[kind])
    else:
        raise Unknown('record type %d' % kind)
    w.copy(w.left())
    w.end += id_all_size(attr)
    swap_id_all(w, attr)


def swap_other(w, kind):
    if kind == 69:
        w.many(8, 4 * w.swap('8'))
        w.many(8, w.left() // 8)
    elif kind == 70:
        w.swap('44')
        w.many(8, w.left() // 8)
    elif kind == 72:
        swap_auxtrace_error(w)
    elif kind == 73:
        swap_thread_map(w)
    elif kind == 74:
        swap_cpu_map(w)
    elif kind == 75:
        w.many(8, 2 * w.swap('8'))
    elif kind == 78:
        swap_update(w)
    elif kind == 79:
        w.many(8, min(w.left() // 8, 5))
    elif kind in OTHERS:
        w.swap(OTHERS[kind])
    else:
        raise Unknown('record type %d' % kind)
    w.copy(w.left())


class Recording:
    def __init__(self, data):
        self.data = data
        if struct.unpack_from('<Q', data)[0] != MAGIC or struct.unpack_from('<Q', data, 8)[0] < 104:
            raise Unknown('a stream, or no perf.data')
        if data[-8:] == b'PERFMORE':
            raise Unknown('features behind everything else')
        if any(data[72:104]) and not data[72] >> 3 & 1:
            raise Unknown('no HOSTNAME, which tells how the words of the bits of features lie')
        self.attrs, self.by_id, self.formats = [], {}, None
        self.sections = struct.unpack_from('<8Q', data, 8)
        self.out = bytearray(data)

    def write(self, at, w):
        self.out[at:at + len(w.out)] = w.out

    def swap_header(self):
        size, attr_size, attrs, attrs_size = self.sections[:4]
        w = Words(self.data, 0, size)
        w.many(8, size // 8)
        self.write(0, w)
        for at in range(attrs, attrs + attrs_size, attr_size):
            w = Words(self.data, at, at + attr_size)
            attr = swap_attr(w, attr_size - 16)
            ids, ids_size = struct.unpack_from('<QQ', self.data, w.at)
            w.swap('88')
            self.write(at, w)
            self.attrs.append(attr)
            w = Words(self.data, ids, ids + ids_size)
            for i in range(ids_size // 8):
                self.by_id[struct.unpack_from('<Q', self.data, ids + 8 * i)[0]] = attr
            w.many(8, ids_size // 8)
            self.write(ids, w)

    def attr_of(self, body, sample):
        first = self.attrs[0]
        if len(self.attrs) == 1:
            return first
        if first.has(IDENTIFIER):
            ident = struct.unpack_from('<Q', body, 0 if sample else len(body) - 8)[0]
        elif sample and first.has(ID):
            ident = struct.unpack_from('<Q', body, 8 * sum(first.has(b) for b in (IP, TID, TIME, ADDR)))[0]
        elif first.has(ID) and id_all_size(first):
            ident = struct.unpack_from('<Q', body, len(body) - 8 * sum(first.has(b) for b in (ID, STREAM_ID, CPU)))[0]
        else:
            return first
        return self.by_id.get(ident, first)

    def swap_data(self):
        at, size = self.sections[4:6]
        end = at + size
        while at + 8 <= end:
            kind, misc, length = struct.unpack_from('<IHH', self.data, at)
            if length < 8:
                raise Unknown('a record of no size')
            w = Words(self.data, at, at + length)
            w.swap('422')
            body = self.data[at + 8:at + length]
            if kind == 9:
                swap_sample(w, self.attr_of(body, True), self.formats)
                w.copy(w.left())
            elif kind < 64:
                swap_kernel(w, kind, misc, self.attr_of(body, False))
            else:
                swap_other(w, kind)
            self.write(at, w)
            at += length + (struct.unpack_from('<Q', self.data, at + 8)[0] if kind == 71 else 0)

    # ---- features

    def features(self):
        bits = int.from_bytes(self.data[72:104], 'little')
        at = self.sections[4] + self.sections[5]
        for feature in range(256):
            if bits >> feature & 1:
                yield feature, at
                at += 16

    def swap_features(self):
        nr_cpus = 0
        for feature, at in self.features():
            offset, size = struct.unpack_from('<QQ', self.data, at)
            w = Words(self.data, at, at + 16)
            w.swap('88')
            self.write(at, w)
            w = Words(self.data, offset, offset + size)
            if feature == 7:
                nr_cpus = struct.unpack_from('<I', self.data, offset)[0]
            swap_feature(w, feature, nr_cpus)
            w.copy(w.left())
            self.write(offset, w)

    def read_formats(self):
        for feature, at in self.features():
            if feature == 1:
                offset, size = struct.unpack_from('<QQ', self.data, at)
                self.formats = formats_of(self.data[offset:offset + size])


def swap_build_ids(w):
    while w.left() >= 8:
        size = struct.unpack_from('<H', w.data, w.at + 6)[0]
        end = w.at + size
        w.swap('4224')
        w.copy(end - w.at)


def swap_event_desc(w):
    nr = w.swap('4')
    size = w.swap('4')
    for _ in range(nr):
        swap_attr(w, size)
        ids = w.swap('4')
        w.string()
        w.many(8, ids)


def swap_topology(w, nr_cpus):
    """Of cores and threads; a core and socket for each CPU; of dies, and a die for each CPU."""
    w.strings()
    w.strings()
    if not w.left():
        return
    w.many(4, 2 * nr_cpus)
    if w.left():
        w.strings()
        w.many(4, nr_cpus)


def swap_numa(w):
    for _ in range(w.swap('4')):
        w.swap('488')
        w.string()


def swap_pmus(w):
    for _ in range(w.swap('4')):
        w.swap('4')
        w.string()


def swap_groups(w):
    for _ in range(w.swap('4')):
        w.string()
        w.swap('44')


def swap_caches(w):
    w.swap('4')
    for _ in range(w.swap('4')):
        w.swap('4444')
        for _ in range(3):
            w.string()


def swap_memory(w):
    w.swap('8')
    w.swap('8')
    for _ in range(w.swap('8')):
        w.swap('88')
        bits = w.swap('8')
        w.many(8, (bits + 63) // 64)


def swap_pmu_caps(w, named):
    for _ in range(w.swap('4') if named else 1):
        for _ in range(w.swap('4')):
            w.string()
            w.string()
        if named:
            w.string()


def swap_bpf_programs(w):
    """Of each, type and number; the rest of what the kernel tells is left."""
    for _ in range(w.swap('4')):
        size = w.swap('4')
        size += w.swap('4')
        w.swap('844')
        w.copy(size - 8)


def swap_bpf_types(w):
    for _ in range(w.swap('4')):
        w.swap('4')
        w.copy(w.swap('4'))


def swap_hybrid(w):
    for _ in range(w.swap('4')):
        w.string()
        w.string()


def swap_feature(w, feature, nr_cpus):
    table = {1: swap_tracing, 2: swap_build_ids, 7: lambda w: w.swap('44'), 10: lambda w: w.swap('8'), 11: Words.strings,
             12: swap_event_desc, 13: lambda w: swap_topology(w, nr_cpus), 14: swap_numa, 16: swap_pmus, 17: swap_groups,
             18: lambda w: w.many(8, w.left() // 8), 19: lambda w: None, 20: swap_caches, 21: lambda w: w.swap('88'),
             22: swap_memory, 23: lambda w: w.swap('8'), 25: swap_bpf_programs, 26: swap_bpf_types, 27: lambda w: w.many(4, w.left() // 4),
             28: lambda w: swap_pmu_caps(w, False), 29: lambda w: w.swap('4488' + '8' * ((w.left() - 24) // 8)),
             30: swap_hybrid, 31: lambda w: swap_pmu_caps(w, True)}
    if feature in (3, 4, 5, 6, 8, 9):
        w.string()
    elif feature in table:
        table[feature](w)
    elif feature != 15:
        raise Unknown('feature %d' % feature)


# ---- tracepoints

def formats_of(data):
    """{id: [(offset, length, size of an element)]} of what is no text."""
    found = {}
    for text in re.split(rb'name: \w+\n(?=ID: )', data)[1:]:
        ident, fields = re.match(rb'ID: (\d+)', text), []
        for kind, offset, size in re.findall(rb'field:([^;]*);\s*offset:(\d+);\s*size:(\d+);', text):
            offset, size, element = int(offset), int(size), int(size)
            array = re.search(rb'\[(\d*)\]', kind)
            if b'__data_loc' in kind:
                element = 4
            elif array:
                nr = int(array.group(1) or 0) or size
                element = size // nr if nr and size % nr == 0 else 1
            if element in (2, 4, 8) and size:
                fields.append((offset, size, element))
        found[int(ident.group(1))] = sorted(fields)
    return found


def swap_tracing(w):
    w.copy(10)  # 0x17 0x08 0x44 "tracing"
    end = w.data.index(b'\0', w.at) + 1
    w.copy(end - w.at)
    w.copy(1)
    w.out[-1] = 1  # big-endian
    w.copy(1)
    w.swap('4')
    for _ in range(2):
        end = w.data.index(b'\0', w.at) + 1
        w.copy(end - w.at)
        w.copy(w.swap('8'))
    for _ in range(w.swap('4')):
        w.copy(w.swap('8'))
    for _ in range(w.swap('4')):
        end = w.data.index(b'\0', w.at) + 1
        w.copy(end - w.at)
        for _ in range(w.swap('4')):
            w.copy(w.swap('8'))
    w.copy(w.swap('4'))
    w.copy(w.swap('4'))
    if w.left() >= 8:
        w.copy(w.swap('8'))


def main():
    with open(sys.argv[1], 'rb') as f:
        data = f.read()
    try:
        r = Recording(data)
        r.swap_header()
        r.read_formats()
        r.swap_features()
        r.swap_data()
    except (Unknown, struct.error, ValueError, OverflowError) as e:  # the latter: it is broken
        print('swap_file.py: %s' % e, file=sys.stderr)
        return 3
    with open(sys.argv[2], 'wb') as f:
        f.write(r.out)
    return 0


if __name__ == '__main__':
    sys.exit(main())
