#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf annotate: its options on recordings of programs that are known, ours and the installed perf's
text equal, but for what doc/compatibility.md says.

    annotate.py --perf build/perf [--reference PERF] [--keep FOLDER]

The last line is "N passed, N failed".
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHOWN = 30
C_SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
volatile unsigned long sum; double real; float part[64]; static char text[4096]; struct pair { int a; long b; } pairs[100];
static inline int square(int x)
{
	return x * x; /* inlined	with a tab */
}
__attribute__((noinline)) long integers(long n)
{
	long r = 0;
	for (long i = 0; i < n; i++) {
		if (i % 7 == 3)
			r += square((int)i);
		else if (i & 1)
			r ^= i << 3;
		sum += (unsigned long)r / 13;
	}
	return r;
}
__attribute__((noinline)) double floats(int n)
{
	for (int i = 0; i < n; i++) { real += i * 0.5; part[i % 64] *= (float)real; real = real > 1e9 ? 1 : real; }
	return real;
}
__attribute__((noinline)) int choice(int x)
{
	switch (x) { case 0: return 3; case 1: return 9; case 2: return 27; case 3: return 81; case 4: return 1; case 5: return 77; default: return x; }
}
__attribute__((noinline)) int structs(int n)
{
	int r = 0;
	for (int i = 0; i < n; i++) { pairs[i % 100].b += choice(i % 8); r += pairs[(i + 7) % 100].a++; }
	memset(text, r, sizeof(text)); /* calls elsewhere */
	return r + (int)strlen(text + 1);
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++) { integers(20000); floats(20000); structs(20000); }
	return 0;
}
"""
CPP_SOURCE = r"""
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace space { template <typename T> struct Box { T v; Box operator+(const Box &o) const; }; }
template <typename T> __attribute__((noinline)) space::Box<T> space::Box<T>::operator+(const Box &o) const { Box r = { v }; for (int i = 0; i < 50; i++) r.v = r.v * 3 + o.v; return r; }
static __attribute__((noinline)) int lambdas(std::vector<int> &v) { std::sort(v.begin(), v.end(), [](int a, int b) { return a % 100 < b % 100; }); return v[0]; }
int main(int, char **argv)
{
	std::map<std::string, long> names;
	std::vector<int> v(500);
	for (int i = 0; i < std::stoi(argv[1]) * 30; i++) {
		space::Box<long> a = { i }, b = { 2 };
		names[std::to_string(i % 50)] += (a + b).v;
		for (int k = 0; k < 500; k++) v[k] = (k * 7919 + i) % 1000;
		names["x"] += lambdas(v);
	}
	return names["x"] == 42;
}
"""
# (what is built: compiler, options), what is recorded
PROGRAMS = {'plain': ('cc', '-O1 -g', C_SOURCE), 'fast': ('cc', '-O2 -g -ffunction-sections', C_SOURCE), 'bare': ('cc', '-O1 -no-pie', C_SOURCE),
            'cpp': ('c++', '-O1 -g', CPP_SOURCE)}
EVENTS = {'plain': ['-e', 'cpu-clock:u'], 'fast': ['-e', '{cpu-clock:u,task-clock:u}'], 'bare': ['-e', 'cpu-clock:u,task-clock:u', '-g'],
          'cpp': ['-e', 'cpu-clock:u', '-g']}
COMMANDS = ['--stdio', '--stdio2', '--stdio integers', '--stdio2 structs', '--stdio -s floats', '--stdio -l integers', '--stdio -l -P integers',
            '--stdio -P floats', '--stdio -M intel integers', '--stdio -M intel floats', '--stdio2 -M intel structs', '--stdio2 -M intel floats', '--stdio2 floats',
            '--stdio --asm-raw integers', '--stdio --no-source integers', '--stdio2 --no-source structs', '--stdio -n structs',
            '--stdio --show-total-period structs', '--stdio2 -n structs', '--stdio2 --show-total-period structs', '--stdio --percent-type local-hits integers',
            '--stdio --percent-type global-period', '--stdio2 --percent-type local-hits integers', '--stdio -d libc.so.6',
            '--stdio -d nothing', '--stdio nothing', '--stdio --group integers', '--stdio2 --group structs', '--stdio --skip-missing', '--stdio -q integers',
            '--stdio --percent-limit 20', '--stdio -C 0', '--stdio --stdio-color always integers', '--stdio --stdio-color always -l structs',
            '--stdio --prefix /elsewhere integers', '--stdio --no-demangle', '--stdio -f main', '--stdio2 choice', '--stdio choice', '--stdio _start',
            '--stdio --group --percent-type local-hits integers', '--stdio --asm-raw -M intel choice', '--stdio2 --asm-raw integers',
            '--stdio -l -n integers', '--stdio -l --group structs']
CONFIGS = ['hide_src_code=true', 'use_offset=false', 'offset_level=2', 'offset_level=3', 'show_linenr=true', 'show_nr_jumps=true', 'show_nr_samples=true',
           'show_total_period=true', 'percent_type=local-hits']


def environment(folder, config=None):
    """The build-id cache is in the folder, not the user's."""
    env = dict(os.environ, HOME=str(folder), PERF_BUILDID_DIR=str(folder / '.debug'), PERF_CONFIG='/dev/null', LC_ALL='C', TERM='dumb')
    if config:
        path = folder / ('config-' + config)
        path.write_text('[annotate]\n\t%s\n' % config, encoding='ascii')
        env['PERF_CONFIG'] = str(path)
    return env


def record(perf, folder):
    for name, (compiler, options, source) in PROGRAMS.items():
        (folder / (name + '.c')).write_text(source, encoding='ascii')
        language = 'c++' if compiler == 'c++' else 'c'
        subprocess.run([compiler, *options.split(), '-x', language, name + '.c', '-o', name], cwd=folder, check=True)
        subprocess.run([perf, 'record', '-q', '-D', '20', '-F', '997', '-o', name + '.data', *EVENTS[name], './' + name, '250'], cwd=folder, check=True,
                       env=environment(folder))
    (folder / 'perf.data').write_bytes((folder / 'plain.data').read_bytes())


FUNCTION = re.compile(r'(?=^\S* (?:Percent|Samples|Period) +\|.*Disassembly|^Samples: |^\nSorted summary)', re.M)
CODE = re.compile(r'^[ \d.]* : +[0-9a-f]+:.*', re.M)
NAMES = re.compile(r' ?<[^>+].*>')


def scrubbed(text, words):
    """Without what doc/compatibility.md says is different here: the order of functions and lines with equal shares; calls of PLT entries in
    the terminal's text, and its column of bytes; what percentages a configured type is said to be; whether a place is told that was
    told in the function before; which of several inlined functions and names of one
    address objdump tells, of C++ and libc."""
    text = re.sub(r'→ call +(_init|\S+@plt)\s*$', '→ call PLT', text, flags=re.M)
    text = re.sub(r'percent: (local|global) (period|hits)(?=[\])])', 'percent', text)
    text = re.sub(r'^(-+)$', '-', text, flags=re.M)
    text = re.sub(r'(\x1b\[3\dm)? // \?\?:0(\x1b\[m)?', '', text)
    if '--asm-raw' in words:
        text = re.sub(' +', ' ', text)
        text = re.sub(' $', '', text, flags=re.M)
    text = re.sub(r'(?m)((?:^\S*(?: +[\d.]+\S*)+ [^ |]*:(?:\d+|\?)\n\S*)+)', lambda m: ''.join(sorted(m[1].splitlines(True))), text)
    parts = FUNCTION.split(text)
    if 'cpp.data' in words:
        parts = [NAMES.sub('', '\n'.join(CODE.findall(p))) for p in parts]
    return ''.join(parts[:1]) + ''.join(sorted(parts[1:]))


def output(perf, words, folder, config=None):
    done = subprocess.run([perf, 'annotate', *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=environment(folder, config))
    return scrubbed(done.stdout.decode(errors='backslashreplace'), words), done.returncode


def compare(args, folder, words, config=None):
    ours, theirs = (output(p, words, folder, config) for p in (args.perf, args.reference))
    if ours == theirs:
        return True
    print('differs: %s %s: exit %d and %d' % (' '.join(words), config or '', theirs[1], ours[1]))
    print('\n'.join(list(difflib.unified_diff(theirs[0].splitlines(), ours[0].splitlines(), 'reference', 'ours', n=1, lineterm=''))[:SHOWN]))
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    parser.add_argument('--keep')
    args = parser.parse_args()
    args.perf = str(pathlib.Path(args.perf).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix='annotate-') as tmp:
        folder = pathlib.Path(args.keep or tmp)
        if not (folder / 'perf.data').exists():
            record(args.perf, folder)
        # (of the other members of a group the installed perf shows 0.00 of all)
        jobs = [(c.split() + ['-i', name + '.data'], None) for name in PROGRAMS for c in COMMANDS if name != 'fast' or 'global' not in c]
        jobs += [(['--stdio2', '-i', 'fast.data', 'structs'], c) for c in CONFIGS] + [(['--stdio', '-i', 'plain.data', 'structs'], c) for c in CONFIGS]
        for words, config in jobs:
            same = compare(args, folder, words, config)
            passed += same
            failed += not same
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
