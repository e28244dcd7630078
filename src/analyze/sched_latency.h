/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_latency: how long tasks ran, and how long they waited for a CPU after they were woken up or
 * preempted.
 */
#ifndef ANALYZE_SCHED_LATENCY_H
#define ANALYZE_SCHED_LATENCY_H

#include "analyze/tasks.h"
#include "analyze/time_grid.h"

struct sched_latency_opts {
	bool migrations; /* a delay begins anew where a task is moved to another CPU */
	bool linear; /* how delays are counted by length, see below */
	bool over_time; /* delays and queues over time are wanted */
	u64 from, until; /* ns: events outside are as if not recorded; until 0 = to the end */
	/* For the running machine: sums are those since the last sched_latency_begin_lap(), and
	 * runtime is what lies between switches, so that sched_stat_runtime is not needed. Called
	 * now and then; false: enough. */
	bool (*on_round)(void *ctx, u64 until);
	void *ctx;
};

/*
 * Delays by length: below 1 us, from 2^(n-1) us on, and from 2^20 us on; linear: a row for each
 * SCHED_LATENCY_STEP us, the last for all that are longer.
 */
enum { SCHED_LATENCY_LENGTHS = 22, SCHED_LATENCY_STEP = 100 };

/*
 * How many tasks waited for a CPU, of all CPUs together: each number below SCHED_QUEUE_EXACT, then
 * from 8, 16, 32 and 64 on. A task counts from the wake-up or switch after which it waited to the
 * switch by which it got a CPU; where events were lost, those that waited then are not known any
 * more, and the number begins anew with 0.
 */
enum { SCHED_QUEUE_EXACT = 8, SCHED_QUEUE_LENGTHS = 12 };
/* The least number of the i-th. */
u32 sched_queue_start(u32 i);
/* All that tasks waited, added up, in ns. */
struct sched_queue_sums {
	u64 waited;
	/* of that: of tasks whose switch to a CPU is not recorded, until something shows that they
	 * had one */
	u64 doubtful;
};

/* Of a task, or several of the same name. Times in ns. */
struct sched_latency_row {
	u32 task; /* the first of them */
	u32 nr_tasks;
	u64 runtime;
	u64 switches; /* times that it got a CPU */
	u64 delay, max_delay; /* sum, longest */
	u64 max_start, max_end; /* of the longest */
	u64 waits; /* at the end of a lap: for how long it has been waiting for a CPU, 0 = it is not
		    */
};

struct sched_latency_totals {
	u64 switches, wakeups; /* that were looked at */
	u64 unordered; /* of them: earlier than the task's last switch */
	u64 switch_bugs; /* switches from a task that did not run there */
	u64 switches_backwards; /* of a CPU's switches: earlier than the one before */
	u64 lost_events, lost_chunks;
};

struct sched_latency;

int sched_latency_new(struct sched_latency **out, struct session *s,
		      const struct sched_latency_opts *o, struct err *e);
void sched_latency_free(struct sched_latency *l);
int sched_latency_run(struct sched_latency *l, struct err *e);
/* Between two rounds: what goes on counts up to this time; then rows and totals can be asked for.
 */
void sched_latency_end_lap(struct sched_latency *l, u64 until);
/* All sums are 0 again. Tasks that have ended are forgotten: numbers of tasks change. */
void sched_latency_begin_lap(struct sched_latency *l);
const struct tasks *sched_latency_tasks(const struct sched_latency *l);
/* Rows of all tasks that got a CPU, had one or waited for one, but idle; by_name: one for each
 * name. The caller frees *out. */
size_t sched_latency_rows(const struct sched_latency *l, bool by_name,
			  struct sched_latency_row **out);
struct sched_latency_totals sched_latency_totals(const struct sched_latency *l);
/* How many delays there were of each length; SCHED_LATENCY_LENGTHS numbers. */
const u64 *sched_latency_lengths(const struct sched_latency *l);
/* With over_time: a row for each length; a delay counts at the time at which it ended. */
const struct time_grid *sched_latency_delays(const struct sched_latency *l);
/* With over_time: a row for each of SCHED_QUEUE_LENGTHS, with the ns for which so many waited. */
const struct time_grid *sched_latency_queues(const struct sched_latency *l);
struct sched_queue_sums sched_latency_queue_sums(const struct sched_latency *l);

#endif
