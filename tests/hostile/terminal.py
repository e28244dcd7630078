#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Names that are commands of a terminal, in every place of a recording that has names: none reaches the terminal,
and in a pipe none forges a line.

    terminal.py --perf BUILD/perf
"""
import argparse
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import make_switch_file as switch_file  # noqa: E402

LIMIT = 120  # s, for what hangs
# ESC, C1 in UTF-8 and as a byte, a new line, a return, BEL, a turned direction
EVIL = 'a\x1b]0;t\x07\u009b31m\n777 FORGED\r\u202e'.encode() + b'\x9bz'
STRINGS = {3: 'hostname', 4: 'osrelease', 5: 'version', 8: 'cpudesc', 9: 'cpuid'}
FEAT_BUILD_ID, FEAT_CMDLINE, FEAT_GROUP, FEAT_PMUS = 2, 11, 17, 16
COMMANDS = ['report --stdio --header', 'report --stdio -s comm,dso,sym,srcline -g folded --no-children',
            'report --stdio -s comm,dso,sym -g graph', 'report --stdio -s comm,dso -g flat', 'report --tasks', 'report --mmaps',
            'report --stats', 'report -D', 'report --stdio --group -n', 'report --stdio -t ,',
            'script --header -F +sym,symoff,dso', 'script --show-task-events --show-mmap-events', 'script -F comm,event,sym,dso',
            'evlist', 'evlist -v', 'evlist -F', 'evlist -g', 'buildid-list', 'buildid-list -H', 'report --header-only -I',
            'report --stdio -v', 'script -v', 'report --json', 'report --json -H -s comm,dso,sym', 'report --json --group -n']


class Evil(switch_file.Recording):
    @staticmethod
    def raw(data):
        data += b'\0'
        data += bytes(-len(data) % 64)
        return struct.pack('<I', len(data)) + data

    def string(self, text):
        return self.raw(EVIL if text != 'x86_64' else text.encode())

    def features(self):
        out = super().features()
        for bit in STRINGS:
            out[bit] = self.raw(EVIL)
        out[FEAT_CMDLINE] = struct.pack('<I', 2) + 2 * self.raw(EVIL)
        out[FEAT_PMUS] = struct.pack('<II', 1, 1) + self.raw(EVIL)
        out[FEAT_GROUP] = struct.pack('<I', 1) + self.raw(EVIL) + struct.pack('<II', 0, 2)
        name = EVIL + b'/obj\0'
        name += bytes(-len(name) % 64)
        out[FEAT_BUILD_ID] = struct.pack('<IHHi20sI', 0, 2, 36 + len(name), -1, bytes(range(20)), 0) + name
        return out


def recording(name=b'/tmp/' + EVIL):
    out = Evil(argparse.Namespace(chain=True, group=True, no_switches=True, bare=False, cmdline='x', plain=False, wide=False))
    who = (switch_file.PID, switch_file.PID)
    out.record(3, 0, struct.pack('<II', *who) + EVIL[:15] + b'\0', who, 1)
    out.record(3, 0, struct.pack('<II', *who) + b'n\n777 FORGE' + b'\0', who, 2)
    out.record(1, 2, struct.pack('<IIQQQ', *who, switch_file.CODE, 0x1000, 0) + name + b'\0', who, 3)
    for i in range(4):
        out.line([str(10 + i), 'sample', '100', '5', '0;1;%d' % i])
    return out.file()


def on_terminal(perf, command, path, env):
    """What a terminal gets, both of output and errors."""
    master, slave = pty.openpty()
    out = b''
    with subprocess.Popen([perf] + command.split() + ['-i', path], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          env=env) as child:
        os.close(slave)
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            out += piece
        child.wait(LIMIT)
    os.close(master)
    return out


def bad_bytes(out):
    text = out.replace(b'\r\n', b'\n').decode('utf-8', 'surrogateescape')
    return re.findall('[^\n]{0,20}[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udc9f\u202a-\u202e\u2066-\u2069]', text)


def check_json(perf, path, env):
    """Names as long as a record can hold, of what passes for UTF-8 but is none, are JSON, byte for byte."""
    name = (b'/' + b'\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80\xff"\\\x1b' + '\u00e9'.encode()) * 5000
    name = name[:65000]
    with open(path, 'wb') as f:
        f.write(recording(name))
    # bytes that are no UTF-8 are Latin-1
    expected = re.sub('[\udc80-\udcff]', lambda m: chr(ord(m[0]) - 0xdc00), name.decode('utf-8', 'surrogateescape'))
    out = subprocess.run([perf, 'report', '--json', '-v', '-s', 'dso', '-i', path], stdin=subprocess.DEVNULL,
                         capture_output=True, env=env, timeout=LIMIT, check=False).stdout
    try:
        dsos = {row['cells']['dso'] for s in json.loads(out.decode())['sections'] for row in s['rows']}
    except ValueError as e:
        return str(e)
    return '' if expected in dsos else 'the name is another one: %s' % ascii(sorted(dsos))[:200]


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    perf = os.path.abspath(p.parse_args().perf)
    failed = 0
    env = dict(os.environ, PERF_CONFIG='/dev/null', LC_ALL='C', TERM='dumb', PERF_PAGER='cat')
    with tempfile.TemporaryDirectory(prefix='perf-terminal-') as top:
        path = os.path.join(top, 'file')
        with open(path, 'wb') as f:
            f.write(recording())
        for command in COMMANDS:
            out = on_terminal(perf, command, path, env)
            piped = subprocess.run([perf] + command.split() + ['-i', path], stdin=subprocess.DEVNULL, capture_output=True,
                                   env=env, timeout=LIMIT, check=False)
            problems = bad_bytes(out)
            forged = re.findall(b'(?m)^ *777 FORGE.*', piped.stdout) + re.findall(b'(?m)^ *777 FORGE.*', out)
            if '--json' in command:
                try:
                    json.loads(piped.stdout.decode())
                except ValueError as e:
                    problems.append(str(e))
            if problems or forged or not out:
                failed += 1
                print('FAIL %s\n     %s' % (command, [ascii(x) for x in problems[:3] + forged[:3]] or 'no output'))
        problem = check_json(perf, path, env)
        if problem:
            failed += 1
            print('FAIL names in JSON: %s' % problem)
    print('%d passed, %d failed, 0 skipped' % (len(COMMANDS) + 1 - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
