/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/target: whose and which CPUs' events are recorded.
 *
 * A target is either CPU-wide (tasks empty, one column per CPU) or a set of tasks. Tasks are
 * measured on every CPU (rings per CPU, children inherit) or, with per_thread, with one event and
 * ring per task. Owned by the command; capture only reads it.
 */
#ifndef CAPTURE_TARGET_H
#define CAPTURE_TARGET_H

#include "base/err.h"
#include "sys/proc.h"

struct capture_target {
	bool cpu_wide; /* -a or -C */
	bool per_thread; /* --per-thread */
	bool by_pid; /* tasks come from -p: all threads of those */
	bool by_tid; /* tasks come from -t: exactly those, no inheritance */
	bool workload; /* tasks[0] is a child of ours that waits to exec */
	u32 *cpus; /* online CPUs, or those of -C */
	size_t nr_cpus;
	size_t nr_other_cpus; /* online ones that -C leaves out, behind those: what is mapped and
				 executed there is recorded all the same, since a task may go on on
				 a CPU of -C */
	sys_pids tasks; /* ids to open events on; empty when CPU-wide */
	sys_pids groups; /* process ids behind by_pid, to wait for their end */
};

void capture_target_release(struct capture_target *t);
/* "1,2,3" -> all threads of those processes. -1: bad number, or no such process (ESRCH). */
int capture_target_pids(struct capture_target *t, const char *list, struct err *e);
/* The same of threads. Those that are gone are told when they are opened, and it is an error if all
 * are (ESRCH). */
int capture_target_tids(struct capture_target *t, const char *list, struct err *e);
/* All processes and threads of a user. */
int capture_target_uid(struct capture_target *t, u32 uid, struct err *e);
/* list NULL = all online CPUs; else only those named, which must be online. */
int capture_target_cpus(struct capture_target *t, const char *list, struct err *e);

#endif
