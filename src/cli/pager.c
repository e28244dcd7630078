/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static pid_t pager_pid;

bool pager_in_use(void)
{
	return pager_pid > 0;
}

static const char *pager_command(void)
{
	const char *command = getenv("PERF_PAGER");
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return !command[0] || !strcmp(command, "cat") ? NULL : command;
}

/* Behind a pager stdout is a pipe: keep the width of the terminal for whoever lays out text. */
static void export_width(void)
{
	struct winsize size;
	if (!getenv("COLUMNS") && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col) {
		char text[16];
		snprintf(text, sizeof(text), "%u", size.ws_col);
		setenv("COLUMNS", text, 1);
	}
}

static void wait_signal(int sig)
{
	close(STDOUT_FILENO);
	waitpid(pager_pid, NULL, 0);
	signal(sig, SIG_DFL);
	raise(sig);
}

static int spawn_pager(const char *command, const int fds[2])
{
	const char *argv[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[0], STDIN_FILENO);
	posix_spawn_file_actions_addclose(&actions, fds[0]);
	posix_spawn_file_actions_addclose(&actions, fds[1]);
	/* F: quit when it fits one screen, R: colours, S: chop long lines, X: leave the text there.
	 */
	setenv("LESS", "FRSX", 0);
	int ret = posix_spawn(&pager_pid, "/bin/sh", &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

bool pager_start(void)
{
	const char *command = pager_command();
	int fds[2];
	if (pager_pid || !command || !isatty(STDOUT_FILENO))
		return false;
	export_width();
	/* Where less is missing the text goes to the terminal as it is. */
	if (!strcmp(command, "less") && access("/usr/bin/less", X_OK) && access("/bin/less", X_OK))
		return false;
	fflush(stdout);
	if (pipe(fds))
		return false;
	if (spawn_pager(command, fds)) {
		pager_pid = 0;
		close(fds[0]);
		close(fds[1]);
		return false;
	}
	dup2(fds[1], STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
	static const int deadly[] = { SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE };
	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		signal(deadly[i], wait_signal);
	return true;
}

void pager_wait(void)
{
	if (!pager_pid)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager_pid = 0;
}
