#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test: the same perf.data file through our perf and through the installed one.

    run.py --perf BUILD/perf [--ref PERF] [options] [FILE|DIR...]

For every file and every row of views.py the standard output and the success of both programs
must be equal; where both refuse, their message. With --capture, files are also recorded afresh by both programs with the recipes
of views.py and read by both ("each reads the other's files").  Wanted differences are the table
DIFFERENCES in views.py.  With --sums, the reference is started only where it is not known what it prints (sums.py).
Skips, with the reason, what the reference cannot do here.
The last line is "N passed, N failed, N skipped"; the exit status is 1 if anything failed.
"""
import argparse
import collections
import copy
import fnmatch
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import equal_rows
from kallsyms import few_symbols, with_short_kallsyms
from scrub import scrub
from stacks import stacks_agree
from sums import GIVES_UP, read_sums, sum_of, write_sums
from views import CAPTURED, DIFFERENCES, RECIPES, REFUSALS, REORDERED, SCRUBS, SUBSTITUTIONS, VIEWS

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'live'))
from live_case import in_chroot  # noqa: E402

TIME_LIMIT = 300  # seconds, for what hangs
RECORDERS = 6  # at once; the reference waits for most of its time
SKIP_EXIT = 77
KNOWN = 'views are what the reference is known to print (sums.txt)'
GAVE_UP = 'the reference gives up, with exit status 0'
REPLACE = [(re.compile(a.encode(), re.M), b.encode(), c.encode()) for a, b, c in SUBSTITUTIONS]

WORKLOADS = {
    'ls': ['ls', '-lR', '/usr/share/doc/dpkg', '/etc'],
    'busy': [sys.executable, '-S', '-c',
             'import json\nfor i in range(60): json.loads(json.dumps([list(range(200))] * 40))'],
}


def clean_environment(home):
    env = {k: os.environ[k] for k in ('PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'DEBUGINFOD_URLS')
           if k in os.environ}
    env.pop('DEBUGINFOD_URLS', None)
    env.update(LC_ALL='C', TERM='dumb', HOME=home, PERF_CONFIG='/dev/null', TZ='UTC')
    return env


class Tools:
    def __init__(self, args, top):
        self.ours = shlex.split(args.perf)
        self.ref = shlex.split(args.ref)
        self.top = top
        self.sums = read_sums(args.sums) if args.sums else {}
        self.new_sums = {}  # (label, view) -> sum, for --write-sums
        self.kallsyms = None  # few_symbols(), for the reference
        self.scrubbed = {}  # (file, patterns) -> what scrub() made of it
        self.scrubbing = threading.Lock()
        self.env = clean_environment(os.path.join(top, 'home'))
        self.empty = os.path.join(top, 'empty')
        for path in (self.env['HOME'], self.empty):
            os.makedirs(path, exist_ok=True)

    def without_few_symbols(self):
        tools = copy.copy(self)
        tools.kallsyms = None
        return tools

    def run(self, tool, argv, out):
        """Runs a command with its output in a file; returns (status, error text)."""
        with open(out, 'wb') as f, open(out + '.err', 'wb') as errors:
            try:
                status = subprocess.run(tool + argv, stdin=subprocess.DEVNULL, stdout=f,
                                        stderr=errors, env=self.env, cwd=self.top,
                                        timeout=TIME_LIMIT, check=False).returncode
            except subprocess.TimeoutExpired:
                status = 'timeout'
        with open(out + '.err', 'rb') as errors:
            text = errors.read(4096).decode('utf-8', 'replace')
        os.unlink(out + '.err')
        return status, text

    def reference(self, argv, out):
        few = ['--kallsyms', self.kallsyms] if self.kallsyms and argv[0] in ('report', 'script') else []
        return self.run(self.ref, argv[:1] + few + argv[1:], out)


def rules_for(view, label):
    return [d for d in DIFFERENCES
            if fnmatch.fnmatch(view, d[0]) and fnmatch.fnmatch(label, d[1])]


def without_lines(text, pattern):
    """The text without the lines that have the pattern."""
    parts, at = [], 0
    for m in pattern.finditer(text):
        if m.start() >= at:
            parts.append(text[at:text.rfind(b'\n', 0, m.start()) + 1])
            at = text.find(b'\n', m.end()) + 1 or len(text)
    return b''.join(parts + [text[at:]]) if parts else text


def comparable(text, rules):
    """The text without the lines that may differ."""
    for rule in rules:
        if rule[2]:
            text = without_lines(text, re.compile(rule[2].encode(), re.M))
    for pattern, new, sign in REPLACE:
        if sign in text:
            text = pattern.sub(new, text)
    return text


def equal(ref_out, our_out, rules):
    """Whether two files are; without the lines that may differ, which are taken out of them if need be."""
    texts = read(ref_out), read(our_out)
    if texts[0] == texts[1]:
        return True
    texts = [comparable(text, rules) for text in texts]
    for path, text in zip((ref_out, our_out), texts):
        with open(path, 'wb') as f:
            f.write(text)
    return texts[0] == texts[1]


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def lines_of(path):
    """How often each line is there, without what draws the branches of a call graph."""
    with open(path, 'rb') as f:
        return collections.Counter(line.strip(b' |-\n') for line in f)


def show_difference(ref, ours, limit=24):
    text = subprocess.run(['diff', '-a', '-U1', '--label', 'reference', ref, '--label', 'ours',
                           ours], capture_output=True, check=False, errors='replace',
                          timeout=300).stdout.splitlines()
    cut = [line[:500] for line in text[:limit]]
    if len(text) > limit:
        cut.append('… %d more lines' % (len(text) - limit))
    return cut


def gave_up(errors, out):
    """Whether the reference printed an error instead of results."""
    if not errors.strip():
        return False
    with open(out, 'rb') as f:
        return all(line.startswith(b'#') or not line.strip() for line in f)


def refused_alike(ref_err, our_err, view, label):
    """Two refusals: our message is one of the reference's, with "error: " in front; hints are ours alone."""
    theirs = [line.strip() for line in ref_err.splitlines()]
    ours = [line.removeprefix('error: ') for line in our_err.splitlines()
            if line.strip() and not line.startswith(('hint: ', 'warning: '))]
    if ours and all(line in theirs for line in ours):
        return 'refused', []
    why = next((r[2] for r in REFUSALS if fnmatch.fnmatch(view, r[0]) and fnmatch.fnmatch(label, r[1])), None)
    if ours and why:
        return 'skip', ['refused with other words: ' + why]
    return 'fail', ['both refuse it, with other words:'] + ['-' + line for line in theirs] + ['+' + line for line in ours]


def both(tools, argv, base, view, rules):
    """Runs both programs. Returns (verdict, detail lines); of outputs that differ there is no detail, they remain. The detail
    of what passes are notes: (what, how many)."""
    ref_out, our_out = base + '.ref', base + '.our'
    ref_status, ref_err = tools.reference(argv, ref_out)
    if isinstance(ref_status, str) or ref_status < 0:
        return 'skip', ['the reference died: %s' % ref_status]
    our_status, our_err = tools.run(tools.ours, argv, our_out)
    if ref_status != 0 and our_status == 0:
        return 'skip', ['the reference refuses it: ' + ref_err.strip()[:160]]
    if ref_status == 0 and gave_up(ref_err, ref_out):
        return 'skip', [GAVE_UP]
    if (ref_status == 0) != (our_status == 0):
        return 'fail', ['exit status: reference %s, ours %s: %s'
                        % (ref_status, our_status, our_err.strip()[:300])]
    label = os.path.basename(base)[:-len(view) - 1]
    if ref_status:
        return refused_alike(ref_err, our_err, view, label)
    if equal(ref_out, our_out, rules):
        return 'pass', []
    if view.startswith('script-stacks') and stacks_agree(ref_out, our_out):
        return 'pass', []
    if any(fnmatch.fnmatch(view, v) and fnmatch.fnmatch(label, f) for v, f in REORDERED) and \
            lines_of(ref_out) == lines_of(our_out):
        return 'pass', []
    moved = equal_rows.moved_rows(*map(equal_rows.lines_of, (ref_out, our_out))) if view.startswith('report') else None
    if moved:
        return 'pass', [('rows stand elsewhere among rows of equal share', moved)]
    return 'fail', []


def scrubbed(tools, path, patterns):
    """The file without the samples whose text matches: (its name, how many went, how many are left). Once for all views."""
    with tools.scrubbing:
        dump = path + '.dump'
        if not os.path.exists(dump) and tools.run(tools.ours, ['script', '-D', '-F', 'event,ip,sym,dso', '-i', path], dump)[0]:
            os.truncate(dump, 0)
        if (path, patterns) not in tools.scrubbed:
            name = '%s.scrubbed%d' % (path, len(tools.scrubbed))
            tools.scrubbed[path, patterns] = (name,) + scrub(path, read(dump), patterns, name)
        return tools.scrubbed[path, patterns]


def without_samples(tools, argv, base, view, label, rules):
    """The file again without the samples that SCRUBS leaves out of this view."""
    path = argv[-1]
    patterns = tuple(s[2] for s in SCRUBS if fnmatch.fnmatch(view, s[0]) and fnmatch.fnmatch(label, s[1]))
    if not patterns:
        return None
    name, gone, kept = scrubbed(tools, path, patterns)
    if not gone:
        return None
    if kept < gone / 4:
        return 'skip', ['too few samples that both programs understand alike']
    verdict, detail = both(tools, argv[:-1] + [name], base, view, rules)
    if verdict == 'pass':
        return verdict, [('samples were left out of a second comparison', gone)] + detail
    return verdict, ['without %d samples of %d:' % (gone, gone + kept)] + detail


def as_known(tools, argv, out, known, template, key, rules):
    """Whether ours prints what the reference has once printed."""
    if tools.run(tools.ours, argv, out)[0] != 0:
        return False
    text = read(out)
    return sum_of(template, key, text) == known or sum_of(template, key, comparable(text, rules)) == known


def compare(tools, label, path, key, foreign, view):
    """One file, one view. Returns (verdict, command, detail lines)."""
    name, template, _ = view
    symfs = '--symfs ' + tools.empty if foreign else ''
    argv = shlex.split(template.replace('{symfs}', symfs)) + ['-i', path]
    shown = 'perf ' + ' '.join(argv)
    rules = rules_for(name, label)
    for rule in rules:
        if rule[2] is None:
            return 'skip', shown, ['wanted difference: ' + rule[3]]
    base = os.path.join(tools.top, 'out', '%s.%s' % (label.replace('/', '_'), name))
    known = tools.sums.get((label, name))
    if known and known == sum_of(template, key, GIVES_UP):
        return 'skip', shown, [GAVE_UP]
    if known and as_known(tools, argv, base + '.our', known, template, key, rules):
        os.unlink(base + '.our')
        return 'pass', shown, [(KNOWN, 1)]
    for asked in (tools, tools.without_few_symbols()) if tools.kallsyms else (tools,):
        verdict, detail = both(asked, argv, base, name, rules)
        if verdict == 'fail':
            verdict, detail = without_samples(asked, argv, base, name, label, rules) or (verdict, detail)
        if verdict != 'fail':
            break
    if verdict == 'fail' and os.path.exists(base + '.our'):
        detail = detail + show_difference(base + '.ref', base + '.our')
    if (verdict, detail) == ('pass', []):
        tools.new_sums[label, name] = sum_of(template, key, comparable(read(base + '.ref'), rules))
    elif detail == [GAVE_UP]:
        tools.new_sums[label, name] = sum_of(template, key, GIVES_UP)
    for out in (base + '.ref', base + '.our'):
        if os.path.exists(out):
            os.unlink(out)
    return verdict, shown, detail


def files_of(args):
    out = []
    for arg in args:
        if os.path.isdir(arg):
            out += [os.path.join(arg, n) for n in sorted(os.listdir(arg))
                    if re.search(r'perf.*data|\.data$|\.perf$', n)]
        else:
            out.append(arg)
    return [p for p in out if os.path.isfile(p)]


def hash_file(path):
    digest = hashlib.sha1()
    with open(path, 'rb') as f:
        for block in iter(lambda: f.read(1 << 20), b''):
            digest.update(block)
    return digest.hexdigest()[:12]


def starved(tools, who, args, path):
    """Whether a recording has what the reference does not read for a reason that lies with the machine: ids of
    another recorder, or, in its own, samples that it wrote behind the round that was to follow them."""
    signs = [b'[Bad address]'] if re.search('-faults|context-switches', args) else []
    if who == 'ref' and '-a' in args.split():
        signs.append(b'out of order')
    if not signs:
        return False
    result = subprocess.run(tools.ref + ['script', '--kallsyms=/dev/null', '-G', '-F', 'event,time', '-i', path], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=tools.env, timeout=TIME_LIMIT,
                            check=False)
    return any(sign in result.stderr for sign in signs)


def capture(tools, recorder, recipe, who):
    """Records one recipe with ours or the reference; returns the path, the command line and an error text."""
    name, args, workload = recipe
    path = os.path.join(tools.top, 'fresh-%s-%s.data' % (who, name))
    args = args.replace('{raw}', ',raw' if who == 'ours' else '')
    words = args.split()
    stream = words[-2:] == ['-o', '-']
    argv = ['record'] + (words if stream else ['-o', path] + words) + ['--'] + WORKLOADS[workload]
    # Beside a system-wide recording by ours the reference aborts at its end, and samples of software events may
    # have ids of another recorder, which the reference does not read (doc/compatibility.md): then once more.
    for _ in range(4):
        with open(path if stream else os.devnull, 'wb') as out:
            result = subprocess.run(recorder + argv, stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=subprocess.PIPE, env=tools.env, timeout=TIME_LIMIT, check=False)
        if who == 'ours' or result.returncode >= 0:
            if result.returncode or not starved(tools, who, args, path):
                break
    if result.returncode != 0 or not os.path.exists(path):
        return None, 'perf ' + ' '.join(argv), result.stderr.decode('utf-8', 'replace').strip()[:400]
    return path, 'perf ' + ' '.join(argv), ''


def captures(tools, recipes):
    """[(recipe, {who: (path, command line, error text)})]: some at a time, since the reference waits for a second
    at its end when it is root, but one of the whole machine; the reference's before ours, for the reasons above."""
    made = [{} for _ in recipes]
    for who, recorder in ('ref', with_short_kallsyms(tools.ref, tools.top)), ('ours', tools.ours):
        with ThreadPoolExecutor(RECORDERS) as some, ThreadPoolExecutor(1) as one:
            jobs = [(one if is_of_machine(r) else some).submit(capture, tools, recorder, r, who) for r in recipes]
            for results, job in zip(made, jobs):
                results[who] = job.result()
    return list(zip(recipes, made))


class Tally:
    def __init__(self, args):
        self.counts = {}  # (verdict, label) -> how many
        self.verbose = args.verbose
        self.reasons = {}
        self.notes = {}  # what -> {label: how many}

    def add(self, verdict, label, view, shown, detail):
        self.counts[verdict, label] = self.counts.get((verdict, label), 0) + 1
        if verdict == 'fail':
            print('FAIL %s: %s\n    %s' % (label, view, shown))
            for line in detail:
                print('    | ' + line)
        elif verdict == 'skip':
            self.reasons.setdefault(detail[0][:80], []).append('%s:%s' % (label, view))
        else:
            for what, nr in detail:
                labels = self.notes.setdefault(what, {})
                labels[label] = labels.get(label, 0) + nr
            if self.verbose:
                print('ok   %s: %s' % (label, view))
        sys.stdout.flush()

    def failed(self):
        return {label for verdict, label in self.counts if verdict == 'fail'}

    def forget(self, labels):
        """What is compared once more counts once."""
        self.counts = {key: n for key, n in self.counts.items() if key[1] not in labels}
        self.notes = {what: {k: n for k, n in of.items() if k not in labels} for what, of in self.notes.items()}

    def close(self):
        for reason, where in sorted(self.reasons.items()):
            print('skipped: %s (%d: %s)' % (reason, len(where), ', '.join(where[:3])))
        for what, labels in sorted((what, of) for what, of in self.notes.items() if of):
            print('note: %d %s (%s)' % (sum(labels.values()), what, ', '.join('%s: %d' % n for n in sorted(labels.items()))))
        refused = sum(n for key, n in self.counts.items() if key[0] == 'refused')
        if refused:
            print('note: %d are refused by both programs, with the same message; they count as no comparison' % refused)
        count = [sum(n for key, n in self.counts.items() if key[0] == verdict) for verdict in ('pass', 'fail', 'skip')]
        print('%d passed, %d failed, %d skipped' % tuple(count))
        return 1 if count[1] else 0


def keep_failed(folder, jobs, failed):
    os.makedirs(folder, exist_ok=True)
    for label, path, _ in jobs:
        if label in failed:
            shutil.copyfile(path, os.path.join(folder, label + '.data'))


def may_record(tools):
    """(It has recorded, too, when it aborts at its end beside another recorder.)"""
    path = os.path.join(tools.top, 'probe.data')
    return subprocess.run(tools.ref + ['record', '-o', path, '-a', '-F', '99', 'true'],
                          env=tools.env, capture_output=True, check=False).returncode <= 0


# The initial namespace's number (PROC_PID_INIT_INO): outside of it the tasks of others are all recorded as pid 0.
INITIAL_PID_NAMESPACE = 'pid:[4026531836]'


def why_no_others():
    """Why the reference cannot show what other programs do; None where it can."""
    if os.readlink('/proc/self/ns/pid') != INITIAL_PID_NAMESPACE:
        return 'in a pid namespace'
    return "in a chroot the reference finds no other program's file" if in_chroot() else None


def options():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True, help='our program')
    p.add_argument('--ref', default='/usr/bin/perf', help='the reference (a command line)')
    p.add_argument('--all', action='store_true', help='every view, not only the short list')
    p.add_argument('--capture', action='store_true', help='record fresh files too')
    p.add_argument('--local', action='store_true', help='the files are of this machine: use its symbols')
    p.add_argument('--view', action='append', help='only views that match this glob')
    p.add_argument('--tries', type=int, default=1, help='how often a recipe of the whole machine is captured until all is equal')
    p.add_argument('--recipe', default='*', help='only recipes that match this glob')
    p.add_argument('--sums', help='what the reference is known to print: start it where ours prints something else')
    p.add_argument('--write-sums', help='write what the reference printed, where it was equal')
    p.add_argument('--keep', metavar='DIR', help='leave the files of failed comparisons in DIR')
    p.add_argument('-j', '--jobs', type=int, default=2)
    p.add_argument('-v', '--verbose', action='store_true')
    p.add_argument('files', nargs='*')
    return p.parse_args()


def is_of_machine(recipe):
    """Of all processes: what others run in that moment, in other roots too, may be what the two do not show alike
    (SCRUBS). All others have nothing in them but our workload: they are right, or wrong."""
    return '-a' in recipe[1].split()


def recipe_of(label):
    return re.sub('^(ours|ref)-', '', label)


def main():
    args = options()
    if not shutil.which(shlex.split(args.ref)[0]):
        print('skipped: no reference perf at %s\n0 passed, 0 failed, 1 skipped' % args.ref)
        return SKIP_EXIT
    args.perf = os.path.abspath(args.perf) if os.path.exists(args.perf) else args.perf
    tally = Tally(args)
    inputs = files_of(args.files)
    for extra in os.environ.get('PERF_DIFF_DATA', '').split(':'):
        inputs += files_of([extra]) if extra else []
    recipes = [r for r in RECIPES if fnmatch.fnmatch(r[0], args.recipe)] if args.capture else []
    attempt(args, tally, inputs, recipes)
    for _ in range(args.tries - 1):
        recipes = [r for r in recipes if is_of_machine(r) and r[0] in map(recipe_of, tally.failed())]
        if recipes:
            print('note: captured again, in another moment of the machine: ' + ' '.join(r[0] for r in recipes))
            tally.forget({'%s-%s' % (who, r[0]) for r in recipes for who in ('ours', 'ref')})
            attempt(args, tally, [], recipes)
    return tally.close()


def views_of(args, label, fresh):
    """The rows of VIEWS that are compared of a file, or of a fresh capture."""
    if args.view:
        views = [v for v in VIEWS if any(fnmatch.fnmatch(v[0], g) for g in args.view)]
    else:
        views = [v for v in VIEWS if args.all or v[2]]
        if fresh and not args.all:
            views = [v for v in views if v[0] not in CAPTURED or recipe_of(label) in CAPTURED[v[0]].split()]
    return [v for v in views if not isinstance(v[2], str) or fnmatch.fnmatch(label, v[2])]


def attempt(args, tally, inputs, recipes):
    """Compares what both programs make of the files, and of new captures."""
    with tempfile.TemporaryDirectory(prefix='perf-diff-') as top:
        os.makedirs(os.path.join(top, 'out'))
        tools = Tools(args, top)
        jobs = []
        for path in inputs:
            copy = os.path.join(top, os.path.basename(path))
            if os.path.getsize(path) < 1 << 26:
                shutil.copy2(path, copy)
            else:
                os.symlink(os.path.abspath(path), copy)
            jobs.append((os.path.basename(path), copy, not args.local))
        if recipes:
            if may_record(tools):
                without = why_no_others()
                for recipe in recipes:
                    if is_of_machine(recipe) and without:
                        tally.add('skip', 'capture', recipe[0], '', [without])
                recipes = [r for r in recipes if not without or not is_of_machine(r)]
                for recipe, made in captures(tools, recipes):
                    for who, (path, shown, error) in made.items():
                        if path:
                            jobs.append(('%s-%s' % (who, recipe[0]), path, False))
                        else:  # what neither can record is not there on this machine
                            tally.add('fail' if who == 'ours' and made['ref'][0] else 'skip',
                                      '%s-%s' % (who, recipe[0]), 'record', shown, [error])
                tools.kallsyms = few_symbols([path for _, path, _ in jobs], os.path.join(top, 'kallsyms'))
            else:
                tally.add('skip', 'capture', '*', '', ['the reference may not record here'])
        with ThreadPoolExecutor(args.jobs) as pool:
            todo = []
            for label, path, foreign in jobs:
                key = hash_file(path)
                todo += [(label, view, pool.submit(compare, tools, label, path, key, foreign, view))
                         for view in views_of(args, label, path.startswith(os.path.join(top, 'fresh-')))]
            for label, view, future in todo:
                tally.add(*((future.result()[0], label, view[0]) + future.result()[1:]))
        if args.write_sums:
            write_sums(args.write_sums, tools.new_sums, [v[0] for v in VIEWS])
        if args.keep:
            keep_failed(args.keep, jobs, tally.failed())


if __name__ == '__main__':
    sys.exit(main())
