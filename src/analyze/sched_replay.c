/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_replay.h"

#include <stdlib.h>

#include "analyze/sched_events.h"

enum replay_row { ROW_SWITCH };

struct replay_cpu {
	u64 last_switch; /* 0 = none yet */
	u32 idle; /* place of its idle task + 1, 0 = none yet */
};

struct sched_replay {
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct replay_task) list;
	VEC(u32) places; /* by task: in list, + 1 */
	VEC(struct replay_cpu) cpus;
	struct replay_totals totals;
};

static void add_event(struct sched_replay *p, u32 place, struct replay_event ev)
{
	*VEC_PUSH(&p->list.v[place].events) = ev;
}

/* All begin with a wait: for who forks them or wakes them up first. */
static u32 add_task(struct sched_replay *p, struct replay_task t)
{
	u32 place = (u32)p->list.nr;

	*VEC_PUSH(&p->list) = t;
	add_event(p, place, (struct replay_event){ .kind = REPLAY_WAIT });
	p->totals.waits++;
	return place;
}

static struct replay_cpu *cpu_of(struct sched_replay *p, u32 cpu)
{
	while (p->cpus.nr <= cpu)
		*VEC_PUSH(&p->cpus) = (struct replay_cpu){ .last_switch = 0 };
	return &p->cpus.v[cpu];
}

/* Place in the list of the task that has the number; idle ones are each CPU's own. */
static u32 place_of(struct sched_replay *p, u32 tid, u32 cpu)
{
	u32 task = tasks_find(&p->tasks, tid);

	if (!tid) {
		struct replay_cpu *c = cpu_of(p, cpu);

		if (!c->idle)
			c->idle = 1 + add_task(p, (struct replay_task){
							  .task = task, .idle = true, .cpu = cpu });
		return c->idle - 1;
	}
	while (p->places.nr <= task)
		*VEC_PUSH(&p->places) = 0;
	if (!p->places.v[task])
		p->places.v[task] = 1 + add_task(p, (struct replay_task){ .task = task });
	return p->places.v[task] - 1;
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_replay *p = ctx;
	struct replay_cpu *c;
	u32 prev;

	if (r->cpu >= SCHED_MAX_CPUS)
		return;
	prev = place_of(p, (u32)r->values[SWITCH_PREV_PID], r->cpu);
	place_of(p, (u32)r->values[SWITCH_NEXT_PID], r->cpu);
	c = cpu_of(p, r->cpu);
	if (r->time < c->last_switch)
		return;
	add_event(p, prev,
		  (struct replay_event){ .kind = REPLAY_RUN,
					 .ns = c->last_switch ? r->time - c->last_switch : 0 });
	add_event(p, prev, (struct replay_event){ .kind = REPLAY_WAIT });
	p->totals.runs++;
	p->totals.waits++;
	c->last_switch = r->time;
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct sched_replay *p = ctx;
	struct replay_event ev = { .kind = REPLAY_WAKE };
	struct replay_event *wait;
	u32 waker, sleeper;

	if (r->cpu >= SCHED_MAX_CPUS)
		return;
	waker = place_of(p, r->tid == (u32)-1 ? 0 : r->tid, r->cpu);
	sleeper = place_of(p, (u32)r->values[WAKEUP_PID], r->cpu);
	wait = VEC_LAST(&p->list.v[sleeper].events);
	if (wait->kind != REPLAY_WAIT || sleeper == waker) {
		p->totals.aimless++;
		return;
	}
	if (wait->wait) {
		p->totals.again++;
		return;
	}
	p->totals.wakes++;
	wait->wait = ev.wait = ++p->totals.nr_waits;
	add_event(p, waker, ev);
}

TASKS_HANDLERS(struct sched_replay)

static const struct analyze_event replay_events[] = {
	[ROW_SWITCH] = { .names = { "sched:sched_switch" },
			 .needed = true,
			 .fields = sched_switch_brief_fields,
			 .take = take_switch },
	SCHED_WAKING_ROWS(take_waking),
	TASKS_ROWS,
};
static const struct analyze_machine replay_machine = {
	.events = replay_events,
	.nr = ARRAY_SIZE(replay_events),
	.hint = sched_record_hint,
};

int sched_replay_new(struct sched_replay **out, struct session *s, struct err *e)
{
	struct sched_replay *p = XNEW(struct sched_replay);
	struct analyze_opts ao = { .machine = &replay_machine, .ctx = p };

	if (analyze_new(&p->analyze, s, &ao, e)) {
		sched_replay_free(p);
		return -1;
	}
	*out = p;
	return 0;
}

void sched_replay_free(struct sched_replay *p)
{
	if (!p)
		return;
	analyze_free(p->analyze);
	tasks_release(&p->tasks);
	VEC_FOR(&p->list, t)
		vec_free(&t->events);
	vec_free(&p->list);
	vec_free(&p->places);
	vec_free(&p->cpus);
	free(p);
}

int sched_replay_run(struct sched_replay *p, struct err *e)
{
	return analyze_run(p->analyze, e);
}

const struct tasks *sched_replay_tasks(const struct sched_replay *p)
{
	return &p->tasks;
}

const struct replay_task *sched_replay_list(const struct sched_replay *p, size_t *nr)
{
	*nr = p->list.nr;
	return p->list.v;
}

struct replay_totals sched_replay_totals(const struct sched_replay *p)
{
	return p->totals;
}
