/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/workload: the program to be measured: forked at once, so that events can be opened on it,
 * and let go (exec) when everything is ready. One thread.
 */
#ifndef CAPTURE_WORKLOAD_H
#define CAPTURE_WORKLOAD_H

#include "base/err.h"

struct workload {
	pid_t pid; /* 0 = none, or already waited for */
	int go_fd;
	int exec_fd; /* the child's errno if exec fails */
	int status; /* as waitpid() gives it, once reaped */
	bool reaped;
	u64 user_ns, system_ns; /* processor time that it and its children took, once reaped */
};

/* to_stderr: the program's standard output goes there (ours carries the data). The signals blocked
 * by the caller after this call are not inherited. */
int workload_fork(struct workload *w, const char *const *argv, bool to_stderr, struct err *e);
/* Let it exec. -1: the program cannot be run (errno in e->code). */
int workload_start(struct workload *w, struct err *e);
/* Collect it if it has ended; block = wait for that. true once it is gone. */
bool workload_reap(struct workload *w, bool block);
/* Has it ended? It is not collected: /proc still knows its name. */
bool workload_ended(const struct workload *w, bool block);
/* End it (SIGTERM) and wait, without collecting it. */
void workload_halt(struct workload *w);
/* End it (SIGTERM) and wait, unless it already has ended. */
void workload_stop(struct workload *w);

#endif
