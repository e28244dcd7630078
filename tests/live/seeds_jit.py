#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The recipes that perf's documents and tutorials print for Node.js, Java, unwinding, trace points of
programs and archives, typed as they are printed (times shortened, PID filled in): each line must end with
exit status 0 and print what the documents say. Tools of others that are not installed (sudo,
stackcollapse-perf.pl, flamegraph.pl) have stand-ins."""
import os
import re
import shutil
import subprocess
import sys
import time

from live_case import Skip, Suite, need_program, need_root, show

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
FIB = """function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const end = Date.now() + 1500;
let s = 0;
while (Date.now() < end) for (let i = 0; i < 22; i++) s += fib(i);
"""
PI = """#include <stdio.h>
#include <stdlib.h>
static volatile double x;
__attribute__((noinline)) static double term(long i) { return (i % 2 ? -4.0 : 4.0) / (2 * i + 1); }
__attribute__((noinline)) static double sum(long n) { double s = 0; for (long i = 0; i < n; i++) s += term(i); return s; }
int main(int argc, char **argv) { (void)argc; x = sum(atol(argv[1]) * 200000); printf("%f\\n", x); return 0; }
"""
SDT = """#include <sys/sdt.h>
int main(void) { for (int i = 0; i < 3; i++) DTRACE_PROBE1(node, gc__start, i); return 0; }
"""
STAND_INS = {
    'sudo': '#!/bin/sh\nexec "$@"\n',
    'flamegraph.pl': '#!/bin/sh\necho "<svg $*>"; cat; echo "</svg>"\n',
    # one line a sample: comm;root;...;leaf 1
    'stackcollapse-perf.pl': r"""#!/usr/bin/awk -f
/^[^ \t]/ { comm = $1; stack = "" }
/^[ \t]+[0-9a-f]+ / { name = $0; sub(/^[ \t]+[0-9a-f]+ /, "", name); sub(/ \([^()]*(\([^()]*\))?[^()]*\)$/, "", name)
  sub(/\+0x[0-9a-f]+$/, "", name); stack = ";" name stack }
/^$/ { if (comm != "") print comm stack " 1"; comm = "" }
""",
}

# (line, patterns that its output must have). PID: the process that is recorded.
NODE_DUMP = [
    ('sudo perf record -k mono -F99 -g node --perf-prof $script', []),
    ('sudo perf inject -j -i perf.data -o perf.data.jitted', []),
    ('sudo perf script --max-stack=1024 -i perf.data.jitted \\\n'
     '   | stackcollapse-perf.pl | flamegraph.pl --colors js > flamegraph.svg', []),
    ('cat flamegraph.svg', [r'^<svg --colors js>', r'^node;.*main;.*;\S*fib \S*fib\.js:1:\d+;.* 1$']),
    ('ls -lh jitted* | head -n 4', [r'^(\S+ +){4}[\d.]+K? .* jitted-\d+-\d+\.so$']),
    ('ls -l jitted* | wc -l', [r'^[1-9]\d\d+$']),
    # and without the second step, here
    ('perf script | stackcollapse-perf.pl', [r'^node;.*main;.*;\S*fib \S*fib\.js:1:\d+;.* 1$']),
]
NODE_MAP = [
    ('perf record -- node --perf-basic-prof --print-code --redirect-code-traces fib.js', []),
    ('perf report --objdump=$HOME/src/chr/v8/tools/objdump-v8', [r'^ +\d+\.\d\d% +node +(perf-\d+\.map|\[JIT\] tid \d+) +\[\.\] \S*fib \S*fib\.js:1']),
    ('perf record -F 99 -g -- node --perf-basic-prof fib.js', []),
    ('perf script | ./stackcollapse-perf.pl > out.perf-folded', []),
    ('cat out.perf-folded', [r'^node;.*main;.*;\S*fib \S*fib\.js:1:\d+;.* 1$']),
    ('grep fib out.perf-folded | ./flamegraph.pl --colors js > node.svg && tail -1 node.svg', [r'</svg>']),
]
UNWOUND = [
    ('perf record -F99 --call-graph=dwarf -o pi.1.data -- ./pi 1000', []),
    ('perf script -i pi.1.data | stackcollapse-perf.pl > pi.1.folded; cat pi.1.folded',
     [r'^pi;_start;__libc_start_main.*;main;sum(;term)? 1$']),
    ('perf record -F99 --call-graph=dwarf -- ./pi 1000', []),
    ('perf report --stdio', [r'\bsum$', r'--_start|---_start|_start$']),
    ('perf record -F 99 -g dwarf ./pi 1000', []),
    ('perf report --stdio -n', [r'\bsum$']),
    ('perf record -F 99 -p PID --call-graph dwarf sleep 10', []),
    ('perf script', [r'^pi +PID ', r'\bsum\+0x', r' _start\+0x']),
    ('perf record -F 99 -a --call-graph dwarf sleep 10', []),
    ('perf script --comm pi', [r'^pi +PID ', r'\bsum\+0x', r' _start\+0x']),
]
TRACE_POINTS = [
    ('perf buildid-cache --add `which node`', []),
    ('perf list | grep sdt_node', [r'sdt_node:gc__start +\[SDT event\]']),
]
# What perf-map-agent's perf-java-record-stack does; the JVM's own jcmd writes the map.
JAVA = [
    ('sudo perf record -F 99 -o perf-PID.data -g -p PID -- sleep 15', []),
    ('jcmd PID Compiler.perfmap', [r'Command executed successfully']),
    ('head -3 /tmp/perf-PID.map', [r'^(0x)?[0-9a-f]+ (0x)?[0-9a-f]+ \S']),
    ('sudo perf script -i perf-PID.data | stackcollapse-perf.pl > out-PID.stacks; cat out-PID.stacks',
     # (what is compiled or inlined by then is up to the JVM)
     [r'^java;.*start_thread;.*;JavaMain;.*;.*Words\.fib.* 1$', r'^Thread-0;.*start_thread;.*Words\.(words|lambda).* 1$']),
    ('flamegraph.pl --color=java --hash < out-PID.stacks > flamegraph-PID.svg && head -1 flamegraph-PID.svg',
     [r'^<svg --color=java']),
    ('sudo perf report -n --stdio -i perf-PID.data', [r' [1-9]\d* +\S+ +(perf-PID\.map|\[JIT\] tid PID) +\[\.\] .*Words\.(fib|words|lambda)']),
    # (whether the JVM's own code keeps frame pointers where samples hit it is no matter of this test)
    ('perf doctor perf-PID.data; [ $? -le 1 ]', [r'stacks']),
]
ARCHIVE = [
    ('perf record -F 99 -g ./pi 1000', []),
    ('perf report --stdio > before', []),
    ('perf archive', [r'tar xvf perf\.data\.tar\.bz2 -C ~/\.debug']),
    ('mv pi gone; rm -rf ~/.debug; mkdir ~/.debug; tar xvf perf.data.tar.bz2 -C ~/.debug', [r'pi/[0-9a-f]{40}/elf']),
    ('perf report --stdio > after; diff before after && cat after', [r'\bsum$']),
    ('mv gone pi', []),
]


def make(suite, name, text, *options):
    need_program('gcc')
    with open('%s/%s.c' % (suite.top, name), 'w', encoding='utf-8') as f:
        f.write(text)
    r = suite.sh('gcc -g -O1 -o %s %s.c %s' % (name, name, ' '.join(options)))
    if r.status:
        raise Skip('cannot make %s: %s' % (name, r.err.splitlines()[0]))


def fill(text, pid):
    return text.replace('PID', str(pid))


def follow(suite, recipe, pid=0):
    for line, wanted in recipe:
        typed = re.sub(r'sleep \d+', 'sleep 1', fill(line, pid)).replace('$script', 'fib.js')
        # (into a pipe record would write a stream)
        r = suite.sh('{ %s\n} > out.txt; s=$?; cat out.txt; exit $s' % typed)
        assert r.status == 0, typed + '\n' + show(r)
        for pattern in wanted:
            assert re.search(fill(pattern, pid), r.out, re.M), '%s\nhas no %s:\n%s' % (typed, pattern, r.out[-3000:])


def beside(suite, command, recipe, seconds=1):
    """A recipe for a process that runs beside it."""
    env = dict(suite.env, PERF=suite.perf)
    child = subprocess.Popen(['bash', '-c', 'exec ' + command], cwd=suite.top, env=env, stdout=subprocess.DEVNULL)
    try:
        time.sleep(seconds)
        follow(suite, recipe, child.pid)
    finally:
        child.kill()
        child.wait()
        for name in '/tmp/perf-%d.map' % child.pid, '/tmp/perf-%d.data' % child.pid:
            if os.path.exists(name):
                os.unlink(name)


def node(suite, recipe):
    need_root()
    need_program('node')
    with open(suite.top + '/fib.js', 'w', encoding='utf-8') as f:
        f.write(FIB)
    try:
        follow(suite, recipe)
    finally:
        for name in os.listdir('/tmp'):
            if re.fullmatch(r'perf-\d+\.map', name):
                with open('/tmp/' + name, errors='replace') as f:
                    ours = suite.top in f.read()
                if ours:
                    os.unlink('/tmp/' + name)


def java(suite):
    need_root()
    for program in 'java', 'javac', 'jcmd':
        need_program(program)
    r = suite.sh('javac -J-XX:TieredStopAtLevel=1 -d . %s/Words.java' % PROGRAMS)
    assert r.status == 0, show(r)
    beside(suite, 'java -XX:+PreserveFramePointer -cp . Words 30000', JAVA, 3)


def unwound(suite):
    make(suite, 'pi', PI)
    beside(suite, './pi 100000', UNWOUND, 0.2)


def trace_points(suite):
    make(suite, 'bin/node', SDT)
    try:
        follow(suite, TRACE_POINTS)
    finally:
        os.unlink(suite.top + '/bin/node')


def archive(suite):
    make(suite, 'pi', PI)
    follow(suite, ARCHIVE)


def main():
    suite = Suite(__doc__)
    folder = suite.top + '/bin'
    os.mkdir(folder)
    os.symlink(suite.perf, folder + '/perf')
    suite.env['PATH'] = folder + ':' + suite.env['PATH']
    for name, text in STAND_INS.items():
        if not shutil.which(name):
            with open(folder + '/' + name, 'w', encoding='utf-8') as f:
                f.write(text)
            os.chmod(folder + '/' + name, 0o755)
        if name.endswith('.pl'):
            os.symlink(shutil.which(name, path=suite.env['PATH']), suite.top + '/' + name)
    suite.check('Node.js with a dump', node, suite, NODE_DUMP)
    suite.check('Node.js with a map', node, suite, NODE_MAP)
    suite.check('Java', java, suite)
    suite.check('unwound stacks', unwound, suite)
    suite.check('trace points of programs', trace_points, suite)
    suite.check('an archive', archive, suite)
    return suite.close()


sys.exit(main())
