#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf annotate on what somebody made to harm: source files that are none, names and lines that are commands of a terminal, code
of random bytes on every architecture, functions and objects whose sizes are lies. Nothing hangs, nothing but text comes out.

    annotate.py --perf BUILD/perf
"""
import argparse
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import make_switch_file  # noqa: E402

LIMIT = 60  # s, for what hangs
EVIL = b'a\x1b]0;t\x07\xc2\x9b31m\r\xe2\x80\xae\x9bz'
PLAIN = re.compile(rb'[\t\n\x20-\x7e]*')
HEADS = '--stdio', '--stdio2', '--json', '--stdio -l -P', '--stdio --asm-raw', '--stdio -M intel', '--stdio2 --asm-raw'
MACHINES = {'x86_64': 62, 'aarch64': 183, 'i686': 3, 'armv7l': 40, 'ppc64': 21, 's390x': 22, 'sparc64': 43, 'mips64': 8, 'riscv64': 243}


class Recording(make_switch_file.Recording):
    """Samples at addresses of a program that is mapped as its only executable segment says."""
    def __init__(self, path, start, offset, arch='x86_64', at=()):
        super().__init__(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None, plain=False, wide=False))
        self.arch, who = arch, (make_switch_file.PID, make_switch_file.PID)
        self.record(1, 2, struct.pack('<IIQQQ', *who, start & ~0xfff, 0x200000000, offset & ~0xfff) + path + b'\0', who, 1)
        for i, ip in enumerate(at or (start,)):
            self.out += struct.pack('<IHHQQIIQIIQ', 9, 2, 8 + 48, 1, ip, *who, 10 + i, make_switch_file.CPU, 0, 1000)

    def string(self, text):
        return super().string(self.arch if text == 'x86_64' else text)


class Bench:
    def __init__(self, perf, folder):
        self.perf, self.folder, self.failed, self.passed = perf, folder, 0, 0
        self.env = dict(os.environ, HOME=folder, PERF_CONFIG='/dev/null', PERF_BUILDID_DIR=folder + '/.debug', LC_ALL='C', TERM='dumb')

    def build(self, source, options=''):
        """A program of one function, hot, from assembly or C (with a # 1 "FILE" line); where that is: address, place in the file."""
        with open(self.folder + '/x' + ('.s' if '.globl' in source else '.c'), 'w', encoding='latin-1') as f:
            f.write(source)
        subprocess.run('cc -g -O1 -nostdlib -static -no-pie -Wl,-e,hot %s -o prog x.%s' % (options, 's' if '.globl' in source else 'c'), shell=True,
                       cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        with open(self.folder + '/prog', 'rb') as f:
            return self.place(f.read())

    @staticmethod
    def place(elf):
        start, = struct.unpack_from('<Q', elf, 24)
        at, = struct.unpack_from('<Q', elf, 32)
        size, nr = struct.unpack_from('<HH', elf, 54)
        for i in range(nr):
            kind, flags, offset, vaddr = struct.unpack_from('<IIQQ', elf, at + i * size)
            if kind == 1 and flags & 1:
                return start, offset + start - vaddr
        raise AssertionError('no code')

    def annotate(self, what, place, options='--stdio', want=(), refuse=(), **more):
        """Runs it; what is wrong is told."""
        with open(self.folder + '/p.data', 'wb') as f:
            f.write(Recording((self.folder + '/prog').encode(), *place, **more).file())
        for head in options if isinstance(options, tuple) else (options,):
            wrong = self.run(head, want, refuse)
            self.failed += bool(wrong)
            self.passed += not wrong
            if wrong:
                print('FAIL %s, %s: %s' % (what, head, wrong))

    def run(self, head, want, refuse):
        try:
            done = subprocess.run([self.perf, 'annotate', '-f', *head.split(), '-i', 'p.data'], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return 'still running after %d s' % LIMIT
        for name, text in (('output', done.stdout), ('errors', done.stderr)):
            text = text.replace('→'.encode(), b'').replace('↓'.encode(), b'').replace('↑'.encode(), b'').replace('←'.encode(), b'')
            if not PLAIN.fullmatch(text):
                return '%s are no plain text: %r' % (name, text[PLAIN.match(text).end() - 40:][:120])
        if done.returncode:
            return 'exit %d: %s' % (done.returncode, done.stderr.decode()[-500:])
        if '--json' in head:
            json.loads(done.stdout)
            return ''
        both = (done.stdout + done.stderr).decode()
        for text in want:
            if text not in both:
                return '%r is not in it: %s' % (text, both[-1500:])
        for text in refuse:
            if text in both:
                return '%r is in it' % text
        return ''


FUNCTION = '# 7 "%s"\nvolatile int v;\nvoid hot(void)\n{\n\tfor (int i = 0; i < 10; i++)\n\t\tv += i;\n}\n'


def sources(bench):
    """Debug information names a file: any path."""
    os.mkfifo(bench.folder + '/fifo')
    os.symlink('/dev/zero', bench.folder + '/zero')
    os.mkdir(bench.folder + '/folder')
    os.symlink('loop', bench.folder + '/loop')
    with open(bench.folder + '/huge', 'wb') as f:
        f.truncate(1 << 40)
    with open(bench.folder + '/long', 'wb') as f:
        f.write(b'x' * (8 << 20) + b'\n' + b'y' * (7 << 20) + b'\n')
    with open(bench.folder + '/evil', 'wb') as f:
        f.write((EVIL + b'\0after\n') * 40)
    for name in ('fifo', 'zero', 'folder', 'loop', 'huge', 'long', 'evil', 'nothing', '../../../../../../proc/kmsg', '/dev/tty', '/proc/self/mem'):
        path = name if name[0] == '/' else bench.folder + '/' + name
        place = bench.build(FUNCTION % path)
        bench.annotate('source file ' + name, place, HEADS, want=('<hot', '\\x1b]0;t') if name == 'evil' else ('<hot',))
    place = bench.build(FUNCTION % (bench.folder + '/' + EVIL.decode('latin-1')).replace('\r', '').replace('\n', ''))
    bench.annotate('evil name of a source file', place, HEADS, want=('<hot',))


def names(bench):
    place = bench.build('.globl hot\n.type hot,@function\nhot:\n call other\n ret\n.size hot,.-hot\n.globl other\n.type other,@function\nother: ret\n.size other,.-other\n')
    for old, new in (b'hot', EVIL), (b'other', b'o' + EVIL + b'x' * 70000):
        subprocess.run([b'objcopy', b'--redefine-sym', old + b'=' + new.replace(b'\r', b''), b'prog'], cwd=bench.folder, check=True)
    bench.annotate('evil names', place, HEADS, want=('call', '\\x1b]0;t'))


def code(bench):
    """Any bytes, as code of any architecture."""
    rng = random.Random(1)
    place = bench.build('.globl hot\n.type hot,@function\nhot:\n.rept 4096\n.byte 0x90\n.endr\n.size hot,.-hot\n')
    with open(bench.folder + '/prog', 'rb') as f:
        good = bytearray(f.read())
    for arch, machine in MACHINES.items():
        for kind in 'random', 'prefixes', 'ones':
            elf = bytearray(good)
            struct.pack_into('<H', elf, 18, machine)
            bytes_ = {'random': lambda: rng.randbytes(4096), 'ones': lambda: b'\xff' * 4096,
                      'prefixes': lambda: bytes(rng.choice(b'\x66\xf0\xf2\xf3\x2e\x48\xc5\xc4\x62\x0f\x8f') for _ in range(4096))}[kind]()
            elf[place[1]:place[1] + 4096] = bytes_
            with open(bench.folder + '/prog', 'wb') as f:
                f.write(elf)
            bench.annotate('%s bytes as %s' % (kind, arch), place, ('--stdio', '--stdio2 --asm-raw', '--json') if arch == 'x86_64' else '--stdio2', arch=arch,
                           at=(place[0], place[0] + 5, place[0] + 4095))


def sizes(bench):
    """A function of 4 GB; one that is larger than its file; one that ends before it begins; an object that was cut."""
    for size, told in ('0x100000000', 'larger than 4 MB'), ('0x7fffffffffffffff', None), ('0xffffffffffffffff', None), ('0', None), ('5000000', 'larger than 4 MB'):
        place = bench.build('.globl hot\n.type hot,@function\nhot:\n nop\n ret\n.size hot,%s\n' % size)
        bench.annotate('a function of %s bytes' % size, place, HEADS, want=(told,) if told else ())
    place = bench.build('.globl hot\n.type hot,@function\nhot:\n.rept 40000\n nop\n.endr\n.size hot,.-hot\n')
    subprocess.run(['objcopy', '--only-keep-debug', 'prog', 'prog.debug'], cwd=bench.folder, check=True)
    subprocess.run(['strip', 'prog'], cwd=bench.folder, check=True)
    with open(bench.folder + '/prog', 'rb') as f:
        whole = f.read()
    debug = bench.folder + '/root/usr/lib/debug' + bench.folder
    os.makedirs(bench.folder + '/root' + bench.folder)
    os.makedirs(debug)
    shutil.copy(bench.folder + '/prog.debug', debug)
    for keep in 0, 64, 4096, place[1] + 100, len(whole):
        with open(bench.folder + '/root' + bench.folder + '/prog', 'wb') as f:
            f.write(whole[:keep])
        code = {'want': ('<hot',)} if keep == len(whole) else {'refuse': ('<hot',)} if keep <= 4096 else {}
        bench.annotate('an object cut to %d bytes' % keep, place, '--stdio --symfs root', **code)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    args = parser.parse_args()
    if not shutil.which('cc') or not shutil.which('objcopy') or os.uname().machine != 'x86_64':
        print('skipped: no compiler for x86-64 with objcopy')
        return 77
    perf = os.path.abspath(args.perf)
    if subprocess.run([perf, 'check', '-q', 'feature', 'libcapstone'], check=False).returncode:
        print('skipped: built without Capstone')
        return 77
    passed = failed = 0
    for case in sources, names, code, sizes:
        with tempfile.TemporaryDirectory(prefix='hostile-') as folder:
            bench = Bench(perf, folder)
            case(bench)
            passed, failed = passed + bench.passed, failed + bench.failed
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
