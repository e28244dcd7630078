#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of events of virtual machines, from a list of what happened:

    make_kvm_file.py FILE [--isa 1|2 | --arm64] [--field OLD=NEW]... < LIST

One thing a line, at a time in nanoseconds, in any order (the file has that of the lines):

    TIME entry CPU TID VCPU
    TIME exit CPU TID REASON [CLASS]        the class of arm64 alone
    TIME mmio CPU TID KIND ADDRESS          0: a read that has no answer yet, 1: read, 2: write
    TIME pio CPU TID WRITE PORT
    TIME msr CPU TID WRITE REGISTER
    TIME lost NUMBER

Numbers may be hexadecimal (0x...). --isa: reasons are those of VMX (1) or SVM (2, the default). --field: the formats have a
field by another name.
"""
import argparse
import sys

import make_sched_file as sched_file

X86 = [('kvm_entry', ('vcpu_id',)), ('kvm_exit', ('exit_reason', 'isa')), ('kvm_mmio', ('type', 'gpa')),
       ('kvm_pio', ('rw', 'port')), ('kvm_msr', ('write', 'ecx'))]
ARM64 = [('kvm_entry', ('vcpu_pc',)), ('kvm_exit', ('ret', 'esr_ec')), ('kvm_mmio', ('type', 'gpa'))]
# As kernels print it, with a few of their names.
X86_TEXT = ('print fmt: "reason %s%s%s", (REC->isa == 1) ? __print_symbolic(REC->exit_reason & 0xffff, { 10, "CPUID" }, '
            '{ 12, "HLT" }) : __print_symbolic(REC->exit_reason, { 0x072, "cpuid" }, { 0x078, "hlt" }, { 0x07b, "io" }), '
            '(REC->isa == 1 && REC->exit_reason & ~0xffff) ? " " : "", (REC->isa == 1) ? '
            '__print_flags(REC->exit_reason & ~0xffff, " ", { 0x80000000, "FAILED_VMENTRY" }) : ""\n')
ARM64_TEXT = ('print fmt: "%s: HSR_EC: 0x%04x (%s)", __print_symbolic(REC->ret & ~((1UL) << (31)), { 0, "IRQ" }, { 2, "TRAP" }), '
              'REC->esr_ec, __print_symbolic(REC->esr_ec, { 0x01, "WFx" }, { 0x24, "DABT_LOW" })\n')


class Recording(sched_file.Recording):
    SYSTEM = 'kvm'

    def __init__(self, args):
        self.EVENTS = ARM64 if args.arm64 else X86
        self.how = args
        super().__init__(dict(f.split('=') for f in args.field))

    def line(self, words):
        names = [name for name, _ in self.EVENTS]
        if words[1] == 'lost':
            super().line(words)
            return
        event = names.index('kvm_' + words[1])
        cpu, tid, *values = (int(w, 0) for w in words[2:])
        if words[1] == 'exit':
            values = (values + [0])[:2] if self.how.arm64 else values + [self.how.isa]
        self.trace(event, int(words[0]), cpu, tid, values)

    def format(self, event):
        text = super().format(event)
        if self.EVENTS[event][0] != 'kvm_exit':
            return text
        return text[:text.index(b'print fmt')] + (ARM64_TEXT if self.how.arm64 else X86_TEXT).encode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--isa', type=int, default=2)
    parser.add_argument('--arm64', action='store_true')
    parser.add_argument('--field', action='append', default=[])
    args = parser.parse_args()
    recording = Recording(args)
    for line in sys.stdin:
        words = line.split('#')[0].split()
        if words:
            recording.line(words)
    with open(args.file, 'wb') as f:
        f.write(recording.file())


if __name__ == '__main__':
    main()
