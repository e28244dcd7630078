#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of the event grammar: each line of events/*.txt as the text of -e, through our
parser (event_dump) and through the installed perf (stat -vv): the attributes that are opened, the
names of the events and the error texts must be equal.

    event_attrs.py --dump EVENT_DUMP [--ref PERF] [-v]

events/here.txt is parsed on this machine, events/bad.txt must be refused alike, the other files on
the machine whose PMUs tests/data/sysfs describes (needs root, for a mount namespace). Wanted
differences are in DIFFERENCES. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TREES = os.path.join(HERE, '..', 'data', 'sysfs')
SKIP_EXIT = 77
FIELDS = {'type', 'config', 'config1', 'config2', 'pinned', 'exclusive', 'exclude_user',
          'exclude_kernel', 'exclude_hv', 'exclude_idle', 'precise_ip', 'exclude_host',
          'exclude_guest', 'bp_type'}
BREAKPOINT = {'{ bp_addr, config1 }': 'config1', '{ bp_len, config2 }': 'config2'}

# Text (a regular expression) -> why we differ on purpose.
DIFFERENCES = [
    (r'CPU-CYCLES|L1-d|L1D-loads', 'we take cache names in any case; columns inside unknown words'),
    (r'iTLB-stores|rXYZ', 'perf prints no reason'),
    (r'cycles:pP', 'perf tries lower levels of precision'),
    (r'[0-9]+/.*', 'perf takes no numbers as PMU names; we say that there is no such PMU'),
    (r'.*mem-loads,ldlat=.*', 'perf ORs the default of the named event into the given value'),
    (r'(cpu|cpu_core)/(cycles|L1-dcache-loads)/', 'generic events inside a core PMU are taken'),
    (r'intel_pt/.*', 'the default configuration of AUX events belongs to recording them'),
    (r'unc\*/.*|uncore_imc_(1\*|\[01\])/.*', 'globs as PMU names are taken'),
    (r'.*umask=0xffffffffff/', 'perf reports a second, unrelated error'),
    (r'events_param/hpm_tlbie/', 'perf fails without naming the missing parameter'),
    (r'\{cycles,instructions$', "perf takes a group without its '}'"),
    (r'.*\.[co]$', 'clear message for eBPF programs'),
    (r".*name='a b'/", 'quoted names may hold blanks'),
    (r'cycles/call-graph=xx/', 'a wrong mode is told before the wrong command'),
    (r'\{\}|\{cycles,\}|%|cycles%u|@x/foo/|.*/foo.*/', 'odd characters; our list of valid terms'),
    (r'\{.*', 'perf stops at the first member that cannot be opened'),
    (r'tracepoint/config=1/|msr/.*', 'text depends on the kernel'),
    (r'.*max-stack=70000.*', 'a value that does not fit is told'),
]
# Machines where perf 6.1 does not know several kinds of cores.
MACHINE_DIFFERENCES = {
    'intel-hybrid': (r'(cycles|instructions:u|.*cycles|r1a8|mem-loads|branches|L1-dcache-loads|cpu/.*)',
                     'order of the cores, place of the modifier in names'),
    'arm-biglittle': (r'(cycles|instructions|cpu_cycles|armv8_cortex/.*)', 'several kinds of cores'),
}


def wanted(machine, text):
    rows = DIFFERENCES + ([MACHINE_DIFFERENCES[machine]] if machine in MACHINE_DIFFERENCES else [])
    return next((why for regex, why in rows if re.fullmatch(regex, text)), None)


def number(value):
    return int(value, 0)


def ref_attrs(text):
    """Attributes of perf's dump, in order; retries that only drop exclude_guest are folded."""
    out, attr = [], None
    for line in text.splitlines():
        if line.startswith('perf_event_attr:'):
            attr = {}
        elif attr is not None and line.startswith('---'):
            bare = {k: v for k, v in attr.items() if k != 'exclude_guest'}
            if not any(bare == {k: v for k, v in a.items() if k != 'exclude_guest'} for a in out):
                out.append(attr)
            attr = None
        elif attr is not None:
            name, _, value = line.strip().rpartition(' ')
            name = BREAKPOINT.get(name.strip(), name.strip())
            if name in FIELDS and number(value):
                attr[name] = number(value)
    return out


def our_attrs(lines):
    out = []
    for line in lines:
        if line.startswith('attr'):
            attr = {k: number(v) for k, v in (f.split('=') for f in line.split()[1:])}
            if attr not in out:
                out.append(attr)
    return out


def errors(lines):
    for i, line in enumerate(lines):
        if line.startswith('event syntax error'):
            return lines[i:i + 2]
    return []


def split_ours(text):
    blocks = {}
    for line in text.splitlines():
        if line.startswith('### ['):
            block = blocks.setdefault(line[5:-1], [])
        else:
            block.append(line)
    return blocks


def same(ref, ours, columns):
    ref_err, our_err = errors(ref.splitlines()), errors(ours)
    if (ref_err or our_err) and not columns:
        ref_err, our_err = ([line.partition('___ ')[2] for line in e[1:]] for e in (ref_err, our_err))
    if ref_err or our_err:
        return ref_err == our_err, (ref_err, our_err)
    ref_a, our_a = ref_attrs(ref), our_attrs(ours)
    key = lambda a: sorted(a.items())
    # perf may stop early, when an event cannot be opened
    equal = sorted(map(key, ref_a)) == sorted(map(key, our_a))[:len(ref_a)] or \
        all(a in our_a for a in ref_a) and len(ref_a) == 1
    return equal and bool(ref_a), (ref_a, our_a)


def texts_of(machine):
    with open(os.path.join(HERE, 'events', machine + '.txt'), encoding='utf-8') as f:
        return [line.rstrip('\n') for line in f]


def run_texts(machine, texts, args, columns=True):
    prefix = []
    if machine not in ('here', 'bad'):
        prefix = [os.path.join(HERE, 'with_pmus.sh'), os.path.join(TREES, machine + '.tree')]
    dump = subprocess.run(prefix + [args.dump, '--count'], input='\n'.join(texts) + '\n',
                          capture_output=True, text=True, check=True).stdout
    ours = split_ours(dump)
    passed = failed = skipped = 0
    script = 'while IFS= read -r l; do echo "### [$l]"; timeout 100 "$0" stat -vv -e "$l" true 2>&1; done'
    env = dict(os.environ, LC_ALL='C', PERF_CONFIG='/dev/null')
    refs = {}
    text = subprocess.run(prefix + ['bash', '-c', script, args.ref], input='\n'.join(texts) + '\n',
                          capture_output=True, text=True, env=env, check=False).stdout
    for block in re.split(r'^### \[', text, flags=re.M)[1:]:
        name, _, rest = block.partition(']\n')
        refs[name] = rest
    for t in texts:
        if wanted(machine, t):
            skipped += 1
            continue
        equal, detail = same(refs.get(t, ''), ours.get(t, []), columns)
        if not equal:
            print(f'{machine}: {t}\n  perf: {detail[0]}\n  ours: {detail[1]}')
        elif args.v:
            print(f'{machine}: {t}: ok')
        passed += equal
        failed += not equal
    return passed, failed, skipped


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--dump', required=True)
    p.add_argument('--ref', default=shutil.which('perf') or '/usr/bin/perf')
    p.add_argument('-v', action='store_true')
    args = p.parse_args()
    version = subprocess.run([args.ref, '--version'], capture_output=True, text=True, check=False) \
        if os.path.exists(args.ref) else None
    if not version or not version.stdout.replace('\n', '.').startswith('perf version 6.1.'):
        print('needs perf 6.1 to compare with')
        return SKIP_EXIT
    machines = ['here', 'bad']
    if os.geteuid() == 0 and not subprocess.run(['unshare', '-m', 'true'], check=False).returncode:
        trees = {f[:-5] for f in os.listdir(TREES) if f.endswith('.tree')}
        machines += sorted(trees & {f[:-4] for f in os.listdir(os.path.join(HERE, 'events'))})
    total = [0, 0, 0]
    for m in machines:
        total = [a + b for a, b in zip(total, run_texts(m, texts_of(m), args))]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
