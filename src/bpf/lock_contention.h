/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/lock_contention: how long tasks wait for locks of the kernel, summed up in the kernel by the
 * stack that wanted the lock, by lock, task, cgroup or the task that had the lock: nothing is
 * written per wait. Times are in ns. One thread.
 *
 * Needs Linux 5.19 with its type information, CAP_BPF and CAP_PERFMON.
 */
#ifndef BPF_LOCK_CONTENTION_H
#define BPF_LOCK_CONTENTION_H

#include "base/err.h"
#include "bpf/lock_contention_program.h"

enum lock_contention_by {
	LOCK_CONTENTION_BY_STACK,
	LOCK_CONTENTION_BY_LOCK,
	LOCK_CONTENTION_BY_TASK,
	LOCK_CONTENTION_BY_CGROUP,
	LOCK_CONTENTION_BY_OWNER,
};

/* Whoever has waited for the lock keeps it so much longer, and the CPU does nothing else. */
struct lock_contention_delay {
	u64 lock, ns; /* up to LOCK_CONTENTION_LONGEST */
};

struct lock_contention_opts {
	enum lock_contention_by by;
	bool stacks; /* a row for each of them, in any case */
	u32 frames; /* of a stack, up to LOCK_CONTENTION_FRAMES */
	u32 entries; /* so many rows, stacks and waits at a time; 0 = 16384 */
	const bool *types; /* by the event's flags: are wanted */
	/* whose waits; NULL = everybody's */
	const s32 *tids, *pids;
	size_t nr_tids, nr_pids;
	const u32 *cpus;
	size_t nr_cpus;
	const u64 *locks, *cgroups;
	size_t nr_locks, nr_cgroups;
	const struct lock_contention_delay *delays;
	size_t nr_delays; /* up to LOCK_CONTENTION_DELAYS */
};

/* Valid while it is handed over. */
struct lock_contention_row {
	struct lock_contention_key key;
	struct lock_contention_sums sums;
	const u64 *stack; /* addresses, the innermost first */
	size_t nr;
};

struct lock_contention_losses {
	u64 waits, rows, stacks; /* for which there was no room */
	u64 unowned; /* waits of which it is not known who had the lock */
	u64 delayed; /* waits whose lock was kept for longer */
};

struct lock_contention;

/* Loaded and attached, but not enabled. NULL: e says why. The threads' children are watched, too.
 */
struct lock_contention *lock_contention_new(const struct lock_contention_opts *o, struct err *e);
void lock_contention_free(struct lock_contention *l);
void lock_contention_enable(struct lock_contention *l, bool on);
int lock_contention_read(const struct lock_contention *l,
			 void (*fn)(void *ctx, const struct lock_contention_row *row), void *ctx,
			 struct err *e);
struct lock_contention_losses lock_contention_losses(const struct lock_contention *l);

#endif
