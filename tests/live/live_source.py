#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The running machine as a source: one consumer sees the same live and in a recording of the same time.

    live_source.py --perf BUILD/perf --sums BUILD/tests/tools/live_sums

live_sums (tests/tools) watches and writes what it is given to a file, too; reading that must give the same sums.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from live_case import Skip, Suite, need_program, need_root, show

if '--sums' not in sys.argv:
    sys.exit('live_source.py: --sums is missing')
AT = sys.argv.index('--sums')
SUMS = os.path.abspath(sys.argv[AT + 1])
del sys.argv[AT:AT + 2]

# names of our own: what others on the machine run may have other files, which may be gone when the copy is read
SHELL, CHILD = 'live-bash', 'live-true'
FORKS = 'for i in $(seq 200); do ./live-true; done'
WORK = "./live-bash -c '%s; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'" % FORKS
LAST = re.compile(r'samples (\d+) lost (\d+) bad (\d+) late (\d+) rounds (\d+) renewals (\d+) '
                  r'inversions (\d+) delay-ms (\d+)')


def told(r):
    """What the last line tells, by name."""
    m = LAST.search(r.err)
    assert r.status == 0 and m, show(r)
    names = ('samples', 'lost', 'bad', 'late', 'rounds', 'renewals', 'inversions')
    return dict(zip(names, map(int, m.groups())))


def ours(sums):
    """Of the whole machine only what the workload did."""
    return [line for line in sums.splitlines() if re.match(r'\d+ \d+ (%s|%s);' % (SHELL, CHILD), line)]


def must_be_equal(live, file, seen):
    different = set(ours(live)) ^ set(ours(file))
    assert not different, 'live and from the file differ: %s\n%s' % (seen, '\n'.join(sorted(different)[:6]))


def same(c, options, work=WORK, limit=60):
    """Watch, then read what was watched: both must see the same. Returns what was told live, and the sums."""
    live = c.sh('%s %s -T copy.data %s' % (SUMS, options, work), limit=limit)
    seen = told(live)
    ordered = ' -o' if ' -o ' in ' %s ' % options else ''
    file = c.sh('%s -i copy.data%s' % (SUMS, ordered))
    read = told(file)
    must_be_equal(live.out, file.out, seen)
    assert seen['samples'] == read['samples'] and seen['lost'] == read['lost'], (seen, read)
    assert seen['samples'] and not seen['bad'] and not seen['late'], seen
    return seen, live.out


def a_command(c):
    seen, sums = same(c, '-F 2000 -g fp')
    assert re.search(r'^\d+ \d+ %s;' % CHILD, sums, re.M), sums[:500]
    assert 'asm_exc_page_fault' in sums or 'entry_SYSCALL' in sums or os.geteuid(), sums[:500]
    assert seen['rounds'] > 2, seen


def in_order(c):
    seen, _ = same(c, '-F 2000 -g fp -o -r 20')
    assert seen['inversions'] == 0, seen


def everywhere(c):
    need_root()
    seen, _ = same(c, '-a -F 997 -g fp -o -r 20')
    assert seen['inversions'] == 0, seen


def unwound(c):
    _, sums = same(c, '-F 500 -g dwarf')
    assert ';ld-linux' in sums or ';libc' in sums, sums[:500]
    assert re.search(r'^\d+ \d+ %s(;[^; ]+){4}' % SHELL, sums, re.M), sums[:500]


def forgotten(c):
    """With everything forgotten as often as can be, sums are those of a reader that forgets nothing."""
    seen, _ = same(c, '-F 4000 -g fp -r 20 -S 1')
    assert seen['renewals'] > 3, seen
    seen, _ = same(c, '-F 1000 -g dwarf -r 20 -S 1')
    assert seen['renewals'] > 1, seen


def tasks(c):
    spin = "sh -c 'while :; do :; done' & p=$!; trap 'kill $p' EXIT; "
    for target in ('-p $p', '-t $p'):
        r = c.sh('%s sleep 0.2; %s %s -s 1 -F 500' % (spin, SUMS, target))
        assert told(r)['samples'] > 10, show(r)
        assert set(re.findall(r'^\d+ \d+ ([^;]*);', r.out, re.M)) == {'sh'}, show(r)
    r = c.sh("sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' & %s -p $! -F 500" % SUMS)
    assert told(r)['samples'], show(r)  # it ends with the task


def a_cpu(c):
    need_root()
    r = c.sh('taskset -c 0 %s -C 0 -F 500 %s' % (SUMS, WORK))
    assert told(r)['samples'], show(r)


def losses(c):
    """What the rings could not hold is told as it is in a recording."""
    seen, _ = same(c, '-e page-faults,context-switches,cpu-clock -F 20000 -m 1 -r 5000 -g fp')
    if not seen['lost']:
        raise Skip('nothing was lost')


def stopped(c):
    """perf itself stands still while the machine goes on: what is lost is told, and the order is right."""
    need_root()
    argv = [SUMS, '-a', '-F', '4999', '-g', 'fp', '-m', '4', '-r', '50', '-o', '-T', 'copy.data', './live-bash', '-c',
            'for i in $(seq 400); do ./live-true; done; sleep 2.6']
    with subprocess.Popen(argv, cwd=c.here, env=c.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL) as p:
        time.sleep(0.5)
        for _ in range(2):
            os.kill(p.pid, signal.SIGSTOP)
            time.sleep(1)
            os.kill(p.pid, signal.SIGCONT)
            time.sleep(0.2)
        out, err = (x.decode() for x in p.communicate(timeout=60))
    assert p.returncode == 0 and LAST.search(err), err
    file = c.sh('%s -i copy.data -o' % SUMS)
    must_be_equal(out, file.out, err)
    lost, inversions = int(LAST.search(err)[2]), int(LAST.search(err)[7])
    assert lost == told(file)['lost'] > 0 and not inversions, (err, file.err)


def recorder_stopped(c):
    """The same of perf record."""
    need_root()
    spin = subprocess.Popen(['sh', '-c', 'while :; do :; done'], cwd=c.here, stdin=subprocess.DEVNULL)
    try:
        with subprocess.Popen([c.perf, 'record', '-a', '-F', '4999', '-g', '-m', '4', '-o', 'stopped.data', 'sleep', '1.5'],
                              cwd=c.here, env=c.env, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as p:
            time.sleep(0.5)
            os.kill(p.pid, signal.SIGSTOP)
            time.sleep(1.5)
            os.kill(p.pid, signal.SIGCONT)
            err = p.communicate(timeout=60)[1].decode()
    finally:
        spin.kill()
        spin.wait()
    assert p.returncode == 0 and re.search(r'warning: \d+ of \d+ events were lost', err), err
    times = [float(t) for t in c.sh('%s script -F time -i stopped.data' % c.perf).out.replace(':', ' ').split()]
    assert len(times) > 100 and times == sorted(times), len(times)
    stats = c.sh('%s report --stats -i stopped.data' % c.perf).out
    assert re.search(r'LOST(_SAMPLES)? events: +[1-9]', stats), stats


def storm(c):
    """Tasks that end are forgotten, and so are sums that nobody adds to."""
    need_root()
    r = c.sh("%s -a -D -S 65536 -F 997 -g fp -r 50 "
             "./live-bash -c 'for i in $(seq 1500); do ./live-true; done'" % SUMS)
    seen = told(r)
    threads = [int(n) for n in re.findall(r'(\d+) threads', r.err)]
    assert seen['renewals'] and threads, show(r)
    assert max(threads) < 1200, (threads, seen)


def programs(c):
    """The symbols of programs that are gone are given back."""
    need_root()
    need_program('gcc')
    text = 'int main(void) { for (volatile int i = 0; i < 20000000; i++); return %d; }'
    for i in range(24):
        with open(os.path.join(c.here, 'p%d.c' % i), 'w', encoding='ascii') as f:
            f.write(text % i)
        r = c.sh('gcc -o p%d p%d.c' % (i, i))
        assert not r.status, show(r)
    r = c.sh("%s -a -D -S 1 -F 499 -g fp -r 20 bash -c 'for i in $(seq 0 23); do ./p$i; done; sleep 1.2'" % SUMS, limit=60)
    seen = told(r)
    objects, loaded = max((int(o), int(l)) for o, l in re.findall(r'(\d+) objects, (\d+) with symbols', r.err))
    assert seen['renewals'] and objects > 24 and loaded < objects - 12, show(r)


def ends(c):
    r = c.sh('%s -F 500 ./is-not-there' % SUMS)
    assert r.status == 1 and 'cannot run the workload' in r.err, show(r)
    r = c.sh('%s -F 500 -s 1 sleep 60' % SUMS)
    assert r.status == 0, show(r)
    r = c.sh('timeout -s INT 1 %s -F 500 sleep 60; true' % SUMS)
    assert LAST.search(r.err), show(r)


SCHED = ','.join('sched:sched_' + name for name in ('switch', 'waking', 'wakeup', 'wakeup_new', 'stat_runtime',
                                                    'migrate_task'))


def latency(c):
    """An analyser's machine (src/analyze) on the running machine, and on what was watched."""
    need_root()
    work = "./live-bash -c '%s'" % FORKS
    for options in '-m 512 -r 20', '-m 512 -r 20 -S 1', '-m 1 -r 500':
        live = c.sh('%s -L -a -e %s -c 1 %s -T copy.data %s' % (SUMS, SCHED, options, work), limit=60)
        seen = told(live)
        file = c.sh('%s -L -i copy.data' % SUMS)
        read = told(file)
        assert live.out == file.out, 'live and from the file differ: %s %s\n%s\n%s' % (
            seen, read, live.out[-500:], file.out[-500:])
        assert seen['samples'] == read['samples'] and not seen['late'], (seen, read)
        assert seen['lost'] or re.search(r'^%s:\d+ \d+ \d+' % SHELL, live.out, re.M), live.out
        lost = int(re.search(r'lost (\d+)$', live.out, re.M)[1])
        assert lost == seen['lost'], show(live)


def kernel_part(line):
    return re.sub(r'\b(entry_\w+|asm_\w+);.*', r'\1', line)


def switches(c):
    """An analyser that keeps callchains, which have other numbers each time that something is forgotten."""
    need_root()
    work = "./live-bash -c '%s'" % FORKS
    for option in '', '-I':
        live = c.sh('%s -H %s -a -e %s -c 1 -g fp -m 512 -r 20 -S 1 -T copy.data %s' % (SUMS, option, SCHED, work),
                    limit=60)
        seen = told(live)
        if seen['lost']:
            raise Skip('events were lost')
        file = c.sh('%s -H %s -i copy.data' % (SUMS, option))
        assert seen['renewals'] > 3, seen
        # of equally long and frequent ones, whichever was seen first comes first; files of others may be gone
        assert sorted(map(kernel_part, live.out.splitlines())) == sorted(map(kernel_part, file.out.splitlines())), (
            'live and from the file differ: %s\n%s\n%s' % (seen, live.out[-1500:], file.out[-1500:]))
        # nothing is idle on a busy machine
        assert option or 'schedule;' in live.out, live.out[-1500:]


def wakings(c):
    """Of a stream, too, wake-ups are told once where sched_waking and sched_wakeup tell of them."""
    need_root()
    r = c.sh("%s record -q -a -e %s -c 1 -m 512 -o - bash -c 'for i in $(seq 20); do /bin/true; done' > sched.data" % (
        c.perf, SCHED))
    assert r.status == 0, show(r)
    events = c.sh('%s script -F event -i sched.data' % c.perf).out
    lines = c.sh('%s sched timehist -w -i sched.data' % c.perf).out
    told_of = events.count('sched_waking') + events.count('sched_wakeup_new')
    assert 0 < lines.count('awakened') <= told_of, (lines.count('awakened'), told_of)


def main():
    c = Suite(__doc__)
    for name, program in ((SHELL, 'bash'), (CHILD, 'true')):
        os.symlink(shutil.which(program), os.path.join(c.here, name))
    for name, case in (('a command', a_command), ('in order', in_order), ('everywhere', everywhere),
                       ('callers from copies of stacks', unwound), ('what is forgotten', forgotten),
                       ('tasks', tasks), ('a CPU', a_cpu), ('losses', losses), ('perf is stopped', stopped),
                       ('a recorder is stopped', recorder_stopped), ('programs that come and go', programs),
                       ('a storm of tasks', storm), ('latency of tasks', latency), ('stacks of switches', switches),
                       ('wake-ups in a stream', wakings), ('ends', ends)):
        c.check(name, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
