#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command lines that perf's documents and tutorials print, run as they are printed (times
shortened): record lines must end with the exit status of the installed perf and leave a file that
both programs read; report, script and evlist lines must print what the installed perf prints, for
recordings of a command (with --all, of the whole machine)."""
import contextlib
import difflib
import os
import re
import signal
import subprocess
import sys
import threading

from live_case import ABORTED, SKIP_EXIT, Skip, Suite, show

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'diff'))
from equal_rows import moved_rows  # noqa: E402
from kallsyms import few_symbols  # noqa: E402
from scrub import scrub  # noqa: E402
from views import SCRUBS  # noqa: E402

# COMMAND: a workload; PID: a busy process; URL: a local server. Lines without an end of their own
# are ended by SIGINT. Each line may be followed by the least number of samples it must give.
RECORD = [
    ('-F 99 COMMAND', 1), ('-F 99 -p PID', 1), ('-F 99 -p PID sleep 10', 1),
    ('-F 99 -p PID -g -- sleep 10', 1), ('-F 99 -p PID --call-graph dwarf sleep 10', 1),
    ('-F 99 -ag -- sleep 10', 1), ('-F 99 -ag -- sleep 5', 1), ('-F 99 -g -- sleep 10', 0),
    ('-F 99 -e cpu-clock -ag -- sleep 10', 1),
    ('-F 99 -a --call-graph dwarf sleep 10', 1), ('-F 99 -a --call-graph lbr sleep 10', 0),
    ('-F 99 -a --call-graph lbr', 0), ('-F 99 -a -g', 1), ('-F 99 -a -g -- sleep 30', 1),
    ('-e cycles:k -a -- sleep 5', 0), ('-e cycles:u -a -- sleep 5', 0),
    ('-e cycles:up -a -- sleep 5', 0), ('-e cycles:pp', 0), ('-b -a sleep 1', 0),
    ('-e L1-dcache-load-misses -c 10000 -ag -- sleep 5', 0),
    ('-e LLC-load-misses -c 100 -ag -- sleep 5', 0),
    ('-F99 -e cpu-clock -e cs -a -g', 1),
    ('-F99 -e cpu-clock/max-stack=2/ -e cs/max-stack=5/ -a -g', 1), ('-g', 0),
    ('-g COMMAND', 1), ('-e L1-dcache-load-miss -c 1000 COMMAND', 0),
    ('-F 49 -e cpu-cycles -o ./perf.data -- COMMAND | cut -c 1-70', 0),
    ('-F99 --call-graph=dwarf -- COMMAND', 1), ('-F99 --call-graph=dwarf -o pi.1.data -- COMMAND', 1),
    ('-F 99 -o perf.data -g -p PID -- sleep 15', 1), ('-g wget URL', 0), ('wget URL', 0),
    ('-e sched:sched_process_exec -a', 0), ("-e 'sched:sched_process_*' -a sleep 5", 1),
    ('-e context-switches -a', 0), ('-e context-switches -c 1 -a', 1),
    ('-vv -e context-switches -a', 0), ('-vv -e context-switches /bin/true', 0),
    ('-vv -e context-switches -c 1 /bin/true', 0), ('-e sched:sched_switch -a', 1),
    ('-e context-switches -ag', 0), ('-e context-switches -ag -- sleep 1', 0),
    ('-e context-switches -ag -T', 0), ('-e migrations -a -- sleep 10', 0),
    ('-e syscalls:sys_enter_connect -a', 0), ('-e syscalls:sys_enter_connect -ag', 0),
    ('-e syscalls:sys_enter_accept* -ag', 0),
    ("-e 'syscalls:sys_enter_read' --filter 'count < 10' -a", 0),
    ('-e block:block_rq_insert -a', 0), ('-e block:block_rq_insert -ag', 0),
    ('-F 100 -e block:block_rq_insert -a', 0), ('-e block:block_rq_issue -ag', 0),
    ('-e block:block_rq_issue -e block:block_rq_complete -a', 0),
    ('-e block:block_rq_issue -e block:block_rq_complete -a sleep 120', 0),
    ("-e block:block_rq_complete --filter 'nr_sector > 200'", 0),
    ("-e block:block_rq_complete --filter 'rwbs == \"WS\"'", 0),
    ("-e block:block_rq_complete --filter 'rwbs ~ \"*W*\"'", 0),
    ('-e minor-faults -ag', 0), ('-e minor-faults -c 1 -ag', 1), ('-e page-faults -ag', 0),
    ("-e 'ext4:*' -o TMP/perf.data -a", 0), ('-e vmscan:mm_vmscan_wakeup_kswapd -ag', 0),
    ("-e 'skb:consume_skb' -ag", 0), ('-g -e sched:sched_wakeup wget URL', 0),
    ('-g -e skb:* -e net:* -e napi:* -e sched:sched_switch -e sched:sched_wakeup -e irq:* '
     '-e syscalls:sys_enter_read -e syscalls:sys_exit_read -e syscalls:sys_enter_write '
     '-e syscalls:sys_exit_write wget URL', 1),
    ('-k mono -F99 -g node --perf-prof fib.js', 0),
    ('-- node --perf-basic-prof --print-code --redirect-code-traces fib.js', 0),
]
# Lines of old perfs that today's refuse and ours accepts (doc/compatibility.md).
RECORD_OURS = [('-g dwarf COMMAND', 1)]

REPORT = ['', '-n', '-n --stdio', '--stdio', '--stdio --header', '--stdio -n -g folded',
          '-n --sort comm --stdio', '-g graph', "-g 'graph,0.5,caller'", '-G', '--sort cpu,comm',
          '--percent-limit 5', '--children', '--no-children', '--max-stack 3', '--call-graph caller',
          '--group', '-I --stdio', '--stdio-color never', '--stdio-color always']
SCRIPT = ['', '--header', '-D', '-F time,event,trace', '--max-stack=1024', '--ns',
          '--header -F comm,pid,tid,cpu,time,event,ip,sym,dso', '-F comm,tid,pid,time,cpu,event,ip,sym,dso']
# Ours, and what the installed perf calls the same.
SCRIPT_OLD = [('-f time,event,trace', '-F time,event,trace'),
              ('-f comm,pid,tid,cpu,time,event,ip,sym,dso', '-F comm,pid,tid,cpu,time,event,ip,sym,dso'),
              ('-f comm,tid,pid,time,cpu,event,ip,sym,dso', '-F comm,tid,pid,time,cpu,event,ip,sym,dso')]
EVLIST = ['', '-v', '-F', '-g', '--trace-fields']

# A third of a CPU.
BUSY = 'import time\nwhile True:\n for _ in range(60000): pass\n time.sleep(.004)'
FIB = 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nf(27);\n'


@contextlib.contextmanager
def busy_process(wanted=True):
    """The number of a process that runs often; 0 if there is none."""
    if not wanted:
        yield 0
        return
    with subprocess.Popen([sys.executable, '-S', '-c', BUSY]) as busy:
        try:
            yield busy.pid
        finally:
            busy.kill()


class Seeds:
    def __init__(self, suite):
        self.suite = suite
        self.software = threading.Lock()
        self.server = subprocess.Popen([sys.executable, '-c', (
            'import http.server as h\ns=h.HTTPServer(("127.0.0.1",0),h.SimpleHTTPRequestHandler)\n'
            'print(s.server_port,flush=True)\ns.serve_forever()')], cwd=suite.top,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.server.stdout.readline())
        with open(os.path.join(suite.top, 'fib.js'), 'w') as f:
            f.write(FIB)

    def close(self):
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()

    def fill(self, line, pid=0, seconds=0.4):
        line = re.sub(r'sleep \d+', 'sleep %g' % seconds, line)
        line = line.replace('COMMAND', "sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; ls >&2'")
        line = line.replace('PID', str(pid)).replace('TMP', self.suite.here)
        return line.replace('URL', '-q -O /dev/null http://127.0.0.1:%d/' % self.port)

    def run(self, line, tool, least):
        """On a busy machine what is wanted takes longer: to begin to record before the interrupt (without that
        it ends without a word), and that there are samples."""
        with busy_process('PID' in line) as pid:
            for seconds in (0.4, 1, 3, 9, 18):
                words = self.fill(line, pid, seconds)
                endless = not re.search(r'sleep|sh -c|wget|true|node', words)
                start = 'timeout --preserve-status -s INT %g ' % (2 * seconds) if endless else ''
                r = self.suite.sh('cp "%s/fib.js" .; rm -f perf.data* pi.*; (%s"%s" record %s) > out.txt' %
                                  (self.suite.top, start, tool, words))
                if 'basic-prof' in line:
                    self.suite.drop_maps('perf.data')
                too_early = endless and r.status == 128 + signal.SIGINT and 'Captured' not in r.err
                if not too_early and not (least and recorded(r) and 'Captured' in r.err and ' samples)' not in r.err):
                    break
        return r


FOREIGN_IDS = '[Bad address]'


def recorded(r):
    """Whether a recording was made; one that was interrupted ends with the signal's status."""
    return r.status == 0 or (r.status == 128 + signal.SIGINT and 'Captured' in r.err)


def missing(suite, line):
    return next((name for name in ('wget', 'node') if name in line and suite.sh('command -v ' + name).status), None)


def reference_line(seeds, line, least):
    """How the reference ends. It aborts while somebody else on the machine records with build ids
    (doc/compatibility.md): then once more."""
    for _ in range(4):
        r = seeds.run(line, seeds.suite.ref, least)
        if r.status not in ABORTED:
            break
    return r


def record_line(seeds, line, least, ref):
    suite = seeds.suite
    if missing(suite, line):
        raise Skip('no ' + missing(suite, line))
    ours, mine, theirs = our_line(seeds, line, least)
    # A reference that aborts each time is no judge, and what remains is that ours records and both read it.
    if ref and ref.status not in ABORTED:
        assert ref.status == ours.status, 'perf record %s\nreference: %s\nours: %s' % (
            line, show(ref), show(ours))
        if not recorded(ref):
            assert ours.err, 'refused without a word'
            return
    assert recorded(ours), 'perf record %s\n%s' % (line, show(ours))
    assert int(mine.out) >= least, '%s samples, wanted %d: perf record %s\n%s' % (
        mine.out.strip(), least, line, show(ours))
    # Of the whole machine: what other programs have on their stacks, and how they make code, is theirs.
    said = re.sub(r'^(warning|hint): .*\n', '', mine.err, flags=re.M) if re.search(r' -a|^-a', line) else mine.err
    # compilers of programs beside this one come and go with their dumps, whatever the line records
    said = re.sub(r'warning: (\d+ of \d+ stacks are longer .*|.*\bjit-\S+\.dump\b.*)\n', '', said)
    assert not said.strip(), 'script: ' + said[:300]
    assert theirs.out == mine.out or FOREIGN_IDS in theirs.err, \
        'the reference sees %s samples, ours %s: perf record %s\n%s' % (
            theirs.out.strip(), mine.out.strip(), line, theirs.err[:300])


def our_line(seeds, line, least):
    """Our recording, and what both programs read in it. The kernel gives samples of a software event the ids of
    another recorder of that event, which the reference does not read (doc/compatibility.md): one such line at a
    time, and once more if somebody else on the machine records it."""
    suite = seeds.suite
    shared = re.search(r'context-switches|-e cs|-faults|migrations', line)
    path = 'pi.1.data' if 'pi.1.data' in line else 'perf.data'
    for _ in range(4):
        with seeds.software if shared else contextlib.nullcontext():
            ours = seeds.run(line, suite.perf, least)
        # (no symbol is shown, but the reference would read all of the kernel's)
        mine, theirs = (suite.sh('"%s" script %s -G -F comm,event -i %s | wc -l' % (tool, option, path))
                        for tool, option in ((suite.perf, ''), (suite.ref, '--kallsyms=/dev/null')))
        if not shared or FOREIGN_IDS not in theirs.err:
            break
    return ours, mine, theirs


def texts_of(*results):
    return [[line for line in r.out.splitlines() if not line.startswith(('# (', '\x1b[34m# ('))] for r in results]


def same_output(seeds, command, ref_command, path, symbols):
    """symbols: those of the kernel that the recording can show; where that is not enough, the reference reads all."""
    suite = seeds.suite
    ours = suite.sh('perf %s -i %s' % (command, path), limit=120)
    for kallsyms in ('--kallsyms=' + symbols, '') if symbols and not command.startswith('evlist') else ('',):
        ref = suite.sh('"%s" %s %s -i %s' % (suite.ref, ref_command, kallsyms, path), limit=120)
        texts = texts_of(ref, ours)
        if texts[0] == texts[1]:
            break
    if ref.err.startswith('Error:') and not re.search(r'^[^#\n]', ref.out, re.M):
        assert ours.err and not re.search(r'^[^#\n]', ours.out, re.M), show(ours)
        raise Skip('the reference gives up, with exit status %d' % ref.status)
    assert ours.status == ref.status, 'perf %s\nreference: %s\nours: %s' % (command, show(ref),
                                                                            show(ours))
    bytes_of = [[line.encode('utf-8', 'surrogateescape') + b'\n' for line in t] for t in texts]
    if texts[0] != texts[1] and moved_rows(*bytes_of) is None:
        diff = list(difflib.unified_diff(texts[0][:20000], texts[1][:20000], 'reference', 'ours',
                                         n=0, lineterm=''))
        raise AssertionError('perf %s\n%s' % (command, '\n'.join(x[:160] for x in diff[:16])))


def record_for_reports(seeds):
    """Two recordings, without the samples that the reference names by chance (views.py)."""
    suite = seeds.suite
    target = '-a -- sleep 1' if suite.args.all else '-- ' + seeds.fill('COMMAND')
    patterns = [s[2] for s in SCRUBS if s[1] != '*-terms']
    for path, events in (('calls.data', '-F 999 -g'), ('tp.data', '-e sched:sched_switch -e cpu-clock')):
        for _ in range(5):  # it aborts now and then beside other recorders, or writes what it does not read in order
            r = suite.sh('"%s" record -q -o %s %s %s' % (suite.ref, path, events, target))
            read = suite.sh('"%s" script --kallsyms=/dev/null -F time -i %s > read.txt' % (suite.ref, path))
            if r.status == 0 and read.status == 0 and 'out of order' not in read.err:
                break
        assert r.status == 0, show(r)
        suite.sh('perf script -D -F event,ip,sym,dso -i %s > dump.txt' % path)
        with open(os.path.join(suite.top, 'dump.txt'), 'rb') as dump:
            full = os.path.join(suite.top, path)
            scrub(full, dump.read(), patterns, full)
    return 'calls.data', 'tp.data'


def main():
    suite = Suite(__doc__)
    if not suite.ref or os.geteuid():
        print('skipped: needs root and the installed perf\n0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    seeds = Seeds(suite)
    try:
        lines = [(line, least, True) for line, least in RECORD] + [(line, least, False) for line, least in RECORD_OURS]
        lines = [x for x in lines if suite.is_wanted('record ' + x[0])]
        # Before ours, beside which it would abort.
        asked = [(line, least) for line, least, judge in lines if judge and not missing(suite, line)]
        theirs = dict(zip(asked, suite.at_once(lambda x: reference_line(seeds, *x), asked)))
        suite.check_all([('record ' + line, record_line, seeds, line, least, theirs.get((line, least)))
                         for line, least, _ in lines])
        for path in record_for_reports(seeds):
            commands = [('report ' + line, 'report ' + line) for line in REPORT]
            commands += [('script ' + line, 'script ' + line) for line in SCRIPT]
            commands += [('script ' + line, 'script ' + ref_line) for line, ref_line in SCRIPT_OLD]
            commands += [('evlist ' + line, 'evlist ' + line) for line in EVLIST]
            full = os.path.join(suite.top, path)
            symbols = few_symbols([full], full + '.kallsyms')
            suite.check_all([('%s %s' % (line, path), same_output, seeds, line, ref_line, full, symbols)
                             for line, ref_line in commands])
    finally:
        seeds.close()
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
