#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf trace and strace of the same run of programs: the same calls with the same arguments, thread by thread.

A shell waits until perf trace watches it and executes the program, which strace has followed since before. What both
show is made alike: names of arguments and prefixes of constants go, numbers become decimal. perf leaves out arguments
that are 0; what differs in each run (addresses, times, counters in structures) is not looked at.

    trace_strace.py --perf BUILD/perf
"""
import os
import re
import shutil
import sys

from live_case import Skip, Suite, show

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = re.compile(
    r'^(O|PROT|MAP|AF|PF|SOCK|IPPROTO|S|F|FD|AT|CLONE|MSG|SOL|SO|SCM|EPOLL_CTL|EPOLL|CLOCK|FUTEX_OP_CMP|FUTEX_OP|FUTEX|PR_CAP_AMBIENT|'
    r'PR|RLIMIT|SEEK|STATX_ATTR|STATX|IORING_SETUP|IORING_FEAT|PERF_TYPE|PERF_SAMPLE|PERF_FORMAT|PERF_FLAG|BPF_MAP_TYPE|BPF|P|SIG|SA|'
    r'SECCOMP|ITIMER|IPC|GRND|LOCK|TCP|IP|IPV6|SHUT|MREMAP|MS|UTIME|POLL|TIMER|TFD_TIMER|TFD|EFD|IN|MFD|SI|CLD|POSIX_FADV|NETLINK|SFD|'
    r'RENAME|R|RUSAGE|UMOUNT|MNT|SCHED|PRIO|KCMP|FALLOC_FL|SPLICE_F)_')
# strace has a name for what perf shows as a constant and a flag
WORDS = {'UNIX': 'LOCAL', 'FILE': 'LOCAL'}
MODES = {'IALLUGO': 0o7777, 'IRWXUGO': 0o777, 'IRUGO': 0o444, 'IWUGO': 0o222, 'IXUGO': 0o111, 'IFSOCK': 0o140000,
         'IFLNK': 0o120000, 'IFREG': 0o100000, 'IFBLK': 0o60000, 'IFDIR': 0o40000, 'IFCHR': 0o20000, 'IFIFO': 0o10000,
         'ISUID': 0o4000, 'ISGID': 0o2000, 'ISVTX': 0o1000, 'IRWXU': 0o700, 'IRUSR': 0o400, 'IWUSR': 0o200,
         'IXUSR': 0o100, 'IRWXG': 0o70, 'IRGRP': 0o40, 'IWGRP': 0o20, 'IXGRP': 0o10, 'IRWXO': 0o7, 'IROTH': 0o4,
         'IWOTH': 0o2, 'IXOTH': 0o1}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|-?0x[0-9a-f]+\b|-?\d+\b|\w+')


def number(text):
    if text.startswith('0') and text.isdigit() and len(text) > 1:
        return int(text, 8)
    return int(text, 0)


def word(text):
    """A constant without its prefix; a mode is a number."""
    while True:
        short = PREFIX.sub('', text)
        if short == text or not short:
            break
        text = short
    text = re.sub('^(SIG|EPOLL|POLL)(?=[A-Z]{2})', '', text)
    return WORDS.get(text, text)


def tokens(text, ours):
    """Strings, numbers and constants of arguments, in no order; what is 0 or an address is left out."""
    parts = re.split(r'("(?:[^"\\]|\\.)*"(?:\.\.\.)?)', text)
    strings, text = parts[1::2], ' '.join(parts[0::2])
    text = re.sub(r'/\*.*?\*/', '', text)
    text = re.sub(r'\b(\d+)\*1024\b', lambda m: str(int(m[1]) * 1024), text)
    text = re.sub(r'\bu32=\d+, |\bcmsg_len=\d+|\bmsg_len[=:] ?\d+|\brevents: \w+|\b\w+ or (?=FI)|\bhtons\(|\binet_addr\(|\bsi_utime=\d+|\d+ => (?=\d)|\bRLIM64_|\bst?_?path: |\bAT_FD(?=CWD)|\bEVENT_IOC_', '', text)
    text = re.sub(r'PERF_EVENT_IOC_(?=[A-Z])', 'PERF_', text)
    if ours:
        text = re.sub(r'(?<=\d)<[^>]*>', '', text)  # files of descriptors
        text = re.sub(r'(?:path|addr): ([^ ]+) }', r'"\1" }', text)
        text = re.sub(r'(?<=\d) \([^)]*\)', '', text)  # names of processes
        text = re.sub(r'\.?\b\w+: ', ' ', text)
    else:
        text = re.sub(r'\b\w+=', ' ', text)
    out, mode = strings, 0
    for token in TOKEN.findall(text):
        if token.startswith('"'):
            out.append(token)
        elif re.fullmatch(r'-?(0x[0-9a-f]+|\d+)', token):
            value = number(token)
            if value and abs(value) < 1 << 31:
                out.append(value)
        elif token in MODES:
            mode |= MODES[token]
        elif word(token) in MODES:
            mode |= MODES[word(token)]
        elif token not in ('NULL', 'st', 'stx'):
            out.append(word(token))
    return sorted(map(str, out + ([mode] if mode else [])))


def calls_of(text, begun, resumed, ended):
    """{thread: [(call, arguments, result, whole)]}; not whole: another thread's call came between its ends."""
    out, open_calls = {}, {}
    for line in text.splitlines():
        m = re.match(begun, line)
        if m:
            open_calls[m[1]] = len(out.setdefault(m[1], []))
            out[m[1]].append((m[2], m[3], '', False))
            continue
        m = re.match(resumed, line)
        if m:
            if m[1] in open_calls:
                call = out[m[1]][open_calls.pop(m[1])]
                out[m[1]][-1] = (call[0], call[1] + ', ' + (m[2] if m.lastindex > 2 else ''), m[m.lastindex], False)
            continue
        m = re.match(ended, line)
        if m:
            out.setdefault(m[1], []).append((m[2], m[3], m[4], True))
    return out


def of_strace(text):
    return calls_of(text, r'(\d+) +(\w+)\((.*?),? *<unfinished', r'(\d+) +<\.\.\. \w+ resumed>(.*)\) += (.*)',
                    r'(\d+) +(\w+)\((.*)\) += (.*)')


def of_perf(text):
    return calls_of(text, r'.*\): (?:.*?/)?(\d+) (\w+)\((.*)\) +\.\.\.$',
                    r'.*?/(\d+)  \.\.\. \[continued\]: \w+\(\)\) += (.*)',
                    r'.*\): (?:.*?/)?(\d+) (\w+)\((.*)\) += (.*)')


def result(text):
    text = re.sub(r'^0x1 \(flags FD_CLOEXEC\)', 'CLOEXEC', text)
    text = re.sub(r'^0x\w+ \(flags (.*)\)', lambda m: word(m[1].split('|')[0]), text)
    text = text.split(' (')[0].split('|')[0].strip()
    m = re.match(r'-1 (E\w+)|\? (E\w+)|(-?\w+)', text)
    if not m:
        return text
    value = m[1] or m[2] or m[3]
    if re.fullmatch(r'-?(0x[0-9a-f]+|\d+)', value):
        value = number(value)
        return value if value < 1 << 31 else 'address'
    return value


# What is shown in other words on purpose: perf leaves out what is not told by the call itself, and vice versa.
ONLY_RESULT = {
    'rt_sigreturn', 'execve',  # no result; envp
    'getdents64',  # strace counts the entries
    'statx', 'newfstatat', 'fstat', 'stat', 'lstat', 'fstat64', 'statfs', 'fstatfs', 'sysinfo', 'uname',  # other members of structures
    'clone', 'clone3', 'arch_prctl', 'set_tid_address', 'set_robust_list', 'rseq', 'brk', 'exit', 'exit_group', 'vfork',
    'wait4', 'getrusage', 'clock_gettime', 'gettimeofday', 'times', 'sched_getaffinity', 'getrandom', 'capget', 'capset',
    'perf_event_open', 'io_uring_setup', 'restart_syscall',
}
# Arguments whose words differ: (call, what strace has, what perf has).
SAME = (
    ('fcntl', 'DUPFD_CLOEXEC', 'DUPFD_CLOEXEC'),
    ('access', 'OK', None),
    ('waitid', 'WEXITED', 'EXITED'),
    ('waitid', 'ALL', None),
    ('seccomp', '3', None),  # the action that is asked for
)


def alike(call, wanted, got, whole):
    """Whether what perf has (got) is what strace has; of a call that was interrupted only what went in is known."""
    wanted, got = list(wanted), list(got)
    for name, theirs, ours in SAME:
        if name == call and theirs in wanted:
            wanted.remove(theirs)
            if ours:
                wanted.append(ours)
    if call in ('access', 'faccessat', 'faccessat2'):
        wanted = ['%s' % x for x in wanted if not x.endswith('OK')]
        got = [x for x in got if not re.fullmatch('[RWX]+', x)]
    wanted = [x for x in wanted if x != '-1'] if 'ANONYMOUS' in wanted else wanted
    if '""' in wanted and '""' not in got:  # nothing was read
        wanted.remove('""')
    if call == 'futex':  # WAIT_PRIVATE: WAIT|PRIVATE_FLAG
        wanted = [y for x in wanted for y in ([x[:-8], 'PRIVATE_FLAG'] if x.endswith('_PRIVATE') else [x])]
    # strace names combinations and what 0 means
    zero = {'RDONLY', 'NONE', 'IP', 'UNSPEC', 'REALTIME', 'DEFAULT', 'BLOCK', 'SET', 'STATX_SYNC_AS_STAT', 'SYNC_AS_STAT', 'PRIVATE', 'DFL', 'HUP',
            'OTHER', 'READ', 'FIXED', 'TIMEOUT'}
    if not whole:
        return not [x for x in got if x not in wanted and x not in zero and not x.startswith('"') and not re.fullmatch(r'-?\d+', x)]
    for x in list(wanted):
        if x in got:
            got.remove(x)
            wanted.remove(x)
    wanted = [x for x in wanted if x not in zero and not x.startswith('?')]
    got = [x for x in got if x not in zero]
    return not wanted and not got


def compare(c, command, files=None, least=20, also=''):
    if not shutil.which('strace'):
        raise Skip('no strace')
    c.made('true', files or {})
    r = c.sh('rm -f go pid out.txt; '
             'strace -f -s 200 -o strace.txt sh -c \'echo $$ >pid; while [ ! -e go ]; do sleep .02; done; exec %s\' >said 2>&1 & s=$!; '
             'while [ ! -s pid ]; do sleep .02; done; '
             '(while ! grep -q newfstatat out.txt; do sleep .02; done; touch go; %s) 2>/dev/null & '
             # with one thread alone lines would not tell whose they are
             'sleep 60 & z=$!; "$PERF" trace -m 4M --max-string 200 -o out.txt -p $(cat pid),$z & t=$!; '
             'wait $s; kill $z; wait $t; cat said >&2; true' % (command, also or ':'), limit=60)
    text = open(os.path.join(c.here, 'strace.txt'), errors='replace').read()
    mine = open(os.path.join(c.here, 'out.txt'), errors='replace').read()
    if 'filename: "' not in mine:
        raise Skip('no BPF')
    assert 'lost' not in r.err, show(r)
    return differences(of_strace(text), of_perf(mine), least)


def differences(theirs, ours, least):
    wrong, seen = [], 0
    for tid, calls in theirs.items():
        got = ours.get(tid, [])
        # perf begins in the midst of the waiting shell, strace before it
        starts = [i for i, x in enumerate(calls) if x[0] == 'execve' and 'go' not in x[1]]
        mine = [i for i, x in enumerate(got) if x[0] == 'execve']
        first = next(iter(theirs))
        if tid == first:
            calls, got = calls[starts[-1]:], got[mine[-1]:] if mine else []
        elif not got:
            continue  # a task of the waiting shell
        calls = [x for x in calls if x[0] != 'restart_syscall']
        got = [x for x in got if x[2] != '0' or x[0] not in ('clone', 'clone3', 'vfork', 'fork') or x[1]]
        if [x[0] for x in calls] != [x[0] for x in got] and tid == first:
            wrong.append(('calls', [x[0] for x in calls], [x[0] for x in got]))
            continue
        for x, y in zip(calls, got):
            if x[0] != y[0]:
                break
            seen += 1
            a, b = tokens(x[1], False), tokens(y[1], True)
            if x[0] not in ('rt_sigreturn', 'exit_group', 'exit') and y[2] and result(x[2]) != result(y[2]):
                wrong.append((x, y))
            elif x[0] not in ONLY_RESULT and not alike(x[0], a, b, y[3]):
                wrong.append((x, y, [t for t in a if t not in b], [t for t in b if t not in a]))
    assert seen >= least, (seen, ours.keys(), theirs.keys())
    kinds = {}
    for x in wrong:
        kinds.setdefault(x[0][0], x)
    assert not wrong, '\n'.join(map(str, kinds.values())) + '\n%d of %d' % (len(wrong), seen)


def program(c):
    """Calls of many kinds."""
    c.made('cc -w -O1 -o many many.c', {'many.c': open(os.path.join(HERE, 'programs/trace_calls.c')).read()})
    compare(c, './many')


def narrow(c):
    """Calls of 32-bit programs."""
    if os.uname().machine != 'x86_64':
        raise Skip('no 32-bit calls here')
    c.made('cc -w -O1 -static -no-pie -o narrow narrow.c', {'narrow.c': open(os.path.join(HERE, 'programs/trace_calls32.c')).read()})
    compare(c, './narrow')


def shell(c):
    compare(c, 'sh script', {'script': 'echo one >f; cat f | wc -c; ls /etc/passwd; cd /; test -d /tmp && kill -0 $$; umask 027; '
                                       'cp /etc/passwd /dev/null; ln -s a b 2>/dev/null; rm -f /nonexistent; (exit 3); true\n'})


def compiler(c):
    compare(c, 'gcc -O1 -o prog prog.c', {'prog.c': '#include <stdio.h>\nint main(void) { return puts("x") < 0; }\n'}, 200)


def database(c):
    if not shutil.which('sqlite3'):
        raise Skip('no sqlite3')
    compare(c, 'sqlite3 base "create table t(a, b); insert into t values(1, 2), (3, 4); select sum(a) from t; vacuum;"')


def server(c):
    if not shutil.which('curl'):
        raise Skip('no curl')
    compare(c, '%s server.py' % os.path.realpath(sys.executable), {'page': 'hello\n' * 20, 'server.py': '''
import http.server, os
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *a):
        pass
s = http.server.HTTPServer(('127.0.0.1', 0), Quiet)
open('port.new', 'w').write(str(s.server_port))
os.rename('port.new', 'port')
s.handle_request()
s.handle_request()
'''}, 200, 'while [ ! -s port ]; do sleep .02; done; for f in page nothing; do curl -s -o /dev/null http://127.0.0.1:$(cat port)/$f; done')


def main():
    c = Suite(__doc__)
    if os.geteuid():
        print('skip: needs root')
        return c.close()
    c.check_all([(f.__name__, f, c) for f in (program, narrow, shell, compiler, database, server)])
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
