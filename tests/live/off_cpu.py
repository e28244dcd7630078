#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf record --off-cpu: times and stacks of tasks that sleep, for each kind of target.

    off_cpu.py --perf BUILD/perf --sleeper BUILD/tests/tools/sleeper

How long a sleep really takes is the scheduler's affair, and a machine may hide some switches of tasks: most of
what was asked for is expected.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from live_case import Skip, Suite, need_all_pids, need_root, show

MOST = 0.6
HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = re.compile(r'^(.*?)\s+(-?\d+)/(-?\d+) +([\d.]+): +(\d+) +(\S+):')


class Case(Suite):
    def __init__(self):
        at = sys.argv.index('--sleeper')
        self.sleeper = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
        super().__init__(__doc__)

    def record(self, options, what='', **kw):
        r = self.sh('perf record -N -o p.data --off-cpu %s -- %s' % (options, what), **kw)
        if r.status and ('Operation not permitted' in r.err or 'without BPF programs' in r.err):
            raise Skip('no BPF here')
        assert r.status == 0, show(r)
        assert 'off the CPU' not in r.err, show(r)
        return r

    def samples(self, program=None):
        """(comm, pid, tid, time, ns, stack) of each sample of offcpu-time."""
        out = self.sh('"%s" script -i p.data -F comm,pid,tid,time,period,event,ip,sym' %
                      (program or self.perf)).out
        found = []
        for line in out.splitlines():
            m = not line.startswith('\t') and HEAD.match(line)
            if m:
                mine = m.group(6) == 'offcpu-time'
                if mine:
                    found.append((m.group(1).strip(), int(m.group(2)), int(m.group(3)), float(m.group(4)),
                                  int(m.group(5)), []))
            elif line.strip() and mine:
                found[-1][5].append(line.split()[1])
        return found

    def asleep_in(self, function, program=None):
        """Milliseconds with the function on the stack."""
        return sum(s[4] for s in self.samples(program) if function in s[5]) / 1e6


def times_and_names(c):
    c.record('-g', c.sleeper + ' 20 20 700')
    for program in [c.perf] + ([c.ref] if c.ref else []):
        short, long = c.asleep_in('short_sleep', program), c.asleep_in('long_sleep', program)
        assert short >= MOST * 20 * 20 and long >= 700, (program, short, long)
    mine = [s for s in c.samples() if s[0] == 'sleeper']
    assert all('__schedule' not in s[5] for s in mine), mine
    assert any('do_nanosleep' in s[5] or 'hrtimer_nanosleep' in s[5] for s in mine), mine
    # the short ones are one sum or a few, the long one is by itself and in order of time
    assert len([s for s in mine if 'short_sleep' in s[5]]) < 10, mine
    assert len([s for s in mine if 'long_sleep' in s[5]]) == 1, mine
    out = c.sh('perf report -i p.data --stdio --no-children -g none').out
    assert "of event 'offcpu-time'" in out, out


def without_g_only_the_users_stack(c):
    c.record('', c.sleeper + ' 5 20')
    mine = [s for s in c.samples() if 'short_sleep' in s[5]]
    assert mine and all(s[5][0] == 'short_sleep' for s in mine), mine


def threshold(c):
    c.record('--off-cpu-thresh 0', c.sleeper + ' 20 5')
    assert 20 * MOST <= len([s for s in c.samples() if 'short_sleep' in s[5]]) <= 40, c.samples()
    c.record('--off-cpu-thresh 5000', c.sleeper + ' 1 1 700')
    assert c.asleep_in('long_sleep') >= 700


def time_of_a_block(c):
    """Its end lies between the samples of the clock around it."""
    c.record('-e task-clock', "sh -c '%s 1 1 600; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'" % c.sleeper)
    end = [s[3] for s in c.samples() if 'long_sleep' in s[5]]
    out = c.sh('perf script -i p.data -F time,event').out
    clock = [float(line.split(':')[0]) for line in out.splitlines() if 'task-clock' in line]
    assert len(end) == 1 and clock[0] < end[0] < clock[-1], (end, clock[:1], clock[-1:])


def running_process(c):
    with subprocess.Popen([c.sleeper, '5000', '20']) as p, subprocess.Popen([c.sleeper, '5000', '20']) as other:
        c.record('-p %d' % p.pid, 'sleep 0.6')
        other.kill()
        p.kill()
    mine = c.samples()
    assert mine and {s[1] for s in mine} == {p.pid}, (p.pid, mine)
    assert c.asleep_in('short_sleep') >= MOST * 500


def only_one_thread(c):
    os.mkfifo(os.path.join(c.top, 'begin'))
    with subprocess.Popen(['sh', '-c', 'exec 3<>begin; read -r x <&3; %s 20 20; true' % c.sleeper], cwd=c.top) as p:
        try:
            c.record('-t %d' % p.pid, "sh -c 'echo >begin; sleep 0.8'")
        finally:
            p.kill()
    assert {s[2] for s in c.samples()} <= {p.pid}, c.samples()


def children_of_the_command(c):
    command = "sh -c 'sh -c \"%s 5 20; true\"; true'" % c.sleeper
    c.record('', command)
    assert c.asleep_in('short_sleep') >= MOST * 100, c.samples()
    c.record('-i', command)
    assert c.asleep_in('short_sleep') == 0


def everybody(c):
    with subprocess.Popen([c.sleeper, '5000', '20']) as p:
        c.record('-a', 'sleep 0.5')
        p.kill()
    assert any(s[1] == p.pid and 'short_sleep' in s[5] for s in c.samples()), p.pid


def one_cpu(c):
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise Skip('needs two CPUs')
    jobs = [subprocess.Popen([c.sleeper, '9000', '10'], preexec_fn=lambda n=n: os.sched_setaffinity(0, {n}))
            for n in cpus[:2]]
    try:
        c.record('-C %d' % cpus[1], 'sleep 0.5')
    finally:
        for j in jobs:
            j.kill()
            j.wait()
    pids = {s[1] for s in c.samples()}
    assert jobs[1].pid in pids and jobs[0].pid not in pids, (pids, [j.pid for j in jobs])


def wait_for_group(group, pid):
    """Until the process has moved into it."""
    for _ in range(1000):
        if str(pid) in (group / 'cgroup.procs').read_text(encoding='ascii').split():
            return
        time.sleep(0.05)
    raise AssertionError('not in the group')


def cgroup(c):
    top = [line.split()[1] for line in pathlib.Path('/proc/mounts').read_text(encoding='utf-8').splitlines()
           if line.split()[2] == 'cgroup2']
    if not top or 'perf_event' in pathlib.Path('/proc/mounts').read_text(encoding='utf-8'):
        raise Skip('no cgroup2 for perf events')
    group = pathlib.Path(top[0], 'live-off-cpu-%d' % os.getpid())
    group.mkdir()
    try:
        with subprocess.Popen(['sh', '-c', 'echo $$ > %s/cgroup.procs; exec %s 9000 10' % (group, c.sleeper)]) as p, \
             subprocess.Popen([c.sleeper, '9000', '10']) as other:
            wait_for_group(group, p.pid)
            c.record('-a -e cpu-clock -G %s' % group.name, 'sleep 0.5')
            p.kill()
            other.kill()
    finally:
        for _ in range(50):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.1)
    assert {s[1] for s in c.samples()} == {p.pid}, (p.pid, c.samples())


def still_asleep(c):
    """It wakes once, and then no more before the end."""
    os.mkfifo(os.path.join(c.top, 'lines'))
    with subprocess.Popen(['sh', '-c', 'exec 3<>lines; read -r x <&3; read -r y <&3'], cwd=c.top) as p:
        r = c.record('-p %d' % p.pid, "sh -c 'echo >lines; sleep 1'")
        p.kill()
    waits = [s for s in c.samples() if s[1] == p.pid]
    assert sum(s[4] for s in waits) / 1e6 > 500, (waits, show(r))


def when_enabled(c):
    script = """mkfifo ctl ack
"$PERF" record -N -o p.data --off-cpu -D -1 --control fifo:ctl,ack -- %s 3000 20 2> err & pid=$!
exec 3<>ctl 4<>ack
echo ping >&3; read -r _ <&4
sleep 0.7; date +%%s%%N; echo enable >&3; read -r _ <&4; sleep 0.7; echo disable >&3; read -r _ <&4; date +%%s%%N
echo stop >&3; wait $pid""" % c.sleeper
    r = c.sh(script)
    begin, end = (int(word) / 1e6 for word in r.out.split())
    # a sample that ends with the first `enable` counts from there
    ms = c.asleep_in('short_sleep')
    assert MOST * 700 < ms <= end - begin, (ms, end - begin, show(r))


def new_files(c):
    r = c.sh('perf record -o s.data --off-cpu --switch-output=1s -a -- sleep 2.5; ls s.data.*')
    assert r.status == 0, show(r)
    names = r.out.split()
    assert len(names) >= 2, show(r)
    for name in names:
        out = c.sh('perf script -i %s -F event | sort -u' % name).out
        assert 'offcpu-time' in out, (name, out)


def several_readers(c):
    r = c.sh('perf record -N -o d.data --threads --off-cpu -a -- %s 20 20; '
             'perf script -i d.data -F event,ip,sym | grep -c short_sleep' % c.sleeper)
    assert r.status == 0 and int(r.out) > 0, show(r)


def stream(c):
    r = c.sh('perf record -o - --off-cpu -- %s 20 20 2>err | perf script -i - -F event,ip,sym' % c.sleeper)
    assert 'offcpu-time' in r.out and 'short_sleep' in r.out, show(r)


def build_turns(c):
    """Callers without frame pointers that take turns, behind a frame of 12 kB."""
    r = c.sh('gcc -O2 -fomit-frame-pointer -o turns %s/stacks/turns.c' % HERE)
    if r.status:
        raise Skip('no compiler: ' + r.err.strip()[:200])


def unwound(c):
    """Stacks of tasks are unwound while they sleep; what is too short to look at has its innermost frame alone."""
    build_turns(c)
    for options in '--call-graph dwarf --off-cpu-thresh 10', '--call-graph dwarf', '--call-graph auto', \
            '--call-graph dwarf --threads':
        c.record(options, './turns 0 40')
        mine = [s for s in c.samples() if s[0] == 'turns' and any('nanosleep' in f for f in s[5])]
        user = [[f for f in s[5] if re.match(r'(leaf|caller)_|main$|_start$|large$', f)] for s in mine]
        whole = [u for u in user if u]
        right = [u for u in whole if re.match(r'leaf_(\d+) large caller_\1 main _start$', ' '.join(u))]
        assert len(whole) >= MOST * 16 and right == whole, (options, len(whole), [u for u in whole if u not in right])
    c.record('--call-graph dwarf', './turns 0 1')
    user = [[f for f in s[5] if re.match(r'(leaf|caller)_', f)] for s in c.samples() if s[0] == 'turns']
    assert all(not u or u[0][5:] == u[1][7:] for u in user), user


def no_address_is_made_up(c):
    """Frame pointers lead astray in code without them: never to where no code is."""
    build_turns(c)
    for options in '-g', '':
        c.record(options, './turns 0 20')
        mine = [s for s in c.samples() if s[0] == 'turns']
        assert mine and not any('[unknown]' in f for s in mine for f in s[5]), mine


def more_stacks_than_the_kernel_keeps(c):
    """They are taken out meanwhile; that of a thread that sleeps all the time is there at the end."""
    r = c.sh('gcc -O0 -fno-omit-frame-pointer -pthread -o many_stacks %s/programs/many_stacks.c' % HERE)
    if r.status:
        raise Skip('no compiler: ' + r.err.strip()[:200])
    r = c.record('-F 10', './many_stacks 30000')
    assert 'no stack' not in r.err, show(r)
    out = c.sh('perf script -i p.data -F event,ip').out
    stacks = {text.partition('\n')[2] for text in out.split('\n\n') if 'offcpu-time' in text}
    assert len(stacks) > MOST * 30000, len(stacks)
    assert c.asleep_in('sleep_long') > 1000, c.asleep_in('sleep_long')


def unprivileged(c):
    r = c.sh('cp "$PERF" perf-copy; chmod 755 perf-copy; '
             'setpriv --reuid 65534 --regid 65534 --clear-groups ./perf-copy record -o /dev/null --off-cpu true')
    last = [line for line in r.err.splitlines() if 'off the CPU' in line]
    assert r.status == 255 and (last or 'limited' in r.err), show(r)
    assert not last or 'hint: it needs root' in r.err, show(r)


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    c = Case()
    try:
        need_root()
        need_all_pids()
        c.record('', 'true')
    except Skip as why:
        print('skip: %s' % why)
        c.close()
        return 77
    for case in (times_and_names, without_g_only_the_users_stack, threshold, time_of_a_block, running_process,
                 only_one_thread, children_of_the_command, everybody, one_cpu, cgroup, still_asleep, when_enabled,
                 new_files, several_readers, stream, unwound, no_address_is_made_up,
                 more_stacks_than_the_kernel_keeps, unprivileged):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
