#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file with branch stacks, as a CPU with branch records would: walks at random
through the code of PROGRAM (an x86-64 ELF file that is not position independent, with symbols), by
what objdump shows of it.

    make_branch_file.py PROGRAM FILE [--as PATH] [--seed N] [--samples N] [--steps N] [--depth N] [--chain]
        [--lbr] [--hw-index] [--no-flags] [--no-cycles] [--types] [--priv] [--kernel] [--group]
        [--lost N] [--offset N] [--big-endian]

--steps: at most so many instructions between two samples. --as: the path that the mapping names (PROGRAM). --chain: callchains too. --lbr: records of calls
that have not returned, in --depth registers. --kernel: some samples were taken in the kernel. --group: two more events, whose values each
sample has. --lost: the callchain ends after so many callers. --offset: of the code in the file.
"""
import argparse
import random
import re
import struct
import subprocess

PID, CPU, HEADER_SIZE, ATTR_SIZE, HOST = 4711, 3, 104, 128, 0xffffffff
IP, TID, TIME, READ, CALLCHAIN, ID, CPU_BIT, PERIOD, BRANCH_STACK, IDENTIFIER = (
    1 << 0, 1 << 1, 1 << 2, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 11, 1 << 16)
BR_USER, BR_ANY, BR_CALL_STACK, BR_NO_FLAGS, BR_NO_CYCLES, BR_TYPES, BR_HW_INDEX, BR_PRIV = (
    1 << 0, 1 << 3, 1 << 11, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18)
CONTEXT_KERNEL, CONTEXT_USER = (1 << 64) - 128, (1 << 64) - 512
FLAGS = {'disabled': 1 << 0, 'mmap': 1 << 8, 'comm': 1 << 9, 'sample_id_all': 1 << 18}
FEAT_BUILD_ID, FEAT_HOSTNAME, FEAT_ARCH, FEAT_NRCPUS, FEAT_CPUID, FEAT_EVENT_DESC, FEAT_BRANCH_STACK, \
    FEAT_GROUP_DESC, FEAT_CPU_PMU_CAPS = 2, 3, 6, 7, 9, 12, 15, 17, 28
COND, UNCOND, IND, CALL, IND_CALL, RET = 1, 2, 3, 4, 5, 6
# sizes of bit fields
BRANCH_FIELDS = [1, 1, 1, 1, 16, 4]
ATTR_FIELDS = [1] * 15 + [2] + [1] * 21
EVENTS = [('cycles', 0, 0), ('instructions', 0, 1), ('cpu-clock', 1, 0)]


ORDER = '<'  # of bytes


def pack(shape, *values):
    return struct.pack(ORDER + shape, *values)


def fields(word, sizes):
    """A word of bit fields as the other byte order has it: the first field at the other end."""
    if ORDER == '<':
        return word
    out, at = 0, 64
    for size in sizes:
        at -= size
        out |= (word & (1 << size) - 1) << at
        word >>= size
    return out


class Code:
    """The instructions of a program: address -> (length, kind of branch, target)."""

    def __init__(self, path):
        text = subprocess.run(['objdump', '-d', '-w', path], capture_output=True, text=True,
                              check=True).stdout
        self.at, self.functions = {}, []
        for line in text.splitlines():
            if m := re.match(r'([0-9a-f]+) <([^>]*)>:', line):
                self.functions.append((int(m[1], 16), m[2]))
            elif m := re.match(r' *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t?(.*)', line):
                self.at[int(m[1], 16)] = (len(m[2].split()),) + self.branch(m[3])
        self.entry = next(a for a, name in self.functions if name == 'main')
        self.build_id = self.read_build_id(path)

    @staticmethod
    def branch(text):
        word, _, rest = text.partition(' ')
        m = re.match(r' *([0-9a-f]+) <', rest)
        target = int(m[1], 16) if m else None
        if word.startswith('ret'):
            return RET, None
        if word.startswith('call'):
            return (CALL if target else IND_CALL), target
        if word.startswith('jmp'):
            return (UNCOND if target else IND), target
        if word.startswith('j'):
            return COND, target
        return 0, None

    @staticmethod
    def read_build_id(path):
        text = subprocess.run(['readelf', '-n', path], capture_output=True, text=True,
                              check=True).stdout
        m = re.search(r'Build ID: ([0-9a-f]+)', text)
        return bytes.fromhex(m[1]) if m else b''


class Walk:
    def __init__(self, code, seed, indirect):
        self.code, self.random, self.indirect = code, random.Random(seed), indirect
        self.start()

    def start(self):
        self.ip, self.calls = self.code.entry, []

    def step(self):
        """One instruction; returns the taken branch or None."""
        length, kind, target = self.code.at[self.ip]
        here, after = self.ip, self.ip + length
        if kind == COND and (len(self.calls) > 40 or self.random.random() < 0.4):
            kind = 0
        if kind in (CALL, IND_CALL):
            target = target or self.indirect
            self.calls.append((here, after, target))
        elif kind == RET:
            if not self.calls:
                self.start()
                return None
            target = self.calls.pop()[1]
        self.ip = target if kind and target else after
        if self.ip not in self.code.at:
            self.start()
            return None
        return (here, self.ip, kind) if kind and target else None


class Recording:
    def __init__(self, args, code):
        self.args, self.code = args, code
        self.random = random.Random(args.seed + 1)
        self.type = IP | TID | TIME | CPU_BIT | PERIOD | BRANCH_STACK | IDENTIFIER
        self.type |= CALLCHAIN if args.chain or args.lbr else 0
        self.type |= READ if args.group else 0
        self.branches = BR_USER | (BR_CALL_STACK if args.lbr else 0)
        self.branches |= BR_ANY if not args.lbr else 0
        for wanted, bit in ((args.hw_index, BR_HW_INDEX), (args.no_flags, BR_NO_FLAGS),
                            (args.no_cycles, BR_NO_CYCLES), (args.types, BR_TYPES),
                            (args.priv, BR_PRIV)):
            self.branches |= bit if wanted else 0
        self.names = EVENTS if args.group else EVENTS[:1]

    def record(self, kind, misc, body, time=None):
        body += b'\0' * (-len(body) % 8)
        if time is not None:
            body += pack('IIQIIQ', PID, PID, time, CPU, 0, 1)
        return pack('IHH', kind, misc, 8 + len(body)) + body

    def flags(self, kind):
        """misprediction, cycles and kind, as far as they are recorded"""
        r, out = self.random, 0
        if not self.args.no_flags:
            out |= 1 if r.random() < 0.15 else 2
        cycles = r.choice([0, 1, 1, 2, 3, 5, 8, 40, 400])
        if not self.args.no_cycles:
            out |= cycles << 4
        if self.args.types:
            out |= kind << 20
        return out

    def sample(self, time, walk, taken):
        r = self.random
        in_kernel = self.args.kernel and r.random() < 0.3
        ip = 0xffffffff81000100 + 16 * r.randrange(4) if in_kernel else walk.ip
        out = pack('QQIIQIIQ', 1, ip, PID, PID, time, CPU, 0, 1000 + r.randrange(3))
        if self.args.group:
            out += pack('QQQ', len(EVENTS), time, time)
            for i in range(len(EVENTS)):
                out += pack('QQ', time * (i + 1) // (2 + i * (time % 3)), i + 1)
        if self.type & CALLCHAIN:
            chain = [CONTEXT_KERNEL, ip, 0xffffffff81000500] if in_kernel else []
            chain += [CONTEXT_USER, walk.ip]
            calls = walk.calls[:-self.args.lost - 1:-1] if self.args.lost else walk.calls[::-1]
            chain += [c[1] for c in calls][:100]
            out += pack('Q%dQ' % len(chain), len(chain), *chain)
        out += pack('Q', len(taken))
        if self.args.hw_index:
            out += pack('Q', (len(walk.calls) - 1) % self.args.depth if self.args.lbr
                               else 0)
        for origin, target, flags in taken:
            out += pack('3Q', origin, target, fields(flags, BRANCH_FIELDS))
        return self.record(9, 1 if in_kernel else 2, out)

    def data(self):
        path = (self.args.path or self.args.program).encode()
        first = min(self.code.at) & ~4095
        size = (max(self.code.at) + 4096 & ~4095) - first
        offset = self.args.offset
        out = self.record(3, 0, pack('II', PID, PID) + b'walk\0', 100)
        if self.args.kernel:
            out += self.record(1, 1, pack('IIQQQ', 0xffffffff, 0, 0xffffffff81000000,
                                                 0x1000000, 0xffffffff81000000) +
                               b'[kernel.kallsyms]_text\0', 100)
        out += self.record(10, 2, pack('IIQQQIIQQII', PID, PID, first, size, offset,
                                              8, 1, 7, 1, 5, 2) + path + b'\0', 110)
        targets = [a for a, name in self.code.functions if name == 'recurse']
        walk = Walk(self.code, self.args.seed, targets[0] if targets else None)
        taken, time = [], 1000
        for _ in range(self.args.samples):
            for _ in range(self.random.randrange(max(1, self.args.steps // 20), self.args.steps)):
                branch = walk.step()
                if branch:
                    taken.insert(0, (branch[0], branch[1], self.flags(branch[2])))
                    del taken[self.args.depth:]
                if not walk.calls and not branch:
                    taken = []
            while self.args.lbr and not walk.calls:
                walk.step()
            shown = taken
            if self.args.lbr:
                # a register keeps what it holds
                shown = [(c[0], c[2], 2 | (c[0] + i) % 50 << 4) for i, c in enumerate(walk.calls)]
                shown.reverse()
                shown = shown[:self.args.depth]
            time += 100000
            out += self.sample(time, walk, shown)
        return out

    def attr(self, i):
        _, kind, config = self.names[i]
        fmt = 1 << 2 | 1 << 3 | 3 if self.args.group else 0
        raw = pack('IIQQQQ', kind, ATTR_SIZE, config, 1000, self.type, fmt)
        flags = FLAGS['disabled'] | FLAGS['sample_id_all']
        flags |= FLAGS['mmap'] | FLAGS['comm'] if not i else 0
        raw += pack('Q', fields(flags, ATTR_FIELDS)).ljust(32, b'\0') + pack('Q', self.branches)
        return raw.ljust(ATTR_SIZE, b'\0')

    @staticmethod
    def string(text):
        raw = text.encode() + b'\0'
        raw += b'\0' * (-len(raw) % 64)
        return pack('I', len(raw)) + raw

    def features(self):
        desc = pack('II', len(self.names), ATTR_SIZE)
        for i, (name, _, _) in enumerate(self.names):
            desc += self.attr(i) + pack('I', 1) + self.string(name)
            desc += pack('Q', i + 1)
        path = (self.args.path or self.args.program).encode() + b'\0'
        path += b'\0' * (-len(path) % 64)
        ident = pack('I', HOST) + self.code.build_id.ljust(20, b'\0') + pack('I', 20)
        ident = pack('IHH', 67, 2, 8 + len(ident) + len(path)) + ident + path
        out = {
            FEAT_BUILD_ID: ident,
            FEAT_ARCH: self.string('x86_64'),
            FEAT_CPUID: self.string('GenuineIntel,6,85,7'),
            FEAT_NRCPUS: pack('II', 4, 4),
            FEAT_EVENT_DESC: desc,
            FEAT_BRANCH_STACK: b'',
            FEAT_CPU_PMU_CAPS: pack('I', 1) + self.string('branches') +
            self.string(str(self.args.depth)),
        }
        if self.args.group:
            out[FEAT_GROUP_DESC] = pack('I', 1) + self.string('') + pack('II', 0, 3)
        if self.args.lbr:
            del out[FEAT_BRANCH_STACK]
        if self.args.big_endian:
            out[FEAT_HOSTNAME] = self.string('other')  # without which perf does not believe the bits of features
        return out

    def file(self):
        ids = b''.join(pack('Q', i + 1) for i in range(len(self.names)))
        attrs = b''
        for i in range(len(self.names)):
            attrs += self.attr(i) + pack('QQ', HEADER_SIZE + 8 * i, 8)
        attrs_at = HEADER_SIZE + len(ids)
        data = self.data()
        data_at = attrs_at + len(attrs)
        features = self.features()
        bits = sum(1 << n for n in features)
        at = data_at + len(data) + 16 * len(features)
        table = body = b''
        for n in sorted(features):
            table += pack('QQ', at + len(body), len(features[n]))
            body += features[n]
        header = pack('Q', 0x32454c4946524550) + pack('8Q', HEADER_SIZE, ATTR_SIZE + 16, attrs_at,
                                           len(attrs), data_at, len(data), 0, 0)
        header += pack('4Q', bits, 0, 0, 0)
        return header + ids + attrs + data + table + body


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('program')
    p.add_argument('file')
    p.add_argument('--as', dest='path')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--samples', type=int, default=20)
    p.add_argument('--steps', type=int, default=400)
    p.add_argument('--depth', type=int, default=16)
    p.add_argument('--offset', type=lambda s: int(s, 0), default=0)
    p.add_argument('--lost', type=int, default=0)
    for name in ('chain', 'lbr', 'hw-index', 'no-flags', 'no-cycles', 'types', 'priv', 'kernel',
                 'group', 'big-endian'):
        p.add_argument('--' + name, action='store_true')
    args = p.parse_args()
    global ORDER  # pylint: disable=global-statement
    ORDER = '>' if args.big_endian else '<'
    with open(args.file, 'wb') as f:
        f.write(Recording(args, Code(args.program)).file())


if __name__ == '__main__':
    main()
