#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void nothing(int sig) { (void)sig; }

static void sockets(void)
{
	int s[2], fd = 2;
	char data[4] = "abc", space[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec v = { data, 3 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space) };
	struct mmsghdr mm[2];
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	sendmsg(s[0], &m, MSG_DONTWAIT);
	recvmsg(s[1], &m, 0);
	m.msg_control = NULL;
	m.msg_controllen = 0;
	mm[0].msg_hdr = mm[1].msg_hdr = m;
	sendmmsg(s[0], mm, 2, 0);
	recvmmsg(s[1], mm, 2, MSG_DONTWAIT, NULL);
	ioctl(s[0], FIONBIO, &fd);
	ioctl(s[1], FIONREAD, &fd);
}

int main(void)
{
	struct winsize w;
	struct termios t;
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET, .data.u64 = 7 };
	struct timespec ts = { 0, 1000 }, left, times[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };
	struct rusage ru;
	struct statx sx;
	struct io_uring_params io = { .flags = IORING_SETUP_CLAMP };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID, .read_format = PERF_FORMAT_ID, .disabled = 1 };
	union bpf_attr b;
	struct clone_args ca = { .flags = CLONE_PARENT_SETTID, .exit_signal = SIGCHLD, .parent_tid = (uint64_t)(uintptr_t)&w };
	struct itimerval it = { { 0, 0 }, { 0, 20000 } };
	struct sembuf sb = { 0, 1, IPC_NOWAIT };
	struct __user_cap_header_struct ch = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct cd[2];
	siginfo_t si;
	fd_set set;
	uint32_t word = 1;
	int ep = epoll_create1(EPOLL_CLOEXEC), p[2], fd, id, status, n;

	pipe(p);
	ioctl(0, TCGETS, &t);
	ioctl(0, TIOCGWINSZ, &w);
	ioctl(p[0], FIONREAD, &n);
	ioctl(p[0], 0xc0185879, &t);
	prctl(PR_SET_NAME, "given");
	prctl(PR_GET_NAME, (char *)&sx);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_CHOWN, 0, 0);
	sockets();
	epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &ev);
	write(p[1], "x", 1);
	epoll_wait(ep, &ev, 1, 0);
	syscall(SYS_statx, AT_FDCWD, "/etc/passwd", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &sx);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &ts);
	syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &word, FUTEX_OP(FUTEX_OP_ADD, 2, FUTEX_OP_CMP_GT, 3));
	syscall(SYS_io_uring_setup, 4, &io);
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	memset(&b, 0, sizeof(b));
	b.map_type = BPF_MAP_TYPE_HASH;
	b.key_size = 4;
	b.value_size = 8;
	b.max_entries = 16;
	strcpy(b.map_name, "named");
	syscall(SYS_bpf, BPF_MAP_CREATE, &b, 72);
	if (!syscall(SYS_clone3, &ca, sizeof(ca)))
		_exit(3);
	waitid(P_ALL, 0, &si, WEXITED);
	if (!fork())
		_exit(4);
	wait4(-1, &status, 0, &ru);
	syscall(SYS_seccomp, 2, 0, &word);
	signal(SIGALRM, nothing);
	setitimer(ITIMER_REAL, &it, NULL);
	ts.tv_sec = 1;
	nanosleep(&ts, &left);
	utimensat(AT_FDCWD, "/nonexistent", times, 0);
	FD_ZERO(&set);
	FD_SET(p[0], &set);
	select(p[0] + 1, &set, NULL, NULL, &(struct timeval){ 0, 5 });
	id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	shmctl(id, IPC_RMID, NULL);
	id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
	semop(id, &sb, 1);
	semctl(id, 0, IPC_RMID);
	syscall(SYS_capget, &ch, cd);
	getresuid((uid_t *)&w, (uid_t *)&n, (uid_t *)&id);
	sched_getscheduler(0);
	getrlimit(RLIMIT_NOFILE, (struct rlimit *)&sx);
	return 0;
}
