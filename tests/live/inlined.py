#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf diff of two builds of a program, of which one has a function inlined: that is told where debug information proves
it, and nowhere else.

    inlined.py --perf BUILD/perf
"""
import json
import os
import shutil
import subprocess
import sys

from live_case import Suite

SOURCE = """
#include <stdio.h>
HOW unsigned mix(unsigned x) { for (int i = 0; i < 50; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; } return x; }
__attribute__((noinline)) unsigned slow(unsigned x) { for (int i = 0; i < 200; i++) x = mix(x) + i; return x; }
__attribute__((noinline)) unsigned other(unsigned x) { for (int i = 0; i < 200; i++) x = mix(x) * 3; return x; }
__attribute__((noinline)) unsigned plain(unsigned x) { for (int i = 0; i < 9000; i++) x = x * 5 + 1; return x; }
int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 12000; i++)
		x = FIRST ? plain(x) : other(slow(x));
	printf("%u\\n", x);
}
"""
APART = '-DHOW=static __attribute__((noinline))'
INLINE = '-DHOW=static inline __attribute__((always_inline))'


def build(suite, name, *flags):
    """A recording of a build of its own, with the program beside it."""
    folder = os.path.join(suite.top, name)
    os.makedirs(folder)
    source = os.path.join(folder, 'work.c')
    with open(source, 'w', encoding='ascii') as f:
        f.write(SOURCE)
    subprocess.run(['cc', '-O2', '-o', folder + '/work', source] + list(flags), check=True)
    path = folder + '/p.data'
    subprocess.run([suite.perf, 'record', '-q', '-F', '999', '-e', 'cpu-clock:u', '-o', path, folder + '/work'],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def told(suite, base, new):
    """The list of what is inlined, of the only event."""
    r = subprocess.run([suite.perf, 'diff', '--json', base, new], capture_output=True, text=True, check=True)
    sections = json.loads(r.stdout)['sections']
    found = [v for s in sections for v in s.get('inlined', [])]
    text = subprocess.run([suite.perf, 'diff', '--stdio', base, new], capture_output=True, text=True, check=True).stdout
    assert ('# inlined, as debug information tells:' in text) == bool(found), text
    for v in found:
        assert '#   %s in %s into %s\n' % (v['symbol'], v['file'], ' and '.join(v['into'])) in text, text
    return found


def inlined_in_new(suite):
    a, b = build(suite, 'a1', '-g', '-DFIRST=0', APART), build(suite, 'b1', '-g', '-DFIRST=0', INLINE)
    found = told(suite, a, b)
    wanted = [('mix', b, ['other', 'slow'])]  # in the order of their samples, of which both have about as many
    for v in found, told(suite, b, a):
        assert [(x['symbol'], x['file'], sorted(x['into'])) for x in v] == wanted, v


def no_debug_information(suite):
    a, b = build(suite, 'a2', '-g', '-DFIRST=0', APART), build(suite, 'b2', '-DFIRST=0', INLINE)
    assert not told(suite, a, b)


def function_not_called(suite):
    """It is there in both builds, and was sampled in one."""
    a, b = build(suite, 'a3', '-g', '-DFIRST=0', APART), build(suite, 'b3', '-g', '-DFIRST=(i >= 0)', APART)
    assert not told(suite, a, b)


def main():
    suite = Suite(__doc__)
    for case in (inlined_in_new, no_debug_information, function_not_called):
        suite.check(case.__name__, case, suite)
    return suite.close()


if __name__ == '__main__':
    shutil.which('cc') or sys.exit(print('skipped: no compiler') or 77)
    sys.exit(main())
