#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stacks held against the truth: programs whose call trees are known by construction (known_programs.py).

    known_stacks.py --perf build/perf                         the test: a few modes, some seconds
    known_stacks.py --perf build/perf c-frame-12k:dwarf       one program in one mode; globs too: 'c-*:*'
    known_stacks.py --perf build/perf -v c-frame-12k:dwarf    ... with wrong chains as examples
    known_stacks.py --perf build/perf --table                 everything, as the table of doc/stacks.md
    known_stacks.py --perf build/perf --table --with-ref      ... and the same for the reference

Of 1,000 stacks of samples in the program so many are

    whole     right, up to the thread's start
    cut       right as far as they go
    guessed   right up to a frame that is marked as a guess ("name [guess]" in perf script), whatever follows
    wrong     no such chain of calls exists in the program

Samples whose innermost function is none of the program's tree (the loader before main) are left out, and counted.
A row of KNOWN_WRONG allows what is not mended yet: remove it, or lower its number, with what mends it."""
import argparse
import collections
import fnmatch
import json
import os
import re
import sys

import known_languages
import known_programs
from live_case import Skip, Suite, show

PATH = '/usr/local/bin:/usr/bin:/bin:' + os.path.expanduser('~/.cargo/bin')
# Name -> options of perf record. `fp` only for programs that keep frame pointers; --off-cpu for those that sleep.
MODES = {
    'dwarf': '--call-graph dwarf',
    'raw': '--call-graph dwarf,8192,raw',
    'large': '--call-graph dwarf,65528',
    'large-raw': '--call-graph dwarf,65528,raw',
    'auto': '--call-graph auto',
    'fp': '--call-graph fp',
    'off-cpu': '--off-cpu --call-graph dwarf',
    'off-cpu-auto': '--off-cpu --call-graph auto',
    'off-cpu-fp': '--off-cpu --call-graph fp',
}
# what the test looks at: every program in one mode, and these
QUICK = ('c-*-pointers:*', 'c-O2:*', 'c-evaluator:raw', 'c-frame-12k:auto', 'c-frame-12k:large', 'c-signals:raw', 'c-mixed:auto')
QUICK_MODES = ('dwarf', 'off-cpu')
NOT_QUICK = ('java-c1*', 'java-interpreter', 'go-*', 'c-O3')
# Wrong stacks in 1,000 that are allowed: with unwind tables, or frame pointers in all code, and without. With tables
# there are none; one in 2,000 may be of a library's function that the chains do not list.
AIM = {True: 0.6, False: 5}
# (Program, mode) -> what is allowed until it is mended. Chains of frame pointers lack a caller in the first and last
# instructions of functions, whoever follows them: that is the kernel's way, not a defect to be mended.
KNOWN_WRONG = {
    ('*', '*fp'): 700,
    # the tables of swapcontext() tell of one of the two stacks
    ('c-coroutines', '*'): 2,
    # V8: chains of frame pointers until copies take over
    ('node', 'auto'): 10,
}
# Of 1,000 stacks of C programs with tables at least so many are whole: an unwinder that stops early tells nothing wrong.
WHOLE = 750
# (Program, mode) that have fewer by their nature: chains of frame pointers lack callers, stacks are longer than their copy.
FEWER_WHOLE = {
    ('*', '*fp'): 0,
    ('c-frame-100k', '*'): 0,
    ('c-evaluator', '*'): 250,
    ('c-sleeps', 'off-cpu'): 0,
}
# (Program, mode) of which perf doctor says what is not true, until that is mended.
MISJUDGED = {('*', 'fp')}
RATE = 9997
# Samples of which a share of 5 in 1,000 can be told: a busy machine gives fewer at first.
ENOUGH = 500
ALL = {**known_programs.PROGRAMS, **known_languages.LANGUAGES}
# names that nothing but the end of a chain has
ENDS = re.compile(r'(__GI_)?(__)?clone3?$|start_thread$|_start$|__libc_start')
# names that never are the end: `_start` and clone() call them
NO_ENDS = re.compile(r'__libc_start|start_thread$')
LINE = re.compile(r'\s+([0-9a-f]+) (.*) \((.*)\)$')
Frame = collections.namedtuple('Frame', 'name own named guess loader in_tree')


class Word:
    def __init__(self, text):
        self.any = text == '*'
        self.skip = text.endswith('?')
        text = text[:-1] if self.skip else text
        self.again = text.endswith('+')
        text = text[:-1] if self.again else text
        self.lib = text.startswith('lib:')
        self.outer = text == 'any'
        self.text = text[4:] if self.lib else text
        self.names = set(self.text.split('|'))
        self.regex = re.compile(self.text + '$') if self.lib else None

    def fits(self, frame):
        if self.any:
            return False
        if self.outer:
            return not frame.in_tree
        if not self.lib:
            return frame.own and frame.name in self.names
        if frame.own:
            return False
        if not frame.named:
            return True
        return bool(self.regex.match(frame.name)) and (self.text != '.*' or not ENDS.match(frame.name))


class Tree:
    """The language of legal chains: any part of one of the program's."""
    def __init__(self, chains, inside=None):
        known = {}
        self.inside = re.compile(inside) if inside else None
        self.chains = [[known.setdefault(text, Word(text)) for text in chain] for chain in chains]
        self.named, self.others = collections.defaultdict(list), []
        for c, chain in enumerate(self.chains):
            for i, word in enumerate(chain):
                if word.lib:
                    self.others.append((c, i))
                elif not word.any and not word.outer:
                    for name in word.names:
                        self.named[name].append((c, i))
        self.after, self.begins, self.steps = {}, {}, {}

    def begin(self, frame):
        """Places at which a chain may begin with the frame."""
        if frame.own:
            return frozenset(self.named.get(frame.name, ()))
        if frame not in self.begins:
            self.begins[frame] = frozenset((c, i) for c, i in self.others if self.chains[c][i].fits(frame))
        return self.begins[frame]

    def following(self, at):
        """Places that may come next, and whether the chain may end here."""
        if at not in self.after:
            c, i = at
            chain, found, may_end, jump = self.chains[c], [], False, False
            if chain[i].again:
                found.append(at)
            for j in range(i + 1, len(chain) + 1):
                if j == len(chain):
                    may_end = True
                    break
                if chain[j].any:
                    jump = True
                    break
                found.append((c, j))
                if not chain[j].skip:
                    break
            self.after[at] = found, may_end, jump
        return self.after[at]

    def step(self, states, frame):
        key = states, frame
        if key not in self.steps:
            self.steps[key] = self.following_all(states, frame)
        return self.steps[key]

    def following_all(self, states, frame):
        found = set()
        for at in states:
            for c, i in self.following(at)[0]:
                if self.chains[c][i].fits(frame):
                    found.add((c, i))
        if any(self.following(at)[2] for at in states):
            found |= self.begin(frame)
        return frozenset(found)

    def judge(self, stack):
        states = self.begin(stack[0])
        if not states or self.inside and not self.inside.match(stack[0].name) or \
                stack[-1].loader and (stack[0].loader or stack[-1].name == '_start'):
            return 'outside'
        for frame in stack[1:]:
            if frame.guess:
                return 'guessed'
            states = self.step(states, frame)
            if not states:
                return 'wrong'
        return 'whole' if not NO_ENDS.match(stack[-1].name) and any(self.following(at)[1] for at in states) else 'cut'


def read_names(suite):
    """Addresses and names of a stripped program, from the copy that has them."""
    table = []
    for line in suite.sh('nm --defined-only -n named').out.splitlines():
        addr, kind, name = line.split()
        if kind in 'tT':
            table.append((int(addr, 16), name))
    return table


def name_at(table, addr):
    return next((name for at, name in reversed(table) if at <= addr), None)


def read_stacks(suite, perf, program, events=None):
    """Each sample's frames."""
    names = read_names(suite) if os.path.exists(suite.here + '/named') else None
    r = suite.sh('"%s" script -i m.data --comm %s -F event,ip,sym,dso --no-inline' % (perf, program.comm))
    assert r.status == 0, show(r)
    stacks, wanted, frames = [], True, {}
    for line in r.out.splitlines():
        if not line:
            continue
        if not line[0].isspace():
            wanted = events is None or line.strip().rstrip(':').split(':')[0] in events
            if wanted:
                stacks.append([])
        elif wanted:
            key = line, bool(stacks[-1])
            if key not in frames:
                frames[key] = read_frame(line, names, *key[1:])
            if frames[key]:
                stacks[-1].append(frames[key])
    if perf != suite.perf:
        # it goes on to an address in no object
        stacks = [s[:-1] if s and not s[-1].named and s[-1].own else s for s in stacks]
    return [s for s in stacks if s]


def read_frame(line, names, called):
    m = LINE.match(line)
    if not m or m.group(3) == '[kernel.kallsyms]' or re.match(r'\[\w+\]$', m.group(3)) and m.group(3) not in (
            '[unknown]', '[vdso]', '[stack]', '[heap]'):
        return None
    addr, name, dso = int(m.group(1), 16), m.group(2), m.group(3)
    guess = '[guess]' in line
    name = name.replace('[guess]', '').strip()
    jit = re.search(r'/(perf-\d+\.map|jit-\d+\.dump)$', dso)
    own = jit or os.path.basename(dso) == 'p' and '@' not in name
    if own and names:
        name = name_at(names, addr - called) or name
    f = re.search(r'(?:\b|[*~^+])(f_\d+|pick)\b', name)
    in_tree = bool(f) and not name.startswith('LazyCompile')
    name = f.group(1) if f else re.sub(r'\(.*|\+0x.*|@.*', '', name)
    if own and name == 'main.main' or name.endswith('::main'):
        name = 'main'
    if own:
        name = re.sub(r'\.(?!s\b).*', '', name)
    named = not name.startswith('[unknown]')
    if not named and dso in ('[unknown]', '[stack]', '[heap]'):
        name = 'in ' + dso  # no code of a JIT compiler
    # what lies in no object is nothing that a library has
    return Frame(name, own or dso in ('[unknown]', '[stack]', '[heap]', '//anon'), named, guess,
                 os.path.basename(dso).startswith('ld-linux'), in_tree)


def build(suite, name):
    program = ALL[name]()
    if suite.sh('command -v ' + program.needs, PATH=PATH).status:
        raise Skip("no program '%s'" % program.needs)
    if os.uname().machine != 'x86_64':
        raise Skip('x86-64 code')
    if 'g++' in program.build and not suite.has('demangle'):
        raise Skip('built without demangling')
    r = suite.made(program.build, program.files, PATH=PATH, RUSTUP_HOME=os.path.expanduser('~/.rustup'))
    assert r.status == 0, show(r)
    return program


def record(suite, program, mode, perf, ms):
    sleeps = mode.startswith('off-cpu')
    rate = RATE if 'large' not in mode else RATE // 3
    begin = '-D -1 --control fifo:ctl,ack' if program.start_told else '-D %d' % program.start_ms if program.start_ms else ''
    r = suite.sh('mkfifo ctl ack; "%s" record -q -N -o m.data -m 4M -F %d %s -e cpu-clock:u %s %s %d' % (
        perf, rate, begin, MODES[mode], program.run, program.start_ms + ms))
    if sleeps and r.status and 'not permitted' in r.err:
        raise Skip('no BPF here')
    if 'cannot open' in r.err or not os.path.exists(suite.here + '/m.data'):
        raise Skip('cannot record here: ' + r.err.strip()[:200])


def measure(suite, name, mode, perf=None, ms=200):
    """How many stacks were what, and the wrong ones."""
    program = build(suite, name)
    try:
        return judge(suite, program, mode, perf or suite.perf, ms)
    finally:
        if program.comm != 'p':
            suite.drop_maps('m.data')


def judge(suite, program, mode, perf, ms):
    record(suite, program, mode, perf, ms)
    stacks = read_stacks(suite, perf, program, ('offcpu-time',) if mode.startswith('off-cpu') else None)
    tree, known, counts, wrong = Tree(program.chains, program.inside), {}, collections.Counter(), collections.Counter()
    for stack in stacks:
        key = tuple(stack)
        if key not in known:
            known[key] = tree.judge(stack)
        counts[known[key]] += 1
        if known[key] in ('wrong', 'outside'):
            wrong[known[key] + ': ' + ' < '.join(f.name + (' [guess]' if f.guess else '') for f in key)] += 1
    if perf == suite.perf and not mode.startswith('off-cpu'):
        right, told, d = is_judged_right(suite, program, counts)
        if not right:
            counts['misjudged'] = 1
            wrong['misjudged: perf doctor tells %s; %s' % (told or 'nothing', {
                k: v for k, v in d['measures'].items() if k.startswith('stacks')})] = 1
    return program, counts, wrong


def is_judged_right(suite, program, counts):
    """The verdict of perf doctor: that stacks are in order if nearly all of them are, else that they are not."""
    share, judged = in_thousand(counts)
    d = json.loads(suite.sh('perf doctor --json m.data').out)
    told = [f['check'] for f in d['findings'] if f['state'] == 'wrong' and f['check'] in ('stacks', 'jit-frames')]
    if share['whole'] < 950:
        return bool(told), told, d
    # (it judges threads that are not looked at here, too)
    return share['whole'] < 990 or 'stacks' not in told or bool(program.inside), told, d


def in_thousand(counts):
    judged = sum(counts[what] for what in ('whole', 'cut', 'guessed', 'wrong'))
    return {what: 1000 * counts[what] / max(judged, 1) for what in ('whole', 'cut', 'guessed', 'wrong')}, judged


def examples(wrong, what, nr):
    return [pair for pair in wrong.most_common() if pair[0].startswith(what)][:nr]


def tell(suite, counts, wrong):
    if suite.args.verbose:
        print('     ' + ', '.join('%s %d' % pair for pair in sorted(counts.items())))
        for text, nr in (pair for what in ('misjudged', 'wrong', 'outside') for pair in examples(wrong, what, 9 if what == 'wrong' else 3)):
            print('     %d %s' % (nr, text[:400]))


def fits(program, mode):
    if mode.startswith('off-cpu'):
        return program.sleeps
    return not program.sleeps and (mode != 'fp' or program.kept)


def found_in(table, name, mode, otherwise):
    return next((nr for (of, by), nr in table.items() if fnmatch.fnmatch(name, of) and fnmatch.fnmatch(mode, by)), otherwise)


def is_right(suite, name, mode):
    program, counts, wrong = measure(suite, name, mode)
    share, judged = in_thousand(counts)
    if not program.tables and judged < ENOUGH:
        program, counts, wrong = measure(suite, name, mode, ms=1500)
        share, judged = in_thousand(counts)
    tell(suite, counts, wrong)
    if judged <= 100:
        raise Skip('too few samples: the program got little of the CPU')
    assert program.inside or counts['outside'] <= judged * .02 + 9, counts
    assert not counts['misjudged'] or any(fnmatch.fnmatch(name, of) and fnmatch.fnmatch(mode, by)
                                          for of, by in MISJUDGED), examples(wrong, 'misjudged', 1)
    least = found_in(FEWER_WHOLE, name, mode, WHOLE if program.tables and name in known_programs.PROGRAMS else 0)
    assert share['whole'] >= least, '%.0f in 1,000 are whole, at least %d should be: %s' % (share['whole'], least, dict(counts))
    allowed = found_in(KNOWN_WRONG, name, mode, AIM[program.tables])
    # (of few samples one is no measure where what is wrong is not to be 0)
    assert share['wrong'] <= allowed or not program.tables and counts['wrong'] == 1, '%.1f in 1,000 are wrong, %s is allowed: %s' % (
        share['wrong'], allowed, '\n'.join('%d %s' % (nr, text) for text, nr in examples(wrong, 'wrong', 4)))


def print_table(suite, cases, with_ref):
    print('| program | mode | whole | cut | guessed | wrong |%s' % (' reference: whole | cut | wrong |' if with_ref else ''))
    print('|---|---|---|---|---|---|%s' % ('---|---|---|' if with_ref else ''))

    def one(case):
        name, mode = case
        try:
            _, counts, wrong = measure(suite, name, mode, ms=400)
        except (Skip, AssertionError) as why:
            return '| %s | %s | %s |' % (name, mode, why), None, None
        share, judged = in_thousand(counts)
        row = '| %s | %s | %s |' % (name, mode, ' | '.join('%.0f' % share[k] if k != 'wrong' else '%.1f' % share[k]
                                                          for k in ('whole', 'cut', 'guessed', 'wrong')))
        if with_ref and not mode.startswith('off-cpu') and 'auto' not in mode:
            share, judged = in_thousand(measure(suite, name, mode.replace('-raw', '').replace('raw', 'dwarf'),
                                                suite.ref, 400)[1])
            row += ' %.0f | %.0f | %.1f |' % (share['whole'], share['cut'], share['wrong'])
        return row, counts, wrong
    for row, counts, wrong in suite.at_once(one, cases, 1):
        print(row)
        if counts:
            tell(suite, counts, wrong)
        sys.stdout.flush()


def main():
    known = ('--table', '--with-ref')
    own = argparse.Namespace(**{w[2:].replace('-', '_'): w in sys.argv for w in known})
    sys.argv = [w for w in sys.argv if w not in known]
    suite = Suite(__doc__)
    every = [(name, mode) for name, make in ALL.items() for mode in MODES if fits(make(), mode)]
    wanted = suite.args.only or (['*'] if own.table else QUICK)
    cases = [c for c in every if any(fnmatch.fnmatch(':'.join(c), g) for g in wanted) or
             wanted is QUICK and c[1] in QUICK_MODES and not any(fnmatch.fnmatch(c[0], g) for g in NOT_QUICK)]
    if own.table:
        print_table(suite, cases, own.with_ref)
        suite.passed = 1
    else:
        suite.check_all([(':'.join(c), is_right, suite) + c for c in cases], 2)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
