#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf doctor the other way round: of many kinds of programs and machines, what it says before (doctor -- CMD, doctor -p)
and of the recording that its command line makes. Where it said that nothing is wrong, nearly all stacks must be whole
and have names."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from live_case import Skip, Suite, need_program, need_root, show

HERE = os.path.dirname(os.path.abspath(__file__))
GOOD = 0.95     # of stacks, where nothing is wrong
FEW = 30        # samples: fewer tell nothing
MAIN = 'deep sort 250'

BUSY_C = r"""
#include <string.h>
#include <time.h>
static volatile unsigned long sum;
static long end;
static long now(void) { return clock() / (CLOCKS_PER_SEC / 1000); }
__attribute__((noinline)) static void leaf(void) { for (int i = 0; i < 20000; i++) sum += i; }
__attribute__((noinline)) static int down(int depth)
{
	volatile char room[4000];
	memset((char *)room, depth, sizeof(room));
	if (depth)
		return down(depth - 1) + room[1];
	while (now() < end)
		leaf();
	return room[0];
}
int main(void) { end = now() + 1000; sum += down(DEPTH); return 0; }
"""
BUSY_CC = r"""
#include <algorithm>
#include <ctime>
#include <map>
#include <string>
struct Visitor { virtual void visit(int) = 0; virtual ~Visitor() = default; };
struct Words : Visitor { std::map<std::string, int> all; void visit(int i) override { all[std::to_string(i % 977)]++; } };
__attribute__((noinline)) void walk(Visitor &v) { for (int i = 0; i < 5000; i++) v.visit(i); }
int main() {
	Words w;
	while (clock() < CLOCKS_PER_SEC / 2) walk(w);
	return w.all.empty();
}
"""
BUSY_RS = r"""
use std::collections::HashMap;
#[inline(never)] fn fill(m: &mut HashMap<u64, String>) { for i in 0..2000u64 { m.insert(i * 7 % 1009, i.to_string()); } }
fn main() {
    let mut m = HashMap::new();
    for _ in 0..1500 { fill(&mut m); }
    std::process::exit(if m.is_empty() { 1 } else { 0 });
}
"""
BUSY_GO = r"""
package main

import "sort"

//go:noinline
func work(a []int) { for i := range a { a[i] = i * 7919 % 10007 }; sort.Ints(a) }
func main() { a := make([]int, 5000); for i := 0; i < 1000; i++ { work(a) } }
"""
BUSY_JAVA = r"""
class Busy {
	static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	public static void main(String[] a) {
		long n = 0;
		for (int i = 0; i < 30000; i++) n += fib(20);
		System.exit(n > 0 ? 0 : 1);
	}
}
"""
BUSY_JS = r"""
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
let n = 0;
for (let i = 0; i < 8000; i++) n += fib(20);
"""
BUSY_PY = r"""
import time
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
while time.process_time() < .6: fib(15)
"""
BUSY_SH = 'i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done\n'
FORBID = r"""
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, code };
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 77;
	return execvp(argv[1], argv + 1);
}
"""
NO_TABLES = '-fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions'


def write(suite, name, text):
    with open('%s/%s' % (suite.here, name), 'w', encoding='utf-8') as f:
        f.write(text)


def make(suite, command, skip=False, files=None):
    """Once for all cases."""
    r = suite.made(command + ' 2>&1', files)
    if r.status and skip:
        raise Skip('cannot be built here: ' + r.out.strip()[-150:])
    assert r.status == 0, show(r)


def doctor(suite, words, before=''):
    r = suite.sh('%s doctor --json %s' % (before or 'perf', words))
    assert r.status in (0, 1), show(r)
    return json.loads(r.out)


def wrong(d):
    return ['%s: %s: %s' % (f['check'], f['about'], f['value']) for f in d['findings'] if f['state'] == 'wrong']


def quality(suite):
    """The share of samples whose stack is whole and has names, as perf script shows them."""
    out = suite.sh('perf script -i d.data -F ip,sym --no-inline').out
    stacks = [s for s in out.strip('\n').split('\n\n') if s.strip()]
    bad = [s for s in stacks if '[unknown]' in s or '# stack cut' in s or '[guess]' in s]
    return len(stacks), 1 - len(bad) / max(len(stacks), 1), bad


def compare(suite, before, record=None, deep=False):
    """Record as it was said; the verdicts before and after must agree with the stacks."""
    line = (record or before['record']).replace('perf record', 'perf record -N -o d.data', 1)
    r = suite.sh(line)
    if r.status:
        assert before['wrong'], 'not a word about what record says: ' + show(r)
        return None
    after = doctor(suite, 'd.data')
    m = after['measures']
    stacks, named, bad = quality(suite)
    suite.drop_maps('d.data')
    if m['samples'] < FEW:
        raise Skip('too few samples: %d' % m['samples'])
    told = '\n%s\nbefore: %s\nafter: %s\n%s\n%.1f %% named, worst:\n%s' % (
        line, wrong(before), wrong(after), {k: v for k, v in m.items() if v}, named * 100, (bad or [''])[0])
    if suite.args.verbose:
        print('     %-60s before %d, after %d wrong; %d samples, %.1f %% whole, %.1f %% named' % (
            line[:60], before['wrong'], after['wrong'], stacks, m['stacks-complete'] * 100 / max(m['stacks'], 1), named * 100))
    # what a program starts or compiles, or how deep its stacks are, cannot be seen before
    blind = deep or any(f['check'] in ('wrapper', 'jit-callers') for f in before['findings'])
    for verdict, when in (before, 'before'), (after, 'after'):
        if not verdict['wrong'] and not (blind and when == 'before'):
            assert m['stacks-complete'] >= GOOD * m['stacks'] and named >= GOOD, 'nothing was wrong %s%s' % (when, told)
    if not after['wrong'] and m['stacks']:
        assert m['stacks-truncated'] + m['stacks-guessed'] + m['stacks-cut'] < m['stacks'] * .01, told
    return after


def c_program(suite, flags, compiler='gcc', clean=None):
    """clean: whether it must be said that nothing is wrong."""
    need_program(compiler)
    make(suite, '%s %s -pthread -o deep %s/stacks/deep.c' % (compiler, flags, HERE), '-m32' in flags or compiler != 'gcc')
    before = doctor(suite, '-- ./' + MAIN)
    compare(suite, before)
    if clean is not None:
        assert (before['wrong'] == 0) == clean, before['findings']


def deep_stacks(suite, depth):
    """Stacks of 4 kB a frame: the recommended line must copy enough of them without being told how much."""
    need_program('gcc')
    write(suite, 'busy.c', BUSY_C)
    make(suite, 'gcc -O2 -g -DDEPTH=%d -o busy busy.c' % depth, files={'busy.c': BUSY_C})
    before = doctor(suite, '-- ./busy')
    assert 'dwarf,' not in before['record'], before['record']
    m = compare(suite, before, deep=True)['measures']
    # the first ones are cut, before larger copies take over
    assert m['stacks'] < 500 or m['stacks-complete'] > m['stacks'] * .7, m


def language(suite, name, text, build, command):
    need_program(build.split()[0] if build else command.split()[0])
    write(suite, name, text)
    if build:
        make(suite, build, True, {name: text})
    before = doctor(suite, '-- ' + command)
    compare(suite, before)
    return before


def compiler(suite):
    need_program('clang')
    write(suite, 'busy.cc', BUSY_CC)
    before = doctor(suite, '-- clang++ -fintegrated-cc1 -O2 -c busy.cc -o /dev/null')
    assert 'dwarf,' not in before['record'], before['record']
    compare(suite, before)


def find_deep(pid):
    """The process that runs deep: pid, or a child of it."""
    for _ in range(100):
        for at in [pid] + [int(p) for p in open('/proc/%d/task/%d/children' % (pid, pid), encoding='ascii').read().split()]:
            if open('/proc/%d/comm' % at, encoding='ascii').read() == 'deep\n':
                return at
        time.sleep(.05)
    return None


def process(suite, start, before='', program=None):
    """A process that runs, by -p."""
    need_program('gcc')
    if start:
        need_root()
    make(suite, 'gcc -O2 -g -pthread -o deep %s/stacks/deep.c' % HERE)
    if program:
        r = suite.sh('for f in ./deep $(ldd deep | grep -o "/[^ ]*"); do mkdir -p root/${f%/*}; cp $f root/$f; done')
        assert r.status == 0, show(r)
    p = subprocess.Popen(start + [program or suite.here + '/deep', 'sort', '30000'], cwd=suite.here,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid = None
    try:
        pid = find_deep(p.pid)
        if not pid:
            raise Skip('%s does not start it here' % start[:1])
        d = doctor(suite, '-p %d' % pid, before)
        if before:
            return d
        if start:
            assert any(f['check'] == 'namespaces' for f in d['findings']) or program, d['findings']
        compare(suite, d, d['record'].replace('sleep 10', 'bash %s/stacks/used.sh %d 300' % (HERE, pid)))
    finally:
        if pid and pid != p.pid:
            os.kill(pid, signal.SIGKILL)
        p.kill()
        p.wait()
    return d


def refused_process(suite):
    """A process of root, seen by somebody who may not measure it."""
    need_root()
    need_program('setpriv')
    perf = suite.here + '/perf-copy'
    shutil.copy(suite.perf, perf)
    d = process(suite, [], 'setpriv --reuid 65534 --clear-groups --bounding-set=-all ' + perf)
    assert d['wrong'] and any(f['check'] == 'owner' for f in d['findings']), d


def inside(suite, wrapper):
    """doctor and record, both started by another program."""
    need_program('gcc')
    make(suite, 'gcc -O2 -g -pthread -o deep %s/stacks/deep.c' % HERE)
    if suite.sh(wrapper + ' true').status:
        raise Skip('no ' + wrapper)
    before = doctor(suite, '-- ./' + MAIN, wrapper + ' $PERF')
    compare(suite, before, before['record'].replace('perf record', wrapper + ' $PERF record -N -o d.data', 1))
    return before


def seccomp(suite):
    write(suite, 'forbid.c', FORBID)
    make(suite, 'gcc -O1 -o forbid forbid.c', True, {'forbid.c': FORBID})
    if suite.sh('./forbid /bin/true').status:
        raise Skip('no filters here')
    d = inside(suite, suite.here + '/forbid')
    assert d['wrong'], d


def inside_user_namespace(suite):
    inside(suite, 'unshare -Ur')


def foreign_numbers(suite):
    """In a pid namespace with the /proc of another one, numbers are other processes'."""
    wrapper = 'unshare --pid --fork --kill-child '
    if suite.sh(wrapper + 'true').status:
        raise Skip('no ' + wrapper)
    for words in '-- true', '-p 1':
        r = suite.sh(wrapper + '$PERF doctor ' + words)
        assert r.status == 255 and "/proc is another pid namespace's" in r.err and 'hint: ' in r.err, show(r)
    d = doctor(suite, '', wrapper + '$PERF')
    assert any(f['check'] == 'proc' and f['state'] == 'wrong' for f in d['findings']), d


def main():
    suite = Suite(__doc__)
    # rustc is found by its user's settings
    home = os.path.expanduser('~')
    rust = 'env PATH=%s/.cargo/bin:$PATH RUSTUP_HOME=%s/.rustup rustc' % (home, home)
    go = 'GO111MODULE=off GOCACHE=$PWD/cache GOFLAGS= go build -o busy busy.go'
    java = '-XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit'
    cases = [
        ('C, frame pointers', c_program, '-O1 -g -fno-omit-frame-pointer', 'gcc', True),
        ('C', c_program, '-O2 -g', 'gcc', True),
        ('C, stripped', c_program, '-O2 -s', 'gcc', False),
        ('C, no tables', c_program, '-O2 -g ' + NO_TABLES),
        ('C, no tables, frame pointers', c_program, '-O2 -g -fno-asynchronous-unwind-tables -fno-omit-frame-pointer'),
        ('C, static', c_program, '-O2 -g -static'),
        ('C, static, frame pointers', c_program, '-O2 -g -static -fno-omit-frame-pointer'),
        ('C, 32 bits', c_program, '-O2 -g -m32'),
        ('C, musl', c_program, '-O2 -g', 'musl-gcc'),
        ('C, clang', c_program, '-O2 -g', 'clang', True),
        ('C, deep', deep_stacks, 8),
        ('C++', language, 'busy.cc', BUSY_CC, 'g++ -O2 -g -o busy busy.cc', './busy'),
        ('Rust', language, 'busy.rs', BUSY_RS, rust + ' -O -o busy busy.rs', './busy'),
        ('Go', language, 'busy.go', BUSY_GO, 'env ' + go, './busy'),
        ('node', language, 'busy.js', BUSY_JS, '', 'node busy.js'),
        ('node, told', language, 'busy.js', BUSY_JS, '', 'node --perf-basic-prof --interpreted-frames-native-stack busy.js'),
        ('Java', language, 'Busy.java', BUSY_JAVA, 'javac -J-XX:TieredStopAtLevel=1 Busy.java', 'java -cp . Busy'),
        ('Java, told', language, 'Busy.java', BUSY_JAVA, 'javac -J-XX:TieredStopAtLevel=1 Busy.java', 'java %s -cp . Busy' % java),
        ('Python', language, 'busy.py', BUSY_PY, '', 'python3 busy.py'),
        ('shell script', language, 'busy.sh', BUSY_SH, '', 'sh busy.sh'),
        ('a compiler', compiler),
        ('a process', process, []),
        ('a process with files of its own', process, ['unshare', '-m']),
        ('a process in a chroot', process, ['chroot', 'root'], '', '/deep'),
        ('a process with ids of its own', process, ['unshare', '--pid', '--fork', '--kill-child']),
        ('a pid namespace', inside, 'unshare --pid --fork --kill-child --mount-proc'),
        ('a pid namespace without /proc', foreign_numbers),
        ("another user's process", refused_process),
        ('a user namespace', inside_user_namespace),
        ('system calls are filtered', seccomp),
    ]
    suite.check_all([(c[0], c[1], suite) + c[2:] for c in cases])
    return suite.close()


sys.exit(main())
