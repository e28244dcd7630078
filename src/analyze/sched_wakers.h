/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_wakers: who ended the sleep of whom, in which code, and how long that sleep was: from the
 * switch with which a task left its CPU to the next wake-up of it.
 */
#ifndef ANALYZE_SCHED_WAKERS_H
#define ANALYZE_SCHED_WAKERS_H

#include "analyze/tasks.h"

struct sched_wakers_opts {
	bool chains; /* the wakers' callchains are wanted */
	u64 from, until; /* ns: events outside are as if not recorded; until 0 = to the end */
	bool (*wants_task)(void *ctx, const struct analyze_task *t); /* sleepers; NULL = all */
	bool (*wants_cpu)(void *ctx, u32 cpu); /* of wake-ups that count; NULL = all */
	void *ctx;
};

/* The waker was no task: an interrupt, in whatever task it interrupted. */
#define SCHED_INTERRUPT UINT32_MAX

struct sched_waker_row {
	u32 sleeper, waker; /* tasks; waker: or SCHED_INTERRUPT */
	chain_id chain; /* of the wake-up, 0 = none */
	u64 nr, ns, longest; /* sleeps; ns: all of them */
};

struct sched_wakers_totals {
	u64 sleeps;
	/* wake-ups of tasks of which is not known since when they slept, or whether they did: it
	 * was before the recording, or events were lost */
	u64 unknown;
};

struct sched_wakers;

int sched_wakers_new(struct sched_wakers **out, struct session *s,
		     const struct sched_wakers_opts *o, struct err *e);
void sched_wakers_free(struct sched_wakers *w); /* NULL is allowed */
int sched_wakers_run(struct sched_wakers *w, struct err *e);
const struct tasks *sched_wakers_tasks(const struct sched_wakers *w);
/* In the order in which they were met; *nr of them, constant. */
const struct sched_waker_row *sched_wakers_rows(const struct sched_wakers *w, size_t *nr);
struct sched_wakers_totals sched_wakers_totals(const struct sched_wakers *w);

#endif
