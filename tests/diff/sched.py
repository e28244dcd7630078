#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Differential test of perf sched: latency, timehist and map with their options on one recording, ours and the
installed perf's text equal. What perf 6.1 does not understand in recordings of today's kernels (doc/compatibility.md) is
taken out of the file first: sched_waking becomes sched_wakeup, and no task is preempted by another state than R.

    sched.py --perf build/perf

The last line is "N passed, N failed".
"""
import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[1] / 'data' / 'sched' / 'switches.data'
RAW_AT = 60  # in a sample of IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
PREV_STATE_AT = 32
PREEMPTED = 256
COMMANDS = ['latency', 'latency -p', 'latency -s max', 'latency -s runtime', 'latency -s switch,avg',
            'latency -p -s pid', 'latency -C 1', 'timehist', 'timehist -w', 'timehist -M', 'timehist -n', 'timehist -V',
            'timehist -MVwn', 'timehist -I', 'timehist -IV', 'timehist -sM', 'timehist -SM', 'timehist -sIM',
            'timehist -C 1', 'timehist -C 0,2 -sM', 'timehist -p 147', 'timehist -t 149 -wM', 'timehist -p 147 -sM',
            'timehist --time 21.3,', 'timehist --time 21.3, -sM', 'map --compact', 'map --compact --cpus 1']


def known_to_all(data):
    """The recording without what the reference misreads."""
    data = bytearray(data.replace(b'sched_waking', b'sched_wakeup'))
    switch = int(re.search(rb'name: sched_switch\nID: (\d+)', data).group(1))
    pos, size = struct.unpack_from('<QQ', data, 40)
    end = pos + size
    while pos < end:
        kind, _, length = struct.unpack_from('<IHH', data, pos)
        at = pos + RAW_AT
        if kind == 9 and struct.unpack_from('<H', data, at)[0] == switch:
            state = struct.unpack_from('<q', data, at + PREV_STATE_AT)[0]
            if state == PREEMPTED:
                struct.pack_into('<q', data, at + PREV_STATE_AT, 0)
        pos += length
    return data


def output(perf, words, path):
    return subprocess.run([perf, 'sched', '-f', '-i', path] + words, capture_output=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--reference', default='/usr/bin/perf')
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp) / 'switches.data'
        path.write_bytes(known_to_all(DATA.read_bytes()))
        for command in COMMANDS:
            ref, our = (output(p, command.split(), path) for p in (args.reference, args.perf))
            if ref.stdout and (ref.stdout, ref.returncode) == (our.stdout, our.returncode):
                continue
            failed += 1
            print(f'differs: {command}')
            for r, o in zip(ref.stdout.splitlines(), our.stdout.splitlines()):
                if r != o:
                    print(f'  - {r.decode()}\n  + {o.decode()}')
                    break
    print(f'{len(COMMANDS) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
