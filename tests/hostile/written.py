#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Small files that could make a writer fill the disk: what is written is at most a stated multiple of what is read.

    written.py --perf BUILD/perf

Read is what lies on the disk: a hole in an object costs nothing, whatever its size.
"""
import argparse
import os
import resource
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tools')]
import make_switch_file as switch_file  # noqa: E402
import objects  # noqa: E402
import texts  # noqa: E402

ID = bytes(range(20))
NOTE = struct.pack('<III', 4, len(ID), 3) + b'GNU\0' + ID
MIB, SLACK = 1 << 20, 1 << 20
CPU_SECONDS, FILE_SIZE = 60, 2 << 30
SWITCH, STAT, PID_FIELD = 301, 302, 8
BUILD_ID_INSIDE = 1 << 14


class Sleeps(texts.Traced):
    """One large sample of a task that goes to sleep, and many small ones of how long it slept."""

    NAMES = {SWITCH: 'sched_switch', STAT: 'sched_stat_sleep'}

    def __init__(self, nr):
        pid = texts.FIELD % ('pid_t pid', PID_FIELD, 4)
        super().__init__([texts.event(pid, '"%d", REC->pid', ident).replace(b'name: made', b'name: ' + name.encode())
                          for ident, name in self.NAMES.items()])
        self.out = b''
        self.events = [('sched:' + name, texts.TRACEPOINT, ident) for ident, name in self.NAMES.items()]
        self.put(1, SWITCH, 60000)
        for i in range(nr):
            self.put(2, STAT, 12, i)

    def put(self, number, ident, size, at=0):
        raw = struct.pack('<HHII', ident, 0, 7, switch_file.PID).ljust(size, b'x')
        raw += bytes(-(4 + len(raw)) % 8)
        body = struct.pack('<QQIIQIIQ', number, texts.KERNEL, switch_file.PID, switch_file.PID, 100 + at, switch_file.CPU, 0, 1)
        body += struct.pack('<I', len(raw)) + raw
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body

    def features(self):
        out = super().features()
        out[texts.FEAT_TRACING_DATA] = out[texts.FEAT_TRACING_DATA].replace(b'made\0', b'sched\0')
        return out


def sleeps(path, nr):
    with open(path, 'wb') as f:
        f.write(Sleeps(nr).file())


def recording(path, paths):
    """Samples in objects that all have the one id."""
    out = switch_file.Recording(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None,
                                                   plain=False, wide=False))
    who = switch_file.PID, switch_file.PID
    for i, name in enumerate(paths):
        body = struct.pack('<IIQQQB3x20sII', *who, switch_file.CODE + i * objects.SIZE, objects.SIZE, 0, len(ID), ID, 5, 2)
        out.record(10, 2 | BUILD_ID_INSIDE, body + name.encode() + b'\0', who, 1)
        body = struct.pack('<QQIIQIIQ', 1, switch_file.CODE + i * objects.SIZE + 8, *who, 10 + i, switch_file.CPU, 0, 1)
        out.out += struct.pack('<IHH', 9, 2, 8 + len(body)) + body
    with open(path, 'wb') as f:
        f.write(out.file())


def on_disk(top):
    return sum(os.lstat(os.path.join(d, n)).st_blocks * 512 for d, _, names in os.walk(top) for n in names)


def run(perf, command, top):
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 2))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    env = dict(os.environ, PERF_CONFIG='/dev/null', LC_ALL='C', PERF_BUILDID_DIR=top + '/cache')
    return subprocess.run([perf] + command.split(), cwd=top, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          preexec_fn=limits, check=False)


def with_object(hole, names=1):
    """An object that others may write to, so that it is copied, with a hole behind its code; its other names; a recording."""
    def make(top):
        parts = objects.NAMED + [('.note.gnu.build-id', objects.NOTE, objects.ALLOC, NOTE, 0, 0), ('.hole', 1, 0, hole, 0, 0)]
        objects.elf(top + '/object', parts)
        os.chmod(top + '/object', 0o777)
        paths = [top + '/object'] + ['%s/object%d' % (top, i) for i in range(1, names)]
        for path in paths[1:]:
            os.link(paths[0], path)
        recording(top + '/in', paths)
    return make


def with_sleeps(nr):
    return lambda top: sleeps(top + '/in', nr)


# Name, what is made, command, how many times it may become (and 1 MB), exit status, part of the error output
CASES = [
    ('small samples that stand for a large one', with_sleeps(10000), 'inject -s -i in -o out', 16, 0, 'are left out'),
    ('the same, few', with_sleeps(10), 'inject -s -i in -o out', 16, 0, None),
    ('an object of terabytes is kept', with_object(1 << 42), 'buildid-cache -a object', 1, 255, 'File too large'),
    ('an object with a hole is kept', with_object(1 << 30), 'buildid-cache -a object', 1, 0, None),
    ('an object with a hole is updated', with_object(1 << 30), 'buildid-cache -u object', 1, 0, None),
    ('an object of terabytes is packed', with_object(1 << 42), 'archive in', 1, 0, 'larger than 8 GB'),
    ('the same, with the recording', with_object(1 << 42), 'archive --all in', 1, 0, 'larger than 8 GB'),
    ('an object with a hole is packed', with_object(128 * MIB), 'archive in', 1, 0, None),
    ('an object of many names is packed', with_object(MIB, 500), 'archive in', 1, 0, None),
]


def check(perf, case, top):
    """None or what went wrong."""
    _, make, command, times, status, wanted = case
    make(top)
    read = on_disk(top)
    done = run(perf, command, top)
    written = on_disk(top) - read
    if done.returncode != status:
        return 'exit status %d: %s' % (done.returncode, done.stderr[-500:])
    if written > times * read + SLACK:
        return '%d kB became %d kB' % (read >> 10, written >> 10)
    lines = done.stderr.splitlines()
    if (wanted or '') not in done.stderr or len(lines) > 3:
        return "no '%s' in: %s" % (wanted, done.stderr[-500:])
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    perf, failed, skipped = os.path.abspath(p.parse_args().perf), 0, 0
    os.environ.pop('DEBUGINFOD_URLS', None)
    with_bzip = not subprocess.run([perf, 'check', '-q', 'feature', 'bzip2'], check=False).returncode
    for case in CASES:
        if 'archive' in case[2] and not with_bzip:
            skipped += 1
            continue
        # (what is on disk at the end: a file of terabytes would be cut at FILE_SIZE)
        with tempfile.TemporaryDirectory(prefix='written-') as top:
            problem = check(perf, case, top)
        failed += problem is not None
        if problem:
            print('FAIL %s\n     %s' % (case[0], problem))
    print('%d passed, %d failed, %d skipped' % (len(CASES) - failed - skipped, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
