#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf probe with debug information: the program of probes/, compiled without and with
optimisation, in DWARF 4 and 5, by gcc and clang; definitions (-D), variables (-V) and lines (-L) of the
installed perf and of ours.

    probe.py --perf PERF [--reference PERF] [-v]

What the installed perf does not get right is left out of the comparison, and only there (doc/compatibility.md):
where bit fields begin, how memory of variables outside of functions is named, constants. Where it gives up, ours may
find more. Skips what is not installed. The last line is "N passed, N failed, N skipped".
"""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, 'probes')
SKIP_EXIT = 77

# clang leaves the table of addresses out, without which perf 6.1 does not find functions by address.
COMPILERS = [
    ('gcc', [['-O%d' % o, '-gdwarf-%d' % v] for o in (0, 2) for v in (4, 5)]),
    ('clang', [['-O%d' % o, '-gdwarf-%d' % v, '-gdwarf-aranges'] for o in (0, 2) for v in (4, 5)]),
]

POINTS = ['leaf', 'twice', 'in_header', 'other', 'helper', 'ptrs', 'nothing', 'main', 'leaf:3', 'leaf:7', 'leaf+4', 'tw*',
          'leaf@main.c', 'leaf@second.c', 'in_header@shared.h', 'leaf%return', 'nosuch', 'leaf:500']
ARGS = ['leaf $vars', 'leaf $params', 'leaf a', 'leaf name', 'leaf o', 'leaf o->in.x', 'leaf o->arr[2]', 'leaf byval.p->x',
        'leaf byval', 'leaf o->flag', 'leaf o->col', 'leaf o->d', 'leaf o->ua', 'leaf o->ub', 'leaf vol[1]', 'leaf vol',
        'leaf mu', 'leaf nosuch', 'leaf name:string', 'leaf o->name:string', 'leaf o->name:ustring',
        'leaf o->p->tag:string', 'leaf o->in.tag:string', 'leaf o->in.tag[2]', 'leaf o->in.uc', 'leaf a:x', 'leaf a:u',
        'leaf a:u8', 'leaf xx=a:x8', 'leaf o->next->next->p', 'leaf o->a', 'leaf o->b', 'leaf o->ll', 'leaf name[1]',
        'leaf counter', 'leaf text:string', 'leaf gouter.arr[1]', 'leaf%return $retval', 'leaf %ax %di:s32',
        'leaf o.name', 'leaf byval->arr', 'leaf a.b', 'leaf o->nosuch', 'leaf a:string', 'leaf o->arr:string',
        'leaf o->in', 'leaf o->in:x32', 'leaf a@user', 'ptrs argv[0]', 'ptrs argv[0]:string', 'ptrs argv',
        'ptrs pp', 'ptrs arr[1].x', 'ptrs arr[2].tag[1]', 'ptrs pa', 'ptrs fn', 'ptrs c', 'ptrs ch', 'ptrs s', 'ptrs uch',
        'main argc argv', 'leaf:7 a local', 'other a', 'helper z']
VARS = ['main', 'leaf', 'other', 'helper', 'nothing', 'leaf:7', 'leaf%return', 'nosuch']
LINES = ['main', 'leaf', 'twice', 'in_header', 'other', 'ptrs', 'leaf:3+4', 'leaf:3', 'leaf:3-200', 'twice:0-2', 'main.c',
         'second.c', 'shared.h', 'main.c:44', 'main.c:40-60', 'leaf@main.c', 'in_header@shared.h', 'nosuch', 'nosuch.c',
         'main:0-0', 'main:5-']


def run(perf, binary, argv, env):
    r = subprocess.run([perf, 'probe', '-x', binary] + argv, capture_output=True, text=True, env=env, timeout=60,
                       stdin=subprocess.DEVNULL, check=False)
    return r.returncode, r.stdout, r.stderr, argv


def scrub(line):
    """A definition without what the installed perf gets wrong."""
    line = re.sub(r'@\+0x[0-9a-f]+|@\w+[+-]\d+', '@ADDRESS', line)
    line = re.sub(r':b(\d+)@\d+/', r':b\1@/', line)
    # Garbage of constants; what two functions in one line are called.
    return re.sub(r'=\\[-\w]+', r'=\\CONSTANT', line)


def definitions(out):
    return sorted(scrub(line) for line in out.splitlines())


def refuses(result):
    return result[0] != 0


def places(lines):
    return {re.match(r'\S+ (\S+)', line).group(1) for line in lines}


def compare_definition(a, b):
    """None: as it should be."""
    ref, own = definitions(a[1]), definitions(b[1])
    if len(ref) == len(own) and '$' in ' '.join(b[3]) and all(set(x.split()) <= set(y.split()) for x, y in zip(ref, own)):
        return None  # variables that it does not find
    if ref == own and (ref or refuses(a) == refuses(b)):
        return None
    if refuses(a) and not refuses(b):
        # It gives up with the first of several places, or knows no member of that kind.
        known = ("don't support this variable location", 'sharing the address', 'Failed to get the offset',
                 'Mapping for the register', 'Failed to find the location')
        return None if any(k in a[2] for k in known) else 'the installed perf refuses: ' + a[2].strip()
    # A place where the variable is something that it takes for a constant.
    if set(own) < set(ref) and 'CONSTANT' in ' '.join(set(ref) - set(own)):
        return None
    # Of a function that is also called from elsewhere, clang tells in an order in which it sees one of the two.
    if set(ref) < set(own) and places(own) > places(ref):
        return None
    return '\n'.join(difflib.unified_diff(ref, own, 'installed', 'ours', lineterm=''))


def listed_variables(out):
    """By place."""
    found, place = {}, None
    for line in out.splitlines():
        if line.startswith('\t@'):
            place = found.setdefault(line, set())
        elif line.startswith('\t\t') and 'No matched' not in line:
            place.add(line)
    return found


def compare_variables(a, b):
    """Ours may know constants, too."""
    ref, own = listed_variables(a[1]), listed_variables(b[1])
    if a[0] == b[0] and set(ref) == set(own) and all(ref[p] <= own[p] for p in ref):
        return None
    return '\n'.join(difflib.unified_diff(a[1].splitlines(), b[1].splitlines(), 'installed', 'ours', lineterm=''))


def compare_lines(a, b):
    if a[:2] == b[:2]:
        return None
    return '\n'.join(difflib.unified_diff((a[1] + a[2]).splitlines(), (b[1] + b[2]).splitlines(), 'installed', 'ours',
                                          lineterm=''))


class Test:
    def __init__(self, args, folder):
        self.args = args
        self.env = dict(os.environ, PERF_BUILDID_DIR=os.path.join(folder, 'debug'), HOME=folder, DEBUGINFOD_URLS='')
        self.passed = self.failed = 0

    def check(self, binary, argv, compare):
        a = run(self.args.reference, binary, argv, self.env)
        b = run(self.args.perf, binary, argv, self.env)
        problem = compare(a, b)
        if problem is None:
            self.passed += 1
            return
        self.failed += 1
        print('FAIL %s: probe %s\n%s' % (os.path.basename(binary), ' '.join(argv), problem))

    def check_all(self, binary, optimised):
        with open(os.path.join(SOURCES, 'main.c'), encoding='utf-8') as f:
            lines = len(f.readlines())
        # In optimised code the installed perf refuses lines for addresses that are not theirs.
        points = ['main.c:%d' % n for n in range(1, lines + 1)] if not optimised else []
        for text in LINES:
            self.check(binary, ['-L', text], compare_lines)
        for text in POINTS:
            self.check(binary, ['-D', text], compare_definition)
        # Of clang's optimised code it does not always skip the prologue, where variables are not yet.
        if optimised and 'clang' in binary:
            return
        for text in ARGS + points:
            self.check(binary, ['-D', text], compare_definition)
        for text in VARS:
            self.check(binary, ['-V', text], compare_variables)
            self.check(binary, ['--externs', '-V', text], compare_variables)
            if not optimised:
                self.check(binary, ['--range', '-V', text], compare_variables)


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--perf', required=True)
    p.add_argument('--reference', default=shutil.which('perf'))
    p.add_argument('-v', '--verbose', action='store_true')
    args = p.parse_args()
    if not args.reference:
        print('no other perf is installed\n0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    version = subprocess.run([args.reference, '--version'], capture_output=True, text=True, check=False).stdout
    if 'version 6.1.' not in version.replace('\n', '.'):
        print('it is another version: %s\n0 passed, 0 failed, 1 skipped' % version.strip())
        return SKIP_EXIT
    skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        test = Test(args, folder)
        for compiler, forms in COMPILERS:
            if not shutil.which(compiler):
                skipped += len(forms)
                continue
            for flags in forms:
                binary = os.path.join(folder, '%s%s%s' % (compiler, flags[0], flags[1][-1]))
                files = [os.path.join(SOURCES, f) for f in ('main.c', 'second.c')]
                subprocess.run([compiler, '-g'] + flags + files + ['-o', binary], check=True)
                before = test.failed
                test.check_all(binary, flags[0] != '-O0')
                if args.verbose or test.failed > before:
                    print('%-30s %d failed' % (os.path.basename(binary), test.failed - before))
    print('%d passed, %d failed, %d skipped' % (test.passed, test.failed, skipped))
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
