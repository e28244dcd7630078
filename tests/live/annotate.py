#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf annotate on code that is not in the file of a program: BPF programs, what JIT compilers have in memory or in a
dump, the vdso; on other architectures and other machines' files; and on objects that are not the recorded ones.

    annotate.py --perf BUILD/perf
"""
import argparse
import ctypes
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys

import bpf_load
from live_case import Skip, Suite, need_program, need_root

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools')
sys.path.insert(0, TOOLS)
import make_switch_file  # noqa: E402

# Functions and variables of other objects, by slots of the global offset table.
SLOTS_LIBRARY = """
extern int absent(void) __attribute__((weak));
extern char **environ;
extern int given(int);
int own_data[4];
int own(int x) { return x + own_data[1]; }
int hot(int x) { if (absent) x += absent(); return own(x) + given(x) + own_data[3] + (environ == 0); }
"""
SLOTS_PROGRAM = """
#include <stdlib.h>
int hot(int);
int given(int x) { return x & 1; }
__attribute__((noinline)) int busy(int n) { int i, all = 0; for (i = 0; i < n; i++) all += hot(i) + rand(); return all; }
int main(void) { return busy(30000000) == 5; }
"""
# A loop in memory that was never in a file, with a line in perf-PID.map.
COMPILER = r"""
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	/* mov $0x8000000,%ecx; 1: imul %rdi,%rdi; dec %ecx; jne 1b; ret */
	static const unsigned char code[] = { 0xb9, 0, 0, 0x80, 0, 0x48, 0x0f, 0xaf, 0xff, 0xff, 0xc9, 0x75, 0xf8, 0xc3 };
	unsigned char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;

	memcpy(p, code, sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	fprintf(f, "%lx %lx made_in_memory\n", (long)p, (long)sizeof(code));
	fclose(f);
	puts("ready");
	fflush(stdout);
	while (poll(&(struct pollfd){ .events = POLLIN }, 1, 0) == 0)
		((void (*)(long))p)(3);
	unlink(name);
}
"""
CLOCK = """#include <time.h>
int main(void) { struct timespec t; for (int i = 0; i < 8000000; i++) clock_gettime(CLOCK_MONOTONIC, &t); return 0; }
"""
HOT = """
volatile unsigned long sum;
__attribute__((noinline)) void hot(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum %s i; }
int main(void) { hot(150000000); return 0; }
"""
# samples fall on instructions that are all zero: add %al,(%rax)
ZEROS = """
__attribute__((constructor)) static void first(void)
{
	static char zero;
	hot(10000000);
	for (int i = 0; i < 2000000; i++)
		__asm__ volatile(".skip 64, 0" :: "a"(&zero) : "memory");
}
""" if platform.machine() == 'x86_64' else ''
ALONE = 'void _start(void) { __asm__ volatile("%s"); }\n'


def write(suite, name, text):
    with open(os.path.join(suite.here, name), 'w', encoding='utf-8') as f:
        f.write(text)


def run(suite, command, status=0, **env):
    done = suite.sh(command, **env)
    assert done.status == status, '%s: exit %d\n%s%s' % (command, done.status, done.out[-1500:], done.err[-1500:])
    return done


def need_x86():
    if platform.machine() != 'x86_64':
        raise Skip('the code is of x86-64')


def jit_memory(suite):
    need_x86()
    write(suite, 'compiler.c', COMPILER)
    run(suite, 'cc -O1 -o compiler compiler.c')
    with subprocess.Popen(['./compiler'], cwd=suite.here, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as compiler:
        try:
            assert compiler.stdout.readline() == 'ready\n'
            names = '/tmp/perf-%d.map' % compiler.pid
            with open(names, encoding='ascii') as f:
                kept = f.read()
            run(suite, 'perf record -q -e cpu-clock:u -F 999 -o j.data -p %d -- sleep 1' % compiler.pid)
            done = run(suite, 'perf annotate --stdio -i j.data made_in_memory')
            for line in ('mov    $0x800000,%ecx', 'imul   %rdi,%rdi', 'dec    %ecx', 'jne ', 'ret'):
                assert line in done.out, done.out + done.err
            assert done.err.count('as it is in its memory now') == 1, done.err
            told = json.loads(run(suite, 'perf annotate --json -i j.data made_in_memory').out)
            assert told['functions'][0]['memory_of_process'] == compiler.pid
        finally:
            compiler.communicate('\n')
    try:
        with open(names, 'w', encoding='ascii') as f:
            f.write(kept)
        done = suite.sh('perf annotate --stdio -i j.data made_in_memory')
    finally:
        os.unlink(names)
    assert 'Disassembly' not in done.out and 'process %d, which is not here any more' % compiler.pid in done.err, done.out + done.err


def jitdump(suite):
    need_x86()
    made = os.path.join(TOOLS, 'make_jit_file.py')
    run(suite, 'mkdir j && python3 %s $PWD/j' % made)
    done = run(suite, 'cd j && perf annotate -f --stdio -i perf.data second')
    assert 'Disassembly of section' in done.out and len(re.findall(r'^ +\d+\.\d+ : ', done.out, re.M)) > 3, done.out + done.err
    assert '50.00' in done.out, done.out
    os.unlink(os.path.join(suite.here, 'j/jit-77.dump'))
    done = suite.sh('cd j && perf annotate -f --stdio -i perf.data second')
    assert 'mov' not in done.out and done.err.strip(), done.out


def program_with_a_loop(name):
    """r1 = N; r0 += r1; r1 -= 1; if r1 != 0 goto -3; exit."""
    text = 'for (;;) r0 += r1--;'
    strings = b'\0int\0' + name.encode() + b'\0a.c\0' + text.encode() + b'\0'
    at_name, at_file = 5, 5 + len(name) + 1
    types = struct.pack('<IIII', 1, 1 << 24, 4, 1 << 24 | 32)
    types += struct.pack('<III', 0, 13 << 24, 1) + struct.pack('<III', at_name, 12 << 24, 2)
    raw = struct.pack('<HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings)) + types + strings
    code = b''.join(struct.pack('<BBhi', *i) for i in (
        (0xb7, 0, 0, 0), (0xb7, 1, 0, 200000), (0x0f, 0x10, 0, 0), (0x17, 1, 0, 1), (0x55, 1, -3, 0), (0x95, 0, 0, 0)))
    lines = struct.pack('<IIII', 0, at_file, at_file + 4, 7 << 10) + struct.pack('<IIII', 5, at_file, at_name, 9 << 10)
    keep = [ctypes.create_string_buffer(x, len(x)) for x in (raw, code, b'GPL\0', struct.pack('<II', 0, 3), lines)]
    at = [ctypes.addressof(x) for x in keep]
    btf = bpf_load.bpf(bpf_load.BTF_LOAD, struct.pack('<QQIII', at[0], 0, len(raw), 0, 0))
    attr = struct.pack('<IIQQIIQII16sIIIIQIIQI', bpf_load.SOCKET_FILTER, len(code) // 8, at[1], at[2], 0, 0, 0, 0, 0,
                       name.encode(), 0, 0, btf, 8, at[3], 1, 16, at[4], 2)
    return bpf_load.bpf(bpf_load.PROG_LOAD, attr), btf


def bpf_program(suite):
    need_root()
    need_x86()
    name = 'loop_%d' % os.getpid()
    try:
        fds = program_with_a_loop(name)
    except (OSError, KeyError) as why:
        raise Skip('no BPF program can be loaded: %s' % why) from None
    data = ctypes.create_string_buffer(64)
    attr = struct.pack('<IIIIQQIIIIQQIII', fds[0], 0, 64, 0, ctypes.addressof(data), 0, 400, 0, 0, 0, 0, 0, 0, 0, 0)
    log = open(os.path.join(suite.here, 'log'), 'wb')
    recorder = subprocess.Popen([suite.perf, 'record', '-q', '-e', 'cpu-clock', '-c', '1000000', '-p', str(os.getpid()), '-o', 'b.data', '--',
                                 'sleep', '1000'], cwd=suite.here, env=suite.env, stderr=log)
    try:
        for _ in range(6):
            bpf_load.bpf(10, attr)  # BPF_PROG_TEST_RUN
    except OSError as why:
        raise Skip('no BPF program can be run: %s' % why) from None
    finally:
        recorder.send_signal(2)
        recorder.wait()
        log.close()
        for fd in fds:
            os.close(fd)
    symbol = re.search(r'bpf_prog_[0-9a-f]{16}_' + name, suite.sh('perf report --stdio -s sym -i b.data').out)
    if not symbol:
        raise Skip('no sample fell on the program')
    done = run(suite, 'perf annotate --stdio -i b.data ' + symbol.group())
    for text in ('for (;;) r0 += r1--;', 'add    %rdi,%rax', 'jne ', 'leave'):
        assert text in done.out, done.out + done.err
    assert re.search(r': 7 +for \(;;\)', done.out), done.out
    done = run(suite, 'perf annotate --no-source --stdio -i b.data ' + symbol.group())
    assert 'for (;;)' not in done.out


def vdso(suite):
    write(suite, 'clock.c', CLOCK)
    run(suite, 'cc -O1 -o clock clock.c && perf record -q -e cpu-clock:u -F 999 -o v.data ./clock')
    done = run(suite, "perf annotate --stdio -d '[vdso]' -i v.data")
    assert re.search(r'Disassembly of \[vdso\] for|Disassembly of vdso', done.out), done.out[:2000] + done.err
    assert len(re.findall(r'^ +\d+\.\d+ : ', done.out, re.M)) > 20, done.out


def another_build(suite):
    for name, op in (('one', '+='), ('two', '^=')):
        write(suite, name + '.c', HOT % op)
        run(suite, 'cc -O1 -g -Wl,--build-id -o %s %s.c' % (name, name))
    run(suite, 'cp one prog && perf record -q -B -N -e cpu-clock:u -F 499 --buildid-all -o m.data ./prog && cp two prog')
    done = suite.sh('perf annotate --stdio -i m.data hot; perf annotate --stdio -d prog -i m.data')
    assert ' xor ' not in done.out and 'Disassembly' not in done.out, done.out
    assert 'another object' in done.err or 'build id' in done.err, done.err
    # below --symfs it is there
    run(suite, 'mkdir -p root$PWD && cp one root$PWD/prog')
    done = run(suite, 'perf annotate --stdio --symfs root -i m.data hot')
    assert 'add ' in done.out and 'sum += i' in done.out, done.out + done.err


def debug_file(suite):
    need_program('objcopy')
    write(suite, 'one.c', HOT % '+=')
    run(suite, 'cc -O1 -g -Wl,--build-id -o prog one.c && perf record -q -B -N -e cpu-clock:u -F 499 --buildid-all -o d.data ./prog')
    whole = run(suite, 'perf annotate --stdio -i d.data hot').out
    assert 'sum += i' in whole, whole
    run(suite, 'objcopy --only-keep-debug prog prog.debug && strip prog')
    id_ = re.search(r'Build ID: ([0-9a-f]+)', run(suite, 'readelf -n prog').out).group(1)
    bare = suite.sh('perf annotate --stdio -i d.data hot')
    assert 'sum += i' not in bare.out, bare.out
    # in a root folder's /usr/lib/debug, by build id and by name; in the build-id cache
    for place, env in (('root/usr/lib/debug/.build-id/%s/%s.debug' % (id_[:2], id_[2:]), {}),
                       ('root/usr/lib/debug%s/prog.debug' % suite.here, {}),
                       ('cache/.build-id/%s/%s/debug' % (id_[:2], id_[2:]), {'PERF_BUILDID_DIR': suite.here + '/cache'})):
        run(suite, 'rm -rf root cache; mkdir -p root$PWD "$(dirname %s)" && cp prog root$PWD && cp prog.debug %s' % (place, place))
        done = run(suite, 'perf annotate --stdio %s -i d.data hot' % ('' if env else '--symfs root'), **env)
        assert done.out == whole, '%s:\n%s%s' % (place, done.out, done.err)


class Other(make_switch_file.Recording):
    """A recording of another machine."""
    def __init__(self, arch, path, addresses):
        super().__init__(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None, plain=False, wide=False))
        self.arch = arch
        who = (make_switch_file.PID, make_switch_file.PID)
        self.record(3, 0, struct.pack('<II', *who) + b'prog\0', who, 1)
        self.record(1, 2, struct.pack('<IIQQQ', *who, addresses[0] & ~0xfff, 0x1000, addresses[1]) + path.encode() + b'\0', who, 1)
        for i in range(3):
            self.out += struct.pack('<IHHQQIIQIIQ', 9, 2, 8 + 48, 1, addresses[0], *who, 10 + i, make_switch_file.CPU, 0, 1000)

    def string(self, text):
        return super().string(self.arch if text == 'x86_64' else text)


def other_machine(suite, compiler, arch, code, want):
    need_program(compiler.split()[0])
    write(suite, 'prog.c', ALONE % code)
    done = suite.sh('mkdir -p root/opt && %s -g -nostdlib -static -fno-pic -no-pie -Wl,--build-id -o root/opt/prog prog.c' % compiler)
    if done.status:
        raise Skip('%s: %s' % (compiler, done.err.splitlines()[0]))
    need_program('readelf')
    out = suite.sh('readelf -sW root/opt/prog; readelf -lW root/opt/prog').out
    start = int(re.search(r'([0-9a-f]+) +\d+ FUNC .* _start', out).group(1), 16)
    load = [x for x in re.findall(r'LOAD +0x([0-9a-f]+) 0x([0-9a-f]+) .* R E ', out)]
    offset = next(int(o, 16) + (start & ~0xfff) - (int(v, 16) & ~0xfff) for o, v in load if int(v, 16) <= start) & ~0xfff
    with open(os.path.join(suite.here, 'o.data'), 'wb') as f:
        f.write(Other(arch, '/opt/prog', (start, offset)).file())
    done = run(suite, 'perf annotate -f --stdio --symfs root -i o.data _start')
    for text in want:
        assert re.search(text, done.out), done.out + done.err
    assert '100.00' in done.out, done.out


def by_objdump(suite):
    """The same text by the program itself; what it cannot do is told in a line."""
    need_program('objdump')
    write(suite, 'one.c', HOT % '+=' + ZEROS)
    run(suite, 'cc -O1 -g -o prog one.c && perf record -q -e cpu-clock:u -F 499 -o o.data ./prog')
    for options in ('--stdio', '--stdio2', '--stdio -M intel', '--stdio --asm-raw'):
        own, other = (run(suite, 'perf annotate -i o.data %s %s hot' % (options, how)).out for how in ('', '--objdump=objdump'))
        assert own == other, options + own + other
    if ZEROS:
        own, other = (run(suite, 'perf annotate -i o.data --stdio %s first' % how).out for how in ('', '--objdump=objdump'))
        assert own == other and re.search(r'^ +[1-9][\d.]* +: .*\sadd +%al,\(%rax\)', other, re.M), own + other
    assert 'addq ' in run(suite, 'perf annotate -i o.data --stdio --objdump=objdump -M suffix hot').out
    write(suite, 'config', '[annotate]\n\tobjdump = ./fake\n')
    write(suite, 'fake', '#!/bin/sh\nfor a; do case $a in --start*) at=${a#*=}; esac; done\n'
          'printf "junk\\n %x:\\tesc\\033[31m \\200\\n  2:\\tlow\\n %x:\\tretro\\n" $at $((at + 4)); exec cat >&2\n')
    os.chmod(os.path.join(suite.here, 'fake'), 0o755)
    done = run(suite, 'perf annotate -i o.data --stdio hot', PERF_CONFIG=suite.here + '/config')
    assert 'retro' in done.out and 'low' not in done.out and '\x1b' not in done.out and not done.err, done.out + done.err
    write(suite, 'half', '#!/bin/sh\nfor a; do case $a in --start*) at=${a#*=}; esac; done\nprintf " %x:\\tretro\\n" $at; exit 3\n')
    os.chmod(os.path.join(suite.here, 'half'), 0o755)
    for program, why in (('./nothing', "cannot run './nothing'"), ('false', "'false' printed no instruction (exit status 1)"),
                         ('./half', "'./half' printed instructions, but failed (exit status 3)"),
                         ('./prog', "'./prog' printed no instruction (exit status 0)")):
        done = suite.sh('perf annotate -i o.data --stdio --objdump=%s hot' % program)
        assert why in done.err and 'hot>' not in done.out, done.out + done.err
    done = suite.sh('perf annotate -i o.data -M suffix hot')
    assert done.status == 129 and "'suffix' is not one of att, intel" in done.err, done.err


def slots(suite):
    """Names behind slots: those of objdump, whose names of the object's own symbols are distances from these to the slot."""
    need_program('objdump')
    need_x86()
    write(suite, 'slots.c', SLOTS_LIBRARY)
    write(suite, 'main.c', SLOTS_PROGRAM)
    for how in ('', '-fno-plt'):
        run(suite, 'cc -O2 %s -shared -fPIC -o libslots.so slots.c && cc -O2 -fno-builtin %s -o slots main.c -L. -lslots -Wl,-rpath,$PWD'
                   % (how, how))
        run(suite, 'perf record -q -e cpu-clock:u -F 1999 -o s.data ./slots')
        for view in ('--stdio', '--stdio2'):
            for function in ('busy', 'hot'):
                own, other = (run(suite, 'perf annotate -i s.data %s %s %s' % (view, by, function)).out for by in ('', '--objdump=objdump'))
                other = re.sub(r'(@@Base)[+-]0x[0-9a-f]+', r'\1', other)
                assert own == other, '%s %s\n%s\n%s' % (how, view, own, other)
                if view == '--stdio' and how:
                    for name in ('hot@Base>', r'rand@GLIBC_[\d.]+>') if function == 'busy' else ('absent@Base>', 'own@@Base>', 'given@Base>'):
                        assert re.search(r'call +\*.*# [0-9a-f]+ <' + name, own), own
                if function == 'hot' and view == '--stdio':
                    assert re.search(r'<environ@GLIBC_[\d.]+>', own), own


def empty_events(suite):
    """A column for an event without samples, or none."""
    write(suite, 'one.c', HOT % '+=')
    run(suite, "cc -O1 -g -o prog one.c && perf record -q -e cpu-clock:u,dummy:u,task-clock:u -F 499 -o e.data ./prog")
    whole = run(suite, 'perf annotate -i e.data --group --stdio hot').out
    assert 'dummy:u' in whole and re.search(r'^ +[1-9][\d.]+ +0\.00 +[1-9][\d.]+ :', whole, re.M), whole
    done = run(suite, 'perf annotate -i e.data --group --skip-empty --stdio hot').out
    assert 'dummy' not in done and 'cpu-clock:u, task-clock:u' in done and re.search(r'^ +[1-9][\d.]+ +[1-9][\d.]+ :', done, re.M), done
    assert len(json.loads(run(suite, 'perf annotate -i e.data --group --skip-empty --json hot').out)['functions'][0]['events']) == 2


def main():
    suite = Suite(__doc__.split('\n')[0])
    if not suite.has('libcapstone'):
        print('skipped: built without Capstone')
        return 77
    suite.check_all([
        ('code that a process has in memory', jit_memory, suite),
        ('code in a jitdump', jitdump, suite),
        ('a BPF program', bpf_program, suite),
        ('the vdso', vdso, suite),
        ('another build of the program', another_build, suite),
        ('debug information in a file of its own', debug_file, suite),
        ('objdump', by_objdump, suite),
        ('slots of the global offset table', slots, suite),
        ('events without samples', empty_events, suite),
        ('aarch64', other_machine, suite, 'aarch64-linux-gnu-gcc', 'aarch64', 'mov x1, #7; 1: subs x1, x1, #1; b.ne 1b; ldp x2, x3, [sp]',
         [r'subs\s+x1, x1, #', r'b\.ne\s+4[0-9a-f]+ <_start\+', r'ldp\s+x2, x3, \[sp\]', r'ret']),
        ('i386', other_machine, suite, 'gcc -m32', 'i686', 'inc %eax; 1: pusha; popa; loop 1b; mov %eax, %fs:4',
         [r'inc +%eax', r'pusha', r'loop +[0-9a-f]+ <_start\+', r'mov +%eax,%fs:0x4']),
        ('32-bit Arm', other_machine, suite, 'arm-linux-gnueabihf-gcc', 'armv7l', 'mov r1, #7', [r'mov\s+r1, #7']),
    ])
    return suite.close()


if __name__ == '__main__':
    shutil.which('cc') or sys.exit(print('skipped: no compiler') or 77)
    sys.exit(main())
