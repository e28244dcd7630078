#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf trace -i: lines and tables of the same recording, ours and the installed perf's equal, but for
what differs on purpose (doc/compatibility.md).

    trace.py --perf build/perf

The last line is "N passed, N failed".
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data'
LINES = ['', '--duration 0.02', '--failure', '-T', '--no-comm', '-T --no-comm --duration 0.005']
TABLES = ['-s', '-s --errno-summary', '-s --no-comm']
# What perf writes otherwise on purpose, in both.
ALIKE = [
    (r'0x[0-9a-f]+', '0x'),  # the reference cuts addresses of file names
    (r'\bflags?: [^,)]*', ''), (r'\bsig: \w+', ''), (r'\bbehavior: \w+', ''),  # names and numbers of constants
    (r'\b(mask|mode|advice|options): [^,)]*', ''), (r'(fcntl\(.*)\barg: [^,)]*', r'\1'), (r'umask\(.*', 'umask'), (r'\b(clone_flags|cmd|optname|protocol): [^,)]*', ''),
    (r'(?<=\d) \([^)]*\)', ''), (r'(?<=\d)<[^>]*>', ''),  # names of processes, files of descriptors
    (r'((?:getppid|getpgid|setsid)\(.*\) *= ).*', r'\1'),
    (r'\(unknown\) \(INTERNAL ERROR.*|ERESTART\w+ \(.*', 'restart'),
    (r'timeout(_msecs)?: \S+', ''),
    (r'[ ,]+', ' '),
]


def alike(line):
    for pattern, to in ALIKE:
        line = re.sub(pattern, to, line)
    return line.replace('( )', '()').replace(' )', ')').rstrip()


def tables(text):
    """Rows in no order: calls of rt_sigreturn, and those without a name, count here only."""
    rows = [re.sub(r', \d+ events, [\d.]+%', '', x) for x in text.splitlines() if not re.search('rt_sigreturn|syscall_1000|ENOSYS', x)]
    return sorted(x.rstrip() for x in rows if x.strip())


def apart(line):
    """A row without its deviation, and that: the reference sums up in floating point and may round to the next hundredth."""
    m = re.fullmatch(r'(.*?) +([\d.]+)%', line)
    return (m[1], float(m[2])) if m else (line, 0)


def equal(theirs, ours):
    return len(theirs) == len(ours) and all(a == b and abs(x - y) < 0.011 for (a, x), (b, y) in zip(map(apart, theirs), map(apart, ours)))


def run(perf, words):
    p = subprocess.run([perf, 'trace'] + words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return p.returncode, p.stdout.decode(errors='replace')


def compare(args, data, options):
    got = [run(perf, options.split() + ['-i', str(data)]) for perf in (args.reference, args.perf)]
    if 'stack smashing' in got[0][1] or 'assertion failed' in got[0][1]:
        return 'skip: the reference crashes'
    if '-s' in options.split():
        rows = [tables(text) for _, text in got]
    else:
        rows = [[alike(x) for x in text.splitlines() if 'syscall_1000' not in x] for _, text in got]
    if got[0][0] != got[1][0] or not equal(*rows) or len(rows[0]) < 3:
        theirs, ours = ([x for x in a if x not in b][:5] for a, b in (rows, rows[::-1]))
        return 'status %s, %s; theirs %s; ours %s' % (got[0][0], got[1][0], theirs, ours)
    return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [DATA / 'trace/calls.data']
        fresh = pathlib.Path(folder) / 'fresh.data'
        p = subprocess.run([args.perf, 'trace', 'record', '-o', str(fresh), 'sh', '-c',
                            'ls / >/dev/null; cat /nonexistent; (exit 3); cd /; umask 022; echo a | cat >/dev/null'],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if not p.returncode:
            files.append(fresh)
        for data in files:
            for options in LINES + TABLES:
                wrong = compare(args, data, options)
                passed += not wrong
                failed += bool(wrong) and not wrong.startswith('skip')
                if wrong:
                    print('trace %s -i %s: %s' % (options, data.name, wrong))
    print('%d passed, %d failed' % (passed, failed))
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
