/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/trace_args: system calls told by a program in the kernel, which reads the memory that their
 * arguments point to while the task is in the call. Samples go to bpf-output events that somebody
 * else has opened (struct call_head and its pieces), into the same buffers as those of other
 * events, so that they are in order with them and the kernel counts what is lost. One thread.
 *
 * Needs Linux 5.12 with type information (BTF), CAP_BPF and CAP_PERFMON, and the initial pid
 * namespace.
 */
#ifndef BPF_TRACE_ARGS_H
#define BPF_TRACE_ARGS_H

#include "base/err.h"
#include "bpf/trace_args_program.h"

struct trace_args;

struct trace_args_opts {
	const s32 *tids; /* whose calls; none = everybody's */
	size_t nr_tids;
	bool children; /* of the tids, too */
	bool on_exec; /* from when one of the tids executes a program, not at once */
	s32 not_pid; /* a process that is left out, 0 = none */
	const u32 *not_tids; /* threads that are */
	size_t nr_not_tids;
	u32 max_bytes; /* that are read of a buffer, 1 at least */
};

/* Loaded; nothing is told yet. NULL: e says why. */
struct trace_args *trace_args_new(const struct trace_args_opts *o, struct err *e);
void trace_args_free(struct trace_args *t);
/* Before it begins: what is told of calls of that number (+ CALL_COMPAT). */
int trace_args_rules(struct trace_args *t, u32 nr, const struct call_rules *rules, struct err *e);
/* Samples of calls that begin and of those that return, on that CPU, go to these events. */
int trace_args_events(struct trace_args *t, u32 cpu, int enter_fd, int exit_fd, struct err *e);
int trace_args_begin(struct trace_args *t, struct err *e);
/* Children that there was no room for: their calls are missing. */
u64 trace_args_unfollowed(const struct trace_args *t);

#endif
