/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rw.h"

extern char **environ;

/* The process, whose output is *from; -1 with errno. */
static pid_t start(const char *const *argv, int fd, int *from)
{
	posix_spawn_file_actions_t actions;
	int fds[2], ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	if (fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, fd, RUN_FD);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
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

int run_for_output(const char *const *argv, int fd, size_t max, struct strbuf *out)
{
	char piece[65536];
	size_t left = max;
	bool whole = true;
	int from, status = 0;
	ssize_t n;
	pid_t pid = start(argv, fd, &from);

	if (pid < 0)
		return -1;
	/* all is read: a program that cannot write does not end */
	while ((n = rw_read_full(from, piece, sizeof(piece))) > 0) {
		whole = whole && (size_t)n <= left;
		strbuf_add(out, piece, MIN((size_t)n, left));
		left -= MIN((size_t)n, left);
	}
	close(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (whole)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	errno = EFBIG;
	return -1;
}
