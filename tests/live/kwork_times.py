#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf kwork report, latency and top -b: what they sum up in the kernel while a disk and timers are busy, beside a recording
of the same time.

    kwork_times.py --perf build/perf
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

WORK = ['sh', '-c', 'for i in 1 2 3 4 5 6; do dd if=/dev/zero of=busy bs=64k count=4 oflag=dsync 2>/dev/null; sleep 0.05; done']


def run(words, tmp):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False, cwd=tmp)


def rows(text):
    """Rows by type, each a dictionary."""
    found, names = {}, []
    for fields in csv.reader(text.splitlines()):
        if fields[0].startswith('# '):
            names = fields
            continue
        found.setdefault(fields[0], []).append(dict(zip(names[1:], fields[1:])))
    return found


def sums(table):
    """Numbers and times by what it is and where; several pieces of work have one function."""
    found = {}
    for r in table.get('work', []):
        at = found.setdefault((r['kind'], r['name'], r['cpu']), [0, 0, 0])
        at[0] += int(r['nr'])
        at[1] += int(r['total_ns'])
        at[2] = max(at[2], int(r['max_ns']))
    return found


def check_table(perf, word, tmp):
    p = run([perf, 'kwork', 'record', '-q', '-o', 'rec.data', '-m', '4M', '--', perf, 'kwork', word, '-b', '-x,', '--'] + WORK, tmp)
    if p.returncode:
        yield 'exit %d: %s' % (p.returncode, p.stderr[-300:])
        return
    live = rows(p.stdout)
    if not live.get('work') or 'total' not in live:
        yield 'no rows: %r' % p.stdout[:200]
        return
    p = run([perf, 'kwork', word, '-x,', '-i', 'rec.data'], tmp)
    recorded = sums(rows(p.stdout))
    for what, (nr, total, most) in sums(live).items():
        if not nr or most > total or total > nr * most:
            yield 'numbers of %s do not fit: %s' % (what, (nr, total, most))
        # an interrupt may ask for the same work between two steps of the program
        seen = recorded.get(what, [0])[0]
        if nr > seen * 1.05 + 2 and not int(rows(p.stdout)['total'][0]['lost_events']):
            yield '%s: %d times, but recorded were %d' % (what, nr, seen)
    timer = [w for w in sums(live) if w[0] == 'softirq']
    if not timer:
        yield 'no softirq'
    for what in timer:
        nr, seen = sums(live)[what][0], recorded.get(what, [0])[0]
        # (the recording is longer: programs are loaded, and it ends later)
        if seen > 40 and nr * 10 < seen:
            yield '%s: %d of %d times' % (what, nr, seen)


def check_top(perf, tmp):
    p = run([perf, 'kwork', 'top', '-b', '-x,', '--'] + WORK, tmp)
    if p.returncode:
        yield 'exit %d: %s' % (p.returncode, p.stderr[-300:])
        return
    table = rows(p.stdout)
    span = int(table['total'][0]['span_ns'])
    for cpu in table['cpu']:
        numbers = {k: int(v) for k, v in cpu.items()}
        parts = sum(numbers[k] for k in ('idle_ns', 'irq_ns', 'softirq_ns', 'tasks_ns', 'unknown_ns'))
        if parts != numbers['total_ns']:
            yield 'parts of CPU %(cpu)d are not its time: %(total_ns)d' % numbers
        if numbers['total_ns'] > span:
            yield 'CPU %(cpu)d has %(total_ns)d ns' % numbers + ' of %d' % span
    shown = sum(int(t['total_ns']) for t in table['task'])
    parts = sum(int(c['idle_ns']) + int(c['tasks_ns']) for c in table['cpu'])
    if shown != parts:
        yield 'tasks have %d ns, CPUs gave them %d' % (shown, parts)
    if not any(t['name'] == 'dd' for t in table['task']):
        yield 'dd is not there'


def check_filters(perf, tmp):
    p = run([perf, 'kwork', '-k', 'softirq', 'report', '-b', '-C', '0', '-x,', '--'] + WORK, tmp)
    if any(r['cpu'] != '0' or r['kind'] != 'softirq' for r in rows(p.stdout).get('work', [])) or p.returncode:
        yield '-k softirq, -C 0: ' + p.stdout[-300:]
    p = run([perf, 'kwork', 'latency', '-b', '-n', 'RCU', '--json', '--'] + WORK, tmp)
    if '"name":"TIMER"' in p.stdout or '"schema":"perf kwork latency"' not in p.stdout:
        yield '-n RCU: ' + p.stdout[-300:]
    p = run(['timeout', '-s', 'INT', '1', perf, 'kwork', 'report', '-b', '-S'], tmp)
    if 'Starting trace' not in p.stderr or 'Total time span' not in p.stdout:
        yield 'a signal: %s %s' % (p.stdout[-200:], p.stderr[-200:])
    p = run([perf, 'kwork', 'report', '-b', '--', './no-such-program'], tmp)
    if not p.returncode or 'no-such-program' not in p.stderr:
        yield 'a command that is not there: %s' % p.stderr[-200:]
    p = run([perf, 'kwork', 'report', '-b', '-i', 'rec.data'], tmp)
    if not p.returncode:
        yield '-b with -i is taken'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    perf = str(pathlib.Path(parser.parse_args().perf).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        p = run([perf, 'kwork', 'report', '-b', '--', 'true'], tmp)
        if p.returncode:
            print('skip: ' + p.stderr.splitlines()[0])
            return 77
        cases = (('report -b', check_table(perf, 'report', tmp)), ('latency -b', check_table(perf, 'latency', tmp)),
                 ('top -b', check_top(perf, tmp)), ('filters, signals', check_filters(perf, tmp)))
        for name, problems in cases:
            wrong = list(problems)
            print('%s - kwork %s' % ('not ok' if wrong else 'ok', name))
            for text in wrong[:5]:
                print('  ' + text)
            failed += bool(wrong)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
