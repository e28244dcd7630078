#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What two users can do to each other through files that perf reads: nothing waits for the other, and nobody's
file is taken for another's."""
import os
import re
import shutil
import struct
import sys

from live_case import Skip, Suite, need_root, show

NOBODY = 65534
AS_NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups '
LIMIT = 60  # s, for what hangs


def answered(suite, command, status, pattern):
    r = suite.sh(command, limit=LIMIT)
    assert r.status == status and re.search(pattern, r.err), 'wanted %s, /%s/: %s\n%s' % (
        status, pattern, command, show(r))
    assert len(r.err.splitlines()) <= 3, show(r)
    return r


def recording(suite, path='p.data'):
    r = suite.sh('perf record -q -e page-faults -c 1 -o %s true' % path)
    assert not r.status, show(r)


def fifo_of_that_name(suite):
    os.mkfifo(os.path.join(suite.here, 'perf.data'))
    for command in ('report', 'script', 'evlist', 'buildid-list', 'report --header-only'):
        answered(suite, 'perf %s </dev/null' % command, 255, "'perf.data' is not a regular file")


def fifo_of_another(suite):
    need_root()
    os.mkfifo(os.path.join(suite.here, 'theirs'), 0o666)
    os.chown(os.path.join(suite.here, 'theirs'), NOBODY, NOBODY)
    for command in ('report -i theirs', 'script -i theirs', 'inject -b -i theirs -o out', 'inject --aslr -i theirs -o out'):
        answered(suite, 'perf ' + command, 255, "'theirs' (not owned by|belongs to)")


def pipes_by_name(suite):
    """What was asked for is waited for, as ever."""
    recording(suite)
    suite.sh('perf record -q -e page-faults -c 1 -o - true > pipe.data')
    wanted = suite.sh('perf script -F comm,ip -i pipe.data').out
    assert wanted
    for command in ('perf script -F comm,ip -i <(cat pipe.data)', 'cat pipe.data | perf script -F comm,ip',
                    'cat pipe.data | perf script -F comm,ip -i -', 'perf script -F comm,ip -i - < pipe.data',
                    'cat pipe.data | perf script -F comm,ip -i /dev/stdin',
                    'mkfifo f; cat pipe.data > f & perf script -F comm,ip -i f',
                    'perf inject -b -i <(cat pipe.data) -o - | perf script -F comm,ip'):
        r = suite.sh(command, limit=LIMIT)
        assert r.out == wanted, '%s\n%s' % (command, show(r))


def device_behind_a_link(suite):
    for device in ('/dev/zero', '/dev/full', '/dev/tty'):
        suite.sh('ln -sf %s perf.data' % device)
        answered(suite, 'perf report', 255, 'is not a regular file')
        answered(suite, 'perf report -i perf.data --symfs /', 255, 'is not a regular file')
        answered(suite, 'perf report -i ./perf.data', 255, 'is not a regular file')


def members_of_a_folder(suite):
    if suite.sh('perf record -q --threads -e page-faults -c 1 -o d true').status:
        raise Skip('no recording in a folder')
    member = os.path.join(suite.here, 'd/data.0')
    os.unlink(member)
    os.mkfifo(member)
    answered(suite, 'perf report -i d', 255, "'d/data.0' is not a regular file")
    need_root()
    os.unlink(member)
    with open(member, 'wb'):
        pass
    os.chown(member, NOBODY, NOBODY)
    answered(suite, 'perf report -i d', 255, "'d/data.0' not owned by current user or root")
    assert not suite.sh('perf report --stdio -f -i d', limit=LIMIT).status


def other_inputs(suite):
    """Names that a user gives, and a script's, that are FIFOs nobody writes to or no files at all."""
    recording(suite)
    os.mkfifo(os.path.join(suite.here, 'fifo'))
    for command, status in (('report --stdio -i p.data --vmlinux fifo', 0), ('buildid-cache -a fifo', 255)):
        r = suite.sh('perf --buildid-dir cache %s' % command, limit=LIMIT)
        assert r.status == status, show(r)
    r = suite.sh('PERF_CONFIG=fifo perf config -l', limit=LIMIT)
    assert r.status == 0, show(r)


def objects_that_are_none(suite):
    """A recording's mappings: what is a FIFO, a device or the kernel's own is not opened."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'hostile'))
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
    import make_switch_file as switch_file
    import argparse
    fifo = os.path.join(suite.here, 'fifo')
    os.mkfifo(fifo)
    names = [fifo, '/dev/zero', '/dev/watchdog', '/proc/kmsg', '/sys/kernel/tracing/trace_pipe', '/proc/self/mem']
    out = switch_file.Recording(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None))
    who = struct.pack('<II', switch_file.PID, switch_file.PID)
    for i, name in enumerate(names):
        name = name.encode() + b'\0'
        body = who + struct.pack('<QQQ', switch_file.CODE + i * 0x1000, 0x1000, 0) + name + bytes(-len(name) % 8)
        body += who + struct.pack('<QIIQ', i + 1, 1, 0, 1)
        out.out += struct.pack('<IHH', 1, 2, 8 + len(body)) + body
        out.line(['%d' % (i + 100), 'sample', '100', '1', '%d' % (16 * i)])
    with open(os.path.join(suite.here, 'p.data'), 'wb') as f:
        f.write(out.file())
    for command in ('perf report --stdio -s dso,sym -i p.data', 'perf script -F ip,sym,dso,srcline -i p.data',
                    'perf inject -b --buildid-all -i p.data -o q.data && perf script -F ip,sym,dso -i q.data'):
        r = suite.sh(command, limit=LIMIT)
        assert r.status == 0 and all(os.path.basename(n) in r.out for n in names if n != '/dev/zero'), show(r)


def with_capability(suite):
    """A copy of perf as administrators install it for users, with a file capability. Path."""
    need_root()
    path = os.path.join(suite.here, 'perf-cap')
    shutil.copy(suite.perf, path)
    os.chmod(path, 0o755)
    cap_dac_read_search, effective, revision_2 = 1 << 2, 1, 0x02000000
    try:
        os.setxattr(path, 'security.capability', struct.pack('<IIIII', revision_2 | effective, cap_dac_read_search, 0, 0, 0))
    except OSError as why:
        raise Skip('no file capabilities: %s' % why) from None
    secret = os.path.join(suite.here, 'secret')
    with open(secret, 'w', encoding='ascii') as f:
        f.write('[alias]\n\tsecret = version\n')
    os.chmod(secret, 0o600)
    # what the capability is for: without it this could not be read
    r = suite.sh(AS_NOBODY + path + ' --buildid-dir x config -l; ' + AS_NOBODY + 'grep . secret')
    if 'grep' not in r.err:
        raise Skip('another user may read all files')
    return path


def environment_of_others(suite):
    """The environment of whoever starts a perf that may do more than they chooses no code for it."""
    path = with_capability(suite)
    for variable in ('PERF_EXEC_PATH', ):
        r = suite.sh('%s=/theirs %s%s --exec-path' % (variable, AS_NOBODY, path))
        assert not r.status and '/theirs' not in r.out, show(r)
        r = suite.sh('%s=/theirs %s --exec-path' % (variable, suite.perf))
        assert '/theirs' in r.out, show(r)
    r = suite.sh('PERF_CONFIG=%s/secret %s%s config -l' % (suite.here, AS_NOBODY, path))
    assert 'secret' not in r.out, show(r)


def scripts_have_no_rights(suite):
    path = with_capability(suite)
    if suite.sh('perf version --build-options | grep -q "libpython: .*on"').status:
        raise Skip('no scripts in this build')
    recording(suite)
    suite.sh('chmod 644 p.data; printf "def trace_begin():\\n print(open(\'/proc/self/status\').read())\\n" > s.py')
    r = suite.sh('PERF_PYTHON=/theirs.so %s%s script -f -i p.data -s s.py' % (AS_NOBODY, path))
    assert r.status == 0 and re.search(r'CapEff:\s0+\n', r.out) and re.search(r'CapPrm:\s0+\n', r.out), show(r)
    r = suite.sh('PERF_PYTHON=/theirs.so perf script -i p.data -s s.py')
    assert r.status and '/theirs.so' in r.err, show(r)


def set_user_id(suite):
    need_root()
    path = os.path.join(suite.here, 'perf-suid')
    shutil.copy(suite.perf, path)
    os.chmod(path, 0o4755)
    if suite.sh('findmnt -no OPTIONS -T . | grep -q nosuid').status == 0:
        raise Skip('mounted nosuid')
    answered(suite, AS_NOBODY + path + ' record -o /dev/null true', 255, 'does not run set-user-ID')


def main():
    suite = Suite(__doc__.split('\n')[0])
    suite.check_all([(f.__name__.replace('_', '-'), f, suite) for f in (
        fifo_of_that_name, fifo_of_another, pipes_by_name, device_behind_a_link, members_of_a_folder, other_inputs,
        objects_that_are_none, environment_of_others, scripts_have_no_rights, set_user_id)])
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
