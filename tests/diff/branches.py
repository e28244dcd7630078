#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Branch records: recordings made up over tests/data/branches/walk, through our perf and the installed
one; the texts must be equal.

    branches.py --perf BUILD/perf [--ref PERF] [--samples N]
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, '..', 'data', 'branches', 'walk')
MAKE = os.path.join(HERE, '..', 'tools', 'make_branch_file.py')
SKIP_EXIT = 77
SHOWN = 30

# Options of the generator.
LBR = '--lbr --hw-index --depth %d --steps %d'
FILES = ['--chain', '--chain --types', '--chain --no-flags', '--chain --no-cycles --hw-index', '',
         '--types --depth 32', '--chain --depth 2 --types', '--chain --depth 127',
         LBR % (3, 12), LBR % (4, 20), LBR % (8, 100), LBR % (32, 400), '--lbr --depth 6',
         '--chain --types --big-endian', '--lbr --depth 6 --hw-index --big-endian',
         LBR % (3, 12), LBR % (3, 12), LBR % (3, 12)]  # each has a seed of its own
COMMANDS = [
    'report --stdio --branch-history',
    'report --stdio --branch-history --no-children',
    'report --stdio --branch-history -g callee',
    'report --stdio --branch-history --no-children -g caller --max-stack 4',
    'report --stdio --branch-history --no-children -g callee --max-stack 3',
    'report --stdio --branch-history -s comm -g callee,0,count',
    'report --stdio --branch-history --no-children -g folded',
    'report --stdio --branch-history --no-children -t ,',
    'report --stdio --branch-history -s sym,dso',
    'report --stdio --no-branch-stack -g branch',
    'report --stdio --no-branch-stack -g callee,address,branch',
    'script -F +brstackinsn',
    'script -F comm,ip,sym,srcline,brstackinsnlen --max-blocks 3',
    'script -F time,ip,sym',
    'script -F time,ip,sym --stitch-lbr',
    'script -F time,ip,sym --max-stack 2',
    'report --stdio -g callee,address --stitch-lbr',
    'report --stdio -D',
    'report --stdio -v',
    'report --stdio -s dso_from,srcline_from',
    'report --stdio -s addr_from,addr_to -t,',
    'annotate --stdio', 'annotate --stdio loop', 'annotate --stdio -n --asm-raw recurse', 'annotate --stdio -d walk',
]
# Of two of the recordings; few rows are equally heavy in these.
PAIRS, PAIR_SAMPLES = [(0, 1), (1, 2), (2, 0)], '300'
PAIR_COMMANDS = ['diff --stream', 'diff', 'diff -s srcline,sym -p']
# The tip is a random one there.
LEFT_OUT = re.compile(r'^# \(Tip: .*\n', re.M)


def text_of(perf, command, files, env):
    done = subprocess.run([perf] + command.split() + files, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=env,
                          check=False)
    return LEFT_OUT.sub('', done.stdout)


def compare(args, what, command, files, env):
    """Whether the texts are equal; told if not."""
    ours, theirs = (text_of(x, command, files, env) for x in (args.perf, args.ref))
    if ours == theirs:
        return True
    print('FAIL: %s: %s' % (what, command))
    lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), 'reference', 'ours', n=1, lineterm='')
    print('\n'.join(list(lines)[:SHOWN]))
    return False


def compare_pairs(args, top, env):
    """How often the texts of two recordings' differences are equal, and how often not."""
    paths = []
    for seed in range(3):
        paths.append(os.path.join(top, str(seed)))
        subprocess.run([sys.executable, '-S', MAKE, os.path.realpath(PROGRAM), paths[-1], '--seed', str(seed + 1), '--samples',
                        PAIR_SAMPLES, '--chain'], check=True)
    done = [compare(args, 'recordings %d %d' % pair, command, [paths[i] for i in pair], env)
            for pair in PAIRS for command in PAIR_COMMANDS]
    return done.count(True), done.count(False)


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    p.add_argument('--ref', default='/usr/bin/perf')
    p.add_argument('--samples', default='100')
    args = p.parse_args()
    if not os.access(args.ref, os.X_OK):
        print('no %s to compare with' % args.ref)
        return SKIP_EXIT
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix='perf-branches-') as top:
        env = dict(os.environ, HOME=top, PERF_CONFIG='/dev/null', LC_ALL='C', TERM='dumb')
        path = os.path.join(top, 'perf.data')
        for seed, options in enumerate(FILES):
            subprocess.run([sys.executable, '-S', MAKE, os.path.realpath(PROGRAM), path, '--seed',
                            str(seed), '--samples', args.samples] + options.split(), check=True)
            for command in COMMANDS:
                if command.endswith('-D') and 'big-endian' in options:
                    continue  # its bytes are those of the file there, some of them turned round
                if compare(args, 'seed %d %s' % (seed, options), command, ['-i', path], env):
                    passed += 1
                else:
                    failed += 1
        pairs = compare_pairs(args, top, env)
    passed, failed = passed + pairs[0], failed + pairs[1]
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
