#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sums of perf sched on a fresh recording of the whole machine: of each task, what it ran and what it waited is all the
time that there was; of each CPU, what tasks ran there and what it was idle; the summary has the sums of the lines. Of the
timeline, what a task did has no overlaps, and no gaps but where switches were not recorded, and its runs are those of the
lines; the page has the same. Of the running machine, no more ran than there was time, and who shares a CPU waits for it.

    sched.py --perf build/perf
"""
import collections
import json
import os
import re
import shutil
import sys

from live_case import Skip, Suite, need_all_pids, need_root, show

# In ms: times are cut off after three digits.
CUT = 0.001
LINE = re.compile(r' *(\d+)\.(\d{6}) \[(\d+)\]  (.*?) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) $')
SUMS = re.compile(r' *(.*?) +-?\d+ +(\d+) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) ')
SHOW = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools', 'show_timeline.py')
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


def spans_of(c, name):
    r = c.sh('perf sched timeline -i sched.data %s && python3 %s %s' % (name, SHOW, name))
    assert r.status == 0, show(r)
    missing = re.search(r'(\d+) times a switch was not recorded', r.err)
    return int(missing[1]) if missing else 0, re.findall(r'^.*/(\d+) (\d+)-(\d+) (running|waits|preempted|\w+)', r.out, re.M)


def tasks(c):
    by_task = collections.defaultdict(list)
    lines = lines_of(c)
    # since when a CPU's first task ran is not known
    firsts = {id(x) for x in {line.cpu: line for line in reversed(lines)}.values()}
    for line in lines:
        if line.task != '<idle>':
            by_task[re.search(r'\[(\d+)', line.task)[1]].append(line)
    missing, _ = spans_of(c, 'tasks.json')
    checked, wrong = 0, []
    for lines in by_task.values():
        for before, line in zip(lines, lines[1:]):
            if id(line) in firsts:
                continue
            # an exec gives a task another name, nothing else
            if not near(line.wait + line.run, line.time - before.time, 2) or line.delay > line.wait + CUT:
                wrong.append((before.__dict__, line.__dict__))
            checked += 1
    # who left a CPU unseen, the next one seems to have had it since
    assert checked > 30 and len(wrong) <= 2 * missing, (checked, missing, wrong)


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


def timeline(c):
    missing, found = spans_of(c, 't.json')
    found = [(tid, int(start), int(end), what) for tid, start, end, what in found]
    assert len(found) > 100, found
    gaps = [(x, y) for x, y in zip(found, found[1:]) if x[0] == y[0] and x[2] != y[1]]
    assert all(x[2] < y[1] for x, y in gaps) and len(gaps) <= 2 * missing, (missing, gaps)
    runs = {(tid, end // 1000): (end - start) / 1e6 for tid, start, end, what in found if what == 'running'}
    compared = 0
    for line in lines_of(c):
        tid = re.search(r'\[(\d+)', line.task)
        run = runs.get((tid[1], round(line.time * 1000))) if tid else None
        assert run is None or near(run, line.run, 1), (line.__dict__, run)
        compared += run is not None
    assert compared > 100, compared


PAGE_SCRIPT = r"""
const text = require('fs').readFileSync('t.html', 'utf8');
const block = id => text.match(new RegExp('id="' + id + '">([^<]*)<'))[1];
const code = text.match(/<script>([^]*)<\/script>/)[1].replace("'use strict';", '');
eval(code + `
const head = JSON.parse(new TextDecoder().decode(bytes(block('data'))));
const s = decode(bytes(block('spans')), head.nrSpans), a = arrange(s, head);
const length = i => s.until[i] - s.from[i];
console.log(JSON.stringify({ spans: s.nr,
  run: a.tasks.reduce((n, t) => n + t.run, 0), onCpus: a.cpus.flat().reduce((n, i) => n + length(i), 0),
  worst: longestWaits(s, 5).map(w => w.length),
  inOrder: a.cpus.every(l => l.every((i, k) => !k || s.from[i] >= s.until[l[k - 1]])),
  found: a.cpus.every(l => l.every((i, k) => !length(i) || firstBehind(s, l, s.from[i]) === k)) }));`);
"""


def page(c):
    (_, of_json), (_, of_page) = spans_of(c, 't.json'), spans_of(c, 't.html')
    assert of_json == of_page and len(of_page) > 100, (len(of_json), len(of_page))
    if not shutil.which('node'):
        raise Skip('no node to run the script of the page')
    r = c.sh("cat >page.js <<'END'\n%s\nEND\nnode page.js" % PAGE_SCRIPT)
    assert r.status == 0, show(r)
    d = json.loads(r.out)
    waits = sorted((int(end) - int(start) for _, start, end, what in of_page if what in ('waits', 'preempted')), reverse=True)
    assert d['spans'] == len(of_page) and d['run'] == d['onCpus'] > 0 and d['inOrder'] and d['found'], d
    assert d['worst'] == waits[:5], (d, waits[:5])


def top(c):
    need_root()
    r = c.sh('loop() { taskset -c 0 bash -c "exec -a $1 bash -c \'while :; do :; done\'" & }; loop one; loop two; '
             'perf sched top -n 2 --json; status=$?; kill %1 %2; exit $status')
    assert r.status == 0, show(r)
    laps = [json.loads(line) for line in r.out.splitlines()]
    assert len(laps) == 2 and all(lap['switches'] > 0 and lap['tasks'] for lap in laps), show(r)
    for lap in laps:
        ran = sum(t['runtime_ns'] for t in lap['tasks'])
        assert 0 < ran <= lap['length_ns'] * os.cpu_count() * 1.01, (ran, lap)
        waits = [t['max_delay_ns'] for t in lap['tasks']]
        assert waits == sorted(waits, reverse=True) and all(t['delay_ns'] >= t['max_delay_ns'] for t in lap['tasks']), lap
        # two that want one CPU all the time: each waits for the other
        loops = [t for t in lap['tasks'] if t['comm'] == 'bash' and t['runtime_ns'] and t['delay_ns'] + t['waits_ns']]
        assert len(loops) >= 2 or lap['lost'], lap
    by_name = c.sh('perf sched top -c -n 1 -E 3 -s runtime')
    rows = re.findall(r'^  \S+:(?:\(\d+\)|\d+) +(\d+\.\d+)% +\d+ ', by_name.out, re.M)
    assert by_name.status == 0 and 0 < len(rows) <= 3 and sorted(map(float, rows), reverse=True) == list(map(float, rows)), show(by_name)


def unpaged(c):
    """A pager would wait for the end of what goes on, and a workload's own screen is not for it."""
    if not shutil.which('script'):
        raise Skip('no program script')
    for words in 'sched top -n 1', 'sched record -o paged.data -- echo hello':
        r = c.sh("PERF_PAGER='sed s/^/paged:/' script -qec '%s %s' /dev/null </dev/null" % (c.perf, words))
        assert r.status == 0 and len(r.out.splitlines()) > 1 and 'paged:' not in r.out, show(r)


def queue(c):
    """Of three that want one CPU all the time, two wait."""
    need_root()
    r = c.sh("perf sched record -q -o queue.data -- sh -c 'for i in 1 2 3; do taskset -c 0 sh -c \"i=0; while [ \\$i -lt 200000 ]; "
             "do i=\\$((i + 1)); done\" & done; wait' && perf sched latency --queue --json -i queue.data")
    assert r.status == 0, show(r)
    if 'lost' in r.err:
        raise Skip('events were lost')
    rows = [json.loads(line) for line in r.out.splitlines()]
    sums = next(x for x in rows if x.get('type') == 'queue')
    ns = collections.Counter()
    for x in rows:
        if x.get('type') == 'queue_at':
            ns[x['from_tasks']] += x['ns']
    assert sum(min(n, 8) * t for n, t in ns.items()) <= sums['waited_ns'], (ns, sums)
    assert sum(t for n, t in ns.items() if n >= 2) > 0.5 * sum(ns.values()), (ns, sums)
    assert sums['doubtful_ns'] < 0.2 * sums['waited_ns'], sums


BELL = """
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static int bell[2];
static double now(clockid_t c) { struct timespec t; clock_gettime(c, &t); return t.tv_sec + t.tv_nsec / 1e9; }
/* (frame pointers lack the caller of write(), which has none) */
__attribute__((noinline)) int pull(void) { return write(bell[1], "x", 1) + 1; }
__attribute__((noinline)) int ring_the_bell(void) { return pull() + 1; }
int main(void)
{
	double slept = 0;
	char c;

	if (pipe(bell))
		return 1;
	if (!fork()) {
		for (int i = 0; i < 20; i++) {
			for (double t = now(CLOCK_THREAD_CPUTIME_ID); now(CLOCK_THREAD_CPUTIME_ID) < t + 0.003;)
				;
			if (ring_the_bell() != 3)
				return 1;
		}
		return 0;
	}
	for (int i = 0; i < 20; i++) {
		double t = now(CLOCK_MONOTONIC);

		if (read(bell[0], &c, 1) != 1)
			return 1;
		slept += now(CLOCK_MONOTONIC) - t;
	}
	printf("%.0f\\n", slept * 1e6);
}
"""


def wakers(c):
    """A program knows how long it waited for its child, which wakes it up in a function of its own."""
    if not shutil.which('cc'):
        raise Skip('no compiler')
    with open(os.path.join(c.here, 'bell.c'), 'w', encoding='ascii') as f:
        f.write(BELL)
    r = c.sh('cc -O1 -fno-omit-frame-pointer -o bell bell.c && perf sched record -g -q -o bell.data ./bell && perf sched wakers --folded -i bell.data > folded')
    assert r.status == 0, show(r)
    if 'lost' in r.err:
        raise Skip('events were lost')
    told = int(r.out.split()[-1])
    with open(os.path.join(c.here, 'folded'), encoding='utf-8') as f:
        lines = f.readlines()
    rung = [int(x.split()[-1]) for x in lines if re.match(r'bell;.*\bring_the_bell;.*;bell \d+$', x)]
    # the child needs 3 ms for each; a task that has to wait for a CPU once it is awake makes its own number larger
    assert 1000 < sum(rung) <= told + 20, (told, rung)


def main():
    c = Suite(__doc__)

    def record(c):
        need_root()
        need_all_pids()
        r = c.sh("perf sched record -o sched.data sh -c '%s'" % WORK)
        assert r.status == 0, show(r)

    for name, case in (('a recording', record), ('tasks', tasks), ('CPUs', cpus), ('the summary', summary),
                       ('a timeline', timeline), ('a page', page), ('top', top), ('no pager', unpaged), ('a queue', queue),
                       ('wakers', wakers)):
        c.check(name, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
