#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command lines that perf's documents and tutorials print, run as they are printed (times
shortened): record lines must end with the exit status of the installed perf and leave a file that
both programs read; report, script and evlist lines must print what the installed perf prints, for
recordings of a command (with --all, of the whole machine)."""
import difflib
import os
import re
import signal
import subprocess
import sys

from live_case import SKIP_EXIT, Skip, Suite, show

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'diff'))
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

BUSY = 'while :; do :; done'
FIB = 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nf(27);\n'


class Seeds:
    def __init__(self, suite):
        self.suite = suite
        self.busy = subprocess.Popen(['sh', '-c', BUSY])
        self.busy.send_signal(signal.SIGSTOP)  # runs only for the lines that name it
        self.server = subprocess.Popen([sys.executable, '-c', (
            'import http.server as h\ns=h.HTTPServer(("127.0.0.1",0),h.SimpleHTTPRequestHandler)\n'
            'print(s.server_port,flush=True)\ns.serve_forever()')], cwd=suite.top,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.server.stdout.readline())
        with open(os.path.join(suite.top, 'fib.js'), 'w') as f:
            f.write(FIB)

    def close(self):
        for child in (self.busy, self.server):
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.server.stdout.close()

    def fill(self, line):
        line = re.sub(r'sleep \d+', 'sleep 0.4', line)
        line = line.replace('COMMAND', "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; ls >&2'")
        line = line.replace('PID', str(self.busy.pid)).replace('TMP', self.suite.top)
        return line.replace('URL', '-q -O /dev/null http://127.0.0.1:%d/' % self.port)

    def run(self, line, tool):
        busy = 'PID' in line
        line = self.fill(line)
        endless = not re.search(r'sleep|sh -c|wget|true|node', line)
        if busy:
            self.busy.send_signal(signal.SIGCONT)
        try:
            # Interrupted before it began to record it ends without a word: more time, then.
            for seconds in (0.8, 2, 6):
                start = 'timeout --preserve-status -s INT %g ' % seconds if endless else ''
                r = self.suite.sh('rm -f perf.data* pi.*; (%s"%s" record %s) > out.txt' % (start, tool, line))
                if not endless or r.status != 128 + signal.SIGINT or 'Captured' in r.err:
                    break
        finally:
            if busy:
                self.busy.send_signal(signal.SIGSTOP)
        return r


ABORTED = (134, 139)  # SIGABRT, SIGSEGV


def recorded(r):
    """Whether a recording was made; one that was interrupted ends with the signal's status."""
    return r.status == 0 or (r.status == 128 + signal.SIGINT and 'Captured' in r.err)


def record_line(seeds, line, least, check_ref):
    suite = seeds.suite
    if 'wget' in line and suite.sh('command -v wget').status:
        raise Skip('no wget')
    if 'node' in line and suite.sh('command -v node').status:
        raise Skip('no node')
    if check_ref:
        ref = seeds.run(line, suite.ref)
    ours = seeds.run(line, suite.perf)
    # The reference aborts while somebody else on the machine records with build ids
    # (doc/compatibility.md): then it is no judge, and what remains is that ours records and both
    # read it.
    if check_ref and ref.status not in ABORTED:
        assert ref.status == ours.status, 'perf record %s\nreference: %s\nours: %s' % (
            line, show(ref), show(ours))
        if not recorded(ref):
            assert ours.err, 'refused without a word'
            return
    assert recorded(ours), 'perf record %s\n%s' % (line, show(ours))
    path = 'pi.1.data' if 'pi.1.data' in line else 'perf.data'
    r = suite.sh('"$PERF" script -G -F comm,event -i %s | wc -l' % path)
    assert int(r.out) >= least, '%s samples, wanted %d: perf record %s\n%s' % (
        r.out.strip(), least, line, show(ours))
    # What other programs have on their stacks is theirs.
    said = re.sub(r'warning: \d+ of \d+ stacks are longer .*\n', '', r.err)
    assert not said.strip(), 'script: ' + said[:300]
    theirs = suite.sh('"%s" script -G -F comm,event -i %s | wc -l' % (suite.ref, path))
    assert theirs.out == r.out, 'the reference sees %s samples, ours %s: perf record %s\n%s' % (
        theirs.out.strip(), r.out.strip(), line, theirs.err[:300])


def same_output(seeds, command, ref_command, path):
    suite = seeds.suite
    results = [suite.sh('"%s" %s -i %s' % (tool, c, path), limit=120)
               for tool, c in ((suite.ref, ref_command), (suite.perf, command))]
    ref, ours = results
    if ref.err.startswith('Error:') and not re.search(r'^[^#\n]', ref.out, re.M):
        assert ours.err and not re.search(r'^[^#\n]', ours.out, re.M), show(ours)
        raise Skip('the reference gives up, with exit status %d' % ref.status)
    assert ours.status == ref.status, 'perf %s\nreference: %s\nours: %s' % (command, show(ref),
                                                                            show(ours))
    texts = [[line for line in r.out.splitlines() if not line.startswith(('# (', '\x1b[34m# ('))]
             for r in results]
    if texts[0] != texts[1]:
        diff = list(difflib.unified_diff(texts[0][:20000], texts[1][:20000], 'reference', 'ours',
                                         n=0, lineterm=''))
        raise AssertionError('perf %s\n%s' % (command, '\n'.join(x[:160] for x in diff[:16])))


def record_for_reports(seeds):
    """Two recordings, without the samples that the reference names by chance (views.py)."""
    suite = seeds.suite
    target = '-a -- sleep 1' if suite.args.all else '-- ' + seeds.fill('COMMAND')
    pattern = re.compile('|'.join(s[2] for s in SCRUBS if s[1] != '*-terms').encode())
    for path, events in (('calls.data', '-F 999 -g'), ('tp.data', '-e sched:sched_switch -e cpu-clock')):
        for _ in range(5):  # it aborts now and then beside other recorders
            r = suite.sh('"%s" record -q -o %s %s %s' % (suite.ref, path, events, target))
            if r.status == 0:
                break
        assert r.status == 0, show(r)
        suite.sh('perf script -D -F event,ip,sym,dso -i %s > dump.txt' % path)
        with open(os.path.join(suite.top, 'dump.txt'), 'rb') as dump:
            full = os.path.join(suite.top, path)
            scrub(full, dump, pattern, full)
    return 'calls.data', 'tp.data'


def main():
    suite = Suite(__doc__)
    if not suite.ref or os.geteuid():
        print('skipped: needs root and the installed perf\n0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    seeds = Seeds(suite)
    try:
        for line, least in RECORD:
            suite.check('record ' + line, record_line, seeds, line, least, True)
        for line, least in RECORD_OURS:
            suite.check('record ' + line, record_line, seeds, line, least, False)
        for path in record_for_reports(seeds):
            for line in REPORT:
                suite.check('report %s %s' % (line, path), same_output, seeds, 'report ' + line,
                            'report ' + line, path)
            for line in SCRIPT:
                suite.check('script %s %s' % (line, path), same_output, seeds, 'script ' + line,
                            'script ' + line, path)
            for line, ref_line in SCRIPT_OLD:
                suite.check('script %s %s' % (line, path), same_output, seeds, 'script ' + line,
                            'script ' + ref_line, path)
            for line in EVLIST:
                suite.check('evlist %s %s' % (line, path), same_output, seeds, 'evlist ' + line,
                            'evlist ' + line, path)
    finally:
        seeds.close()
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
