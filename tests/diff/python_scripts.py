#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of scripts: a script that prints all that its handlers get, and the one that -g python
writes, must do the same under both programs.

    python_scripts.py --perf PERF [--ref PERF] [RECORDING...]

Without RECORDING: those of tests/data, and fresh ones where this may be. The last line is "N passed, N failed,
N skipped".
"""
import argparse
import ast
import ctypes
import os
import re
import struct
import subprocess
import sys
import tempfile

SKIP_EXIT = 77
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data')
RECORDINGS = ['script/sched-stacks.data', 'script/group.data', 'script/namespaces.data', 'script/switches.data',
              'branches/lbr.data', 'branches/stack.data', 'report/memory.data', 'report/threads.data',
              'perfdata/made-stat.data', 'perfdata/linuxtracepoints-pipe.data',
              'perfdata/quipper-perf.data.branch-4.14', 'perfdata/quipper-perf.data.group_desc-4.14',
              'perfdata/quipper-perf.data.piped.target.throttled-3.4', 'perfdata/quipper-perf.data.raw-3.4',
              'perfdata/quipper-perf.data.remmap-3.2', 'perfdata/quipper-perf.data.singleprocess-3.4']
FRESH = [['-e', 'raw_syscalls:*,sched:*,irq:*,timer:*,kmem:mm_page_alloc,task:*,signal:*,workqueue:*', '-a'],
         ['-e', 'cpu-clock', '-g'], ['-e', 'page-faults', '-c', '1', '-d'],
         ['-e', '{cpu-clock,page-faults}:S', '--switch-events'],
         ['-e', 'cpu-clock', '--intr-regs', '--user-regs=ip,sp,ax']]
# doc/compatibility.md tells why: what is not compared, of what handlers get.
LEFT_OUT = {'dso_map_end', 'addr_dso_map_end', 'uregs', 'ins_lat', 'data_page_size',
            'code_page_size', 'cgroup'}


def has_libpython():
    for minor in range(40, 7, -1):
        try:
            ctypes.CDLL('libpython3.%d.so.1.0' % minor)
            return True
        except OSError:
            pass
    return False


def comparable(value):
    """Without what differs on purpose."""
    if isinstance(value, dict):
        if 'attr' in value:  # what is behind its size is not the event's
            value['attr'] = value['attr'][:struct.unpack_from('=I', value['attr'], 4)[0]]
        return {k: comparable(v) for k, v in value.items() if k not in LEFT_OUT}
    if isinstance(value, (list, tuple)):
        return [comparable(v) for v in value]
    return '[unknown]' if isinstance(value, str) and value.endswith('@plt') else value


def line_of(text):
    """A line of dump.py, split where its dictionary begins."""
    at = text.find('{')
    if at < 0:
        return text
    try:
        # a hole in a tuple of 6.1
        rest = ast.literal_eval('[' + re.sub(r'\} \{', '}, {', text[at:].replace('<NULL>', '0')) + ']')
    except (SyntaxError, ValueError):
        return text
    return text[:at], comparable(rest)


def run(perf, args, folder):
    env = dict(os.environ, LC_ALL='C.UTF-8', HOME=folder, PERF_BUILDID_DIR=os.path.join(folder, 'cache'))
    env.pop('PERF_EXEC_PATH', None)
    return subprocess.run([perf[0], *args], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)


def compare(o, path, folder):
    """None, or how the programs differ."""
    script = os.path.join(DATA, 'script/python/dump.py')
    fresh = path.startswith(folder)
    kallsyms = [] if fresh else ['--kallsyms', '/dev/null']
    texts = []
    for perf in o.ref, o.perf:
        p = run([perf], ['script', '-f', '-i', path, *kallsyms, '--symfs', folder, '-s', script, 'x'], folder)
        if p.returncode:
            return 'exit %d: %s' % (p.returncode, p.stderr.decode(errors='replace')[-300:])
        text = p.stdout.decode(errors='replace')
        if not fresh:
            text = re.sub(r"dso_bid': '\w*'", "dso_bid': ''", text)
        texts.append(text.splitlines())
    if len(texts[0]) != len(texts[1]):
        return '%d and %d lines' % (len(texts[0]), len(texts[1]))
    for n, (a, b) in enumerate(zip(*texts)):
        if a != b and line_of(a) != line_of(b):
            return 'line %d:\n-%s\n+%s' % (n + 1, a[:3000], b[:3000])
    generated = []
    for perf in o.ref, o.perf:
        run([perf], ['script', '-f', '-i', path, '-g', 'python'], folder)
        with open(os.path.join(folder, 'perf-script.py'), encoding='utf-8') as f:
            text = re.sub(r'^#.*\n', '', f.read(), flags=re.M).replace('  if', ' if')
        generated.append(text.lstrip())
        os.unlink(f.name)
    return None if generated[0] == generated[1] else 'generated scripts differ'


def record(o, number, options, folder):
    """A recording that the reference reads, its events in order: rounds that it writes too early it reads too early, and
    beside recordings of the whole machine by others it aborts, or writes what it aborts at later
    (doc/compatibility.md). None: there is none."""
    path = os.path.join(folder, 'fresh%d.data' % number)
    for _ in range(5):
        p = run([o.ref], ['record', '-B', '-q', '-o', path, *options, '--', 'sh', '-c', 'ls / > /dev/null; sleep 0.01'],
                folder)
        if p.returncode > 0 or not os.path.exists(path):
            break
        read = run([o.ref], ['script', '-f', '-i', path], folder)
        if not p.returncode and not read.returncode and not re.search(rb'out of order|Bad address', read.stderr):
            return path
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--perf', required=True)
    p.add_argument('--ref', default='/usr/bin/perf')
    p.add_argument('recordings', nargs='*')
    o = p.parse_args()
    o.perf = os.path.abspath(o.perf)
    probe = subprocess.run([o.ref, 'script', '-s', 'lang'], capture_output=True, check=False) \
        if os.path.exists(o.ref) else None
    if not probe or probe.returncode or not has_libpython():
        print('skipped: no reference perf with scripts, or no libpython')
        return SKIP_EXIT
    counts = {'passed': 0, 'failed': 0, 'skipped': 0}
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(r, os.path.join(DATA, r)) for r in RECORDINGS]
        if o.recordings:
            jobs = [(r, os.path.abspath(r)) for r in o.recordings]
        else:
            jobs += [(' '.join(f), record(o, i, f, folder)) for i, f in enumerate(FRESH)]
        for name, path in jobs:
            difference = compare(o, path, folder) if path else None
            verdict = 'skipped' if not path else 'failed' if difference else 'passed'
            counts[verdict] += 1
            if difference:
                print('%s: %s' % (name, difference))
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % counts)
    return 1 if counts['failed'] else 0


sys.exit(main())
