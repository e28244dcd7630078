#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures of perf timechart, of broken recordings and of names with markup, are well-formed XML, in which all shapes are inside
of the picture, and of a size that fits the recording's.

    pictures.py --perf BUILD/perf [--count N]

Names come through mutated bytes, and with all bytes there are. The last line is "N passed, N failed".
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / 'tools'))
from show_timechart import Chart  # pylint: disable=wrong-import-position

LARGEST = 8 << 20  # bytes
NAMES = [b'<script>', b'"&amp;\'', b']]>', b'</text>', b'\x1b[31m', b'\xff\xfe\xc3', b'\xef\xbf\xbf', b'\xc2\x9b', b'a\nb',
         b'\xe2\x80\xae', b'<!--', b'&#0;']


def mutated(data, rng):
    out = bytearray(data)
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(out))
        if rng.random() < 0.5:
            out[at] = rng.randrange(256)
        else:
            out[at:at + 8] = rng.choice((b'\xff' * 8, bytes(8), b'\xff' * 7 + b'\x7f', bytes(7) + b'\x80'))
    return bytes(out)


def named(data, name):
    """The first record with a name has another."""
    at = data.index(b'ten\0')
    return data[:at] + (name + bytes(16))[:8] + data[at + 8:]


def check(perf, data, tmp, options):
    """What is wrong, or None."""
    path, picture = tmp / 'f.data', tmp / 'f.svg'
    path.write_bytes(data)
    picture.unlink(missing_ok=True)
    p = subprocess.run([perf, 'timechart', '-f', '-i', path, '-o', picture] + options, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, timeout=120, check=False)
    if p.returncode not in (0, 255):
        return f'exit status {p.returncode}: {p.stderr.decode(errors="replace")[-500:]}'
    if not picture.exists():
        return None if p.returncode else 'no picture'
    if picture.stat().st_size > LARGEST:
        return f'{picture.stat().st_size} bytes'
    try:
        outside = Chart(picture).outside()
    except (ValueError, SyntaxError) as error:  # ElementTree's are syntax errors
        return str(error)
    return f'outside: {outside[0]}' if outside else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--perf', required=True)
    parser.add_argument('--count', type=int, default=120)
    args = parser.parse_args()
    rng = random.Random(1)
    files = {kind: (TESTS / f'data/timechart/{kind}.data').read_bytes() for kind in ('states', 'calls')}
    inputs = [(f'{kind} with {name!r}', named(data, name)) for kind, data in files.items() for name in NAMES]
    inputs += [(f'mutation {i} of {kind}', mutated(files[kind], rng))
               for i in range(args.count) for kind in (('states', 'calls')[i % 2],)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for i, (what, data) in enumerate(inputs):
            wrong = check(args.perf, data, pathlib.Path(tmp), [[], ['-t'], ['-w', '3'], ['-n', '1000']][i % 4])
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f'{what}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
