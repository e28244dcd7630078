/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_timeline.h"

#include <stdlib.h>

#include "analyze/cpu_power.h"

enum { ROW_SWITCH, ROW_IDLE, ROW_FREQUENCY }; /* in the table of events */

/* Of tasks: what they do; more than timeline_state has. */
enum doing { UNKNOWN = TIMELINE_STATES, DEAD };

struct timeline_now {
	u64 since; /* ns */
	u8 doing; /* enum timeline_state or enum doing */
	u32 cpu, by; /* as in a span */
	chain_id chain; /* of the event that it began with */
};

struct timeline_cpu {
	u32 task; /* that has it; TIMELINE_NOBODY = idle, or not known */
	u64 last; /* time of the last switch */
};

struct sched_timeline {
	struct sched_timeline_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	struct sched_states states;
	bool has_states;
	VEC(struct timeline_now) now; /* by task */
	VEC(struct timeline_cpu) cpus;
	u64 first, last;
	u32 waiting, told_waiting; /* tasks that wait for a CPU */
	struct cpu_power power;
	u64 odd, missing;
};

static struct timeline_now *now_of(struct sched_timeline *t, u32 task)
{
	while (t->now.nr <= task)
		*VEC_PUSH(&t->now) = (struct timeline_now){ .doing = UNKNOWN };
	return &t->now.v[task];
}

static bool waits(u32 doing)
{
	return doing == TIMELINE_WOKEN || doing == TIMELINE_PREEMPTED;
}

/* ------------------------------------------------------------------ changes */

/* end: the chain of the event that it ends with, 0 at the end of all. */
static void tell_span(struct sched_timeline *t, u32 task, const struct timeline_now *n, u64 until,
		      chain_id end, bool goes_on)
{
	struct timeline_span s = {
		.from = MAX(n->since, t->o.from),
		.until = t->o.until ? MIN(until, t->o.until) : until,
		.state = n->doing,
		.task = task,
		.cpu = n->cpu,
		.by = n->by,
		.stack = n->doing == TIMELINE_RUNNING ? end : n->chain,
		.goes_on = goes_on || (t->o.until && until > t->o.until),
	};

	/* a run of no length is one, too: a clock may be too coarse for it */
	if (n->doing >= TIMELINE_STATES || s.from > s.until ||
	    (s.from == s.until && s.state != TIMELINE_RUNNING))
		return;
	if (t->o.wants_task && !t->o.wants_task(t->o.ctx, &t->tasks.v.v[task]))
		return;
	if (s.state == TIMELINE_RUNNING && t->o.wants_cpu && !t->o.wants_cpu(t->o.ctx, s.cpu))
		return;
	t->o.on_span(t->o.ctx, &s);
}

/* Once all that happens at a time is known. */
static void tell_waiting(struct sched_timeline *t, u64 time)
{
	if (!t->o.on_waiting || t->waiting == t->told_waiting || time < t->o.from ||
	    (t->o.until && time > t->o.until))
		return;
	t->told_waiting = t->waiting;
	t->o.on_waiting(t->o.ctx, time, t->waiting);
}

/* What it did ends, and something else begins, by an event r. */
static void change(struct sched_timeline *t, u32 task, const struct analyze_row *r,
		   struct timeline_now to)
{
	struct timeline_now *n = now_of(t, task);
	bool waited = waits(n->doing);

	if (n->doing != TIMELINE_RUNNING)
		n->cpu = waits(n->doing) && to.doing == TIMELINE_RUNNING ? to.cpu : TIMELINE_NOBODY;
	/* an event that is told late cannot make a span end before it began */
	if (n->since <= r->time)
		tell_span(t, task, n, r->time, r->chain, false);
	*n = to;
	n->since = r->time;
	n->chain = r->chain;
	t->waiting += waits(to.doing) - waited;
}

/* ------------------------------------------------------------------ events */

static u32 state_after(const struct sched_timeline *t, u64 prev_state)
{
	switch (sched_state_letter(&t->states, prev_state)) {
	case 'R': /* of the kernel's states; larger bits say that it was preempted */
		return prev_state & 0xff ? TIMELINE_SLEEPING : TIMELINE_PREEMPTED;
	case 'D':
		return TIMELINE_BLOCKED;
	case 'T':
	case 't':
		return TIMELINE_STOPPED;
	case 'X':
	case 'Z':
		return DEAD;
	default:
		return TIMELINE_SLEEPING;
	}
}

/* The task of a sample, whose process is told there. */
static u32 task_of(struct sched_timeline *t, const struct analyze_row *r, u32 tid)
{
	return tid == r->tid ? tasks_find_in(&t->tasks, r->pid, tid) : tasks_find(&t->tasks, tid);
}

/* What was known of a CPU's task is wrong: its switch was lost. */
static void forget(struct sched_timeline *t, u32 task)
{
	if (task != TIMELINE_NOBODY)
		now_of(t, task)->doing = UNKNOWN;
}

static void note_time(struct sched_timeline *t, const struct analyze_row *r)
{
	if (!t->first)
		t->first = r->time;
	t->last = r->time;
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_timeline *t = ctx;
	u32 prev_tid = (u32)r->values[SWITCH_PREV_PID];
	u32 next_tid = (u32)r->values[SWITCH_NEXT_PID];
	u32 prev = prev_tid ? task_of(t, r, prev_tid) : TIMELINE_NOBODY;
	u32 next = next_tid ? tasks_find(&t->tasks, next_tid) : TIMELINE_NOBODY;
	struct timeline_cpu *c;

	if (r->cpu >= SCHED_MAX_CPUS) {
		t->odd++;
		return;
	}
	if (!t->has_states) {
		sched_states_init(&t->states, analyze_format(t->analyze, ROW_SWITCH));
		t->has_states = true;
	}
	while (t->cpus.nr <= r->cpu)
		*VEC_PUSH(&t->cpus) = (struct timeline_cpu){ .task = TIMELINE_NOBODY };
	c = &t->cpus.v[r->cpu];
	if (c->task != prev) {
		t->missing += c->last != 0;
		forget(t, c->task);
		/* seen first: it ran before, since when is not known */
		if (prev != TIMELINE_NOBODY && now_of(t, prev)->doing == TIMELINE_RUNNING)
			forget(t, prev);
	}
	if (prev != TIMELINE_NOBODY)
		change(t, prev, r,
		       (struct timeline_now){
			       .doing = (u8)state_after(t, r->values[SWITCH_PREV_STATE]) });
	if (next != TIMELINE_NOBODY)
		change(t, next, r,
		       (struct timeline_now){ .doing = TIMELINE_RUNNING, .cpu = r->cpu });
	tell_waiting(t, r->time);
	c->task = next;
	c->last = r->time;
	note_time(t, r);
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct sched_timeline *t = ctx;
	u32 task = tasks_find(&t->tasks, (u32)r->values[WAKEUP_PID]);
	u32 doing = now_of(t, task)->doing;
	u32 by = TIMELINE_NOBODY;

	note_time(t, r);
	/* it had not left its CPU yet, or could run already */
	if (doing == TIMELINE_RUNNING || waits(doing))
		return;
	if (r->tid && r->tid != (u32)-1 && !(r->values[WAKEUP_FLAGS] & SCHED_BY_INTERRUPT))
		by = tasks_find_in(&t->tasks, r->pid, r->tid);
	change(t, task, r, (struct timeline_now){ .doing = TIMELINE_WOKEN, .by = by });
	tell_waiting(t, r->time);
}

static void take_power(struct sched_timeline *t, const struct analyze_row *r,
		       enum timeline_power which)
{
	if (!cpu_power_take(&t->power, r, which, t->o.on_power, t->o.ctx))
		t->odd++;
	note_time(t, r);
}

static void take_idle(void *ctx, const struct analyze_row *r)
{
	take_power(ctx, r, TIMELINE_IDLE);
}

static void take_frequency(void *ctx, const struct analyze_row *r)
{
	take_power(ctx, r, TIMELINE_FREQUENCY);
}

TASKS_HANDLER(take_fork, struct sched_timeline, TASKS_EVENT_FORK)
TASKS_HANDLER(take_exit, struct sched_timeline, TASKS_EVENT_EXIT)

static void take_comm(void *ctx, const struct analyze_row *r)
{
	struct sched_timeline *t = ctx;
	u32 task = tasks_find(&t->tasks, (u32)r->values[COMM_TID]);
	struct timeline_now now = *now_of(t, task);

	if (t->o.split_names && now.doing < TIMELINE_STATES) {
		chain_id chain = now.chain;

		change(t, task, r, now);
		now_of(t, task)->chain = chain;
	}
	tasks_take(&t->tasks, r, TASKS_EVENT_COMM);
}

#define SWITCH_ROW(is_needed)                                                                      \
	[ROW_SWITCH] = { .names = { "sched:sched_switch" },                                        \
			 .needed = (is_needed),                                                    \
			 .chain = true,                                                            \
			 .fields = sched_switch_brief_fields,                                      \
			 .take = take_switch }

static const struct analyze_event timeline_events[] = {
	SWITCH_ROW(true),
	SCHED_WAKING_CHAIN_ROWS(take_waking, true),
	TASKS_ROWS,
};
static const struct analyze_event power_events[] = {
	SWITCH_ROW(false),
	[ROW_IDLE] = { .names = { "power:cpu_idle" },
		       .fields = cpu_power_fields,
		       .take = take_idle },
	[ROW_FREQUENCY] = { .names = { "power:cpu_frequency" },
			    .fields = cpu_power_fields,
			    .take = take_frequency },
	SCHED_WAKING_CHAIN_ROWS(take_waking, true),
	TASKS_ROWS,
};
static const struct analyze_machine timeline_machine = {
	.events = timeline_events,
	.nr = ARRAY_SIZE(timeline_events),
	.hint = sched_record_hint,
};
static const struct analyze_machine power_machine = {
	.events = power_events,
	.nr = ARRAY_SIZE(power_events),
};

/* ------------------------------------------------------------------ interface */

int sched_timeline_new(struct sched_timeline **out, struct session *s,
		       const struct sched_timeline_opts *o, struct err *e)
{
	struct sched_timeline *t = XNEW(struct sched_timeline);
	struct analyze_opts ao = { .machine = o->on_power ? &power_machine : &timeline_machine,
				   .ctx = t,
				   .chains = o->stacks };

	t->o = *o;
	if (analyze_new(&t->analyze, s, &ao, e)) {
		sched_timeline_free(t);
		return -1;
	}
	*out = t;
	return 0;
}

void sched_timeline_free(struct sched_timeline *t)
{
	if (!t)
		return;
	analyze_free(t->analyze);
	tasks_release(&t->tasks);
	vec_free(&t->now);
	vec_free(&t->cpus);
	cpu_power_release(&t->power);
	free(t);
}

int sched_timeline_run(struct sched_timeline *t, struct err *e)
{
	if (analyze_run(t->analyze, e))
		return -1;
	/* one that has ended may still have slept and run; what is left of it does neither */
	for (u32 i = 0; i < t->now.nr; i++)
		if (!t->tasks.v.v[i].exited || t->now.v[i].doing == TIMELINE_RUNNING)
			tell_span(t, i, &t->now.v[i], t->last, 0, true);
	if (t->o.on_power)
		cpu_power_end(&t->power, t->last, t->o.on_power, t->o.ctx);
	return 0;
}

const struct tasks *sched_timeline_tasks(const struct sched_timeline *t)
{
	return &t->tasks;
}

void sched_timeline_extent(const struct sched_timeline *t, u64 *from, u64 *until, u32 *nr_cpus)
{
	*from = MAX(t->first, t->o.from);
	*until = t->o.until ? MIN(t->last, t->o.until) : t->last;
	*until = MAX(*from, *until);
	*nr_cpus = (u32)MAX(t->cpus.nr, t->power.v.nr);
}

void sched_timeline_has(const struct sched_timeline *t, bool *tasks, bool *power)
{
	*tasks = analyze_has(t->analyze, ROW_SWITCH);
	*power = t->o.on_power &&
		 (analyze_has(t->analyze, ROW_IDLE) || analyze_has(t->analyze, ROW_FREQUENCY));
}

u64 sched_timeline_odd(const struct sched_timeline *t)
{
	return t->odd;
}

u64 sched_timeline_missing(const struct sched_timeline *t)
{
	return t->missing;
}
