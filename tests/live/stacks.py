#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Stacks of programs without frame pointers, unwound while recording or recorded as copies and
unwound on reading: they reach the thread's start, through libc, signals and recursion, dlopen, exec
and fork, and are those that the reference finds."""
import collections
import os
import re
import sys

from live_case import Skip, Suite, in_chroot, need_all_pids, need_program, need_root, need_zstd, show

HERE = os.path.dirname(os.path.abspath(__file__))
START = {'thread': r'^(__GI_)?(__)?clone3?$'}
RAW = ',8192,raw'
NO_TABLES = '-fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables'
SEPARATE = ('objcopy --only-keep-debug deep deep.debug && strip deep && '
            'objcopy --add-gnu-debuglink=deep.debug deep')
CLOCK = '-e cpu-clock:u -F 1999 --call-graph dwarf'
# Until the last job is this program.
USED = 'bash %s/stacks/used.sh $! %%d' % HERE  # command: until the last job has used so many ms of CPU time more
RUNS = 'for i in {1..999}; do [ "$(cat /proc/$!/comm)" = %s ] && break; sleep 0.05; done'
# How to record -> command lines that leave a recording in m.data, or in m.data.*
MODES = {
    'compressed': f'perf record -q -z -o m.data {CLOCK} ./deep sort 120',
    'threads': f'perf record -q --threads -a -o m.data {CLOCK} ./deep sort 120',
    # (processes that have ended are forgotten meanwhile, those that run are not; it runs before, since records of its
    # start may be lost on a busy machine)
    'threads-storm': f'./deep sort 90000 & {RUNS % "deep"}; perf record -q --threads -a -m 64K -o m.data {CLOCK} '
                     'sh -c "i=0; while [ \\$i -lt 2500 ]; do (:); i=\\$((i+1)); done"; kill $!',
    'all-cpus': f'perf record -q -a -o m.data {CLOCK} ./deep sort 120',
    'pipe': f'perf record -q -o - {CLOCK} ./deep sort 120 > m.data',
    'per-thread': f'perf record -q --per-thread -o m.data {CLOCK} ./deep sort 120',
    'no-time': f'perf record -q --no-timestamp -o m.data {CLOCK} ./deep sort 120',
    'flight': f'./deep sort 9000 & {RUNS % "deep"}; perf record -q --overwrite -p $! -o m.data {CLOCK} '
              f'{USED % 150}; kill $!',
    'switch': f'./deep sort 9000 & {RUNS % "deep"}; perf record -q --switch-output=20K -p $! -o m.data {CLOCK} '
              f'{USED % 250}; kill $!',
    'terms': 'perf record -q -o m.data -e cpu-clock/call-graph=dwarf,freq=1999/u -e task-clock/freq=99/u '
             './deep sort 120',
    'terms-auto': 'perf record -q -o m.data -e cpu-clock/call-graph=auto,freq=1999/u '
                  '-e task-clock/call-graph=no,freq=99/u ./deep sort 120',
    'group': "perf record -q -o m.data -e '{cpu-clock,page-faults}:Su' -F 1999 --call-graph dwarf "
             './deep sort 120',
    'registers': f'perf record -q --user-regs=sp,ip -o m.data {CLOCK} ./deep sort 120',
    'fork-and-exec': f"perf record -q -o m.data {CLOCK} sh -c './deep sort 60; exec ./deep sort 60'",
    'dlopen': f'perf record -q -o m.data {CLOCK} ./plugin 120',
    'removed': f'cp deep gone; ./gone sort 9000 & {RUNS % "gone"}; rm gone; '
               f'perf record -q -N -p $! -o m.data {CLOCK} {USED % 150}; kill $!',
    'other-mounts': "mkdir -p m; unshare -m sh -c 'mount -t tmpfs t m; cp deep m/inner; "
                    f"exec m/inner sort 9000' & {RUNS % 'inner'}; "
                    f'perf record -q -N -p $! -o m.data {CLOCK} {USED % 150}; kill $!',
}


def build(suite, flags):
    need_program('gcc')
    r = suite.made('gcc %s -pthread -o deep %s/stacks/deep.c' % (flags, HERE))
    assert r.status == 0, show(r)


def record(suite, what, options='', ms=200):
    r = suite.sh('perf record -q -o s.data -e cpu-clock:u -F 1999 --call-graph dwarf%s ./deep %s %d'
                 % (options, what, ms))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])


def stacks(text):
    """The samples' functions, leaf first."""
    found = []
    for line in text.splitlines():
        if line and not line[0].isspace():
            found.append([])
        elif line.strip():
            found[-1].append(line.split()[1].split('+')[0])
    return found


def script(suite, options=''):
    r = suite.sh('perf script -i s.data -F comm,ip,sym,symoff,dso ' + options)
    assert r.status == 0, show(r)
    got = stacks(r.out.replace('# stack cut\n', ''))
    assert len(got) > 50, '%d samples' % len(got)
    return got


def reach_start(suite, what, flags, options='', then='true'):
    build(suite, flags)
    assert suite.sh(then).status == 0
    record(suite, what, options)
    got = script(suite)
    start = START.get(what, '^_start$')
    inside = [s for s in got if 'compare' in s or 'recurse' in s]
    complete = [s for s in inside if re.match(start, s[-1])]
    assert len(inside) > len(got) * 0.8, '%d of %d in the program' % (len(inside), len(got))
    assert len(complete) >= len(inside) * 0.99, '%d of %d reach %s: %s' % (
        len(complete), len(inside), start, [s for s in inside if s not in complete][:2])
    if what == 'signal':
        assert all('on_signal' not in s or '__restore_rt' in s for s in inside), inside[0]
    if what == 'deep':
        assert any(s.count('recurse') == 101 for s in inside), max(inside, key=len)


def as_reference(suite, options):
    if not suite.ref:
        raise Skip('no perf to compare with')
    build(suite, '-O2')
    record(suite, 'sort', options)
    mine = script(suite, '--no-inline')
    r = suite.sh('%s script -i s.data -F comm,ip,sym,symoff,dso --no-inline' % suite.ref)
    theirs = stacks(r.out)
    assert len(mine) == len(theirs), '%d and %d samples' % (len(mine), len(theirs))
    # Theirs may end early.
    equal = sum(m[:len(t)] == t for m, t in zip(mine, theirs))
    assert equal >= len(mine) * 0.98, '%d of %d: %s' % (
        equal, len(mine), [(m, t) for m, t in zip(mine, theirs) if m[:len(t)] != t][:1])


def same_as_raw(suite):
    """At a breakpoint every run has the same stacks, however they are found; how often depends on the
    machine's speed, and some hits may be lost."""
    build(suite, '-O2 -no-pie')
    place = suite.sh("nm deep | sed -n 's/^0*\\(.*\\) t compare$/\\1/p'").out.strip()
    got = []
    for options in ('', RAW):
        r = suite.sh('perf record -q -o s.data -e mem:0x%s:x:u -c 1 --call-graph dwarf%s ./deep signal 6'
                     % (place, options))
        if r.status:
            raise Skip('no breakpoints here: ' + r.err.strip()[:200])
        got.append(collections.Counter(map(tuple, script(suite, '--no-inline'))))
    often = [{stack for stack, nr in g.items() if nr >= 10} for g in got]
    odd = [s for a, b in ((0, 1), (1, 0)) for s in often[a] if s not in got[b]]
    assert min(map(len, often)) >= 3 and not odd, '%s: %s' % ([sum(g.values()) for g in got], odd)


def own_samples(text):
    return [s for s in text.split('\n\n') if re.match('deep|gone|inner|plugin', s)]


def mode(suite, how):
    """Recorded in this way chains reach the start, and the reference shows the same ones."""
    build(suite, '-O2')
    if how == 'dlopen':
        r = suite.made('gcc -O2 -DMAIN -o plugin {0}/plugin.c -ldl && gcc -O2 -fPIC -shared -o plugin.so '
                     '{0}/plugin.c'.format(os.path.join(HERE, 'stacks')))
        assert r.status == 0, show(r)
    if how in ('removed', 'other-mounts'):
        need_root()
    if ' -a ' in MODES[how]:
        need_all_pids()
    if ' -z ' in MODES[how]:
        need_zstd(suite)
    r = suite.sh(MODES[how])
    if not suite.sh('ls -d m.data*').out:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    total = whole_stacks(suite, how)
    assert total > 20, '%d samples: %s' % (total, r.err)


def whole_stacks(suite, how):
    """Asks of each stack that it is whole, and the same for the reference; how many there are."""
    total = 0
    for name in suite.sh('ls -d m.data*').out.split():
        # what is gone has no names, but places
        gone = how in ('removed', 'other-mounts')
        fields = '-F comm,ip --no-inline' if gone else '-F comm,ip,sym,symoff,dso --no-inline'
        ours = suite.sh('perf script -i %s %s' % (name, fields)).out
        inside = own_samples(ours)
        total += len(inside)
        complete = [s for s in inside if (s.count('\n') >= 5 if gone else '_start+' in s)]
        assert len(complete) >= len(inside) * 0.95 - 1, '%d of %d: %s' % (
            len(complete), len(inside), [s for s in inside if s not in complete][:2])
        if suite.ref:
            if ' -a ' in MODES[how] and in_chroot():  # the reference finds no file of a task there
                fields = '-F comm,ip --no-inline'
                ours = suite.sh('perf script -i %s %s' % (name, fields)).out
            theirs = suite.sh('%s script -i %s %s' % (suite.ref, name, fields)).out
            # doc/compatibility.md: names of PLT entries that the reference does not know
            ours, theirs = (re.sub(r'[^ \t]*@plt(?:\+0x[0-9a-f]+)?|\.plt\S*', '[unknown]', t.replace('# stack cut\n', ''))
                            for t in (ours, theirs))
            # (what others on the machine run is theirs: namespaces, packages that are upgraded)
            pairs = [pair for pair in zip(own_samples(ours), own_samples(theirs)) if pair[0] != pair[1]]
            assert not pairs and len(own_samples(theirs)) == len(inside), pairs[:2]
    return total


def beside_copies(suite):
    """One event's stacks are unwound while recording, the other's are kept, the third has none."""
    build(suite, '-O2')
    r = suite.sh('perf record -q -N -o s.data -e cpu-clock/call-graph=dwarf,name=made,freq=1999/u '
                 '-e "task-clock/call-graph=\'dwarf,16384\',raw,name=kept,freq=1999/u" '
                 '-e cpu-clock/call-graph=no,name=none,freq=499/u ./deep sort 120')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    attrs = suite.sh('perf evlist -v -i s.data').out.splitlines()
    assert [('STACK_USER' in a, 'sample_stack_user: 16384' in a) for a in attrs] == [
        (False, False), (True, True), (False, False)], attrs
    text = suite.sh('perf script -i s.data -F event,ip,sym --no-inline').out
    by_event = collections.defaultdict(list)
    for sample in re.split(r'^(?=\S)', text, flags=re.M)[1:]:
        by_event[sample.split(':')[0]].append('_start' in sample)
    for name, least, most in ('made', 0.95, 1), ('kept', 0.95, 1), ('none', 0, 0):
        got = by_event[name]
        assert len(got) > 20 and least <= sum(got) / len(got) <= most, (name, sum(got), len(got))


def jit_frames(suite, options, raw):
    """Code of a JIT compiler without frame pointers is unwound by what the compiler writes meanwhile."""
    need_program('gcc')
    if os.uname().machine != 'x86_64':
        raise Skip('x86-64 code')
    r = suite.made('gcc -O2 -fomit-frame-pointer -o jit %s/stacks/jit.c' % HERE)
    assert r.status == 0, show(r)
    if ' -a' in options:
        need_all_pids()
    # The compiler's file is known by its mapping alone: where the kernel had no room for that record, there are no names.
    for _ in range(3):
        r = suite.sh('rm -f jit-*.dump; perf record -q -N -o s.data -m 4M -e cpu-clock:u -F 1999 '
                     '--call-graph dwarf%s %s ./jit 400' % (raw, options))
        if r.status:
            raise Skip('cannot record here: ' + r.err.strip()[:200])
        if re.search(r'MMAP.*/jit-\d+\.dump$', suite.sh('perf script -i s.data --show-mmap-events -F comm').out, re.M):
            break
    else:
        raise Skip('the record of the mapped jitdump was lost three times')
    r = suite.sh('perf script -i s.data --comm jit -F comm,ip,sym,symoff,dso --no-inline; rm -f jit-*.dump')
    inside = [s for s in stacks(r.out) if s[0] == 'leaf']
    whole = [s for s in inside if s[2:3] == ['main'] and s[-1] == '_start']
    # without times there is no telling which function was at an address
    names = {s[1] for s in whole} if '--no-timestamp' not in options else set(range(99))
    # what was made just before the rings were read may not be in the file yet
    assert len(inside) > 50 and len(whole) >= len(inside) * 0.95, (len(whole), [
        s for s in inside if s not in whole][:3])
    assert len(names) > 20, names
    assert '--no-timestamp' in options or all(re.match(r'made\d\d$', n) for n in names), names


def anon(suite, what, options, innermost='leaf'):
    """Records what anon.c does, which goes on after that; returns the stacks of its innermost function."""
    need_program('gcc')
    if os.uname().machine != 'x86_64':
        raise Skip('x86-64 code')
    r = suite.made('gcc -O2 -fomit-frame-pointer -pthread -o anon %s/stacks/anon.c' % HERE)
    assert r.status == 0, show(r)
    r = suite.sh('./anon %s 20000 & %s; perf record -q -N -p $! -o s.data -m 256K -e cpu-clock:u -F 999 '
                 '--call-graph dwarf%s %s; r=$?; kill $!; exit $r' % (what, RUNS % 'anon', options, USED % 200))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    r = suite.sh('perf script -i s.data --comm anon -F comm,ip,sym,symoff,dso --no-inline')
    got = [s for s in stacks(r.out) if s and s[0] == innermost]
    assert len(got) > 20, len(got)
    return got


def nameless_code(suite, raw):
    """Callers of a JIT compiler's code are proven by its instructions, which a recording does not have."""
    got = anon(suite, 'jit', raw)
    whole = [s for s in got if s[1] == '[unknown]' and s[-1] == '_start' and 'main' in s and
             s[s.index('main') - 1] == 'in_jit']
    if raw:
        whole = [s for s in got if len(s) == 2 or '[guess]' in s[2]]
    assert len(whole) >= 0.95 * len(got), (len(whole), len(got), got[0])


def unused_frame(suite, options):
    """Stacks go on where the kernel did not copy a page that the program has not used."""
    got = anon(suite, 'hole', options)
    assert got[-1][:3] == ['leaf', 'below_hole', 'thread'] and re.match('(__GI_)?(__)?clone3?$', got[-1][-1]), got[-1]


def turns(suite, options, ms=250):
    """Stacks of turns.c: how many there are, how many are cut or whole, and those that never were."""
    need_program('gcc')
    suite.made('gcc -O2 -fomit-frame-pointer -o turns %s/stacks/turns.c' % HERE)
    r = suite.sh('perf record -N -o s.data -e cpu-clock:u -F 999 --call-graph %s ./turns %d' % (options, ms))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    text = suite.sh('perf script -i s.data --comm turns -F comm,ip,sym,symoff,dso --no-inline').out
    cut = text.count('# stack cut')
    got = [s for s in stacks(text.replace('# stack cut\n', '')) if any(f.startswith('leaf_') for f in s)]
    made_up = [s for s in got if not re.match(r'(spin )?leaf_(\d+)( large( caller_\2( main.*)?)?)?$', ' '.join(s))]
    assert len(got) > 100, len(got)
    return len(got), cut, sum(s[-1] == '_start' for s in got), made_up, r.err


def cut_flags(suite):
    """Of each stack of turns.c in the order of time: whether it is cut."""
    text = suite.sh('perf script -i s.data --comm turns -F comm,ip,sym --no-inline').out
    return ['# stack cut' in block for block in text.split('\n\n') if ' leaf_' in block]


def longer_than_copies(suite):
    """What a copy does not hold is not known: no caller is made up."""
    total, cut, _, made_up, _ = turns(suite, 'dwarf,8192')
    assert not made_up and cut > total * 0.9, (total, cut, made_up[:2])
    total, cut, whole, made_up, _ = turns(suite, 'dwarf,16384')
    assert not made_up and whole > total * 0.95, (total, whole, made_up[:2])


def larger_copies(suite, mode, options):
    """Without a size larger copies take over where stacks are longer than theirs; a size that was given stays."""
    total, cut, whole, made_up, told = turns(suite, mode + options, 700)
    assert re.search(r'^call-graph ' + mode + r': switched to copies of 65528 bytes after \d+ samples: \d+ % of stacks were '
                     'longer than theirs$', told, re.M), told
    assert re.search(r'^warning: \d+ of \d+ stacks were cut at 8192 bytes, or later at 65528: --call-graph ' + mode +
                     ',65528 copies more from the start$', told, re.M), told
    assert not made_up and cut + whole > total * 0.95 and whole, (total, cut, whole, made_up[:2])
    # when it notices depends on the machine: first nearly all are cut, then none is
    flags = cut_flags(suite)
    last = len(flags) - flags[::-1].index(True)
    assert cut > 20 and sum(flags[:last]) > last * 0.9 and last < len(flags), (last, sum(flags[:last]), len(flags))
    header = suite.sh('perf report --header-only -i s.data').out
    assert ('call-graph auto : switched to copies of 65528' in header) == (mode == 'auto'), header
    for given in mode + ',8192' + options, mode + options + ' -m 512K':
        total, cut, whole, made_up, told = turns(suite, given)
        assert 'switched' not in told and cut > total * 0.9 and not made_up, (total, cut, told)


def untold_pushes(suite, raw):
    """Assembly whose tables do not know what it pushed: where that leads out of all code the stack ends."""
    for what in 'push', 'push-0':
        got = anon(suite, what, raw, 'pushes')
        made_up = [s for s in got if s[1:] not in (['pushing'], []) and s[1:3] != ['pushing', 'main']]
        assert got and not made_up, (what, len(made_up), len(got), made_up[:2])


def inlined(suite):
    build(suite, '-O2 -g')
    record(suite, 'sort')
    got = script(suite)
    assert any(s[:2] == ['spin', 'compare'] for s in got), got[0]
    assert not any('spin' in s for s in script(suite, '--no-inline'))
    r = suite.sh('perf report --stdio -i s.data --children -g none')
    assert re.search(r'spin \(inlined\)', r.out), r.out
    r = suite.sh('perf report --stdio -i s.data --no-children -s srcline -g caller')
    assert re.search(r'--spin \(inlined\)|  spin \(inlined\)', r.out), r.out[:2000]
    for key in 'srcline', 'address':
        r = suite.sh('perf report --stdio -i s.data --no-children -g caller,' + key)
        assert re.search(r'spin deep\.c:\d+ \(inlined\)', r.out), r.out[:2000]
        assert re.search(r'compare deep\.c:\d+\n', r.out), r.out[:2000]
    r = suite.sh('perf report --stdio -i s.data --children -g none --no-inline')
    assert 'inlined' not in r.out, r.out
    r = suite.sh('perf script -i s.data -F ip,sym,srcline')
    assert re.search(r'spin\n  deep\.c:\d+ \(inlined\)', r.out), r.out[:500]
    assert re.search(r'recurse\n  deep\.c:\d+\n', r.out), r.out[:500]
    r = suite.sh('perf script -i s.data -G -F ip,insn,insnlen')
    known = [line.split() for line in r.out.splitlines() if 'insn:' in line]
    assert (known or os.uname().machine != 'x86_64') and all(int(w[2]) == len(w[4:]) for w in known), r.out[:500]
    r = suite.sh('perf script -i s.data -F ip,sym,srcline --full-source-path')
    assert re.search(r'recurse\n  /.*/deep\.c:\d+\n', r.out), r.out[:500]


def inlined_of_several(suite):
    """What is shown of functions inlined in several processes does not depend on how many threads read."""
    build(suite, '-O2 -g')
    r = suite.sh("perf record -q -o s.data -e cpu-clock:u -F 1999 --call-graph dwarf%s sh -c "
                 "'for i in 1 2 3 4 5 6; do ./deep sort 120 & done; wait'" % RAW)
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    for options in '-v -n --children', '--no-children -g caller,0,address', '--children -g callee,0,address':
        texts = {suite.sh('perf report --stdio -i s.data ' + options, PERF_WORKERS=n).out for n in '12348'}
        assert len(texts) == 1 and '(inlined)' in texts.pop(), options


def instructions(suite):
    """Instructions of a program whose addresses are no offsets in its file."""
    if os.uname().machine != 'x86_64':
        raise Skip('lengths of instructions are told for x86')
    build(suite, '-O2 -g -no-pie')
    record(suite, 'sort')
    r = suite.sh('perf script -i s.data -G -F ip,sym,insn')
    own = [line for line in r.out.splitlines() if re.search(r'compare|recurse|spin', line)]
    assert own and all('insn: ' in line for line in own), show(r)


def source_code(suite):
    """Lines of source below the samples of a thread that came to another line."""
    build(suite, '-O2 -g')
    record(suite, 'sort')
    show_code = 'script -i s.data -G -F tid,ip,srccode'
    r = suite.sh('perf ' + show_code)
    with open(HERE + '/stacks/deep.c') as f:
        code = f.read().split('\n')
    lines = re.findall(r'^\|(\d+) +(.*)$', r.out.replace('\t', ''), re.M)
    assert lines and all(code[int(n) - 1].replace('\t', '') == text for n, text in lines), show(r)
    assert all(a != b for a, b in zip(lines, lines[1:])), show(r)
    if suite.ref:
        theirs = suite.sh('%s %s' % (suite.ref, show_code)).out
        assert r.out == theirs, '%d and %d bytes' % (len(r.out), len(theirs))


def source_rows(suite):
    """Rows by line: those of the functions inlined at a sample, and of every caller's call."""
    build(suite, '-O2 -g')
    record(suite, 'sort')
    r = suite.sh('perf report --stdio -i s.data -q --no-children -g none -s srcline')
    lines = re.findall(r'^ +[0-9.]+%  deep\.c:(\d+)$', r.out.replace(' \n', '\n'), re.M)
    assert len(lines) > 1 and len(lines) == len(set(lines)), show(r)
    r = suite.sh('perf report --stdio -i s.data -q --children -g none -s sym,srcline')
    assert re.search(r'\] main +deep\.c:\d+', r.out), show(r)
    r = suite.sh('perf report --stdio -i s.data -q --no-children -g none -s srcfile')
    assert re.match(r'\s+\d+\.\d+%  deep\.c\s', r.out), show(r)
    # The call graph stays one of functions.
    r = suite.sh('perf report --stdio -i s.data -q --no-children -g caller -s srcline')
    assert 'main' in r.out and not re.search(r'main deep\.c:', r.out), show(r)
    r = suite.sh('perf report --stdio -i s.data -q --no-children -g caller,address -s srcline')
    assert re.search(r'main deep\.c:\d+', r.out), show(r)
    r = suite.sh('perf report --stdio -i s.data -q --no-children -g caller,address'
                 ' -s srcline,srcfile --full-source-path')
    assert re.search(r'main /.*/deep\.c:\d+', r.out), show(r)
    assert re.search(r'%  /.*/deep\.c:\d+ +/.*/deep\.c\s', r.out), show(r)


def module_lines(suite, separate):
    """Lines of a kernel module, made up: addr2line is told the section, perf finds it by the function."""
    need_program('gcc')
    need_program('addr2line')
    r = suite.sh('rm -rf root; gcc -g -O2 -mcmodel=large -fno-pie -ffunction-sections -c -o demo.ko '
                 '%s/stacks/module.c && python3 %s/../tools/make_module_file.py .' % (HERE, HERE))
    if r.status:
        raise Skip('cannot be compiled here: ' + r.err.strip()[:200])
    samples = [line.split() for line in r.out.splitlines()]
    wanted = [suite.sh('addr2line -s -j .text.%s -e demo.ko %s' % (function, offset)).out.split(' ')[0].strip()
              for function, offset in samples]
    options = '-i perf.data --kallsyms kallsyms'
    if separate:
        suite.sh('mkdir -p root/usr/lib/debug/$PWD && mv demo.ko root/usr/lib/debug/$PWD')
        options += ' --symfs root'
    r = suite.sh('perf script %s -F ip,sym,srcline' % options)
    blocks = re.findall(r'^\s*[0-9a-f]{16} .*\n.*', r.out, re.M)
    assert len(blocks) == len(samples) > 10, show(r)
    for want, block in zip(wanted, blocks):
        assert want in block, '%s not in %s' % (want, block)
    r = suite.sh('perf report --stdio %s -q -s srcline' % options)
    assert re.search(r'module\.c:\d+', r.out), show(r)


def cut_short(suite, options):
    build(suite, '-O2')
    record(suite, 'deep', ',1024' + options, 400)  # (the loader's stacks are short)
    r = suite.sh('perf report --stdio -i s.data --no-children --no-inline -g caller')
    told = re.search(r'(\d+) of (\d+) stacks of call graphs that are shown are longer than the 1024 bytes .* '
                     r'--call-graph dwarf,65528', r.err)
    assert told, show(r)
    # each is counted once
    samples = suite.sh('perf script -i s.data -F comm').out.count('\n')
    assert int(told[1]) <= int(told[2]) <= samples, (told[0], samples)
    assert re.search(r'---\[stack cut\]\n', r.out), r.out[:1000]
    r = suite.sh('perf report --stdio -i s.data -g none')
    assert re.search(r'\[unknown\] +\[\.\] \[stack cut\]', r.out), r.out
    r = suite.sh('perf script -i s.data -F ip,sym --no-inline')
    blocks = r.out.strip('\n').split('\n\n')
    cut = [b for b in blocks if b.endswith('\n# stack cut')]
    assert len(cut) > len(blocks) * 0.8, r.out[:1000]
    if suite.ref and not options:
        theirs = suite.sh('%s script -i s.data -F ip,sym --no-inline' % suite.ref).out
        assert r.out.replace('# stack cut\n', '') == theirs, theirs[:1000]


def comes_first(suite):
    """The recorder of copies has a higher priority, the command has not; what nice(1) said stands."""
    if suite.sh('nice -n -15 true').err:
        raise Skip('no higher priority is allowed here')
    usual = 'nice -n %d ' % -os.nice(0)  # of whoever runs the tests
    for nice, options, want in (('', '--call-graph dwarf', '-15 0'), ('', '--call-graph dwarf,1024,raw', '-15 0'),
                                ('nice -n 5', '--call-graph dwarf', '5 5'), ('', '-g', '0 0')):
        # fields 4 and 19: the parent and the nice value
        r = suite.sh(usual + "%s \"$PERF\" record -q -o s.data -e cpu-clock:u %s awk '{ parent = $4; own = $19; "
                     'getline < ("/proc/" parent "/stat"); print $19, own }\' /proc/self/stat' % (nice, options))
        if r.status:
            raise Skip('cannot record here: ' + r.err.strip()[:200])
        assert r.out.strip() == want, (options, r.out)


def told_when_cut(suite):
    build(suite, '-O2')
    r = suite.sh('perf record -o s.data -e cpu-clock:u -F 499 --call-graph dwarf,512 ./deep deep 200')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    assert re.search(r'^warning: \d+ of \d+ stacks were cut at 512 bytes: '
                     r'--call-graph dwarf,65528 copies more$', r.err, re.M), show(r)
    r = suite.sh('perf record -o s.data -e cpu-clock:u -F 499 --call-graph dwarf,65528 ./deep deep 200')
    # (where nobody empties the buffers in time, that is told, too)
    assert 'cut at' not in r.err and 'dwarf,65528' not in r.err, show(r)


def automatic(suite):
    """Copies, which frame pointers continue where they end; only these where all code keeps them."""
    need_program('gcc')
    flags = 'gcc -O1 -fno-omit-frame-pointer -fno-stack-protector %s {}/stacks/frames.c'.format(HERE)
    r = suite.sh('%s && %s' % (flags % '-o frames', flags % '-DBARE -nostdlib -static -o bare'))
    assert r.status == 0, show(r)
    r = suite.sh('perf record -v -N -o s.data -e cpu-clock:u -F 1999 --call-graph auto ./frames 150')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    assert 'call-graph auto: copies of stacks:' in r.err and 'were cut' not in r.err, show(r)
    got = script(suite, '--no-inline')
    deep = [s for s in got if s[0] == 'leaf']
    whole = [s for s in deep if s.count('deep') == 31 and 'main' in s]
    assert len(whole) > len(deep) * 0.95, [s for s in deep if s not in whole][:2]
    r = suite.sh('perf report --header-only -i s.data')
    assert re.search(r'^# stacks : \d+ unwound while recording, of 8192 bytes, .*by frame pointers$',
                     r.out, re.M), r.out
    assert re.search(r'^# call-graph auto : ./frames keeps frame pointers \(100 %', r.out, re.M), r.out
    r = suite.sh('perf record -o s.data -e cpu-clock:u -F 999 --call-graph dwarf,4096 ./frames 150')
    assert 'stacks were cut at 4096 bytes' in r.err, show(r)
    r = suite.sh(f'./bare & {RUNS % "bare"}; perf record -v -N -o s.data -e cpu-clock:u -F 1999 --call-graph auto -p $! '
                 f'{USED % 200}; kill $!')
    assert 'call-graph auto: frame pointers: all code keeps them' in r.err, show(r)
    assert 'sample_stack_user' not in suite.sh('perf evlist -v -i s.data').out
    got = script(suite, '--no-inline')
    assert sum(s.count('deep') >= 30 for s in got) > len(got) * 0.9, got[:2]
    # behind its first function is the number of its arguments; without symbols the file tells where it begins
    for strip in '', 'strip bare; ':
        doctor = suite.sh(strip + 'perf doctor s.data').out
        assert re.search(r"^ok +stacks: (100|9\d)\.\d %", doctor, re.M), doctor
    r = suite.sh('gcc -O2 -fomit-frame-pointer {}/stacks/frames.c -o plain'.format(HERE))
    assert r.status == 0, show(r)
    r = suite.sh(f'./plain 5000 & {RUNS % "plain"}; perf record -v -N -o s.data -e cpu-clock:u -F 999 --call-graph auto -p $! '
                 'sleep 0.1; kill $!')
    # the first object without them decides
    looked = re.findall(r'^call-graph auto: (\S+) (?:has no frame pointers|keeps frame pointers in parts) \(', r.err, re.M)
    assert len(looked) == 1 and 'call-graph auto: copies of stacks: some of the code has no frame pointers' in r.err, show(r)
    r = suite.sh('perf record --no-unwind --call-graph auto true')
    assert r.status and '--call-graph auto' in r.err, show(r)


# What the frame pointers are lost in -> the program, the library with tables or without
LATER = {'library': ('late', ''), 'no-tables': ('late', '--remove-section .eh_frame --remove-section .eh_frame_hdr'),
         'jit': ('late-jit', ''), 'same-object': ('trash', '')}


def build_later(suite, strip='', hidden=False):
    """Programs without a library that keep frame pointers, as far as anybody can see, and code that does not."""
    need_program('gcc')
    need_program('objcopy')
    if os.uname().machine != 'x86_64':
        raise Skip('x86-64 code')
    flags = '-O1 -fno-omit-frame-pointer -fno-stack-protector -nostdlib -static'
    r = suite.made(f'gcc {flags} -o late {HERE}/stacks/late.c && gcc {flags} -DJIT -o late-jit {HERE}/stacks/late.c && '
                   f'gcc {flags} -DBARE -DTRASH -o trash {HERE}/stacks/frames.c && '
                   f'gcc -nostdlib -shared -Wl,-Ttext=0x1000 {"-Wa,--defsym,HIDDEN=1 " if hidden else ""}'
                   f'-o clobber.so {HERE}/stacks/clobber.s && objcopy {strip} clobber.so')
    suite.sh('rm -rf go s.data*')
    assert r.status == 0, show(r)


def record_later(suite, program, options, wanted, meanwhile=('', '')):
    """Records a program that runs, and maps other code when its events are open; goes on until that has been told, and
    a while after that."""
    used = USED.replace('$!', '$p')
    r = suite.sh(f'./{program} & {RUNS % program}; p=$!; "$PERF" record -N -o s.data {options} -p $p sleep 300 2> told '
                 '& r=$!; for i in {1..400}; do ls -l /proc/$r/fd | grep -q perf_event && break; sleep 0.05; done; '
                 f'{used % 100}; {meanwhile[0]} touch go; for i in {{1..2000}}; do grep -q "{wanted}" told && break; '
                 f'kill -0 $r || break; sleep 0.05; done; {meanwhile[1]} {used % 250}; kill $r; wait $r; kill $p; '
                 'cat told >&2')
    if 'Captured' not in r.err:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    return r


# Command lines beside which copies take over from frame pointers as well; CLOCK: the event and its rate.
ALSO_WATCHED = {
    'threads': '--threads CLOCK', 'threads-core': '--threads=core CLOCK', 'compressed': '-z CLOCK',
    'group': "-e '{cpu-clock:u,page-faults:u}' RATE", 'group-values': "-e '{cpu-clock,page-faults}:Su' RATE",
    'group-mixed': "-e '{cpu-clock/call-graph=auto/u,task-clock/call-graph=no/u}' -F 1999",
    'overwrite': '--overwrite CLOCK', 'overwrite-term': '-e cpu-clock/overwrite/u RATE',
    'filter': "CLOCK --filter 'period > 1'",
    'filter-tracepoint': "-e raw_syscalls:sys_enter --filter 'id == 39' -c 50 --call-graph auto,1024",
    'registers': '--user-regs=sp,ip CLOCK', 'per-thread': '--per-thread CLOCK', 'no-time': '--no-timestamp CLOCK',
    'delay': '-D 300 CLOCK', 'user-callchains': '--user-callchains CLOCK', 'switch-output': '--switch-output=1s CLOCK',
    'addresses': '-d --sample-cpu --weight CLOCK', 'term': '-e cpu-clock/call-graph=auto,freq=4999/u',
    'pipe': '-o - CLOCK > s.data',
}


def also_watched(suite, how):
    if '-z ' in ALSO_WATCHED[how]:
        need_zstd(suite)
    build_later(suite)
    options = ALSO_WATCHED[how].replace('CLOCK', '-e cpu-clock:u RATE').replace('RATE', '-F 4999 --call-graph auto')
    # several files begin after the change; the last one may hold a few samples only
    in_turns = how == 'switch-output'
    r = record_later(suite, 'late', options, 'switched', ('', 'sleep 2;' if in_turns else ''))
    assert re.search(r'^call-graph auto: switched to copies of stacks after \d+ samples: \d+ % of chains were broken, '
                     r'most in \S*/clobber\.so$', r.err, re.M), show(r)
    files = sorted(suite.sh('ls -d s.data*').out.split())
    if in_turns:
        assert len(files) > 1, (files, show(r))
        files.pop()
    # what was recorded last
    show_it = f'script -i {files[-1]} -F comm,ip,sym --no-inline'
    got = stacks(suite.sh('perf ' + show_it).out)
    if 'mixed' in how:  # samples without chains are lines by themselves
        got = [[f for f in s if not re.fullmatch('[0-9a-f]{6,}', f)] for s in got]
    inner = 'count' if 'tracepoint' not in how else '__x64_sys_getpid|do_syscall_64|syscall_.*|.*trace.*|x64_sys_call'
    own = [s for s in got if re.match(inner, s[0]) and s[1:]]
    whole = [s for s in own if s[-1] == '_start']
    assert len(whole) > 20 and len(whole) > len(own) * 0.3, (len(whole), len(own), got[-3:], show(r))
    late = [i for i, s in enumerate(got) if s[0] == 'count' and s[-1] != '_start']
    if 'mixed' not in how:
        assert not any(i > len(got) * 0.9 for i in late), (late[-3:], len(got))
    if in_turns:
        assert not late, (late, files)
    elif 'tracepoint' not in how and 'overwrite' not in how and how != 'pipe':
        doctor = suite.sh(f'perf doctor {files[-1]}').out
        assert re.search(r"ok +stacks: (100|9\d)\.\d %.*by copies of stacks, to which --call-graph auto changed",
                         doctor), doctor
    if suite.ref and how != 'threads-core':
        theirs = stacks(suite.sh(f'{suite.ref} {show_it}').out)
        assert [s[0] for s in theirs] == [s[0] for s in got], (len(theirs), len(got))


def watched_control(suite):
    """An event that was disabled meanwhile stays so; enabled again, its stacks are copied, too."""
    build_later(suite)
    say = 'echo %s task-clock:u > ctl; sleep 0.2; '
    suite.sh('rm -f ctl; mkfifo ctl')
    record_later(suite, 'late', '--control fifo:ctl -e cpu-clock:u,task-clock:u -F 999 --call-graph auto', 'switched',
                 (say % 'disable', 'sleep 0.5; ' + say % 'enable'))
    by = collections.defaultdict(collections.Counter)
    text = suite.sh('perf script -i s.data -F comm,event,ip,sym --no-inline').out
    for block in re.split(r'^(?=late)', text, flags=re.M)[1:]:
        found = stacks(block)[0]
        by[block.split()[1].split(':')[0]][(found[0], found[-1])] += 1
    assert by['cpu-clock'][('count', 'clobber')], by  # before the change
    assert by['task-clock'][('framed', '_start')] and by['task-clock'][('count', '_start')] > 20, by
    assert not by['task-clock'][('count', 'clobber')], by


def without_frame(suite, options):
    """Frame pointers miss the caller of a function without a frame; auto puts it in."""
    need_program('gcc')
    if os.uname().machine != 'x86_64':
        raise Skip('x86-64 code')
    r = suite.made('gcc -O1 -fno-omit-frame-pointer -fno-stack-protector -DBARE -DASSEMBLY -nostdlib -static -o bottom '
                   f'{HERE}/stacks/frames.c')
    assert r.status == 0, show(r)
    r = suite.sh(f'rm -rf s.data; ./bottom & {RUNS % "bottom"}; perf record -v -N -o s.data {options} -e cpu-clock:u '
                 f'-F 1999 --call-graph auto -p $! {USED % 200}; kill $!')
    if 'Captured' not in r.err:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    assert 'call-graph auto: frame pointers: all code keeps them' in r.err and 'switched' not in r.err, show(r)
    inside = [s for s in script(suite, '--no-inline') if s[0] == 'bottom']
    whole = [s for s in inside if s[1] == 'leaf' and s.count('deep') == 31]
    assert len(inside) > 50 and len(whole) > len(inside) * 0.97, (len(whole), len(inside), inside[0])
    attr = suite.sh('perf evlist -v -i s.data').out
    assert 'STACK_USER' not in attr and ('REGS_USER' in attr) == ('regs' in options), attr


def go_leaf(suite):
    """Go's stacks end where its runtime begins them; its assembly has no frames."""
    need_program('go')
    with open(suite.here + '/copies.go', 'w') as f:
        f.write('package main\nimport "time"\nvar a, b [1 << 16]byte\n//go:noinline\nfunc copier(n int) {\n'
                'for i := 0; i < n; i++ {\ncopy(a[:], b[:])\n}\n}\nfunc main() {\nt := time.Now()\n'
                'for time.Since(t) < 900*time.Millisecond {\ncopier(100)\n}\n}\n')
    r = suite.sh('GOCACHE=$PWD/cache GOFLAGS=-buildvcs=false CGO_ENABLED=0 go build -o copies copies.go')
    if r.status:
        raise Skip('go does not build here: ' + r.err.strip()[:200])
    r = suite.sh('perf record -v -N -o s.data -e cpu-clock:u -F 1999 --call-graph auto ./copies')
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    assert 'frame pointers: all code keeps them' in r.err and 'switched' not in r.err, show(r)
    inside = [s for s in script(suite, '--no-inline') if s[0] == 'runtime.memmove']
    whole = [s for s in inside if s[1:3] == ['main.copier', 'main.main'] and s[-1].startswith('runtime.goexit')]
    assert len(inside) > 50 and len(whole) > len(inside) * 0.97, (len(whole), len(inside), inside[0])


def switching(suite, what):
    """All code keeps frame pointers, as far as anybody can see, until other code is mapped, or some does not all the
    same: copies take over where there are unwind tables, and go again where there are none."""
    program, strip = LATER[what]
    build_later(suite, strip, what in ('no-tables', 'jit'))
    r = record_later(suite, program, '-e cpu-clock:u -F 4999 --call-graph auto,65528',
                     'switched' if what in ('library', 'same-object') else 'back')
    where = {'jit': r'perf-\d+\.map', 'same-object': 'trash'}.get(what, r'clobber\.so')
    assert re.search(r'^call-graph auto: switched to copies of stacks after \d+ samples: \d+ % of chains were broken, '
                     r'most in \S*/' + where + '$', r.err, re.M), show(r)
    back = re.search(r'^call-graph auto: switched back to frame pointers after \d+ samples: \d+ % of copies', r.err, re.M)
    assert bool(back) == (what in ('no-tables', 'jit')), show(r)
    header = suite.sh('perf report --header-only -i s.data').out
    assert header.count('# call-graph auto : switched') == 1 + bool(back), header
    assert len(suite.sh('perf evlist -i s.data').out.split()) == 1
    doctor = suite.sh('perf doctor s.data').out
    assert 'choice: --call-graph auto: switched' in doctor, doctor
    got = script(suite, '--no-inline')
    if back:
        assert re.search(r'%s: .*; \d+ stacks end in it both ways' % where, header), header
        return
    inner = 'count' if what == 'library' else 'leaf'
    lost = [i for i, s in enumerate(got) if s[0] == inner and s[-1] != '_start']
    whole = [i for i, s in enumerate(got) if s[0] == inner and s[-1] == '_start']
    assert whole and lost and max(lost) < max(whole), (len(lost), len(whole), header)
    late = [i for i in whole if i > max(lost)]
    # from the change on all of them are whole
    assert len(late) > 20, (len(late), len(whole), len(got))
    if suite.ref:
        theirs = suite.sh('%s script -i s.data -F comm,ip,sym,symoff,dso --no-inline' % suite.ref).out
        assert [s[0] for s in stacks(theirs)] == [s[0] for s in got], theirs[:1000]


def moved_text(suite, how):
    """Code that was laid over itself keeps names and tables: recorded from its start, and attached to. The names of
    a perf-PID.map that fills it are stronger, and a setting turns it off."""
    need_program('gcc')
    r = suite.made('gcc -O2 -o moved %s/stacks/moved.c' % HERE)
    assert r.status == 0, show(r)
    name = 'moved-' + how
    attach = f'./moved {how} 60000 & {RUNS % "moved"}; sleep 0.3; perf record -q -B -o {name}.data {CLOCK} -p $! ' \
             f'{USED % 150}; kill $!'
    for command in (f'perf record -q -B -o {name}.data {CLOCK} ./moved {how} 120', attach):
        r = suite.sh(command)
        if not os.path.exists(suite.here + f'/{name}.data'):
            raise Skip('cannot record here: ' + r.err.strip()[:200])
        show_it = f'script -i {name}.data --no-inline -F ip,sym,dso,comm'
        r = suite.sh('perf ' + show_it)
        got = [s for s in stacks(r.out) if s[0] == 'inner']
        whole = [s for s in got if s[1:3] == ['outer', 'main'] and s[-1] == '_start']
        assert len(got) > 20 and len(whole) >= 0.95 * len(got), (command, len(whole), r.out[:1000])
    r = suite.sh(f'PERF_CONFIG=$PWD/c; export PERF_CONFIG; perf config core.moved-text=false && perf {show_it}')
    assert not any(s[0] == 'inner' for s in stacks(r.out)), show(r)
    line = suite.sh(f'perf {show_it},pid --show-mmap-events | grep "//anon\\|memfd" | grep r-xp | head -1').out
    pid, at, size = re.search(r'(\d+)/\d+: \[0x(\w+)\(0x(\w+)\)', line).groups()
    path = '/tmp/perf-%s.map' % pid
    try:
        # (there may be one of a process that had this number before)
        with open(path, 'w') as f:
            f.write('%s %s whole\n' % (at, size))
        r = suite.sh('perf ' + show_it)
        assert any(s[0] == 'whole' for s in stacks(r.out)), show(r)
    finally:
        os.unlink(path)


def main():
    suite, cases = Suite(__doc__), []
    for what in ('sort', 'signal', 'deep', 'thread'):
        cases.append(('reach-start-' + what, reach_start, suite, what, '-O2'))
        cases.append(('reach-start-raw-' + what, reach_start, suite, what, '-O2', RAW))
    cases.append(('same-as-raw', same_as_raw, suite))
    for how in MODES:
        cases.append(('mode-' + how, mode, suite, how))
    cases.append(('reach-start-no-tables', reach_start, suite, 'sort', '-O2 ' + NO_TABLES))
    cases.append(('reach-start-debug-file', reach_start, suite, 'sort', '-O2 -g ' + NO_TABLES, '', SEPARATE))
    cases.append(('reach-start-debug-frame', reach_start, suite, 'sort',
                '-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables'))
    cases.append(('reach-start-static', reach_start, suite, 'signal', '-O2 -static'))
    cases.append(('as-reference', as_reference, suite, ''))
    cases.append(('as-reference-raw', as_reference, suite, RAW))
    cases.append(('inlined', inlined, suite))
    cases.append(('inlined_of_several', inlined_of_several, suite))
    cases.append(('source-rows', source_rows, suite))
    cases.append(('instructions', instructions, suite))
    cases.append(('source-code', source_code, suite))
    cases.append(('module-lines', module_lines, suite, False))
    cases.append(('module-lines-separate', module_lines, suite, True))
    cases.append(('cut-short', cut_short, suite, ''))
    cases.append(('cut-short-raw', cut_short, suite, ',raw'))
    cases.append(('told-when-cut', told_when_cut, suite))
    cases.append(('comes-first', comes_first, suite))
    for name, options, raw in (('', '', ''), ('-monotonic', '-k mono', ''), ('-all', '-a', ''),
                               ('-no-time', '--no-timestamp --per-thread', ''), ('-raw', '', RAW)):
        cases.append(('jit-frames' + name, jit_frames, suite, options, raw))
    cases.append(('nameless-code', nameless_code, suite, ''))
    cases.append(('nameless-code-raw', nameless_code, suite, RAW))
    cases.append(('unused-frame', unused_frame, suite, ',32768'))
    cases.append(('unused-frame-threads', unused_frame, suite, ',32768 --threads'))
    cases.append(('longer-than-copies', longer_than_copies, suite))
    for name, stacks_mode, options in (('', 'dwarf', ''), ('-threads', 'dwarf', ' --threads'), ('-auto', 'auto', ''),
                                       ('-two', 'dwarf', ' -e task-clock:u')):
        cases.append(('larger-copies' + name, larger_copies, suite, stacks_mode, options))
    cases.append(('untold-pushes', untold_pushes, suite, ''))
    cases.append(('untold-pushes-raw', untold_pushes, suite, RAW))
    cases.append(('beside-copies', beside_copies, suite))
    cases.append(('automatic', automatic, suite))
    for name, options in ('', ''), ('-threads', '--threads'), ('-registers', '--user-regs=ax'), ('-flight', '--overwrite'):
        cases.append(('without-frame' + name, without_frame, suite, options))
    cases.append(('go-leaf', go_leaf, suite))
    for what in LATER:
        cases.append(('switching-' + what, switching, suite, what))
    cases += [('watched-' + how, also_watched, suite, how) for how in ALSO_WATCHED]
    cases.append(('watched-control', watched_control, suite))
    for how in ('mremap', 'fixed', 'memfd'):
        cases.append(('moved-text-' + how, moved_text, suite, how))
    # what records the whole machine sees programs of the same name that other cases run
    everything = {'mode-' + how for how in MODES if ' -a ' in MODES[how]} | {'jit-frames-all'}
    suite.check_all([c for c in cases if c[0] not in everything], 3)
    suite.check_all([c for c in cases if c[0] in everything], 1)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
