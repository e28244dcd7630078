#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats of tracepoints in a recording, and kallsyms beside one, that claim much: none may cost much time or memory.

    texts.py --perf BUILD/perf
"""
import argparse
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tools')]
import made  # noqa: E402
import make_switch_file as switch_file  # noqa: E402

ID, RAW, FEAT_TRACING_DATA, TRACEPOINT = 301, 1 << 10, 1, 2
KERNEL, MODULE, SIZE = 0xffffffff81000000, 0xffffffffc0000000, 0x3f000000
SAMPLES, RAW_SIZE, MIB = 10, 1 << 15, 1 << 20
FIELD = '\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:0;\n'


class Plain(switch_file.Recording):
    """Samples of the kernel and of a module."""

    def __init__(self):
        super().__init__(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None,
                                            plain=False, wide=False))
        kernel, who = (0xffffffff, 0), (switch_file.PID, switch_file.PID)
        for name, addr, offset in (b'[kernel.kallsyms]_text\0', KERNEL, KERNEL), (b'[inner]\0', MODULE, 0):
            self.record(1, 1, struct.pack('<IIQQQ', *kernel, addr, SIZE, offset) + name, kernel, 1)
        for i in range(SAMPLES):
            self.kernel_sample((KERNEL, MODULE)[i % 2] + 64 * i, who, 10 + i)

    def kernel_sample(self, ip, who, time, more=b''):
        body = struct.pack('<QQIIQIIQ', 1, ip, *who, time, switch_file.CPU, 0, 1) + more
        self.out += struct.pack('<IHH', 9, 1, 8 + len(body)) + body


class Traced(Plain):
    """Samples of a tracepoint, and formats."""

    def __init__(self, events):
        self.formats = events
        super().__init__()
        self.type |= RAW
        self.events = [('made:made', TRACEPOINT, ID)]

    def kernel_sample(self, ip, who, time, more=b''):
        raw = struct.pack('<HHIQ', ID, 0, 7, 7).ljust(RAW_SIZE, b'x') + bytes(4)
        super().kernel_sample(ip, who, time, struct.pack('<I', len(raw)) + raw)

    def features(self):
        formats = b''.join(struct.pack('<Q', len(e)) + e for e in self.formats)
        blob = (b'\x17\x08\x44tracing0.6\0\0\x08' + struct.pack('<I', 4096) + b'header_page\0' + bytes(8) + b'header_event\0' +
                bytes(8) + struct.pack('<II', 0, 1) + b'made\0' + struct.pack('<I', len(self.formats)) + formats + bytes(16))
        return {**super().features(), FEAT_TRACING_DATA: blob}


def event(fields, print_fmt, ident=ID):
    """A format file."""
    return ('name: made\nID: %d\nformat:\n' % ident + FIELD % ('unsigned short common_type', 0, 2) + '\n' + fields +
            '\nprint fmt: ' + print_fmt + '\n').encode()


NUMBER = FIELD % ('int a', 8, 4)
TEXT = FIELD % ('char s[%d]' % (RAW_SIZE - 16), 16, RAW_SIZE - 16)
FIELDS = ''.join(FIELD % ('int f%d' % i, 8, 4) for i in range(15000))
# (formats of up to 1 MiB are read)
TRACES = [
    ('fields without end', [event(FIELDS, '"%d", REC->f14999')]),
    ('parentheses in each other', [event(NUMBER, '"%d", ' + '(' * 450000 + 'REC->a' + ')' * 450000)]),
    ('operators in front of each other', [event(NUMBER, '"%d", ' + '~' * 900000 + 'REC->a')]),
    ('casts in front of each other', [event(NUMBER, '"%d", ' + '(int)' * 150000 + 'REC->a')]),
    ('conditions in each other', [event(NUMBER, '"%d", ' + 'REC->a ? 1 : ' * 60000 + '2')]),
    ('calls in each other', [event(NUMBER, '"%s", ' + '__print_symbolic(' * 50000)]),
    ('a name for each of many values',
     [event(NUMBER, '"%s", __print_symbolic(REC->a' + ''.join(', { %d, "n%d" }' % (i + 8, i) for i in range(30000)) + ')')]),
    ('a wide number', [event(NUMBER, '"%2000000000d", REC->a')]),
    ('a width of its own', [event(NUMBER, '"%*d", 2000000000, REC->a')]),
    ('long texts, many times', [event(TEXT, '"' + '%s' * 30000 + '"' + ', REC->s' * 30000)]),
    ('arrays, many times', [event(TEXT, '"' + '%s' * 20000 + '"' + ', __print_hex(REC->s, 30000)' * 20000)]),
    ('a format that is too long', [event(NUMBER, '"' + '%d' * MIB + '"' + ', REC->a' * MIB)]),
    ('many events of a name', [event(NUMBER, '"%d", REC->a', ID + i) for i in range(130000)]),
]


def kallsyms_files(many):
    """Text, and bytes of a hole behind it. many(n): how many of what is to be many."""
    return [
        ('a hole', b'', many(60 * MIB)),
        ('a hole of 100 GB', b'', 100 << 30),
        ('a name of megabytes', b'%x T ' % (KERNEL + 64) + b'a' * many(30 * MIB), 0),
        ('lines of nothing', b'\n' * many(30 * MIB), 0),
        ('very many symbols of an address', b''.join(b'%x T a%d\n' % (KERNEL + 64, i) for i in range(many(500000))), 0),
        ('very many modules', b''.join(b'%x T a\t[m%d]\n' % (MODULE + 64 * i, i) for i in range(many(1000000))), 0),
        ('modules with long names', b''.join(b'%x T a\t[%s%d]\n' % (MODULE + 64 * i, b'm' * 30000, i) for i in range(1000)), 0),
    ]


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    perf, ran, failed = os.path.abspath(p.parse_args().perf), 0, 0
    sanitized = made.is_sanitized(perf)

    def check(name, command):
        nonlocal ran, failed
        status, peak, errors = made.run(perf, command, path)
        ran += 1
        if status or (peak > made.MEMORY and not sanitized):
            failed += 1
            print('FAIL %s: %s\n     exit status %d, %d MiB: %s' % (name, command, status, peak >> 20, errors[-300:]))

    with tempfile.TemporaryDirectory(prefix='perf-texts-') as top:
        path, kallsyms = os.path.join(top, 'file'), os.path.join(top, 'kallsyms')
        for name, events in TRACES:
            with open(path, 'wb') as f:
                f.write(Traced(events).file())
            for command in 'script', 'report --stdio -s trace', 'evlist --trace-fields':
                check(name, command)
        with open(path, 'wb') as f:
            f.write(Plain().file())
        for name, text, hole in kallsyms_files(made.how_many(sanitized)):
            with open(kallsyms, 'wb') as f:
                f.write(b'%x T _text\n%x T _stext\n' % (KERNEL, KERNEL) + text)
                f.truncate(f.tell() + hole)
            check(name, 'script -F ip,sym --kallsyms ' + kallsyms)
    print('%d passed, %d failed, 0 skipped' % (ran - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
