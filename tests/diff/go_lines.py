#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of source lines and inlined calls of stripped Go programs: every few bytes of code, what we
say of the stripped program (source_dump) must be what `go tool addr2line` and our reading of the debug
information say of the same program with it. For several machines, and position independent.

    go_lines.py --dump SOURCE_DUMP [-v]

Skips what is not installed. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = HERE + '/lines/calls.go'
SKIP_EXIT = 77
STEP = 7
# Debug information counts the last byte of a function to the row before, has no lines for wrappers, and not all
# calls that are inlined into these.
EQUAL = .995
FORMS = {'amd64': [], '386': [], 'arm64': [], 'mips': [], 'pie': ['-buildmode=pie']}


def run(command, text=None, **env):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, input=text, text=True,
                          timeout=600, env=dict(os.environ, **env), check=False)


def text_section(path):
    """(address, offset, size) of .text"""
    m = re.search(r'\.text\s+PROGBITS\s+(\w+)\s+(\w+)\s+(\w+)', run(['readelf', '-SW', path]).stdout)
    return tuple(int(g, 16) for g in m.groups())


def ours(dump, path):
    """Frames by place in the code."""
    _, offset, size = text_section(path)
    out = run([dump, path], ''.join('%x\n' % (offset + n) for n in range(0, size, STEP))).stdout
    frames = []
    for line in out.splitlines():
        if ' ' not in line:
            frames.append([])
        else:
            frames[-1].append(line)
    return frames


def of_go(path):
    """Lines by place in the code; None: padding."""
    address, _, size = text_section(path)
    out = run(['go', 'tool', 'addr2line', path],
              ''.join('0x%x\n' % (address + n) for n in range(0, size, STEP))).stdout.splitlines()
    return [None if place.endswith(':-1') or place.startswith('?') else os.path.basename(place)
            for place in out[1::2]]


def compare(dump, folder, name, flags):
    """None: equal; else what is not. A Skip where the program cannot be built."""
    env = {'GOCACHE': folder + '/cache', 'HOME': folder, 'GOFLAGS': '-mod=mod', 'CGO_ENABLED': '0',
           'GOARCH': 'amd64' if name == 'pie' else name}
    paths = {}
    for kind, ldflags in (('plain', ''), ('stripped', '-s -w')):
        paths[kind] = '%s/%s-%s' % (folder, name, kind)
        r = run(['go', 'build', '-o', paths[kind], '-ldflags', ldflags] + flags + [PROGRAM], **env)
        if r.returncode:
            raise LookupError('cannot be built here: ' + r.stderr.strip()[:200])
    found = ours(dump, paths['stripped'])
    known = ours(dump, paths['plain'])
    if len(found) != len(known) or len(found) < 10000:
        return '%d and %d places' % (len(found), len(known))
    other = [(a, b) for a, b in zip(found, known) if a != b]
    if len(other) > len(found) * (1 - EQUAL):
        return '%d of %d places are not those of the debug information: %s' % (len(other), len(found), other[:5])
    if sum(len(f) > 1 for f in found) < len(found) / 20:
        return 'hardly anything is inlined'
    other = [(a, b) for a, b in zip(found, of_go(paths['plain'])) if b and (not a or a[0].split()[-1] != b)]
    return 'not the lines of go tool addr2line: %s' % other[:5] if other else None


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--dump', required=True)
    p.add_argument('-v', '--verbose', action='store_true')
    args = p.parse_args()
    if not shutil.which('go') or not shutil.which('readelf'):
        print('skip: no go or no readelf\n0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix='go-lines-') as folder:
        for name, flags in FORMS.items():
            try:
                why = compare(os.path.abspath(args.dump), folder, name, flags)
            except LookupError as e:
                skipped += 1
                print('skip %s: %s' % (name, e))
                continue
            passed += not why
            failed += bool(why)
            if why or args.verbose:
                print('%s %s %s' % ('FAIL' if why else 'ok  ', name, why or ''))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0 if passed else SKIP_EXIT


if __name__ == '__main__':
    sys.exit(main())
