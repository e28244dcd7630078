#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random options of perf stat, ours against the installed perf, as stat_text.py compares them: to find what
nobody has thought of. No part of the tests; what it finds becomes a line of stat/*.txt.

    hunt_stat.py --perf BUILD/perf --fake LIBFAKE_COUNTERS [--seed N] [--count N]
"""
import argparse
import difflib
import os
import random
import sys

import stat_text

EVENTS = ('cycles instructions branches branch-misses cache-references cache-misses L1-dcache-loads '
          'L1-dcache-load-misses LLC-loads dTLB-loads dTLB-load-misses iTLB-load-misses stalled-cycles-frontend '
          'stalled-cycles-backend ref-cycles cs migrations faults cycles:u instructions:k r1c9 '
          'task-clock cpu-clock bus-cycles cycles/name=abc/ cs/period=5/').split()
TARGETS = ('', '', '', '-a', '-a', '-C 0', '-C 0-1')
WIDE = ('-A', '--per-core', '--per-socket', '--per-die', '--per-node')
LOOKS = ('', '', '', '-x,', '-x;', '-j', '-B', '--no-big-num')
PLAIN = ('--no-scale', '-v', '--no-merge', '--all-user', '--all-kernel', '--no-inherit', '-d', '-dd', '-S',
         '--no-csv-summary', '--summary', '--metric-only', '-n', '--quiet', '-D 0', '--timeout 20000',
         '--append', '--no-metric-only', '--hybrid-merge', '-ddd', '--sync', '--null', '--pre true', '--post true')
REPEATED = ('-r 1', '-r 2', '-r 3 --table', '-r 2 -v')
INTERVALS = ('-I 60000', '-I 20 --interval-count 1', '-I 60000 --summary', '-I 60000 --no-csv-summary --summary')
# Options that perf itself gets wrong together: doc/compatibility.md.
WRONG = (('--metric-only', '-j'), ('-I', '-r'), ('--metric-only', '-r'), ('-I', 'task-clock'), ('-I', 'cpu-clock'),
         ('--metric-only', '-A'), ('-n', '--summary'), ('--null', '--summary'), ('-I', '-n'), ('-I', '--null'), ('-I', '--pre'), ('--all-user', '--all-kernel'),
         ('-I', '--timeout'), ('--metric-only', '-x'))


def line(r):
    words, target = [], r.choice(TARGETS)
    words.append(target)
    if target and r.random() < 0.5:
        words.append(r.choice(WIDE))
    words.append(r.choice(LOOKS))
    words += r.sample(PLAIN, r.choice((0, 0, 1, 1, 2)))
    if r.random() < 0.2:
        words.append(r.choice(REPEATED))
    elif r.random() < 0.25:
        words.append(r.choice(INTERVALS))
    if r.random() < 0.75:
        events = r.sample(EVENTS, r.choice((1, 2, 2, 3, 4, 6)))
        # what is made up and what is not do not mix
        if r.random() < 0.25 and not {'dummy', 'task-clock', 'cpu-clock'} & set(events):
            events = ['{%s}' % ','.join(events)]
        words.append('-e ' + ','.join(events))
    words.append('true')
    return ' '.join(w for w in words if w)


def is_wrong(text):
    return any(a in text and b in text for a, b in WRONG)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--perf', required=True)
    p.add_argument('--reference', default='/usr/bin/perf')
    p.add_argument('--fake', required=True)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--count', type=int, default=100)
    args = p.parse_args()
    r, bad, done = random.Random(args.seed), 0, 0
    while done < args.count:
        text = line(r)
        if is_wrong(text):
            continue
        done += 1
        words = text.split(' ')
        for _ in range(stat_text.TRIES):
            ours = stat_text.run(os.path.abspath(args.perf), words, os.path.abspath(args.fake), '/')
            theirs = stat_text.run(args.reference, words, os.path.abspath(args.fake), '/')
            if ours == theirs:
                break
        if ours != theirs:
            bad += 1
            print('perf stat %s: differs' % text)
            sys.stdout.writelines(d + '\n' for d in difflib.unified_diff(theirs, ours, 'reference', 'ours',
                                                                         lineterm='', n=0))
    print('%d command lines, %d differ' % (done, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
