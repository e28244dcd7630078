#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf inject on fresh recordings: both programs make copies, both read them, all texts are equal."""
import glob
import os
import re
import sys

from live_case import (ABORTED, Skip, Suite, need_all_pids, need_mount_namespace, need_program, need_root, need_zstd,
                       show)

WORK = 'for i in 1 2 3; do ls -lR /usr/share/doc | sort; done 2>&1'
SCRIPT = """
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
let s = 0;
while (process.cpuUsage().user < 700000) for (let i = 0; i < 22; i++) s += fib(i);
"""

SPIN = """volatile long x;
__attribute__((noinline)) void inner(long n) { for (long i = 0; i < n; i++) x += i; }
__attribute__((noinline)) void outer(long n) { for (int i = 0; i < 10; i++) inner(n / 10); }
int main(void) { outer(200000000L); return 0; }
"""


def record(suite, options, command=None):
    r = suite.sh('perf record -q -o in.data %s -- %s' % (options, command or "sh -c '%s' >/dev/null" % WORK))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])


def need_ref(suite):
    if not suite.ref:
        raise Skip('no perf to compare with')


def run(suite, command):
    r = suite.sh(command)
    assert r.status == 0, show(r)
    return r.out


def copies(suite, options):
    """A copy tells what the original tells, to both programs."""
    need_ref(suite)
    if '-z' in options:
        need_zstd(suite)
    record(suite, '-e cpu-clock -F 999 ' + options)
    run(suite, 'perf inject -b -i in.data -o out.data')
    for reader in 'perf', suite.ref:
        for command in 'script', 'report --stdio', 'evlist -v', 'buildid-list -H':
            args = ' %s -i %%s | grep -vE "^# (captured|\(Tip)"' % command
            a, b = run(suite, reader + args % 'in.data'), run(suite, reader + args % 'out.data')
            assert a == b and a, '%s%s: the copy differs' % (reader, args)
    theirs = run(suite, suite.ref + ' inject -b -i in.data -o ref.data; %s buildid-list -i ref.data' % suite.ref)
    # (perf 6.1 adds the objects whose mappings were recorded with their ids.)
    missing = set(run(suite, 'perf buildid-list -i out.data').split('\n')) - set(theirs.split('\n'))
    assert not missing, missing


def streams(suite):
    """Through pipes, by both programs in any order."""
    need_ref(suite)
    record(suite, '-e cpu-clock -F 999 -g')
    want = run(suite, suite.ref + ' script -i in.data')
    for a, b in ('perf', suite.ref), (suite.ref, 'perf'), ('perf', 'perf'):
        got = run(suite, '%s inject -b -i in.data | %s inject -b | %s script -i -' % (a, b, suite.ref))
        assert got == want, '%s, then %s: differs' % (a, b)


def converted(suite):
    """Stacks that were copied, as callchains: both programs show what we unwind."""
    record(suite, '-e cpu-clock -F 999 --call-graph dwarf,16384,raw')
    run(suite, 'perf inject --convert-callchain -i in.data -o out.data')
    want = run(suite, 'perf script --no-inline -i in.data')
    assert run(suite, 'perf script --no-inline -i out.data') == want
    assert len(want.splitlines()) > 200, want
    if suite.ref:
        plt = re.compile(r'\S+@plt|\.plt\S*')  # named otherwise, see doc/compatibility.md
        got = run(suite, suite.ref + ' script -i out.data')
        rows = [(a, b) for a, b in zip(want.splitlines(), got.splitlines())
                if a != b and not plt.search(a) and not plt.search(b)]
        assert len(want.splitlines()) == len(got.splitlines()) and not rows, rows[:5]


def objects(text):
    return re.sub(r'jitted-\d+(-\d+)?\.so', 'OBJECT', text)


def same_names(a, b):
    """6.1 has other names for entries of procedure linkage tables, or none."""
    lines = a.split('\n'), b.split('\n')
    return len(lines[0]) == len(lines[1]) and all(x == y or '@plt' in x + y for x, y in zip(*lines))


def node(suite):
    """The same functions at the same places as the reference's copy tells."""
    need_ref(suite)
    need_program('node')
    suite.sh('rm -f jit-*.dump jitted-*')
    with open(suite.top + '/work.js', 'w', encoding='utf-8') as f:
        f.write(SCRIPT)
    record(suite, '-e cpu-clock -k mono -F 999 -g', 'node --perf-prof work.js')
    run(suite, suite.ref + ' inject -j -i in.data -o ref.data')
    want = objects(run(suite, suite.ref + ' script -i ref.data'))
    assert re.search(r'fib work.js.*OBJECT', want) or 'fib' in want, 'no function of the script'
    run(suite, 'rm -f jitted-*; perf inject -j -i in.data -o out.data')
    for reader in suite.ref, 'perf':
        assert same_names(objects(run(suite, reader + ' script -i out.data')), want), reader + ': -j differs'
    run(suite, 'rm -f jitted-*; perf inject -j --one-object -i in.data -o one.data')
    fields = ' script -F comm,tid,time,event,sym,symoff,ip -i %s'
    names = [re.sub(r'\n\s+[0-9a-f]+ ', '\n', run(suite, r + fields % f))
             for r in ('perf', suite.ref) for f in ('one.data', 'in.data') if (r, f) != (suite.ref, 'in.data')]
    assert all(same_names(names[0], n) for n in names[1:]), 'one object, or the dump read directly: other names'
    assert run(suite, 'ls jitted-*').count('\n') == 1


def sched_stat(suite):
    """A sleep's time goes to the place where the task went to sleep."""
    need_all_pids()
    record(suite, '-e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -g -c 1',
           "sh -c 'for i in 1 2 3; do sleep 0.02; done'")
    run(suite, 'perf inject -s -i in.data -o out.data')
    fields = ' -F tid,time,period,event --ns -i %s'
    before = run(suite, 'perf script -G' + fields.replace('event', 'event,trace') % 'in.data').splitlines()
    after = run(suite, 'perf script -G' + fields % 'out.data').splitlines()
    want, switched = [], set()
    for line in before:
        tid, rest = line.split(None, 1)
        if 'sched_switch' in line:
            switched.add(tid)
        elif 'process_exit' in line:
            switched.discard(tid)
        else:
            # the time may be told of another task than the one that runs
            tid = re.search(r' pid=(\d+)', rest).group(1)
            if tid in switched:
                want.append([tid] + rest.split()[:2])
    assert want and [line.split()[:3] for line in after] == want, '%s\n%s' % (before, after)
    assert all('sched_switch' in line for line in after)


def foreign_map(suite):
    """A map that somebody else wrote is not believed without -f, and that is said."""
    need_root()
    need_program('node')
    with open(suite.top + '/work.js', 'w', encoding='utf-8') as f:
        f.write(SCRIPT)
    record(suite, '--no-embed-symbols -e cpu-clock -F 999 -g', 'node --perf-basic-prof work.js')
    maps = set(re.findall(r'/tmp/perf-\d+\.map', run(suite, 'perf script -i in.data')))
    assert len(maps) == 1, maps
    name = maps.pop()
    try:
        assert 'fib' in run(suite, 'perf report --stdio -i in.data')
        run(suite, 'chown 65534 ' + name)
        r = suite.sh('perf report --stdio -i in.data')
        assert 'fib' not in r.out and name in r.err and '-f' in r.err, r.err
        assert 'fib' in run(suite, 'perf report -f --stdio -i in.data')
        assert 'fib' in run(suite, 'perf script -f -i in.data')
    finally:
        run(suite, 'rm -f ' + name)


def container(suite):
    """A process with its own /tmp and pids: names are there while it runs, and stay in the file."""
    need_mount_namespace()
    need_program('node')
    with open(suite.top + '/work.js', 'w', encoding='utf-8') as f:
        f.write(SCRIPT.replace('700000', '60000000'))
    inner = 'exec 3<"$0"; mount -t tmpfs none /tmp && cd /tmp && cat <&3 >w.js && exec node --perf-basic-prof w.js'
    r = suite.sh("""
        unshare -pmf --mount-proc bash -c '%s' "$PWD/work.js" & outer=$!
        for i in {1..999}; do
            sleep 0.1
            pid=$(pgrep -P $outer) && grep -qs fib /proc/$pid/root/tmp/perf-*.map && break
        done
        perf record -q -o in.data -e cpu-clock -F 999 -g --embed-symbols -p $pid -- sleep 1; s=$?
        kill -KILL $pid; wait $outer; exit $s""" % inner)
    if r.status:
        raise Skip('cannot record here: ' + show(r))
    assert re.search(r'fib.*w\.js', run(suite, 'perf report --stdio -i in.data')), 'no names'


def embedded(suite):
    """The same text without the programs; the other perf does not mind."""
    need_program('node')
    with open(suite.top + '/work.js', 'w', encoding='utf-8') as f:
        f.write(SCRIPT)
    need = "sh -c 'mkdir -p bin && cp $(command -v ls) bin/ls; for i in 1 2 3 4; do bin/ls -lR /usr/share/doc; done >/dev/null; "
    need += "node --perf-basic-prof work.js'"
    record(suite, '-e cpu-clock -F 999 -g --embed-symbols=lines', need)
    args = [c + ' -i in.data %s 2>/dev/null' for c in
            ('script', 'script -F +srcline', 'report --stdio', 'report --stdio -s srcline,sym')]
    want = [run(suite, 'perf ' + a % '') for a in args]
    assert 'fib' in want[0] and '/bin/ls' in want[0], 'a program is missing'
    theirs = suite.ref and run(suite, suite.ref + ' script -i in.data')
    maps = {m for line in want[0].splitlines() for m in re.findall(r'/tmp/perf-\d+\.map', line)}
    assert len(maps) == 1, maps
    run(suite, 'rm -rf bin; mv %s kept.map' % maps.pop())
    got = [run(suite, 'HOME=/nonexistent; perf ' + a % '--symfs /nonexistent') for a in args]
    for a, g, w in zip(args, got, want):
        assert g == w, a + ': another text without the programs'
    run(suite, 'perf report --header-only -i in.data | grep "^# embedded symbols"')
    assert not theirs or run(suite, suite.ref + ' report --header-only -i in.data')


def one_root():
    """Whether all processes see the same files: else one name means two files, which only their ids tell apart."""
    mine = os.stat('/proc/self/root')
    for root in glob.glob('/proc/[0-9]*/root'):
        try:
            other = os.stat(root)
        except OSError:
            continue
        if (other.st_dev, other.st_ino) != (mine.st_dev, mine.st_ino):
            return False
    return True


def mappings(suite):
    """Records of mappings with build ids: every reader shows the same."""
    need_all_pids()
    for options in '-a -g', '-a -g -d', '--call-graph dwarf,4096,raw':
        if '-a' in options and not one_root():
            print('skip of mappings %s: processes below another root' % options)
            continue
        for _ in range(4):
            record(suite, '--no-buildid-mmap -e cpu-clock -F 499 ' + options)
            # (where nothing is mapped any more, perf 6.1 goes on to an address that there cannot be)
            readers = ['perf'] + ([suite.ref] if suite.ref and 'raw' not in options else [])
            wrong = [inject for inject in ('--mmap2-buildid-all', '-B') if not same_mappings(suite, inject, readers)]
            # of the whole machine: others may replace or remove a program meanwhile, but not each time, and
            # perf 6.1 aborts where a program has a build id that is longer than it should be
            if not wrong or '-a' not in options:
                break
        assert not wrong, '%s: another text after inject %s' % (options, wrong)


def same_mappings(suite, inject, readers):
    """Whether a copy with build ids in its records of mappings reads as the recording does."""
    want = texts(suite, readers, 'in.data')
    run(suite, 'perf inject %s -i in.data -o out.data' % inject)
    lines = run(suite, 'perf script --show-mmap-events -i out.data').splitlines()
    ids = [line for line in lines if 'PERF_RECORD_MMAP2' in line and 'libc.so' in line]
    assert ids and all(re.search(r' <[0-9a-f]{40}>\]:', line) for line in ids), ids[:3]
    if inject == '-B':
        before = run(suite, 'perf script --show-mmap-events -i in.data').count('RECORD_MMAP2')
        after = sum('RECORD_MMAP2' in line for line in lines)
        assert 0 < after < before, (before, after)
    return texts(suite, readers, 'out.data') == want


def texts(suite, readers, path):
    """What each reader shows, up to one that aborts."""
    out = []
    for reader in readers:
        r = suite.sh('%s script -i %s' % (reader, path))
        if r.status in ABORTED and reader != 'perf':
            break
        assert r.status == 0, show(r)
        out.append(r.out)
    return out


def program(suite):
    """Writes its own copy of a program, so that it can go."""
    need_program('gcc')
    with open(suite.top + '/work.c', 'w', encoding='utf-8') as f:
        f.write(SPIN)
    run(suite, 'gcc -g -O1 -fno-omit-frame-pointer -o spin work.c')


def embedded_stream(suite):
    """Names follow the samples; other perfs pass over them."""
    program(suite)
    for options in ['', '-z '][:2 if suite.has('zstd') else 1]:
        run(suite, 'gcc -g -O1 -fno-omit-frame-pointer -o spin work.c; '
            'perf record -q -e cpu-clock -F 999 -g %s--embed-symbols=lines -o - ./spin > s' % options)
        args = 'script', 'script -F +srcline', 'report --stdio --no-children -g none'
        want = [run(suite, 'perf %s -i s' % a) for a in args]
        assert 'inner' in want[0] and 'work.c:2' in want[1], want[1][:2000]
        run(suite, 'rm spin')
        for a, w in zip(args, want):
            for form in 'perf %s -i s', 'cat s | perf %s -i -', 'cat s | perf inject | perf %s -i -', \
                        'cat s | perf inject -b -o f; perf %s -i f':
                assert run(suite, form % a) == w, form % a + ': another text without the program'
        if suite.ref:
            got = run(suite, suite.ref + ' script -G -F comm,time -i - < s 2>&1')
            assert got == run(suite, 'perf script -G -F comm,time -i s'), got[:2000]
            got = run(suite, 'cat s | %s inject -b | perf script -i -' % suite.ref)
            assert got == want[0], "lost in the other perf's copy"
    r = suite.sh('perf record -q -e cpu-clock --embed-symbols -o - sleep 0.1 > /dev/full')
    assert r.status == 255 and 'No space left' in r.err, show(r)


def embedded_rotation(suite):
    """Each file of a rotation has the names of its own addresses."""
    program(suite)
    # until there are enough of them, however few samples the kernel takes in a second
    suite.sh('"$PERF" record -q -m 32K -e cpu-clock -F 9999 -g --embed-symbols --switch-output=64K -o r.data -- '
             'sh -c "while :; do ./spin; done" & p=$!; for i in {1..2000}; do ls r.data.* | sed -n 3p | grep -q . && break; '
             'sleep 0.05; done; kill -INT $p; wait $p')
    files = sorted(run(suite, 'ls r.data.*').split())
    assert len(files) > 2, files
    want = [run(suite, 'perf script -i ' + f) for f in files]
    assert all('inner' in w for w in want[:-1]), files
    run(suite, 'rm spin')
    for f, w in zip(files, want):
        assert run(suite, 'perf script -i ' + f) == w, f
        run(suite, 'perf report --header-only -i %s | grep "^# embedded symbols"' % f)
    run(suite, 'rm r.data.*')
    # until the first of them gives way
    suite.sh('"$PERF" record -q -m 32K -e cpu-clock -F 9999 -g --embed-symbols --switch-output=64K '
             '--switch-max-files=2 -o r.data -- sh -c "while :; do :; done" & p=$!; first=; for i in {1..2000}; do '
             'first=${first:-$(ls r.data.* | head -n 1)}; [ -z "$first" ] || [ -e "$first" ] || break; sleep 0.05; done; '
             'kill -INT $p; wait $p')
    assert len(run(suite, 'ls r.data.*').split()) == 2


def moved(suite):
    """Other addresses for all, the same functions to both programs."""
    record(suite, '-e cpu-clock -F 999 -g')
    run(suite, 'perf inject --aslr -i in.data -o out.data')
    for reader in filter(None, ('perf', suite.ref)):
        a, b = [run(suite, reader + " report --stdio --no-children -g none -s comm,dso,sym -i %s | grep -v '^#' | "
                    r"grep -v '\[unknown\]' | sort" % f) for f in ('in.data', 'out.data')]
        assert a == b and a.strip(), '%s: other functions' % reader
    maps = [set(re.findall(r'\[(0x[0-9a-f]+)\(', run(suite, 'perf script --show-mmap-events -i ' + f)))
            for f in ('in.data', 'out.data')]
    assert maps[0] and not maps[0] & maps[1], maps[0] & maps[1]


def main():
    suite = Suite(__doc__)
    suite.check('a copy of stacks by frame pointers', copies, suite, '-g')
    suite.check('a copy of copied stacks', copies, suite, '--call-graph dwarf,4096,raw')
    suite.check('a copy of a compressed recording', copies, suite, '-g -z')
    suite.check('a copy of a recording with names', copies, suite, '-g --embed-symbols')
    suite.check('streams', streams, suite)
    suite.check('stacks to callchains', converted, suite)
    suite.check('Node.js', node, suite)
    suite.check("somebody else's map", foreign_map, suite)
    suite.check('a container', container, suite)
    suite.check('symbols in the file', embedded, suite)
    suite.check('symbols behind a stream', embedded_stream, suite)
    suite.check('symbols in the files of a rotation', embedded_rotation, suite)
    suite.check('mappings', mappings, suite)
    suite.check('sched_stat', sched_stat, suite)
    suite.check('other addresses', moved, suite)
    return suite.close()


sys.exit(main())
