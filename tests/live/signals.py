#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""However many signals end a recorder, and whenever: what it wrote is complete.

    signals.py --perf BUILD/perf

Bursts of 2 to 50 signals, 0 to 20 ms from each other, from instants around the end, all drawn from a seed. What a
command wrote must be whole or not be there, and nothing half made may lie beside it.
"""
import bz2
import contextlib
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

from live_case import Skip, Suite, need_zstd, show

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM)
LONGEST = 0.25  # s, of a burst
HANGS = 200
BUSY = ['sh', '-c', 'while :; do :; done']
SHORT = ['sh', '-c', 'i=0; while [ $i -lt 4000 ]; do i=$((i+1)); done']

# The forms of record: arguments, and the command; none: a stream, several files
RECORDS = {
    'plain': (['-o', 'x.data'], BUSY),
    'ends by itself': (['-o', 'x.data'], SHORT),
    'system-wide': (['-a', '-o', 'x.data'], []),
    'compressed': (['-z', '-a', '-o', 'x.data'], []),
    'aio': (['--aio=2', '-o', 'x.data'], BUSY),
    'threads': (['--threads', '-a', '-o', 'x.data'], []),
    'threads, compressed': (['--threads', '-z', '-a', '-o', 'x.data'], []),
    'switch-output': (['--switch-output=64K', '-F', '9999', '-a', '-o', 'x.data'], []),
    'overwrite': (['--overwrite', '-o', 'x.data'], BUSY),
    'stacks': (['--call-graph', 'dwarf', '-o', 'x.data'], BUSY),
    'names': (['-g', '--embed-symbols', '-o', 'x.data'], BUSY),
    'stream': (['-o', '-'], BUSY),
}


def complete_file(path):
    """Why a perf.data file is not; empty if it is."""
    raw = path.read_bytes()
    if len(raw) < 104:
        return '%s: %d bytes' % (path.name, len(raw))
    ao, al, do, dl = struct.unpack_from('<4Q', raw, 24)
    bits = struct.unpack_from('<4Q', raw, 72)
    if not dl or not al or do + dl > len(raw) or ao + al > len(raw):
        return '%s: no header' % path.name
    table = do + dl
    for _ in range(sum(bin(b).count('1') for b in bits)):
        at, size = struct.unpack_from('<QQ', raw, table)
        if at + size > len(raw):
            return '%s: a feature is cut off' % path.name
        table += 16
    at = do
    while at < do + dl:
        at += max(8, struct.unpack_from('<H', raw, at + 6)[0])
    return '' if at == do + dl else '%s: its last record is cut off' % path.name


def complete_stream(raw):
    at = 16
    while at + 8 <= len(raw):
        kind, size = struct.unpack_from('<I2xH', raw, at)
        at += max(8, size)
        if kind == 66:  # PERF_RECORD_HEADER_TRACING_DATA
            at += (struct.unpack_from('<I', raw, at - size + 8)[0] + 7) & ~7
    return '' if at == len(raw) and len(raw) > 16 else 'the stream is cut off'


def complete(folder):
    for path in folder.iterdir():
        data = path / 'data' if path.is_dir() else path
        if not data.exists():
            return '%s: empty' % path.name
        why = complete_file(data)
        if why:
            return why
    return ''


def burst(draw, process, group, signals):
    """To the process, or to its whole group, as from a terminal."""
    number = draw.randint(2, 50)
    space = draw.choice((0, 0.0002, 0.001, 0.005, 0.02))
    end = time.monotonic() + LONGEST
    for _ in range(number):
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(process.pid, draw.choice(signals))
        if space:
            time.sleep(space)
        if time.monotonic() > end:
            break


def is_there(path):
    return path.is_dir() or (path.exists() and path.stat().st_size > 0)


def run(c, words, draw, ready=None, stdout=subprocess.DEVNULL, group=False,
        signals=SIGNALS):
    """Starts perf, waits until ready (a function; None: does not), and a moment more; sends a burst."""
    out = pathlib.Path(c.here) / 'stderr'
    with open(out, 'wb') as err, \
            subprocess.Popen([c.perf, *words], cwd=c.here, env=c.env, stdin=subprocess.DEVNULL, stdout=stdout,
                             stderr=err, start_new_session=True) as p:
        try:
            limit = time.monotonic() + HANGS
            while ready and not ready() and p.poll() is None and time.monotonic() < limit:
                time.sleep(0.001)
            time.sleep(draw.random() * 0.06)
            burst(draw, p, group, signals)
            p.wait(HANGS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
    text = out.read_text('utf-8', 'replace')
    out.unlink()
    return p.returncode, text


def records(c, form, seed):
    words, command = RECORDS[form]
    if '-z' in words:
        need_zstd(c)
    draw = random.Random('%s %d' % (form, seed))
    early = draw.random() < 0.3
    folder = pathlib.Path(c.here) / 'out'
    folder.mkdir()
    words = [str(folder / w) if w == 'x.data' else w for w in words]
    stream = pathlib.Path(c.here) / 'stream'
    with open(stream, 'wb') as to:
        ready = None if early else lambda: is_there(stream) or any(is_there(f) for f in folder.iterdir())
        status, err = run(c, ['record', '-e', 'cpu-clock', *words, '--', *command] if command else
                          ['record', '-e', 'cpu-clock', *words], draw, ready, to, draw.random() < 0.5)
    why = complete(folder)
    if form == 'stream' and stream.stat().st_size:
        why = complete_stream(stream.read_bytes())
    assert not why, '%s (seed %d, exit %d)\n%s' % (why, seed, status, err)
    assert early or form == 'stream' or any(folder.iterdir()), 'seed %d: no file\n%s' % (seed, err)
    assert status < 0 or (form == 'ends by itself' and status == 0), 'seed %d: exit %d\n%s' % (seed, status, err)


def counts(c, seed):
    draw = random.Random('stat %d' % seed)
    file = pathlib.Path(c.here) / 'x.data'
    group = draw.random() < 0.5
    status, err = run(c, ['stat', 'record', '-e', 'task-clock', '-o', str(file), '-I', '20',
                          *(draw.choice((['-a'], ['--', *BUSY])))], draw, lambda: is_there(file), group=group)
    assert file.exists() and not complete_file(file), '%s (seed %d)\n%s' % (complete_file(file), seed, err)
    assert status < 0 and err.endswith('\n'), (seed, status, err)


def injected(c, seed, recording):
    draw = random.Random('inject %d' % seed)
    ways = (['-b'], ['-j'], ['--embed-symbols'], [])
    file = pathlib.Path(c.here) / 'y.data'
    at_once = draw.random() < 0.5
    way = draw.choice(ways)
    status, err = run(c, ['inject', *way, '-i', recording, '-o', str(file)], draw,
        None if at_once else file.exists, signals=SIGNALS[:3])
    assert not file.exists() or not complete_file(file), '%s: %s (seed %d, exit %d)\n%s' % (
        way, complete_file(file), seed, status, err)


def archived(c, seed, recording):
    draw = random.Random('archive %d' % seed)
    folder = pathlib.Path(c.here)
    copy = folder / 'a.data'
    shutil.copyfile(recording, copy)
    run(c, ['archive', 'a.data'], draw, lambda: len(list(folder.iterdir())) > 2)
    left = [f for f in folder.iterdir() if f.name not in ('a.data', 'a.data.tar.bz2')]
    assert not left, '%s is left behind (seed %d)' % (left[0].name, seed)
    if (folder / 'a.data.tar.bz2').exists():
        bz2.decompress((folder / 'a.data.tar.bz2').read_bytes())


def cached(c, seed):
    draw = random.Random('buildid-cache %d' % seed)
    cache = pathlib.Path(c.here) / 'cache'
    run(c, ['--buildid-dir', str(cache), 'buildid-cache', '-a', c.perf], draw,
        None if draw.random() < 0.5 else cache.exists)
    size = os.stat(c.perf).st_size
    for f in cache.rglob('*'):
        if f.is_file() and not f.is_symlink():
            assert f.name in ('elf', 'probes', 'debug'), '%s is left behind (seed %d)' % (f.name, seed)
            assert f.name != 'elf' or f.stat().st_size == size, 'half a copy (seed %d)' % seed


def daemon(c, seed):
    draw = random.Random('daemon %d' % seed)
    base = pathlib.Path(c.here) / 'base'
    base.mkdir()
    (pathlib.Path(c.here) / 'config').write_text(
        '[daemon]\nbase=%s\n[session-one]\nrun = -e cpu-clock -a\n[session-two]\nrun = -e task-clock -a%s\n' % (
            base, ' -z' if c.has('zstd') else ''))
    files = [base / ('session-%s/perf.data' % name) for name in ('one', 'two')]
    # Ctrl-C of a terminal reaches the recorders, too
    status, err = run(c, ['daemon', 'start', '-f', '--config', 'config'], draw,
                      lambda: all(is_there(f) for f in files), group=draw.random() < 0.5)
    for f in files:
        assert not complete_file(f), '%s (seed %d, exit %d)\n%s' % (complete_file(f), seed, status, err)


def many(c, name, function, seeds, *args):
    """The seeds of one kind of case, beside each other; the first failure is told."""
    failures = []

    def one(seed):
        try:
            function(c, seed, *args)
        except AssertionError as why:
            failures.append(str(why))
    list(c.at_once(one, seeds))
    assert not failures, '%s: %d of %d: %s' % (name, len(failures), len(seeds), failures[0])


def main():
    c = Suite(__doc__)
    times = 10 if c.args.all else 1
    recording = os.path.join(c.top, 'r.data')
    r = c.sh('perf record -q -e cpu-clock -F 20000 -g -o %s -- %s' %
             (recording, 'sh -c "i=0; while [ \\$i -lt 200000 ]; do i=\\$((i+1)); done"'))
    if r.status:
        print('skip all: no recording here: ' + show(r))
        return 77
    for form in RECORDS:
        if form == 'system-wide' and os.geteuid():
            raise Skip('all CPUs need root')
        c.check('record, ' + form, many, c, form, lambda s, seed, f=form: records(s, f, seed), range(6 * times))
    c.check('stat record', many, c, 'stat', counts, range(6 * times))
    c.check('inject', many, c, 'inject', injected, range(16 * times), recording)
    c.check('archive', many, c, 'archive', archived, range(4 * times), recording)
    c.check('buildid-cache', many, c, 'buildid-cache', cached, range(8 * times))
    c.check('daemon', many, c, 'daemon', daemon, range(4 * times))
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
