#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""probe_values.py --perf BUILD/perf: what tracepoints in programs show of variables is what these hold.

A program with known values is compiled in several ways; probes fetch its variables, a recording shows them. Every
group has the number of this process in its name, so that runs beside each other do not meet.
"""
import itertools
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_case import Skip, Suite, need_root, show  # noqa: E402

PROGRAM = r'''
#include <string.h>
struct in { int x; char tag[8]; };
struct st {
	struct in in;
	struct in *p;
	unsigned int a : 3, b : 5;
	long long ll : 40;
	int arr[4];
	const char *name;
	struct st *next;
	union { int u; char c; };
};
static int counter = -77;
int zeros;
char text[16] = "hello";
static int grid[3][4] = { [1][2] = 12 };
struct st *head;

static inline __attribute__((always_inline)) int twice(int v)
{
	int r = v * 2;

	__asm__ volatile("" : "+r"(r));
	counter += r;
	return r + v;
}

__attribute__((noinline)) int leaf(int a, const char *name, struct st *o, struct in whole)
{
	int local = a + 1;

	__asm__ volatile("" : "+r"(local) : : "memory");
	if (a > 0) {
		int inside = a * 3;

		__asm__ volatile("" : "+r"(inside) : : "memory");
		counter += inside;
	}
	return local + o->in.x + name[0] + zeros + text[0] + grid[a & 1][2] + twice(a) + whole.x;
}

int main(int argc, char **argv)
{
	struct in in = { 5, "deep" };
	struct st t = { { -3, "tag" }, &in, 5, 17, 123456789012LL, { 1, 2, -33, 4 }, "nested", &t, { 7 } };
	int s = 0;

	(void)argv;
	head = &t;
	zeros = 4242;
	__asm__ volatile("" : : "r"(&in), "r"(&t) : "memory");
	s += leaf(argc, strlen(text) ? "argname" : "", head, in);
	return s == 1;
}
'''
FORMS = {
    'gcc O0 dwarf 4': 'gcc -O0 -gdwarf-4', 'gcc O0 dwarf 5': 'gcc -O0 -gdwarf-5',
    'gcc O2 dwarf 4': 'gcc -O2 -gdwarf-4', 'gcc O2 dwarf 5': 'gcc -O2 -gdwarf-5',
    'gcc at fixed addresses': 'gcc -O0 -no-pie', 'gcc split': 'gcc -O2 -gsplit-dwarf',
    'gcc with type units': 'gcc -O2 -fdebug-types-section',
    'clang O0': 'clang -O0', 'clang O2': 'clang -O2',
}
# What is asked for, and what is shown of it.
FETCHED = {
    'a': 'a=1', 'name:string': 'name_string="argname"', 'o->in.x': 'x=-3', 'tag=o->in.tag:string': 'tag="tag"',
    'deep=o->p->tag:string': 'deep="deep"', 'letter=o->p->tag[1]:u8': 'letter=101', 'bits=o->a': 'bits=5', 'o->b': 'b=17',
    'o->ll': 'll=123456789012', 'o->arr[2]': 'arr=-33', 'nested=o->next->name:string': 'nested="nested"', 'o->u': 'u=7',
    'zeros': 'zeros=4242', 'text:string': 'text_string="hello"', 'far=head->next->p->x': 'far=5',
    'hex=o->arr[2]:x16': 'hex=0xffdf',
}
NUMBERS = itertools.count()


class Probe:
    """A probe of its own group, which goes with it."""

    def __init__(self, t, binary, definition):
        self.t, self.group = t, 'pv%d_%d' % (os.getpid(), next(NUMBERS))
        r = t.sh("perf probe -q -x ./%s --add '%s:seen=%s'" % (binary, self.group, definition))
        assert r.status == 0, show(r)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.t.sh("perf probe -q --del '%s:*'" % self.group)

    def record(self, binary):
        data = self.group + '.data'
        r = self.t.sh('perf record -B -q -o %s -e %s:seen* ./%s; perf script -i %s -F trace' %
                      (data, self.group, binary, data))
        assert 'Failed' not in r.err and r.out.strip(), show(r)
        return r.out


def compiled(t, form):
    need_root()
    if not os.path.exists('/sys/kernel/tracing/uprobe_events'):
        raise Skip('the kernel has no uprobes, or tracefs is not mounted')
    command = FORMS[form]
    if not shutil.which(command.split()[0]):
        raise Skip('there is no ' + command.split()[0])
    name = re.sub(r'\W', '_', form)
    with open(os.path.join(t.here, name + '.c'), 'w', encoding='utf-8') as f:
        f.write(PROGRAM)
    r = t.sh('%s -g %s.c -o %s' % (command, name, name))
    if r.status:
        raise Skip('it cannot be compiled so: ' + r.err.strip().splitlines()[0])
    return name


def values(t, form):
    binary = compiled(t, form)
    with Probe(t, binary, 'leaf ' + ' '.join(FETCHED)) as p:
        out = p.record(binary)
    for asked, shown in FETCHED.items():
        assert shown in out.split() or shown in out, '%s is not %s in %s' % (asked, shown, out)


def static_and_array(t):
    """What an optimiser would take away."""
    binary = compiled(t, 'gcc O0 dwarf 5')
    with Probe(t, binary, 'leaf counter grid[1][2] whole.x end=whole.tag:string') as p:
        out = p.record(binary)
    for shown in ('counter=-77', 'grid=12', 'x=5', 'end="deep"'):
        assert shown in out, out


def inside_a_block(t):
    binary = compiled(t, 'gcc O0 dwarf 4')
    with Probe(t, binary, 'leaf:8 inside local a') as p:
        out = p.record(binary)
    assert 'inside=3 local=2 a=1' in out, out


def inlined(t):
    binary = compiled(t, 'gcc O2 dwarf 5')
    with Probe(t, binary, 'twice') as p:
        assert len(p.record(binary).splitlines()) == 1


def returned(t):
    binary = compiled(t, 'gcc O2 dwarf 5')
    with Probe(t, binary, 'leaf%return sum=$retval:s32') as p:
        out = p.record(binary)
    assert re.search(r'sum=%d\b' % (2 - 3 + ord('a') + 4242 + ord('h') + 12 + 3 + 5), out), out


def main():
    t = Suite(__doc__.splitlines()[0])
    for form in FORMS:
        t.check('values: ' + form, values, t, form)
    for case in (static_and_array, inside_a_block, inlined, returned):
        t.check(case.__name__, case, t)
    return t.close()


if __name__ == '__main__':
    sys.exit(main())
