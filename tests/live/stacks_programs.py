#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stacks of programs as they are: C and C++ without frame pointers, Rust, Go, Node.js, Java, 32 bits,
stripped with separate debug information, in namespaces. `perf doctor` judges how many are whole and
named, and libdw unwinds the same copies, where it is there (tests/tools/libdw_stacks.c)."""
import glob
import json
import os
import re
import sys

from live_case import Skip, Suite, need_mount_namespace, need_program, need_root, show

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = HERE + '/programs'
DEEP = HERE + '/stacks/deep.c'
# the newest one that knows -X perf
PYTHON = max(glob.glob('/usr/bin/python3.1[2-9]') + glob.glob(os.path.expanduser(
    '~/.pyenv/versions/3.1[2-9].*/bin/python3')), default='')
SAMPLED = '-F 499 -e cpu-clock:u'
COMPILED = f'g++ -g -O2 -fomit-frame-pointer -pthread -o p {PROGRAMS}/templates.cpp'
# Name -> (what builds it, or that and what is done to it then, its command line, options, program that the building needs, share of whole
# stacks, share of frames that are libdw's)
CASES = {
    'c': (f'gcc -O2 -fomit-frame-pointer -pthread -o p {DEEP}', './p sort 400', '', 'gcc', 1, .995),
    'c-signal': (f'gcc -O2 -fomit-frame-pointer -pthread -o p {DEEP}', './p signal 400', '', 'gcc', 1, .995),
    'c-fixed-address': (f'gcc -O2 -no-pie -fomit-frame-pointer -pthread -o p {DEEP}', './p deep 400', '',
                        'gcc', 1, .995),
    'c++': ((COMPILED, 'objcopy --strip-debug p'), './p 600', '', 'g++', .99, .995),
    'rust': (f'rustc -O -o p {PROGRAMS}/shapes.rs', './p 1500', '', 'rustc', .99, .995),
    # a goroutine's stack ends where the runtime or the vdso goes on with another one
    'go': (f'HOME=. GOCACHE=$PWD/cache go build -o p {PROGRAMS}/goroutines.go && rm -r cache', './p 1500', '',
           'go', .97, .99),
    # by the table of its runtime, which libdw does not read
    'go-stripped': (f'HOME=. GOCACHE=$PWD/cache go build -ldflags "-s -w" -o p {PROGRAMS}/goroutines.go && rm -r cache',
                    './p 1500', '', 'go', .97, 0),
    # code of a JIT compiler is unwound by frame pointers, and ...
    'node': ('true', f'node --perf-basic-prof --interpreted-frames-native-stack {PROGRAMS}/words.js 900', '',
             'node', .88, .995),
    # ... by what the compiler wrote, which libdw does not read
    'node-jitdump': ('true', f'node --perf-prof --interpreted-frames-native-stack {PROGRAMS}/words.js 900',
                     '-k mono', 'node', .88, 0),
    'java': (f'javac -J-XX:TieredStopAtLevel=1 -d . {PROGRAMS}/Words.java', 'java -XX:+PreserveFramePointer '
             '-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -cp . Words 3000', '', 'javac', .6, .995),
    # ... or by the instructions of CPython's trampolines, which libdw does not know
    'python': ('true', f'{PYTHON} -X perf {PROGRAMS}/words.py 1', '', PYTHON or 'python3.12', .97, 0),
    # assembly in libc that pushes without telling
    # musl has no unwind tables: stacks end where it calls main or a thread's function, and what has no name
    # there could be qsort() as well
    'musl': (f'musl-gcc -O2 -fomit-frame-pointer -pthread -o p {PROGRAMS}/plain.c', './p 1500', '', 'musl-gcc',
             .2, 0),
    'musl-static': (f'musl-gcc -static -O2 -fomit-frame-pointer -pthread -o p {PROGRAMS}/plain.c', './p 1500', '',
                    'musl-gcc', .98, 0),
    '32-bit': (f'gcc -m32 -O2 -fomit-frame-pointer -pthread -o p {DEEP}', './p sort 400', '', 'gcc', .97,
               .99),
    '32-bit-signal': (f'gcc -m32 -O2 -fomit-frame-pointer -pthread -o p {DEEP}', './p signal 400', '', 'gcc',
                      .97, .99),
    'separate-debug': ((COMPILED, 'objcopy --only-keep-debug p p.debug && strip p && '
                        'objcopy --add-gnu-debuglink=p.debug p'), './p 600', '', 'g++', .99, .995),
}


# Code of a JIT compiler is read while recording. Of copies that are unwound later it cannot be: there it is a guess.
UNPROVEN_RAW = ('java', 'python', 'node', 'node-jitdump')


def build(suite, name):
    """Once for all ways to record it: compilers take most of this test's time."""
    command, run, options, needs, whole, equal = CASES[name]
    if suite.sh('command -v ' + needs, PATH=path()).status:
        raise Skip("no program '%s'" % needs)
    # rustc is found by its user's settings
    command, then = (command, 'true') if isinstance(command, str) else command
    r = suite.made(command, PATH=path(), RUSTUP_HOME=os.path.expanduser('~/.rustup'))
    r = r if r.status else suite.sh(then)
    if r.status:
        raise Skip('cannot be built here: ' + r.err.strip()[:200])
    return run, options, whole, equal


def path():
    return '/usr/local/bin:/usr/bin:/bin:' + os.path.expanduser('~/.cargo/bin')


def record(suite, options, run):
    r = suite.sh('perf record -q %s %s -o m.data %s' % (SAMPLED, options, run))
    if 'cannot open' in r.err or not suite.sh('ls m.data').out:
        raise Skip('cannot record here: ' + r.err.strip()[:200])


def judge(suite, whole):
    r = suite.sh('perf doctor --json m.data')
    verdict = json.loads(r.out)
    m = verdict['measures']
    assert m['stacks'] >= 20, show(r)
    assert m['stacks-complete'] >= m['stacks'] * whole - 2, r.out
    # Libraries may be stripped: libstdc++, libc of 32 bits, Debian's libnode ("N % of samples are in it").
    stripped = sum(float(f['value'].split()[0]) for f in verdict['findings']
                   if f['check'] == 'unresolved' and 'it is stripped' in (f['means'] or ''))
    assert m['samples-unresolved'] <= m['samples'] * (.05 + stripped / 100) + 1, r.out
    return m


def program(suite, name, kind):
    run, options, whole, equal = build(suite, name)
    record(suite, options + ' --call-graph dwarf,65528' + kind, run)
    try:
        judge_program(suite, name, kind, whole, equal)
    finally:
        suite.drop_maps('m.data')


def judge_program(suite, name, kind, whole, equal):
    if kind and name in UNPROVEN_RAW:
        verdict = json.loads(suite.sh('perf doctor --json m.data').out)
        m = verdict['measures']
        assert m['stacks'] >= 20 and (verdict['wrong'] or m['stacks-complete'] >= m['stacks'] * .97), verdict
        return
    judge(suite, whole)
    if name.startswith('node'):
        assert re.search(r'fib.*words\.js', suite.sh('perf script -i m.data -F ip,sym').out), 'no names of a script'
    if kind and equal:
        same_as_libdw(suite, equal)
    if name.startswith('musl'):
        r = suite.sh('perf script -i m.data -F ip,sym,dso')
        stacks = [s.splitlines() for s in r.out.split('\n\n') if ' leaf' in s]
        ends = [s for s in stacks if re.search(r' (main|work) \(', s[-2]) and len(s) > 8]
        assert len(ends) >= len(stacks) * .98 > 30, [s for s in stacks if s not in ends][:3]
    if name.startswith('32-bit'):
        r = suite.sh('perf script -i m.data -F comm,ip,sym,dso --no-inline')
        assert name != '32-bit-signal' or '__kernel_sigreturn ([vdso32])' in r.out, r.out[:2000]
        if suite.ref and not kind:
            # the reference has no names for that vdso
            show_places = 'script -i m.data -F comm,ip,dso --no-inline'
            r = suite.sh('perf ' + show_places)
            theirs = suite.sh('%s %s' % (suite.ref, show_places)).out
            assert r.out == theirs, [pair for pair in zip(r.out.splitlines(), theirs.splitlines())
                                     if pair[0] != pair[1]][:2]


def same_as_libdw(suite, share):
    if not suite.args.libdw:
        return
    r = suite.sh("%s m.data" % os.path.abspath(suite.args.libdw))
    assert r.status == 0, show(r)
    frames, equal = (int(word) for word in r.out.split()[:2])
    assert frames > 300 and equal >= frames * share, r.out[:2000]


def go_callers(suite, options):
    """A stripped Go program prints its own callers: those of every sample, with lines and inlined calls."""
    need_program('go')
    r = suite.sh(f'HOME=. GOCACHE=$PWD/cache go build -ldflags "-s -w" -o p {PROGRAMS}/callers.go', PATH=path())
    if r.status:
        raise Skip('cannot be built here: ' + r.err.strip()[:200])
    r = suite.sh('perf record -q %s %s -o m.data ./p 10000 > callers' % (SAMPLED, options))
    if 'cannot open' in r.err:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    want = open(suite.here + '/callers', encoding='utf-8').read().splitlines()
    assert want[0].startswith('main.inner ') and want[1].startswith('main.middle '), want
    text = suite.sh('perf script -i m.data -F ip,sym,srcline').out
    stacks = []
    for stack in text.strip().split('\n\n'):
        words = [line.split() for line in stack.strip().splitlines()]
        # "address function [(inlined)]" and, below, its place
        stacks.append([(w[1], place[0]) for w, place in zip(words[::2], words[1::2])])
    of_loop = [s for s in stacks if any(name == 'main.hot' for name, _ in s)]
    copies = [s for s in stacks if s and s[0][0] == 'runtime.memmove']
    assert len(of_loop) > 50, (len(stacks), text[:1000])
    callers = [[' '.join(f) for f in s[[name for name, _ in s].index('main.hot') + 1:]] for s in of_loop]
    if 'dwarf' not in options:
        # chains of frame pointers have the places that calls return to
        callers = [[f.split()[0] for f in c] for c in callers]
        want = ['main.outer', 'main.main', 'runtime.main', 'runtime.goexit']
    other = [c for c in callers if c != want]
    assert len(other) <= len(callers) * .02, (want, other[:2])
    # assembly without a frame of its own: its caller is not lost, as it is with frame pointers
    if 'dwarf' in options:
        assert len(copies) > 20 and all(s[1][0] == 'main.hot' for s in copies), (len(copies), text[:1000])


def in_namespaces(suite, how):
    """The program's file is below another root, or the process has another number in there."""
    need_mount_namespace()
    need_program('gcc')
    r = suite.sh(f'gcc -O2 -static -fomit-frame-pointer -pthread -o p {DEEP} && mkdir -p root/bin && '
                 'mv p root/bin')
    assert r.status == 0, show(r)
    starts = {'mounts': "unshare -m sh -c 'mount -t tmpfs t root/bin/.. && mkdir -p root/bin && "
                        "cp keep/p root/bin/p && exec root/bin/p sort 20000'",
              'pids': 'unshare -pf --mount-proc root/bin/p sort 20000',
              'chroot': 'chroot root /bin/p sort 20000'}
    suite.sh('mkdir keep; cp root/bin/p keep')
    # the job or its child, as soon as it is the program
    r = suite.sh('%s & for i in {1..999}; do for pid in $! $(pgrep -P $!); do '
                 '[ "$(cat /proc/$pid/comm)" = p ] && break 2; done; sleep 0.05; done; '
                 'for s in 1 3 9 27; do perf record -q %s --call-graph dwarf -p $pid -o m.data sleep $s; '
                 '[ $(perf script -G -F ip -i m.data | wc -l) -gt 40 ] && break; done; '
                 'perf script -i m.data -F comm,ip,sym > text; perf doctor --json m.data > verdict; '
                 'kill -KILL $pid; wait' % (starts[how], SAMPLED))
    text = open(suite.here + '/text', encoding='utf-8').read()
    assert re.search(r'\bcompare\b', text) and re.search(r'\bmain\b', text), show(r) + text[:500]
    m = json.loads(open(suite.here + '/verdict', encoding='utf-8').read())['measures']
    assert m['stacks-complete'] == m['stacks'] > 20, m


def ended_in_namespaces(suite, options):
    """What is recorded has its files below another root, and has ended before anybody asks for them."""
    need_root()
    need_mount_namespace()
    need_program('gcc')
    r = suite.sh(f'gcc -O2 -static -fomit-frame-pointer -Wl,--build-id -pthread -o p {DEEP} && mkdir -p root/bin && '
                 'mv p root/bin && perf record -q %s %s -o m.data unshare -mpf chroot root /bin/p sort 400 && '
                 'mv root elsewhere' % (SAMPLED, options))
    if 'cannot open' in r.err or not suite.sh('ls m.data').out:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    text = suite.sh('perf script -i m.data --comm p -F ip,sym').out
    got = [s for s in text.strip().split('\n\n') if re.search(r'\bcompare\b', s)]
    whole = [s for s in got if re.search(r'\bmain\b.*\b_start\b', s, re.S)]
    assert len(got) > 20 and len(whole) > len(got) * 0.9, (len(whole), len(got), text[:500])


def short_in_roots(suite, options):
    """Two that end soon, with other files of one name below their roots; nothing is left of those."""
    need_root()
    need_program('gcc')
    r = suite.sh('for i in a b; do mkdir -p $i/bin && gcc -O2 -static -fomit-frame-pointer '
                 f'-Wl,--build-id=0x$i$(printf %%039d) -pthread -Dcompare=compare_$i -o $i/bin/p {DEEP} || exit; done; '
                 "perf record -q %s %s -o m.data sh -c 'chroot a /bin/p sort 100 & chroot b /bin/p sort 100 & wait' && "
                 'rm -rf a b' % (SAMPLED, options))
    if 'cannot open' in r.err or not suite.sh('ls m.data').out:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    text = suite.sh('perf script -i m.data --comm p -F ip,sym').out
    got = text.strip().split('\n\n')
    for name in 'compare_a', 'compare_b':
        assert len([s for s in got if re.search(r'\b%s\b' % name, s)]) > 10, show(r) + text[:500]
    named = [s for s in got if '[unknown]' not in s.split('\n')[0]]
    assert len(named) > len(got) * 0.8, (len(named), len(got), text[:500])
    ids = suite.sh('perf buildid-list -i m.data | grep /bin/p').out.split('\n')
    assert len(set(ids)) == 3, ids


def main():
    suite = Suite(__doc__)
    cases = [(name + more, program, suite, name, kind) for name in CASES for more, kind in (('', ''), ('-raw', ',raw'))]
    cases += [('namespace-' + how, in_namespaces, suite, how) for how in ('mounts', 'pids', 'chroot')]
    cases += [('namespace-ended' + more, ended_in_namespaces, suite, options) for more, options in
              (('', '--call-graph dwarf'), ('-raw', '--call-graph dwarf,8192,raw'),
               ('-threads', '--call-graph auto --threads'))]
    cases += [('short-in-roots' + more, short_in_roots, suite, options) for more, options in
              (('', '--call-graph dwarf'), ('-fp', '-g'), ('-threads', '-g --threads'))]
    cases += [('go-callers-' + name, go_callers, suite, options) for name, options in
              (('dwarf', '--call-graph dwarf'), ('raw', '--call-graph dwarf,8192,raw'), ('fp', '-g'),
               ('auto', '--call-graph auto'))]
    suite.check_all(cases)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
