/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_wakers.h"

#include <stdlib.h>

#include "analyze/sched_events.h"
#include "base/hash.h"
#include "base/mem.h"

#define AWAKE UINT64_MAX

struct sched_wakers {
	struct sched_wakers_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(u64) asleep; /* by task: since when, ns; or AWAKE; 0 = nobody knows */
	VEC(struct sched_waker_row) rows;
	struct map by_key;
	struct sched_wakers_totals totals;
};

static bool is_outside(const struct sched_wakers *w, u64 time)
{
	return time < w->o.from || (w->o.until && time > w->o.until);
}

static u64 *asleep_of(struct sched_wakers *w, u32 task)
{
	while (w->asleep.nr <= task)
		*VEC_PUSH(&w->asleep) = 0;
	return &w->asleep.v[task];
}

static struct sched_waker_row *row_of(struct sched_wakers *w, u32 sleeper, u32 waker,
				      chain_id chain)
{
	u64 hash = hash_u64(((u64)sleeper << 32 | waker) ^ hash_u64(chain));
	struct sched_waker_row *r;
	u32 i;

	for (struct map_probe p = map_first(&w->by_key, hash); map_next(&w->by_key, &p, &i);) {
		r = &w->rows.v[i];
		if (r->sleeper == sleeper && r->waker == waker && r->chain == chain)
			return r;
	}
	map_add(&w->by_key, hash, (u32)w->rows.nr);
	r = VEC_PUSH(&w->rows);
	*r = (struct sched_waker_row){ .sleeper = sleeper, .waker = waker, .chain = chain };
	return r;
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_wakers *w = ctx;
	u32 task;

	if (is_outside(w, r->time))
		return;
	task = tasks_find(&w->tasks, (u32)r->values[SWITCH_PREV_PID]);
	/* its low bits: what it waits for; beyond them: it was preempted */
	*asleep_of(w, task) = r->values[SWITCH_PREV_STATE] & 0xff ? r->time : AWAKE;
	*asleep_of(w, tasks_find(&w->tasks, (u32)r->values[SWITCH_NEXT_PID])) = AWAKE;
}

static u32 waker_of(struct sched_wakers *w, const struct analyze_row *r)
{
	if (r->values[WAKEUP_FLAGS] & SCHED_BY_INTERRUPT || r->tid == (u32)-1)
		return SCHED_INTERRUPT;
	return tasks_find_in(&w->tasks, r->pid, r->tid);
}

static bool is_wanted(const struct sched_wakers *w, u32 sleeper, u32 cpu)
{
	const struct sched_wakers_opts *o = &w->o;

	return (!o->wants_task || o->wants_task(o->ctx, &w->tasks.v.v[sleeper])) &&
	       (!o->wants_cpu || o->wants_cpu(o->ctx, cpu));
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct sched_wakers *w = ctx;
	struct sched_waker_row *row;
	u32 task;
	u64 since;

	if (is_outside(w, r->time))
		return;
	task = tasks_find(&w->tasks, (u32)r->values[WAKEUP_PID]);
	since = *asleep_of(w, task);
	*asleep_of(w, task) = AWAKE;
	/* the kernel also wakes up a task that runs and was about to sleep */
	if (since == AWAKE || !is_wanted(w, task, r->cpu))
		return;
	if (!since || since > r->time) {
		w->totals.unknown++;
		return;
	}
	row = row_of(w, task, waker_of(w, r), r->chain);
	row->nr++;
	row->ns += r->time - since;
	row->longest = MAX(row->longest, r->time - since);
	w->totals.sleeps++;
}

static void take_new_task(void *ctx, const struct analyze_row *r)
{
	struct sched_wakers *w = ctx;

	*asleep_of(w, tasks_find(&w->tasks, (u32)r->values[WAKEUP_PID])) = AWAKE;
}

/* Of tasks that slept, a wake-up may be among what was lost. */
static void take_lost(void *ctx, const struct analyze_row *r UNUSED)
{
	struct sched_wakers *w = ctx;

	VEC_FOR(&w->asleep, since)
		*since = 0;
}

TASKS_HANDLERS(struct sched_wakers)

static const struct analyze_event wakers_events[] = {
	{ .names = { "sched:sched_switch" },
	  .needed = true,
	  .fields = sched_switch_brief_fields,
	  .take = take_switch },
	SCHED_WOKEN_ROWS(take_waking, true),
	SCHED_NEW_TASK_ROW(take_new_task, false),
	TASKS_ROWS,
	{ .record = PERF_RECORD_LOST, .take = take_lost },
};
static const struct analyze_machine wakers_machine = {
	.events = wakers_events,
	.nr = ARRAY_SIZE(wakers_events),
	.hint = sched_record_hint,
};

int sched_wakers_new(struct sched_wakers **out, struct session *s,
		     const struct sched_wakers_opts *o, struct err *e)
{
	struct sched_wakers *w = XNEW(struct sched_wakers);
	struct analyze_opts ao = { .machine = &wakers_machine, .ctx = w, .chains = o->chains };

	w->o = *o;
	if (analyze_new(&w->analyze, s, &ao, e)) {
		sched_wakers_free(w);
		return -1;
	}
	*out = w;
	return 0;
}

void sched_wakers_free(struct sched_wakers *w)
{
	if (!w)
		return;
	analyze_free(w->analyze);
	tasks_release(&w->tasks);
	vec_free(&w->asleep);
	vec_free(&w->rows);
	map_release(&w->by_key);
	free(w);
}

int sched_wakers_run(struct sched_wakers *w, struct err *e)
{
	return analyze_run(w->analyze, e);
}

const struct tasks *sched_wakers_tasks(const struct sched_wakers *w)
{
	return &w->tasks;
}

const struct sched_waker_row *sched_wakers_rows(const struct sched_wakers *w, size_t *nr)
{
	*nr = w->rows.nr;
	return w->rows.v;
}

struct sched_wakers_totals sched_wakers_totals(const struct sched_wakers *w)
{
	return w->totals;
}
