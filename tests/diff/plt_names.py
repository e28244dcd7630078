#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of the names of PLT entries: one program, linked in many ways; the slot that each
entry jumps through (by objdump) and the relocation that fills it (by readelf) tell the function.

    plt_names.py --lookup DSO_LOOKUP

Skips what is not installed. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIP_EXIT = 77
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int one(int x) { return x + 1; }
static int (*resolve(void))(int) { return one; }
int chosen(int) __attribute__((ifunc("resolve")));
int (*taken)(const char *) = puts;
void (*released)(void *) = free;
int main(int argc, char **argv)
{
	char *s = strdup(argv[0]);

	printf("%s %d\\n", s, chosen(argc));
	released(s);
	free(malloc(3));
	taken("a");
	puts("b");
	return strlen(argv[0]) + getpid() > 1000;
}
"""
FORMS = [
    ('gcc',), ('gcc', '-Wl,-z,now'), ('gcc', '-Wl,-z,lazy'), ('gcc', '-no-pie', '-fno-pie'),
    ('gcc', '-fcf-protection=full', '-Wl,-z,ibtplt'), ('gcc', '-fuse-ld=gold'),
    ('gcc', '-static'), ('gcc', '-static-pie'),
    ('clang',), ('clang', '-fuse-ld=lld'), ('clang', '-fuse-ld=lld', '-no-pie', '-fno-pie'),
    ('clang', '-fuse-ld=lld', '-Wl,-z,retpolineplt'), ('clang', '-fuse-ld=lld', '-Wl,-z,retpolineplt,-z,now'),
]


def out_of(*words, text=None):
    return subprocess.run(words, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout


def relocations(path):
    """Slot -> function; None: an IFUNC."""
    found = {}
    for slot, rest in re.findall(r'^([0-9a-f]+)\s+[0-9a-f]+\s+R_\S+\s*(.*)$', out_of('readelf', '-rW', path), re.M):
        words = rest.split()
        found[int(slot, 16)] = words[1].split('@')[0] if len(words) > 1 else None
    return found


def entries(path):
    """(offset in the file, function) of all entries whose slot is known."""
    slots = relocations(path)
    for name, *numbers in re.findall(r'\] (\S*plt\S*)\s+PROGBITS\s+(\w+) (\w+)', out_of('readelf', '-SW', path)):
        addr, offset = (int(n, 16) for n in numbers)
        code = out_of('objdump', '-d', '-j', name, '--no-show-raw-insn', path)
        for at, slot in re.findall(r'^\s+([0-9a-f]+):\s+(?:bnd )?(?:jmp\s+\*|mov\s).*# (?:0x)?([0-9a-f]+)', code, re.M):
            if int(slot, 16) in slots:
                yield int(at, 16) - addr + offset, slots[int(slot, 16)]


def differences(lookup, path):
    want = list(entries(path))
    got = out_of(lookup, path, '-', text=''.join('%x\n' % at for at, _ in want)).splitlines()
    bad = [] if want else ['no entries']
    for (at, name), line in zip(want, got):
        m = re.match(r'\w+ (\S+)@plt\+0x([04])$', line)  # 4: the jump follows an endbr64
        # An IFUNC has the name of its resolver.
        if not m or name not in (None, m[1]):
            bad.append((hex(at), name, line))
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lookup', required=True)
    args = parser.parse_args()
    passed = failed = skipped = 0
    if not shutil.which('objdump') or not shutil.which('readelf'):
        print('0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/p.c', 'w', encoding='ascii') as f:
            f.write(SOURCE)
        for i, form in enumerate(FORMS):
            path = '%s/program-%d' % (folder, i)
            done = shutil.which(form[0]) and subprocess.run(
                [*form, '-O1', '-o', path, folder + '/p.c'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False).returncode == 0 and os.path.exists(path)
            if not done:
                print('skipped: ' + ' '.join(form))
                skipped += 1
                continue
            bad = differences(args.lookup, path)
            passed, failed = passed + (not bad), failed + bool(bad)
            for line in bad[:3]:
                print('not ok: %s: %s' % (' '.join(form), line))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0 if passed else SKIP_EXIT


if __name__ == '__main__':
    sys.exit(main())
