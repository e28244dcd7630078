/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/tracer: the records of a session as lines of a trace, and sums: each system call from its
 * raw_syscalls:sys_enter to its sys_exit, tracepoints, page faults. Of a recording or of the
 * running machine; in order of time.
 *
 * A call that another task's call interrupts is printed at that moment, ending in "...", and once
 * more when it returns ("... [continued]: "). One thread.
 */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "session/session.h"
#include "trace/args.h"
#include "trace/summary.h"
#include "trace/tasks.h"

struct trace_paths;

struct tracer_opts {
	struct session *session; /* borrowed */
	bool lines; /* are wanted */
	bool sums;
	bool by_error, by_time; /* sums (trace/summary.h) */
	bool syscalls; /* no: samples of system calls are left out */
	bool full_time; /* since the machine was started, not since the first sample */
	bool no_time, no_duration; /* in front of a line */
	bool zeros; /* arguments that are 0, too */
	bool no_comm, no_task; /* of the task in front of a line */
	bool no_arg_names;
	bool full_names; /* of constants */
	u32 result_column; /* from where the call begins */
	/* only calls that have one of these files as an argument; nr 0 = all */
	const char *const *touched;
	size_t nr_touched;
	bool show_cpu;
	bool failures; /* only calls that failed */
	u64 min_time; /* ns: only calls that took longer */
	u64 max_events; /* lines, 0 = any number */
	bool stacks; /* callers below lines */
	bool kernel_stacks; /* --kernel-syscall-graph */
	u32 min_stack, max_stack; /* frames; 0 = any */
	bool bit_lists; /* their sets of bits as "0-2,5" */
	bool print_fmt; /* tracepoints' fields as their own format has them */
	bool show_sample; /* a line about each sample */
	bool by_program; /* calls are samples of bpf/trace_args */
	const struct trace_layouts *layouts; /* of structures; NULL = not known */
	bool plain_layouts; /* members of structures are numbers */
	struct trace_paths *paths; /* of descriptors; NULL = not known */
	u32 not_pid; /* a process whose samples are left out, 0 = none */
	/* Whether a call is wanted; NULL = all are. */
	bool (*wants)(void *ctx, const struct trace_syscall *s);
	/* Samples that other samples switch off; NULL = none. */
	bool (*skips)(void *ctx, const struct perfdata_event *ev);
	/* A thread has ended; NULL = nobody asks. */
	void (*ended)(void *ctx, u32 tid);
	/* Whole lines; false: no more of them can be written. */
	bool (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};

struct tracer;

/* NULL: the session's machine is one whose system calls are not known. */
struct tracer *tracer_new(const struct tracer_opts *o, struct err *e);
void tracer_free(struct tracer *t);
/* All of the session. */
int tracer_run(struct tracer *t, struct err *e);
/* After that. */
const struct trace_tasks *tracer_tasks(const struct tracer *t);
struct trace_summary *tracer_summary(struct tracer *t);
u64 tracer_nr_events(const struct tracer *t);
/* For sums that come from elsewhere: the call of that number. */
const struct trace_syscall *tracer_syscall(struct tracer *t, u64 nr, bool compat);
/* A task with so many events, which may be new; its number. */
u32 tracer_add_task(struct tracer *t, u32 pid, u32 tid, const char *comm, u64 nr_events);

#endif
