#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf record --wall and perf report --wall with a program whose clocks say what its threads did.

    wall.py --perf BUILD/perf --states BUILD/tests/tools/wall_states

The program tells, for each thing that its thread "worker" did, how long that took and for how long of it the thread had a CPU.
"""
import os
import re
import sys

from live_case import Skip, Suite, need_root, show

LINE = re.compile(r'^(.*) (\d+)$')
STAGES = {'compute': 'compute_alone', 'sleep': 'sleep_long', 'mutex': 'wait_mutex', 'pipe': 'wait_pipe',
          'compete': 'compete'}


class Case(Suite):
    def __init__(self):
        at = sys.argv.index('--states')
        self.states = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
        super().__init__(__doc__)

    def record(self, options, before=''):
        """What was recorded, and the stages: milliseconds, and of these running."""
        r = self.sh('%s "$PERF" record --wall -N -o p.data %s -- %s' % (before, options, self.states))
        assert r.status == 0, show(r)
        stages = dict((w[0], (float(w[1]), float(w[2]))) for w in map(str.split, r.out.splitlines()))
        assert set(stages) == set(STAGES), show(r)
        return r, stages

    def spans(self, keys):
        """(the keys' texts and frames, ms) of each line."""
        r = self.sh('"$PERF" report --wall -f --folded -i p.data -s comm,%s' % keys)
        assert r.status == 0, show(r)
        found = [LINE.match(line) for line in r.out.splitlines()]
        assert all(found), show(r)
        return [(m.group(1).split(';'), int(m.group(2)) / 1e6) for m in found]


def total(spans, *words):
    """ms of the spans that have all the words, which are names or beginnings of states with a dash."""
    return sum(ms for parts, ms in spans
               if all(any(p == w or w.endswith('-') and p.startswith(w) for p in parts) for w in words))


def near(what, got, expected, share=0.03, ms=6):
    assert abs(got - expected) <= share * expected + ms, '%s: %.3f ms, not %.3f' % (what, got, expected)


def check_sums(spans, stages):
    """All of the thread's time, and what it ran, which do not depend on sampling."""
    near('all', total(spans, 'worker'), sum(s[0] for s in stages.values()))
    near('running', total(spans, 'worker', 'running'), sum(s[1] for s in stages.values()))


def check_stages(spans, stages):
    for stage, function in STAGES.items():
        wall, ran = stages[stage]
        off = total(spans, 'worker', function, 'blocked-') + total(spans, 'worker', function, 'runnable-')
        near(stage, off, wall - ran)
        if stage in ('sleep', 'mutex', 'pipe'):
            assert total(spans, 'worker', function, 'blocked-sleep') > 0.5 * off, (stage, spans)
    preempted = total(spans, 'worker', 'compete', 'runnable-preempted')
    near('preempted', preempted, stages['compete'][0] - stages['compete'][1], ms=30)


def check_wakers(spans):
    for function, name in (('wait_mutex', 'holder'), ('wait_pipe', 'writer')):
        mine = [(p, ms) for p, ms in spans if function in p and 'blocked-sleep' in p]
        by = sum(ms for p, ms in mine if p[2].startswith(name + '/'))
        assert by > 0.9 * sum(ms for _, ms in mine), mine
    slept = [(p, ms) for p, ms in spans if 'sleep_long' in p and 'blocked-sleep' in p]
    assert all(p[2] in ('[interrupt]', '[unknown]') for p, ms in slept if ms > 1), slept


def by_program(c):
    need_root()
    r, stages = c.record('')
    if 'BPF program' not in r.err:
        raise Skip('no BPF here')
    spans = c.spans('state,waker')
    check_sums(spans, stages)
    check_stages(spans, stages)
    check_wakers(spans)
    # the kernel sums up: a sample for each stack, not for each switch
    assert os.path.getsize(os.path.join(c.here, 'p.data')) < 4 << 20


def by_tracepoints_of_all(c):
    need_root()
    cpus = c.sh('cat /sys/devices/system/cpu/online').out.strip()
    r, stages = c.record('-F 500 -m 4M -C %s' % cpus)
    assert 'by tracepoints of the scheduler ]' in r.err, show(r)
    if 'lost' in r.err:
        raise Skip('the machine is too busy')
    spans = c.spans('state,waker')
    check_sums(spans, stages)
    check_stages(spans, stages)
    check_wakers(spans)


def by_switch_records(c):
    """What every user may record."""
    need_root()
    os.chmod(c.here, 0o777)
    r, stages = c.record('', before='setpriv --reuid 65534 --regid 65534 --clear-groups')
    assert 'without stacks of what blocked' in r.err or 'without wake-ups, and' in r.err, show(r)
    spans = c.spans('state')
    check_sums(spans, stages)
    wall = sum(stages[s][0] for s in ('sleep', 'mutex', 'pipe'))
    assert total(spans, 'worker', 'blocked') >= 0.95 * wall, spans
    near('preempted', total(spans, 'worker', 'runnable-preempted'),
         sum(stages[s][0] - stages[s][1] for s in ('compute', 'compete')), ms=30)
    head = c.sh('"$PERF" report --wall -f --stdio -i p.data').out
    assert 'No wake-ups are recorded' in head, head


def of_a_process(c):
    need_root()
    r = c.sh('sh -c "sleep 0.3; while :; do :; done" & pid=$!; "$PERF" record --wall -N -o p.data -p $pid -- sleep 1; '
             'status=$?; kill $pid; exit $status')
    assert r.status == 0, show(r)
    head = c.sh('"$PERF" report --wall -f --json -i p.data -s state').out
    ns = int(re.search(r'"ns": (\d+)', head).group(1))
    assert 0.9e9 <= ns <= 1.5e9, head


def many_switches(c):
    """Not each stack is looked at then, but sums stay what they are, and stacks are those of the program."""
    need_root()
    r = c.sh('"$PERF" record --wall -N -o p.data -- "$PERF" bench sched pipe -l 20000')
    assert r.status == 0, show(r)
    if 'BPF program' not in r.err:
        raise Skip('no BPF here')
    spans = [(p, ms) for p, ms in c.spans('state,waker') if p[0] == 'sched-pipe']
    slept, reading = total(spans, 'blocked-sleep'), total(spans, 'blocked-sleep', 'anon_pipe_read')
    reading += total(spans, 'blocked-sleep', 'pipe_read')  # as older kernels call it
    assert slept and reading > 0.9 * slept, (slept, reading, spans[:10])
    by = sum(ms for p, ms in spans if 'blocked-sleep' in p and p[2].startswith('sched-pipe/'))
    assert by > 0.9 * slept, (slept, by)
    assert os.path.getsize(os.path.join(c.here, 'p.data')) < 4 << 20


def exec_in_a_thread(c):
    """It gets the number of the process, under which nobody was seen to get a CPU: no CPU is used twice."""
    need_root()
    program = ('import os, threading, time; time.sleep(2); threading.Thread(target=lambda: os.execlp("sleep", "sleep", "0.3")).start(); '
               'time.sleep(60)')
    r = c.sh('"$PERF" record --wall -N -a -o p.data -- python3 -c \'%s\'' % program)
    assert r.status == 0, show(r)
    if 'BPF program' not in r.err:
        raise Skip('no BPF here')
    ran = [ms for p, ms in c.spans('state') if p[0] in ('python3', 'sleep') and p[1] == 'running']
    assert sum(ran) < 1500, ran


def main():
    c = Case()
    c.check('a program in the kernel, and who woke whom', by_program, c)
    c.check('tracepoints on all CPUs', by_tracepoints_of_all, c)
    c.check('switch records of a user without privileges', by_switch_records, c)
    c.check('two threads that switch all the time', many_switches, c)
    c.check('a process that runs already', of_a_process, c)
    c.check('a thread that calls exec', exec_in_a_thread, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
