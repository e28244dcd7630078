#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks for differences that nobody thought of: random command lines on recordings, through our perf and
the installed one. No part of ./check: what it finds is mended and gets a test, or is listed.

    hunt.py --perf BUILD/perf [--seed N] [--count N] [--only report|script|other] [--captures DIR] [FILE|DIR...]

A command line whose outputs differ is made shorter as long as they still do; equal short ones are shown
once. --captures: records many kinds of files in DIR first, unless they are there, and takes them too;
their symbols are those of this machine. Rules of views.py for all views of a command apply.
"""
import argparse
import collections
import fnmatch
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from scrub import scrub
from run import TIME_LIMIT, WORKLOADS, clean_environment, equal, files_of, gave_up, lines_of, rules_for
from run import show_difference
from views import RECIPES, SCRUBS

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 20  # seconds for one run
WALK = os.path.join(HERE, '..', 'data', 'branches', 'walk')

KEYS = ('pid comm dso symbol parent cpu socket srcline srcfile local_weight weight transaction trace symbol_size '
        'dso_size cgroup cgroup_id time code_page_size local_ins_lat ins_lat addr tid').split()
BRANCH_KEYS = ('dso_from dso_to symbol_from symbol_to mispredict abort in_tx cycles srcline_from srcline_to '
               'addr_from addr_to').split()
MEM_KEYS = ('symbol_daddr dso_daddr locked tlb mem snoop dcacheline symbol_iaddr phys_daddr data_page_size '
            'blocked').split()
COLUMNS = ('overhead overhead_sys overhead_us overhead_guest_sys overhead_guest_us overhead_children sample '
           'period').split()
FIELDS = ('comm tid pid time cpu event trace ip sym dso addr symoff srcline period iregs uregs brstack brstacksym '
          'flags data_src weight bpf-output brstackinsn brstackinsnlen brstackoff callindent insn insnlen synth '
          'phys_addr misc srccode ipc tod data_page_size code_page_size ins_lat').split()

EXTRA = [  # name, arguments of record, workload; beside those of views.py
    ('x-many', '-a -g -e cpu-clock/name=one/,page-faults,sched:sched_switch,syscalls:sys_exit_read -F 199', 'ls'),
    ('x-mixed-types', '-e cpu-clock/call-graph=fp/ -e task-clock/call-graph=no,time=0/ -e page-faults/period=3/ -d', 'busy'),
    ('x-sched-all', '-a -T -s -e sched:sched_switch,sched:sched_wakeup,irq:*,timer:timer_start', 'ls'),
    ('x-fs', '-e syscalls:sys_enter_* -e ext4:* -e kmem:kmalloc -e kmem:mm_page_alloc', 'ls'),
    ('x-group-s', '-e {cpu-clock,page-faults,context-switches}:S -g -c 500000', 'busy'),
    ('x-groups', '-e {cpu-clock,page-faults} -e {task-clock,minor-faults} -g -F 299', 'busy'),
    ('x-lines', '-a -W -d --sample-cpu -n -T -F 299', 'busy'),
    ('x-z', '-z -g -F 499', 'busy'),
    ('x-per-thread', '--per-thread -F 499 -g', 'busy'),
    ('x-no-inherit', '-i -n -c 1 -e page-faults', 'ls'),
    ('x-regs', '-I --user-regs=ip,sp,ax -g -F 199', 'busy'),
    ('x-cgroup', '--all-cgroups --namespaces --switch-events -a -g -F 199', 'ls'),
    ('x-user', '-e cpu-clock:u -e cpu-clock:k -g -F 299', 'busy'),
    ('x-pipe-many', '-e cpu-clock,page-faults -e sched:sched_switch -g -F 199 -o -', 'busy'),
    ('x-ctx', '-a -e cs,migrations,cpu-clock -c 1000 -g', 'ls'),
]
BRANCH_FILES = ['--chain', '--types', '--chain --group', '--chain --kernel', '--lbr --depth 6',
                '--chain --big-endian', '--kernel --no-flags']

# What is listed in doc/compatibility.md: file (glob), a pattern of the command line.
KNOWN = [
    ('*', r'--show-round-events'), ('*', r'--ignore-callees'), ('*', r'--(switch-off|tasks)\b'),
    ('*', r'\breport\b.*(-C|--group-sort-idx) '), ('*', r'bpf-output'), ('*', r'srcline|srcfile'),
    ('*pipe*', r'(^| )-I\b|--stats|--symbol-filter'), ('*dwarf*', r'^(report|script)'), ('*', r'--show-ref-call-graph'),
    ('*', r'^report.*--max-stack 0'), ('*', r'--mmaps'), ('branch*', r'^report.*cycles'),
    ('*branch-4.14', r'^report'), ('x-ctx.data', r'^report'), ('*', r'-D.*--switch-on|--switch-on.*-D'),
    ('*', r'--percent-limit -1'), ('fp-system.data', r'--hierarchy'), ('*', r'-s \S*overhead_children'), ('*', r'--hierarchy.* -s \S*overhead_children|-s \S*overhead_children.*--hierarchy'), ('*', r'-t .\.'), ('*', r'^report.*--inline'), ('*compressed*', r'-D'), ('*', r'--branch-history'),
    ('*', r'-D.* -U|-U.* -D'), ('cap-ours-pipe*', r'^report.*--(no-)?group'), ('*weight_struct', r'-I'), ('autofdo*', r'-I'),
    ('*', r'--disable-order|-D.* --show-|--show-.* -D|--reltime.*--time|--time.*--reltime'),
    ('*', r'^report(?!.*--no-children).*-[sF] \S*(addr|socket|cgroup|time|symbol_size)'), ('*', r'^report.*dso_size'),
    ('branch*', r'--branch-history.*--hierarchy|--hierarchy.*--branch-history'), ('branch5*', r'-D'), ('x-mixed-types.data', r'^report'),
    ('x-mixed-types.data', r'^script'), ('cap-*bits32*', '--show-kernel-path'), ('*', r'^script.* -S 0x'), ('*', r'--pretty'),
    ('*pipe*', r'--header.*--(tasks|mmaps)|--(tasks|mmaps).*--header'), ('cap-ours*', '--mmaps'),
    ('*', r'^report.*-q.*--header-only|--header-only.*-q'),
    ('*', r'^report.*-g \S*address'), ('branch*', r'^report.*(weight|-S |--comms|--dsos|--pid|--tid|-x)'),
    ('*', r'--show-namespace-events'),
    ('branch5*', r'--mmaps'), ('*', r'-D.*--stdio-color|--stdio-color.*-D'),
    ('*', r'brstackoff'), ('*piped.header_features-4.16', r'-D'), ('*', r'--show-mmap-events'),
    ('deferred*', r'^evlist'), ('addr-chains.data', r'^report'),
    ('*', r'^script.*:flags\b'),
    ('x-many.data', r'^report'), ('terms.data', r'^report'),
    ('*', r'(-D|--dump-raw-trace).* --(stats|mmaps)|--(stats|mmaps).* -D'), ('*pipe*', r'^evlist'),
    ('*', r'^report.*--hierarchy.*(--pid|--tid|--comms|--dsos|-S )|^report.*(--pid|--tid|--comms|--dsos|-S ).*--hierarchy'),
    ('*', r'^report.*--socket-filter'), ('sched.data', r'^report.*-s trace$'), ('*etm*', r'-D'),
    ('*buildid-mmap*', r'--mmaps'), ('*', r'^report.*--symbol-filter'), ('x-fs.data', r'^report'), ('*', r'-F flags$'),
]


class Facts:
    """What a recording has, for filters that match something."""

    def __init__(self, hunter, path, foreign):
        self.path, self.foreign = path, foreign
        self.label = os.path.basename(path)
        text = hunter.text(['script', '-G', '-F', 'comm,pid,tid,cpu,time,event,ip,sym,dso', '-i', path] +
                           hunter.symfs(foreign))
        pattern = re.compile(r'^ *(.*?) +(-?\d+)/(-?\d+) +\[(\d+)\] +(\d+\.\d+): +(\S+?): +([0-9a-f]+) (\S+) \((.*)\)')
        rows = [m.groups() for line in text.splitlines()[:4000] for m in [pattern.match(line)] if m]
        rows = rows or [('perf', '1', '1', '0', '1.0', 'cycles', 'ffffffff81000000', 'main', 'libc.so.6')]
        names = ('comm', 'pid', 'tid', 'cpu', 'time', 'event', 'ip', 'sym', 'dso')
        self.values = {n: [r[i] for r in rows] for i, n in enumerate(names)}
        self.begin, self.end = (float(f(self.values['time'], key=float)) for f in (min, max))

    def pick(self, rng, what, most=2):
        some = {rng.choice(self.values[what]) for _ in range(rng.randint(1, most))}
        return ','.join(sorted(some))

    def moment(self, rng):
        return '%.6f' % (self.begin + (self.end - self.begin) * rng.random())


def some(rng, words, low=1, high=3):
    return ','.join(rng.sample(words, rng.randint(low, min(high, len(words)))))


def time_form(rng, facts):
    a, b = sorted([facts.moment(rng), facts.moment(rng)], key=float)
    return rng.choice([a + ',', ',' + a, a + ',' + b, '10%/1', '10%/2', '30%/3,10%/1', '0%-10%', '25%-75%', '50%-100%',
                       '0%-10%,30%-40%', '%s,%s %s,%s' % (a, a, b, b), '33.3%-66.6%', a])


def call_graph(rng):
    words = [rng.choice(['graph', 'flat', 'fractal', 'folded', 'none', 'caller', 'callee'])]
    words += [rng.choice(['0', '0.5', '2', '7.5', '20'])] * (rng.random() < 0.7)
    words += [rng.choice(['1', '2', '5'])] * (len(words) > 1 and rng.random() < 0.3)
    words += [rng.choice(['caller', 'callee'])] * (rng.random() < 0.5)
    words += [rng.choice(['function', 'address'])] * (rng.random() < 0.4)
    words += [rng.choice(['percent', 'period', 'count'])] * (rng.random() < 0.5)
    return '-g ' + ','.join(words)


def trace_keys(rng, facts):
    """Fields of tracepoints: those of the file's events, and some that are nobody's."""
    name = rng.choice(facts.values['event'])
    fields = ['common_pid', 'prev_comm', 'next_pid', 'prev_state', 'ret', 'id', 'args', 'nosuch']
    return ['trace_fields', name + '.*', '%s.%s' % (name, rng.choice(fields)), '%s.%s/raw' % (name, rng.choice(fields)),
            rng.choice(fields[:-1]), 'local_p_stage_cyc', 'p_stage_cyc']


def negation(rng, names):
    return '--no-' + rng.choice(names.split())


def bundle(rng, letters):
    return '-' + ''.join(rng.sample(letters, rng.randint(2, 3)))


def typed_lists(rng):
    """Several types at once, as 'sw:comm,ip -F trace:time,trace'."""
    return ' -F '.join('%s:%s' % (kind, some(rng, FIELDS, 1, 5)) for kind in rng.sample(['sw', 'hw', 'trace', 'raw', 'synth', 'breakpoint'], 2))


# Each gives an option; {} is filled in by the function.
def report_options(rng, facts):
    branchy = 'branch' in facts.label
    keys = KEYS + (BRANCH_KEYS * 2 if branchy else [])
    options = [
        ('-s {}', lambda: some(rng, keys)), ('-s {}', lambda: some(rng, keys)), ('-s {}', lambda: some(rng, keys)),
        ('-s {}', lambda: '+' + some(rng, keys, 1, 2)),
        ('-F {}', lambda: some(rng, COLUMNS + keys, 1, 4)), ('-F {}', lambda: '+' + some(rng, COLUMNS + KEYS, 1, 2)),
        ('{}', lambda: call_graph(rng)), ('{}', lambda: call_graph(rng)), ('{}', lambda: call_graph(rng)),
        ('--no-children', str), ('--no-children', str), ('--children', str), ('-G', str), ('--hierarchy', str), ('--hierarchy', str),
        ('--group', str), ('--no-group', str), ('--percentage {}', lambda: rng.choice(['relative', 'absolute'])),
        ('--time {}', lambda: shlex.quote(time_form(rng, facts))),
        ('-t {}', lambda: rng.choice([',', ':', ';', "'|'", '@'])), ('-w {}', lambda: rng.choice(['5', '0,10', '8,0,30', '3,3,3,3', '40'])),
        ('--comms {}', lambda: shlex.quote(facts.pick(rng, 'comm'))), ('--dsos {}', lambda: shlex.quote(facts.pick(rng, 'dso'))),
        ('-S {}', lambda: shlex.quote(facts.pick(rng, 'sym'))), ('--symbol-filter={}', lambda: rng.choice(['a', 'main', '_', 'read'])),
        ('--pid {}', lambda: facts.pick(rng, 'pid')), ('--tid {}', lambda: facts.pick(rng, 'tid', 3)), ('-C {}', lambda: rng.choice(['0', '1', '0-1', '0,2'])),
        ('--max-stack {}', lambda: rng.choice(['1', '2', '5', '10'])), ('--percent-limit {}', lambda: rng.choice(['0', '1', '3', '10.5', '50'])),
        ('--ignore-callees {}', lambda: shlex.quote(re.escape(facts.pick(rng, 'sym', 1)))), ('-p {}', lambda: rng.choice(['^do_', 'sys', 'main', '_start', 'a'])), ('-x', str),
        ('-n', str), ('-T', str), ('-U', str), ('-q', str), ('-v', str), ('--show-total-period', str), ('--show-cpu-utilization', str), ('--ns', str),
        ('--header', str), ('-I', str), ('--raw-trace', str), ('--no-inline', str), ('--no-demangle', str), ('--disable-order', str), ('--skip-empty', str),
        ('--time-quantum {}', lambda: rng.choice(['1ms', '10ms', '1s', '100us'])), ('--socket-filter {}', lambda: rng.choice(['0', '1'])),
        ('--switch-on {}', lambda: facts.pick(rng, 'event', 1)), ('--switch-off {}', lambda: facts.pick(rng, 'event', 1)), ('--show-on-off-events', str),
        ('--group-sort-idx {}', lambda: rng.choice(['0', '1', '2'])), ('--percent-type {}', lambda: rng.choice(['local-period', 'global-hits'])),
        ('--show-ref-call-graph', str), ('--full-source-path', str), ('--mem-mode -s {}', lambda: some(rng, KEYS + MEM_KEYS * 3)),
        ('--stats', str), ('--tasks', str), ('--mmaps', str), ('-D', str), ('--header-only', str), ('--pretty {}', lambda: rng.choice(['raw', 'normal'])),
        ('--stdio-color {}', lambda: rng.choice(['always', 'never', 'auto'])),
        ('-f', str), ('-m', str), ('--ignore-vmlinux', str), ('--demangle-kernel', str), ('--inline', str), ('--stitch-lbr', str), ('-M intel', str),
        ('--source', str), ('--asm-raw', str), ('--samples {}', lambda: rng.choice(['0', '3'])), ('--prefix /x --prefix-strip 1', str),
        ('--objdump objdump', str), ('--itrace{}', lambda: rng.choice(['', '=i100us', '=e'])), ('-b', str), ('--branch-history', str), ('--show-info', str),
        ('-s {}', lambda: some(rng, trace_keys(rng, facts) + KEYS, 1, 3)), ('-s {}', lambda: some(rng, COLUMNS + keys, 1, 3)),
        ('-F {}', lambda: '+' + some(rng, trace_keys(rng, facts), 1, 2)), ('-g', str), ('-G{}', lambda: rng.choice([' -g fractal', ' --no-children'])),
        ('--max-stack {}', lambda: rng.choice(['0', '127', '2000'])), ('--percent-limit {}', lambda: rng.choice(['-1', '100', '1e1', '.5'])),
        ('-t {}', lambda: rng.choice(["'::'", "'\\t'", "'.'", '0', "' '"])), ('-w {}', lambda: rng.choice(['0', '1', '100,100,100,100', '5,', ',5'])),
        ('{}', lambda: negation(rng, 'children group inline demangle header show-info skip-empty force stats verbose quiet threads')),
        ('{}', lambda: bundle(rng, 'nUTGfI')),
    ]
    if branchy:
        options += [('-b', str), ('--no-branch-stack', str), ('--branch-history', str)]
    return ['report', '--stdio'], options


def field_list(rng):
    kind = rng.choice(['', '', '', '', 'sw:', 'hw:', 'trace:', 'raw:'])
    if rng.random() < 0.5:
        return kind + ','.join(rng.choice('+++-') + f for f in rng.sample(FIELDS, rng.randint(1, 4)))
    return kind + some(rng, FIELDS, 1, 8)


def script_options(rng, facts):
    def around():
        return '0x%x' % (int(rng.choice(facts.values['ip']), 16) + rng.choice([0, 0, -4, 16]))
    return ['script'], [
        ('-F {}', lambda: field_list(rng)), ('-F {}', lambda: field_list(rng)), ('-F {}', lambda: field_list(rng)), ('-F {}', lambda: field_list(rng)),
        ('--time {}', lambda: shlex.quote(time_form(rng, facts))), ('--time {}', lambda: shlex.quote(time_form(rng, facts))),
        ('--ns', str), ('--reltime', str), ('--deltatime', str), ('-G', str), ('--max-stack {}', lambda: rng.choice(['1', '2', '5'])),
        ('--comms {}', lambda: shlex.quote(facts.pick(rng, 'comm'))), ('--dsos {}', lambda: shlex.quote(facts.pick(rng, 'dso'))),
        ('-S {}', lambda: shlex.quote(facts.pick(rng, 'sym'))), ('-S {}', around), ('-S {} --addr-range 0x100', around),
        ('--pid {}', lambda: facts.pick(rng, 'pid')), ('--tid {}', lambda: facts.pick(rng, 'tid', 3)), ('-C {}', lambda: rng.choice(['0', '1', '0-1', '0,2'])),
        ('--stop-bt {}', lambda: shlex.quote(facts.pick(rng, 'sym', 1))), ('--switch-on {}', lambda: facts.pick(rng, 'event', 1)),
        ('--switch-off {}', lambda: facts.pick(rng, 'event', 1)), ('--show-on-off-events', str), ('--no-inline', str), ('--no-demangle', str),
        ('--full-source-path', str), ('--show-kernel-path', str), ('--header', str), ('--header-only', str), ('-I', str), ('-a', str), ('-v', str), ('-L', str),
        ('--max-blocks {}', lambda: rng.choice(['1', '5'])), ('-D', str), ('-f', str), ('-d', str), ('-m', str), ('--ignore-vmlinux', str),
        ('--max-stack {}', lambda: rng.choice(['0', '127', '2000'])), ('--stitch-lbr', str), ('--demangle-kernel', str), ('--show-info', str),
        ('--itrace{}', lambda: rng.choice(['', '=i100us', '=e'])), ('--call-trace', str), ('--call-ret-trace', str), ('--insn-trace', str),
        ('--graph-function main', str), ('--guest-code', str), ('-F {}', lambda: typed_lists(rng)), ('-F {}', lambda: typed_lists(rng)),
        ('{}', lambda: negation(rng, 'inline demangle header hide-call-graph ns reltime show-kernel-path show-mmap-events')),
        ('--addr-range 0x40', str), ('{}', lambda: bundle(rng, 'GDLIfa')),
    ] + [('--show-%s-events' % n, str) for n in ('task', 'mmap', 'switch', 'namespace', 'cgroup', 'lost', 'bpf', 'text-poke', 'round')]


def other_options(rng, _):
    return rng.choice([
        (['evlist'], [(o, str) for o in ('-v', '-F', '-g', '--trace-fields', '-f')]),
        (['buildid-list'], [(o, str) for o in ('-H', '-f', '-v')]),
        (['buildid-list', '-k'], [(o, str) for o in ('-v', '-f', '-m')]),
        (['report', '--header-only'], [('-I', str), ('-q', str), ('-v', str), ('--stdio', str)]),
        (['script', '--header-only'], [('-I', str)])])


class Hunter:
    def __init__(self, args, top):
        self.args, self.top = args, top
        self.env = clean_environment(os.path.join(top, 'home'))
        self.empty = os.path.join(top, 'empty')
        for path in (self.env['HOME'], self.empty):
            os.makedirs(path, exist_ok=True)
        self.slow = collections.Counter()
        self.runs = self.refused = 0

    def symfs(self, foreign):
        return ['--symfs', self.empty] if foreign else []

    def text(self, argv):
        return subprocess.run([self.args.perf] + argv, stdin=subprocess.DEVNULL, capture_output=True, env=self.env,
                              errors='replace', timeout=TIME_LIMIT, check=False).stdout

    def run(self, perf, argv, out):
        with open(out, 'wb') as f:
            try:
                p = subprocess.run([perf] + argv, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.PIPE,
                                   env=self.env, cwd=self.top, timeout=LIMIT, check=False)
                return p.returncode, p.stderr.decode('utf-8', 'replace')
            except subprocess.TimeoutExpired:
                return 'timeout', ''

    def differ(self, facts, argv, slot):
        """The lines of the difference, None if there is none."""
        base = os.path.join(self.top, 'out%d' % slot)
        line = ' '.join(argv)
        if any(fnmatch.fnmatch(facts.label, k[0]) and re.search(k[1], line) for k in KNOWN):
            return None
        self.runs += 1
        argv = argv + (self.symfs(facts.foreign) if argv[0] in ('report', 'script') else []) + ['-i', facts.path]
        theirs, their_text = self.run(self.args.ref, argv, base + '.ref')
        if theirs == 'timeout':
            self.slow[facts.label] += 1
        if theirs == 'timeout' or theirs < 0 or theirs == 139:
            return None
        ours, our_text = self.run(self.args.perf, argv, base + '.our')
        if ours == 'timeout' or ours < 0:
            return ['OURS: %s' % ours]
        if (ours == 0) != (theirs == 0):
            if theirs or gave_up(their_text, base + '.ref'):
                return None
            return [
                'status: reference %s, ours %s: %s' % (theirs, ours, (our_text or their_text).strip()[:200])]
        if theirs or gave_up(their_text, base + '.ref') or gave_up(our_text, base + '.our'):
            self.refused += 1
            return None
        rules = rules_for(argv[0] + '-hunt', facts.label)
        if any(r[2] is None for r in rules):
            return None
        if equal(base + '.ref', base + '.our', rules):
            return None
        if self.args.reordered and lines_of(base + '.ref') == lines_of(base + '.our'):
            return None
        return show_difference(base + '.ref', base + '.our', 14)

    def shrink(self, facts, head, options, slot):
        """The shortest list of options that still differs."""
        found = self.differ(facts, head + words(options), slot)
        if not found:
            return None
        progress = True
        while progress:
            progress = False
            for shorter in shorter_lists(options):
                less = self.differ(facts, head + words(shorter), slot)
                if less:
                    options, found, progress = shorter, less, True
                    break
        return options, found

    def trial(self, number, files):
        rng = random.Random('%s-%d' % (self.args.seed, number))
        facts = rng.choice(files)
        kinds = {'report': report_options, 'script': script_options, 'other': other_options}
        kind = self.args.only or rng.choices(list(kinds), [6, 4, 1])[0]
        head, table = kinds[kind](rng, facts)
        if self.slow[facts.label] > 3:
            return None
        options = [o.replace('{}', str(f())) for o, f in rng.sample(table, min(len(table), rng.randint(1, 5)))]
        got = self.shrink(facts, head, options, threading_slot())
        return got and (facts.label, head, got[0], got[1])


def threading_slot():
    return int(re.sub(r'\D', '', __import__('threading').current_thread().name) or 0)


def words(options):
    return [w for o in options for w in shlex.split(o)]


def shorter_lists(options):
    for i in range(len(options)):
        yield options[:i] + options[i + 1:]
    for i, option in enumerate(options):
        name, _, value = option.partition(' ')
        parts = value.split(',')
        if len(parts) > 1 and not name.startswith('--time') and "'" not in value:
            for k in range(len(parts)):
                yield options[:i] + [name + ' ' + ','.join(parts[:k] + parts[k + 1:])] + options[i + 1:]


def shape(head, options):
    """What makes two findings one: options without the values of filters."""
    out = []
    for o in options:
        name, _, value = o.partition(' ')
        out.append(o if name in ('-s', '-F', '-g', '--mem-mode', '--percentage') else name)
    return ' '.join(head + sorted(out))


def scrub_capture(args, env, path):
    """Takes out the samples that both programs are known to see otherwise, where the file allows it."""
    patterns = [s[2] for s in SCRUBS if s[1] in ('*', '*-*')] + [r'\[vdso\]']
    dump = subprocess.run([args.perf, 'script', '-D', '-F', 'event,ip,sym,dso', '-i', path], env=env,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout
    gone, _ = scrub(path, dump, patterns, path + '.scrubbed')
    if gone:
        os.replace(path + '.scrubbed', path)


def make_captures(args, folder):
    os.makedirs(folder, exist_ok=True)
    env = clean_environment(folder)
    for name, words_of, workload in RECIPES + EXTRA:
        path = os.path.join(folder, name + '.data')
        if os.path.exists(path):
            continue
        argv = words_of.replace('{raw}', '').split()
        stream = argv[-2:] == ['-o', '-']
        with open(path if stream else os.devnull, 'wb') as out:
            subprocess.run([args.ref, 'record'] + (argv if stream else ['-o', path] + argv) + ['--'] +
                           WORKLOADS[workload], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
                           env=env, timeout=TIME_LIMIT, check=False)
        if os.path.getsize(path) > 104 and '-z' not in argv:
            scrub_capture(args, env, path)
    for i, options in enumerate(BRANCH_FILES):
        path = os.path.join(folder, 'branch%d.data' % i)
        if not os.path.exists(path):
            subprocess.run([sys.executable, os.path.join(HERE, '..', 'tools', 'make_branch_file.py'),
                            os.path.realpath(WALK), path, '--seed', str(i), '--samples', '60'] + options.split(),
                           check=True)


def options_of_command_line():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True, help='our program')
    p.add_argument('--ref', default='/usr/bin/perf')
    p.add_argument('--seed', default='1')
    p.add_argument('--from', dest='first', type=int, default=0, help='number of the first trial')
    p.add_argument('--count', type=int, default=500)
    p.add_argument('--only', choices=['report', 'script', 'other'])
    p.add_argument('--captures', metavar='DIR')
    p.add_argument('--file', default='*', help='only files that match this glob')
    p.add_argument('--reordered', action='store_true', help='the same lines in another order are equal')
    p.add_argument('-j', '--jobs', type=int, default=2)
    p.add_argument('files', nargs='*')
    return p.parse_args()


def main():
    args = options_of_command_line()
    args.perf = os.path.abspath(args.perf)
    inputs = [(p, True) for p in files_of(args.files)]
    if args.captures:
        make_captures(args, args.captures)
        inputs += [(p, False) for p in files_of([args.captures])]
    with tempfile.TemporaryDirectory(prefix='perf-hunt-') as top:
        hunter = Hunter(args, top)
        files = [Facts(hunter, os.path.abspath(p), foreign) for p, foreign in inputs
                 if fnmatch.fnmatch(os.path.basename(p), args.file)]
        found = collections.defaultdict(list)
        with ThreadPoolExecutor(args.jobs) as pool:
            for got in pool.map(lambda n: hunter.trial(n, files), range(args.first, args.first + args.count)):
                if not got:
                    continue
                label, head, options, lines = got
                where = found[shape(head, options)]
                where.append(label)
                if where.count(label) == 1 and len(set(where)) <= 2:
                    print('DIFFERS %s: perf %s' % (label, ' '.join(head + options)))
                    for line in lines:
                        print('    | ' + line)
                    sys.stdout.flush()
        print('%d kinds of differences; %d pairs of runs, %d of which both refuse' % (len(found), hunter.runs, hunter.refused))
        for name, where in sorted(found.items(), key=lambda x: -len(x[1])):
            print('%4d  %s  (%s)' % (len(where), name, ', '.join(sorted(set(where))[:3])))
        for name, count in hunter.slow.items():
            print('slow: %s (%d)' % (name, count))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
