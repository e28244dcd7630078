#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of record's options: each line of record_options.txt through our record and the
installed perf's, both with -vv: the attributes that are opened, on how many tasks and CPUs, in which
groups, must be equal.

    record_attrs.py --perf PERF [--ref PERF] [--hardware] [-v] [GLOB...]

--hardware: the same lines with hardware events in place of clocks and page faults, and those of
record_hardware.txt, on a machine whose PMU counts cycles; elsewhere the test skips and says why.

A dumped attribute counts when its last dump before an open that succeeded; where nothing could be
opened, the last one tried. Wanted differences are in DIFFERENCES (whole lines) and dropped().
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

from kallsyms import with_short_kallsyms

HERE = os.path.dirname(os.path.abspath(__file__))
SKIP_EXIT = 77

# Line (a regular expression) -> why we differ on purpose.
DIFFERENCES = [
    (r'.*-p \$\$ -D 10', 'side records of running tasks begin at once: maps made meanwhile are known'),
    (r'.*-j (call_stack|no_flags),.*', 'names of newer versions'),
]


HARDWARE_DIFFERENCES = [
    (r'-e cycles -k tai.*', 'refused by both; the attribute that was tried last differs'),
    (r'-e cpu/cycles/', 'a name of newer versions'),
]

# What --hardware puts in place of events that every machine has.
HARDWARE = [('cpu-clock', 'cycles'), ('task-clock', 'instructions'), ('page-faults', 'instructions'),
            ('context-switches', 'branches')]


def wanted(text, hardware):
    table = DIFFERENCES + (HARDWARE_DIFFERENCES if hardware else [])
    return next((why for regex, why in table if re.fullmatch(regex, text)), None)


def dropped(name, value):
    """Fields that differ always: we ask for build ids."""
    return name == 'build_id'


def is_side_thread(attr):
    """perf's own event for BPF programs that are loaded meanwhile."""
    return attr.get('watermark') == '1' and attr.get('bpf_event') == '1' and 'mmap' not in attr


def parse(text):
    """[(attr, [(cpu, grouped, ok)])] in the order of opening."""
    out, attr, inside = [], None, False
    for line in text.splitlines():
        if line.startswith('perf_event_attr:'):
            attr, inside = {}, True
            out.append((attr, []))
        elif inside and line.startswith('---'):
            inside = False
        elif inside:
            name, _, value = line.strip().rpartition(' ')
            if not dropped(name.strip(), value):
                attr[name.strip()] = value
        m = re.match(r'sys_perf_event_open: pid (-?\d+)  cpu (-?\d+)  group_fd (-?\d+)  flags \S+( = )?',
                     line)
        if m and out:
            out[-1][1].append((int(m[2]), m[3] != '-1', bool(m[4])))
    return [(a, calls) for a, calls in out if not is_side_thread(a)]


def opened(events):
    """Without the attempts that failed; all attempts' last one if none succeeded."""
    good = [(a, [c[:2] for c in calls if c[2]]) for a, calls in events if any(c[2] for c in calls)]
    # with -C ours takes names and mappings from all CPUs, as newer versions do
    asked = {cpu for a, calls in good if a.get('config') != '0x9' for cpu, _ in calls}
    good = [(a, [c for c in calls if c[0] in asked] if asked and a.get('config') == '0x9' else calls) for a, calls in good]
    return good or [(events[-1][0], [])] if events else []


def record(shell, perf, line, folder, quick=False):
    """quick: without a search for build ids at the end, which takes the reference long."""
    env = dict(os.environ, LC_ALL='C', PERF_CONFIG='/dev/null', P=perf)
    os.makedirs(folder, exist_ok=True)
    # the shell is what $$ names
    script = f'timeout -s INT 100 "$P" record -vv {"-B" if quick else "-N"} -o x.data {line} true'
    return subprocess.run(shell + ['-c', script + ' 2>&1; :'], capture_output=True, text=True, env=env,
                          cwd=folder, stdin=subprocess.DEVNULL, check=False,
                          errors='replace').stdout


def why_no_counters(ref):
    """Why lines with hardware events cannot be compared here; None where they can."""
    counted = subprocess.run([ref, 'stat', '-x,', '-e', 'cycles', 'true'], capture_output=True,
                             text=True, check=False).stderr
    line = next((x for x in counted.splitlines() if ',cycles' in x), '')
    value = line.split(',')[0]
    if not value.isdigit() or not int(value):
        return f'no PMU here counts cycles ({value or "nothing was counted"})'
    return None


def hardware_lines(lines):
    changed = []
    for x in lines:
        new = x
        for soft, hard in HARDWARE:
            new = new.replace(soft, hard)
        if new != x and new not in changed:
            changed.append(new)
    return changed


def read_lines(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as f:
        return [x.rstrip('\n') for x in f if not x.startswith('#')]


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--perf', required=True)
    p.add_argument('--ref', default=shutil.which('perf') or '/usr/bin/perf')
    p.add_argument('--hardware', action='store_true')
    p.add_argument('-v', action='store_true')
    p.add_argument('only', nargs='*')
    args = p.parse_args()
    version = subprocess.run([args.ref, '--version'], capture_output=True, text=True, check=False) \
        if os.path.exists(args.ref) else None
    if not version or not version.stdout.replace('\n', '.').startswith('perf version 6.1.'):
        print('needs perf 6.1 to compare with')
        return SKIP_EXIT
    if os.geteuid():
        print('needs root: whole CPUs and tracepoints are recorded')
        return SKIP_EXIT
    lines = read_lines('record_options.txt')
    if args.hardware:
        reason = why_no_counters(args.ref)
        if reason:
            print(reason)
            return SKIP_EXIT
        lines = hardware_lines(lines) + read_lines('record_hardware.txt')
    lines = [x for x in lines if not args.only or any(fnmatch.fnmatch(x, g) for g in args.only)]
    total = {'passed': 0, 'failed': 0, 'skipped': 0}
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(6) as pool:
        shells = {'ref': with_short_kallsyms(['bash'], top), 'own': ['bash']}
        perfs = {'ref': os.path.abspath(args.ref), 'own': os.path.abspath(args.perf)}
        # perf as root waits for a second at its end: several at a time
        jobs = {(x, who): pool.submit(record, shells[who], perfs[who], x, os.path.join(top, f'{i}-{who}'), who == 'ref')
                for i, x in enumerate(lines) if not wanted(x, args.hardware) for who in perfs}
        for x in lines:
            if wanted(x, args.hardware):
                total['skipped'] += 1
                continue
            ref, own = (opened(parse(jobs[x, who].result())) for who in ('ref', 'own'))
            if ref != own:  # the kernel may have lowered its limit of sampling in between: once more
                ref, own = (opened(parse(record(shells[who], perfs[who], x, tempfile.mkdtemp(dir=top), who == 'ref')))
                            for who in ('ref', 'own'))
            ok = ref == own and ref
            total['passed' if ok else 'failed'] += 1
            if not ok:
                print(f'{x}\n  perf: {ref}\n  ours: {own}')
            elif args.v:
                print(f'{x}: ok')
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % total)
    return 1 if total['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
