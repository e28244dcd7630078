/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 50 };

extern char **environ;

/* The process, whose output is *from; -1 with errno. */
static pid_t start(const char *const *argv, const struct run_opts *o, int *from)
{
	posix_spawn_file_actions_t actions;
	int fds[2], ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	if (o->fd)
		posix_spawn_file_actions_adddup2(&actions, o->fd, RUN_FD);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (o->with_errors)
		posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	else
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	*from = fds[0];
	if (!ret)
		return pid;
	close(fds[0]);
	errno = ret;
	return -1;
}

static bool is_unwanted(const struct run_opts *o)
{
	return o->unwanted && __atomic_load_n(o->unwanted, __ATOMIC_RELAXED);
}

/* What it prints next; 0: it has ended, or is unwanted. */
static ssize_t read_piece(int from, const struct run_opts *o, char *piece, size_t size)
{
	struct pollfd p = { .fd = from, .events = POLLIN };
	ssize_t n = 0;

	while (!is_unwanted(o)) {
		if (o->unwanted && poll(&p, 1, PATIENCE_MS) <= 0)
			continue;
		n = read(from, piece, size);
		if (n >= 0 || errno != EINTR)
			break;
	}
	return n;
}

int run_for_output(const char *const *argv, const struct run_opts *o, struct strbuf *out)
{
	char piece[65536];
	size_t left = o->max;
	bool whole = true;
	int from, status = 0;
	ssize_t n;
	pid_t pid = start(argv, o, &from);

	if (pid < 0)
		return -1;
	/* all is read: a program that cannot write does not end */
	while ((whole || !o->ends_at_max) && (n = read_piece(from, o, piece, sizeof(piece))) > 0) {
		whole = whole && (size_t)n <= left;
		strbuf_add(out, piece, MIN((size_t)n, left));
		left -= MIN((size_t)n, left);
	}
	if ((!whole && o->ends_at_max) || is_unwanted(o))
		kill(pid, SIGKILL); /* (nothing where it has ended by itself) */
	close(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (whole)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	errno = EFBIG;
	return -1;
}
