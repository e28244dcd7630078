#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures our perf beside other versions of perf: wall time, CPU time, peak memory.

    run.py --perf BUILD/perf --data DIR [--ref PERF]... [--repeat N] [--job GLOB]...

Every job runs once per program as warm-up, whose output is compared with that of the first
--ref, then N times alternately.  The medians and the ratios (theirs / ours) are printed as a
table; a ratio whose output differs is marked and counts as lost.  DIR keeps the inputs, recorded
on first use.  --ref takes a command (default /usr/bin/perf); a script that ends in exec is
replaced by what it executes, so that its own run time is not counted.
"""
import argparse
import collections
import fnmatch
import glob
import json
import os
import re
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import time

import inputs

HERE = os.path.dirname(os.path.abspath(__file__))

# Name, input, arguments, bar: wanted ratios of wall time and of memory.
READ_JOBS = [
    ('report-small', 'small', 'report --stdio', 4, 3),
    ('report-fp30', 'fp30', 'report --stdio', 12, 10),
    ('report-fp150', 'fp150', 'report --stdio', 12, 10),
    ('report-no-children-fp150', 'fp150', 'report --stdio --no-children', 12, 10),
    ('report-no-children-fp500', 'fp500', 'report --stdio --no-children', 12, 15),
    ('report-caller-fp30', 'fp30', 'report --stdio --children -g caller', 40, 40),
    ('report-comm-dso-fp500', 'fp500', 'report --stdio -g none --sort comm,dso', 12, 20),
    ('report-comm-dso-g-fp150', 'fp150', 'report --stdio --sort comm,dso', 12, 20),
    ('report-flat-fp500', 'fp500', 'report --stdio --no-children -g none', 8, 10),
    ('script-fp30', 'fp30', 'script', 10, 10),
    ('script-fp150', 'fp150', 'script', 10, 10),
    ('script-fields-fp500', 'fp500', 'script -F comm,pid,tid,cpu,time,period,event', 10, 20),
    ('script-tp', 'tp', 'script', 10, 20),
    ('script-python-tp', 'tp', 'script -s BENCH/count.py', 2, 5),
    ('script-sched', 'sched', 'sched script', 10, 20),
    ('sched-map', 'sched', 'sched map', 3, 10),
    # 6.1 knows no task that has ended, and does not look at sched_waking, so that its texts differ
    ('sched-timehist', 'sched', 'sched timehist', 3, 10),
    ('sched-timehist-sums', 'sched', 'sched timehist -s', 3, 10),
    ('sched-latency', 'sched', 'sched latency', 3, 10),
    # 6.1 draws each span: a picture of 0.7 GB
    ('timechart', 'sched', 'timechart -o DIR/bench-timechart.svg', 3, 10),
    ('kmem-slab', 'slab', 'kmem -i INPUT --caller --alloc stat', 5, 10),
    # 6.1 prints to standard error
    # to standard error, by both
    ('trace-tables', 'calls', 'trace -f -s -i INPUT', 3, 1),
    ('trace-lines', 'calls', 'trace -f -i INPUT', 10, 1),
    ('lock-contention', 'locks', 'lock -i INPUT contention', 5, 10),
    ('kwork-report', 'kwork', 'kwork report', 5, 10),
    ('kwork-timehist', 'kwork', 'kwork timehist', 5, 10),
    # callers from copies of stacks; the references leave some out, so their text differs
    ('unwind-dwarf30', 'dwarf30', 'script --no-inline -F ip', 10, 5),
    ('report-dwarf30', 'dwarf30', 'report --stdio --no-inline --no-children', 10, 5),
    ('report-dwarf300', 'dwarf300', 'report --stdio --no-inline --no-children', 10, 15),
    ('report-children-dwarf300', 'dwarf300', 'report --stdio --no-inline', 10, 10),
    ('script-dwarf300', 'dwarf300', 'script --no-inline', 10, 5),
    # the references leave some functions out here, too, and write others' names with parameters
    ('report-inlines', 'inlines', 'report --stdio --no-children -g caller', 30, 2),
    ('script-srcline', 'inlines', 'script -F ip,sym,srcline', 40, 1),
    ('inject-fp150', 'fp150', 'inject -o DIR/bench-inject.data', 3, 3),
    ('inject-build-ids-fp150', 'fp150', 'inject -b -o DIR/bench-inject.data', 3, 3),
    # an object for each of 44,000 functions: most of it is the file system's time
    ('inject-jit', 'node', 'inject -j -o DIR/bench-inject.data', 2, 2),
    # the reference has no names for the compiler's code without that
    ('report-jitdump', 'node', 'report --stdio --no-children -g none -s sym', 1, 1),
    ('report-symbols', 'symbols', 'report --stdio --no-children', 8, 2.5),
    # with itself: rows are joined and ordered as those of two files are
    ('diff-fp150', 'fp150', 'diff -f INPUT INPUT', 20, 7),
    # functions that one of two lacks are looked for in its objects
    ('diff-two', 'fp150', 'diff -f DIR/fp30.data INPUT', 10, 7),
    ('evlist-fp500', 'fp500', 'evlist -v', 1, 1),
    ('buildid-list-fp30', 'fp30', 'buildid-list', 1, 1),
]
# Only where --job names them: the reference needs minutes and tens of GB for such files.
LONG_JOBS = [
    ('report-fp5g', 'fp5g', 'report --stdio', 12, 15),
    ('report-no-children-fp5g', 'fp5g', 'report --stdio --no-children', 12, 15),
    ('report-flat-fp5g', 'fp5g', 'report --stdio --no-children -g none', 8, 10),
]
STORM = '-e raw_syscalls:sys_enter'
# A new file for every 40 kB, five of them kept. A file a minute are 1440 files a day.
ROTATE = STORM + ' -m 8 --switch-output=40K --switch-max-files=5'
# Name, arguments, workload, background load, bars (wall, CPU, memory and, where it matters, bytes per
# sample).
RECORD_JOBS = [
    ('record-true', '', ['true'], False, (20, 5, 4)),
    ('record-true-system', '-a', ['true'], False, (20, 5, 4)),
    ('record-busy', '-a -F 9999 -g', ['sleep', '5'], True, (0, 3, 2)),
    ('record-50kHz', '-a -F 50000 -g', ['sleep', '5'], True, (0, 1, 2)),
    ('record-50kHz-z', '-a -F 50000 -g -z', ['sleep', '5'], True, (0, 1, 1)),
    ('record-dwarf', '-a -F 999 --call-graph dwarf', ['sleep', '5'], True, (0, 3, 2, 20)),
    ('record-dwarf-fast', '-a -F 9999 --call-graph dwarf', ['sleep', '5'], True, (0, 3, 2, 20)),
    ('record-dd', STORM, inputs.DD, False, (1.3, 0, 2)),
    ('record-dd-m512K', STORM + ' -m 512K', inputs.DD, False, (1, 0, 1)),
    ('record-dd-m8M', STORM + ' -m 8M', inputs.DD, False, (1, 0, 1)),
    # the memory of both is to be the same
    ('record-rotation-short', ROTATE, inputs.dd(100), False, (1, 0, 1)),
    ('record-rotation-day', ROTATE, inputs.dd(4000), False, (1, 0, 1)),
]

SOFTWARE = 'cs,faults,cpu-clock,task-clock,migrations,minor-faults,major-faults,alignment-faults,dummy'
# Name, how often in one measurement, arguments, bars (wall, CPU, memory).
STAT_JOBS = [
    ('stat-true-100', 100, 'stat true', (3, 3, 2)),
    ('stat-true-csv-100', 100, 'stat -x, -e cs,faults true', (3, 3, 2)),
    ('stat-system-wide-100', 100, 'stat -a -A -e %s,%s true' % (SOFTWARE, SOFTWARE), (2, 3, 2)),
    # most of the wall time is the kernel's, when it takes the tracepoints down
    ('stat-syscalls', 1, 'stat -e syscalls:sys_enter_a* true', (0.9, 1.2, 1)),
    ('stat-syscalls-r5', 1, 'stat -r 5 -e syscalls:sys_enter_a* true', (2, 1.2, 1)),
    ('stat-interval-10ms', 1, 'stat -I 10 -a -e %s sleep 3' % SOFTWARE, (1, 1, 1)),
    ('stat-interval-1ms', 1, 'stat -I 1 -a -A -e %s sleep 3' % SOFTWARE, (1, 1, 1)),
    # 350 tracepoints that dd does not leave alone
    ('stat-dd', 1, "stat -e 'syscalls:sys_enter_*' dd if=/dev/zero of=/dev/null bs=512 count=1000k status=none", (1, 1, 1)),
    # by call: less a bare dd, of twice as many calls as blocks; 6.1 takes half a minute for a tenth
    ('trace-dd', 1, 'trace -s -o DIR/bench-trace.txt dd if=/dev/zero of=/dev/null bs=512 count=100k status=none', (20, 5, 1)),
    ('stat-record-100', 100, 'stat record -o DIR/bench-stat.data -e cs,faults true', (3, 3, 2)),
]


class Repeated:
    """A program that is started several times in one measurement."""
    def __init__(self, program, times):
        loop = 'for i in $(seq %d); do "$@" || exit; done' % times
        self.argv = ['bash', '-c', loop, 'bash'] + program.argv if times > 1 else program.argv
        self.env, self.label = program.env, program.label


class Program:
    def __init__(self, command, label=None):
        self.argv, self.env = unwrap(shlex.split(command))
        out = subprocess.run(self.argv + ['--version'], env=self.env, capture_output=True, text=True,
                             check=False).stdout
        self.label = label or (out.split()[2] if len(out.split()) > 2 else command)
        version = [int(n) for n in self.label.split('.')[:2] if n.isdigit()]
        # Since 6.4 frame-pointer chains too are expanded by forked addr2line processes: minutes.
        self.reading = ['--no-inline'] if not label and version >= [6, 4] else []


def unwrap(argv):
    """Finds what a start script finally executes: the command line and environment of the
    process once a long-running subcommand is under way."""
    env = dict(os.environ, LC_ALL='C', PERF_CONFIG='/dev/null', PAGER='cat')
    path = shutil.which(argv[0])
    if not path:
        sys.exit("error: no program '%s'" % argv[0])
    with open(path, 'rb') as f:
        if f.read(2) != b'#!':
            return argv, env
    tail = ['stat', '-o', '/dev/null', '--', 'sleep', '5']
    child = subprocess.Popen(argv + tail, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    real = argv
    while time.monotonic() < end and child.poll() is None:
        time.sleep(0.2)
        with open('/proc/%d/cmdline' % child.pid) as f:
            words = f.read().split('\0')[:-1]
        script = os.path.basename(os.readlink('/proc/%d/exe' % child.pid)) in (
            'bash', 'dash', 'sh', 'busybox')
        if words[-len(tail):] == tail and not script:
            real = words[:-len(tail)]
            with open('/proc/%d/environ' % child.pid) as f:
                env = dict(w.split('=', 1) for w in f.read().split('\0') if '=' in w)
            break
    child.terminate()
    child.wait()
    return real, env


def build_measure(directory):
    out = os.path.join(directory, 'measure')
    source = os.path.join(HERE, 'measure.c')
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(source):
        subprocess.run(['cc', '-O1', '-o', out, source], check=True)
    return out


def measure(tool, program, argv, stdout=subprocess.DEVNULL, cwd=None):
    """Runs once; returns a dict of status, wall (s), cpu (s), rss (MiB), error text."""
    report = tool + '.out'
    done = subprocess.run([tool, report] + program.argv + argv, stdin=subprocess.DEVNULL,
                          stdout=stdout, stderr=subprocess.PIPE, env=program.env, cwd=cwd,
                          check=False)
    with open(report) as f:
        text = f.read().split()
    os.unlink(report)
    return {'status': int(text[0]), 'wall': int(text[1]) / 1e9, 'cpu': int(text[2]) / 1e9,
            'rss': int(text[3]) / 1024, 'err': done.stderr.decode('utf-8', 'replace')}


# The name in '  1.00%  comm  object  [.] name', '|--1.00%--name' and '\taddress name+0x1 (object)'.
NAME = re.compile(rb'(?<=\[.\] ).*|(?<=--)[^-%]*$|(?<=^\t.{16} ).*(?= \()')


def clean_output(path):
    """Drops the line that a report chooses at random; returns the number of lines."""
    lines = 0
    with open(path, 'rb') as src, open(path + '.clean', 'wb') as dst:
        for line in src:
            if not line.startswith((b'# (Tip: ', b'# (Cannot load tips')):
                dst.write(line)
                lines += 1
    os.replace(path + '.clean', path)
    return lines


def without_name(line):
    """A row of a report, a branch of its graph or a frame of a stack: all but the function's name."""
    return NAME.sub(b'', line)


def compare_outputs(ref, ours):
    """'equal', or how many lines differ. Names of PLT entries, which the reference leaves out or
    empty, and with them the order of equally heavy rows (doc/compatibility.md) are told apart."""
    only = {b'<': collections.Counter(), b'>': collections.Counter()}
    plt = 0
    with subprocess.Popen(['diff', '-a', ref, ours], stdout=subprocess.PIPE) as diff:
        for line in diff.stdout:
            if line[:1] in only:
                only[line[:1]][without_name(line[2:])] += 1
                plt += line[:1] == b'>' and b'plt' in line
    theirs, mine = only[b'<'], only[b'>']
    if not theirs and not mine:
        return 'equal'
    if plt and theirs == mine:
        return 'equal but for names of %d PLT entries' % plt
    return 'DIFFERS: %d lines' % max(sum(theirs.values()), sum(mine.values()))


def count_records(path):
    """Samples and lost events in a perf.data file of the seekable kind. New kernels tell of a loss
    twice: in LOST records and, at the end, in LOST_SAMPLES records."""
    samples = lost = lost_samples = 0
    with open(path, 'rb') as f:
        head = f.read(104)
        offset, size = struct.unpack_from('<QQ', head, 40)
        f.seek(offset)
        buf, end = b'', size
        while end > 0:
            chunk = f.read(min(end, 1 << 22))
            if not chunk:
                break
            end -= len(chunk)
            buf += chunk
            at = 0
            while at + 8 <= len(buf):
                kind, _, length = struct.unpack_from('<IHH', buf, at)
                if length < 8 or at + length > len(buf):
                    break
                if kind == 9:
                    samples += 1
                elif kind == 2:
                    lost += struct.unpack_from('<Q', buf, at + 16)[0]
                elif kind == 13:
                    lost_samples += struct.unpack_from('<Q', buf, at + 8)[0]
                at += length
            buf = buf[at:]
    return samples, max(lost, lost_samples)


class Bench:
    def __init__(self, args):
        self.args = args
        self.dir = os.path.abspath(args.data)
        os.makedirs(self.dir, exist_ok=True)
        self.tool = build_measure(self.dir)
        self.refs = [Program(c) for c in args.ref]
        self.ours = Program(args.perf, 'ours')
        self.programs = self.refs + [self.ours]
        self.results = []

    def wanted(self, name):
        return not self.args.job or any(fnmatch.fnmatch(name, g) for g in self.args.job)

    def warm_up(self, argv):
        """The untimed first round: the outputs, compared with the first reference's."""
        seen = {}
        scratch = os.path.join(self.dir, 'output.%d.tmp')
        for i, program in enumerate(self.programs):
            with open(scratch % i, 'wb') as f:
                result = measure(self.tool, program, argv + self.extra(program, argv), f)
            lines = clean_output(scratch % i)
            if i == 0:
                seen[program] = 'failed (%d)' % result['status'] if result['status'] else \
                    'reference, %d lines' % lines
                continue
            seen[program] = 'failed (%d)' % result['status'] if result['status'] else \
                'unknown' if seen[self.refs[0]].startswith('failed') else \
                compare_outputs(scratch % 0, scratch % i)
            os.unlink(scratch % i)
        os.unlink(scratch % 0)
        return seen

    @staticmethod
    def extra(program, argv):
        return program.reading if argv[0] in ('report', 'script') else []

    def read_job(self, name, data, args, bar, bar_rss):
        path = inputs.make(self.dir, data, self.refs[0].argv)
        words = args.replace('DIR', self.dir).replace('BENCH', HERE).replace('INPUT', shlex.quote(path))
        argv = shlex.split(words) + ([] if 'INPUT' in args else ['-i', path])
        seen = self.warm_up(argv)
        runs = {p: [] for p in self.programs}
        for _ in range(self.args.repeat):
            for program in self.programs:
                runs[program].append(measure(self.tool, program, argv + self.extra(program, argv)))
        for program in self.programs:
            self.add(name, program, runs[program], seen[program], (bar, 0, bar_rss))

    def record_job(self, name, args, workload, load, bars):
        out = os.path.join(self.dir, 'bench-record.data')
        argv = ['record', '-o', out] + shlex.split(args) + ['--'] + workload
        runs = {p: [] for p in self.programs}
        notes = {}
        rounds = self.args.repeat if load or 'dd' in workload else 3 * self.args.repeat
        top = inputs.pile(self.dir)
        for i in range(rounds + 1):
            for program in self.programs:
                busy = None
                if load:
                    busy = subprocess.Popen([sys.executable, os.path.join(HERE, 'workload.py'), top,
                                             '60'])
                    time.sleep(1)
                try:
                    result = measure(self.tool, program, argv)
                finally:
                    if busy:
                        busy.terminate()
                        busy.wait()
                if i:
                    runs[program].append(result)
                    self.note_record(notes.setdefault(program, []), result, out)
                for leftover in glob.glob(out + '*'):
                    os.unlink(leftover)
        for program in self.programs:
            good = [n['bytes'] for n in notes[program] if 'bytes' in n]
            self.add(name, program, runs[program], summary(notes[program]), bars,
                     statistics.median(good) if good else 0)

    def stat_job(self, name, times, args, bars):
        argv = shlex.split(args.replace('DIR', self.dir))
        runs = {p: [] for p in self.programs}
        for _ in range(self.args.repeat):
            for program in self.programs:
                runs[program].append(measure(self.tool, Repeated(program, times), argv))
        for program in self.programs:
            self.add(name, program, runs[program], '', bars)

    @staticmethod
    def note_record(notes, result, out):
        files = result['err'].count('[ perf record: Dump ')
        if files:
            notes.append({'files': files})
            return
        if result['status'] or not os.path.exists(out):
            notes.append({'failed': result['status'] or 'no file'})
            return
        samples, lost = count_records(out)
        dd = [float(line.split(' s,')[0].split()[-1]) for line in result['err'].splitlines()
              if ' copied, ' in line]
        squeezed = re.search(r'\(original ([\d.]+) MB, ratio is ([\d.]+)\)', result['err'])
        notes.append({'samples': samples, 'lost': lost, 'dd': dd[0] if dd else None,
                      'squeezed': [float(n) for n in squeezed.groups()] if squeezed else None,
                      'bytes': os.path.getsize(out) / max(1, samples)})

    def add(self, name, program, runs, note, bars, per_sample=0):
        row = {'job': name, 'program': program.label, 'note': note, 'bars': bars, 'runs': len(runs),
               'bytes': per_sample}
        for key in ('wall', 'cpu', 'rss'):
            row[key] = statistics.median(r[key] for r in runs)
        row['failed'] = sum(1 for r in runs if r['status'])
        self.results.append(row)
        print('%-28s %-10s wall %8.3f s  cpu %8.3f s  rss %8.1f MiB  %s%s' % (
            name, program.label, row['wall'], row['cpu'], row['rss'], note,
            '  (%d runs failed)' % row['failed'] if row['failed'] else ''), flush=True)


def summary(notes):
    good = [n for n in notes if 'failed' not in n]
    if not good:
        return 'FAILED %s' % notes[0]['failed']
    if 'files' in good[0]:
        return '%d files' % statistics.median(n['files'] for n in good)
    if good[0]['squeezed']:
        return '%.0f MB, ratio %.1f' % tuple(statistics.median(n['squeezed'][i] for n in good)
                                             for i in (0, 1))
    samples = statistics.median(n['samples'] for n in good)
    lost = statistics.median(n['lost'] for n in good)
    text = '%d samples of %d bytes, lost %d (%.2f %%)' % (
        samples, statistics.median(n['bytes'] for n in good), lost, 100 * lost / max(1, samples + lost))
    if good[0]['dd']:
        text += ', dd took %.2f s' % statistics.median(n['dd'] for n in good)
    return text


def table(results):
    """The closing table, in Markdown: one row per job."""
    labels = []
    for row in results:
        if row['program'] not in labels:
            labels.append(row['program'])
    refs = [label for label in labels if label != 'ours']
    head = ['job'] + ['%s: wall, CPU, peak' % label for label in labels]
    head += ['wall / ours (%s)' % r for r in refs] + ['CPU / ours (%s)' % refs[0]]
    head += ['peak / ours (%s)' % r for r in refs] + ['bar', 'output']
    out = ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]
    for job in dict.fromkeys(row['job'] for row in results):
        rows = {r['program']: r for r in results if r['job'] == job}
        ours = rows.get('ours')
        cells = [job]
        for label in labels:
            r = rows[label]
            cells.append('%.3g s, %.3g s, %.4g MiB' % (r['wall'], r['cpu'], r['rss']))
        if not ours:
            continue
        cells += ['%.1f' % (rows[r]['wall'] / ours['wall']) for r in refs]
        cells.append('%.1f' % (rows[refs[0]]['cpu'] / max(ours['cpu'], 1e-6)))
        cells += ['%.1f' % (rows[r]['rss'] / max(ours['rss'], 1e-6)) for r in refs]
        bars = ours['bars']
        got = [rows[refs[0]][k] / max(ours[k], 1e-6) for k in ('wall', 'cpu', 'rss', 'bytes')]
        met = all(g >= b for g, b in zip(got, bars))
        lost = 'DIFFERS' in ours['note'] or 'ailed' in ours['note'].lower() or ours['failed']
        cells.append('%s %s' % ('/'.join('%gx' % b for b in bars if b),
                                'lost' if lost else 'met' if met else 'MISSED'))
        theirs = rows[refs[0]]['note']
        cells.append(ours['note'] + (' (%s: %s)' % (refs[0], theirs) if 'samples' in ours['note'] else ''))
        out.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(out)


def options():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True, help='our program')
    p.add_argument('--ref', action='append', help='a program to compare with (repeatable)')
    p.add_argument('--data', required=True, help='directory of the inputs')
    p.add_argument('--repeat', type=int, default=5, help='timed runs of each program (5)')
    p.add_argument('--job', action='append', help='only jobs that match this glob (repeatable)')
    p.add_argument('--json', help='also write all results to this file')
    p.add_argument('--list', action='store_true', help='print the names of the jobs')
    return p.parse_args()


def main():
    args = options()
    args.ref = args.ref or ['/usr/bin/perf']
    if args.list:
        for job in READ_JOBS + LONG_JOBS + RECORD_JOBS + STAT_JOBS:
            print(job[0])
        return 0
    bench = Bench(args)
    for job in READ_JOBS + [job for job in LONG_JOBS if args.job]:
        if bench.wanted(job[0]):
            bench.read_job(*job)
    for job in RECORD_JOBS:
        if bench.wanted(job[0]):
            bench.record_job(*job)
    for job in STAT_JOBS:
        if bench.wanted(job[0]):
            bench.stat_job(*job)
    print('\n' + table(bench.results))
    if args.json:
        with open(args.json, 'w') as f:
            json.dump(bench.results, f, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
