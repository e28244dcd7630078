/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_timehist: each time that a task had a CPU: how long it was off before, how much of that it
 * waited after it was woken up, how long it ran. And sums of these.
 */
#ifndef ANALYZE_SCHED_TIMEHIST_H
#define ANALYZE_SCHED_TIMEHIST_H

#include "analyze/sched_events.h"
#include "analyze/tasks.h"

/* A CPU's idle task as a number of a task. */
#define TIMEHIST_IDLE UINT32_MAX

/* A task leaves a CPU. Times in ns. */
struct timehist_switch {
	u64 time;
	u32 cpu, task;
	/* The switch before it on this CPU was to another task: when the run began is not recorded,
	 * and run is all since that switch. */
	bool unannounced;
	/* whether it is recorded when it got the CPU, and when it left one before: else run, and
	 * wait, are 0 */
	bool run_known, wait_known;
	u64 wait, delay, run;
	u64 pre_migration; /* of delay: for a CPU that it did not get */
	u64 state; /* prev_state, as recorded */
	s32 prio; /* -1 = not told */
	u32 next_pid;
	const char *next_comm;
	chain_id chain;
};

/* A task is woken up, or moved to another CPU. */
struct timehist_event {
	u64 time;
	u32 cpu;
	u32 by; /* the task that ran there, or TIMEHIST_IDLE */
	u32 task;
	u32 from, to; /* CPUs, of one that is moved */
};

struct sched_timehist_opts {
	bool idle; /* what CPUs did while they were idle belongs to the task before */
	bool chains;
	u64 from, until; /* ns; until 0 = to the end */
	/* whether switches of a CPU are wanted, and a task at all; NULL = yes */
	bool (*wants_cpu)(void *ctx, u32 cpu);
	bool (*wants_task)(void *ctx, const struct analyze_task *t);
	bool (*wants_prio)(void *ctx, s32 prio);
	/* NULL = not wanted */
	void (*on_switch)(void *ctx, const struct timehist_switch *s);
	void (*on_wakeup)(void *ctx, const struct timehist_event *e);
	void (*on_migrate)(void *ctx, const struct timehist_event *e);
	void (*on_renew)(void *ctx); /* what was told of has chains of other numbers now */
	void *ctx;
};

/* Mean and spread of what was added, by Welford's method. */
struct timehist_sum {
	u64 nr, min, max, total;
	double mean, squares;
};

struct timehist_sums {
	u32 task;
	struct timehist_sum run;
	u64 migrations;
	u64 wait, delay; /* sums: off the CPU; of it: waiting for one */
};

struct timehist_chain {
	chain_id chain;
	u64 time, nr;
};

/* A CPU's idle task. */
struct timehist_idle {
	u64 total; /* ns; 0 = never was */
	u64 nr; /* times */
	const struct timehist_chain *chains; /* of the tasks before it, longest first */
	size_t nr_chains;
};

struct sched_timehist;

int sched_timehist_new(struct sched_timehist **out, struct session *s,
		       const struct sched_timehist_opts *o, struct err *e);
void sched_timehist_free(struct sched_timehist *h);
int sched_timehist_run(struct sched_timehist *h, struct err *e);
/* Format of sched_switch, for its names of states; NULL = unknown. */
const struct tracefmt *sched_timehist_format(const struct sched_timehist *h);
const struct tasks *sched_timehist_tasks(const struct sched_timehist *h);
/* By task; of those that never ran run.nr is 0. */
const struct timehist_sums *sched_timehist_sums(const struct sched_timehist *h, size_t *nr);
struct timehist_idle sched_timehist_idle(struct sched_timehist *h, u32 cpu);
/* First and last time that counts; CPUs seen. */
u64 sched_timehist_span(const struct sched_timehist *h);
u32 sched_timehist_cpus(const struct sched_timehist *h);
/* Switches on CPUs of numbers that no kernel has: left out. */
u64 sched_timehist_odd(const struct sched_timehist *h);
/* Runs that are shown and unannounced. */
u64 sched_timehist_unannounced(const struct sched_timehist *h);
/* Switches that are earlier than the one before them on their CPU: left out, too. */
u64 sched_timehist_backwards(const struct sched_timehist *h);

#endif
