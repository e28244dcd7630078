#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random texts of -e through our parser and the installed perf, as event_attrs.py compares them (but
for the columns of errors): to find
what nobody has thought of. No part of the tests; what it finds becomes a line of events/*.txt.

    hunt_events.py --dump EVENT_DUMP [--ref PERF] [--seed N] [--count N] [MACHINE...]

MACHINE: a file of tests/data/sysfs (needs root), or "here"; without one, all.
"""
import argparse
import os
import random
import shutil
import sys

import event_attrs

SYMBOLS = ('cycles cpu-cycles instructions branches branch-misses cache-misses ref-cycles bus-cycles '
           'stalled-cycles-frontend cpu-clock task-clock faults minor-faults cs migrations dummy bpf-output '
           'L1-dcache-loads L1-dcache-load-misses LLC-stores dTLB-load-misses '
           'iTLB-loads branch-loads node-prefetches l1d-read-miss r1a8 r0 rff00000001 cgroup-switches').split()
TRACEPOINTS = ('sched:sched_switch sched:sched_proc* syscalls:sys_enter_re?d raw_syscalls:sys_e* '
               'sch*:sched_wakeup no:such sched:none').split()
MODIFIERS = 'ukhGHDeSIp' # not P, which 6.1 tries at several levels
ODD = ['', ' ', ',', '/', '}', '{', ':', '0', '-', '=', '*']


class Hunt:
    def __init__(self, machine, seed):
        self.r = random.Random('%s %d' % (machine, seed))
        self.pmus = {}
        if machine == 'here':
            return
        with open(os.path.join(event_attrs.TREES, machine + '.tree'), encoding='utf-8') as f:
            for line in f:
                path, _, value = line.rstrip('\n').partition('\t')
                parts = path.split('/')
                if path.startswith('bus/event_source/devices/') and len(parts) >= 5:
                    pmu = self.pmus.setdefault(parts[3], {'format': {}, 'events': {}})
                    if len(parts) == 6 and parts[4] in pmu and '.' not in parts[5]:
                        pmu[parts[4]][parts[5]] = value

    def maybe(self, share):
        return self.r.random() < share

    def pick(self, values):
        return self.r.choice(list(values))

    def modifiers(self, share=0.5):
        if not self.maybe(share):
            return ''
        return ''.join(self.pick(MODIFIERS) for _ in range(self.r.choice((1, 1, 1, 2, 2, 3, 4))))

    def number(self):
        v = self.r.choice((0, 1, 2, 3, 7, 0x10, 0x3c, 0xff, 0x100, 0xffff, 1 << 32))
        return str(v) if self.maybe(0.5) else hex(v)

    def common_term(self):
        return self.pick(('config=%s', 'config1=%s', 'config2=%s', 'period=%s')) % self.number() \
            if self.maybe(0.7) else self.pick(('name=abc', "name='x'", 'percore', 'metric-id=m', 'name=a.b'))

    def pmu_event(self):
        name = self.pick(self.pmus)
        pmu, terms = self.pmus[name], []
        left, named = sorted(pmu['format']), False
        self.r.shuffle(left)
        for _ in range(self.r.choice((0, 1, 1, 2, 2, 3, 4))):
            kind = self.r.random()
            # 6.1 ORs bits that are given twice, and config= before all
            if kind < 0.35 and pmu['events'] and not terms:
                terms.append(self.pick(pmu['events']))
                named = True
            elif kind < 0.75 and left and not named and not any(t.startswith('config') for t in terms):
                term = left.pop()
                terms.append(term if self.maybe(0.15) else '%s=%s' % (term, self.number()))
            else:
                term = self.common_term()
                if not terms or not term.startswith('config'):
                    terms.append(term)
        if self.maybe(0.15):
            name = name.rstrip('0123456789').rstrip('_') or name
            if self.maybe(0.3) and name.startswith('uncore_'):
                name = name[7:]
        return '%s/%s/%s' % (name, ','.join(terms), self.modifiers(0.3))

    def event(self):
        kind = self.r.random()
        if kind < 0.35 and self.pmus:
            return self.pmu_event()
        if kind < 0.42 and any(p['events'] for p in self.pmus.values()):
            words = [e for p in self.pmus.values() for e in p['events']]
            m = self.modifiers()
            return self.pick(words) + (':' + m if m else '')
        if kind < 0.5:
            text = self.pick(TRACEPOINTS)
        elif kind < 0.58:
            text = 'mem:0x%x' % self.r.randrange(1, 1 << 32)
            text += self.pick(('', '/1', '/4', '/8', '/0x8'))
            text += self.pick(('', ':r', ':w', ':rw', ':x', ':wr'))
        elif kind < 0.7:
            return '%s/%s/%s' % (self.pick(SYMBOLS), self.common_term() if self.maybe(0.9) else '',
                                 self.modifiers(0.4))
        else:
            text = self.pick(SYMBOLS)
        m = self.modifiers()
        return text + (':' + m if m else '')

    def text(self):
        kind = self.r.random()
        if kind < 0.55:
            text = self.event()
        elif kind < 0.75:
            text = ','.join(self.event() for _ in range(self.r.randrange(2, 4)))
        else:
            m = self.modifiers(0.6)
            text = '%s{%s}%s' % (self.pick(('', '', '', 'grp')),
                                 ','.join(self.event() for _ in range(self.r.randrange(1, 4))),
                                 ':' + m if m else '')
        if self.maybe(0.06):
            at = self.r.randrange(len(text) + 1)
            text = text[:at] + self.pick(ODD) + text[at:]
        return text


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--dump', required=True)
    p.add_argument('--ref', default=shutil.which('perf') or '/usr/bin/perf')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--count', type=int, default=100)
    p.add_argument('-v', action='store_true')
    p.add_argument('machines', nargs='*')
    args = p.parse_args()
    machines = args.machines or sorted(f[:-5] for f in os.listdir(event_attrs.TREES)
                                       if f.endswith('.tree')) + ['here']
    bad = 0
    for machine in machines:
        hunt = Hunt(machine, args.seed)
        texts = list(dict.fromkeys(hunt.text() for _ in range(args.count)))
        found = event_attrs.run_texts(machine, texts, args, False)
        print('%s: %d the same, %d not, %d wanted differences' % ((machine,) + found))
        bad += found[1]
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
