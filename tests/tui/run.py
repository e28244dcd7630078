#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Drives the terminal interface through a pseudo terminal, and compares what is on its screen.

A file *.t has cases:

  === what is shown
  $ perf report -i $DATA/perfdata/file        what is run, by sh
  size 80x24                                  columns and lines; 80x24 if there is none
  locale C.UTF-8                              C if there is none
  term xterm-256color                         that, if there is none
  ahead kf                                    keys that are pressed before perf runs
  keys + <Down> / m a i n <Enter>             blanks between; then it is waited until perf waits for a key
  type text with blanks                       the characters one by one
  resize 100x30
  signal TERM                                 to perf
  screen                                      and the lines behind it that begin with |; three and more empty ones are "~"
  screen NAME                                 which also stands in doc/tui.md, behind <!-- screen NAME -->
  lines 1-5                                   the same of a part of the screen
  has TEXT, has not TEXT                      is somewhere on the screen
  until TEXT                                  waits until it is
  pause 1.3                                   seconds in which perf may draw
  sh COMMAND                                  must succeed, in the same folder
  needs COMMAND                               the case is skipped where this fails
  before COMMAND                              first of all, in the same folder; $TESTS has the tests
  beside COMMAND                              runs beside perf, as process $BESIDE
  stop beside                                 ends that
  exit 0                                      perf has ended so; -15: by SIGTERM

Each case runs in a folder of its own, $TMP. BLESS=1 rewrites the screens; look at the difference before you commit.
Every case ends with a check that the terminal is as it was: its modes, no alternate screen, the cursor visible.

All keys of all views that were open must have been pressed there in some case ("untested keys" is an error): perf tells
which there are, and which are pressed (--debug tui-keys), and help pages have no others. --views: in these views alone.
"""
import argparse
import concurrent.futures
import fcntl
import os
import pathlib
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

from vt import Terminal

HERE = pathlib.Path(__file__).resolve().parent
NAMED = {'Enter': '\r', 'Esc': '\x1b', 'Tab': '\t', 'Space': ' ', 'Up': '\x1bOA', 'Down': '\x1bOB', 'Right': '\x1bOC',
         'Left': '\x1bOD', 'Home': '\x1bOH', 'End': '\x1bOF', 'PgUp': '\x1b[5~', 'PgDn': '\x1b[6~', 'F1': '\x1bOP',
         'Backspace': '\x7f', 'ShiftTab': '\x1b[Z', 'CtrlU': '\x15', 'CtrlC': '\x03', 'CtrlZ': '\x1a', 'Lt': '<', 'Gt': '>'}
WAITING = {7, 23, 270, 271}  # poll, select, pselect6, ppoll on x86_64
NAMES = {'<Enter>': 'Enter', '<Esc>': 'ESC', '<Left>': 'LEFT', '<Tab>': 'TAB', '<F1>': 'F1', '<Lt>': '<', '<Gt>': '>', '<Space>': 'SPACE'}
PATIENCE = 60
LAYERS = 8  # so many views may be open: q closes one


class Failure(Exception):
    pass


class Skipped(Exception):
    pass


class Case:
    def __init__(self, path, name, line):
        self.path, self.name, self.line = path, name, line
        self.steps = []  # [word, rest, lines]


def parse(path):
    head, cases = [], []
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        if line.startswith('=== '):
            cases.append(Case(path, line[4:], number))
        elif not cases:
            head.append(line)
        elif line.startswith('|'):
            cases[-1].steps[-1][2].append(line[1:])
        elif line and not line.startswith('#'):
            word, _, rest = line.partition(' ')
            cases[-1].steps.append([word, rest, []])
    return head, cases


def without_room(lines):
    """Lines of a screen, without those that are only there since it is large."""
    out, empty = [], 0
    for line in lines + [None]:
        if line == '':
            empty += 1
            continue
        out += ['~'] if empty > 2 else [''] * empty
        empty = 0
        if line is not None:
            out.append(line)
    return out


def write(path, head, cases):
    out = list(head)
    for case in cases:
        out.append('=== ' + case.name)
        for word, rest, lines in case.steps:
            out.append((word + ' ' + rest).rstrip())
            out += ['|' + line for line in lines]
        out.append('')
    path.write_text('\n'.join(out), encoding='utf-8')


class Session:
    """perf on a terminal."""

    def __init__(self, command, ahead, size, env, folder):
        self.terminal = Terminal(*size)
        self.master, self.slave = os.openpty()
        self.resize(size)
        self.before = termios.tcgetattr(self.slave)

        os.write(self.master, ahead.encode())

        def start():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            # nohup, or a shell that starts its jobs in the background, ignores some, and perf leaves those ignored
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_DFL)

        self.stopped = False  # perf has been, the shell reads a line
        self.in_shell = command.startswith('bash')  # which waits by read() and wait4()
        self.process = subprocess.Popen(['sh', '-c', 'exec ' + command], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave, env=env, cwd=folder, preexec_fn=start)

    def resize(self, size):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', size[1], size[0], 0, 0))
        self.terminal.resize(*size)

    def read(self, seconds):
        """Whether there was something."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        data = os.read(self.master, 65536)
        self.terminal.feed(data)
        return bool(data)

    def pid(self):
        """Of perf, or of the shell around it while perf is stopped or has ended."""
        own = self.process.pid
        if not self.in_shell:
            return own
        try:
            with open('/proc/%d/task/%d/children' % (own, own), encoding='ascii') as f:
                child = int(f.read().split()[0])
            with open('/proc/%d/stat' % child, encoding='ascii') as f:
                return own if f.read().rsplit(')', 1)[1].split()[0] == 'T' else child
        except (OSError, IndexError):
            return own

    def waits(self):
        """How often it has waited for something so far; None: it is not there."""
        try:
            with open('/proc/%d/status' % self.pid(), encoding='ascii') as f:
                return int(re.search(r'voluntary_ctxt_switches:\s*(\d+)', f.read())[1])
        except (OSError, TypeError):
            return None

    def is_waiting(self):
        if self.process.poll() is not None:
            return True
        pid = self.pid()
        if self.in_shell and (pid == self.process.pid) != self.stopped:
            return False
        try:
            with open('/proc/%d/syscall' % pid, encoding='ascii') as f:
                number = f.read().split()[0]
        except (OSError, IndexError):
            return False
        return number.isdigit() and int(number) in (WAITING | {0} if self.in_shell else WAITING)

    def is_working(self):
        """It says so while keys wait for what it does."""
        return (self.terminal.text() or [''])[-1].endswith(('ESC: stop', 'stopping ...'))

    def settle(self):
        """Until perf waits for a key, and all that it wrote has been read."""
        end, quiet = time.monotonic() + PATIENCE, 0
        while quiet < 3:
            if time.monotonic() > end:
                raise Failure('perf does not wait for a key')
            if self.read(0.01):
                quiet = 0
            elif self.is_waiting() and not self.is_working():
                quiet += 1
            else:
                quiet = 0

    def until_woken(self, before):
        """The kernel hands over keys and signals some time later."""
        end = time.monotonic() + PATIENCE
        while (before is not None and self.waits() == before and self.process.poll() is None and
               time.monotonic() < end):
            self.read(0.002)

    def press(self, keys):
        for key in keys:
            name = re.fullmatch(r'<(\w+)>', key)
            before = self.waits()
            self.stopped = key == '<CtrlZ>'
            os.write(self.master, (NAMED[name[1]] if name else key).encode())
            self.until_woken(before)
            if key == '<Esc>':
                time.sleep(0.05)
        self.settle()

    def wait(self):
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise Failure('perf does not end')
            self.read(0.01)
        while self.read(0.02):
            pass
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


class Runner:
    def __init__(self, args):
        self.args = args
        self.keys, self.pressed, self.lock = set(), set(), threading.Lock()  # (view, key)
        self.free = set()  # keys of cases that were skipped, wherever they would have been pressed
        self.folder = tempfile.TemporaryDirectory(prefix='tui-perf-')
        self.wrap()
        self.skipped, self.beside = [], {}  # cases; processes by the folder of their case

    def env(self, case, folder):
        env = {'TESTS': str(HERE), 'PATH': self.folder.name + ':/usr/bin:/bin:/usr/sbin:/sbin', 'HOME': folder, 'TMP': folder,
               'DATA': self.args.data, 'TZ': 'UTC', 'TERM': 'xterm-256color', 'LC_ALL': 'C', 'PERF_PAGER': 'cat',
               'PERF_BUILDID_DIR': folder + '/debug', 'DEBUGINFOD_URLS': ''}
        for name in ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS'):
            if name in os.environ:
                env[name] = os.environ[name]
        for word, rest, _ in case.steps:
            if word == 'term':
                env['TERM'] = rest
            elif word == 'locale':
                env['LC_ALL'] = rest
            elif word == 'env':
                env.update([rest.split('=', 1)])
        return env

    def wrap(self):
        """A perf that tells which keys there are, and are pressed; made before there are threads, which fork."""
        path = os.path.join(self.folder.name, 'perf')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nexec %s --debug tui-keys --debug-file "$TMP/.keys.$$" "$@"\n' % self.args.perf)
        os.chmod(path, 0o755)

    def note_keys(self, folder):
        for path in pathlib.Path(folder).glob('.keys.*'):
            for line in path.read_text(encoding='utf-8').splitlines():
                word, _, rest = line.partition(' ')
                view, _, names = rest.rpartition(': ')
                into = self.keys if word == 'view' else self.pressed
                with self.lock:
                    into.update((view, name) for name in names.split())

    def untested(self):
        return sorted('%s: %s' % (view, key) for view, key in self.keys - self.pressed
                      if key not in self.free and (not self.args.views or view in self.args.views))

    def step(self, s, case, step, folder):
        word, rest, lines = step
        if folder in self.beside:
            rest = rest.replace('$BESIDE', str(self.beside[folder].pid))
        if word in ('has', 'until'):
            rest = rest.replace('$TMP', folder)
        if word in ('keys', 'type'):
            keys = rest.split() if word == 'keys' else list(rest)
            s.press(keys)
        elif word == 'resize':
            before = s.waits()
            s.resize(tuple(int(n) for n in rest.split('x')))
            s.until_woken(before)
            s.settle()
        elif word == 'signal':
            os.kill(s.process.pid, getattr(signal, 'SIG' + rest))
            time.sleep(0.05)
        elif word in ('screen', 'lines'):
            text = [line.replace(folder, '$TMP') for line in s.terminal.text()]
            first, last = rest.split('-') if word == 'lines' else (1, len(text))
            text = without_room(text[int(first) - 1:int(last)])
            if os.environ.get('BLESS'):
                step[2] = text
            elif text != lines:
                raise Failure('the screen is\n' + '\n'.join('|' + t for t in text))
        elif word == 'has':
            has_not = rest.startswith('not ')
            wanted = rest[4:] if has_not else rest
            if any(wanted in line for line in s.terminal.text()) == has_not:
                raise Failure('has %s: the screen is\n%s' % (rest, '\n'.join('|' + t for t in s.terminal.text())))
        elif word == 'until':
            end = time.monotonic() + PATIENCE
            while not any(rest in line for line in s.terminal.text()):
                if time.monotonic() > end or s.process.poll() is not None:
                    raise Failure('no %s: the screen is\n%s' % (rest, '\n'.join('|' + t for t in s.terminal.text())))
                s.read(0.05)
        elif word == 'pause':
            end = time.monotonic() + float(rest)
            while time.monotonic() < end:
                s.read(0.05)
        elif word == 'stop':
            self.beside[folder].kill()
            self.beside[folder].wait()
        elif word == 'sh':
            done = subprocess.run(['sh', '-c', rest], cwd=folder, env=self.env(case, folder), capture_output=True,
                                  text=True, check=False)
            if done.returncode:
                raise Failure('%s: %d\n%s%s' % (rest, done.returncode, done.stdout, done.stderr))
        elif word == 'exit':
            if s.wait() != int(rest):
                raise Failure('exit %s, not %s\n%s' % (s.process.returncode, rest, '\n'.join(s.terminal.text())))
        else:
            raise Failure('unknown step ' + word)

    def play(self, case, folder):
        size, commands = (80, 24), [rest for word, rest, _ in case.steps if word == '$']
        for word, rest, _ in case.steps:
            if word == 'size':
                size = tuple(int(n) for n in rest.split('x'))
        env = self.env(case, folder)
        for word, rest, _ in case.steps:
            if word in ('before', 'needs'):
                done = subprocess.run(['sh', '-ec', rest], cwd=folder, env=env, check=False, capture_output=word == 'needs')
                if done.returncode and word == 'needs':
                    raise Skipped(rest)
                if done.returncode:
                    raise Failure('before: exit %d' % done.returncode)
            elif word == 'beside':
                self.beside[folder] = subprocess.Popen(['sh', '-c', 'exec ' + rest], cwd=folder, env=env)
                env['BESIDE'] = str(self.beside[folder].pid)
        ahead = ''.join(rest for word, rest, _ in case.steps if word == 'ahead')
        s = Session(commands[0], ahead, size, env, folder)
        try:
            s.settle()
            for step in case.steps:
                if step[0] not in ('$', 'ahead', 'size', 'locale', 'term', 'env', 'before', 'needs', 'beside'):
                    self.step(s, case, step, folder)
            for _ in range(LAYERS):
                if s.process.poll() is None:
                    s.press(['q'])
            s.wait()
            if termios.tcgetattr(s.slave) != s.before:
                raise Failure('the modes of the terminal are not what they were')
            left = s.terminal.modes & {1049, 1000, 1002, 1006, 2004, 1}
            if left or (25 not in s.terminal.modes and 1049 in s.terminal.modes):
                raise Failure('modes left in the terminal: %s' % sorted(left))
            if s.terminal.bad:
                raise Failure('sequences that no terminal should get: %r' % s.terminal.bad)
        finally:
            s.close()

    def run(self, case):
        folder = tempfile.mkdtemp(prefix='tui-perf-')
        try:
            self.play(case, folder)
            return None
        except Skipped as e:
            with self.lock:
                self.skipped.append('%s: %s' % (case.name, e))
                self.free.update(NAMES.get(key, key) for word, rest, _ in case.steps if word == 'keys' for key in rest.split())
            return None
        except Failure as e:
            return str(e)
        finally:
            self.note_keys(folder)
            if folder in self.beside:
                self.beside[folder].kill()
                self.beside[folder].wait()
            shutil.rmtree(folder)


def check_doc(path, cases, bless):
    """Screens in the documentation are those of the cases: the names of those that are not."""
    named = {rest: lines for c in cases for word, rest, lines in c.steps if word == 'screen' and rest}
    text, wrong = path.read_text(encoding='utf-8'), []

    def shown(m):
        lines = '\n'.join(named.get(m[2], ['there is no such screen']))
        if m[3].rstrip('\n') != lines:
            wrong.append(m[2])
        return m[1] + lines + '\n```\n'

    new = re.sub(r'(<!-- screen (\S+) -->\n```text\n)(.*?)```\n', shown, text, flags=re.S)
    if bless and wrong:
        path.write_text(new, encoding='utf-8')
    return [] if bless else wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--perf', required=True)
    p.add_argument('--data', default=str(HERE.parent / 'data'))
    p.add_argument('--views', nargs='*', default=[], help='views whose keys must all be pressed; all, if no case is chosen')
    p.add_argument('--but', action='append', default=[], help='a file that is left out')
    p.add_argument('only', nargs='*', help='files, or parts of names of cases')
    args = p.parse_args()
    args.perf, args.data = os.path.abspath(args.perf), os.path.abspath(args.data)
    if 'tui: [ on ' not in subprocess.run([args.perf, 'version', '--build-options'], capture_output=True, text=True,
                                          check=True).stdout:
        print('skipped: built without a terminal interface')
        return 77
    runner, failed, all_cases, everything = Runner(args), 0, 0, []
    for path in sorted(HERE.glob('*.t')):
        head, cases = parse(path)
        everything += cases
        chosen = [c for c in cases if path.name not in args.but and
                  (not args.only or any(o in c.name or o in str(path) for o in args.only))]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for case, result in zip(chosen, pool.map(runner.run, chosen)):
                all_cases += 1
                if result:
                    failed += 1
                    print('FAIL %s:%d %s\n%s\n' % (path.name, case.line, case.name, result))
        if os.environ.get('BLESS'):
            write(path, head, cases)
    for name in check_doc(HERE.parents[1] / 'doc/tui.md', everything, os.environ.get('BLESS')):
        failed += 1
        print('doc/tui.md: the screen "%s" is another one' % name)
    if runner.untested() and (not args.only or args.views):
        failed += 1
        print('untested keys: ' + ', '.join(runner.untested()))
    for name in runner.skipped:
        print('skipped: ' + name)
    print('%d cases, %d failed' % (all_cases, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
