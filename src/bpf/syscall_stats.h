/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/syscall_stats: system calls counted and timed in the kernel, by thread and number: nothing is
 * written per call. A call counts when it returns, so those that never do (exit) do not. Times are
 * in ns, and 0 for a call whose beginning was not seen. A thread's name is the one that it had at
 * its first call of that number; threads that follow each other with the same tid are one. What
 * there is no room for is counted. One thread.
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
	bool by_error, by_time; /* parts of rows are counted, too: syscall_stats_parts() */
};

struct syscall_stats_row {
	s32 pid, tid; /* pid -1 = not known */
	const char *comm; /* "" = not known */
	u32 nr; /* of the system call; with SYSCALL_STATS_COMPAT */
	u64 cgroup; /* id of its control group at the first call */
	u64 count, errors; /* that returned */
	u64 begun; /* that were seen to begin; most of them have returned, too */
	u64 total, least, most;
	unsigned __int128 squares; /* sum of the squares of the times */
};

/* Those calls of a row that failed with an error, or took from 2^(part - 1) ns on, less than 2^part
 * (the last one, SYSCALL_STATS_TIMES - 1: or longer). */
struct syscall_stats_part {
	s32 tid;
	u32 nr;
	bool is_time;
	u32 part; /* of times; else an errno value */
	u64 count;
};

struct syscall_stats_losses {
	u64 threads; /* calls of threads that there is no room for, and children not followed */
	u64 rows; /* calls and parts of rows that there is no room for */
};

/* Loaded and attached, but not enabled. NULL: e says why. */
struct syscall_stats *syscall_stats_new(const struct syscall_stats_opts *o, struct err *e);
void syscall_stats_free(struct syscall_stats *s);
void syscall_stats_enable(struct syscall_stats *s, bool on);
/* What has been passed on is forgotten: of a thread that has ended. */
enum { SYSCALL_STATS_FORGET = 1 };
/* The rows so far, in no order, valid within fn. It returns 0 or SYSCALL_STATS_FORGET. */
void syscall_stats_rows(const struct syscall_stats *s,
			int (*fn)(void *ctx, const struct syscall_stats_row *row), void *ctx);
/* Likewise the calls that threads are in, one each: begun, none returned. */
void syscall_stats_running(const struct syscall_stats *s,
			   int (*fn)(void *ctx, const struct syscall_stats_row *row), void *ctx);
void syscall_stats_parts(const struct syscall_stats *s,
			 int (*fn)(void *ctx, const struct syscall_stats_part *part), void *ctx);
struct syscall_stats_losses syscall_stats_losses(const struct syscall_stats *s);

#endif
