/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "sys/end_signals.h"

NORETURN static void run_child(int go, int report, const char *const *argv, bool to_stderr)
{
	char c;
	int err;

	/* the name that perf's files show before the exec */
	prctl(PR_SET_NAME, "perf-exec");
	end_signals_reset();
	signal(SIGPIPE, SIG_DFL); /* the recorder ignores these */
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	/* the parent may end before it lets us go: then there is nothing to run */
	if (rw_read_full(go, &c, 1) != 1)
		_exit(0);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	err = errno;
	rw_write_full(report, &err, sizeof(err));
	_exit(err == ENOENT ? 127 : 126);
}

int workload_fork(struct workload *w, const char *const *argv, bool to_stderr, struct err *e)
{
	int go[2], report[2];
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0)
		return err_sys(e, errno, "cannot make a pipe");
	if (pipe2(report, O_CLOEXEC) < 0) {
		int code = errno;

		close(go[0]);
		close(go[1]);
		return err_sys(e, code, "cannot make a pipe");
	}
	pid = fork();
	if (!pid) {
		close(go[1]);
		close(report[0]);
		run_child(go[0], report[1], argv, to_stderr);
	}
	close(go[0]);
	close(report[1]);
	if (pid < 0) {
		int code = errno;

		close(go[1]);
		close(report[0]);
		return err_sys(e, code, "cannot start '%s'", argv[0]);
	}
	*w = (struct workload){ .pid = pid, .go_fd = go[1], .exec_fd = report[0] };
	return 0;
}

int workload_start(struct workload *w, struct err *e)
{
	int err = 0;
	ssize_t n;

	rw_write_full(w->go_fd, "", 1);
	mem_closep(&w->go_fd);
	/* ends with the exec: the fd is close-on-exec */
	n = rw_read_full(w->exec_fd, &err, sizeof(err));
	mem_closep(&w->exec_fd);
	return n == sizeof(err) ? err_set(e, err, "cannot run the workload") : 0;
}

static u64 timeval_ns(const struct timeval *t)
{
	return (u64)t->tv_sec * 1000000000 + (u64)t->tv_usec * 1000;
}

bool workload_reap(struct workload *w, bool block)
{
	struct rusage usage = { 0 };
	pid_t r;

	if (!w->pid || w->reaped)
		return true;
	do {
		r = wait4(w->pid, &w->status, block ? 0 : WNOHANG, &usage);
	} while (r < 0 && errno == EINTR);
	if (!r)
		return false;
	w->user_ns = timeval_ns(&usage.ru_utime);
	w->system_ns = timeval_ns(&usage.ru_stime);
	w->reaped = true;
	return true;
}

bool workload_ended(const struct workload *w, bool block)
{
	siginfo_t info = { 0 };
	int r;

	if (!w->pid || w->reaped)
		return true;
	do {
		r = waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOWAIT | (block ? 0 : WNOHANG));
	} while (r < 0 && errno == EINTR);
	return r < 0 || info.si_pid;
}

void workload_halt(struct workload *w)
{
	if (!w->pid || w->reaped)
		return;
	if (w->go_fd > 0)
		mem_closep(&w->go_fd); /* never let go: ends by itself */
	else if (!workload_ended(w, false))
		kill(w->pid, SIGTERM);
	workload_ended(w, true);
}

void workload_stop(struct workload *w)
{
	if (!w->pid || w->reaped)
		return;
	workload_halt(w);
	workload_reap(w, true);
	if (w->exec_fd > 0)
		mem_closep(&w->exec_fd);
}
