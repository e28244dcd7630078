#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of tracepoint texts: for events of the running kernel, samples with made-up
payloads (zeros, small and large numbers, strings, dynamic arrays) are put into a recording; script
must print each as the installed perf does.

    tracepoints.py --perf PERF [--ref PERF] [--per-event N] [SYSTEM...]

Without SYSTEM: a selection that has every kind of field and format; 'all' takes minutes. The last
line is "N passed, N failed, N skipped", in systems.
"""
import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SKIP_EXIT = 77
EVENTS = '/sys/kernel/tracing/events'
SYSTEMS = ['block', 'ext4', 'fib', 'irq', 'kmem', 'net', 'sched', 'signal', 'skb', 'tcp', 'timer',
           'vmscan', 'writeback', 'xdp']
LETTERS = b'abcdefgh/._0123'
SAMPLE, USER_TYPES = 9, 64

# Event (a regular expression) -> why the texts differ on purpose.
DIFFERENCES = [
    (r'neigh:.*|kvm:kvm_emulate_insn', 'perf 6.1 prints bytes from behind a field that is too short'),
    (r'ras:.*', 'perf 6.1 dies'),
]


def fields_of(system, name):
    """(id, [(declaration, offset, size)]) of an event."""
    with open('%s/%s/%s/format' % (EVENTS, system, name), encoding='ascii') as f:
        text = f.read()
    fields = [(m.group(1), int(m.group(2)), int(m.group(3))) for m in
              re.finditer(r'field:(.*?);\s*offset:(\d+);\s*size:(\d+);', text)]
    return int(re.search(r'^ID: (\d+)', text, re.M).group(1)), fields


def text(rnd, longest):
    return bytes(rnd.choice(LETTERS) for _ in range(rnd.randint(0, longest)))


def number(rnd, size):
    kind = rnd.randrange(5)
    if kind == 0:
        return bytes(size)
    if kind == 1:
        return bytes([rnd.randrange(16)]).ljust(size, b'\0')
    if kind == 2:
        return bytes(rnd.randrange(256) for _ in range(size))
    if kind == 3:
        return b'\xff' * size
    return bytes([rnd.randrange(256), rnd.randrange(4)][:size]).ljust(size, b'\0')


def payload(number_of_event, fields, rnd):
    size = (max(offset + size for _, offset, size in fields) + 3) & ~3
    fixed, dynamic = bytearray(size), bytearray()
    for declaration, offset, length in fields:
        if 'common_type' in declaration:
            value = struct.pack('<H', number_of_event)
        elif 'common_' in declaration:
            value = bytes([7]).ljust(length, b'\0') if 'pid' in declaration else bytes(length)
        elif '_loc ' in declaration:
            data = (text(rnd, 14) + b'\0' if 'char[]' in declaration else
                    number(rnd, rnd.choice([4, 8, 16])))
            at = size + len(dynamic)
            if '__rel_loc' in declaration:
                at -= offset + length
            value = struct.pack('<I', len(data) << 16 | at)
            dynamic += data + bytes(-len(data) % 4)
        elif length > 1 and re.search(r'\bchar\b.*\[', declaration):
            value = text(rnd, length - 1).ljust(length, b'\0')
        else:
            value = number(rnd, length)
        fixed[offset:offset + length] = value
    return bytes(fixed + dynamic)


def sample(sample_type, ident, time, raw):
    """A record with the fields that a plain recording of tracepoints has."""
    raw += bytes(-(len(raw) + 4) % 8)
    parts = [(1 << 16, struct.pack('<Q', ident)), (1 << 0, struct.pack('<Q', 0xffffffff81000000)),
             (1 << 1, struct.pack('<II', 1234, 1234)), (1 << 2, struct.pack('<Q', time)),
             (1 << 6, struct.pack('<Q', ident)), (1 << 7, struct.pack('<II', 0, 0)),
             (1 << 8, struct.pack('<Q', 1)), (1 << 10, struct.pack('<I', len(raw)) + raw)]
    known = sum(bit for bit, _ in parts)
    assert not sample_type & ~known, hex(sample_type)
    body = b''.join(data for bit, data in parts if sample_type & bit)
    return struct.pack('<IHH', SAMPLE, 1, 8 + len(body)) + body


def rewrite(recorded, fields, per_event, rnd):
    """The recording with other samples. Layout: doc/format/perf.data.md"""
    (attr_size, attrs_at, attrs_size, data_at, data_size) = struct.unpack_from('<QQQQQ', recorded, 16)
    body, at = b'', data_at
    while at < data_at + data_size:
        kind, _, size = struct.unpack_from('<IHH', recorded, at)
        if kind != SAMPLE and kind < USER_TYPES:
            body += recorded[at:at + size]
        at += size
    time = 10 ** 12
    for attr in range(attrs_at, attrs_at + attrs_size, attr_size):
        config, _, sample_type = struct.unpack_from('<QQQ', recorded, attr + 8)
        ids_at, ids_size = struct.unpack_from('<QQ', recorded, attr + attr_size - 16)
        ident = struct.unpack_from('<Q', recorded, ids_at)[0] if ids_size else 0
        for _ in range(per_event if config in fields else 0):
            time += 1000
            body += sample(sample_type, ident, time, payload(config, fields[config], rnd))
    head = bytearray(recorded[:data_at])
    struct.pack_into('<Q', head, 48, len(body))
    rest = bytearray(recorded[data_at + data_size:])
    for i in range(bin(int.from_bytes(recorded[72:104], 'little')).count('1')):
        offset = struct.unpack_from('<Q', rest, i * 16)[0]
        struct.pack_into('<Q', rest, i * 16, offset + len(body) - data_size)
    return bytes(head) + body + bytes(rest)


def script(perf, path):
    r = subprocess.run([perf, 'script', '-F', 'event,trace', '-i', path], capture_output=True, check=False)
    # ours writes line ends in texts so (doc/compatibility.md)
    return r.stdout.decode('utf-8', 'replace').replace('\\x0a', '\n').splitlines()


def compare_system(args, system, directory):
    """Number of different lines, None where it cannot be recorded."""
    path = os.path.join(directory, system + '.data')
    r = subprocess.run([args.perf, 'record', '-q', '-o', path, '-e', system + ':*', '-c', '1000000000',
                        'true'], capture_output=True, check=False)
    if r.returncode:
        return None
    fields = {}
    for name in os.listdir(os.path.join(EVENTS, system)):
        if os.path.exists('%s/%s/%s/format' % (EVENTS, system, name)):
            number_of_event, described = fields_of(system, name)
            fields[number_of_event] = described
    with open(path, 'rb') as f:
        made = rewrite(f.read(), fields, args.per_event, random.Random(system))
    with open(path, 'wb') as f:
        f.write(made)
    mine, theirs = script(args.perf, path), script(args.ref, path)
    bad = [(m, t) for m, t in zip(mine, theirs) if m != t and
           not any(re.match(r'\s*(%s): ' % event, m) for event, _ in DIFFERENCES)]
    for m, t in bad[:5]:
        print('perf: %s\nours: %s' % (t, m))
    excused = any(re.match('(%s)' % event, system + ':') for event, _ in DIFFERENCES)
    missing = 0 if excused else abs(len(mine) - len(theirs))
    if missing:
        print('%s: %d lines, perf has %d' % (system, len(mine), len(theirs)))
    os.unlink(path)
    return len(bad) + missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--ref', default='/usr/bin/perf')
    parser.add_argument('--per-event', type=int, default=6)
    parser.add_argument('systems', nargs='*')
    args = parser.parse_args()
    if not shutil.which(args.ref):
        print('skipped: no perf to compare with')
        return SKIP_EXIT
    # Either perf mounts tracefs where it is missing.
    subprocess.run([args.perf, 'record', '-q', '-o', '/dev/null', '-e', 'sched:sched_switch', 'true'],
                   capture_output=True, check=False)
    if not os.access(EVENTS, os.R_OK):
        print('skipped: tracefs cannot be read (needs root)')
        return SKIP_EXIT
    systems = sorted(os.listdir(EVENTS)) if args.systems == ['all'] else args.systems or SYSTEMS
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix='tracepoints-') as directory:
        for system in systems:
            if not os.path.isdir(os.path.join(EVENTS, system)):
                skipped += system in SYSTEMS
                continue
            different = compare_system(args, system, directory)
            if different is None:
                print('skipped: %s cannot be recorded' % system)
                skipped += 1
                continue
            passed += not different
            failed += different > 0
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
