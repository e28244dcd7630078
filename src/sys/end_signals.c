/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/end_signals.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

static const int numbers[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGXCPU,
};

static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

void end_signals_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (numbers[i] == SIGINT || numbers[i] == SIGTERM || !is_ignored(numbers[i]))
			sigaddset(set, numbers[i]);
	}
}

void end_signals_reset(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!is_ignored(numbers[i]))
			signal(numbers[i], SIG_DFL);
	}
}

bool end_signals_waiting(void)
{
	sigset_t waiting;

	if (sigpending(&waiting))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (sigismember(&waiting, numbers[i]) == 1)
			return true;
	}
	return false;
}

void held_signals_begin(struct held_signals *h, int but)
{
	end_signals_set(&h->held);
	if (but)
		sigdelset(&h->held, but);
	sigprocmask(SIG_BLOCK, &h->held, &h->before);
	h->on = true;
}

int held_signals_take(const struct held_signals *h)
{
	static const struct timespec at_once;
	int number = 0, next;

	while (h->on && (next = sigtimedwait(&h->held, NULL, &at_once)) > 0)
		number = next;
	return number;
}

void held_signals_end(struct held_signals *h)
{
	if (h->on)
		sigprocmask(SIG_SETMASK, &h->before, NULL);
	h->on = false;
}

void end_by_signal(int number)
{
	sigset_t set;

	fflush(NULL);
	prctl(PR_SET_DUMPABLE, 0);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + number); /* it is none that ends a process */
}

static char unfinished[PATH_MAX];

static void remove_unfinished(int number)
{
	unlink(unfinished);
	signal(number, SIG_DFL);
	raise(number);
}

void unfinished_file_begin(const char *path)
{
	struct sigaction action = { .sa_handler = remove_unfinished };

	snprintf(unfinished, sizeof(unfinished), "%s", path);
	end_signals_set(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (sigismember(&action.sa_mask, numbers[i]) == 1 && !is_ignored(numbers[i]))
			sigaction(numbers[i], &action, NULL);
	}
}

void unfinished_file_end(void)
{
	end_signals_reset();
}
