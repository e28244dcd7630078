#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf trace of programs whose calls are known: what it prints, beside what else, of whom, and what strace says.

    trace.py --perf BUILD/perf
"""
import os
import re
import shutil
import sys

from live_case import Skip, Suite, show

LINE = re.compile(r'^ *(?:[\d.]+|\?) (?:\[\d+\] )?\( *(?:[\d.]+ ms)?\): (?:(.*?)/(\d+) )?(.*?)$')
SOURCE = """
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int fd = open("/dev/null", O_RDWR | O_CREAT | O_CLOEXEC, 0644), s;

	fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
	lseek(fd, 5, SEEK_CUR);
	mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	close(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 6));
	access("/nonexistent", R_OK | X_OK);
	mkdir("/proc/none", 0750);
	kill(getpid(), SIGCHLD);
	if (!fork())
		_exit(close(99) ? 3 : 0);
	wait(&s);
	return 0;
}
"""


def lines(text):
    """[(comm, tid, call)] of a trace."""
    return [m.groups() for m in map(LINE.match, text.splitlines()) if m]


def trace(c, options, command='./calls'):
    r = c.sh('perf trace %s -o out.txt -- %s; cat out.txt' % (options, command))
    if 'cannot use raw_syscalls' in r.err:
        raise Skip('no tracepoints')
    assert not r.status and 'lost' not in r.err, show(r)
    return lines(r.out)


def build(c):
    c.made('cc -O1 -o calls calls.c', {'calls.c': SOURCE})


def calls(c):
    build(c)
    got = trace(c, '')
    text = '\n'.join(x[2] for x in got)
    for expected in (r'openat\(dfd: CWD, filename: "/dev/null", flags: RDWR\|CLOEXEC\|CREAT, mode: IRUGO\|IWUSR\) +=',
                     r'fcntl\(fd: \d+.*, cmd: SETFL, arg: RDONLY\|APPEND\|NONBLOCK\) += 0',
                     r'lseek\(fd: \d+.*, offset: 5, whence: CUR\) +=',
                     r'mmap\(len: 8192, prot: READ\|WRITE, flags: PRIVATE\|ANONYMOUS\|NORESERVE\) += 0x\w+',
                     r'socket\(family: INET, type: STREAM\|CLOEXEC, protocol: TCP\) +=',
                     r'access\(filename: "/nonexistent", mode: RX\) += -1 ENOENT \(No such file or directory\)',
                     r'mkdir\(pathname: "/proc/none", mode: IRWXU\|IRGRP\|IXGRP\) += -1 E',
                     r'kill\(pid: \d+ \(calls\), sig: CHLD\) += 0', r'close\(fd: 99\) += -1 EBADF',
                     r'exit_group\(error_code: 3\) += \?$', r'exit_group\(\) += \?$'):
        assert re.search('^' + expected, text, re.M), expected + '\n' + text
    assert {x[0] for x in got} <= {'calls', 'perf-exec', 'perf'}, got


def chosen(c):
    build(c)
    got = trace(c, '-e socket,kill,sched:sched_process_fork')
    names = [re.match(r'[\w:]+', x[2]).group() for x in got]
    assert names == ['socket', 'kill', 'sched:sched_process_fork'], got
    assert {re.match(r'\w+', x[2]).group() for x in trace(c, '-e network')} == {'socket'}
    assert not [x for x in trace(c, "-e '!%memory,close'") if re.match('mmap|brk|close', x[2])]
    assert all(' = -1 E' in x[2] for x in trace(c, '--failure'))
    assert len(trace(c, '--max-events 4')) == 4


# Calls whose arguments strace prints as perf does, but for the prefixes of constants.
COMPARED = ('openat', 'close', 'read', 'pread64', 'lseek', 'fcntl', 'mmap', 'mprotect', 'munmap', 'socket', 'access', 'mkdir',
            'kill', 'exit_group')
MODES = {'IRUGO': 0o444, 'IWUGO': 0o222, 'IWUSR': 0o200, 'IRWXU': 0o700, 'IRGRP': 0o40, 'IXGRP': 0o10}


def plain(call, text):
    """An argument or result of perf's or strace's without what must differ: addresses, process ids, prefixes."""
    if text == 'NULL':
        return 0
    if text.startswith('"'):
        return 'memory'
    if call == 'access' and re.fullmatch('([RWXF]_OK[|]?)+|[RWX]+', text):
        return text.replace('_OK', '').replace('|', '').replace('F', '')
    text = re.sub(r'<.*|^\d+ \(.*\)$', '', text)  # files of descriptors, process ids with a name
    if set(text.split('|')) <= set(MODES):
        return sum(MODES[x] for x in text.split('|'))
    if re.fullmatch(r'0[0-7]+', text):
        return int(text, 8)
    if re.fullmatch(r'-?\d+|0x[0-9a-f]+', text):
        value = int(text, 0)
        return 'memory' if value >= 1 << 32 else value
    return '|'.join(sorted(re.sub(r'\b(O_|PROT_|MAP_|SEEK_|AF_|SOCK_|IPPROTO_|AT_FD|F_|SIG)', '', text).split('|')))


def compared(call, values, result):
    """Zeros are left out, for perf prints them seldom; so is what means nothing, and who kill() is for."""
    values = [plain(call, x) for x in values]
    if 'ANONYMOUS' in '|'.join(map(str, values)):
        values = [x for x in values if x != -1]
    values = values[1:] if call == 'kill' else values
    return call, [x for x in values if x not in (0, '', '...', 'RDONLY', 'IP')], plain(call, result.split()[0])


def whole(text, begun, resumed, ended):
    """(task, call, arguments, result) of lines, of which another task's may have come between a call and its return."""
    open_calls = {}
    for line in text.splitlines():
        m = re.match(begun, line)
        if m:
            open_calls[m[1]] = m.groups()
            continue
        m = re.match(resumed, line)
        if m and m[1] in open_calls:
            yield *open_calls.pop(m[1]), m[2]
            continue
        m = re.match(ended, line)
        if m:
            yield m.groups()


def same_as_strace(c):
    """The same calls with the same arguments and results, whatever order the tasks ran in."""
    if not shutil.which('strace'):
        raise Skip('no strace')
    build(c)
    r = c.sh('strace -o strace.txt -f ./calls; cat strace.txt')
    wanted = whole(r.out, r'(\d+) +(\w+)\((.*?),? <unfinished', r'(\d+) +<\.\.\. \w+ resumed>.*\) += (.*)',
                   r'(\d+) +(\w+)\((.*)\) += (.*)')
    wanted = [compared(n, re.findall(r'"(?:[^"\\]|\\.)*"|[^\s,"][^,]*', args), result)
              for _, n, args, result in wanted if n in COMPARED]
    r = c.sh('perf trace -o out.txt -- ./calls; cat out.txt')
    got = whole(r.out, r'.*\): .*?/(\d+) (\w+)\((.*)\) +\.\.\.$', r'.*?/(\d+)  \.\.\. \[continued\]: \w+\(\)\) += (.*)',
                r'.*\): .*?/(\d+) (\w+)\((.*)\) += (.*)')
    got = [compared(n, re.findall(r'\w+: ([^,]*)', args), result) for _, n, args, result in got if n in COMPARED]
    assert {x[0] for x in got} >= set(COMPARED) - {'munmap', 'pread64'}, show(r)
    assert sorted(map(str, got)) == sorted(map(str, wanted)), (
        [x for x in wanted if x not in got], [x for x in got if x not in wanted])


MEMORY = """
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(1), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(53), .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/nowhere/\\033[1m" };
	struct iovec v[2] = { { "he\\"llo\\n", 7 }, { (void *)16, 0 } };
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };
	struct timespec t = { 0, 1000 };
	struct pollfd p = { 0, POLLIN | POLLHUP, 0 };
	char *args[] = { "/nonexistent/program", "a, b", "", NULL }, buf[100], *page, *text = malloc(1 << 20);
	int fds[2], status, file = open("text", O_RDWR | O_CREAT | O_TRUNC, 0600);
	sigset_t set;

	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	connect(fds[0], (void *)&in, sizeof(in));
	connect(fds[0], (void *)&in6, sizeof(in6));
	connect(fds[0], (void *)&un, sizeof(un));
	writev(fds[0], v, 2);
	sendmsg(fds[0], &m, 0);
	read(fds[1], buf, 4);
	pipe(fds);
	write(fds[1], "123456789012345678901234567890123456789", 39);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	p.fd = fds[0];
	poll(&p, 1, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	execve(args[0], args, args + 3);
	if (!fork())
		_exit(5);
	wait(&status);
	/* a page that nobody has looked at yet */
	write(file, "/not/there/yet", 15);
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
	access(page, F_OK);
	/* what cannot be right */
	access((char *)8, 0);
	write(fds[1], (void *)-4096, 1UL << 32);
	connect(fds[0], (void *)&in, 1 << 30);
	memset(text, 'x', 1 << 20);
	access(text, 0);
	munmap(page, 4096);
	write(fds[1], page - 8, 1UL << 32);
	return 0;
}
"""


def memory(c):
    """What arguments point to, read in the kernel; pointers that lie are pointers."""
    c.made('cc -w -O1 -o memory memory.c', {'memory.c': MEMORY})
    got = [x[2] for x in trace(c, '-m 4M', './memory')]
    text = '\n'.join(got)
    if 'filename: 0x' in text and 'filename: "' not in text:
        raise Skip('no BPF')
    for expected in (r'connect\(fd: \d+.*, uservaddr: { .family: INET, port: 1, addr: 127.0.0.1 }, addrlen: 16\) += -1 E',
                     r'connect\(.*, uservaddr: { .family: INET6, port: 53, addr: ::1 }, addrlen: 28\)',
                     r'connect\(.*, uservaddr: { .family: LOCAL, path: /nowhere/\\x1b\[1m }, addrlen: 110\)',
                     r'writev\(.*, vec: \[{ .iov_base: "he\\"llo\\n", .iov_len: 7 }, { .iov_base: 0x10, .iov_len: 0 }\], vlen: 2\)',
                     r'sendmsg\(.*, msg: { .msg_iov: \[{ .iov_base: "he\\"llo\\n", .iov_len: 7 }, .*\], .msg_iovlen: 2 }\)',
                     r'read\(fd: \d+.*, buf: "he\\"l", count: 4\) += 4$', r'pipe2\(fildes: \[\d+, \d+\]\) += 0$',
                     r'write\(fd: \d+.*, buf: "12345678901234567890123456789012"\.\.\., count: 39\)',
                     r'clock_nanosleep\(which_clock: MONOTONIC, rqtp: { .tv_sec: 0, .tv_nsec: 1000 }\)',
                     r'poll\(ufds: \[{ .fd: \d+, .events: IN\|HUP, .revents: IN }\], nfds: 1\) += 1',
                     r'rt_sigprocmask\(.*nset: \[USR1 CHLD\], sigsetsize: 8\)',
                     r'execve\(filename: "/nonexistent/program", argv: \["/nonexistent/program", "a, b", ""\], envp: 0x\w+\) += -1',
                     r'(wait4\(.*stat_addr: \[exited 5\]|.*continued\]: wait4).*\) += \d+', r'access\(filename: "/not/there/yet"\) += -1 ENOENT',
                     r'access\(filename: 0x8\) += -1 EFAULT', r'write\(fd: \d+.*, buf: 0xf{13}000, count: 4294967296\) += -1 EFAULT',
                     r'connect\(.*, uservaddr: .*, addrlen: 1073741824\) += -1 EINVAL', r'access\(filename: "x{4095}"\.\.\.\) += -1 ENAMETOOLONG'):
        assert re.search('^' + expected, text, re.M), expected + '\n' + text
    got = [x[2] for x in trace(c, '--max-string 3 --force-btf -e write,connect', './memory')]
    assert any('buf: "123"..., count: 39' in x for x in got), got
    assert any('.sin_port: 256, ' in x for x in got) and not any('family: INET' in x for x in got), got


CHANGED = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	int in = open("changed.c", O_RDONLY), out = open("copy", O_RDWR | O_CREAT, 0600), empty = open("/dev/null", O_RDONLY);
	struct timespec at_once = { 0 };
	struct sigevent tell = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2, .sigev_value.sival_int = 7 };
	struct epoll_event event;
	struct statfs fs;
	sigset_t mask;
	off_t at = 10;
	unsigned long nodes = 1;
	struct {
		struct nlmsghdr head;
		struct rtgenmsg data;
	} ask = { { NLMSG_LENGTH(1), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 7, 0 } };
	int netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), copy = dup(netlink);
	char buf[16], answer[8192];
	int id, mode;

	id = open(".", O_RDONLY | O_DIRECTORY);
	while (syscall(SYS_getdents64, id, answer, sizeof(answer)) > 0)
		;
	send(copy, &ask, sizeof(ask), 0);
	recv(netlink, answer, sizeof(answer), 0);
	ask.head.nlmsg_type = RTM_MAX + 4;
	ask.head.nlmsg_flags = NLM_F_ACK | NLM_F_REQUEST;
	write(netlink, &ask, sizeof(ask));
	dup2(out, netlink);
	write(netlink, &ask, sizeof(ask));
	ftruncate(out, 0);
	lseek(out, 0, SEEK_SET);

	sendfile(out, in, &at, 100);
	sendfile(out, in, NULL, 10);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	pselect(0, NULL, NULL, NULL, &at_once, &mask);
	pselect(0, NULL, NULL, NULL, &at_once, NULL);
	read(empty, buf, sizeof(buf));
	write(out, buf, 0);
	epoll_wait(epoll_create1(0), &event, 1, 0);
	syscall(SYS_timer_create, CLOCK_REALTIME, &tell, &id);
	tell.sigev_notify = SIGEV_NONE;
	syscall(SYS_timer_create, CLOCK_REALTIME, &tell, &id);
	statfs("/proc", &fs);
	syscall(SYS_set_mempolicy, 1, &nodes, 65);
	syscall(SYS_get_mempolicy, &mode, &nodes, 65, 0, 0);
	prctl(PR_CAPBSET_READ, 8, 1, 2, 3);
	prctl(PR_SET_SECUREBITS, 0x24);
	prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0);
	return 0;
}
"""


def changed(c):
    """What a call changes, what has no bytes, and what is behind a pointer to a pointer."""
    c.made('cc -w -O1 -o changed changed.c', {'changed.c': CHANGED})
    text = '\n'.join(x[2] for x in trace(c, '-m 4M', './changed'))
    if 'filename: "' not in text:
        raise Skip('no BPF')
    head = r'\[{ .nlmsg_len: %s, .nlmsg_type: %s, .nlmsg_flags: %s, .nlmsg_seq: 7, .nlmsg_pid: %s'
    for expected in (r'sendto\(fd: \d+[^,]*, buff: ' + head % (17, 'GETLINK', r'REQUEST\|DUMP', 0),
                     r'recvfrom\(fd: \d+[^,]*, ubuf: ' + head % (r'\d+', 'NEWLINK', 'MULTI', r'\d+'),
                     r'write\(fd: \d+[^,]*, buf: ' + head % (17, r'\d+', r'REQUEST\|ACK', 0), r'write\(fd: \d+<copy>, buf: "\\21\\0',
                     r'getdents64\(.*, dirent: \[{ .d_ino: \d+, .d_type: (DIR|REG), .d_name: ".+" }', r'getdents64\(.*, dirent: \[\], count: 8192\) += 0',
                     r'sendfile\(.*, offset: \[10 => 110\], count: 100\) += 100', r'sendfile\(out_fd: [^,]*, in_fd: [^,]*, count: 10\) += 10',
                     r'pselect6\(tsp: { .tv_sec: 0, .tv_nsec: 0 }, sig: { .sigmask: \[USR1\] }\) += 0',
                     r'pselect6\(tsp: {[^}]*}, sig: { .sigmask: NULL }\) += 0', r'read\(.*, buf: "", count: 16\) += 0',
                     r'write\(.*, buf: ""\) += 0', r'epoll_wait\(.*, events: \[\], maxevents: 1\) += 0',
                     r'timer_create\(.*{ .sigev_value: 0x7, .sigev_signo: USR2, .sigev_notify: SIGNAL }, created_timer_id: \[\d+\]\)',
                     r'timer_create\(.*{ .sigev_value: 0x7, .sigev_notify: NONE }', r'statfs\(pathname: "/proc", buf: { .f_type: PROC,',
                     r'(?:set_mempolicy\(mode: PREFERRED, nmask: \[0\], maxnode: 65\) += 0|set_mempolicy\(.*ENOSYS)',
                     r'(?:get_mempolicy\(policy: \[PREFERRED\], nmask: \[0\], maxnode: 65\) += 0|get_mempolicy\(.*ENOSYS)',
                     r'prctl\(option: CAPBSET_READ, arg2: CAP_SETPCAP\)', r'prctl\(option: SET_SECUREBITS, arg2: NO_SETUID_FIXUP.*\)',
                     r'prctl\(option: SET_SYSCALL_USER_DISPATCH, arg2: OFF\)'):
        assert re.search('^' + expected, text, re.M), expected + '\n' + text


KNOWN = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	struct sigaction act = { .sa_handler = SIG_IGN, .sa_flags = SA_RESTART }, old;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 7, .l_pid = 99 };
	struct rlimit limit = { 12345, RLIM_INFINITY };
	int fd = open("locked", O_RDWR | O_CREAT, 0600), one = 1, status, s = socket(AF_INET, SOCK_STREAM, 0);
	cpu_set_t cpus;
	struct linger linger = { 1, 5 };
	socklen_t len = sizeof(status);
	int netlink;

	sigaddset(&act.sa_mask, SIGUSR1);
	sigaddset(&act.sa_mask, SIGCHLD);
	sigaction(SIGUSR2, &act, &old);
	sigaction(SIGUSR2, NULL, &old);
	fcntl(fd, F_SETLK, &lock);
	lock.l_type = F_RDLCK;
	fcntl(fd, F_GETLK, &lock);
	fcntl(fd, F_SETLK, (void *)8);
	fcntl(fd, F_DUPFD, 100);
	setrlimit(RLIMIT_CPU, &limit);
	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	umask(027);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	socket(AF_NETLINK, SOCK_RAW, 9);
	netlink = socket(AF_NETLINK, SOCK_RAW, 0);
	setsockopt(netlink, 270, 11, &one, sizeof(one));
	setsockopt(s, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	getsockopt(s, SOL_SOCKET, SO_TYPE, &status, &len);
	getpriority(PRIO_PROCESS, 0);
	setresuid(-1, -1, -1);
	personality(0xffffffff);
	personality(ADDR_NO_RANDOMIZE);
	if (!fork()) {
		signal(SIGTERM, SIG_DFL);
		kill(getpid(), SIGTERM);
	}
	waitid(P_ALL, 0, NULL, WEXITED | WNOWAIT);
	wait(&status);
	return 0;
}
"""


def known(c):
    """Arguments that strace decodes, too, with known values."""
    c.made('cc -w -O1 -o known known.c', {'known.c': KNOWN})
    text = '\n'.join(x[2] for x in trace(c, '', './known'))
    if 'sa_handler' not in text:
        raise Skip('no BPF')
    action = r'{ .sa_handler: IGN, .sa_flags: (RESTORER\|)?RESTART(, .sa_restorer: 0x\w+)?, .sa_mask: \[USR1 CHLD\] }'
    for expected in (r'rt_sigaction\(sig: USR2, act: ' + action + r', oact: { .sa_handler: DFL }, sigsetsize: 8\) += 0',
                     r'rt_sigaction\(sig: USR2, oact: ' + action + r', sigsetsize: 8\) += 0',
                     r'fcntl\(.*, cmd: SETLK, arg: { .l_type: WRLCK, .l_whence: SET, .l_start: 5, .l_len: 7 }\) += 0',
                     r'fcntl\(.*, cmd: GETLK, arg: { .l_type: UNLCK, .l_whence: SET, .l_start: 5, .l_len: 7, .l_pid: 99 }\) += 0',
                     r'fcntl\(.*, cmd: SETLK, arg: 0x8\) += -1 EFAULT', r'fcntl\(.*, cmd: DUPFD, arg: 100\) += 100',
                     r'prlimit64\(resource: CPU, new_rlim: { .rlim_cur: 12345, .rlim_max: INFINITY }\) += 0',
                     r'setsockopt\(.*, level: TCP, optname: NODELAY, optval: \[1\], optlen: 4\) += 0',
                     r'umask\(mask: 027\) += 0\d+', r'sched_setaffinity\(len: 128, user_mask_ptr: \[0\]\) += 0',
                     r'sched_getaffinity\(len: 128, user_mask_ptr: \[0\]\) += \d+',
                     r'socket\(family: NETLINK, type: RAW, protocol: AUDIT\)', r'socket\(family: NETLINK, type: RAW, protocol: ROUTE\)',
                     r'setsockopt\(.*, level: NETLINK, optname: EXT_ACK, optval: \[1\], optlen: 4\) += 0',
                     r'setsockopt\(.*, optname: LINGER, optval: { .l_onoff: 1, .l_linger: 5 }, optlen: 8\) += 0',
                     r'getsockopt\(.*, optname: TYPE, optval: \[STREAM\], optlen: \[4\]\) += 0', r'getpriority\(which: PROCESS\) += \d+',
                     r'setresuid\(ruid: -1, euid: -1, suid: -1\) += 0', r'personality\(personality: 0xffffffff\) += 0',
                     r'personality\(personality: LINUX\|ADDR_NO_RANDOMIZE\) += 0', r'wait4\(upid: -1, stat_addr: \[killed TERM\]\) += \d+'):
        assert re.search('^' + expected, text, re.M), expected + '\n' + text


def limited(c):
    """The first N of an event, and all of others."""
    r = c.sh("perf trace -e sched:sched_process_fork/nr=2/,sched:sched_process_exit -o t -- "
             "sh -c 'true & true & true & true & wait; /bin/true; /bin/true'; cat t")
    assert r.out.count('sched:sched_process_fork(') == 2 and r.out.count('sched:sched_process_exit(') > 2, show(r)


def summary(c):
    r = c.sh('perf trace -s -o out.txt -- dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; cat out.txt')
    m = re.search(r'^   read +(\d+) ', r.out, re.M)
    assert m and 3000 <= int(m.group(1)) <= 3020 and re.search(r' dd \(\d+\), \d+ events', r.out), show(r)


def counted(c):
    """-c: one table of all tasks."""
    r = c.sh("perf trace -c -o out.txt -- sh -c 'ls >t; ls >t'; cat out.txt")
    assert not r.status and r.out.count('syscall  ') == 1 and re.search(r'^ total, \d+ events', r.out, re.M), show(r)
    m = re.search(r'^   execve +(\d+) ', r.out, re.M)
    assert m and int(m[1]) >= 2, show(r)


def kernel_sums(c):
    """--bpf-summary: the same tables, by thread, of all, by control group."""
    copy = 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'
    for mode, head in (('', r' dd \(\d+\), \d+ events'), ('--summary-mode total', r' total, \d+ events'),
                       ('--summary-mode cgroup', r' cgroup /.*, \d+ events')):
        r = c.sh("perf trace --bpf-summary --errno-summary -o out.txt %s -- sh -c '%s; cat /nonexistent'; cat out.txt" % (mode, copy))
        if 'Operation not permitted' in r.err or 'without BPF' in r.err:
            raise Skip('no BPF')
        m = re.search(r'^   read +(\d+) ', r.out, re.M)
        assert m and 3000 <= int(m.group(1)) <= 3030 and re.search('^' + head, r.out, re.M), show(r)
        assert re.search(r'^   openat .*\n\t+ENOENT: \d+', r.out, re.M), show(r)
    r = c.sh("perf trace --bpf-summary -e write -o out.txt -- %s; cat out.txt" % copy)
    assert re.findall(r'^   (\w+) +\d', r.out, re.M) == ['write'], show(r)
    r = c.sh('perf trace -S --bpf-summary -o out.txt -- %s; cat out.txt' % copy)
    assert re.search(r'^   write +3000 ', r.out, re.M) and re.search(r' dd \(\d+\), 1\d{4} events', r.out) and ' = 1\n' in r.out, show(r)
    for wrong in '-F all', '-i t.data', '-e sched:sched_switch':
        assert c.sh('perf trace --bpf-summary %s true' % wrong).status == 255, wrong


def rows(text):
    """{(task, call): (calls, errors)} of a summary, and {task: events}; tasks by their names."""
    calls, events, task = {}, {}, None
    for line in text.splitlines():
        m = re.match(r' (\S+) \(\d+\), (\d+) events', line)
        if m:
            task = m[1]
            events[task] = int(m[2])
        m = re.match(r'   (\w+) +(\d+) +(\d+) ', line)
        if m:
            calls[task, m[1]] = m.group(2, 3)
    return calls, events


def same_sums(c):
    """Summed up in the kernel and from each call: the same."""
    build(c)
    got = []
    for options in '-s', '-s --filter-pids none':
        r = c.sh('perf trace %s -o out.txt -- sh -c "dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; ./calls"; '
                 'cat out.txt' % options)
        assert not r.status and not r.err, show(r)
        got.append(rows(r.out))
    calls, events = got[0]
    r = c.sh('perf trace -s --hist -o out.txt -- dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; cat out.txt')
    parts = re.findall(r'^ .*[um]?s +\| +(\d+) \|', r.out.partition('   read:\n')[2].partition('# statistics')[0], re.M)
    assert not r.err and sum(map(int, parts)) == 3001, show(r)
    assert calls['dd', 'read'][0] == '3001' and set(events) == {'sh', 'dd', 'calls'} and got[0] == got[1], got


def many_tasks(c):
    """More processes, one after the other, than the kernel has room for their sums."""
    r = c.sh(r'perf trace -c -e execve,wait4 -o out.txt -- sh -c "i=0; while [ \$((i += 1)) -le 3000 ]; do /bin/true; done"; '
             'cat out.txt')
    m = re.search(r'^   execve +(\d+) ', r.out, re.M)
    assert not r.status and not r.err and m[1] == '3001', show(r)


def settings(c):
    c.made('true', {'config': '[trace]\n show_zeros = yes\n show_timestamp = no\n show_duration = no\n max_string = 3\n'})
    r = c.sh('PERF_CONFIG=config perf trace -o out.txt -e write,exit_group -- sh -c "echo hello"; cat out.txt')
    assert re.search(r'^sh/\d+ write\(fd: 1.*, buf: "hel"\.\.\., count: 6\) += 6$', r.out, re.M), show(r)
    assert re.search(r'^sh/\d+ exit_group\(error_code: 0\) += \?$', r.out, re.M), show(r)
    c.made('true', {'config': '[trace]\n args_alignment = 40\n show_arg_names = no\n add_events = sched:sched_process_exit\n'})
    r = c.sh('PERF_CONFIG=config perf trace -o out.txt sh -c "exit 3"; cat out.txt')
    assert re.search(r'\): sh/\d+ exit_group\(3\) {27}= \?$', r.out, re.M), show(r)
    assert re.search(r'\): sh/\d+ sched:sched_process_exit\(', r.out), show(r)
    c.made('true', {'config': '[trace]\n show_prefix = yes\n'})
    r = c.sh('PERF_CONFIG=config perf trace -o out.txt -e openat,mmap,fcntl,kill sh -c "kill -0 0; exec 3>>x"; cat out.txt')
    for row in (r'mmap\(.*prot: PROT_READ\|PROT_WRITE, flags: MAP_PRIVATE\|MAP_', r'kill\(.* = 0',
                r'openat\(dfd: AT_FDCWD, filename: "x", flags: O_\w+(\|O_\w+)*, mode: S_IRUGO\|S_IWUGO\)'):
        assert re.search(row, r.out), row + show(r)
    c.made('true', {'config': '[trace]\n args_alignment = x\n'})
    r = c.sh('PERF_CONFIG=config perf trace true')
    assert r.status == 255 and 'number of columns' in r.err, show(r)
    c.made('true', {'config': '[trace]\n max_string = many\n'})
    assert c.sh('PERF_CONFIG=config perf trace true').status == 255
    r = c.sh('perf trace --max-string 0 true')
    assert r.status == 255 and 'at least 1' in r.err, show(r)


def recorded(c):
    build(c)
    r = c.sh('perf trace record -o t.data ./calls && perf trace -i t.data && perf trace -i t.data -s')
    assert not r.status and 'socket(family: INET' in r.err and 'Summary of events' in r.err, show(r)


def running(c):
    """A process that runs already: one thread, so lines do not tell whose they are; its descriptors have names."""
    r = c.sh('tail ---disable-inotify -s 0.05 -f /etc/passwd > copy.txt & p=$!; : > out.txt; '
             '(for i in $(seq 100); do sleep 0.1; grep -q passwd out.txt && break; done; kill $p) & '
             'perf trace -o out.txt -p $p; s=$?; cat out.txt; exit $s')
    assert not r.status and re.search(r'^ +[\d.]+ \( *[\d.]+ ms\): \w*stat\w*\(d?fd: 3</etc/passwd>', r.out, re.M), show(r)


# Reads two files by the same descriptor; each stays open until the trace has the line.
TWO_FILES = """
import os, time
for path, size in ('/etc/passwd', 1234), ('/etc/group', 1235):
    fd = os.open(path, os.O_RDONLY)
    os.dup2(fd, 9)
    os.read(9, size)
    for _ in range(200):
        if 'count: %d)' % size in open('out.txt').read():
            break
        time.sleep(.05)
    os.close(9)
    os.close(fd)
try:
    os.fstat(9)
except OSError:
    time.sleep(.1)
os.dup2(0, 9)
time.sleep(.2)
"""


def descriptors(c):
    """Where calls that change a descriptor are not seen, its file is not that of an earlier call."""
    c.made("true", {"two.py": TWO_FILES})
    got = trace(c, "-e read", sys.executable + " two.py")
    files = [x[2] for x in got if re.search(r'count: 123[45]\)', x[2])]
    assert len(files) == 2 and 'fd: 9</etc/passwd>' in files[0] and 'fd: 9</etc/group>' in files[1], got
    got = [x[2] for x in trace(c, '-e fstat,newfstatat,dup2,dup3', sys.executable + ' two.py')]
    assert [x for x in got if re.search('d: 9[,)].* = -1 EBADF', x)], got
    assert [x for x in got if re.search('newfd: 9[,)]', x)] and not [x for x in got if 'newfd: 9<' in x], got


NAMES = """
import fcntl, os, socket
share = os.open('/usr/share', os.O_RDONLY | os.O_DIRECTORY)
os.chdir('/etc')
first = os.open('/etc/passwd', os.O_RDONLY)
os.read(first, 1001)
second = os.open('group', os.O_RDONLY)
os.read(second, 1002)
os.fchdir(os.open('perl', os.O_RDONLY, dir_fd=share))
os.dup2(first, 40)
os.read(40, 1003)
os.read(fcntl.fcntl(second, fcntl.F_DUPFD, 50), 1004)
fcntl.fcntl(first, fcntl.F_GETFD)
os.close(40)
assert os.dup2(socket.socket().detach(), 40) == 40
os.set_blocking(40, False)
try:
    os.read(40, 1005)
except OSError:
    pass
os.dup2(os.memfd_create('m'), 41)
os.read(41, 1006)
"""


STRUCTURES = """
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/if_link.h>
#include <linux/perf_event.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	static struct { struct nlmsghdr h; struct ifinfomsg m; struct rtattr a; char name[4]; } ask = {
		{ sizeof(ask), RTM_GETLINK, NLM_F_REQUEST, 7 }, { .ifi_family = AF_UNSPEC }, { 7, IFLA_IFNAME }, "lo" };
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2];
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = 64, .config = PERF_COUNT_HW_CACHE_MISSES };
	struct ifreq lo = { .ifr_name = "lo" };
	struct statfs fs;
	struct stat st;
	siginfo_t info;
	char room[4096];
	int dir = open("/proc/self", O_RDONLY | O_DIRECTORY), udp = socket(AF_INET, SOCK_DGRAM, 0);
	int netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	statfs("/proc", &fs);
	stat("/dev/null", &st);
	mknod("/proc/none", S_IFCHR | 0600, makedev(1, 3));
#ifdef SYS_getdents
	syscall(SYS_getdents, dir, room, sizeof(room));
#endif
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_DUMPABLE, 1);
	syscall(SYS_capget, &head, caps);
	caps[0] = caps[1] = (struct __user_cap_data_struct){ 0 };
	caps[0].permitted = 1 << CAP_CHOWN | 1 << CAP_KILL;
	caps[1].permitted = 1 << (CAP_BPF - 32);
	syscall(SYS_perf_event_open, &attr, 0, 99, -1, 0);
	attr.config = 0;
	syscall(SYS_perf_event_open, &attr, 0, 99, -1, 0);
	attr.type = PERF_TYPE_SOFTWARE;
	syscall(SYS_perf_event_open, &attr, 0, 99, -1, 0);
	ioctl(udp, SIOCGIFFLAGS, &lo);
	ioctl(udp, SIOCGIFINDEX, &lo);
	ioctl(udp, SIOCGIFHWADDR, &lo);
	if (!fork()) {
		pause();
		_exit(0);
	}
	waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
	kill(0, SIGCONT);
	send(netlink, &ask, sizeof(ask), 0);
	recv(netlink, room, sizeof(room), 0);
	syscall(SYS_capset, &head, caps);
	kill(0, SIGKILL);
}
"""


def structures(c):
    """Members, capabilities, entries, interfaces and attributes of netlink by their names."""
    c.made('cc -w -O1 -o structures structures.c', {'structures.c': STRUCTURES})
    r = c.sh('perf trace --max-string 400 -o out.txt setsid -w ./structures; cat out.txt')
    got = r.out
    if '{ .f_type' not in got:
        raise Skip('no BPF')
    for expected in (r'statfs\(pathname: "/proc", buf: { \.f_type: PROC,.*\.f_flags: VALID\|[A-Z|]+', r'\.st_rdev: 1:3,', r'mknod(at)?\(.*dev: 1:3\)',
                     r'SET_DUMPABLE, arg2: SUID_DUMP_DISABLE\)', r'SET_DUMPABLE, arg2: SUID_DUMP_USER\)',
                     r'capget\(header: { \.version: VERSION_3, .*{ \.effective: ~?\[[A-Z_ ]*\], \.permitted: ~?\[',
                     r'capset\(.*\.effective: \[\], \.permitted: \[CHOWN KILL BPF\], \.inheritable: \[\] }',
                     r'\.type: HARDWARE, \.size: 64, \.config: CACHE_MISSES', r'\.type: HARDWARE, \.size: 64, \.config: CPU_CYCLES',
                     r'\.type: SOFTWARE, \.size: 64, \.config: CPU_CLOCK', r'SIOCGIFFLAGS, arg: { \.ifr_name: "lo", \.ifr_flags: UP\|LOOPBACK',
                     r'SIOCGIFINDEX, arg: { \.ifr_name: "lo", \.ifr_ifindex: 1 }', r'\.ifr_hwaddr: { \.family: LOOPBACK, addr: 00:00:00:00:00:00 }',
                     r'waitid\(.*infop: { },', r'nlmsg_type: GETLINK.* { \.ifi_family: UNSPEC }, \[{ \.nla_len: 7, \.nla_type: IFNAME, \.data: "lo" }\] }\]',
                     r'nlmsg_type: NEWLINK.* { \.ifi_family: UNSPEC, \.ifi_type: LOOPBACK, \.ifi_index: 1, .* \.nla_type: MTU, \.data: \d+ }'):
        assert re.search(expected, got), expected + '\n' + got
    assert 'getdents(' not in got or re.search(r'getdents\(fd: \d+</proc/self>, dirent: \[{ \.d_ino: \d+, \.d_type: DIR, \.d_name: "\.\.?" }', got), got


def names(c):
    """What the trace has seen opened has the name that the program gave; what has none is a number."""
    c.made('true', {'names.py': NAMES})
    got = '\n'.join(x[2] for x in trace(c, '-m 4M', sys.executable + ' names.py'))
    if 'filename: "' not in got:
        raise Skip('no BPF')
    for expected in (r'read\(fd: \d+</etc/passwd>, .*count: 1001\)', r'read\(fd: \d+<group>, .*count: 1002\)',
                     r'fchdir\(fd: \d+</usr/share/perl>\)', r'read\(fd: 40</etc/passwd>, .*count: 1003\)',
                     r'read\(fd: 50<group>, .*count: 1004\)', r'fcntl\(fd: \d+</etc/passwd>, cmd: GETFD\)',
                     r'close\(fd: 40</etc/passwd>\)', r'read\(fd: 40, .*count: 1005\)', r'read\(fd: 41, .*count: 1006\)'):
        assert re.search(expected, got), expected + '\n' + got
    # calls that nobody asked for are followed, but neither shown nor counted
    r = c.sh('perf trace -e read -o out.txt %s names.py; cat out.txt; perf trace -s -e read -o sum.txt %s names.py; cat sum.txt' % ((sys.executable,) * 2))
    for expected in (r'read\(fd: \d+<group>, .*count: 1002\)', r'read\(fd: 40</etc/passwd>, .*count: 1003\)', r'read\(fd: 40, .*count: 1005\)',
                     r'\A +0\.000 '):
        assert re.search(expected, r.out), expected + '\n' + show(r)
    assert 'openat' not in r.out and 'dup' not in r.out, show(r)


def handlers(c):
    """The end of rt_sigreturn has no number: it is no call's."""
    r = c.sh("perf trace -o out.txt -- sh -c 'for i in 1 2; do sleep 0.01; done; true'; cat out.txt")
    assert re.search(r': sh/\d+ rt_sigreturn\(\) +\.\.\.$', r.out, re.M) and 'syscall_' not in r.out, show(r)


def faults(c):
    build(c)
    got = trace(c, '-F all')
    assert got and all('fault [' in x[2] for x in got), got[:5]
    assert any(re.search(r'=> .*@0x\w+ \(', x[2]) for x in got), got[:5]


def callers(c):
    build(c)
    r = c.sh('perf trace --call-graph dwarf -e socket -o out.txt ./calls; cat out.txt')
    assert re.search(r'socket\(.*\n +\S*socket \(.*libc.*\n +main \(.*calls\)', r.out), show(r)


def everybody(c):
    """Not perf itself."""
    r = c.sh('"$PERF" trace -a -e write -o out.txt -- sh -c "sleep 0.2; echo hello" & p=$!; wait $p; s=$?; '
             'echo "pid $p"; cat out.txt; exit $s')
    if 'cannot use raw_syscalls' in r.err:
        raise Skip('no tracepoints')
    assert not r.status and re.search(r'sh/\d+ write\(fd: 1', r.out), show(r)
    pid = re.search('^pid (.*)', r.out, re.M).group(1)
    assert '/%s write' % pid not in r.out, show(r)
    for target in '-a', '-C 0,1', '-u root':
        r = c.sh('"$PERF" trace %s --max-events 3 -o out.txt -- sleep 1 & p=$!; wait $p; s=$?; '
                 'echo "pid $p"; cat out.txt; exit $s' % target)
        pid = re.search('^pid (.*)', r.out, re.M).group(1)
        assert not r.status and '/%s ' % pid not in r.out and r.out.count('\n') == 4, show(r)


def enums(c):
    """Arguments and fields of the kernel's enums have their names."""
    c.made('cc -w -o rule rule.c', {'rule.c': '#include <sys/syscall.h>\n#include <unistd.h>\n'
                                    'int main(void) { syscall(445, -1, 1, 0, 0); usleep(1000); return 0; }\n'})
    got = '\n'.join(x[2] for x in trace(c, '-e landlock_add_rule,timer:hrtimer_start', './rule'))
    if 'landlock_add_rule' not in got:
        raise Skip('no landlock')
    assert re.search(r'rule_type: LANDLOCK_RULE_PATH_BENEATH', got) and re.search(r'hrtimer_start\(.*mode: HRTIMER_MODE_\w+', got), got


def tracepoints(c):
    """The tracepoint of a call has that call's arguments, whatever the kernel's fields are."""
    build(c)
    got = c.sh('perf trace -e syscalls:sys_enter_socket,syscalls:sys_enter_mmap,syscalls:sys_enter_kill,syscalls:sys_exit_kill '
               '-o out.txt ./calls; cat out.txt').out
    for expected in (r'sys_enter_socket\(family: INET, type: STREAM\|CLOEXEC, protocol: TCP\)', r'sys_enter_mmap\(.*prot: READ.*flags: PRIVATE',
                     r'sys_enter_kill\(pid: \d+ \(calls\), sig: CHLD\)', r'sys_exit_kill\(__syscall_nr: \d+\)'):
        assert re.search(expected, got), expected + '\n' + got
    r = c.sh('perf trace --libtraceevent_print -e syscalls:sys_enter_socket -o out.txt ./calls; cat out.txt')
    assert 'sys_enter_socket(family: 0x00000002, type: 0x00080001, protocol: 0x00000006)' in r.out, show(r)


def touched(c):
    """-P: only calls that have a file as an argument, by its name or as a descriptor."""
    got = [x[2] for x in trace(c, '-P /etc/passwd', 'sh -c "cat /etc/passwd /etc/group; cat </etc/passwd" >/dev/null')]
    if not got:
        raise Skip('no BPF')
    names = [re.match(r'\w+', x).group() for x in got]
    assert all('/etc/passwd' in x for x in got) and names.count('openat') == 2 and {'read', 'close'} <= set(names), got
    r = c.sh('perf trace -c -P /etc/passwd -o out.txt cat /etc/passwd /etc/group >/dev/null; cat out.txt')
    assert re.search(r'^   openat +1 ', r.out, re.M) and not re.search('^   mmap', r.out, re.M), show(r)
    # the end of a signal's handler has nothing to do with the file
    r = c.sh('perf trace -c -P /etc/passwd -o out.txt sh -c "trap : USR1; kill -USR1 \\$\\$; cat /etc/passwd" >/dev/null; cat out.txt')
    assert re.search(r'^   openat +1 ', r.out, re.M) and 'rt_sigreturn' not in r.out, show(r)
    r = c.sh('perf trace -P /etc/passwd --cgroup / true')
    assert r.status and '-P needs a BPF program' in r.err, show(r)
    r = c.sh('perf trace -P /etc/passwd -i t.data')
    assert r.status == 255 and '-P is for running tasks' in r.err, show(r)


def priority(c):
    """perf comes first, unless its user said otherwise; the command does not."""
    def nices(text):
        return {int(line.rsplit(')', 1)[1].split()[16]) for line in text.splitlines() if ')' in line}
    tell = "-o out.txt sh -c 'nice; sleep 0.2; cat /proc/$PPID/task/*/stat'"
    own = os.nice(0)
    r = c.sh('perf trace ' + tell)
    assert r.out.startswith('%d\n' % own) and nices(r.out) == {own or -15}, show(r)
    if own > 16:
        raise Skip('nice already')
    r = c.sh('nice -n 3 "$PERF" trace ' + tell)
    assert r.out.startswith('%d\n' % (own + 3)) and nices(r.out) == {own + 3}, show(r)


def lost(c):
    """Where events are missing there is a line; they are as many as are told at the end."""
    r = c.sh('perf trace -m 4 -o out.txt dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none; cat out.txt')
    told = re.search(r'(\d+) events were lost', r.err)
    if not told:
        raise Skip('none was lost')
    lines = re.findall(r'^ *[\d.]+ LOST (\d+) events$', r.out, re.M)
    assert sum(map(int, lines)) == int(told[1]), (lines, told[1])
    times = [float(x) for x in re.findall(r'^ *([\d.]+) LOST', r.out, re.M)]
    assert times == sorted(times), times
    # what ends behind a gap is not taken for the call that began before it
    for before, after in re.findall(r'^ *([\d.]+) LOST.*\n *([\d.]+) \( *[\d.]+ ms', r.out, re.M):
        assert float(after) >= float(before), (before, after)


def others(c):
    """Who may not: one line, and nothing is left behind."""
    r = c.sh('setpriv --reuid 65534 --regid 65534 --clear-groups "$PERF" trace true')
    assert r.status == 255 and 'raw_syscalls:sys_enter' in r.err and 'hint:' in r.err, show(r)
    assert r.err.count('\n') == 2, show(r)


def main():
    c = Suite(__doc__)
    if os.geteuid():
        print('skip: needs root')
        return c.close()
    c.check_all([(f.__name__.replace('_', ' '), f, c) for f in
                 (calls, chosen, same_as_strace, memory, changed, structures, known, limited, summary, counted, kernel_sums, same_sums, many_tasks, settings, recorded, running, descriptors, names, handlers, faults, callers, everybody, enums, tracepoints, touched, priority, lost, others)])
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
