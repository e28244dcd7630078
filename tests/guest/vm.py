# SPDX-License-Identifier: GPL-2.0-or-later
"""A virtual machine for tests: boots once, runs one script, brings back /tmp/out.

PERF_VM holds the command that starts it (see tools/arm64.sh): without it the tests are skipped.

A guest whose CPUs are emulated hangs now and then, with any program: its kernel waits for a CPU that does not
answer. Such a guest is told from a test that failed by its silence, or by its kernel's own word, and started again.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
NO_GUEST = 125
LIMIT = 800  # seconds, for a guest that hangs: an emulated one on a busy machine takes minutes
SILENT = 240  # seconds without a line: the script says the name of each run before it begins
STARTS = 4
STALL = b'Kernel panic - not syncing: RCU Stall'


class Guest:
    def __init__(self, top):
        self.top = pathlib.Path(top)
        self.out = self.top / 'out'

    def stripped(self, program):
        """A copy without debug information: what is brought into the guest costs time there."""
        copy = self.top / 'stripped'
        if not shutil.which('strip') or subprocess.run(['strip', '-g', '-o', copy, program], check=False).returncode:
            return program
        return copy

    def boot(self, script, copies, options=(), fetch=()):
        """Runs the script with the files (source, target). False: no guest, and a line says so."""
        vm = os.environ.get('PERF_VM')
        if not vm:
            print('skipped: PERF_VM names no program that starts a guest, see tools/arm64.sh')
            return False
        command = shlex.split(vm) + ['--timeout', str(LIMIT), *options]
        for source, target in (*copies, (HERE / script, '/' + script)):
            command += ['--copy', '%s:%s' % (source, target)]
        for source, target in (('/tmp/out', self.out), *fetch):
            command += ['--get', '%s:%s' % (source, target)]
        command += ['--console', str(self.top / 'console'), '--', 'sh /' + script]
        for _ in range(STARTS):
            status, hung = self.run(command)
            if not hung:
                break
            print('note: the guest hung at "%s"' % self.said('stdout').strip().rpartition('\n')[2])
        if status == NO_GUEST and not hung:
            print('skipped: no guest: ' + self.said('stderr')[-2000:])
            return False
        assert self.out.is_dir(), self.said('stderr')
        return True

    def run(self, command):
        """Its exit status, and whether the guest hung."""
        heard, size = time.monotonic(), 0
        with open(self.top / 'stdout', 'wb') as out, open(self.top / 'stderr', 'wb') as err:
            guest = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            while guest.poll() is None:
                time.sleep(0.2)
                if os.fstat(out.fileno()).st_size != size:
                    heard, size = time.monotonic(), os.fstat(out.fileno()).st_size
                elif time.monotonic() - heard > SILENT:
                    guest.terminate()  # which ends what it started, and removes its files
                    return guest.wait(), True
        return guest.returncode, STALL in self.bytes_of('console')

    def bytes_of(self, name):
        path = self.top / name
        return path.read_bytes() if path.exists() else b''

    def said(self, name):
        return self.bytes_of(name).decode('utf-8', 'replace')

    def text(self, name):
        return (self.out / name).read_text(encoding='utf-8', errors='replace')

    def status(self, name):
        return int(self.text(name + '.rc'))

    def rows(self, name):
        """{event: fields} of `stat -x,`, which must have succeeded; messages have fewer commas."""
        assert self.status(name) == 0, self.text(name + '.err')
        rows = [line.split(',') for line in self.text(name + '.err').splitlines()]
        return {row[2]: row for row in rows if len(row) > 2}
