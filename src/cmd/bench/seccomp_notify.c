/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched seccomp-notify: a task whose system call another task answers, by seccomp's notifications.
 *
 * Source: seccomp_unotify(2), linux/seccomp.h.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/bench/measure.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

enum { ANSWER = 0x1234, ANSWERED_CALL = SYS_getpgid };

struct notify_opts {
	u64 loops;
	bool sync;
};

static const struct notify_opts notify_defaults = { .loops = 1000000 };

static const struct opt notify_table[] = {
	OPT_U64('l', "loop", struct notify_opts, loops, "n", "Specify number of loops"),
	OPT_BOOL('s', "sync-mode", struct notify_opts, sync,
		 "Enable the synchronous mode for seccomp notifications"),
	OPT_END
};

static const char *const notify_usage[] = { "perf bench sched seccomp-notify <options>", NULL };

/* The descriptor from which the calls of this task are told. */
static int filter_own_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANSWERED_CALL, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = ARRAY_SIZE(filter), .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

union notify_control {
	struct cmsghdr h;
	char room[CMSG_SPACE(sizeof(int))];
};

static void send_fd(int sock, int fd)
{
	char byte = 0;
	union notify_control control = { .h = { .cmsg_len = CMSG_LEN(sizeof(int)),
						.cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS } };
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.h), &fd, sizeof(fd));
	if (sendmsg(sock, &m, 0) != 1)
		bench_die("sendmsg()");
}

static int receive_fd(int sock)
{
	char byte;
	union notify_control control;
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(sock, &m, MSG_CMSG_CLOEXEC) != 1 || m.msg_controllen < CMSG_LEN(sizeof(int)))
		bench_die_text("the task has not sent its descriptor");
	memcpy(&fd, CMSG_DATA(&control.h), sizeof(fd));
	return fd;
}

static void call(int sock, u64 loops)
{
	int fd = filter_own_calls();

	if (fd < 0)
		bench_die("seccomp()");
	send_fd(sock, fd);
	close(fd);
	for (u64 i = 0; i < loops; i++) {
		if (syscall(ANSWERED_CALL, 0) != ANSWER)
			bench_die_text("a system call was not answered");
	}
}

static void answer(int fd, u64 loops)
{
	for (u64 i = 0; i < loops; i++) {
		struct seccomp_notif told = { 0 };
		struct seccomp_notif_resp response = { .val = ANSWER };

		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &told))
			bench_die("SECCOMP_IOCTL_NOTIF_RECV");
		response.id = told.id;
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response))
			bench_die("SECCOMP_IOCTL_NOTIF_SEND");
	}
}

static int notify_run(const struct bench_ctx *ctx, void *opts)
{
	struct notify_opts *o = opts;
	int socks[2], fd, status = 0;
	u64 start, ns;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks))
		bench_die("socketpair()");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		bench_die("fork()");
	if (!pid) {
		close(socks[0]);
		call(socks[1], o->loops);
		_exit(0);
	}
	close(socks[1]);
	fd = receive_fd(socks[0]);
	if (o->sync &&
	    ioctl(fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)) {
		kill(pid, SIGKILL);
		bench_die("SECCOMP_IOCTL_NOTIF_SET_FLAGS");
	}
	start = clock_now();
	answer(fd, o->loops);
	ns = clock_now() - start;
	close(fd);
	close(socks[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (status)
		return 1;
	if (!ctx->simple)
		printf("# Executed %lu system calls\n\n", o->loops);
	bench_print_total(ctx, ns);
	if (!ctx->simple) {
		printf("\n");
		bench_print_rate(ns, o->loops);
	}
	return 0;
}

BENCHMARK(bench_sched_seccomp_notify, "seccomp-notify", "Benchmark for seccomp user notify",
	  notify_table, notify_usage, notify_defaults, notify_run);
