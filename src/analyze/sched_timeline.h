/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_timeline: what each task did at each time (view/timeline.h), and how many tasks waited for
 * a CPU. Where a switch contradicts what was known (events were lost), what is not known is left
 * out.
 */
#ifndef ANALYZE_SCHED_TIMELINE_H
#define ANALYZE_SCHED_TIMELINE_H

#include "analyze/sched_events.h"
#include "analyze/tasks.h"
#include "view/timeline.h"

struct sched_timeline_opts {
	u64 from, until; /* ns: spans are cut to fit; until 0 = to the end */
	bool (*wants_task)(void *ctx, const struct analyze_task *t); /* NULL = all */
	bool (*wants_cpu)(void *ctx, u32 cpu); /* of running; NULL = all */
	void (*on_span)(void *ctx, const struct timeline_span *s);
	/* so many tasks wait for a CPU from now on, of all tasks; NULL = not asked for */
	void (*on_waiting)(void *ctx, u64 time, u32 nr);
	/* what CPUs did; NULL = not asked for. Then recordings without switches will do. */
	void (*on_power)(void *ctx, const struct timeline_power_span *s);
	/* a span ends, and another begins, where its task gets another name */
	bool split_names;
	bool stacks; /* spans have theirs, by session_chain_frames() */
	void *ctx;
};

struct sched_timeline;

int sched_timeline_new(struct sched_timeline **out, struct session *s,
		       const struct sched_timeline_opts *o, struct err *e);
void sched_timeline_free(struct sched_timeline *t);
/* Spans that go on at the end come last. */
int sched_timeline_run(struct sched_timeline *t, struct err *e);
/* Whether there are switches, and states of CPUs. */
void sched_timeline_has(const struct sched_timeline *t, bool *tasks, bool *power);
const struct tasks *sched_timeline_tasks(const struct sched_timeline *t);
/* First and last event; CPUs with events. */
void sched_timeline_extent(const struct sched_timeline *t, u64 *from, u64 *until, u32 *nr_cpus);
/* Events of CPUs of numbers that no kernel has: left out. */
u64 sched_timeline_odd(const struct sched_timeline *t);
/* Switches from a task that did not have the CPU by what was recorded: there was one more. */
u64 sched_timeline_missing(const struct sched_timeline *t);

#endif
