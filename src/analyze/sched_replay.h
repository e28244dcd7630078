/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_replay: what each task of a recording did, as a list of what another thread can do in its
 * place: have the CPU for a time, wait until it is woken up, wake up another one.
 *
 * A wait that nobody is seen to end is none: the task goes on at once. Waits cannot be for each
 * other in a circle, since each is ended by what happened later.
 */
#ifndef ANALYZE_SCHED_REPLAY_H
#define ANALYZE_SCHED_REPLAY_H

#include "analyze/tasks.h"

enum replay_kind { REPLAY_RUN, REPLAY_WAIT, REPLAY_WAKE };

struct replay_event {
	enum replay_kind kind;
	u32 wait; /* of REPLAY_WAIT and _WAKE: number of the wait, 0 = nobody ends it */
	u64 ns; /* of REPLAY_RUN */
};

struct replay_task {
	u32 task;
	bool idle; /* of a CPU: while it runs, nothing does */
	u32 cpu; /* of an idle task */
	VEC(struct replay_event) events;
};

struct replay_totals {
	u64 runs, waits, wakes;
	/* and wake-ups that have no effect: of tasks that did not wait, or were woken up already */
	u64 aimless, again;
	u32 nr_waits; /* numbers of waits are 1 .. nr_waits */
};

struct sched_replay;

int sched_replay_new(struct sched_replay **out, struct session *s, struct err *e);
void sched_replay_free(struct sched_replay *p);
int sched_replay_run(struct sched_replay *p, struct err *e);
const struct tasks *sched_replay_tasks(const struct sched_replay *p);
const struct replay_task *sched_replay_list(const struct sched_replay *p, size_t *nr);
struct replay_totals sched_replay_totals(const struct sched_replay *p);

#endif
