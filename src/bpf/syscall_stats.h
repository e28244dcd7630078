/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/syscall_stats: system calls counted and timed in the kernel, by thread and number: nothing is
 * written per call. A call counts when it returns, so those that never do (exit) do not. Times are
 * in ns. A thread's name is the one that it had at its first call of that number; threads that
 * follow each other with the same tid are one. What there is no room for is counted. One thread.
 *
 * Needs Linux 5.8 with type information (BTF), CAP_BPF and CAP_PERFMON, and the initial pid
 * namespace.
 */
#ifndef BPF_SYSCALL_STATS_H
#define BPF_SYSCALL_STATS_H

#include "base/err.h"
#include "bpf/syscall_stats_program.h"

struct syscall_stats;

struct syscall_stats_opts {
	const s32 *tids; /* whose calls; none = everybody's */
	size_t nr_tids;
	bool children; /* of the tids, too */
	bool on_exec; /* enabled when one of the tids executes a program */
	s32 not_pid; /* a process that is left out, 0 = none */
};

struct syscall_stats_row {
	s32 pid, tid;
	const char *comm;
	u32 nr; /* of the system call; with SYSCALL_STATS_COMPAT */
	u64 cgroup; /* id of its control group at the first call */
	u64 count, errors;
	u64 total, least, most;
	unsigned __int128 squares; /* sum of the squares of the times */
	double variance; /* of the times in ns; 0 for a single call */
};

struct syscall_stats_error {
	s32 tid;
	u32 nr;
	u32 error; /* an errno value */
	u64 count;
};

struct syscall_stats_losses {
	u64 threads; /* calls of threads that there is no room for, and children not followed */
	u64 rows; /* calls and errors that there is no row for */
};

/* Loaded and attached, but not enabled. NULL: e says why. */
struct syscall_stats *syscall_stats_new(const struct syscall_stats_opts *o, struct err *e);
void syscall_stats_free(struct syscall_stats *s);
void syscall_stats_enable(struct syscall_stats *s, bool on);
/* The rows so far, in no order, until fn returns -1, which is passed on; valid within fn. */
int syscall_stats_rows(const struct syscall_stats *s,
		       int (*fn)(void *ctx, const struct syscall_stats_row *row), void *ctx);
int syscall_stats_errors(const struct syscall_stats *s,
			 int (*fn)(void *ctx, const struct syscall_stats_error *error), void *ctx);
struct syscall_stats_losses syscall_stats_losses(const struct syscall_stats *s);

#endif
