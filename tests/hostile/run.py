#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Broken perf.data files through every reader: no crash, no hang, no unbounded memory, few words, no endless output.

    run.py --perf BUILD/perf [--count N] [--seed N] [--keep DIR] DIR...

Every file of DIR/malformed and N seeded mutations of the good files in DIR go through the
commands below; N/3 of the files as directories (as record --threads and --kcore make them), and N/3
mutations of an archive are unpacked.  Best run with an ASan+UBSan build (its reports count as
crashes).  HOSTILE_COUNT in the environment overrides N.  A failing input is kept in --keep, with its
command line.
"""
import argparse
import bz2
import errno
import io
import os
import random
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor

from made import is_sanitized

BRANCHES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'branches')
COMMANDS = [
    'report --stdio --branch-history --symfs ' + BRANCHES,
    'report --stdio --no-children --stitch-lbr -g callee,address,branch', 'script --stitch-lbr',
    'script -F ip,sym,srcline,brstackinsnlen --symfs ' + BRANCHES,
    'report --stdio --total-cycles', 'report --stdio', 'report --stdio --no-children -g caller', 'report -D', 'report --header-only -I',
    'report --stdio --latency -s comm,sym,parallelism', 'report --stdio --parallelism 1-2 -F latency,comm,dso',
    'report --stdio --sort pid,cpu,sym,dso -g folded', 'report --wall --stdio -s tid,state,waker,sym', 'report --wall --folded --time 10%-90%', 'report --stats', 'report --tasks', 'report --json -n --guessed-callers', 'report --json -H -s {comm,dso},sym,time',
    'report --mmaps', 'script', 'script -D', 'stat report -A', 'script --show-task-events --show-mmap-events',
    'script -F comm,tid,time,event,ip,sym,symoff,dso,period', 'evlist -v', 'evlist --trace-fields',
    'buildid-list', 'buildid-list -H', 'inject', 'inject -b -j', 'inject --buildid-all', 'inject --convert-callchain', 'inject --aslr',
    'inject -o FILE', 'inject -b -o FILE', 'inject -s', 'inject --mmap2-buildid-all', 'inject -B', 'inject --itrace=i',
    'inject --embed-symbols -o FILE', 'archive', 'archive --all',
    'diff -f -p', 'diff --json -s pid,sym -c ratio', 'sched latency -H --json', 'sched timehist -MVwn --state', 'sched timehist -SI -x,', 'sched map --compact',
    'kwork report -S', 'kwork timehist', 'kwork latency --json', 'kwork top',
    'kmem stat --caller --alloc --json', 'kmem --page stat --caller --alloc', 'lock contention -v', 'lock contention -l -S a', 'lock report -c',
    'lock info -t -m --json', 'lock report -t --json',
    'timechart -o FILE', 'timechart --json -n 99', 'timechart -I --json -p 10', 'timechart -t --highlight 1000 -o FILE',
    'kvm stat report -k time', 'kvm stat report --event mmio --json',
    'trace', 'trace -s --errno-summary --print-sample', 'trace --libtraceevent_print --max-stack 3 --show-cpu',
]
UNPACK = 'archive --unpack'
CPU_LIMIT = 20      # seconds
HANGS = 300         # seconds of waiting: a busy machine may take its time
MEMORY_LIMIT = 512 << 20
ERROR_LINES = 24
# What is written is at most so many times what was read, and a little; text is larger, and there is more of it.
WRITTEN, PRINTED, ANYWAY = 16, 200, 4 << 20
UNPACKED = 1000     # bytes of records of a byte of compressed ones
INPUT_LIMIT = 450000
INTERESTING = [0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
               0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 1 << 40]


def record_offsets(data):
    """Where records start, for mutations that hit structure rather than payload."""
    start, end = 16 if data[:8] in (b'PERFILE2', b'2ELIFREP') else 0, len(data)
    if len(data) >= 104 and data[:8] in (b'PERFILE2', b'2ELIFREP'):
        head = '<' if data[:8] == b'PERFILE2' else '>'
        if struct.unpack_from(head + 'Q', data, 8)[0] >= 104:
            start, size = struct.unpack_from(head + 'QQ', data, 40)
            end = min(len(data), start + size)
    out = []
    while start + 8 <= end and len(out) < 20000:
        out.append(start)
        size = struct.unpack_from('<H', data, start + 6)[0]
        if size < 8:
            break
        start += size
    return out or [0]


def mutate(data, rng):
    """One to six changes of random kinds; the same generator state gives the same file."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 7)):
        if len(data) < 16:
            break
        records = record_offsets(bytes(data))
        kind = rng.randrange(10)
        where = rng.randrange(len(data))
        if kind == 0:
            data[where] ^= 1 << rng.randrange(8)
        elif kind == 1:     # a field of the file header
            at = rng.randrange(0, min(104, len(data) - 8), 8)
            struct.pack_into('<Q', data, at, rng.choice(INTERESTING))
        elif kind == 2:     # type or size of a record
            at = rng.choice(records)
            if at + 8 <= len(data):
                struct.pack_into('<I', data, at, rng.choice([0, 1, 3, 9, 10, 64, 66, 67, 70, 80, 81, 255,
                                                             rng.randrange(90)]))
        elif kind == 3:
            at = rng.choice(records)
            if at + 8 <= len(data):
                struct.pack_into('<H', data, at + 6, rng.choice([0, 4, 8, 9, 16, 0x7fff, 0xffff,
                                                                 rng.randrange(1 << 16)]))
        elif kind == 4:     # a word near the start of a record
            at = rng.choice(records) + 8 * rng.randrange(1, 8)
            if at + 8 <= len(data):
                struct.pack_into('<Q', data, at, rng.choice(INTERESTING))
        elif kind == 5:
            del data[rng.randrange(16, len(data)):]
        elif kind == 6:
            size = rng.randrange(1, 200)
            del data[where:where + size]
        elif kind == 7:
            other = rng.randrange(len(data))
            data[where:where] = data[other:other + rng.randrange(1, 400)]
        elif kind == 8:     # the attribute section and the feature table behind the data
            at = rng.randrange(max(0, len(data) - 4000), len(data))
            if at + 8 <= len(data):
                struct.pack_into('<Q', data, at & ~7 if at + 8 <= len(data) else at,
                                 rng.choice(INTERESTING))
        else:
            for _ in range(rng.randrange(1, 30)):
                data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


SAMPLE = 9
FEAT_DIR_FORMAT = 24
KALLSYMS = b''.join(b'%016x %c %s\n' % (0xffffffff81000000 + 64 * i, b'TtDrW'[i % 5], name) for i, name in enumerate(
    [b'_text', b'_stext', b'startup_64'] + [b'function_%d' % i for i in range(200)] + [b'inner\t[module]', b'_etext']))


def as_directory(data):
    """{name: content} of the directory that has what a file has, its samples in two members; None for other forms.
    Layout: doc/format/perf.data.md"""
    if data[:8] != b'PERFILE2' or len(data) < 104 or struct.unpack_from('<Q', data, 8)[0] != 104:
        return None
    start, size = struct.unpack_from('<QQ', data, 40)
    bits = int.from_bytes(data[72:104], 'little')
    offsets = record_offsets(data)
    if start < 104 or start + size > len(data) or offsets[0] != start or bits >> FEAT_DIR_FORMAT & 1:
        return None
    parts, turn = [b'', b'', b''], 0  # what is no sample, and the two members
    for at in offsets:
        kind, _, length = struct.unpack_from('<IHH', data, at)
        record = data[at:min(at + length, start + size)]
        turn = (turn + 1) % 2
        parts[1 + turn if kind == SAMPLE else 0] += record
    head, rest = bytearray(data[:start]), data[start + size:]
    table = [struct.unpack_from('<QQ', rest, 16 * i) for i in range(bin(bits).count('1')) if 16 * i + 16 <= len(rest)]
    moved = len(parts[0]) - size + 16
    table = [(offset + moved, length) for offset, length in table]
    table.insert(bin(bits & ((1 << FEAT_DIR_FORMAT) - 1)).count('1'), (len(data) + moved, 8))
    struct.pack_into('<Q', head, 48, len(parts[0]))
    head[72:104] = (bits | 1 << FEAT_DIR_FORMAT).to_bytes(32, 'little')
    tail = b''.join(struct.pack('<QQ', *entry) for entry in table) + rest[16 * (len(table) - 1):] + struct.pack('<Q', 1)
    return {'data': bytes(head) + parts[0] + tail, 'data.0': parts[1], 'data.1': parts[2],
            'kcore_dir/kallsyms': KALLSYMS, 'kcore_dir/modules': b'module 16384 0 - Live 0xffffffffc0000000\n'}


def mutate_directory(files, rng):
    """The directory with one to three of its files changed, missing, empty or of another kind (None: a folder)."""
    files = dict(files)
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(sorted(files))
        kind = rng.randrange(8)
        if kind == 0 and name != 'data':
            del files[name]
        elif kind == 1:
            files[name] = b''
        elif kind == 2 and name != 'data':
            files[name] = None
        elif kind == 3:
            files['data.%d' % rng.randrange(2, 5)] = files[name]
        elif files[name]:
            files[name] = mutate(files[name], rng)
    return files


def archive_mutant(rng):
    """A mutation of what perf archive writes."""
    out = io.BytesIO()
    ident = '0123456789abcdef0123456789abcdef01234567'
    with tarfile.open(fileobj=out, mode='w') as tar:
        for name, content in (('usr/bin/a/%s/elf' % ident, b'\x7fELF' + bytes(2000)), ('perf.data', b'PERFILE2' + bytes(200)),
                              ('[kernel.kallsyms]/%s/kallsyms' % ident, KALLSYMS)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        info = tarfile.TarInfo('.build-id/%s/%s' % (ident[:2], ident[2:]))
        info.type, info.linkname = tarfile.SYMTYPE, '../../usr/bin/a/' + ident
        tar.addfile(info)
    data = bytearray(out.getvalue())
    for _ in range(rng.randrange(1, 5)):
        if rng.randrange(3):  # a header; its sum is made right again below
            at = 512 * rng.choice([0, 5, 6, 8]) + rng.randrange(512)
            data[at] = rng.choice([0, 0x2e, 0x2f, 0x37, 0x80, 0xff, rng.randrange(256)])
            block = at - at % 512
            data[block + 148:block + 156] = b' ' * 8
            data[block + 148:block + 156] = b'%06o\0 ' % sum(data[block:block + 512])
        else:
            data[rng.randrange(len(data))] = rng.randrange(256)
    packed = bytearray(bz2.compress(bytes(data)))
    if rng.randrange(4) == 0:
        packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
    return bytes(packed[:rng.randrange(len(packed))] if rng.randrange(8) == 0 else packed)


def most(command, path):
    """Bytes that the command may write of this recording."""
    files = [path] if os.path.isfile(path) else [os.path.join(d, n) for d, _, names in os.walk(path) for n in names]
    times = WRITTEN if command.split()[0] in ('inject', 'archive') else PRINTED
    packed = any('compressed' in f for f in files) and UNPACKED or 1
    return times * packed * sum(os.path.getsize(f) for f in files) + ANYWAY


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 2))


def write_input(path, data):
    """A file, or a directory of {name: content}; returns what is to be removed."""
    for name, content in data.items() if isinstance(data, dict) else ((None, data),):
        where = os.path.join(path, name) if name else path
        os.makedirs(os.path.dirname(where) if content is not None else where, exist_ok=True)
        if content is not None:
            with open(where, 'wb') as f:
                f.write(content)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def unpack(perf, path, env):
    """archive --unpack: what went wrong, or what it wrote outside of where it may."""
    top = tempfile.mkdtemp(prefix='archive-', dir=os.path.dirname(path))
    inner = os.path.join(top, 'cache')
    work = os.path.join(top, 'work')
    os.makedirs(work)
    try:
        problem = run_one(perf, UNPACK, path, dict(env, PERF_BUILDID_DIR=inner), cwd=work)
        for folder, names in (top, {'cache', 'work'}), (work, {'perf.data'}):
            left = set(os.listdir(folder)) - names
            problem = problem or left and 'wrote %s' % sorted(left)
        links = [os.path.join(f, n) for f, d, names in os.walk(inner) for n in d + names if os.path.islink(os.path.join(f, n))]
        away = [x for x in links if not os.path.realpath(x).startswith(os.path.realpath(inner))]
        return problem or away and 'made a link out of the cache: %s' % away or None
    finally:
        shutil.rmtree(top, ignore_errors=True)


def pack(perf, command, path, env):
    """archive: it writes beside the recording, and where it is called."""
    with tempfile.TemporaryDirectory(prefix='pack-', dir=os.path.dirname(path)) as top:
        problem = run_one(perf, command, path, env, cwd=top)
    if os.path.exists(path + '.tar.bz2'):
        os.unlink(path + '.tar.bz2')
    return problem


def inputs_of(command, path):
    """How the command is told what to read."""
    return {'archive': [path], 'diff': [path, path]}.get(command.split()[0], ['-i', path])


def run_one(perf, command, path, env, cwd=None):
    """Returns None or what went wrong."""
    argv = [perf] + shlex.split(command) + inputs_of(command, path)
    limit = most(command, path)
    with tempfile.NamedTemporaryFile(prefix='out-', dir=os.path.dirname(path)) as out:
        argv = [out.name if word == 'FILE' else word for word in argv]

        def begin():
            limits()
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                 env=env, cwd=cwd or os.path.dirname(path), preexec_fn=begin)
        try:
            errors = child.communicate(timeout=HANGS)[1].decode('utf-8', 'replace')
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return 'still running after %d s' % HANGS
    if child.returncode == -signal.SIGXFSZ or os.strerror(errno.EFBIG) in errors:
        return 'wrote more than %d bytes' % limit
    if child.returncode == -signal.SIGXCPU:
        return 'took more than %d s of a CPU' % CPU_LIMIT
    if child.returncode < 0:
        return 'died of signal %d: %s' % (-child.returncode, errors[:1500])
    if 'Sanitizer' in errors or 'runtime error:' in errors:
        return errors[:1500]
    if child.returncode == 129:
        return 'the test uses an option that is not there: ' + errors[:200]
    lines = errors.splitlines()
    # perf stat and perf trace print what they are for there
    if len(lines) > ERROR_LINES and not command.startswith(('stat ', 'trace')):
        return '%d lines on stderr: %s' % (len(lines), ' / '.join(lines[:5])[:400])
    if child.returncode not in (0, 255) and not (command.startswith('archive') and child.returncode == 1) and not (child.returncode > 200 and lines):
        return 'exit status %d: %s' % (child.returncode, errors[:300])
    if child.returncode and not lines:
        return 'failed without a word'
    return None


def peak_memory(perf, command, path, env):
    """A second look at one input: peak memory by a child that waits for just this command."""
    code = ('import os,resource,sys\np=os.posix_spawn(sys.argv[1],sys.argv[1:],os.environ)\n'
            'os.waitpid(p,0)\nprint(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
    try:
        out = subprocess.run([sys.executable, '-S', '-c', code, perf] + shlex.split(command)
                             + inputs_of(command, path), stdin=subprocess.DEVNULL, capture_output=True, env=env,
                             timeout=HANGS, check=False).stdout
        return int(out.split()[-1]) << 10
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return 0


class Runner:
    def __init__(self, args, top):
        self.args, self.top = args, top
        self.perf = os.path.abspath(args.perf)
        self.sanitized = is_sanitized(self.perf)
        self.env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C', 'HOME': top, 'PERF_CONFIG': '/dev/null', 'PERF_WORKERS': '2',
                    'ASAN_OPTIONS': 'detect_leaks=0:abort_on_error=1:handle_sigill=1:max_allocation_size_mb=600',
                    'UBSAN_OPTIONS': 'halt_on_error=1:abort_on_error=1:print_stacktrace=1'}
        self.passed = self.failed = 0
        known = subprocess.run([self.perf, '--list-cmds'], capture_output=True, text=True,
                               check=False).stdout.split()
        self.known = [c for c in COMMANDS + [UNPACK] if c.split()[0] in known or not known]

    def test(self, label, data, commands):
        """All commands on one input; returns a list of (command, problem or None)."""
        path = os.path.join(self.top, label.replace('/', '_'))
        write_input(path, data)
        out = []
        for command in commands:
            if command not in self.known:
                continue
            if command == UNPACK:
                problem = unpack(self.perf, path, self.env)
            elif command.startswith('archive'):
                problem = pack(self.perf, command, path, self.env)
            else:
                problem = run_one(self.perf, command, path, self.env)
            if not problem and not self.sanitized and command in COMMANDS[:1]:
                peak = peak_memory(self.perf, command, path, self.env)
                if peak > MEMORY_LIMIT:
                    problem = 'took %d MiB of memory' % (peak >> 20)
            if problem and self.args.keep:
                os.makedirs(self.args.keep, exist_ok=True)
                if os.path.isdir(path):
                    shutil.copytree(path, os.path.join(self.args.keep, os.path.basename(path)), dirs_exist_ok=True)
                else:
                    shutil.copy(path, self.args.keep)
            out.append((command, problem))
        remove(path)
        return label, out

    def collect(self, result):
        label, out = result
        for command, problem in out:
            if problem:
                self.failed += 1
                where = os.path.join(self.args.keep or 'DIR', label.replace('/', '_'))
                print('FAIL perf %s -i %s\n     %s' % (command, where, problem.replace('\n', '\n     ')))
                sys.stdout.flush()
            else:
                self.passed += 1


def inputs(args):
    """(label, bytes, commands) of every input, in a fixed order."""
    good = []
    for directory in args.data:
        bad = os.path.join(directory, 'malformed')
        for name in sorted(os.listdir(bad)) if os.path.isdir(bad) else []:
            with open(os.path.join(bad, name), 'rb') as f:
                yield name, f.read(), COMMANDS
        for name in sorted(os.listdir(directory)):
            path = os.path.join(directory, name)
            if os.path.isfile(path) and not name.endswith('.md') and name[0] != '.' and \
                    os.path.getsize(path) < INPUT_LIMIT:
                with open(path, 'rb') as f:
                    content = f.read()
                if not content.startswith((b'\x7fELF', b'/*')):
                    good.append((name, content))
    for i in range(args.count if good else 0):
        rng = random.Random(args.seed * 1000003 + i)
        name, data = good[i % len(good)]
        commands = ['report --stdio', 'script'] if i % 4 == 0 else rng.sample(COMMANDS, 2)
        yield 'mutant-%d-%s' % (i, name), mutate(data, rng), commands
    whole = [(name, files) for name, files in ((name, as_directory(data)) for name, data in good) if files]
    for name, files in whole:
        yield 'directory-' + name, files, COMMANDS[:1]
    for i in range(args.count // 3 if whole else 0):
        rng = random.Random(args.seed * 1000003 + 500000 + i)
        name, files = whole[i % len(whole)]
        yield 'directory-%d-%s' % (i, name), mutate_directory(files, rng), ['report --stdio'] + rng.sample(COMMANDS, 2)
    for i in range(args.count // 3):
        yield 'archive-%d' % i, archive_mutant(random.Random(args.seed * 1000003 + 700000 + i)), [UNPACK]


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    p.add_argument('--count', type=int, default=int(os.environ.get('HOSTILE_COUNT', '300')))
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--keep', help='where failing inputs are kept')
    p.add_argument('-j', '--jobs', type=int, default=2)
    p.add_argument('data', nargs='+')
    args = p.parse_args()
    with tempfile.TemporaryDirectory(prefix='perf-hostile-') as top:
        runner = Runner(args, top)
        with ThreadPoolExecutor(args.jobs) as pool:
            for result in pool.map(lambda item: runner.test(*item), inputs(args)):
                runner.collect(result)
    print('%d passed, %d failed, 0 skipped%s' % (
        runner.passed, runner.failed, '' if runner.sanitized else ' (not a sanitizer build)'))
    return 1 if runner.failed else 0


if __name__ == '__main__':
    sys.exit(main())
