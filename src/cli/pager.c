/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static pid_t pager_pid;
static bool off;
static const char *usual;

bool pager_in_use(void)
{
	return pager_pid > 0;
}

static const char *pager_command(void)
{
	const char *command = getenv("PERF_PAGER");
	if (!command)
		command = usual;
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return off || !command[0] || !strcmp(command, "cat") ? NULL : command;
}

void pager_turn_off(void)
{
	off = true;
	setenv("PERF_PAGER", "cat", 1); /* for perf programs that scripts start */
}

void pager_use(const char *command)
{
	usual = command;
}

/* A copy of the environment with settings of less; free() it. */
static char **pager_environment(void)
{
	size_t n = 0;
	while (environ[n])
		n++;
	char **env = xcalloc(n + 2, sizeof(*env));
	memcpy(env, environ, n * sizeof(*env));
	/* F: quit when it fits one screen, R: colours, S: chop long lines, X: leave the text there.
	 */
	static char less[] = "LESS=FRSX";
	if (!getenv("LESS"))
		env[n] = less;
	return env;
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
	_cleanup_(mem_freep) char **env = pager_environment();
	int ret = posix_spawn(&pager_pid, "/bin/sh", &actions, NULL, (char *const *)argv, env);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

bool pager_start(void)
{
	const char *command = pager_command();
	int fds[2];
	if (pager_pid || !command || !isatty(STDOUT_FILENO))
		return false;
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
