#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf kvm stat, kmem, lock and kwork: their tables of the same files, ours and the installed
perf's equal. perf 6.1 prints some of them to standard error; rows of the same number may stand in another order. What
differs on purpose (doc/compatibility.md) is in none of the files.

    analysers.py --perf build/perf

The last line is "N passed, N failed".
"""
import argparse
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
KALLSYMS = TESTS / 'data/lock/kallsyms'

SLAB = ''.join(f'{1000 * i + 1} kmalloc {i % 2} {0x1000 + i % 7:#x} {0x8000 + 64 * (i % 11):#x} {10 + i} {64 + i}\n'
               f'{1000 * i + 500} kfree {i % 3 % 2} 0x99 {0x8000 + 64 * (i % 13):#x}\n' for i in range(60))
PAGES = ''.join(f'{1000 * i + 1} alloc {i % 2} {0x100 + i % 9} {i % 3} {(0xcc0, 0xdc0, 0x2800)[i % 3]:#x} 0 0xffffffff81000110\n'
                f'{1000 * i + 500} free {i % 2} {0x100 + i % 9} {i % 3}\n' for i in range(40))
STACKS = (0x110, 0x220, 0x330, 0x440, 0x550, 0x910)
WAITS = ''.join(f'{5000 * i + 1} begin 0 {5 + i % 3} {0x10 + i % 5:#x} {(1, 2, 4, 0x20, 8, 0)[i % 6]} {stack}\n'
                f'{5000 * i + 700 + 10 * i} end 0 {5 + i % 3} {0x10 + i % 5:#x} 0 {stack}\n'
                for i in range(40)
                for stack in ['0xffffffff81000720 ' * (3 + i % 2) + f'{0xffffffff81000000 + STACKS[i % 6]:#x}'])
STEPS = {'A': 'acquire {} 0', 'T': 'acquire {} 1', 'R': 'acquire {} 2', 'B': 'acquire {} 3', 'C': 'contended {}', 'D': 'acquired {}', 'L': 'release {}'}
# All that a task can do with a lock, in up to four steps; the lock's name tells them. Readers that wait, and waits without an
# end in front of others, are left out: doc/compatibility.md.
LOCKDEP = ''.join(f'{1000 * n + 100 * i + i * i} {STEPS[c].format(f"{n % 2} {5 + n % 3} {0x1000 + 16 * n:#x}")} {steps}\n'
                  for n, steps in enumerate(s for k in range(1, 5) for s in map(''.join, itertools.product(STEPS, repeat=k)))
                  if not re.search('R[CD]', steps)
                  for i, c in enumerate(steps))
WORK = ''.join(f'{9000 * i + 1} raise {i % 2} {1 + i % 3 * 3}\n{9000 * i + 1000 + i} entry {i % 2} {1 + i % 3 * 3}\n'
               f'{9000 * i + 3000 + 2 * i} exit {i % 2} {1 + i % 3 * 3}\n'
               f'{9000 * i + 4000} irq_entry {i % 2} 36 disk\n{9000 * i + 5000 + 3 * i} irq_exit {i % 2} 36\n'
               for i in range(30))

# maker and its options, its list (None: a recording), command lines with the file for F
CASES = [
    (None, 'kvm/exits.data', ['kvm -i F stat report' + o for o in
                              ('', ' -k time', ' --event mmio', ' --event ioport', ' --event msr', ' -p 1')]),
    ('kmem', SLAB, ['kmem -i F --raw-ip' + o + ' stat' for o in
                    ('', ' --caller', ' --alloc', ' --caller -s hit,bytes', ' --alloc -s ptr', ' --alloc -s pingpong,ptr -l 4',
                     ' --caller -s callsite -l 3')]),
    ('page', PAGES, ['kmem -i F --page' + o + ' stat' for o in
                     ('', ' --live')]),
    ('lock', WAITS, ['lock --kallsyms K -i F ' + o for o in
                     ('contention', 'contention -t', 'contention -k contended', 'contention -F wait_min,contended -k wait_max',
                      'report', 'report -t', 'report -k wait_total -F acquired,avg_wait',
                      'info -t', 'info -m')]),
    ('lock --lockdep', LOCKDEP, ['lock -i F ' + o for o in
                                 ('report', 'report -c', 'report -k contended -F wait_max,wait_total,acquired', 'info -t', 'info -m')]),
    ('kwork', WORK, ['kwork ' + o + ' -i F' for o in
                     ('report', 'report -s count', 'latency', 'latency -s max', 'timehist', 'report -C 1', '-k irq report',
                      '-k softirq timehist', 'timehist -n TIMER', 'report --time 0.0001,0.0002')]),
]


def table(perf, words):
    """Sorted lines of what it prints, without the names of types of memory (doc/compatibility.md)."""
    p = subprocess.run([perf] + words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return p.returncode, sorted(x for x in p.stdout.decode(errors='replace').splitlines() if not x.startswith('Order '))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for maker, source, commands in CASES:
            name, *options = (maker or 'none').split()
            path = pathlib.Path(tmp) / f'{name}.data' if maker else TESTS / 'data' / source
            if maker:
                subprocess.run([sys.executable, '-S', TESTS / f'tools/make_{name}_file.py', path] + options, input=source, text=True, check=True)
            for command in commands:
                words = [{'F': str(path), 'K': str(KALLSYMS)}.get(w, w) for w in command.split()]
                ours, theirs = table(args.perf, words), table(args.reference, words)
                if ours == theirs and len(ours[1]) > 2:
                    passed += 1
                    continue
                failed += 1
                print(f'{command}: ours {ours[0]}, the reference {theirs[0]}')
                for sign, lines, others in (('-', theirs[1], ours[1]), ('+', ours[1], theirs[1])):
                    print(''.join(f'  {sign}{line}\n' for line in [x for x in lines if x not in others][:5]), end='')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
