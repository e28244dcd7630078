#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command lines with `perf list` and `perf stat` that perf's documents and tutorials print, run as
they are printed (times shortened), by this program and by the installed perf: same exit status, same
rows (event, unit, ratio), and what the documents show must be there. Lines with hardware events run
twice, with this machine's counters or their absence, and with made-up ones
(tests/tools/fake_counters.c)."""
import argparse
import os
import re
import subprocess
import sys

from live_case import SKIP_EXIT, Skip, Suite, show
from seeds import busy_process

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
PROBES = '/sys/kernel/tracing/uprobe_events'
COUNTERS = ('0:0=6000000 0:1=12000000 0:2=70000 0:3=9000 0:4=1000000 0:5=50000 0:6=1000 0:7=600000 '
            '0:8=900000 3:0=400000 3:0x10000=40000 3:0x100=8000 3:2=1000 3:0x10002=300 3:0x102=30 '
            '3:0x202=20 3:3=777 3:0x10003=77 3:0x10203=7 4:0=4000000 4:0x3c=4000000 4:0x80a2=9448159 '
            '4:0x2b1=11855777 4:0x180010e=55')

# No other run of this test has one of that name.
GROUP = 'probe_lat_%d' % os.getpid()
FOOT = r'^ +\d+\.\d{9} seconds time elapsed$'
CLASSIC = [r'msec (task|cpu)-clock +# +[\d.]+ CPUs utilized', r'context-switches +# +[\d.]+ (K|M)?/sec',
           r'cpu-migrations +# ', r'page-faults +# ']
COUNTED = CLASSIC + [r'6000000 +cycles +# +[\d.]+ GHz',
                     r'12000000 +instructions +# +2\.00  insn per cycle',
                     r'1000000 +branches +# +[\d.]+ [KMG]/sec', r'50000 +branch-misses +# +5\.00% of all branches']
DETAILED = COUNTED + [r'400000 +L1-dcache-loads', r'40000 +L1-dcache-load-misses +# +10\.00% of all L1-dcache',
                      r'1000 +LLC-loads', r'300 +LLC-load-misses +# +30\.00% of all LL-cache']
TIMES = r'^ +0\.\d{9} +\S'
# Counters of all CPUs differ by their number: no values there. (Each CPU counts more than the one before.)
ALL_CPUS = [r'cycles +# +[\d.]+ GHz', r'instructions +# +2\.00  insn per cycle']

# (line, what must be there, with made-up counters where the line has hardware events). COMMAND: a
# workload; PID: a busy process; URL: a local server. Lines without an end of their own get SIGINT.
STAT = [
    ('perf stat command', COUNTED + [FOOT]), ('perf stat -d command', DETAILED + [FOOT]),
    ('perf stat -p PID', COUNTED + [r"stats for process id 'PID'", FOOT]),
    ('perf stat -a sleep 5', CLASSIC + ALL_CPUS + [r"stats for 'system wide'", FOOT]),
    ('perf stat -a -d', CLASSIC + ALL_CPUS + [r'LLC-loads', FOOT]),
    ('perf stat -a -d sleep 5', CLASSIC + ALL_CPUS + [r'LLC-loads', FOOT]),
    ('perf stat -a -d sleep 10', CLASSIC + ALL_CPUS + [r'LLC-loads', FOOT]),
    ('perf stat ls', COUNTED + [r"stats for 'ls'"]),
    ('perf stat gzip file1', COUNTED + [r"stats for 'gzip file1'", r' seconds user$', r' seconds sys$']),
    ('perf stat gzip largefile', COUNTED), ('perf stat -d gzip file1', DETAILED),
    ('perf stat wget URL', COUNTED), ('perf stat ping', []),
    ('perf stat -e cycles,instructions,cache-references,cache-misses,bus-cycles -a sleep 10',
     [r'cycles', r'insn per cycle', r'cache-misses +# +12\.857 % of all cache refs', r'bus-cycles', FOOT]),
    ('perf stat -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores command',
     [r'400000 +L1-dcache-loads', r'# +10\.00% of all L1-dcache accesses', r'8000 +L1-dcache-stores']),
    ('perf stat -e L1-dcache-loads,L1-dcache-load-misses,L1-dcache-stores gzip file1',
     [r'400000 +L1-dcache-loads', r'# +10\.00% of all L1-dcache accesses', r'8000 +L1-dcache-stores']),
    ('perf stat -e dTLB-loads,dTLB-load-misses,dTLB-prefetch-misses command',
     [r'777 +dTLB-loads', r'77 +dTLB-load-misses +# +9\.91% of all dTLB cache', r'7 +dTLB-prefetch-misses']),
    ('perf stat -e LLC-loads,LLC-load-misses,LLC-stores,LLC-prefetches command',
     [r'1000 +LLC-loads', r'# +30\.00% of all LL-cache', r'30 +LLC-stores', r'20 +LLC-prefetches']),
    ('perf stat -e r003c -a sleep 5', [r'\d +r003c', FOOT]),
    ('perf stat -e cycles,instructions,r80a2,r2b1 gzip file1',
     [r'6000000 +cycles', r'2\.00  insn per cycle', r'9448159 +r80a2', r'11855777 +r2b1']),
    ('perf stat -e r0 ls', [r'4000000 +r0', FOOT]),
    ('perf stat -e raw_syscalls:sys_enter -I 1000 -a', [TIMES, r'\d +raw_syscalls:sys_enter']),
    ("perf stat -e 'syscalls:sys_enter_*' -p PID", [r'^ +\d+ +syscalls:sys_enter_read ', FOOT]),
    ("perf stat -e 'syscalls:sys_enter_*' -a sleep 5", [r'^ +[1-9]\d* +syscalls:sys_enter_execve ']),
    ("perf stat -e 'syscalls:sys_enter_*' gzip file1 2>&1 | awk '$1 != 0'",
     [r'^ +[1-9]\d* +syscalls:sys_enter_write ', r'^ +1 +syscalls:sys_enter_exit_group ', FOOT]),
    ("perf stat -e 'syscalls:sys_enter_*' dd if=/dev/zero of=/dev/null bs=512 count=10000k",
     [r'^ +200\d +syscalls:sys_enter_read ', FOOT]),
    ("perf stat -e 'syscalls:sys_enter_*' dd if=/dev/zero of=/dev/null bs=512 count=1000k 2>&1 | head -n 20",
     [r'2000\+0 records in', r"stats for 'dd "]),
    ("perf stat -e 'sched:*' -p PID", [r'sched:sched_switch ', FOOT]),
    ("perf stat -e 'sched:*' -p PID sleep 10", [r'sched:sched_switch ', FOOT]),
    ("perf stat -e 'sched:sched_process_*' -a sleep 5", [r'^ +[1-9]\d* +sched:sched_process_exec ']),
    ("perf stat -e 'ext4:*' -a sleep 10", [r'ext4:ext4_\w+']),
    ("perf stat -e 'block:*' -a sleep 10", [r'block:block_rq_issue ']),
    ("perf stat -e 'vmscan:*' -a -I 1000", [TIMES, r'vmscan:mm_vmscan_']),
    ('perf stat -e kmem:* -e cache-references -e cache-misses wget URL',
     [r'^ +[1-9]\d* +kmem:kmem_cache_alloc ', r'70000 +cache-references', r'9000 +cache-misses']),
    ('perf stat -e skb:* -e net:* -e napi:* -e sched:* -e workqueue:* -e irq:* -e syscalls:* wget URL',
     [r'^ +[1-9]\d* +net:net_dev_queue ', r'^ +[1-9]\d* +syscalls:sys_enter_connect ', r'irq:softirq_entry ']),
    ('perf stat -I 1000 -e r0 lat_mem_rd 1 2048 2>&1', [TIMES + r'?.* r0\b', r'counts unit events']),
    ('perf stat -I 1000 -a --per-core -e r0 md5sum /boot/vmlinuz 2>&1', [r'S0-D0-C0 +\d+ +\d+ +r0', r'core +cpus']),
    ('perf stat -B ./lat_mem_rd 1 2048', COUNTED),
    ('perf stat -e task-clock,cpu-clock ./lat_mem_rd 1 2048', [r'msec task-clock +# ', r'msec cpu-clock +# ']),
    ('perf stat -e cache-misses ./lat_mem_rd 1 2048', [r'9000 +cache-misses']),
    ('perf stat -I 1000 -e L1-dcache-loads ./lat_mem_rd 1 2048', [TIMES, r'400000 +L1-dcache-loads']),
    ('perf stat -I 1000 -e L1-dcache-loads,cache-misses ./lat_mem_rd 1 2048', [TIMES, r'9000 +cache-misses']),
    ('perf stat -I 1000 -e instructions --per-core lat_mem_rd 1 2048', []),
    ('perf stat -I 1000 -e instructions --per-core -a lat_mem_rd 1 2048', [r'S0-D0-C0 +\d+ +\d+ +instructions']),
    ('perf stat -e probe_lat:bl9 lat_mem_rd 1 2048', [r'^ +[1-9]\d* +probe_lat:bl9 ']),
    ('perf stat -I 1000 -e probe_lat:bm_load ./lat_mem_rd 1 2048', [TIMES, r'[1-9]\d* +probe_lat:bm_load']),
    # Options that the documents name
    ('perf stat -a -A sleep 1', [r'^CPU0 +[\d.]+ msec cpu-clock', r'^CPU0 +6000000 +cycles']),
    ('perf stat -a --per-socket sleep 1', [r'^S0 +\d+ .*msec cpu-clock']),
    ('perf stat -a --per-core sleep 1', [r'^S0-D0-C0 +\d+ .*msec cpu-clock']),
    ("perf stat -e syscalls:sys_enter_write --filter 'count > 0' ls", [r'^ +[1-9]\d* +syscalls:sys_enter_write ']),
    ('perf stat -d -d command', DETAILED + [r'777 +dTLB-loads']),
    ('perf stat --sync command', COUNTED), ('perf stat --repeat 3 command', COUNTED + [r'\(3 runs\)', r'\+- ']),
    ('perf stat --pre true --post true command', COUNTED),
    ('perf stat --delay 20 sleep 1', COUNTED),
    ('perf stat record -o stat.data command; perf stat report -i stat.data', COUNTED),
]
# Lines with names of a certain CPU's PMU: on such a CPU, made up (tests/data/sysfs).
MACHINES = [
    ('amd-zen', 'perf stat gzip file1', COUNTED + [r'600000 +stalled-cycles-frontend +# +10\.00% frontend cycles idle',
                                                   r'# +0\.05  stalled cycles per insn']),
    ('intel-uncore', 'perf stat -e cycles -e cpu/event=0x0e,umask=0x01,inv,cmask=0x01/ -a sleep 5',
     [r'cycles', r'\d +cpu/event=0x0e,umask=0x01,inv,cmask=0x01/', FOOT]),
    ('intel-uncore', 'perf stat -e cache-misses,L1-dcache-loads,mem-loads ./lat_mem_rd 1 2048', [r'9000 +cache-misses', r'mem-loads']),
    ('intel-uncore', 'perf stat -I 1000 -e mem-loads ./lat_mem_rd 1 2048', [TIMES + '?', r'mem-loads']),
]
# Names of options that documents have and today's perf has not.
STAT_OLD = [
    ('perf stat -a --aggr-socket sleep 1', 'perf stat -a --per-socket sleep 1', [r'^S0 +\d+ .*msec cpu-clock']),
    ('perf stat --initial-delay 20 sleep 1', 'perf stat --delay 20 sleep 1', COUNTED),
]
# The whole lists differ in the events that newer perfs have (tests/diff/list.py compares them).
LIST = [
    ('perf list', [r'^  cpu-cycles OR cycles +\[Hardware event\]$', r'^  context-switches OR cs +\[Software event\]$',
                   r'^  L1-dcache-loads +\[Hardware cache event\]$', r'^  rNNN +\[Raw hardware event descriptor\]$',
                   r'^  mem:<addr>\[/len\]\[:access\] +\[Hardware breakpoint\]$',
                   r'^  sched:sched_switch +\[Tracepoint event\]$'], False),
    ("perf list 'sched:*'", [r'^  sched:sched_switch +\[Tracepoint event\]$'], True),
    ("perf list 'syscalls:*'", [r'^  syscalls:sys_enter_read +\[Tracepoint event\]$'], True),
    ('perf list pmu', [r'\[Kernel PMU event\]$'], True),
    ('perf list | grep sched', [r'^  sched:sched_switch +\[Tracepoint event\]$'], True),
    ('perf list | grep Hardware', [r'cpu-cycles OR cycles +\[Hardware event\]$', r'cache-misses +\[Hardware event\]$'], True),
    ('perf list | grep L1-dcache', [r'^  L1-dcache-load-misses +\[Hardware cache event\]$'], True),
    ('perf list | grep sdt_node', [r'^  sdt_node:http_server__request +\[SDT event\]$'], True),
    ('perf list | wc -l', [r'^\d{3,}$'], False),
    ("perf list | awk -F: '/Tracepoint event/ { lib[$1]++ } END {\n"
     "  for (l in lib) { printf \"  %-16.16s %d\\n\", l, lib[l] } }' | sort | column", [r'sched +\d+', r'syscalls +\d+'], True),
]
ROW = re.compile(r'^ *(?:\d+\.\d{9} +)?((?:S\d+(?:-D\d+)?(?:-C\d+)?|CPU\d+)? *)(?:\d+ +)??'
                 r'([\d,.]+|<not counted>|<not supported>) +(?:(msec|ns) +)?([A-Za-z][\w:./=,-]*)(.*)$')
RATIO = re.compile(r'# +(?:[\d.]+|nan|inf) *(?:[KMG]?(/sec)|(%? ?[A-Za-z].*?)) *(?:\( .*|\(\d.*)?$')


def has_hardware(line):
    """Whether the line counts events that not every machine has."""
    return 'cache-' in line or not re.search(r'-e \S*:|task-clock|ping', line)


def rows(text):
    """What is counted: (where, whether it could be counted, unit, event, ratio), each once."""
    out = []
    for line in text.splitlines():
        m = ROW.match(line)
        if m and not line.startswith((' Performance', '#')):
            ratio = RATIO.search(m.group(5)) if '#' in m.group(5) else None
            row = (m.group(1).strip(), m.group(2) if m.group(2)[0] == '<' else '', m.group(3) or '', m.group(4),
                   (ratio.group(1) or ratio.group(2)).strip() if ratio else '')
            if row not in out:
                out.append(row)
    return out


class Seeds:
    def __init__(self, suite, fake, whole):
        self.suite, self.fake, self.whole = suite, fake, whole
        self.server = subprocess.Popen([sys.executable, '-c', (
            'import http.server as h\ns=h.HTTPServer(("127.0.0.1",0),h.SimpleHTTPRequestHandler)\n'
            'print(s.server_port,flush=True)\ns.serve_forever()')], cwd=suite.top,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.server.stdout.readline())
        suite.sh('gcc -O1 -o lat_mem_rd %s/programs/lat_mem_rd.c' % HERE)
        self.program = os.path.join(suite.top, 'lat_mem_rd')
        self.probes = []
        self.no_probes = self.add_probes()

    def add_probes(self):
        """What `perf probe -x lat_mem_rd NAME=benchmark_loads` adds; returns why it cannot be."""
        out = self.suite.sh("nm lat_mem_rd | awk '$3 == \"benchmark_loads\" { print $1 }'").out.strip()
        for name in ('bl9', 'bm_load') if out else ():
            r = self.suite.sh("echo 'p:%s/%s %s:0x%s' >> %s" % (GROUP, name, self.program, out, PROBES))
            if r.status:
                return 'no probe: ' + r.err.strip()
            self.probes.append(name)
        return ''

    def close(self):
        for name in self.probes:
            self.suite.sh("echo '-:%s/%s' >> %s" % (GROUP, name, PROBES))
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()

    def fill(self, line, pid):
        if not self.whole:
            line = line.replace('syscalls:sys_enter_*', 'syscalls:sys_enter_[erw]*').replace('syscalls:* wget', 'syscalls:sys_enter_c* wget')
        line = re.sub(r'sleep \d+', 'sleep 0.2', line).replace('probe_lat:', GROUP + ':')
        line = re.sub(r'-I 1000', '-I 100', line).replace('count=10000k', 'count=2000').replace('count=1000k', 'count=2000')
        line = re.sub(r'\bcommand\b', 'ls', line).replace('PID', str(pid))
        if not os.path.exists('/boot/vmlinuz'):
            line = line.replace('/boot/vmlinuz', '/bin/bash')
        return line.replace('URL', '-q -O /dev/null http://127.0.0.1:%d/' % self.port)

    def run(self, line, tool, pid, fake=False, before='', seconds=0.6):
        words = self.fill(line, pid)
        endless = not re.search(r'sleep|command|\bls$|gzip|wget|ping|dd |lat_mem_rd|md5sum|list', line)
        start = 'timeout --preserve-status -s INT %g ' % seconds if endless else ''
        made_up = "env LD_PRELOAD='%s' FAKE_COUNTERS='%s' " % (self.fake, COUNTERS) if fake else ''
        return self.suite.sh('rm -f file1* largefile*; seq 100000 > file1; cp file1 largefile; PATH="$PATH:$PWD"\n'
                             'ln -sf "%s" .\nperf() { %s%s%s"%s" "$@"; }\n%s' %
                             (self.program, before, start, made_up, tool, words), PERF_CPUID='GenuineIntel-6-0-0')


# What is counted varies with what else the machine does; only what always differs counts. Seconds for lines that do
# not end by themselves: on a busy machine it may take long until tracepoints are open.
TRIES = (0.6, 2, 6)


NOTHING = 'No supported events found.'


def text_of(r):
    return r.out + r.err


def must_have(line, r, wanted, pid=0):
    for pattern in wanted:
        pattern = pattern.replace('PID', str(pid)).replace('probe_lat:', GROUP + ':')
        assert re.search(pattern, text_of(r), re.M), "'%s' is not in: %s\n%s" % (pattern, line, text_of(r)[:3000])


def stat_line(seeds, line, ref_line, wanted, fake, before=''):
    if 'wget' in line and seeds.suite.sh('command -v wget').status:
        raise Skip('no wget')
    if 'lat_mem_rd' in line and not os.path.exists(seeds.program):
        raise Skip('no gcc')
    if 'ext4:' in line and not os.path.exists('/sys/kernel/tracing/events/ext4'):
        raise Skip('no ext4')
    if 'probe_lat' in line and seeds.no_probes:
        raise Skip(seeds.no_probes)
    with busy_process('PID' in line) as pid:
        for seconds in TRIES:
            ref = seeds.run(ref_line, seeds.suite.ref, pid, fake, before, seconds)
            ours = seeds.run(line, seeds.suite.perf, pid, fake, before, seconds)
            theirs, mine = rows(text_of(ref)), rows(text_of(ours))
            # newer perfs, and this one, say so
            if NOTHING in text_of(ours) and theirs and all(r[1] == '<not supported>' or r[3] == 'seconds' for r in theirs):
                assert ours.status == 1, '%s\n%s' % (line, show(ours))
                return
            if ours.status == ref.status and theirs == mine:
                break
    assert ours.status == ref.status, '%s\nreference: %s\nours: %s' % (line, show(ref), show(ours))
    assert theirs == mine, '%s: rows\nonly the reference: %s\nonly ours: %s\n%s%s' % (
        line, [r for r in theirs if r not in mine], [r for r in mine if r not in theirs],
        text_of(ref)[:1500], text_of(ours)[:1500])
    if ref.status == 0 and (fake or not has_hardware(line)):
        must_have(line, ours, wanted, pid)


def list_line(seeds, line, wanted, same):
    for _ in TRIES:
        ref, ours = (seeds.run(line, tool, 0, True) for tool in (seeds.suite.ref, seeds.suite.perf))
        if not same or (ours.out, ours.status) == (ref.out, ref.status):
            break
    assert ours.status == ref.status, '%s\nreference: %s\nours: %s' % (line, show(ref), show(ours))
    assert not same or ours.out == ref.out, '%s\nreference: %s\nours: %s' % (line, show(ref), show(ours))
    must_have(line, ours, wanted)


SDT = '''
__asm__(".section .note.stapsdt,\\"\\",\\"note\\"\\n .balign 4\\n .4byte 992f-991f, 994f-993f, 3\\n"
"991: .asciz \\"stapsdt\\"\\n992: .balign 4\\n993: .8byte main, 0, 0\\n .asciz \\"node\\"\\n"
" .asciz \\"http_server__request\\"\\n .asciz \\"\\"\\n994: .balign 4\\n .previous\\n");
int main(void) { return 0; }
'''


def add_node(suite):
    """A program with a trace point of node's, known to the cache of build ids."""
    with open(os.path.join(suite.top, 'node.c'), 'w', encoding='ascii') as f:
        f.write(SDT)
    r = suite.sh('gcc -Wl,--build-id -o node node.c && perf buildid-cache --add ./node')
    assert r.status == 0, show(r)


def main():
    fake = argparse.ArgumentParser(add_help=False)
    fake.add_argument('--fake', required=True)
    fake.add_argument('--whole', action='store_true', help='all system calls, not some: each of their hundreds of '
                      'events takes the kernel 40 ms to end')
    own, sys.argv[1:] = fake.parse_known_args()
    suite = Suite(__doc__)
    # what another process closes later is in the way of the tracepoints that the next line opens
    suite.env['PERF_CONFIG'] = os.path.join(suite.top, 'config')
    with open(suite.env['PERF_CONFIG'], 'w', encoding='ascii') as f:
        f.write('[core]\n\tclose-late = false\n')
    if not suite.ref or os.geteuid():
        print('skipped: needs root and the installed perf\n0 passed, 0 failed, 1 skipped')
        return SKIP_EXIT
    seeds = Seeds(suite, os.path.abspath(own.fake), own.whole)
    try:
        suite.check('add node', add_node, suite)
        cases = [(line, list_line, seeds, line, wanted, same) for line, wanted, same in LIST]
        for line, wanted in STAT:
            cases.append((line, stat_line, seeds, line, line, wanted, False))
            if has_hardware(line):
                cases.append(('counters: ' + line, stat_line, seeds, line, line, wanted, True))
        cases += [(line, stat_line, seeds, line, ref_line, wanted, True) for line, ref_line, wanted in STAT_OLD]
        if subprocess.run(['unshare', '-m', 'true'], check=False).returncode == 0:
            for machine, line, wanted in MACHINES:
                before = '%s/diff/with_pmus.sh %s/data/sysfs/%s.tree ' % (TESTS, TESTS, machine)
                cases.append((machine + ': ' + line, stat_line, seeds, line, line, wanted, True, before))
        suite.check_all(cases)
    finally:
        seeds.close()
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
