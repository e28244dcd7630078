#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf stat --bpf-counters: counts equal what programs do by construction; counters are shared.

    shared_counts.py --perf BUILD/perf
"""
import contextlib
import os
import pathlib
import subprocess
import sys

from live_case import Skip, Suite, need_all_pids, need_root, show

CALLS = 'python3 -S -c "import os; [os.getpgid(0) for i in range(%d)]"'
# (a BPF program of another test at a call that returns 0 keeps its events from everybody)
EVENT = 'syscalls:sys_enter_getpgid'
BREAKPOINTS = 6  # at once: more than a CPU has


def need_event():
    if not pathlib.Path('/sys/kernel/tracing/events/syscalls/sys_enter_getpgid').exists():
        raise Skip('no tracepoints of system calls')


def stat(c, options, command, status=0):
    need_event()
    r = c.sh('perf stat -x, %s -- %s' % (options, command))
    if 'cannot count by BPF' in r.err:
        raise Skip('no BPF here: ' + r.err)
    assert r.status == status, show(r)
    return r, [line.split(',') for line in r.err.splitlines() if line.count(',') > 5]


@contextlib.contextmanager
def attr_map(c):
    """A place for the map in a BPF file system of its own."""
    folder = pathlib.Path(c.top, 'bpf-%d' % os.getpid())
    folder.mkdir(exist_ok=True)
    if subprocess.run(['mount', '-t', 'bpf', 'bpf', folder], check=False, capture_output=True).returncode:
        raise Skip('no BPF file system can be mounted')
    try:
        yield folder / 'map'
    finally:
        subprocess.run(['umount', folder], check=True)


def workload(c):
    """Calls of a program and its children; python itself makes some, as a plain count tells."""
    command = 'sh -c \'%s; %s\'' % (CALLS % 3000, CALLS % 2000)
    plain, by_bpf = (int(stat(c, o + '-e ' + EVENT, command)[1][0][0]) for o in ('', '--bpf-counters '))
    assert by_bpf == plain >= 5000, (plain, by_bpf)
    alone = int(stat(c, '--bpf-counters -i -e ' + EVENT, command)[1][0][0])
    assert alone < 100, alone


def beside_plain(c):
    """The modifier, and the configuration: others are counted as ever, with the same result."""
    _, rows = stat(c, '-e %s:b,%s,duration_time' % (EVENT, EVENT), CALLS % 1000)
    assert len(rows) == 3 and rows[0][0] == rows[1][0] and int(rows[0][0]) >= 1000, rows
    r = c.sh('perf --version; printf "[stat]\\n\\tbpf-counter-events = %s\\n" > config; '
             'PERF_CONFIG=config perf stat -v -x, -e %s,page-faults -- %s' % (EVENT, EVENT, CALLS % 1000))
    calls = [line for line in r.err.splitlines() if ',%s,' % EVENT in line]
    assert r.status == 0 and len(calls) == 1 and int(calls[0].split(',')[0]) >= 1000, show(r)
    assert 'perf_event_open' in r.err or 'page-faults' in r.err, show(r)


def threads(c):
    """-p and --per-thread: each of three threads has its own count."""
    program = ('import os, sys, threading\n'
               'def calls(n):\n'
               '    go.wait()\n'
               '    for i in range(n): os.getpgid(0)\n'
               'go = threading.Event()\n'
               'all = [threading.Thread(target=calls, args=(n,)) for n in (1000, 2000, 3000)]\n'
               'for t in all: t.start()\n'
               'print("ready", flush=True)\n'
               'sys.stdin.readline()\n'
               'go.set()\n'
               'for t in all: t.join()\n'
               'sys.stdin.readline()\n')
    need_event()
    with subprocess.Popen([sys.executable, '-S', '-c', program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as p:
        p.stdout.readline()
        with subprocess.Popen([c.perf, 'stat', '--bpf-counters', '-x,', '-p', str(p.pid), '--per-thread', '-v', '-e',
                               EVENT, '--control', 'fd:0,1', '-D', '-1'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as perf:
            perf.stdin.write('enable\n')
            perf.stdin.flush()
            if not perf.stdout.readline():
                raise Skip('no BPF here: ' + perf.stderr.read())
            p.stdin.write('\n\n')
            p.stdin.flush()
            p.wait()
            err = perf.communicate(timeout=60)[1]
    got = sorted(int(line.split(',')[1]) for line in err.splitlines() if ',%s,' % EVENT in line)
    assert got[-3:] == [1000, 2000, 3000], err


def cgroups(c):
    """What runs in a group counts there and in its parents."""
    mounts = [line.split() for line in pathlib.Path('/proc/mounts').read_text(encoding='utf-8').splitlines()]
    v2 = [m[1] for m in mounts if m[2] == 'cgroup2']
    if not v2 or any(m[2] == 'cgroup' and 'perf_event' in m[3].split(',') for m in mounts):
        raise Skip('no cgroup2 for perf events')
    name = 'live-shared-%d' % os.getpid()
    top = pathlib.Path(v2[0], name)
    try:
        for group in top, top / 'a', top / 'b':
            group.mkdir()
    except OSError as why:
        raise Skip('no cgroup can be made: %s' % why) from None
    try:
        command = 'sh -c \'for g in a b; do (echo 0 > %s/$g/cgroup.procs; exec %s); done\'' % (top, CALLS % 1000)
        rows = [stat(c, '%s -a -e %s --for-each-cgroup %s,%s/a,%s/b' % (o, EVENT, name, name, name), command)[1]
                for o in ('', '--bpf-counters')]
        plain, by_bpf = ([(int(row[0]), row[3]) for row in r] for r in rows)
        assert plain == by_bpf, (plain, by_bpf)
        assert by_bpf[0][0] == by_bpf[1][0] + by_bpf[2][0] >= 2000, by_bpf
    finally:
        for group in top / 'a', top / 'b', top:
            group.rmdir()


def many_at_once(c):
    """More perfs count than the CPU has breakpoints, which they share."""
    with attr_map(c) as path:
        stat(c, '--bpf-counters -a -e mem:0x1000:w', 'true')
        shared = 'perf stat --bpf-counters --bpf-attr-map %s -x, -a -e mem:0x1000:w -- sleep 1' % path
        r = c.sh('for i in $(seq %d); do %s & done; wait' % (BREAKPOINTS, shared))
        rows = [line for line in r.err.splitlines() if ',mem:0x1000:w,' in line]
        assert len(rows) == BREAKPOINTS and not any('<not' in row for row in rows), show(r)
        plain = 'perf stat -x, -a -e mem:0x1000:w -- sleep 1'
        r = c.sh('for i in $(seq %d); do %s & done; wait' % (BREAKPOINTS, plain))
        assert 'No space left' in r.err or '<not' in r.err or 'failed' in r.err.lower(), show(r)


def wrong(c):
    for options, text in (('--bpf-counters --bpf-attr-map ./file -e cs', 'cannot open the map of shared counters'),
                          ('--bpf-counters -b 1 -e cs', 'cannot be used together'),
                          ('--bpf-counters -e sched:sched_switch --filter prev_pid>1', 'it has a filter')):
        r = c.sh('perf stat %s -- true' % options)
        assert r.status == 255 and text in r.err, show(r)
    r = c.sh('perf stat record --bpf-counters -e cs -- true')
    assert r.status == 255 and 'cannot be recorded' in r.err, show(r)


def main():
    c = Suite(__doc__)
    try:
        need_root()
        need_all_pids()
        for case in workload, beside_plain, threads, cgroups, many_at_once, wrong:
            c.check(case.__name__, case, c)
    except Skip as why:
        c.check('all', lambda: (_ for _ in ()).throw(why))
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
