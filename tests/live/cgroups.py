#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf stat --for-each-cgroup: names and patterns, the same groups as the installed perf's, in order of their
names; what runs in a group is counted there."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys

from live_case import Skip, Suite, need_root, show

TOP = 'live-cgroups-%d' % os.getpid()
GROUPS = ['', '/a', '/a/inner', '/b', '/b+c']
# TOP: the name of a group of this test alone
LISTS = ['TOP', 'TOP/a,TOP/b', 'TOP/b,TOP/a', 'TOP,TOP', 'TOP/a,', ',TOP/a', 'TOP/a,,TOP/b', 'TOP/a,/', '/TOP/a', '/TOP/a,TOP/a', 'TOP/', '^TOP', 'TOP/[ab]$', 'TOP/*', 'TOP.*r$',
         '^TOP$,TOP/b$', 'TOP/.$', 'TOP/b+c', 'TOP/[ab]', 'TOP/a,^TOP/b', 'TOP/a.inner$']
WRONG = ['TOP/nosuch', 'TOP/(a|b)', 'TOP/A$', 'TOP/a,TOP/nosuch', 'TOP/nosuch$', 'TOP/a.inner', '^/TOP', 'TOP/[', 'TOP/\\\\(a$']


@contextlib.contextmanager
def groups():
    mounts = [line.split() for line in pathlib.Path('/proc/mounts').read_text(encoding='utf-8').splitlines()]
    v1 = [m[1] for m in mounts if m[2] == 'cgroup' and 'perf_event' in m[3].split(',')]
    v2 = [m[1] for m in mounts if m[2] == 'cgroup2']
    if not v1 and not v2:
        raise Skip('no cgroup hierarchy for perf events')
    top = pathlib.Path((v1 + v2)[0], TOP)
    try:
        for name in GROUPS:
            pathlib.Path(str(top) + name).mkdir()
    except OSError as why:
        raise Skip('no cgroup can be made: %s' % why) from None
    try:
        yield top
    finally:
        for name in reversed(GROUPS):
            pathlib.Path(str(top) + name).rmdir()


def rows(c, tool, names):
    r = c.sh("\"%s\" stat -x, -a -e cpu-clock,page-faults --for-each-cgroup '%s' true" % (tool, names))
    return r, [tuple(line.split(',')[2:4]) for line in r.err.splitlines() if line.count(',') > 5]


def same(c, names):
    ours, mine = rows(c, c.perf, names)
    assert ours.status == 0, show(ours)
    assert mine and all(TOP in group or group == '/' for _, group in mine), mine
    if not c.ref:
        raise Skip('no reference')
    ref, theirs = rows(c, c.ref, names)
    assert ref.status == ours.status, show(ref) + show(ours)
    # the reference's order of patterns' groups is the kernel's
    if set('^*[$|+?(){}') & set(names):
        mine, theirs = sorted(mine), sorted(theirs)
    assert mine == theirs, (mine, theirs)


def wrong(c, names):
    r, counted = rows(c, c.perf, names)
    assert r.status == 234 and not counted and ('cgroup' in r.err.splitlines()[0]), show(r)
    assert not c.ref or rows(c, c.ref, names)[0].status == 234


def in_order(c):
    """Parents first, siblings by name."""
    seen = [group for _, group in rows(c, c.perf, '^%s' % TOP)[1]]
    assert seen == [TOP + name for name in sorted(GROUPS) for _ in range(2)], seen


def counted(c, top):
    """In the group that runs, and not in the one beside it."""
    with subprocess.Popen(['sh', '-c', 'echo $$ >%s/a/inner/cgroup.procs && while :; do :; done' % top]) as busy:
        try:
            for seconds in (0.3, 1, 5, 20):
                r = c.sh("perf stat -x, -a -e cpu-clock --for-each-cgroup '%s/[ab]' sleep %g" % (TOP, seconds))
                found = {group: value for value, group in
                         re.findall(r'^([\d.]+|<not counted>),msec,cpu-clock,([^,]+),', r.err, re.M)}
                if found.get(TOP + '/a/inner', '<')[0] != '<':
                    break
        finally:
            busy.kill()
            busy.wait()
    assert float(found[TOP + '/a']) > 0 and float(found[TOP + '/a/inner']) > 0, show(r)
    assert found[TOP + '/b'] == '<not counted>', show(r)


def main():
    c = Suite(__doc__)
    try:
        need_root()
        with groups() as top:
            for names in LISTS:
                c.check("'%s'" % names, same, c, names.replace('TOP', TOP))
            for names in WRONG:
                c.check("wrong: '%s'" % names, wrong, c, names.replace('TOP', TOP))
            c.check('order', in_order, c)
            c.check('counted', counted, c, top)
    except Skip as why:
        print('skip: %s' % why)
        c.skipped += 1
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
