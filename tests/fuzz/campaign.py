#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A campaign: every fuzz target for some time, with a seed of its own.

    campaign.py [--seconds N] [--seed N] [--out DIR] [--only NAME]... BUILD

BUILD is a clang build with -Dfuzz=search.  The tests of suite `fuzz` run the corpus alone, so that their
result depends on the tree and on nothing else; what nobody has thought of is looked for here.  New inputs
go to DIR/NAME (BUILD/found by default) and are where the next campaign starts; what fails is kept as
DIR/NAME-crash-*, -timeout-* or -oom-*: mend it and add it, made small, to the corpus (doc/howto/add-test.md).
"""
import argparse
import os
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Targets that start from the inputs of other tests.
CORPORA = {'perfdata_file': os.path.join(FOLDER, '..', 'data', 'perfdata'),
           'disasm': os.path.join(FOLDER, 'corpus', 'x86_insn'),
           'unwind_cfi': os.path.join(FOLDER, 'corpus', 'elf_symbols')}


def run_target(args, exe, name):
    """True if nothing was found."""
    found = os.path.join(args.out, name)
    os.makedirs(found, exist_ok=True)
    log = found + '.log'
    argv = [exe, '-seed=%d' % args.seed, '-max_total_time=%d' % args.seconds, '-rss_limit_mb=2048', '-timeout=20',
            '-max_len=65536', '-artifact_prefix=' + found + '-', found,
            CORPORA.get(name, os.path.join(FOLDER, 'corpus', name))]
    with open(log, 'wb') as out:
        rc = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    print('%-20s %s' % (name, 'nothing found' if rc == 0 else 'FOUND, see ' + log), flush=True)
    return rc == 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--seconds', type=int, default=120, help='for each target')
    p.add_argument('--seed', type=int, default=0, help='0: another one each time')
    p.add_argument('--out', help='where finds go')
    p.add_argument('--only', action='append', default=[], metavar='NAME', help='this target alone')
    p.add_argument('build')
    args = p.parse_args()
    folder = os.path.join(args.build, 'tests', 'fuzz')
    args.out = os.path.abspath(args.out or os.path.join(folder, 'found'))
    names = sorted(n[len('fuzz_'):] for n in os.listdir(folder) if n.startswith('fuzz_') and not n.endswith('.p'))
    names = [n for n in names if not args.only or n in args.only]
    if not names:
        sys.exit('error: no fuzz target in %s: configure with CC=clang and -Dfuzz=search' % folder)
    results = [run_target(args, os.path.join(folder, 'fuzz_' + n), n) for n in names]
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main())
