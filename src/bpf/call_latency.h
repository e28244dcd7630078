/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/call_latency: how long calls of a function of the kernel take, or a thread takes from one
 * tracepoint to another, counted in buckets in the kernel: nothing is written per call. Of calls
 * within calls of the same function the innermost counts. Times are in ns. One thread.
 *
 * Needs Linux 5.5, CAP_BPF and CAP_PERFMON; functions need kprobes.
 */
#ifndef BPF_CALL_LATENCY_H
#define BPF_CALL_LATENCY_H

#include "base/err.h"
#include "bpf/call_latency_program.h"

struct call_latency;

struct call_latency_opts {
	const char *function; /* NULL = from event to event */
	const char *events[2]; /* SYSTEM:NAME */
	const s32 *tids; /* whose; NULL = everybody's */
	size_t nr_tids;
	bool children; /* of the tids, too */
	const u32 *cpus; /* where it ends; NULL = all */
	size_t nr_cpus;
	bool in_ns; /* units of the following, else us */
	u64 range; /* as in ftrace/durations.h */
	u64 least;
	u64 nr; /* buckets */
};

/* Loaded and attached, but not enabled. NULL: e says why. */
struct call_latency *call_latency_new(const struct call_latency_opts *o, struct err *e);
void call_latency_free(struct call_latency *c);
void call_latency_enable(struct call_latency *c, bool on);
/* counts: of o->nr buckets. */
int call_latency_read(const struct call_latency *c, u64 *counts, struct call_latency_sums *sums,
		      struct err *e);
/* Calls that are not counted, since too many threads were in one. */
u64 call_latency_lost(const struct call_latency *c);

#endif
