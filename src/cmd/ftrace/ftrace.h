/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace: what the files of the command perf ftrace share. What is traced is in src/ftrace; here is
 * what options mean, and how long it goes on.
 */
#ifndef CMD_FTRACE_FTRACE_H
#define CMD_FTRACE_FTRACE_H

#include "capture/workload.h"
#include "cli/command.h"
#include "ftrace/durations.h"
#include "ftrace/reader.h"
#include "ftrace/settings.h"
#include "selection/sampling.h"

enum { FTRACE_FAILED = 255, FTRACE_INVALID = 234 /* as perf says it */ };

struct ftrace_opts {
	struct sampling sampling; /* of it the targets */
	struct ftrace_settings settings;
	const char *config_tracer; /* ftrace.tracer */
	const char *debugfs;
	u64 delay; /* ms */
	bool list;
	const char *list_glob; /* NULL = all */
	/* latency */
	bool use_bpf, hide_empty, bounds_given[2];
	const char *events;
	struct ftrace_buckets buckets;
	u64 most;
	/* profile */
	const char *sort;
};

extern const struct opt ftrace_trace_table[], ftrace_latency_table[], ftrace_profile_table[];
extern const char *const ftrace_usage[];

/* What is done while it is traced. */
struct ftrace_job {
	struct ftrace_opts *o;
	const char *tracer; /* NULL = events */
	bool as_text;
	struct ftrace_sink sink;
	/* before it begins; NULL = nothing */
	int (*begin)(struct ftrace_job *job, const struct ftrace_instance *t, struct err *e);
	/* after all that was there at that time (ns of the clock mono) was read; NULL = nothing */
	bool (*round)(void *ctx, u64 until);
	/* in place of an instance's buffers: what counts in the kernel; NULL = nothing */
	int (*count)(struct ftrace_job *job, const struct capture_target *target, bool on,
		     struct err *e);
	u64 lost;
	void *ctx;
};

/* Runs the command, or until a signal comes or the traced tasks have ended. command: its words,
 * NULL = none. 0, or an exit status after telling what went wrong. */
int ftrace_run(struct ftrace_job *job, const char *const *command);

/* The subcommands: an exit status. */
int ftrace_trace(struct ftrace_opts *o, const char *const *command);
int ftrace_latency(struct ftrace_opts *o, const char *const *command);
int ftrace_profile(struct ftrace_opts *o, const char *const *command);
/* -F: functions that can be traced. */
int ftrace_list(const struct ftrace_opts *o);

#endif
