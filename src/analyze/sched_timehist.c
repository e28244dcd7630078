/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_timehist.h"

#include <stdlib.h>

#include "base/hash.h"

/* What goes on with a task; idle tasks have it, too. */
struct running {
	u64 left; /* when it left a CPU last; 0 = not seen yet */
	u64 ready; /* woken up since; 0 = not */
	u64 preempted; /* when it left, if it did not want to; 0 = it did */
	u64 moved; /* to another CPU since it could run; 0 = not */
	u64 wait, delay, run, pre_migration; /* of the time it had a CPU last */
	bool run_known, wait_known;
	struct timehist_sums sums;
};

struct timehist_cpu {
	u64 last_switch; /* 0 = none yet */
	u32 next; /* pid that it was to, 0 = idle */
	struct running idle;
	u32 before; /* task that had the CPU before it was idle; TIMEHIST_IDLE = not known */
	chain_id before_chain;
	VEC(struct timehist_chain) chains;
	struct map by_chain;
};

/* Indices in the table of events that are asked for. */
enum timehist_row { ROW_SWITCH };

struct sched_timehist {
	struct sched_timehist_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct running) running; /* by task */
	VEC(struct timehist_sums) sums; /* made of them at the end */
	VEC(struct timehist_cpu) cpus;
	u64 first, last;
	u64 odd, backwards, unannounced;
};

/* ------------------------------------------------------------------ tables */

static struct running *running_of(struct sched_timehist *h, u32 task)
{
	while (h->running.nr <= task) {
		u32 nr = (u32)h->running.nr;

		*VEC_PUSH(&h->running) = (struct running){ .sums = { .task = nr } };
	}
	return &h->running.v[task];
}

/* NULL: a number that no CPU has. */
static struct timehist_cpu *cpu_of(struct sched_timehist *h, u32 cpu)
{
	if (cpu >= SCHED_MAX_CPUS)
		return NULL;
	while (h->cpus.nr <= cpu)
		*VEC_PUSH(&h->cpus) = (struct timehist_cpu){ .before = TIMEHIST_IDLE };
	return &h->cpus.v[cpu];
}

/* The task of a sample, whose own numbers are those of the namespace it was recorded in; a task
 * that has ended has none any more. */
static u32 task_of(struct sched_timehist *h, const struct analyze_row *r, u32 pid)
{
	if (r->tid == (u32)-1 || !r->tid)
		return tasks_find(&h->tasks, pid);
	return tasks_find_in(&h->tasks, r->pid, r->tid);
}

static bool wants_task(const struct sched_timehist *h, u32 task)
{
	return !h->o.wants_task || h->o.wants_task(h->o.ctx, &h->tasks.v.v[task]);
}

static bool is_before(const struct sched_timehist *h, u64 time)
{
	return time < h->o.from;
}

static bool is_behind(const struct sched_timehist *h, u64 time)
{
	return h->o.until && time > h->o.until;
}

/* ------------------------------------------------------------------ sums */

static void add_run(struct timehist_sum *s, u64 ns)
{
	double delta;

	s->nr++;
	s->total += ns;
	delta = (double)ns - s->mean;
	s->mean += delta / (double)s->nr;
	s->squares += delta * ((double)ns - s->mean);
	if (s->nr == 1 || ns < s->min)
		s->min = ns;
	if (ns > s->max)
		s->max = ns;
}

/* It had the CPU from `got` on, 0 = not known, and leaves it now. */
static void end_run(struct running *t, u64 got, u64 time)
{
	t->wait = t->delay = t->run = t->pre_migration = 0;
	t->run_known = got != 0;
	t->wait_known = got && t->left && t->left <= got;
	if (got) {
		t->run = time - got;
		if (t->ready && t->ready <= got)
			t->delay = got - t->ready;
		if (t->moved)
			t->pre_migration = t->moved - (t->preempted ? t->preempted : t->ready);
		if (t->wait_known)
			t->wait = got - t->left;
	}
	add_run(&t->sums.run, t->run);
	t->sums.wait += t->wait;
	t->sums.delay += t->delay;
}

static void add_chain(struct timehist_cpu *c, chain_id chain, u64 ns)
{
	u64 hash = hash_u64(chain);
	u32 i;

	for (struct map_probe p = map_first(&c->by_chain, hash); map_next(&c->by_chain, &p, &i);) {
		if (c->chains.v[i].chain != chain)
			continue;
		c->chains.v[i].time += ns;
		c->chains.v[i].nr++;
		return;
	}
	map_add(&c->by_chain, hash, (u32)c->chains.nr);
	*VEC_PUSH(&c->chains) = (struct timehist_chain){ .chain = chain, .time = ns, .nr = 1 };
}

/* ------------------------------------------------------------------ switches */

static bool is_unannounced(const struct analyze_row *r, const struct timehist_cpu *c)
{
	return c->last_switch && c->next != (u32)r->values[SWITCH_PREV_PID];
}

static void print_switch(struct sched_timehist *h, const struct analyze_row *r, u32 task,
			 const struct running *t, u64 time)
{
	bool unannounced = is_unannounced(r, cpu_of(h, r->cpu));
	const struct timehist_switch s = {
		.time = time,
		.cpu = r->cpu,
		.task = task,
		.unannounced = unannounced,
		.run_known = t->run_known,
		.wait_known = t->wait_known,
		.wait = t->wait,
		.delay = t->delay,
		.run = t->run,
		.pre_migration = t->pre_migration,
		.state = r->values[SWITCH_PREV_STATE],
		.prio = (s32)r->values[SWITCH_PREV_PRIO],
		.next_pid = (u32)r->values[SWITCH_NEXT_PID],
		.next_comm = analyze_text(r, SWITCH_NEXT_COMM),
		.chain = task == TIMEHIST_IDLE ? 0 : r->chain,
	};

	h->unannounced += unannounced;
	if (h->o.on_switch)
		h->o.on_switch(h->o.ctx, &s);
}

/* With the time of idle CPUs; false: nothing to show. */
static bool count_idle(struct sched_timehist *h, struct timehist_cpu *c, u64 got, u64 time)
{
	struct running *before;
	u64 left, ready;

	end_run(&c->idle, got, time);
	if (c->before == TIMEHIST_IDLE)
		return false;
	before = running_of(h, c->before);
	left = before->left;
	ready = before->ready;
	end_run(before, got, time);
	before->wait = before->delay = before->run = before->pre_migration = 0;
	before->left = left;
	before->ready = ready;
	if (c->before_chain && got)
		add_chain(c, c->before_chain, time - got);
	c->before = TIMEHIST_IDLE;
	return true;
}

/* The part of a switch that lies in the times that are wanted. */
static void count_switch(struct sched_timehist *h, const struct analyze_row *r, u32 task,
			 struct timehist_cpu *c)
{
	bool is_idle = task == TIMEHIST_IDLE;
	bool to_idle = !r->values[SWITCH_NEXT_PID];
	struct running *t = is_idle ? &c->idle : running_of(h, task);
	u64 got = c->last_switch, time = r->time;

	/* idle tasks are nobody's that can be asked for */
	if (is_idle ? h->o.wants_task != NULL : !wants_task(h, task))
		return;
	if (h->o.wants_prio && !h->o.wants_prio(h->o.ctx, (s32)r->values[SWITCH_PREV_PRIO]))
		return;
	if (h->o.wants_cpu && !h->o.wants_cpu(h->o.ctx, r->cpu))
		return;
	if (h->o.idle && !is_idle && !to_idle)
		return;
	if (got && got < h->o.from)
		got = h->o.from;
	if (is_behind(h, time)) {
		if (is_behind(h, got))
			return;
		time = h->o.until;
	}
	if (!h->o.idle)
		end_run(t, got, time);
	else if (is_idle && !count_idle(h, c, got, time))
		return;
	print_switch(h, r, task, t, time);
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_timehist *h = ctx;
	struct timehist_cpu *c = cpu_of(h, r->cpu);
	u32 prev = (u32)r->values[SWITCH_PREV_PID];
	u32 task = prev ? task_of(h, r, prev) : TIMEHIST_IDLE;
	struct running *t;

	if (!c) {
		h->odd++;
		return;
	}
	if (r->time < c->last_switch) {
		h->backwards++;
		return;
	}
	if (!is_before(h, r->time)) {
		count_switch(h, r, task, c);
		if (!h->first)
			h->first = r->time;
		h->last = is_behind(h, r->time) ? h->o.until : r->time;
	}
	if (h->o.idle && !r->values[SWITCH_NEXT_PID] && task != TIMEHIST_IDLE) {
		c->before = task;
		c->before_chain = r->chain;
	}
	t = task == TIMEHIST_IDLE ? &c->idle : running_of(h, task);
	t->left = r->time;
	t->ready = t->moved = 0;
	t->preempted = r->values[SWITCH_PREV_STATE] & 0xff ? 0 : r->time;
	c->last_switch = r->time;
	c->next = (u32)r->values[SWITCH_NEXT_PID];
}

/* ------------------------------------------------------------------ wake-ups, migrations */

static void tell(struct sched_timehist *h, const struct analyze_row *r, u32 task, bool moved)
{
	void (*fn)(void *ctx, const struct timehist_event *e) = moved ? h->o.on_migrate
								      : h->o.on_wakeup;
	struct timehist_event e = { .time = r->time, .cpu = r->cpu, .task = task };

	if (!fn || h->o.idle || is_before(h, r->time) || is_behind(h, r->time))
		return;
	e.by = r->tid ? task_of(h, r, r->tid) : TIMEHIST_IDLE;
	if (!wants_task(h, task) && (e.by == TIMEHIST_IDLE || !wants_task(h, e.by)))
		return;
	if (moved) {
		e.from = (u32)r->values[MIGRATE_FROM];
		e.to = (u32)r->values[MIGRATE_TO];
	}
	fn(h->o.ctx, &e);
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct sched_timehist *h = ctx;
	u32 task = tasks_find(&h->tasks, (u32)r->values[WAKEUP_PID]);
	struct running *t = running_of(h, task);

	if (!t->ready)
		t->ready = r->time;
	tell(h, r, task, false);
}

static void take_migrate(void *ctx, const struct analyze_row *r)
{
	struct sched_timehist *h = ctx;
	u32 task = tasks_find(&h->tasks, (u32)r->values[MIGRATE_PID]);

	struct running *t = running_of(h, task);

	t->sums.migrations++;
	if (t->preempted || t->ready)
		t->moved = r->time;
	tell(h, r, task, true);
}

static void renew_chains(void *ctx, struct session_renewal *r)
{
	struct sched_timehist *h = ctx;

	VEC_FOR(&h->cpus, c) {
		c->before_chain = session_renewed_chain(r, c->before_chain);
		map_release(&c->by_chain);
		for (u32 i = 0; i < c->chains.nr; i++) {
			struct timehist_chain *x = &c->chains.v[i];

			x->chain = session_renewed_chain(r, x->chain);
			map_add(&c->by_chain, hash_u64(x->chain), i);
		}
	}
	if (h->o.on_renew)
		h->o.on_renew(h->o.ctx);
}

TASKS_HANDLERS(struct sched_timehist)

static const struct analyze_event timehist_events[] = {
	[ROW_SWITCH] = { .names = { "sched:sched_switch" },
			 .needed = true,
			 .chain = true,
			 .fields = sched_switch_fields,
			 .take = take_switch },
	SCHED_WAKING_ROWS(take_waking),
	{ .names = { "sched:sched_migrate_task" },
	  .fields = sched_migrate_fields,
	  .take = take_migrate },
	TASKS_ROWS,
};
static const struct analyze_machine timehist_machine = {
	.events = timehist_events,
	.nr = ARRAY_SIZE(timehist_events),
	.hint = sched_record_hint,
	.renew = renew_chains,
};

int sched_timehist_new(struct sched_timehist **out, struct session *s,
		       const struct sched_timehist_opts *o, struct err *e)
{
	struct sched_timehist *h = XNEW(struct sched_timehist);
	struct analyze_opts ao = { .machine = &timehist_machine, .ctx = h, .chains = o->chains };

	h->o = *o;
	if (analyze_new(&h->analyze, s, &ao, e)) {
		sched_timehist_free(h);
		return -1;
	}
	*out = h;
	return 0;
}

void sched_timehist_free(struct sched_timehist *h)
{
	if (!h)
		return;
	analyze_free(h->analyze);
	tasks_release(&h->tasks);
	VEC_FOR(&h->cpus, c) {
		vec_free(&c->chains);
		map_release(&c->by_chain);
	}
	vec_free(&h->cpus);
	vec_free(&h->running);
	vec_free(&h->sums);
	free(h);
}

int sched_timehist_run(struct sched_timehist *h, struct err *e)
{
	if (analyze_run(h->analyze, e))
		return -1;
	VEC_FOR(&h->running, t)
		*VEC_PUSH(&h->sums) = t->sums;
	return 0;
}

/* ------------------------------------------------------------------ results */

const struct tracefmt *sched_timehist_format(const struct sched_timehist *h)
{
	return analyze_format(h->analyze, ROW_SWITCH);
}

const struct tasks *sched_timehist_tasks(const struct sched_timehist *h)
{
	return &h->tasks;
}

const struct timehist_sums *sched_timehist_sums(const struct sched_timehist *h, size_t *nr)
{
	*nr = h->sums.nr;
	return h->sums.v;
}

static int compare_chains(const void *a, const void *b)
{
	const struct timehist_chain *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return (x->nr < y->nr) - (x->nr > y->nr);
}

struct timehist_idle sched_timehist_idle(struct sched_timehist *h, u32 cpu)
{
	struct timehist_cpu *c;

	if (cpu >= h->cpus.nr)
		return (struct timehist_idle){ .total = 0 };
	c = &h->cpus.v[cpu];
	VEC_SORT(&c->chains, compare_chains);
	return (struct timehist_idle){ .total = c->idle.sums.run.total,
				       .nr = c->idle.sums.run.nr,
				       .chains = c->chains.v,
				       .nr_chains = c->chains.nr };
}

u64 sched_timehist_span(const struct sched_timehist *h)
{
	return h->last > h->first ? h->last - h->first : 0;
}

u32 sched_timehist_cpus(const struct sched_timehist *h)
{
	return (u32)h->cpus.nr;
}

u64 sched_timehist_odd(const struct sched_timehist *h)
{
	return h->odd;
}

u64 sched_timehist_unannounced(const struct sched_timehist *h)
{
	return h->unannounced;
}

u64 sched_timehist_backwards(const struct sched_timehist *h)
{
	return h->backwards;
}
