#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Root's perf where another user has prepared links, fifos and caches: it changes no file that it was not asked to
change, and does not wait. What root must not lose is made for each case, in a folder of its own."""
import bz2
import concurrent.futures
import ctypes
import io
import os
import re
import select
import shutil
import stat
import struct
import sys
import tarfile

from live_case import Skip, Suite, need_root, show

OTHER = 65534
HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = 'perf record -q -e cpu-clock'
LOOP = r'i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done'
TEXT = 'root: what must stay\n'


class Case:
    """A folder of root's (mine) with files that must stay, and one of the other user's (theirs)."""

    def __init__(self, suite):
        self.suite, self.here = suite, suite.here
        self.mine, self.theirs = self.here + '/mine', self.here + '/theirs'
        os.mkdir(self.mine, 0o755)
        os.mkdir(self.theirs, 0o755)
        shutil.copy('/bin/true', self.mine + '/tool')
        shutil.copy('/bin/sleep', self.mine + '/prog')
        self.write('mine/text', TEXT)
        self.write('mine/empty', '')
        self.before = self.look()

    def write(self, name, text):
        with open(os.path.join(self.here, name), 'w', encoding='utf-8') as f:
            f.write(text)

    def give(self, top=None):
        """What lies in the other user's folder becomes theirs, but not what links lead to, and no other name of a
        file of root's."""
        top = top or self.theirs
        for folder, dirs, files in os.walk(top):
            for name in dirs + files:
                path = os.path.join(folder, name)
                if os.lstat(path).st_nlink == 1 or os.path.isdir(path):
                    os.lchown(path, OTHER, OTHER)
        os.chown(top, OTHER, OTHER)

    def look(self, top=None):
        """Everything below root's folder: kind, owner, contents."""
        found = {}
        for folder, dirs, files in os.walk(top or self.mine):
            for name in dirs + files:
                path = os.path.join(folder, name)
                st = os.lstat(path)
                text = b''
                if stat.S_ISREG(st.st_mode):
                    with open(path, 'rb') as f:
                        text = f.read()
                found[path] = (st.st_mode, st.st_uid, text)
        return found

    def stays(self, r):
        now = self.look()
        changed = [p for p in set(now) | set(self.before) if now.get(p) != self.before.get(p)]
        assert not changed, 'changed: %s\n%s' % (changed, show(r))

    def sh(self, command, **extra):
        return self.suite.sh(command, limit=120, **extra)


def build_id(suite, path):
    r = suite.sh('perf buildid-list -i %s' % path)
    ids = re.findall(r'\b[0-9a-f]{40}\b', r.out)
    if not ids:
        out = suite.sh('readelf -n %s' % path).out
        ids = re.findall(r'Build ID: ([0-9a-f]{40})', out)
    if not ids:
        raise Skip('%s has no build id' % path)
    return ids[0]


def archive_of(path, rows):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as t:
        for name, kind, what in rows:
            m = tarfile.TarInfo(name)
            m.type, m.mode = kind, 0o755
            m.linkname = '' if kind == tarfile.REGTYPE else what
            m.size = len(what) if kind == tarfile.REGTYPE else 0
            t.addfile(m, io.BytesIO(what if kind == tarfile.REGTYPE else b''))
    with open(path, 'wb') as f:
        f.write(bz2.compress(out.getvalue()))


def need_bzip(suite):
    if not re.search(r'bzip2: \[ on', suite.sh('perf version --build-options').out):
        raise Skip('this perf was built without libbz2')


# ---- the cache of objects

def cache_link_in_archive(suite):
    """A member becomes another name of an object that is a hard link of a program."""
    need_bzip(suite)
    c = Case(suite)
    tool, prog = c.mine + '/tool', c.mine + '/prog'
    r = c.sh('perf --buildid-dir %s/cache buildid-cache -a %s' % (c.here, tool))
    assert r.status == 0, show(r)
    entry = '%s/%s' % (tool[1:], build_id(suite, tool))
    assert os.path.exists('%s/cache/%s/elf' % (c.here, entry))
    for leaf in ('elf', 'probes', 'debug'):
        archive_of(c.here + '/a.tar.bz2', [('%s/%s/%s' % (prog[1:], build_id(suite, prog), leaf), tarfile.LNKTYPE,
                                            entry + '/elf')])
        r = c.sh('perf --buildid-dir cache archive --unpack a.tar.bz2')
        assert r.status == 1 and 'no file of this archive' in r.err, show(r)
        c.stays(r)
    r = c.sh('perf --buildid-dir cache buildid-cache -a %s' % prog)
    assert r.status == 0, show(r)
    c.stays(r)


def cache_own_links(suite):
    """Hard links between members of the archive are made."""
    need_bzip(suite)
    c = Case(suite)
    archive_of(c.here + '/a.tar.bz2', [('p/1234/elf', tarfile.REGTYPE, b'x'), ('p/1234/debug', tarfile.LNKTYPE, 'p/1234/elf')])
    r = c.sh('perf --buildid-dir cache archive --unpack a.tar.bz2')
    assert r.status == 0 and os.stat(c.here + '/cache/p/1234/elf').st_nlink == 2, show(r)


def planted_cache(c):
    """A home of the other user whose cache has names of root's files where perf would write."""
    cache = c.theirs + '/.debug'
    for name in ('tool', 'prog'):
        path = c.mine + '/' + name
        entry = '%s%s/%s' % (cache, path, build_id(c.suite, path))
        os.makedirs(entry)
        os.link(c.mine + '/text', entry + '/probes')
        os.symlink(c.mine + '/text', entry + '/debug')
        os.makedirs('%s/.build-id/%s' % (cache, build_id(c.suite, path)[:2]), exist_ok=True)
    kernels = cache + '/[kernel.kcore]'
    os.symlink(c.mine, kernels)
    c.give()
    return cache


def cache_of_other(suite, command, words):
    c = Case(suite)
    cache = planted_cache(c)
    before = c.look(cache)
    for extra in ({'HOME': c.theirs}, {'PERF_BUILDID_DIR': cache}):
        r = c.sh(command.replace('MINE', c.mine).replace('CACHE', cache), **extra)
        assert re.search(words, r.err), show(r)
        c.stays(r)
        assert c.look(cache) == before, show(r)


def record_cache(suite):
    """Recording works, without copies, and says so once."""
    c = Case(suite)
    cache = planted_cache(c)
    before = c.look(cache)
    r = c.sh('cp mine/prog p; %s -F 5000 -o perf.data sh -c "for i in 1 2 3 4 5 6 7 8 9; do %s/tool; done"' %
             (RECORD.replace(' -q', ''), c.mine), HOME=c.theirs)
    assert r.status == 0 and r.err.count('no copies of objects are kept') == 1 and 'PERF_BUILDID_DIR' in r.err, show(r)
    assert c.look(cache) == before, show(r)
    c.stays(r)
    r = c.sh('perf report -i perf.data --stdio', HOME=c.theirs)
    assert r.status == 0 and '%' in r.out, show(r)


def cache_below_other(suite):
    """Root's own folder in a home of another user, who can put another in its place."""
    c = Case(suite)
    c.give()
    os.mkdir(c.theirs + '/.debug')
    r = c.sh('perf buildid-cache -a %s/tool' % c.mine, HOME=c.theirs)
    assert r.status == 255 and "uid %d" % OTHER in r.err and not os.listdir(c.theirs + '/.debug'), show(r)
    os.rmdir(c.theirs + '/.debug')
    r = c.sh('perf buildid-cache -a %s/tool' % c.mine, HOME=c.theirs)
    assert r.status == 255 and not os.listdir(c.theirs), show(r)


def cache_writable(suite):
    """A folder that all can write to is no better; below a sticky one it is."""
    c = Case(suite)
    os.mkdir(c.here + '/all')
    os.chmod(c.here + '/all', 0o1777)
    r = c.sh('perf --buildid-dir all buildid-cache -a %s/tool' % c.mine)
    assert r.status == 255 and 'by other users' in r.err, show(r)
    r = c.sh('perf --buildid-dir all/mine buildid-cache -a %s/tool' % c.mine)
    assert r.status == 0, show(r)
    c.stays(r)


def cache_of_own(suite):
    """An ordinary user's cache is this user's business."""
    c = Case(suite)
    c.give()
    shutil.copy(suite.perf, c.here + '/perf')
    r = c.sh('setpriv --reuid %d --regid %d --clear-groups ./perf buildid-cache -a %s/tool && '
             'find theirs/.debug -name elf' % (OTHER, OTHER, c.mine), HOME=c.theirs)
    assert r.status == 0 and '/elf' in r.out, show(r)
    c.stays(r)


def cache_no_privileges(suite):
    """A copy of a program that runs with its owner's rights does not outlive its update."""
    c = Case(suite)
    tool = c.mine + '/tool'
    os.chmod(tool, 0o4755)
    r = c.sh('perf --buildid-dir cache buildid-cache -a %s' % tool)
    st = os.stat('%s/cache%s/%s/elf' % (c.here, tool, build_id(suite, tool)))
    assert r.status == 0 and st.st_nlink == 1 and not st.st_mode & 0o7000, (show(r), oct(st.st_mode))


def bombs(suite):
    need_bzip(suite)
    c = Case(suite)
    zeros = b'\0' * (80 << 20)
    archive_of(c.here + '/a.tar.bz2', [('p/1234/elf', tarfile.REGTYPE, zeros)])
    r = c.sh('perf --buildid-dir cache archive --unpack a.tar.bz2')
    assert r.status == 1 and 'more than 100 times its size' in r.err, show(r)
    assert not os.path.exists(c.here + '/cache/p/1234/elf'), show(r)
    with open(c.here + '/a.tar.bz2', 'rb') as f:
        archive_of(c.here + '/b.tar.bz2', [('perf.symbols.tar.bz2', tarfile.REGTYPE, f.read())])
    r = c.sh('perf --buildid-dir cache archive --unpack b.tar.bz2')
    assert r.status == 1 and 'more than 100 times its size' in r.err, show(r)
    r = c.sh('perf --buildid-dir cache archive -f --unpack a.tar.bz2')
    assert r.status == 0 and os.path.getsize(c.here + '/cache/p/1234/elf') == len(zeros), show(r)


def unpack_into_other(suite):
    """archive --unpack where the cache is another user's: nothing is made there."""
    need_bzip(suite)
    c = Case(suite)
    cache = planted_cache(c)
    before = c.look(cache)
    archive_of(c.here + '/a.tar.bz2', [('p/1234/elf', tarfile.REGTYPE, b'x')])
    for extra in ({'HOME': c.theirs}, {'PERF_BUILDID_DIR': cache}):
        r = c.sh('perf archive --unpack a.tar.bz2', **extra)
        assert r.status == 1 and r.err.count('error:') == 1 and 'not used by root' in r.err, show(r)
        assert c.look(cache) == before and not os.path.exists(c.here + '/p'), show(r)
        c.stays(r)


def unpack_found(suite):
    """The archive of the current folder, if that is no FIFO (which would be waited for) and nobody else's."""
    need_bzip(suite)
    c = Case(suite)
    name = c.theirs + '/perf.all-x.tar.bz2'
    os.mkfifo(name, 0o666)
    c.give()
    r = c.sh('cd theirs && timeout 20 "$PERF" --buildid-dir ../cache archive --unpack')
    assert r.status == 1 and 'not a regular file' in r.err, show(r)
    os.unlink(name)
    archive_of(name, [('p/1234/elf', tarfile.REGTYPE, b'x')])
    c.give()
    r = c.sh('cd theirs && perf --buildid-dir ../cache archive --unpack')
    assert r.status == 1 and 'belongs to another user' in r.err and not os.path.exists(c.here + '/cache/p'), show(r)
    r = c.sh('cd theirs && perf --buildid-dir ../cache archive --unpack perf.all-x.tar.bz2')
    assert r.status == 0 and os.path.exists(c.here + '/cache/p/1234/elf'), show(r)
    c.stays(r)


# ---- files that change while root looks

class Turn:
    """When a file is opened for the nth time, it and another get each other's names, before the opener goes on."""

    def __init__(self, path, other, nth):
        self.paths, self.nth = (path, other), nth
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.fanotify_init(5, os.O_RDONLY)  # FAN_CLASS_CONTENT | FAN_CLOEXEC
        real = os.path.realpath(path).encode()
        if self.fd < 0 or libc.fanotify_mark(self.fd, 1, ctypes.c_uint64(0x10000), -100, real) < 0:  # FAN_OPEN_PERM
            raise Skip('no fanotify: ' + os.strerror(ctypes.get_errno()))

    def exchange(self):
        a, b = self.paths
        os.rename(a, a + '.x')
        os.rename(b, a)
        os.rename(a + '.x', b)

    def answer(self):
        for event in struct.iter_unpack('<IBBHQii', os.read(self.fd, 4096)):
            self.nth -= 1
            if not self.nth:
                self.exchange()
            os.write(self.fd, struct.pack('<iI', event[5], 1))  # FAN_ALLOW
            os.close(event[5])

    def sh(self, c, command, **extra):
        """Runs it; the file must not be opened here meanwhile."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            folder = c.here
            run = pool.submit(lambda: c.suite.sh('cd %s; %s' % (folder, command), limit=120, **extra))
            try:
                while not run.done():
                    if select.select([self.fd], [], [], 0.05)[0]:
                        self.answer()
            finally:
                os.close(self.fd)
            return run.result()


SECRET = '[secret]\n\tword = 4711\n'


def config_race(suite, nth):
    """A configuration file that is a link to one of root's when it is read, and then the other user's: the text goes to
    nobody else."""
    c = Case(suite)
    c.write('mine/secret', SECRET)
    os.chmod(c.mine + '/secret', 0o600)
    c.before = c.look()
    os.symlink(c.mine + '/secret', c.theirs + '/.perfconfig')
    c.write('theirs/turns', '')
    os.chmod(c.theirs + '/turns', 0o666)
    c.give()
    turn = Turn(c.theirs + '/.perfconfig', c.theirs + '/turns', nth)
    r = turn.sh(c, 'unset PERF_CONFIG; "$PERF" config --user report.children=false', HOME=c.theirs)
    c.stays(r)
    for path, (mode, uid, text) in c.look(c.theirs).items():
        assert b'4711' not in text or os.path.islink(path) or (uid == 0 and not mode & 0o77), '%s: %o of %d' % (path, mode, uid)


def archive_race(suite, nth):
    """An object that becomes a link to a file of root's while it is looked at: that is not packed."""
    need_bzip(suite)
    c = Case(suite)
    shutil.copy('/bin/sh', c.theirs + '/run')
    c.give()
    r = c.sh(RECORD + ':u -N -F 9999 -o in theirs/run -c "%s" && perf buildid-list -i in | grep -v theirs/run >not' % LOOP)
    assert r.status == 0, show(r)
    os.symlink(c.mine + '/text', c.theirs + '/turns')
    r = Turn(c.theirs + '/run', c.theirs + '/turns', nth).sh(
        c, '"$PERF" --buildid-dir cache archive --exclude-buildids not in')
    assert r.status == 0, show(r)
    with tarfile.open(c.here + '/in.tar.bz2') as t:
        for m in t:
            assert not m.isfile() or TEXT.encode() not in t.extractfile(m).read(), m.name
    c.stays(r)


# ---- objects of a JIT compiler, beside its dump in a folder of all

def plant_file_of_other(c, name):
    c.write('theirs/' + name, 'theirs')
    os.chmod(c.theirs + '/' + name, 0o666)
    os.chown(c.theirs + '/' + name, OTHER, OTHER)


def jit_objects(suite, plant, options):
    c = Case(suite)
    os.chown(c.theirs, 0, 0)
    os.chmod(c.theirs, 0o1777)
    r = c.sh('%s/../tools/make_jit_file.py %s && mv theirs/perf.data in' % (HERE, c.theirs))
    assert r.status == 0, show(r)
    names = ['jitted-77.so'] + ['jitted-77-%d.so' % i for i in range(4)]
    for name in names:
        JIT_PLANTS[plant](c, name)
        if os.lstat(c.theirs + '/' + name).st_nlink == 1:
            os.lchown(c.theirs + '/' + name, OTHER, OTHER)
    r = c.sh('timeout 60 "$PERF" inject --jit %s -i in -o out' % options)
    assert r.status == 0 and len(r.err.splitlines()) <= 1, show(r)
    c.stays(r)
    made = [name for name in names if os.lstat(c.theirs + '/' + name).st_uid == 0 and
            stat.S_ISREG(os.lstat(c.theirs + '/' + name).st_mode) and os.lstat(c.theirs + '/' + name).st_nlink == 1]
    assert made, show(r)
    for name in made:
        st = os.lstat(c.theirs + '/' + name)
        with open(c.theirs + '/' + name, 'rb') as f:
            assert f.read(4) == b'\x7fELF' and not st.st_mode & 0o022, oct(st.st_mode)
    r = c.sh('perf script -i out -F ip,sym')
    assert 'first' in r.out, show(r)


# ---- files that root names for output, in a folder where the other user was first

def plant_link(c, name):
    os.symlink(c.mine + '/empty', c.theirs + '/' + name)


def plant_link_to_text(c, name):
    os.symlink(c.mine + '/text', c.theirs + '/' + name)


def plant_new(c, name):
    os.symlink(c.mine + '/new', c.theirs + '/' + name)


def plant_hard(c, name):
    os.link(c.mine + '/empty', c.theirs + '/' + name)


def plant_hard_text(c, name):
    os.link(c.mine + '/text', c.theirs + '/' + name)


def plant_fifo(c, name):
    os.mkfifo(c.theirs + '/' + name, 0o666)


JIT_PLANTS = {'link': plant_link, 'link-to-text': plant_link_to_text, 'hard-link': plant_hard, 'fifo': plant_fifo,
              'file': plant_file_of_other}


PLANTS = {'link': plant_link, 'link-to-text': plant_link_to_text, 'link-to-nothing': plant_new,
          'hard-link': plant_hard, 'hard-link-to-text': plant_hard_text, 'fifo': plant_fifo}
# What writes, and the name it writes to.
WRITERS = {
    'record': (RECORD + ' -o theirs/out true', 'out'),
    'record-cd': ('cd theirs && %s true' % RECORD, 'perf.data'),
    'record-threads': (RECORD + ' --threads -o theirs/out true', 'out'),
    'record-switch': (RECORD + ' --switch-output=signal -o theirs/out true', 'out'),
    'stat': ('perf stat -e task-clock -o theirs/out true', 'out'),
    'stat-append': ('perf stat -e task-clock --append -o theirs/out true', 'out'),
    'stat-record': ('perf stat record -e task-clock -o theirs/out true', 'out'),
    'inject': (RECORD + ' -o in true && perf inject -i in -o theirs/out', 'out'),
    'list': ('perf list sw -o theirs/out', 'out'),
    'debug-file': ('perf --debug-file theirs/out list sw', 'out'),
    'script-dump': (RECORD + ' -o theirs/in true && perf script -i theirs/in --per-event-dump', 'in.cpu-clock.dump'),
    'script-g': (RECORD + ' -o in true && cd theirs && perf script -i ../in -g python', 'perf-script.py'),
    'archive': (RECORD + ':u -N -F 9999 -o theirs/in sh -c "%s"; perf buildid-list -i theirs/in | grep libc > not; '
                'perf archive --exclude-buildids not theirs/in' % LOOP, 'in.tar.bz2'),  # (libc alone takes 2 s to pack)
    'config': ('PERF_CONFIG=theirs/out perf config report.children=false', 'out'),
    'junit': ('cd theirs && perf test -j 1', 'perf-test.xml'),
    'attr-dump': ('PERF_TEST_ATTR=theirs perf stat -e task-clock true', 'event-1-1-3'),
}


def output(suite, writer, plant):
    if writer == 'archive':
        need_bzip(suite)
    c = Case(suite)
    command, name = WRITERS[writer]
    PLANTS[plant](c, name)
    c.give()
    r = c.sh(command)
    c.stays(r)
    path = c.theirs + '/' + name
    assert r.status in (0, 1, 255), show(r)
    if r.status == 0 and os.path.lexists(path):
        st = os.lstat(path)
        # what could not be used (a debugging aid) is left alone
        assert st.st_nlink == 1 or plant.startswith('hard') or stat.S_ISDIR(st.st_mode), show(r)
    if r.status != 0:
        assert re.search(r'another user|another name|the fifo|bad config file|not a regular file', r.err), show(r)


def own_link(suite):
    """Links of root's own lead where they lead."""
    c = Case(suite)
    os.symlink('mine/new', c.here + '/out')
    for command in ('perf stat -e task-clock -o out true', RECORD + ' -o out2 true'):
        os.path.lexists(c.here + '/out2') or os.symlink('mine/new2', c.here + '/out2')
        r = c.sh(command)
        assert r.status == 0, show(r)
    assert os.path.getsize(c.mine + '/new') and os.path.getsize(c.mine + '/new2')
    r = c.sh('perf stat -e task-clock -o /dev/stdout true | cat; perf stat -e task-clock -o >(cat) true; '
             'perf stat -e task-clock -o /dev/null true; %s -o /dev/null true' % RECORD)
    assert r.status == 0 and r.out.count('task-clock') == 2, show(r)


def record_private(suite):
    """An empty file of the other user's, who has it open, does not get root's recording."""
    c = Case(suite)
    c.write('theirs/out', '')
    c.give()
    with open(c.theirs + '/out', 'rb') as f:
        r = c.sh(RECORD + ' -o theirs/out true')
        assert r.status == 0 and not f.read(), show(r)
    st = os.lstat(c.theirs + '/out')
    assert st.st_uid == 0 and st.st_mode & 0o777 == 0o600, oct(st.st_mode)


def old_directory(suite):
    """The recording before the last is a directory: what its links lead to stays."""
    c = Case(suite)
    os.mkdir(c.mine + '/deep')
    c.write('mine/deep/data.db', TEXT)
    c.write('mine/deep/modules', TEXT)
    c.before = c.look()
    os.mkdir(c.theirs + '/out.old')
    os.symlink(c.mine + '/deep', c.theirs + '/out.old/kcore_dir')
    os.symlink(c.mine + '/text', c.theirs + '/out.old/data')
    c.write('theirs/out', 'x')
    c.give()
    r = c.sh(RECORD + ' -o theirs/out true')
    c.stays(r)
    os.path.islink(c.theirs + '/out.old') and os.unlink(c.theirs + '/out.old')


def config_link(suite):
    """A configuration file of the home that leads to one of root's."""
    c = Case(suite)
    c.write('mine/unit.conf', '[Service]\n\tuser = x\n')
    c.before = c.look()
    os.symlink(c.mine + '/unit.conf', c.theirs + '/.perfconfig')
    c.give()
    r = c.sh('unset PERF_CONFIG; perf config --user report.children=false', HOME=c.theirs)
    c.stays(r)
    assert r.status != 0 and 'another user' in r.err, show(r)


def debuginfod_cache(suite):
    """The library would write to a cache of the other user's."""
    c = Case(suite)
    os.makedirs(c.theirs + '/.cache/debuginfod_client')
    os.symlink(c.mine + '/empty', c.theirs + '/.cache/debuginfod_client/cache_clean_interval_s')
    os.symlink(c.mine + '/new', c.theirs + '/.cache/debuginfod_client/max_unused_age_s')
    c.give()
    before = c.look(c.theirs)
    r = c.sh(RECORD + ' -N -F 9999 -o in sh -c "%s"; perf report -i in --stdio' % LOOP,
             HOME=c.theirs, DEBUGINFOD_URLS='http://127.0.0.1:1', PERF_BUILDID_DIR=c.here + '/cache')
    assert c.look(c.theirs) == before, show(r)
    c.stays(r)
    assert r.err.count('debuginfod is not asked') == 1, show(r)


CACHE_COMMANDS = [
    ('add', 'perf buildid-cache -a MINE/tool', 'not used by root'),
    ('update', 'perf buildid-cache -u MINE/tool', 'not used by root'),
    ('remove', 'perf buildid-cache -r MINE/tool', 'not used by root'),
    ('purge', 'perf buildid-cache -p MINE/tool', 'not used by root'),
    ('purge-all', 'perf buildid-cache -P', 'not used by root'),
    ('kcore', 'perf buildid-cache -k /proc/kcore', 'not used by root|kcore'),
    ('probe', "perf probe --cache -l", 'not used by root'),
]


def main():
    suite = Suite(__doc__)
    try:
        need_root()
        if not shutil.which('setpriv'):
            raise Skip("no program 'setpriv'")
        r = suite.sh(RECORD + ' -o first true')
        if r.status:
            raise Skip('cannot record: ' + r.err)
    except Skip as why:
        suite.tell('all', 'skip', str(why))
        return suite.close()
    suite.check_all([
        ('cache-link-in-archive', cache_link_in_archive, suite),
        ('cache-own-links', cache_own_links, suite),
        ('cache-below-other', cache_below_other, suite),
        ('cache-writable', cache_writable, suite),
        ('cache-of-own', cache_of_own, suite),
        ('cache-no-privileges', cache_no_privileges, suite),
        ('cache-record', record_cache, suite),
        ('unpack-into-other', unpack_into_other, suite),
        ('unpack-found', unpack_found, suite),
        ('bombs', bombs, suite),
        ('own-link', own_link, suite),
        ('record-private', record_private, suite),
        ('old-directory', old_directory, suite),
        ('config-link', config_link, suite),
        ('debuginfod-cache', debuginfod_cache, suite),
    ] + [('%s-race-%d' % (n, i), f, suite, i) for n, f in (('config', config_race), ('archive', archive_race)) for i in (1, 2, 3)] +
        [('cache-' + n, cache_of_other, suite, c, w) for n, c, w in CACHE_COMMANDS] +
        [('jit%s-%s' % (o, p), jit_objects, suite, p, o) for o in ('', '--one-object') for p in JIT_PLANTS] +
        [('%s-%s' % (w, p), output, suite, w, p) for w in WRITERS for p in PLANTS])
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
