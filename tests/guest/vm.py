# SPDX-License-Identifier: GPL-2.0-or-later
"""A virtual machine for tests: boots once, runs one script, brings back /tmp/out.

PERF_VM holds the command that starts it (see tools/arm64.sh): without it the tests are skipped.
"""
import os
import pathlib
import shlex
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
NO_GUEST = 125
LIMIT = 800  # seconds, for a guest that hangs: an emulated one on a busy machine takes minutes


class Guest:
    def __init__(self, top):
        self.top = pathlib.Path(top)
        self.out = self.top / 'out'

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
        done = subprocess.run(command + ['--', 'sh /' + script], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        if done.returncode == NO_GUEST:
            print('skipped: no guest: ' + done.stderr.decode('utf-8', 'replace')[-2000:])
            return False
        assert self.out.is_dir(), done.stderr.decode('utf-8', 'replace')
        return True

    def text(self, name):
        return (self.out / name).read_text(encoding='utf-8', errors='replace')

    def status(self, name):
        return int(self.text(name + '.rc'))

    def rows(self, name):
        """{event: fields} of `stat -x,`, which must have succeeded; messages have fewer commas."""
        assert self.status(name) == 0, self.text(name + '.err')
        rows = [line.split(',') for line in self.text(name + '.err').splitlines()]
        return {row[2]: row for row in rows if len(row) > 2}
