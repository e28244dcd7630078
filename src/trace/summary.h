/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/summary: system calls counted and timed, by task and call. Sums are integers: they do not
 * depend on the order of calls. One thread.
 */
#ifndef TRACE_SUMMARY_H
#define TRACE_SUMMARY_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/syscall.h"

struct trace_error {
	u32 error;
	u32 next; /* in summary.errors + 1, 0 = none */
	u64 nr;
};

enum { TRACE_BUCKETS = 36 };

/* How many calls took from 2^(i - 1) ns on, less than 2^i; the last has no end. */
struct trace_times {
	u64 nr[TRACE_BUCKETS];
};

/* Times in ns. */
struct trace_sum {
	u32 task;
	u32 errors_head; /* in summary.errors + 1 */
	u32 times; /* in summary.times + 1, 0 = none */
	const struct trace_syscall *syscall;
	u64 nr, nr_errors;
	u64 total, least, most;
	unsigned __int128 squares;
	u64 cgroup; /* id of the task's control group, where that is known */
};

/* Zero bytes are an empty one. */
struct trace_summary {
	VEC(struct trace_sum) sums;
	VEC(struct trace_error) errors;
	VEC(struct trace_times) times;
	struct map by_key;
	bool by_error; /* errors are counted one by one */
	bool by_time; /* and calls by how long they took */
};

void trace_summary_release(struct trace_summary *s);
/* The row of a task's calls, which may be new. */
struct trace_sum *trace_summary_row(struct trace_summary *s, u32 task,
				    const struct trace_syscall *c);
/* A call that has returned. */
void trace_summary_add(struct trace_summary *s, u32 task, const struct trace_syscall *c, u64 time,
		       s64 result);
/* Counts calls of a row that took so long: a bucket of struct trace_times. */
void trace_summary_add_times(struct trace_summary *s, struct trace_sum *row, u32 bucket, u64 nr);
/* Counts errors of a row. */
void trace_summary_add_errors(struct trace_summary *s, struct trace_sum *row, u32 error, u64 nr);
/* Adds what is known of the same call elsewhere. */
void trace_summary_join(struct trace_summary *s, struct trace_sum *row,
			const struct trace_summary *from, const struct trace_sum *x);
/* How far the mean of the times may be off (its standard error), in percent of the mean. */
double trace_sum_deviation(const struct trace_sum *s);

#endif
