#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf daemon: its life, its answers, how it follows its configuration, and what it does not let others do.

    daemon.py --perf BUILD/perf

Each case has a base folder of its own and ends its daemon; processes are found by their parent.
"""
import contextlib
import os
import re
import signal
import socket
import struct
import sys
import time

from live_case import Skip, Suite, need_program, need_root, show

LIMIT = 120  # seconds, for what hangs
PACKET = 72
RECORD = '-e cpu-clock -c 10000000 %s sleep 1000'


def config(c, base, name='c', **sessions):
    """Replaces the file, as editors do."""
    path = os.path.join(c.here, name)
    with open(path + '.new', 'w', encoding='utf-8') as f:
        f.write('[daemon]\nbase = %s\n' % base)
        for session, options in sessions.items():
            f.write('[session-%s]\nrun = %s\n' % (session, RECORD % options))
    os.rename(path + '.new', path)


def wait_for(what, condition):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, 'no ' + what
        time.sleep(0.02)


def children(pid):
    with open('/proc/%d/task/%d/children' % (pid, pid), encoding='ascii') as f:
        return [int(p) for p in f.read().split()]


def is_gone(pid):
    try:
        with open('/proc/%d/stat' % pid, encoding='ascii', errors='replace') as f:
            return f.read().rpartition(')')[2].split()[0] in 'ZX'
    except (FileNotFoundError, ProcessLookupError):
        return True


def text(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


@contextlib.contextmanager
def daemon(c, perf='perf', **sessions):
    """A daemon in the background; its process id."""
    base = os.path.join(c.here, 'base')
    os.mkdir(base)
    config(c, base, **sessions)
    r = c.sh(perf + ' daemon start --config c')
    assert r.status == 0, show(r)
    wait_for('lock', lambda: os.path.exists(base + '/lock') and text(base, 'lock'))
    pid = int(text(base, 'lock'))
    records = []
    try:
        wait_for('answer', lambda: c.sh(perf + ' daemon --config c').status == 0)
        records = children(pid)
        yield pid
    finally:
        records += [] if is_gone(pid) else children(pid)
        c.sh('perf daemon stop --config c')
        if not is_gone(pid):
            wait_for('end of the daemon', lambda: is_gone(pid))
        for record in records:
            wait_for('end of a session', lambda: is_gone(record))


def listed(c, options=''):
    r = c.sh('perf daemon --config c ' + options)
    assert r.status == 0, show(r)
    return r.out


def names(c):
    return re.findall(r'^\[\d+:(\w+)\]', listed(c), re.M)


def wait_for_files(c, session, count):
    folder = os.path.join(c.here, 'base', 'session-' + session)
    wait_for('file of the session', lambda: len(
        [f for f in os.listdir(folder) if f.startswith('perf.data.2')]) >= count)


def need_events(c):
    r = c.sh('perf record -e cpu-clock -o /dev/null true')
    if r.status:
        raise Skip('no recordings: ' + r.err.strip())


def life(c):
    need_events(c)
    with daemon(c, one='-m 1', two='--switch-output') as pid:
        assert names(c) == ['daemon', 'one', 'two'], listed(c)
        assert len(children(pid)) == 2
        again = c.sh('perf daemon start --config c')
        assert again.status == 255 and 'failed: another perf daemon (pid %d) owns ' % pid in again.err, show(again)
        ping = c.sh('perf daemon ping --config c')
        assert ping.status == 0 and ping.out == 'OK   one\nOK   two\n', show(ping)
        ping = c.sh('perf daemon --config c ping --session two')
        assert ping.status == 0 and ping.out == 'OK   two\n', show(ping)
        for word in ('ping', 'signal'):
            r = c.sh('perf daemon %s --config c --session three' % word)
            assert r.status == 255 and r.out == 'FAIL three (not found)\n', show(r)
        r = c.sh('perf daemon signal --config c --session two')
        assert r.status == 0 and re.fullmatch(r"signal 12 sent to session 'two \[\d+\]'\n", r.out), show(r)
        wait_for_files(c, 'two', 1)
        assert names(c) == ['daemon', 'one', 'two'], 'a signal ended a session'
        stop = c.sh('perf daemon stop --config c')
        assert stop.status == 0 and not stop.out + stop.err, show(stop)
        assert is_gone(pid) or not children(pid)
    left = sorted(os.listdir(os.path.join(c.here, 'base')))
    assert left == ['lock', 'output', 'session-one', 'session-two'], left
    read = c.sh('perf script -i base/session-one/perf.data --show-task-events | grep -c COMM')
    assert read.status == 0, show(read)
    gone = c.sh('perf daemon ping --config c')
    assert gone.status == 255 and gone.err.startswith('failed: connect: '), show(gone)


MAPPED = '''python3 -S -c "
import mmap
f = open('mapped', 'wb+')
f.truncate(4096)
maps = [mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC) for i in range(3000)]
open('ready', 'w').close()
while True:
    pass" & echo $! >pid'''


def switch_output(c):
    """Files of a session are at most twice what was recorded, whatever each begins with."""
    need_events(c)
    c.sh('(%s) >/dev/null 2>&1' % MAPPED)
    target = int(text(c.here, 'pid'))
    try:
        wait_for('mappings', lambda: os.path.exists(c.here + '/ready'))
        r = c.sh('perf record -q -N -e cpu-clock -F 100 -p %d -o one.data sleep 0.01' % target)
        assert r.status == 0, show(r)
        begins = os.path.getsize(c.here + '/one.data')
        with daemon(c, one='-c 20000 -m 16 -p %d --switch-output=50K' % target):
            wait_for_files(c, 'one', 3)
    finally:
        os.kill(target, signal.SIGKILL)
    folder = c.here + '/base/session-one/'
    files = sorted(f for f in os.listdir(folder) if f.startswith('perf.data.2'))
    sizes = [os.path.getsize(folder + f) for f in files[:-1]]
    assert begins > 100000 and min(sizes) > begins * 1.7, (begins, sizes)


def signal_at_once(c):
    """A recorder that has just begun must not die of the signal."""
    need_events(c)
    base = os.path.join(c.here, 'base')
    os.mkdir(base)
    config(c, base, one='--switch-output')
    r = c.sh('perf daemon start --config c; perf daemon signal --config c; perf daemon --config c; '
             'perf daemon stop --config c')
    assert r.status == 0 and 'signal 12 sent' in r.out and ':one] perf record' in r.out, show(r)


def changes(c):
    need_events(c)
    with daemon(c, a='', b='') as pid:
        before = dict(re.findall(r'^(\d+):(\w+):', listed(c, '-x:'), re.M)[::-1])
        base = os.path.join(c.here, 'base')
        config(c, base, a='-m 2', z='')
        wait_for('session z', lambda: names(c) == ['daemon', 'a', 'z'] and '-m 2' in listed(c))
        after = dict(re.findall(r'^(\d+):(\w+):', listed(c, '-x:'), re.M)[::-1])
        kept = {p for p in before if after.get(p) == before[p]}
        assert kept == {str(pid)}, (before, after)
        assert len(children(pid)) == 2
        # what ended by itself is run again when the file is written, here in place
        victim = next(int(p) for p, n in after.items() if n == 'z')
        os.kill(victim, signal.SIGKILL)
        wait_for('end of z', lambda: names(c) == ['daemon', 'a'])
        with open(os.path.join(c.here, 'c'), 'a', encoding='utf-8') as f:
            f.write('# touched\n')
        wait_for('session z', lambda: names(c) == ['daemon', 'a', 'z'])
        # a wrong file, and another base, change nothing
        with open(os.path.join(c.here, 'c'), 'a', encoding='utf-8') as f:
            f.write('garbage[\n')
        wait_for('word of garbage', lambda: 'bad config file line' in text(base, 'output'))
        config(c, c.here, a='')
        wait_for('word of the base', lambda: "can't redefine base" in text(base, 'output'))
        config(c, base)
        wait_for('end of all sessions', lambda: names(c) == ['daemon'])
        assert not children(pid)


def commands(c):
    """Of words that record cannot run, and of quotes."""
    need_events(c)
    with daemon(c) as pid:
        with open(os.path.join(c.here, 'c'), 'a', encoding='utf-8') as f:
            f.write('[session-wrong]\nrun = --nonsense\n[session-open]\nrun = "\'sleep"\n'
                    "[session-quoted]\nrun = \"-e cpu-clock sh -c 'sleep 1000; true'\"\n")
        base = os.path.join(c.here, 'base')
        wait_for('end of wrong', lambda: "session 'wrong' exited, status=129" in text(base, 'output'))
        wait_for('word of open', lambda: "cannot run session 'open'" in text(base, 'output'))
        wait_for('session quoted', lambda: names(c) == ['daemon', 'quoted'])
        assert 'nonsense' in text(base, 'session-wrong', 'output')
        with open('/proc/%d/cmdline' % children(pid)[0], encoding='utf-8') as f:
            assert f.read().split('\0')[-4:-1] == ['sh', '-c', 'sleep 1000; true']


def killed(c):
    """Sessions end with their daemon, and its lock is no hindrance."""
    need_events(c)
    with daemon(c, a='') as pid:
        records = children(pid)
        os.kill(pid, signal.SIGKILL)
        for record in records:
            wait_for('end of the session', lambda: is_gone(record))
        r = c.sh('perf daemon --config c')
        assert r.status == 255 and 'Connection refused' in r.err, show(r)
        r = c.sh('perf daemon start --config c && perf daemon ping --config c')
        assert r.status == 0 and r.out == 'OK   a\n', show(r)


def in_the_foreground(c):
    need_events(c)
    os.mkdir(os.path.join(c.here, 'base'))
    config(c, 'base', a='')
    r = c.sh('"$PERF" daemon start -f --config c > log & p=$!\n'
             'until perf daemon ping --config c 2>/dev/null; do sleep 0.02; done\n'
             'kill -INT $p; kill -TERM $p; wait $p; echo $?; cat log; ls base')
    assert r.out.startswith('OK   a\n0\n') and r.out.endswith('daemon exited\nlock\nsession-a\n'), show(r)


def strangers(c):
    """Another user, words that are none, and nobody at the other end."""
    need_root()
    need_program('setpriv')
    need_events(c)
    with daemon(c, a='') as pid:
        path = os.path.join(c.here, 'base', 'control')
        os.chmod(path, 0o777)
        r = c.sh('setpriv --reuid 65534 --regid 65534 --clear-groups python3 -c \'if 1:\n'
                 ' import socket\n s = socket.socket(socket.AF_UNIX)\n s.connect("base/control")\n'
                 ' s.send(b"\\2" + bytes(71))\n print(s.recv(100))\'')
        assert 'another user' in r.out or 'reset' in r.err or 'Broken pipe' in r.err, show(r)
        for data in (b'', b'x', struct.pack('<I', 77).ljust(PACKET, b'\xff'),
                     struct.pack('<Ii', 1, 9).ljust(PACKET, b'a'), struct.pack('<I', 3).ljust(PACKET, b'\xff'),
                     struct.pack('<II', 0, 1).ljust(PACKET, b'\x01') * 2):
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(path)
                s.sendall(data)
                if data[:1] == b'\3':
                    assert s.recv(300).startswith(b'FAIL \xff')
        assert names(c) == ['daemon', 'a'] and len(children(pid)) == 1


def stopped_session(c):
    """One that does not answer is told; ending wakes it."""
    need_events(c)
    with daemon(c, a='', b='') as pid:
        one = children(pid)[0]
        ping = c.sh('perf daemon ping --config c')
        assert ping.out == 'OK   a\nOK   b\n', show(ping)
        os.kill(one, signal.SIGSTOP)
        ping = c.sh('perf daemon ping --config c')
        assert ping.status == 255 and ping.out == 'FAIL a\nOK   b\n', show(ping)


def long_path(c):
    """Longer than the address of a socket can be."""
    need_events(c)
    base = os.path.join(c.here, 'x' * 150)
    os.mkdir(base)
    config(c, base, a='')
    r = c.sh('perf daemon start --config c; perf daemon ping --config c; perf daemon stop --config c')
    assert r.status == 0 and r.out == 'OK   a\n' and not r.err, show(r)


def no_open_files(c):
    """What whoever starts it had open is not kept, and its stdout is not waited for."""
    base = os.path.join(c.here, 'base')
    os.mkdir(base)
    config(c, base)
    r = c.sh('exec 9>held; flock 9; perf daemon start --config c | cat; exec 9>&-; flock -n held echo free; '
             'perf daemon stop --config c')
    assert r.status == 0 and r.out == 'free\n', show(r)


def as_the_reference(c):
    """Texts of a daemon of ours and one of the reference, asked by both."""
    need_events(c)
    if not c.ref:
        raise Skip('no reference')
    if c.sh(c.ref + ' daemon -h').status != 129:
        raise Skip('the reference has no daemon')

    def ask(program):
        out = ''
        for words in ('', '-v', '-x:', '-x', 'ping', 'ping --session b', 'signal --session b', 'signal'):
            r = c.sh('%s daemon %s --config c' % (program, words))
            assert r.status == 0, show(r)
            out += words + '\n' + r.out + r.err
        return out
    texts = []
    for server in ('perf', c.ref):
        with daemon(c, server, a='-m 1', b='') as pid:
            wait_for('recorders', lambda: c.sh('perf daemon ping --config c').out.count('OK') == 2)
            for client in ('perf', c.ref):
                ids = {p: 'ID%d' % i for i, p in enumerate([pid] + children(pid))}
                texts.append(re.sub(r'\d+', lambda m: ids.get(int(m.group()), m.group()), ask(client)))
        c.sh('rm -r base')
    for other in texts[1:]:
        assert other == texts[0], texts


def main():
    suite = Suite('perf daemon')
    cases = (life, switch_output, signal_at_once, changes, commands, killed, in_the_foreground, strangers, stopped_session,
             long_path, no_open_files, as_the_reference)
    suite.check_all([(f.__name__, f, suite) for f in cases])
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
