#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf diff: its options on recordings of a program before and after a change, ours and the
installed perf's text equal. The program is recorded here, so that both find its symbols. What perf prints of code
without symbols is the address of one of the samples (doc/compatibility.md): such rows are compared without it.

    differences.py --perf build/perf

The last line is "N passed, N failed".
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from run import refused_alike

SOURCE = """
#include <stdlib.h>
volatile unsigned long sum;
__attribute__((noinline)) void alpha(int n) { for (int i = 0; i < n * 1000; i++) sum += i * i; }
__attribute__((noinline)) void beta(int n) { for (int i = 0; i < n * 1000; i++) sum ^= i; }
__attribute__((noinline)) void CHANGED(int n) { for (int i = 0; i < n * 1000; i++) sum -= i; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 60; i++) {
		alpha(atoi(argv[1]));
		beta(atoi(argv[2]));
		CHANGED(100);
	}
}
"""
COMMANDS = ['a b', 'a b c', '-c delta a b', '-c ratio a b', '-c wdiff:1,2 a b', '-p a b c', '-F a b', '-p -F -c wdiff:3,-1 a b c',
            '-F -c ratio a b', '-b a b', '-b -p a b c', '-o 0 a b', '-o 2 a b c', '-o 2 -c ratio a b c', '-s dso a b', '-s comm,dso a b',
            '-s sym a b', '-s symbol,dso a b', '-s pid a b', '-s srcline a b', '-s parent a b', '-s cpu,sym a b', '-t , a b', '-t , -p -F a b c', '-t ; -c ratio a b',
            '-q a b', '-S alpha,beta a b', '-S alpha,beta --percentage relative a b', '-d program --percentage relative a b',
            '-C program -c delta a b', '--pid 1 a b', '--tid 1 a b', '-o 5 a b', '--time 10%-50%,50%-70% a b', '--time 0%-50% a b', 'two a', 'a two',
            'two two', 'b', '', '-S alpha -c delta a b', '-t . a b', 'a nothere']
UNNAMED = re.compile(rb'(\[.\] )(0x[0-9a-f]{16}|\[unknown\]).*')


def environment(folder):
    """The build-id cache is in the folder, not the user's."""
    return dict(os.environ, HOME=str(folder), PERF_BUILDID_DIR=str(folder / '.debug'), PERF_CONFIG='/dev/null')


def record_once(folder, name, words):
    """The reference aborts at its end beside a system-wide recording by ours (doc/compatibility.md): then once more."""
    for _ in range(4):
        done = subprocess.run(['/usr/bin/perf', 'record', '-q', '-F', '999', '-o', folder / name] + words, check=False, env=environment(folder))
        if done.returncode >= 0:
            break
    done.check_returncode()


def record(folder):
    """Recordings a, b, c of two builds of the program, "two" of two events, and those that are read by default."""
    program = folder / 'program'
    for names, changed, rounds in (('a', 'gone', ['500', '500']), ('bc', 'come', ['700', '300'])):
        subprocess.run(['cc', '-O1', '-g', '-xc', '-', '-o', program, f'-DCHANGED={changed}'], input=SOURCE.encode(), check=True)
        for name in names:
            record_once(folder, name, ['-e', 'cpu-clock:u', program] + rounds)
    record_once(folder, 'two', ['-e', 'cpu-clock:u,task-clock:u', program, '600', '300'])
    (folder / 'perf.data.old').write_bytes((folder / 'a').read_bytes())
    (folder / 'perf.data').write_bytes((folder / 'b').read_bytes())


def output(perf, words, folder):
    done = subprocess.run([perf, 'diff', '-f'] + words, cwd=folder, capture_output=True, check=False, env=environment(folder))
    return UNNAMED.sub(rb'\1', done.stdout), done.returncode, done.stderr.decode(errors='replace')


def doubts(perf, folder):
    """Without the first build, its functions have no names: the other build's did not grow for certain, nor did they not. What is wrong, or nothing."""
    env = dict(environment(folder), PERF_BUILDID_DIR='/nothing')
    done = subprocess.run([perf, 'diff', '-f', '--fail-above', '5', 'a', 'b'], cwd=folder, capture_output=True, text=True, check=False,
                          env=env)
    named = subprocess.run([perf, 'diff', '-f', '-q', '--fail-above', '5', 'a', 'b'], cwd=folder, capture_output=True, text=True,
                           check=False, env=environment(folder))
    if done.returncode != 255 or 'have no names' not in done.stderr or not re.search(r'warning: program: of its code \d', done.stderr):
        return f'no doubt: exit {done.returncode}, {done.stderr}{done.stdout}'
    if named.returncode != 1 or ' grew by ' not in named.stderr:
        return f'no growth: exit {named.returncode}, {named.stderr}{named.stdout}'
    return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    args = parser.parse_args()
    ours = pathlib.Path(args.perf).resolve()
    failed = refused = 0
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        record(folder)
        for command in COMMANDS:
            ref, our = (output(p, command.split(), folder) for p in (args.reference, ours))
            if ref[1] and our[1]:  # no comparison
                verdict, why = refused_alike(ref[2], our[2], 'diff', command)
                refused += verdict != 'fail'
                failed += verdict == 'fail'
                print('\n'.join([f'refused: {command}'] + why))
                continue
            if ref[:2] == our[:2]:
                continue
            failed += 1
            print(f'differs: {command}: exit {ref[1]} and {our[1]}')
            for r, o in zip(ref[0].splitlines(), our[0].splitlines()):
                if r != o:
                    print(f'  - {r.decode()}\n  + {o.decode()}')
                    break
        wrong = doubts(ours, folder)
        if wrong:
            failed += 1
            print(wrong)
    print(f'{len(COMMANDS) + 1 - failed - refused} passed, {failed} failed, {refused} refused by both')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
