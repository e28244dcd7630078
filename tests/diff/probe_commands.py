#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf probe against the installed perf: what definitions become, what is listed, and what is said of wrong ones.

Nothing is added but in groups of this process's own, which are removed at the end.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIP_EXIT = 77
A = r'''
static __attribute__((noinline)) int dup(int x) { __asm__ volatile(""); return x + 1; }
int fa(int x) { return dup(x) * 2; }
int weakf(int x) __attribute__((weak));
int weakf(int x) { return x; }
int real(int x) { return x; }
extern __typeof(real) aliasname __attribute__((alias("real")));
static int local_alias(int) __attribute__((alias("real"), used));
int _under(int x) { return x; }
int part(int) __asm__("part.constprop.0");
int part(int x) { return x + 3; }
'''
B = r'''
#include <stdio.h>
#include <string.h>
struct inner { int a; char name[8]; };
struct outer { struct inner *in; struct inner arr[2]; long v; };
static __attribute__((noinline)) int dup(int x) { __asm__ volatile(""); return x + 2; }
int fa(int);
__attribute__((noinline)) int work(int n, const char *name, struct outer *o)
{
	int r = dup(n) + o->arr[1].a;
	if (name)
		r += strlen(name);
	return r + fa(n);
}
int main(int argc, char **argv)
{
	struct outer o = { 0 };
	o.in = &o.arr[1];
	o.arr[0].a = argc;
	printf("%d\n", work(argc, argv[0], &o));
	return 0;
}
'''
# For -D, with and without debug information.
POINTS = r'''
main
main+4
main+0x4 a=%di
main%return
main%return $retval
main%return ret=$retval:s32
dup
dup%return
e=dup
g:e=dup
weakf
real
aliasname
local_alias
_under
part.constprop.0
fa
f*
wor[jk]
?ork%return
main*
0x1139
e=0x1139%return
0x1139 %di
main %di x=%si:x64 $stack0 $stack +8(%sp):u64 s=+0(+8(%sp)):string $comm $arg1 @0x1234 \1
main x=%di:b3@4/8 y=%di:u8[2] z=+u0(%di):ustring
work n
work n name:string v=o->v o->in->a b=o->arr[1].a:x32 o->arr[1].name:string w=o[1].v
work $params
work:3
work:3 r
work:2 n
work@b.c:2
b.c:8
work@b.c
work@b.c%return
work@b.c+4
work@a.c
b.c:999
nosuch.c:3
main:999
work o->nofield
work n->x
work o.v
work nothing
nothing
nothing%return
n\:\:othing
main+9999
main+zz
main:zz
main%foo
main:1+3
main:3;x
+5
@b.c
b.c:0
main@b.c@x
foo-bar=main
:bar=main
=main
a:b:c=main
0x10zz
0x
main+4%return
main x-
main x[a]
main x[1]y
main x->y-
%sdt_a:b+3
sdt_a:b%return
%foo=bar
'''
# Of a program that is not position-independent; the reference finds no returns and aliases in it.
FIXED_POINTS = r'''
main
main+4
dup
f*
work:3 r
work $params
b.c:8
e=0x1139
'''
# Whole command lines; $P the program, $G a group of ours, $E the end of a name.
COMMANDS = r'''
-x $P -F
-x $P -F 'f* | w*'
-x $P -F '!(f*|w*) & !*@plt & *a*'
-x $P -F '('
-x $P -F ''
-x $P -n main
-x $P -n -a main -a 'dup%return $retval'
-x $P -n 'main+4 x=%di'
-x $P -n 0x1139
-x $P --max-probes 1 -D dup
-x $P -x $P -D main
-x $P $G:a$E=main
-x $P $G:a$E=main
-f -x $P $G:a$E=main
-x $P '$G:b$E=dup'
-x $P '$G:c$E=dup%return $retval'
-q -x $P '$G:d$E=work x=%di:u64'
-l '$G:*'
-l $G:a$E
-l a$E
-l '$G:[ab]*'
-d $G:b$E
-d $G:nothing
-d ''
-d '('
-l '$G:*'
-d '$G:*'
-d '$G:*'
-x nowhere -D main
-x / -D main
-m no_module_of_ours -F
-k nowhere main
-q -v -l
-a x -d y
-F -l
-l -x $P
-D main -x $P
-V 'main x'
--bootconfig -x $P -D main
-D vfs_read
-D vfs_read+4
-D 'vfs_rea*'
-D vfs_nothing
-F 'vfs_r*'
-h
'''
DEBUG_COMMANDS = r'''
-x $P -L main
-x $P -L work:2-3
-x $P -L work:1+2
-x $P -L b.c:7-9
-x $P -L nothing
-x $P -L main:x
-x $P -L main:5-3
-x $P -V main
-x $P -V work
-x $P -V work:2
-x $P --externs -V main
-x $P --range -V work
-x $P --filter 'n*' -V work
-x $P --filter 'nothing' -V work
-x $P -n 'work n name:string o->v o->arr[1].a:u8'
-x $P -n work:3
-x $P -q '$G:l$E=work:2'
-l $G:l$E
-d $G:l$E
'''


def clean(data):
    """One hint of the reference names a way that there is not, its paths have an empty part, and it tells twice that
    an offset is too large."""
    data = re.sub(rb'^Failed to get call frame on .*\n', b'', data)
    return data.replace(b"       or set 'force=yes' in BPF source.\n", b'').replace(b'tracing//', b'tracing/')


def run(perf, words, env, cwd):
    p = subprocess.run('exec %s probe %s' % (perf, words), shell=True, env=env, cwd=cwd, timeout=300,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return clean(p.stdout), p.returncode


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--perf', required=True)
    p.add_argument('--ref', default='/usr/bin/perf')
    args = p.parse_args()
    perf = os.path.abspath(args.perf)
    if not os.path.exists(args.ref) or not shutil.which('gcc') or os.geteuid() or \
            not os.path.exists('/sys/kernel/tracing/uprobe_events'):
        print('skipped: needs the reference, gcc, root and uprobe events')
        return SKIP_EXIT
    top = tempfile.mkdtemp(prefix='diff-probe-')
    env = dict(PATH=os.environ['PATH'], HOME=top, LC_ALL='C', TERM='dumb')
    bad = count = 0
    try:
        for name, text in ('a.c', A), ('b.c', B):
            with open(os.path.join(top, name), 'w') as f:
                f.write(text)
        for name, flags in ('debugged', '-g'), ('bare', ''), ('fixed', '-g -no-pie'):
            subprocess.run('gcc -O1 %s -fno-inline -Wl,--build-id=0x%s -o %s a.c b.c' %
                           (flags, name.encode().hex(), name), shell=True, cwd=top, check=True)
            points, lines = (FIXED_POINTS, '') if name == 'fixed' else (POINTS, COMMANDS)
            lines = lines.rstrip() + (DEBUG_COMMANDS if name == 'debugged' else '')
            words = ["-x ./%s -D '%s'" % (name, x) for x in points.strip().split('\n')]
            words += [x.replace('$P', './' + name) for x in lines.strip().split('\n') if x]
            for w in words:
                # the same words for both; each with groups and names of its own, of the same length
                mine, theirs = ('%s%s%d' % (who, name[0], os.getpid()) for who in 'or')
                got, ref = (run(q, w.replace('$G', own).replace('$E', '_' + own), env, top)
                            for q, own in ((perf, mine), (args.ref, theirs)))
                ref = (ref[0].replace(theirs.encode(), mine.encode()), ref[1])
                count += 1
                if got != ref:
                    bad += 1
                    print('differs: perf probe %s\n--- reference, exit %d\n%s--- ours, exit %d\n%s' %
                          (w, ref[1], ref[0].decode('utf-8', 'replace'), got[1], got[0].decode('utf-8', 'replace')))
    finally:
        for q in perf, args.ref:
            run(q, "-q -d '??%d:*'" % os.getpid(), env, top)
        shutil.rmtree(top, ignore_errors=True)
    print('%d command lines, %d differ' % (count, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
