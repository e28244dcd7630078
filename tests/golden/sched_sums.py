#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Times of tasks in a recording without losses add up: between two times that a task leaves a CPU it waited (its delay after the
wake-up is a part of that) and ran, and nothing else; of each CPU the runs follow one another without a gap; the summary has
the sums of the lines.

Usage: sched_sums.py --perf PERF --data tests/data
"""
import argparse
import json
import os
import subprocess
import sys


def rows(perf, path, options):
    r = subprocess.run([perf, 'sched', 'timehist', '--json', '-f', '-i', path] + options, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       check=True)
    return [json.loads(line, parse_float=lambda s: int(s.replace('.', ''))) for line in r.stdout.splitlines()]


def check(perf, path):
    found = rows(perf, path, ['-S'])
    switches = [r for r in found if r.get('type') == 'switch']
    total = [r for r in found if r.get('type') == 'total'][0]
    assert not total['lost_events'] and not total['switches_backwards'] and len(switches) > 100, total
    tasks, cpus, runs, compared = {}, {}, {}, 0
    for s in switches:
        who = (s['tid'], s['cpu'] if not s['tid'] else None)
        before, known = tasks.get(who), None not in (s['wait_ns'], s['run_ns'])
        compared += before is not None and known
        if before is not None and known and s['time'] - before != s['wait_ns'] + s['run_ns']:
            yield 'tid %d at %d: %d ns since it left a CPU, but waited %d and ran %d' % (
                s['tid'], s['time'], s['time'] - before, s['wait_ns'], s['run_ns'])
        if known and s['tid'] and s['delay_ns'] > s['wait_ns']:
            yield 'tid %d at %d: a delay of %d in a wait of %d' % (s['tid'], s['time'], s['delay_ns'], s['wait_ns'])
        last = cpus.get(s['cpu'])
        if last is not None and s['run_ns'] is not None and s['time'] - last != s['run_ns']:
            yield 'CPU %d at %d: a gap of %d ns' % (s['cpu'], s['time'], s['time'] - last - s['run_ns'])
        tasks[who], cpus[s['cpu']] = s['time'], s['time']
        runs[who] = runs.get(who, 0) + (s['run_ns'] or 0)
    if compared < 50:
        yield 'only %d times to compare' % compared
    for r in found:
        if r.get('type') == 'task' and runs.get((r['tid'], None)) != r['run_ns']:
            yield 'tid %d: lines have %s ns, the summary %d' % (r['tid'], runs.get((r['tid'], None)), r['run_ns'])


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--perf', required=True)
    p.add_argument('--data', required=True)
    o = p.parse_args()
    wrong = list(check(os.path.abspath(o.perf), os.path.join(o.data, 'sched', 'switches.data')))
    print('%s - times of tasks and CPUs add up' % ('not ok' if wrong else 'ok'))
    for text in wrong[:10]:
        print('  ' + text)
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
