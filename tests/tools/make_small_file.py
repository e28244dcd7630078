#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a perf.data file of one event, with the header features and records that are asked for:

    make_small_file.py FILE [--big] [-f NUMBER=FIELDS]... [-r TYPE=FIELDS]...

FIELDS is a list separated by commas: u8:N, u16:N, u32:N, u64:N; str:TEXT, as header features have it (its length in
front); name:TEXT, as records have it (a NUL at its end, padded to 8 bytes). --big: of a machine of the other byte order.
Records are padded to 8 bytes, too; behind them stands a FINISHED_ROUND. The file always has a HOSTNAME, by whose bit
readers tell how the words of features were written.
"""
import argparse
import struct

HEADER_SIZE, ATTR_SIZE = 104, 128
IP_TID_TIME = 1 | 2 | 4
LETTERS = {'u8': 'B', 'u16': 'H', 'u32': 'I', 'u64': 'Q'}


def padded(raw, size):
    return raw + b'\0' * (-len(raw) % size)


def fields(text, order):
    out = b''
    for field in filter(None, text.split(',')):
        kind, _, value = field.partition(':')
        if kind == 'str':
            raw = padded(value.encode() + b'\0', 64)
            out += struct.pack(order + 'I', len(raw)) + raw
        elif kind == 'name':
            out += padded(value.encode() + b'\0', 8)
        else:
            out += struct.pack(order + LETTERS[kind], int(value, 0))
    return out


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('file')
    p.add_argument('--big', action='store_true')
    p.add_argument('-f', '--feature', action='append', default=[])
    p.add_argument('-r', '--record', action='append', default=[])
    args = p.parse_args()
    order = '>' if args.big else '<'
    features = sorted((int(number), fields(rest, order))
                      for number, _, rest in (f.partition('=') for f in ['3=str:box'] + args.feature))
    data = b''
    for kind, _, rest in (r.partition('=') for r in args.record + ['68=']):
        body = padded(fields(rest, order), 8)
        data += struct.pack(order + 'IHH', int(kind), 0, 8 + len(body)) + body

    attr = struct.pack(order + 'IIQQQ', 1, ATTR_SIZE, 0, 1000, IP_TID_TIME).ljust(ATTR_SIZE, b'\0') + bytes(16)
    data_at = HEADER_SIZE + len(attr)
    body_at = data_at + len(data) + 16 * len(features)
    table, bodies = b'', b''
    for _, body in features:
        table += struct.pack(order + 'QQ', body_at + len(bodies), len(body))
        bodies += body
    words = [sum(1 << (n - 64 * i) for n, _ in features if n // 64 == i) for i in range(4)]
    magic = struct.pack(order + 'Q', int.from_bytes(b'PERFILE2', 'little'))
    header = magic + struct.pack(order + '12Q', HEADER_SIZE, len(attr), HEADER_SIZE, len(attr), data_at, len(data),
                                 0, 0, *words)
    with open(args.file, 'wb') as f:
        f.write(header + attr + data + table + bodies)


main()
