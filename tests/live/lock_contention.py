#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf lock contention -b: what it counts while a benchmark runs that waits for locks, beside the number of the kernel's
events that perf stat counts around it.

    lock_contention.py --perf build/perf
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

BENCH = ['bench', 'sched', 'messaging', '-g', '4', '-l', '100']


def run(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)


def rows(perf, options, tmp):
    """Fields of each row, and how often perf stat saw a wait end meanwhile."""
    table, counts = pathlib.Path(tmp) / 'table', pathlib.Path(tmp) / 'counts'
    p = run([perf, 'stat', '-x,', '-o', str(counts), '-a', '-e', 'lock:contention_end', '--', perf, 'lock', 'contention',
             '-b', '-x,', '--output', str(table)] + options + ['--', perf] + BENCH)
    if p.returncode:
        return p, [], 0
    seen = [line.split(',')[0] for line in counts.read_text().splitlines() if 'contention_end' in line]
    lines = [line.split(', ') for line in table.read_text().splitlines() if not line.startswith('#')]
    return p, [[int(x) for x in f[:4]] + f[4:] for f in lines], int(seen[0])


def check(perf, options, tmp):
    p, table, seen = rows(perf, options, tmp)
    if p.returncode:
        yield 'exit %d: %s' % (p.returncode, p.stderr[-300:])
        return
    if not table:
        yield 'no rows'
    if sum(r[0] for r in table) > seen:
        yield '%d waits, but the kernel tells of %d' % (sum(r[0] for r in table), seen)
    for contended, total, most, mean, *rest in table:
        if not contended or total > contended * most or most > total or mean != total // contended:
            yield 'numbers do not fit: %s' % [contended, total, most, mean, rest]
    if '-t' in options and '-a' not in options:
        others = {r[5] for r in table} - {'sched-messaging', 'perf'}
        if others:
            yield 'waits of %s, which are not the command' % others


def check_reused_number(perf, tmp):
    """A process that gets the number of one that was watched and has ended is not watched."""
    table, last = pathlib.Path(tmp) / 'reused', pathlib.Path('/proc/sys/kernel/ns_last_pid')
    watched = subprocess.Popen(['sleep', '600'])
    lock = subprocess.Popen([perf, 'lock', 'contention', '-b', '-t', '-x,', '--output', str(table), '-p', str(watched.pid)],
                            stderr=subprocess.DEVNULL)
    time.sleep(1)
    watched.kill()
    watched.wait()
    reused = False
    for _ in range(50):
        try:
            last.write_text(str(watched.pid - 1))
        except OSError:
            break
        other = subprocess.Popen([perf] + BENCH + ['-t'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        reused = other.pid == watched.pid
        if not reused:
            other.kill()
        other.wait()
        if reused:
            break
    lock.send_signal(signal.SIGINT)
    lock.wait()
    lines = [line for line in table.read_text().splitlines() if not line.startswith('#')]
    if not reused:
        print('# the number of a process could not be used again')
    elif lines:
        yield 'waits of another process: %s' % lines[:3]


# Processes that set the name of a machine of their own to what it is: one semaphore of the kernel for all of them.
NAMES = """
import os, socket, time
name, end = socket.gethostname(), time.time() + 1
os.fork()
os.fork()
while time.time() < end:
    socket.sethostname(name)
"""


def check_delay(perf, tmp):
    """-J: whoever waited for the lock keeps it for longer, and all of these waits are told."""
    def waits(options):
        p = run([perf, 'lock', 'contention', '-b', '-a', '-l', '--json', '--output', str(pathlib.Path(tmp) / 'delay'), *options,
                 '--', 'unshare', '-u', sys.executable, '-c', NAMES])
        assert p.returncode == 0, p.stderr
        said = [json.loads(line) for line in (pathlib.Path(tmp) / 'delay').read_text().splitlines()[1:]]
        return said[:-1], said[-1], p.stderr

    locks = waits(['-Y', 'rwsem'])[0]
    if not locks:
        print('# nobody waited for the name of the machine')
        return
    lock = max(locks, key=lambda row: row['contended'])['address']
    table, total, told = waits(['-L', lock, '-J', '200us@%s,1ms@1' % lock])
    contended = sum(row['contended'] for row in table)
    if total['delayed'] != contended:
        yield '%d waits, and the lock was kept %d times' % (contended, total['delayed'])
    if '%d times a lock was kept for longer' % contended not in told:
        yield 'not told: ' + told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    perf = str(pathlib.Path(parser.parse_args().perf).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        p = run([perf, 'lock', 'contention', '-b', '-a', '--', 'true'])
        if p.returncode:
            print('skip: ' + p.stderr.splitlines()[0])
            return 77
        for options in ([], ['-a'], ['-a', '-l'], ['-t'], ['-a', '-t', '-Y', 'spinlock'], ['-a', '-o'], ['-a', '--lock-cgroup'],
                        ['-a', '-S', 'e']):
            wrong = list(check(perf, options, tmp))
            print('%s - lock contention -b %s' % ('not ok' if wrong else 'ok', ' '.join(options)))
            for text in wrong[:5]:
                print('  ' + text)
            failed += bool(wrong)
        for name, test in ('a number that is used again', check_reused_number), ('a lock that is kept for longer', check_delay):
            wrong = list(test(perf, tmp))
            print('%s - %s' % ('not ok' if wrong else 'ok', name))
            for text in wrong:
                print('  ' + text)
            failed += bool(wrong)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
