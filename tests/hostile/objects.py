#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Small object files, beside a recording that refers to them, that claim much: none may cost much time or memory.

    objects.py --perf BUILD/perf
"""
import argparse
import lzma
import os
import struct
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'tools')]
import made  # noqa: E402
import make_jit_file as jit_file  # noqa: E402
import make_switch_file as switch_file  # noqa: E402

CODE, SIZE = switch_file.CODE, 0x1000
PROGBITS, SYMTAB, STRTAB, NOTE = 1, 2, 3, 7
ALLOC, EXEC, COMPRESSED = 2, 4, 0x800
COMMANDS = ('report --stdio -s sym,srcline', 'script -F ip,sym,srcline --inline')
ZLIB, MIB = 1, 1 << 20


def elf(path, sections):
    """sections: (name, type, flags, bytes or the size of a hole, linked section, size of an entry)"""
    names = b'\0' + b''.join(s[0].encode() + b'\0' for s in sections) + b'.shstrtab\0'
    sections = sections + [('.shstrtab', STRTAB, 0, names, 0, 0)]
    heads, at, name_at = [bytes(64)], 64 + 56, 1
    with open(path, 'wb') as f:
        for name, kind, flags, data, link, entry in sections:
            at = (at + 15) & ~15
            size = data if isinstance(data, int) else len(data)
            if not isinstance(data, int):
                f.seek(at)
                f.write(data)
            heads.append(struct.pack('<IIQQQQIIQQ', name_at, kind, flags, CODE if name == '.text' else 0, at, size, link, 0,
                                     8, entry))
            name_at += len(name) + 1
            at += size
        at = (at + 15) & ~15
        f.seek(at)
        f.write(b''.join(heads))
        f.seek(0)
        f.write(b'\x7fELF\2\1\1' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 2, 62, 1, CODE, 64, at, 0, 64, 56, 1, 64,
                                                           len(heads), len(heads) - 1))
        f.write(struct.pack('<IIQQQQQQ', 1, 5, 0, CODE, CODE, SIZE, SIZE, SIZE))


def symbol(name, addr, size):
    return struct.pack('<IBBHQQ', name, 0x12, 0, 1, addr, size)


TEXT = ('.text', PROGBITS, ALLOC | EXEC, b'\x90' * SIZE, 0, 0)
NAMED = [TEXT, ('.symtab', SYMTAB, 0, bytes(24) + symbol(1, CODE, SIZE), 3, 24), ('.strtab', STRTAB, 0, b'\0main\0', 0, 0)]
DEBUG = ('.debug_info', '.debug_line', '.debug_abbrev', '.debug_str')


def symbols(table, strings):
    return [TEXT, ('.symtab', SYMTAB, 0, bytes(24) + table, 3, 24), ('.strtab', STRTAB, 0, strings, 0, 0)]


def packed(size, data):
    return NAMED + [(name, PROGBITS, COMPRESSED, struct.pack('<IIQQ', ZLIB, 0, size, 1) + data, 0, 0) for name in DEBUG]


def debug(functions, rows):
    """DWARF of a unit with these functions and a program of lines."""
    unit, function, inlined = 0x11, 0x2e, 0x1d
    where = bytes([0x11, 1, 0x12, 7])
    abbrev = (bytes([1, unit, 1]) + where + bytes([0x10, 0x17, 0, 0, 2, function, 1, 3, 8]) + where +
              bytes([0, 0, 3, inlined, 1, 0x31, 0x13]) + where +
              bytes([0, 0, 4, function, 0, 0x47, 0x13]) + where + bytes([0, 0, 0]))
    info = struct.pack('<HIB', 4, 0, 8) + b'\1' + struct.pack('<QQI', CODE, SIZE, 0) + functions + b'\0'
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b'\0a.c\0\0\0\0\0'
    line = struct.pack('<HI', 4, len(head)) + head + b'\0\x09\x02' + struct.pack('<Q', CODE) + rows
    parts = {'.debug_abbrev': abbrev, '.debug_info': struct.pack('<I', len(info)) + info,
             '.debug_line': struct.pack('<I', len(line)) + line}
    return NAMED + [(name, PROGBITS, 0, data, 0, 0) for name, data in parts.items()]


def shared(units, overlapping):
    """Units with one line of code between them, and abbreviations that they have in common: of 100 functions with 10
    attributes each, most of which nobody uses."""
    unit = bytes([1, 0x11, 0, 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0])
    others = [bytes([2 + i, 0x2e, 0]) + bytes([3, 8]) * 10 + b'\0\0' for i in range(100)]
    abbrev = (b''.join(others) + unit if overlapping else unit + b''.join(others)) + b'\0'
    infos = (struct.pack('<HIB', 4, i % 100 * len(others[0]) if overlapping else 0, 8) + b'\1' + struct.pack('<IQQ', 0, CODE, SIZE)
             for i in range(units))
    parts = dict((name, data) for name, _, _, data, _, _ in debug(OUTER + b'\0', ROWS)[3:])
    parts['.debug_abbrev'] = abbrev
    parts['.debug_info'] = b''.join(struct.pack('<I', len(info)) + info for info in infos)
    return NAMED + [(name, PROGBITS, 0, data, 0, 0) for name, data in parts.items()]


OUTER, OUTER_AT = b'\2f\0' + struct.pack('<QQ', CODE, SIZE), 0x20


def inner(origin):
    return b'\3' + struct.pack('<IQQ', origin, CODE, SIZE)


def specified(by):
    """A function whose name another entry has."""
    return b'\4' + struct.pack('<IQQ', by, CODE, SIZE)


INNER, INNER_AT = inner(OUTER_AT), OUTER_AT + len(OUTER)
ROWS = b'\x20\2\x80\x20\0\1\1'  # one for all of the code


def cases(many):
    """many(n): how many of what is to be many."""
    return [
        ('compressed sections of terabytes', packed(1 << 42, zlib.compress(bytes(1000)))),
        ('compressed sections of zeros', packed(many(256 * MIB), zlib.compress(bytes(many(256 * MIB)), 1))),
        ('symbols in a packed section', [TEXT, ('.gnu_debugdata', PROGBITS, 0, lzma.compress(bytes(many(64 * MIB)), preset=0) * 30, 0, 0)]),
        ('a hole of 100 GB with symbols', [TEXT, ('.symtab', SYMTAB, 0, 100 << 30, 3, 24), NAMED[2]]),
        ('a hole of 1.9 GB with names', symbols(symbol(1, CODE, SIZE), 1900 * MIB)),
        ('names that are each the end of a longer one',
         symbols(b''.join(symbol(1 + i, CODE + i % SIZE, 1) for i in range(many(100000))), b'\0' + b'a' * many(8 * MIB) + b'\0')),
        ('the same, mangled',
         symbols(b''.join(symbol(1 + 8 * i, CODE + i % SIZE, 1) for i in range(many(50000))), b'\0' + b'_ZSaSaSa' * many(50000) + b'\0')),
        ('holes with debug information', NAMED + [(name, PROGBITS, 0, 1900 * MIB, 0, 0) for name in DEBUG]),
        ('holes with unwind tables and notes', NAMED + [('.eh_frame', PROGBITS, ALLOC, 1900 * MIB, 0, 0),
                                                        ('.note.x', NOTE, ALLOC, 1900 * MIB, 0, 0),
                                                        ('.gopclntab', PROGBITS, ALLOC, 1900 * MIB, 0, 0)]),
        ('20 million rows of lines', debug(OUTER + b'\0', b'\x20' * many(20 * MIB) + b'\0\1\1')),
        ('inlined functions in each other', debug(OUTER + INNER * many(100000) + b'\0' * (many(100000) + 1), ROWS)),
        ('inlined functions beside each other', debug(OUTER + (INNER + b'\0') * many(300000) + b'\0', ROWS)),
        ('an inlined function that is itself', debug(OUTER + inner(INNER_AT) + b'\0\0', ROWS)),
        ('inlined functions that are each the next, around', debug(OUTER + b''.join(
            inner(INNER_AT + (len(INNER) + 1) * ((i + 1) % many(100000))) + b'\0' for i in range(many(100000))) + b'\0', ROWS)),
        ('a function that specifies itself', debug(specified(OUTER_AT), ROWS)),
        ('functions that each specify the next, around', debug(b''.join(
            specified(OUTER_AT + len(specified(0)) * ((i + 1) % many(100000))) for i in range(many(100000))), ROWS)),
        ('inlined functions whose names go around', debug(OUTER + b''.join(
            inner(INNER_AT + (len(INNER) + 1) * 1000 + len(specified(0)) * i) + b'\0' for i in range(1000)) + b''.join(
                specified(INNER_AT + (len(INNER) + 1) * 1000 + len(specified(0)) * ((i + 1) % 1000)) for i in range(1000)) + b'\0', ROWS)),
        ('the same in each other', debug(OUTER + b''.join(
            inner(INNER_AT + len(INNER) * ((i + 1) % 60)) for i in range(60)) + b'\0' * 61, ROWS)),
        ('200,000 units with the same abbreviations', shared(many(200000), False), 'a.c:1'),
        ('200,000 units whose abbreviations overlap', shared(many(200000), True)),
    ]


def recording(path, obj):
    out = switch_file.Recording(argparse.Namespace(chain=True, group=False, no_switches=True, bare=False, cmdline=None,
                                                   plain=False, wide=False))
    who = (switch_file.PID, switch_file.PID)
    out.record(1, 2, struct.pack('<IIQQQ', *who, CODE, SIZE, 0) + obj.encode() + b'\0', who, 1)
    for i in range(10):
        out.line([str(10 + i), 'sample', '100', '1', '%d;%d' % (i, 15 - i)])
    with open(path, 'wb') as f:
        f.write(out.file())


LOOP_AT, LOOPS, FRAMES = 0x5000, 6000, 130


def loops(path, obj, samples):
    """A program whose unwind table has, for every register, an expression that counts down from 247 to 0, and a recording
    with copies of its stack."""
    count = bytes([8, 247, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff])
    rules = b''.join(bytes([0x16, column, len(count)]) + count for column in range(16) if column != 7)
    cie = struct.pack('<IB', 0, 1) + b'\0' + bytes([1, 0x78, 16, 0x0c, 7, 8, 0x90, 1])
    cie = struct.pack('<I', len(cie)) + cie
    fde = struct.pack('<IQQ', len(cie) + 4, CODE, SIZE) + rules
    elf(obj, [TEXT, ('.eh_frame', PROGBITS, ALLOC, cie + struct.pack('<I', len(fde)) + fde, 0, 0)])
    copy = struct.pack('<Q', jit_file.CODE + LOOP_AT + 0x10) * FRAMES
    out = jit_file.record(3, 0, struct.pack('<II', jit_file.PID, jit_file.PID) + b'loop\0', 900)
    out += jit_file.mmap2(1000, jit_file.CODE + LOOP_AT, SIZE, obj)
    out += b''.join(jit_file.sample(2000 + i, LOOP_AT, True, copy) for i in range(samples))
    with open(path, 'wb') as f:
        f.write(jit_file.perf_file(out, True))


def check(perf, sanitized, path, name, wanted):
    """How many commands failed."""
    failed = 0
    for command in COMMANDS:
        # (what takes 4 s takes 25 to 36 under the sanitizers, as machines go)
        status, peak, errors = made.run(perf, command, path, made.CPU_SECONDS * (3 if sanitized else 1))
        with open(path + '.out', encoding='utf-8', errors='replace') as f:
            text = f.read()
        if not all(word in text for word in wanted):
            status, errors = status or -1, errors + 'no %s' % wanted
        if status or (peak > made.MEMORY and not sanitized):
            failed += 1
            print('FAIL %s: %s\n     exit status %d, %d MiB: %s' % (name, command, status, peak >> 20, errors[-300:]))
    return failed


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    perf, failed = os.path.abspath(p.parse_args().perf), 0
    os.environ.pop('DEBUGINFOD_URLS', None)
    sanitized = made.is_sanitized(perf)
    many = made.how_many(sanitized)
    all_cases = cases(many)
    with tempfile.TemporaryDirectory(prefix='perf-objects-') as top:
        path, obj = os.path.join(top, 'file'), os.path.join(top, 'object')
        recording(path, obj)
        for name, sections, *wanted in all_cases:
            elf(obj, sections)
            failed += check(perf, sanitized, path, name, wanted)
            os.unlink(obj)
        loops(path, obj, many(LOOPS))
        failed += check(perf, sanitized, path, 'expressions of unwind tables that go round', [])
    print('%d passed, %d failed, 0 skipped' % ((len(all_cases) + 1) * len(COMMANDS) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
