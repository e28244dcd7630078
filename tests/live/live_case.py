# SPDX-License-Identifier: GPL-2.0-or-later
"""What the live tests share: running a command in a private directory and the closing count."""
import argparse
import concurrent.futures
import fnmatch
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tools'))
import leave_nothing

SKIP_EXIT = 77
ABORTED = (134, 139)  # exit status for SIGABRT, SIGSEGV
AT_ONCE = 4  # cases that mostly wait, on however few CPUs


def is_reference(path):
    """perf 6.1, whose texts and records are known: Debian 13 has another."""
    try:
        return 'version 6.1.' in subprocess.run([path, '--version'], capture_output=True, text=True,
                                                check=False).stdout.replace('\n', '.')
    except OSError:
        return False


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


class Made:
    """A directory in which a command has run, or is to."""

    def __init__(self, top):
        self.lock, self.result, self.folder = threading.Lock(), None, tempfile.mkdtemp(prefix='made-', dir=top)
        os.chmod(self.folder, 0o755)


class Suite:
    """Collects cases: check() runs a function that raises AssertionError or Skip."""

    def __init__(self, description):
        p = argparse.ArgumentParser(description=description)
        p.add_argument('--perf', required=True, help='the program under test')
        p.add_argument('--ref', default='/usr/bin/perf', help='the reference, for what it must read')
        p.add_argument('--libdw', help='tests/tools/libdw_stacks, if it could be built')
        p.add_argument('--all', action='store_true', help='also what takes long or depends on what '
                       'else the machine does')
        p.add_argument('-v', '--verbose', action='store_true')
        p.add_argument('only', nargs='*', help='only the cases that match these globs')
        self.args = p.parse_args()
        # (a shell has what it runs in the background ignore these, and perf leaves it at that)
        for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
            signal.signal(number, signal.SIG_DFL)
        self.perf = os.path.abspath(self.args.perf)
        self.ref = self.args.ref if is_reference(self.args.ref) else None
        # (perf takes whatever begins with /tmp/perf- for code of a JIT compiler)
        self.top = tempfile.mkdtemp(prefix='live-perf-')
        os.chmod(self.top, 0o755)
        self.env = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
                    'LC_ALL': 'C', 'TERM': 'dumb', 'HOME': self.top, 'PERF_CONFIG': '/dev/null',
                    **leave_nothing.mark()}
        for name in ('ASAN_OPTIONS', 'TSAN_OPTIONS', 'UBSAN_OPTIONS'):
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.passed = self.failed = self.skipped = 0
        self.thread = threading.local()
        self.lock, self.makes = threading.Lock(), {}

    @property
    def here(self):
        """The directory of the case that this thread runs (check_all()), else the private one of all."""
        return getattr(self.thread, 'folder', self.top)

    def sh(self, command, limit=300, **extra):
        """Runs a shell command line in the private directory; `perf` is the one under test. The limit is for what
        hangs: a busy machine may take its time."""
        script = 'perf() { "%s" "$@"; }\n%s' % (self.perf, command)
        try:
            done = subprocess.run(['bash', '-c', script], stdin=subprocess.DEVNULL,
                                  capture_output=True, cwd=self.here, timeout=limit,
                                  env=dict(self.env, PERF=self.perf, **extra), check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError('still running after %d s' % limit) from None
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return Result(status, done.stdout.decode('utf-8', 'replace'),
                      done.stderr.decode('utf-8', 'replace'))

    def made(self, command, files=None, **extra):
        """What a shell command makes in a directory that has the files (name: text), put into this case's (self.here): it
        runs once for all cases, which get copies that they may change. Returns its result."""
        files = files or {}
        with self.lock:
            key = command, *files.items(), *extra.items()
            once = self.makes[key] = self.makes.get(key) or Made(self.top)
        with once.lock:
            if not once.result:
                for name, text in files.items():
                    with open(os.path.join(once.folder, name), 'w', encoding='utf-8') as f:
                        f.write(text)
                here, self.thread.folder = self.here, once.folder
                try:
                    once.result = self.sh(command, **extra)
                finally:
                    self.thread.folder = here
        shutil.copytree(once.folder, self.here, symlinks=True, dirs_exist_ok=True)
        return once.result

    def has(self, feature):
        """Whether this build has it (perf check feature)."""
        return not subprocess.run([self.perf, 'check', '-q', 'feature', feature], check=False).returncode

    def check(self, name, function, *args):
        if self.is_wanted(name):
            self.tell(name, *self.verdict(function, args))

    def check_all(self, cases, at_once=AT_ONCE):
        """check() of each (name, function, argument...), some at a time, each in an empty directory of its own
        (self.here); told in their order."""
        cases = [c for c in cases if self.is_wanted(c[0])]
        for case, verdict in zip(cases, self.at_once(lambda c: self.verdict(c[1], c[2:]), cases, at_once)):
            self.tell(case[0], *verdict)

    def at_once(self, function, items, at_once=AT_ONCE):
        """The function's results in the order of the items; each call has an empty directory, self.here."""
        def one(item):
            self.thread.folder = tempfile.mkdtemp(prefix='case-', dir=self.top)
            os.chmod(self.thread.folder, 0o755)
            try:
                return function(item)
            finally:
                shutil.rmtree(self.thread.folder, ignore_errors=True)
                del self.thread.folder
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            yield from pool.map(one, items)

    def is_wanted(self, name):
        return not self.args.only or any(fnmatch.fnmatch(name, g) for g in self.args.only)

    @staticmethod
    def verdict(function, args):
        try:
            function(*args)
        except Skip as why:
            return 'skip', str(why)
        except AssertionError as why:
            return 'FAIL', str(why)
        return 'ok', ''

    def tell(self, name, verdict, why):
        if verdict == 'skip':
            self.skipped += 1
            print('skip %s: %s' % (name, why))
        elif verdict == 'FAIL':
            self.failed += 1
            print('FAIL %s\n     %s' % (name, why.replace('\n', '\n     ')))
        else:
            self.passed += 1
            if self.args.verbose:
                print('ok   %s' % name)
        sys.stdout.flush()

    def drop_maps(self, recording):
        """Removes what JIT compilers left in /tmp: the maps of the recorded command's processes."""
        for pid in set(self.sh('perf script -F pid -G -i ' + recording).out.split()):
            for left in ('/tmp/perf-%s.map' % pid, '/tmp/jit-%s.dump' % pid):
                if os.path.exists(left):
                    os.unlink(left)

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)
        print('%d passed, %d failed, %d skipped' % (self.passed, self.failed, self.skipped))
        if self.failed:
            return 1
        return 0 if self.passed or not self.skipped else SKIP_EXIT


class Skip(Exception):
    """The machine cannot do what the case needs."""


def need_zstd(suite):
    if not suite.has('zstd'):
        raise Skip('built without zstd')


def need_all_pids():
    """Outside of the initial pid namespace (PROC_PID_INIT_INO) other tasks are all recorded as pid 0, and
    the fields of tracepoints have pids of another namespace."""
    if os.readlink('/proc/self/ns/pid') != 'pid:[4026531836]':
        raise Skip('in a pid namespace')


def need_root():
    if os.geteuid() != 0:
        raise Skip('needs root')


def need_program(name):
    if not shutil.which(name):
        raise Skip("no program '%s'" % name)


def in_chroot():
    """Where who enters the mount namespace that he is in, as perf 6.1 does, has another root than before."""
    r = subprocess.run(['nsenter', '--mount=/proc/self/ns/mnt', 'stat', '-c', '%d %i', '/'], capture_output=True,
                       text=True, check=False)
    root = os.stat('/')
    return not r.returncode and r.stdout.split() != [str(root.st_dev), str(root.st_ino)]


def need_mount_namespace():
    """Root of a chroot that is no mount point cannot have one."""
    with open('/proc/self/mountinfo') as f:
        mounts = [line.split() for line in f]
    if any(m[4] == '/' and m[3] != '/' for m in mounts):
        raise Skip('in a chroot: the kernel tells paths from the real root')
    need_root()
    need_program('unshare')
    r = subprocess.run(['unshare', '-m', 'true'], capture_output=True, text=True, check=False)
    if r.returncode:
        raise Skip('no mount namespace: ' + r.stderr.strip())


def show(result):
    return 'exit %d\nstdout: %s\nstderr: %s' % (result.status, result.out[:300], result.err[:600])
