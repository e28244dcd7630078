#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What people do with `perf script`: fold its stacks, one line per distinct stack with its count, for
flame graphs. The parser below reads the text as such tools do and has to get the same stacks and
counts from ours as from the reference's text of the same fresh recording. (Entries of procedure
linkage tables count as the reference names them: often wrongly, see doc/compatibility.md.)"""
import collections
import re
import sys

from live_case import Skip, Suite, need_all_pids, show

# comm pid[/tid] [cpu] time: period event:
HEAD = re.compile(r'^(?P<comm>\S.*?)\s+-?\d+(/-?\d+)?\s+(\[\d+\]\s+)?\d+\.\d+:\s')
# address symbol+offset (object); symbols may have blanks and parentheses
FRAME = re.compile(r'^\s+(?P<ip>[0-9a-f]+) (?P<name>.+) \((?P<dso>.*)\)$')

# Names that nobody else on the machine has.
COMMANDS = {'folded-sh', 'folded-ls', 'folded-sort'}
COPIES = ''.join('cp -L $(command -v %s) %s; ' % (name[len('folded-'):], name) for name in sorted(COMMANDS))
WORK = 'for i in 1 2 3 4 5 6; do ./folded-ls -lR /usr/share/doc | ./folded-sort; done 2>&1'


def samples(text, of):
    """A list [comm, root, ..., leaf] per sample of the commands in the set OF."""
    found, comm, frames = [], None, []
    for line in text.splitlines() + ['']:
        if not line.strip():
            if comm in of:
                found.append([comm] + frames[::-1])
            comm, frames = None, []
        elif comm is None:
            head = HEAD.match(line)
            assert head, 'no head of a sample: ' + repr(line)
            comm = head['comm']
        else:
            frame = FRAME.match(line)
            assert frame, 'no frame: ' + repr(line)
            name = re.sub(r'\+0x[0-9a-f]+$', '', frame['name'])
            frames.append('[%s]' % frame['dso'].split('/')[-1] if name == '[unknown]' else name)
    return found


def with_plt_of(mine, theirs):
    """Our stack, entries of procedure linkage tables under the names that they have in theirs."""
    return [t if len(mine) == len(theirs) and m.endswith(('@plt', '.plt')) else m
            for m, t in zip(mine, theirs + mine[len(theirs):])]


def fold(stacks):
    """'comm;root;...;leaf' to the number of its samples."""
    return collections.Counter(';'.join(s) for s in stacks)


def compare(suite, what, options, script=''):
    if not suite.ref:
        raise Skip('no perf to compare with')
    if '-a' in options.split():
        need_all_pids()
    r = suite.sh("%sperf record -q -o f.data -e cpu-clock -F 999 %s -- ./folded-sh -c '%s' >/dev/null"
                 % (COPIES, options, WORK))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    mine = suite.sh('perf script -i f.data ' + script)
    theirs = suite.sh('%s script -i f.data %s' % (suite.ref, script))
    assert mine.status == 0, show(mine)
    if theirs.status:
        raise Skip('the reference does not read it: ' + theirs.err.strip()[:200])
    ours, refs = samples(mine.out, COMMANDS), samples(theirs.out, COMMANDS)
    assert len(ours) == len(refs), '%d samples, the reference has %d' % (len(ours), len(refs))
    got, want = fold(with_plt_of(m, t) for m, t in zip(ours, refs)), fold(refs)
    assert sum(want.values()) >= 20, 'only %d samples' % sum(want.values())
    assert any(s.count(';') > 2 for s in want), '%s: no stack of three functions' % what
    odd = ['%+d %s' % (got[s] - want[s], s) for s in sorted(set(got) | set(want))
           if got[s] != want[s]]
    assert not odd, '%d stacks differ (ours less theirs):\n%s' % (len(odd), '\n'.join(odd[:8]))


def closed_pipe(suite):
    """`perf script | head`: ends, and says nothing about the pipe."""
    r = suite.sh('%sperf record -q -o p.data -e cpu-clock -F 5000 -g -- sh -c "%s" >/dev/null' % (COPIES, WORK))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    r = suite.sh('perf script -i p.data | head -n 1')
    assert r.out.count('\n') == 1 and r.err == '', show(r)


def main():
    suite = Suite(__doc__)
    suite.check('process', compare, suite, 'process', '-g')
    suite.check('all-cpus', compare, suite, 'all-cpus', '-a -g')
    suite.check('fields', compare, suite, 'fields', '-a -g',
                '-F comm,pid,tid,cpu,time,event,ip,sym,dso')
    suite.check('closed-pipe', closed_pipe, suite)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
