#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf diff -c cycles beside sums made here of what perf script -F brstack prints.

A block ends where a branch came from, and begins where the one before it went to, if that is in the same function and
not behind; of blocks with one end the lowest beginning counts, else that of the function. Branches without cycles are
no measurement, nor are samples whose latest branch has none.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
BRANCH = re.compile(r'0x([0-9a-f]+)/0x([0-9a-f]+)/[^/]*/[^/]*/[^/]*/(\d+)')


def run(*words, cwd=None):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True, cwd=cwd).stdout


def functions_of(program):
    """(begin, name), the last one first."""
    found = re.findall(r'^([0-9a-f]+) [Tt] (\w+)$', run('nm', program), re.M)
    return sorted(((int(addr, 16), name) for addr, name in found), reverse=True)


def function_at(functions, addr):
    return next((f for f in functions if f[0] <= addr), None)


def sum_up(perf, recording, functions):
    """{(function, end): [begin or None, cycles, branches]} and the functions that were sampled."""
    blocks = collections.defaultdict(lambda: [None, 0, 0])
    for line in run(perf, 'script', '-f', '-F', 'time,brstack', '-i', recording).splitlines():
        branches = [(int(a, 16), int(b, 16), int(c)) for a, b, c in BRANCH.findall(line)]
        if not branches or not branches[0][2]:
            continue
        for (end, _, cycles), older in zip(branches, branches[1:] + [None]):
            function = function_at(functions, end)
            if not cycles or not function:
                continue
            block = blocks[function, end]
            begin = older[1] if older and older[1] <= end and function_at(functions, older[1]) == function else None
            if begin is not None:
                block[0] = begin if block[0] is None else min(block[0], begin)
            block[1] += cycles
            block[2] += 1
    return blocks


def expected(base, new, sampled):
    """{range: (cycles in the base or None, cycles in the new one)}: averages, rounded down."""
    averages = []
    for blocks in (base, new):
        sums = {}
        for ((begin, name), end), (start, cycles, nr) in blocks.items():
            if name in sampled:
                sums[f'[{name}+{(begin if start is None else start) - begin} -> {name}+{end - begin}]'] = cycles // nr
        averages.append(sums)
    return {place: (averages[0].get(place), cycles) for place, cycles in averages[1].items()}


def printed(perf, files, symfs):
    out = json.loads(run(perf, 'diff', '-f', '--symfs', symfs, '--json', '-c', 'cycles', *files))
    cells = [row['cells'] for row in out['sections'][0]['rows']]
    return {c['range']: (c['base_cycles'], c['cycles']) for c in cells}, {c['symbol'] for c in cells}


def compare(perf, maker, program, folder, seed, options):
    files = []
    for i in range(2):
        files.append(folder / f'{seed}-{i}.data')
        run(sys.executable, maker, program, files[-1], '--as', '/walk', '--samples', 200, '--depth', 12, '--seed', seed + i, *options)
    functions = functions_of(program)
    got, sampled = printed(perf, files, folder)
    want = expected(*(sum_up(perf, f, functions) for f in files), sampled)
    wrong = sorted(place for place in got.keys() | want.keys() if got.get(place) != want.get(place))
    for place in wrong[:10]:
        print(f'{" ".join(options)} seed {seed}: {place}: diff {got.get(place)}, by hand {want.get(place)}')
    return len(got), len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--data', required=True)
    args = parser.parse_args()
    data = pathlib.Path(args.data).resolve()
    if not shutil.which('strip') or not shutil.which('nm'):
        print('strip and nm of binutils are missing')
        return SKIPPED
    blocks = wrong = 0
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        # without lines blocks are told by offsets
        run('strip', '-g', '-o', folder / 'walk', data / 'branches/walk')
        for seed, options in ((1, ['--chain', '--types']), (3, ['--chain', '--hw-index']), (5, [])):
            counts = compare(pathlib.Path(args.perf).resolve(), data / '../tools/make_branch_file.py', data / 'branches/walk', folder, seed, options)
            blocks, wrong = blocks + counts[0], wrong + counts[1]
    print(f'{blocks} blocks, {wrong} differ')
    return 1 if wrong or blocks < 30 else 0


if __name__ == '__main__':
    sys.exit(main())
