/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/kwork_times: how long interrupts, softirqs and work of workqueues run and wait, and what
 * CPUs' time goes to, summed up in the kernel: nothing is written per event. Times are in ns. One
 * thread.
 *
 * Needs Linux 5.5 with its type information, CAP_BPF and CAP_PERFMON.
 */
#ifndef BPF_KWORK_TIMES_H
#define BPF_KWORK_TIMES_H

#include "base/err.h"
#include "bpf/kwork_times_program.h"

struct kwork_times_opts {
	bool kinds[KWORK_TIMES_KINDS];
	bool waits; /* what nobody asked for counts as without a counterpart, else what did not end
		     */
	bool by_task; /* time of CPUs in place of rows of work; of kinds, work has no effect */
	const u32 *cpus; /* NULL = all */
	size_t nr_cpus;
	u32 possible_cpus;
};

struct kwork_times;

/* Loaded and attached, but not enabled. NULL: e says why. */
struct kwork_times *kwork_times_new(const struct kwork_times_opts *o, struct err *e);
void kwork_times_free(struct kwork_times *t);
void kwork_times_enable(struct kwork_times *t, bool on);
/* Counts; what goes on or is waited for is among `entries` and `raises` only after
 * kwork_times_read(). */
struct kwork_times_shared kwork_times_counts(const struct kwork_times *t);
/* When it is not enabled any more. */
int kwork_times_read(struct kwork_times *t,
		     void (*fn)(void *ctx, const struct kwork_times_key *key,
				const struct kwork_times_work *work),
		     void *ctx, struct err *e);
int kwork_times_read_tasks(const struct kwork_times *t,
			   void (*fn)(void *ctx, const struct kwork_times_part *part,
				      const struct kwork_times_task *task),
			   void *ctx, struct err *e);
/* false: there is no such CPU. */
bool kwork_times_read_cpu(const struct kwork_times *t, u32 cpu, struct kwork_times_cpu *out);

#endif
