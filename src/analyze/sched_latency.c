/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of each task only the wait that goes on is kept, and sums.
 */
#include "analyze/sched_latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/sched_events.h"
#include "base/hash.h"

enum wait_state {
	WAIT_NONE, /* never seen before */
	WAIT_ASLEEP,
	WAIT_FOR_CPU,
	WAIT_OVER, /* runs */
};

struct waiting {
	enum wait_state state;
	bool woken; /* FOR_CPU: by a wake-up; else it was preempted, or seen first */
	bool queued; /* it is one of sched_latency.queue */
	u64 since; /* FOR_CPU: woken up or preempted; ASLEEP: switched out */
	u64 out; /* switched out last */
	struct sched_latency_row row;
};

struct latency_cpu {
	u64 last_switch;
	u32 current; /* tid of the task that runs there; (u32)-1 = not known */
	u64 counted; /* its running up to here is in the sums; laps */
};

/* Indices in the table of events that are asked for. */
enum latency_event { EVENT_SWITCH };

struct sched_latency {
	struct sched_latency_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct waiting) waiting; /* by task */
	VEC(struct latency_cpu) cpus;
	struct sched_latency_totals totals;
	u64 lengths[SCHED_LATENCY_LENGTHS];
	/* over_time */
	struct time_grid delays, queues;
	u32 queue; /* tasks that wait for a CPU */
	u64 queue_since; /* when it became so many; 0 = nothing is known yet */
	struct sched_queue_sums queue_sums;
};

static bool is_outside(const struct sched_latency *l, u64 time)
{
	return time < l->o.from || (l->o.until && time > l->o.until);
}

static struct waiting *waiting_of(struct sched_latency *l, u32 pid)
{
	u32 task = tasks_find(&l->tasks, pid);

	while (l->waiting.nr <= task) {
		u32 nr = (u32)l->waiting.nr;

		*VEC_PUSH(&l->waiting) = (struct waiting){ .row = { .task = nr, .nr_tasks = 1 } };
	}
	return &l->waiting.v[task];
}

/* What is seen first of a task that there was before. */
static void begin(struct waiting *w, enum wait_state state, u64 time)
{
	if (w->state != WAIT_NONE)
		return;
	w->state = state;
	w->since = w->out = time;
}

u32 sched_queue_start(u32 i)
{
	return i < SCHED_QUEUE_EXACT ? i : (u32)SCHED_QUEUE_EXACT << (i - SCHED_QUEUE_EXACT);
}

static u32 queue_row(u32 queue)
{
	u32 i = SCHED_QUEUE_LENGTHS - 1;

	while (sched_queue_start(i) > queue)
		i--;
	return i;
}

/* Adds the time since the last change to that of so many waiting tasks. */
static void end_queue(struct sched_latency *l, u64 time)
{
	if (l->queue_since && time > l->queue_since) {
		time_grid_add_span(&l->queues, queue_row(l->queue), l->queue_since, time);
		l->queue_sums.waited += l->queue * (time - l->queue_since);
	}
	l->queue_since = MAX(l->queue_since, time);
}

/* A task begins or ends to wait for a CPU. */
static void set_queued(struct sched_latency *l, struct waiting *w, bool queued, u64 time)
{
	if (!l->o.over_time || w->queued == queued || !l->tasks.v.v[w->row.task].tid)
		return;
	end_queue(l, time);
	w->queued = queued;
	if (queued)
		l->queue++;
	else
		l->queue--;
}

static void count_length(struct sched_latency *l, u64 delay, u64 time)
{
	u64 us = delay / 1000;
	u64 i = l->o.linear ? us / SCHED_LATENCY_STEP : us ? 64 - (u64)__builtin_clzll(us) : 0;

	i = MIN(i, (u64)SCHED_LATENCY_LENGTHS - 1);
	l->lengths[i]++;
	if (l->o.over_time)
		time_grid_add(&l->delays, (u32)i, time, 1);
}

static void got_cpu(struct sched_latency *l, struct waiting *w, u64 time)
{
	u64 delay;

	set_queued(l, w, false, time);
	if (w->state != WAIT_FOR_CPU)
		return;
	w->state = WAIT_OVER;
	if (time < w->since)
		return;
	delay = time - w->since;
	if (l->tasks.v.v[w->row.task].tid) /* not of idle */
		count_length(l, delay, time);
	w->row.switches++;
	w->row.delay += delay;
	if (delay > w->row.max_delay) {
		w->row.max_delay = delay;
		w->row.max_start = w->since;
		w->row.max_end = time;
	}
}

/* What ran on a CPU until now. */
static void count_running(struct sched_latency *l, struct latency_cpu *c, u64 time)
{
	if (c->current != (u32)-1 && time > c->counted)
		waiting_of(l, c->current)->row.runtime += time - c->counted;
	c->counted = MAX(c->counted, time);
}

/* Whether the switches of a CPU fit together: who goes is who came, and not before that. */
static bool check_switch(struct sched_latency *l, const struct analyze_row *r)
{
	struct latency_cpu *c;

	if (r->cpu >= SCHED_MAX_CPUS)
		return true;
	while (l->cpus.nr <= r->cpu)
		*VEC_PUSH(&l->cpus) = (struct latency_cpu){ .current = (u32)-1 };
	c = &l->cpus.v[r->cpu];
	if (r->time < c->last_switch) {
		l->totals.switches_backwards++;
		return false;
	}
	l->totals.switches++;
	if (c->current != (u32)-1 && c->current != (u32)r->values[SWITCH_PREV_PID])
		l->totals.switch_bugs++;
	else if (l->o.on_round)
		count_running(l, c, r->time);
	c->current = (u32)r->values[SWITCH_NEXT_PID];
	c->last_switch = c->counted = r->time;
	if (!l->queue_since)
		l->queue_since = r->time;
	return true;
}

/* A task that waited, as far as is known, turns out to have had a CPU. */
static void leave_unseen(struct sched_latency *l, struct waiting *w, u64 time)
{
	if (w->queued && time > w->since)
		l->queue_sums.doubtful += time - w->since;
	set_queued(l, w, false, time);
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_latency *l = ctx;
	struct waiting *w;

	if (is_outside(l, r->time) || !check_switch(l, r))
		return;
	w = waiting_of(l, (u32)r->values[SWITCH_PREV_PID]);
	leave_unseen(l, w, r->time);
	/* its low bits: what else it waits for; beyond them: it was preempted */
	w->state = r->values[SWITCH_PREV_STATE] & 0xff ? WAIT_ASLEEP : WAIT_FOR_CPU;
	w->since = w->out = r->time;
	w->woken = false;
	set_queued(l, w, w->state == WAIT_FOR_CPU, r->time);
	w = waiting_of(l, (u32)r->values[SWITCH_NEXT_PID]);
	begin(w, WAIT_FOR_CPU, r->time);
	got_cpu(l, w, r->time);
}

static void take_runtime(void *ctx, const struct analyze_row *r)
{
	struct sched_latency *l = ctx;
	struct waiting *w;

	if (is_outside(l, r->time))
		return;
	w = waiting_of(l, (u32)r->values[RUNTIME_PID]);
	begin(w, WAIT_FOR_CPU, r->time);
	w->row.runtime += r->values[RUNTIME_NS];
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct sched_latency *l = ctx;
	struct waiting *w;

	if (is_outside(l, r->time))
		return;
	w = waiting_of(l, (u32)r->values[WAKEUP_PID]);
	begin(w, WAIT_ASLEEP, r->time);
	/* the kernel wakes up only tasks that sleep: since the wake-up before this one has run */
	if (w->state == WAIT_FOR_CPU && w->woken && !l->o.migrations) {
		leave_unseen(l, w, r->time);
		w->state = WAIT_ASLEEP;
	}
	/* or that were about to sleep: such a task runs, or was preempted, and does not wait */
	if (w->state != WAIT_ASLEEP && !l->o.migrations)
		return;
	l->totals.wakeups++;
	if (w->out > r->time) {
		l->totals.unordered++;
		return;
	}
	set_queued(l, w, w->state == WAIT_ASLEEP, r->time);
	w->state = WAIT_FOR_CPU;
	w->woken = true;
	w->since = r->time;
}

static void take_migrate(void *ctx, const struct analyze_row *r)
{
	struct sched_latency *l = ctx;
	struct waiting *w;

	if (!l->o.migrations || is_outside(l, r->time))
		return;
	w = waiting_of(l, (u32)r->values[MIGRATE_PID]);
	begin(w, WAIT_FOR_CPU, r->time);
	l->totals.wakeups++;
	if (w->out > r->time)
		l->totals.unordered++;
	w->since = w->out = r->time;
}

static void take_lost(void *ctx, const struct analyze_row *r)
{
	struct sched_latency *l = ctx;

	l->totals.lost_events += r->values[LOST_NUMBER];
	l->totals.lost_chunks++;
	if (!l->o.over_time)
		return;
	end_queue(l, r->time);
	l->queue = 0;
	VEC_FOR(&l->waiting, w)
		w->queued = false;
}

static bool end_round(void *ctx, u64 until)
{
	const struct sched_latency *l = ctx;

	return !l->o.on_round || l->o.on_round(l->o.ctx, until);
}

TASKS_HANDLERS(struct sched_latency)

static const struct analyze_event latency_events[] = {
	[EVENT_SWITCH] = { .names = { "sched:sched_switch" },
			   .needed = true,
			   .fields = sched_switch_brief_fields,
			   .take = take_switch },
	SCHED_WAKING_ROWS(take_waking),
	{ .names = { "sched:sched_stat_runtime" },
	  .fields = sched_runtime_fields,
	  .take = take_runtime },
	{ .names = { "sched:sched_migrate_task" },
	  .fields = sched_migrate_fields,
	  .take = take_migrate },
	TASKS_ROWS,
	{ .record = PERF_RECORD_LOST, .take = take_lost },
};
static const struct analyze_machine latency_machine = {
	.events = latency_events,
	.nr = ARRAY_SIZE(latency_events),
	.hint = sched_record_hint,
	.round = end_round,
};

int sched_latency_new(struct sched_latency **out, struct session *s,
		      const struct sched_latency_opts *o, struct err *e)
{
	struct sched_latency *l = XNEW(struct sched_latency);
	struct analyze_opts ao = { .machine = &latency_machine, .ctx = l };

	l->o = *o;
	if (o->over_time) {
		time_grid_init(&l->delays, SCHED_LATENCY_LENGTHS);
		time_grid_init(&l->queues, SCHED_QUEUE_LENGTHS);
	}
	if (analyze_new(&l->analyze, s, &ao, e)) {
		sched_latency_free(l);
		return -1;
	}
	*out = l;
	return 0;
}

void sched_latency_free(struct sched_latency *l)
{
	if (!l)
		return;
	analyze_free(l->analyze);
	tasks_release(&l->tasks);
	vec_free(&l->waiting);
	vec_free(&l->cpus);
	time_grid_release(&l->delays);
	time_grid_release(&l->queues);
	free(l);
}

int sched_latency_run(struct sched_latency *l, struct err *e)
{
	if (analyze_run(l->analyze, e))
		return -1;
	if (l->o.over_time)
		VEC_FOR(&l->cpus, c)
			end_queue(l, c->last_switch);
	return 0;
}

/* ------------------------------------------------------------------ laps */

void sched_latency_end_lap(struct sched_latency *l, u64 until)
{
	VEC_FOR(&l->cpus, c)
		count_running(l, c, until);
	VEC_FOR(&l->waiting, w)
		w->row.waits = w->state == WAIT_FOR_CPU && until > w->since ? until - w->since : 0;
}

void sched_latency_begin_lap(struct sched_latency *l)
{
	memset(&l->totals, 0, sizeof(l->totals));
	memset(l->lengths, 0, sizeof(l->lengths));
	VEC_FOR(&l->waiting, w) {
		const struct analyze_task *t = &l->tasks.v.v[w->row.task];

		w->row = (struct sched_latency_row){ .task = w->row.task, .nr_tasks = 1 };
		/* ended, and has left its CPU */
		if (!t->exited || w->state != WAIT_ASLEEP)
			continue;
		w->state = WAIT_NONE;
		tasks_forget(&l->tasks, w->row.task);
	}
}

const struct tasks *sched_latency_tasks(const struct sched_latency *l)
{
	return &l->tasks;
}

/* ------------------------------------------------------------------ results */

struct named {
	u32 tid, task;
};

/* perf's order: rows that are alike otherwise come with the highest number first. */
static int compare_tids(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? 1 : -1;
	return x->task < y->task ? 1 : -1;
}

static void add_row(struct sched_latency_row *sum, const struct sched_latency_row *r)
{
	sum->nr_tasks++;
	sum->runtime += r->runtime;
	sum->switches += r->switches;
	sum->delay += r->delay;
	sum->waits = MAX(sum->waits, r->waits);
	if (r->max_delay > sum->max_delay) {
		sum->max_delay = r->max_delay;
		sum->max_start = r->max_start;
		sum->max_end = r->max_end;
	}
}

VEC_TYPE(latency_rows, struct sched_latency_row);

/* The row of the name, NULL = none yet. */
static struct sched_latency_row *find_row(const struct sched_latency *l,
					  const struct latency_rows *rows,
					  const struct map *by_comm, str_id comm)
{
	u32 i;

	if (!comm)
		return NULL;
	for (struct map_probe p = map_first(by_comm, hash_u64(comm)); map_next(by_comm, &p, &i);)
		if (l->tasks.v.v[rows->v[i].task].comm == comm)
			return &rows->v[i];
	return NULL;
}

static void add_tasks(const struct sched_latency *l, bool by_name, const struct named *tasks,
		      size_t nr, struct latency_rows *rows)
{
	struct map by_comm = { .slots = NULL };

	for (size_t i = 0; i < nr; i++) {
		const struct sched_latency_row *r = &l->waiting.v[tasks[i].task].row;
		str_id comm = l->tasks.v.v[r->task].comm;
		struct sched_latency_row *same = by_name ? find_row(l, rows, &by_comm, comm) : NULL;

		if (same) {
			add_row(same, r);
			continue;
		}
		map_add(&by_comm, hash_u64(comm), (u32)rows->nr);
		*VEC_PUSH(rows) = *r;
	}
	map_release(&by_comm);
}

size_t sched_latency_rows(const struct sched_latency *l, bool by_name,
			  struct sched_latency_row **out)
{
	VEC(struct named) tasks = { .v = NULL };
	struct latency_rows rows = { .v = NULL };
	size_t nr = 0;

	VEC_FOR(&l->waiting, w) {
		u32 tid = l->tasks.v.v[w->row.task].tid;

		if (tid && w->state != WAIT_NONE)
			*VEC_PUSH(&tasks) = (struct named){ .tid = tid, .task = w->row.task };
	}
	VEC_SORT(&tasks, compare_tids);
	add_tasks(l, by_name, tasks.v, tasks.nr, &rows);
	vec_free(&tasks);
	/* of others, nothing can be told */
	for (size_t i = 0; i < rows.nr; i++)
		if (rows.v[i].switches || rows.v[i].waits || (l->o.on_round && rows.v[i].runtime))
			rows.v[nr++] = rows.v[i];
	*out = rows.v;
	return nr;
}

struct sched_latency_totals sched_latency_totals(const struct sched_latency *l)
{
	return l->totals;
}

const u64 *sched_latency_lengths(const struct sched_latency *l)
{
	return l->lengths;
}

const struct time_grid *sched_latency_delays(const struct sched_latency *l)
{
	return &l->delays;
}

const struct time_grid *sched_latency_queues(const struct sched_latency *l)
{
	return &l->queues;
}

struct sched_queue_sums sched_latency_queue_sums(const struct sched_latency *l)
{
	return l->queue_sums;
}
