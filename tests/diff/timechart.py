#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf timechart: the shapes of our picture and of the installed perf's, of the same recordings: strips with
their labels, runs, waits, blocked times, idle states, calls at the same places, of the same lengths and colours; wake-ups at
the same times. What differs on purpose (doc/compatibility.md) is not in the recordings, or is not compared: from whom wake-ups
come, frequencies before the first event, heights of calls, where short ones seem to end, where the picture begins.

    timechart.py --perf build/perf

The last line is "N passed, N failed".
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / 'tools'))
from show_timechart import Chart  # pylint: disable=wrong-import-position

TASKS, CPUS = range(11, 31), range(3)
NEAR = 0.02  # milliseconds
STATES = ['', ' -n 2', ' -n 99', ' -p 12 -p t15', ' -w 2500', ' -P', ' -T', ' --highlight 700000', ' --highlight t13']
CALLS = ['', ' -n 2', ' -p 11', ' --io-skip-eagain', ' --io-min-time 5ms', ' --io-min-time 0', ' --io-merge-dist 3ms']


def scheduler(seed):
    """A list of what may happen on CPUs with tasks that sleep, wake each other up and are preempted."""
    rng = random.Random(seed)
    out = [f'1000 comm {t} t{t}' for t in TASKS]
    time, running, ready, asleep = 100000000, {c: 0 for c in CPUS}, [], list(TASKS)
    idle, khz = {c: None for c in CPUS}, {c: None for c in CPUS}
    for _ in range(600):
        time += rng.choice((700, 90000, 400000, 2500000))
        cpu = rng.choice(list(CPUS))
        if rng.random() < 0.4 and asleep:
            who = asleep.pop(rng.randrange(len(asleep)))
            ready.append(who)
            out.append(f'{time} wakeup {cpu} {running[cpu]} {who}' + (' irq' if rng.random() < 0.3 else ''))
            continue
        if rng.random() < 0.1:
            khz[cpu] = rng.choice([k for k in (800000, 1600000, 3200000) if k != khz[cpu]])
            out.append(f'{time} freq {cpu} {khz[cpu]}')
            continue
        before, after = running[cpu], ready.pop(0) if ready else 0
        if not before and not after:
            if idle[cpu] is None:
                idle[cpu] = rng.randrange(1, 7)
                out.append(f'{time} idle {cpu} {idle[cpu]}')
            continue
        if idle[cpu] is not None:
            out.append(f'{time} idle {cpu} -1')
            idle[cpu] = None
            time += 500
        state = rng.choice((0, 1, 1, 2)) if before else 0
        out.append(f'{time} switch {cpu} {before} {state} {after}')
        if before:
            (asleep if state else ready).append(before)
        running[cpu] = after
    for cpu in CPUS:
        time += 1000
        if running[cpu]:
            out.append(f'{time} switch {cpu} {running[cpu]} 1 0')
        elif idle[cpu] is not None:
            out.append(f'{time} idle {cpu} -1')
    for task in ready + asleep:  # nothing goes on at the end but sleep
        time += 300000
        out += [f'{time} switch 0 0 0 {task}', f'{time + 200000} switch 0 {task} 1 0']
    return out


def calls(seed):
    """Calls of threads, one after the other, some often; others are too far from each other to be drawn together."""
    rng = random.Random(seed)
    out = [f'1000 comm {t} t{t}' for t in TASKS]
    time = 100000000
    for i in range(200):
        task, call = TASKS[i % len(TASKS)], rng.choice(('read', 'write', 'recvfrom', 'sendto', 'epoll_wait', 'fsync'))
        counts = call not in ('epoll_wait', 'fsync')
        result = rng.choice((100, 5000, 400000, -11, -5)) if counts else 0
        time += 600000
        for _ in range(rng.choice((1, 1, 3)) if counts and result > 0 else 1):
            time += rng.choice((300, 2000, 60000))
            out.append(f'{time} enter 0 {task} {call} {3 + i % 2}')
            time += rng.choice((3000, 80000, 900000, 4000000))
            out.append(f'{time} exit 0 {task} {call} {result}')
    return out + [f'{time + 9000000} enter 0 {TASKS[0]} fsync 3', f'{time + 14000000} exit 0 {TASKS[0]} fsync 0']


def near(a, b):
    return len(a) == len(b) and all(abs(x - y) < NEAR if isinstance(x, float) else x == y for x, y in zip(a, b))


class Times:
    """Of a picture: pixels as milliseconds."""

    def __init__(self, chart, begin, end):
        self.chart, self.begin, self.scale = chart, begin, (end - begin) / chart.width

    def at(self, x):
        return self.begin + x * self.scale

    def strips(self, ends):
        out = []
        for y, kind, x, width, shapes in self.chart.strips:
            out.append([kind, self.chart.label((y, kind, x, width)), y] + ([] if kind == 'cpu' else [self.at(x)]))
            for name, at, length, top, height, _ in shapes:
                if length * self.scale < NEAR / 10:
                    continue
                if kind == 'process' and name == 'sample_hi':  # theirs mark names on CPUs alone
                    name = 'sample'
                where = [top - y, height] if kind != 'process3' else ['upper' if top == y else 'lower']
                out.append([name, self.at(at)] + ([length * self.scale] if ends or kind != 'process3' else []) + where)
        return out

    def wakes(self):
        return sorted(self.at(line[1]) for line in self.chart.lines if 'wakes up' in line[5])

    def frequencies(self):
        return [(self.at(x1), self.at(x2), y) for kind, x1, x2, y, _, _ in self.chart.lines if kind == 'pstate']


def compare(ours, theirs, first, last, ends):
    """The first difference, or None. Their picture begins with a tenth of a second."""
    if (ours.width, ours.height) != (theirs.width, theirs.height):
        return f'{ours.width} x {ours.height}, {theirs.width} x {theirs.height}'
    if ours.outside():
        return f'outside: {ours.outside()[0]}'
    ours, theirs = Times(ours, first, last), Times(theirs, first // 100 * 100, last)
    a, b = ours.strips(ends), theirs.strips(ends)
    for x, y in zip(a, b):
        if not near(x, y):
            return f'{x}, {y}'
    if len(a) != len(b):
        return f'{len(a)} shapes, {len(b)}'
    for x in ours.frequencies():
        if not any(near(x[:2], y[:2]) and abs(x[2] - y[2]) < 0.2 for y in theirs.frequencies()):
            return f'frequency {x}'
    if not near(ours.wakes(), theirs.wakes()):
        return f'wake-ups {ours.wakes()}, {theirs.wakes()}'
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        data = f'{tmp}/f.data'
        for make, only, options in ((scheduler, 'switch,wakeup,idle,freq', STATES), (calls, None, CALLS)):
            for seed in range(3):
                only = only or ','.join(f'{a}_{b}' for b in ('read', 'write', 'recvfrom', 'sendto', 'epoll_wait', 'fsync')
                                        for a in ('enter', 'exit'))
                lines = make(seed)
                times = [int(line.split()[0]) / 1e6 for line in lines if 'comm' not in line]
                subprocess.run([sys.executable, '-S', TESTS / 'tools/make_timechart_file.py', '--only', only, '--online', '3', data],
                               input='\n'.join(lines) + '\n', text=True, check=True)
                for option in options:
                    charts = []
                    for perf in (args.perf, args.reference):
                        subprocess.run([perf, 'timechart', '-i', data, '-o', f'{tmp}/out.svg'] + option.split(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
                        charts.append(Chart(f'{tmp}/out.svg'))
                    difference = compare(*charts, min(times), max(times), '--io-min-time 0' in option)
                    passed, failed = passed + (not difference), failed + bool(difference)
                    if difference:
                        print(f'{make.__name__} {seed}{option}: ours, the reference: {difference[:600]}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
