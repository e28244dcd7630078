#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of source lines and inlined functions: programs of lines/, compiled by gcc and
clang in every version of DWARF, plain and compressed, with separate debug information, split (.dwo),
packed (.dwp), with type units; every few bytes of code, what we say (source_dump) and what LLVM's
addr2line says must be equal.

    source_lines.py --dump SOURCE_DUMP [-v]

Skips what is not installed. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIP_EXIT = 77
STEP = 3
CPU_LIMIT = 1  # seconds; it takes a tenth of one

# Name, flags, what is done with the debug information afterwards.
FORMS = [
    ('dwarf-2', ['-gdwarf-2'], None), ('dwarf-3', ['-gdwarf-3'], None),
    ('dwarf-4', ['-gdwarf-4'], None), ('dwarf-5', ['-gdwarf-5'], None),
    ('dwarf-5 compressed', ['-gdwarf-5', '-gz'], None),
    ('dwarf-4 separate', ['-gdwarf-4'], 'separate'), ('dwarf-5 separate', ['-gdwarf-5'], 'separate'),
    ('sections', ['-gdwarf-5', '-ffunction-sections', '-Wl,--gc-sections'], None),
    ('dwarf-4 types', ['-gdwarf-4', '-fdebug-types-section'], None),
    ('dwarf-5 types', ['-gdwarf-5', '-fdebug-types-section'], None),
    ('dwarf-4 split', ['-gdwarf-4', '-gsplit-dwarf'], 'split'),
    ('dwarf-5 split', ['-gdwarf-5', '-gsplit-dwarf'], 'split'),
    ('dwarf-5 split types', ['-gdwarf-5', '-gsplit-dwarf', '-fdebug-types-section'], 'split'),
    ('dwarf-5 split sections', ['-gdwarf-5', '-gsplit-dwarf', '-ffunction-sections'], 'split'),
    ('dwarf-4 packed', ['-gdwarf-4', '-gsplit-dwarf'], 'dwp'),
    ('dwarf-5 packed', ['-gdwarf-5', '-gsplit-dwarf'], 'llvm-dwp'),
    ('dwarf-4 packed types', ['-gdwarf-4', '-gsplit-dwarf', '-fdebug-types-section'], 'dwp'),
]
SOURCES = {'main.c': ('gcc', 'clang'), 'classes.cc': ('g++', 'clang++')}


def text_section(path):
    """(address, offset, size) of .text"""
    out = subprocess.run(['readelf', '-SW', path], stdout=subprocess.PIPE, text=True, check=True)
    m = re.search(r'\.text\s+PROGBITS\s+(\w+)\s+(\w+)\s+(\w+)', out.stdout)
    return tuple(int(g, 16) for g in m.groups())


def place(text):
    text = re.sub(r' \(discriminator \d+\)', '', text)
    name, _, line = text.rpartition(':')
    return '??:0' if line in ('?', '0') or name == '??' else os.path.basename(name) + ':' + line


def reference(path, addresses):
    """One list of (function, place) per address."""
    out = subprocess.run(['llvm-addr2line', '-a', '-i', '-f', '-e', path], stdout=subprocess.PIPE,
                         input='\n'.join('%x' % a for a in addresses), text=True, check=True)
    frames = []
    lines = iter(out.stdout.splitlines())
    for line in lines:
        if line.startswith('0x'):
            frames.append([])
        else:
            frames[-1].append((line, place(next(lines))))
    return frames


def ours(dump, path, offsets):
    out = subprocess.run([dump, path], stdout=subprocess.PIPE, text=True, check=True,
                         input='\n'.join('%x' % o for o in offsets) + '\n')
    frames = []
    for line in out.stdout.splitlines():
        if ' ' not in line:
            frames.append([])
        else:
            frames[-1].append(tuple(line.rsplit(' ', 1)))
    return frames


def code_of(path):
    _, offset, size = text_section(path)
    with open(path, 'rb') as f:
        f.seek(offset)
        return f.read(size)


def frames_of(plain):
    """The reference's frames of a program with its debug information inside."""
    addr, _, size = text_section(plain)
    # The real function's name comes from the symbol table in ours.
    return [want[:-1] + [('-', want[-1][1])] for want in reference(plain, range(addr, addr + size, STEP))]


def differences(dump, path, wanted, verbose):
    """wanted: the reference's frames of the same code."""
    addr, offset, size = text_section(path)
    at = range(0, size, STEP)
    bad = 0
    for i, want, got in zip(at, wanted, ours(dump, path, [offset + i for i in at])):
        if want != got:
            bad += 1
            if verbose or bad == 1:
                print('%s: %x\n  addr2line: %s\n  ours:      %s' % (path, addr + i, want, got))
    return bad


def pack(tool, path, directory):
    """The .dwo files in one .dwp; what went wrong, else None."""
    if not shutil.which(tool):
        return 'no ' + tool
    done = subprocess.run([tool, '-e', path, '-o', path + '.dwp'], cwd=directory, text=True,
                          stderr=subprocess.PIPE, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 1)))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):  # as LLVM 14 with what gcc 12 writes
        return tool + ' does not end'
    if done.returncode:
        return (done.stderr.strip() or tool + ' failed').splitlines()[-1]
    for name in os.listdir(directory):
        if name.endswith('.dwo'):
            os.remove(os.path.join(directory, name))
    return None


def build(compiler, source, flags, then, directory, name='program'):
    path = os.path.join(directory, name)
    done = subprocess.run([compiler, '-O2'] + flags + ['-o', path, os.path.join(HERE, 'lines', source)],
                          stderr=subprocess.PIPE, text=True, cwd=directory, check=False)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1]
    if then == 'separate':
        subprocess.run(['objcopy', '--only-keep-debug', path, path + '.debug'], check=True)
        subprocess.run(['objcopy', '--strip-debug', '--strip-unneeded',
                        '--add-gnu-debuglink=' + path + '.debug', path], check=True)
    elif then and then.endswith('dwp'):
        why = pack(then, path, directory)
        return (None, why) if why else (path, None)
    elif then == 'split':
        assert any(name.endswith('.dwo') for name in os.listdir(directory)), os.listdir(directory)
    return path, None


def wanted_frames(compiler, source, flags, path, directory, known):
    """What is wrong, and the reference's frames of the program, which those of a form have that differs in what is split
    off (LLVM 14 loses inlined functions of split units that clang++ 14 writes). known: frames by flags and code."""
    whole = tuple(f for f in flags if f != '-gsplit-dwarf')
    code = code_of(path)
    if (whole, code) not in known:
        plain, why = path, None
        if len(whole) < len(flags):
            plain, why = build(compiler, source, list(whole), None, directory, 'plain')
        if not plain or len(code_of(plain)) != len(code):
            return why or 'other code without -gsplit-dwarf', None
        known[whole, code] = frames_of(plain)
    return None, known[whole, code]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--dump', required=True)
    parser.add_argument('-v', action='store_true')
    args = parser.parse_args()
    passed = failed = skipped = 0
    if not shutil.which('llvm-addr2line'):
        print('skipped: no llvm-addr2line (package llvm)')
        return SKIP_EXIT
    for source, compilers in SOURCES.items():
        for compiler in compilers:
            if not shutil.which(compiler):
                print('skipped: no %s' % compiler)
                skipped += 1
                continue
            known = {}
            for name, flags, then in FORMS:
                with tempfile.TemporaryDirectory() as directory:
                    path, why = build(compiler, source, flags, then, directory)
                    if not path:
                        print('skipped: %s %s: %s' % (compiler, name, why))
                        skipped += 1
                        continue
                    why, wanted = wanted_frames(compiler, source, flags, path, directory, known)
                    assert wanted, why
                    bad = differences(args.dump, path, wanted, args.v)
                if bad:
                    print('FAILED: %s %s %s: %d addresses' % (compiler, source, name, bad))
                    failed += 1
                else:
                    passed += 1
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
