#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sums of perf sched on a fresh recording of the whole machine: of each task, what it ran and what it waited is all the
time that there was; of each CPU, what tasks ran there and what it was idle; the summary has the sums of the lines.

    sched.py --perf build/perf
"""
import collections
import re
import sys

from live_case import Skip, Suite, need_all_pids, need_root, show

# In ms: times are cut off after three digits.
CUT = 0.001
LINE = re.compile(r' *(\d+)\.(\d{6}) \[(\d+)\]  (.*?) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) $')
SUMS = re.compile(r' *(.*?) +-?\d+ +(\d+) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) ')
WORK = ("for i in 1 2 3 4 5 6 7 8 9; do ls /bin | sort | wc -l; done; for i in 1 2 3; do (sleep 0.01; j=0; "
        "while [ $j -lt 20000 ]; do j=$((j + 1)); done) & done; wait")


class Line:
    def __init__(self, match):
        s, us, cpu, self.task, *times = match.groups()
        self.time = int(s) * 1000 + int(us) / 1000
        self.cpu = int(cpu)
        self.wait, self.delay, self.run = map(float, times)


def timehist(c, options=''):
    r = c.sh('perf sched timehist -i sched.data %s' % options)
    assert r.status == 0, show(r)
    if 'lost' in r.err:
        raise Skip('events were lost')
    return r.out


def lines_of(c):
    found = [Line(m) for m in map(LINE.match, timehist(c).splitlines()) if m]
    assert len(found) > 100, len(found)
    return found


def near(got, want, nr):
    return abs(got - want) <= CUT * (nr + 1)


def tasks(c):
    by_task = collections.defaultdict(list)
    for line in lines_of(c):
        if line.task != '<idle>':
            by_task[re.search(r'\[(\d+)', line.task)[1]].append(line)
    checked = 0
    for tid, lines in by_task.items():
        for before, line in zip(lines, lines[1:]):
            # an exec gives a task another name, nothing else
            assert near(line.wait + line.run, line.time - before.time, 2), (tid, before.__dict__, line.__dict__)
            assert line.delay <= line.wait + CUT, line.__dict__
            checked += 1
        whole = lines[-1].time - lines[0].time
        assert near(sum(x.wait + x.run for x in lines[1:]), whole, 2 * len(lines)), (tid, whole)
    assert checked > 30, checked


def cpus(c):
    by_cpu = collections.defaultdict(list)
    for line in lines_of(c):
        by_cpu[line.cpu].append(line)
    for cpu, lines in by_cpu.items():
        whole = lines[-1].time - lines[0].time
        assert near(sum(x.run for x in lines[1:]), whole, len(lines)), (cpu, whole)


def summary(c):
    runs = collections.defaultdict(list)
    for line in lines_of(c):
        if line.task != '<idle>':
            runs[re.search(r'\[(\d+)', line.task)[1]].append(line.run)
    rows = 0
    for m in map(SUMS.match, timehist(c, '-s').splitlines()):
        if not m or not re.search(r'\[\d+', m[1]):
            continue
        times = runs.pop(re.search(r'\[(\d+)', m[1])[1])
        total, least, _, most = map(float, m.groups()[2:])
        assert int(m[2]) == len(times), (m[0], times)
        assert near(total, sum(times), len(times)) and least == min(times) and most == max(times), (m[0], times)
        rows += 1
    assert rows and not runs, (rows, runs)


def main():
    c = Suite(__doc__)

    def record(c):
        need_root()
        need_all_pids()
        r = c.sh("perf sched record -o sched.data sh -c '%s'" % WORK)
        assert r.status == 0, show(r)

    for name, case in (('a recording', record), ('tasks', tasks), ('CPUs', cpus), ('the summary', summary)):
        c.check(name, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
