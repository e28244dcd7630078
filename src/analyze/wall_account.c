/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/wall_account.h"

#include <string.h>

#include "base/hash.h"

enum {
	HELD_MAX = 4096, /* places of a thread that wait for their time */
	SCHEDULER_FRAMES = 12, /* the scheduler's functions are among the first so many */
};

#define PERIOD_MAX (1ULL << 40) /* ns or counts: no real one is as large */

const char wall_mark_not_sampled[] = "[not sampled]";
const char wall_mark_no_stack[] = "[no stack]";
const char wall_mark_unknown[] = "[unknown]";

const char *span_state_name(enum span_state state)
{
	static const char *const names[SPAN_NR_STATES] = {
		[SPAN_RUNNING] = "running",
		[SPAN_NEW] = "runnable-new",
		[SPAN_PREEMPTED] = "runnable-preempted",
		[SPAN_WOKEN] = "runnable-woken",
		[SPAN_SLEEPING] = "blocked-sleep",
		[SPAN_UNINTERRUPTIBLE] = "blocked-uninterruptible",
		[SPAN_IO] = "blocked-io",
		[SPAN_STOPPED] = "blocked-stopped",
		[SPAN_BLOCKED] = "blocked",
		[SPAN_UNKNOWN] = "unknown",
	};

	return names[state];
}

void wall_account_release(struct wall_account *a)
{
	vec_free(&a->chains);
	map_release(&a->by_chain);
	vec_free(&a->scheduler);
}

/* ---- where a thread was ---- */

enum { SCHED_NOT_ASKED, SCHED_OTHER, SCHED_OWN, SCHED_IO };

/* Functions that say nothing about what a thread waits for. */
static u8 judge_name(const char *name)
{
	static const char *const own[] = { "__schedule",
					   "schedule",
					   "schedule_idle",
					   "schedule_user",
					   "schedule_preempt_disabled",
					   "preempt_schedule",
					   "preempt_schedule_common",
					   "preempt_schedule_irq",
					   "preempt_schedule_notrace",
					   "schedule_timeout",
					   "schedule_timeout_interruptible",
					   "schedule_timeout_killable",
					   "schedule_timeout_uninterruptible",
					   "schedule_hrtimeout_range_clock",
					   "schedule_hrtimeout_range",
					   "schedule_hrtimeout",
					   "__traceiter_sched_switch",
					   "perf_trace_sched_switch",
					   "perf_event_task_sched_out",
					   "__perf_event_task_sched_out",
					   "__perf_sw_event_sched",
					   "__cond_resched",
					   "finish_task_switch.isra.0",
					   "trace_call_bpf" };

	if (!strcmp(name, "io_schedule") || !strcmp(name, "io_schedule_timeout"))
		return SCHED_IO;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strcmp(name, own[i]))
			return SCHED_OWN;
	return SCHED_OTHER;
}

static u8 judge_frame(struct wall_account *a, frame_id id)
{
	const struct frame *f = session_frame_get(a->s, id);
	u8 *known;

	while (a->scheduler.nr <= id)
		*VEC_PUSH(&a->scheduler) = SCHED_NOT_ASKED;
	known = &a->scheduler.v[id];
	if (*known != SCHED_NOT_ASKED)
		return *known;
	*known = SCHED_OTHER;
	if (f->cpumode == PERF_RECORD_MISC_KERNEL && f->dso && f->sym != SYM_NONE)
		*known = judge_name(
			symtab_name(dso_symtab(dso_table_get(session_dsos(a->s), f->dso)), f->sym));
	return *known;
}

static struct wall_chain cut_scheduler(struct wall_account *a, chain_id chain)
{
	struct wall_chain c = { .chain = chain, .tail = chain };
	const frame_id *frames;
	size_t nr, skip = 0;

	frames = session_chain_frames(a->s, chain, &nr);
	for (size_t i = 0; i < nr && i < SCHEDULER_FRAMES; i++) {
		u8 what = judge_frame(a, frames[i]);

		if (what != SCHED_OTHER)
			skip = i + 1;
		c.io |= what == SCHED_IO;
	}
	if (skip == nr)
		skip = 0; /* better than nothing */
	c.frame = frames[skip];
	if (skip)
		c.tail = session_chain_tail(a->s, a->w, chain, skip);
	return c;
}

static const struct wall_chain *find_chain(struct wall_account *a, chain_id chain)
{
	u64 hash = hash_u64(chain);
	u32 i;

	for (struct map_probe p = map_first(&a->by_chain, hash); map_next(&a->by_chain, &p, &i);)
		if (a->chains.v[i].chain == chain)
			return &a->chains.v[i];
	map_add(&a->by_chain, hash, (u32)a->chains.nr);
	*VEC_PUSH(&a->chains) = cut_scheduler(a, chain);
	return VEC_LAST(&a->chains);
}

struct wall_place wall_place_of(struct wall_account *a, const struct session_record *r, bool off)
{
	const struct sample *smp = r->sample;
	struct wall_place at = { .site = r->site,
				 .ip = smp->ip,
				 .cgroup = smp->cgroup,
				 .pid = smp->pid,
				 .tid = smp->tid,
				 .cpu = smp->cpu,
				 .cpumode = smp->cpumode,
				 .known = true };
	const struct wall_chain *c;

	at.chain = session_chain(a->w, &r->site, smp);
	if (off && at.chain) {
		c = find_chain(a, at.chain);
		at.chain = c->tail;
		at.frame = c->frame;
		at.io = c->io;
		at.cpumode = session_frame_get(a->s, at.frame)->cpumode;
	} else {
		at.frame = session_frame(a->w, &r->site, smp->cpumode, smp->ip);
	}
	return at;
}

struct wall_place wall_place_marked(struct wall_account *a, const struct site *site, u32 pid,
				    u32 tid, u32 cpu, const char *mark)
{
	struct wall_place at = {
		.site = *site, .pid = pid, .tid = tid, .cpu = cpu, .cpumode = PERF_RECORD_MISC_USER
	};

	at.chain = session_mark(a->s, a->w, mark, &at.frame);
	return at;
}

/* ---- time ---- */

static void deliver(struct wall_account *a, const struct wall_place *at, enum span_state state,
		    const struct wall_waker *waker, u64 time, u64 ns)
{
	const struct session_span span = { .state = state,
					   .waker = waker ? waker->kind : WAKER_NONE,
					   .waker_tid = waker ? waker->tid : 0,
					   .waker_comm = waker ? waker->comm : 0,
					   .frame = at->frame,
					   .chain = at->chain };
	const struct sample smp = { .ip = at->ip,
				    .time = time,
				    .pid = at->pid,
				    .tid = at->tid,
				    .cpu = at->cpu,
				    .cpumode = at->cpumode,
				    .cgroup = at->cgroup,
				    .period = ns };
	const struct session_record r = { .time = time,
					  .event = perfdata_event(session_file(a->s), 0),
					  .sample = &smp,
					  .site = at->site,
					  .span = &span };

	if (!ns || (at->cpu != (u32)-1 && !session_wants_cpu(a->s, at->cpu)))
		return;
	a->sums.ns[state] += ns;
	if (span.waker == WAKER_UNKNOWN && state >= SPAN_SLEEPING && state <= SPAN_BLOCKED)
		a->sums.unwoken += ns;
	a->stopped |= !a->o.take(a->o.ctx, a->w, &r);
}

void wall_give(struct wall_account *a, const struct wall_place *at, enum span_state state,
	       const struct wall_waker *waker, u64 from, u64 until)
{
	deliver(a, at, state, waker, from, session_time_within(a->s, from, until));
}

void wall_give_sum(struct wall_account *a, const struct wall_place *at, enum span_state state,
		   const struct wall_waker *waker, u64 ns)
{
	u64 time = at->site.time;

	deliver(a, at, state, waker, time, session_time_within(a->s, time, time + 1) ? ns : 0);
}

/* ---- pools ---- */

static bool same_place(const struct wall_place *x, const struct wall_place *y)
{
	return x->frame == y->frame && x->chain == y->chain && x->cpu == y->cpu &&
	       x->site.comm == y->site.comm && x->site.space == y->site.space && x->ip == y->ip;
}

void wall_pool_hold(struct wall_pool *p, const struct wall_place *at, u64 period)
{
	/* what a thread does takes longer than one sample; above the limit others stand for it */
	period = MIN(period, PERIOD_MAX);
	if (p->shared)
		p->held.nr = 0;
	p->shared = false;
	if (p->held.nr && same_place(&VEC_LAST(&p->held)->at, at))
		VEC_LAST(&p->held)->period += period;
	else if (p->held.nr < HELD_MAX)
		*VEC_PUSH(&p->held) = (struct wall_held){ .at = *at, .period = period };
}

void wall_pool_share(struct wall_account *a, struct wall_pool *p, bool again)
{
	u64 owed = p->owed;
	unsigned __int128 all = 0, given = 0;

	VEC_FOR(&p->held, h)
		all += MAX(h->period, (u64)1);
	if (!p->held.nr || !owed || (p->shared && !again))
		return;
	VEC_FOR(&p->held, h) {
		unsigned __int128 before = given * owed / all;

		given += MAX(h->period, (u64)1);
		wall_give_sum(a, &h->at, SPAN_RUNNING, NULL, (u64)(given * owed / all - before));
	}
	p->shared = true;
	p->owed = 0;
}

void wall_pool_pay(struct wall_account *a, struct wall_pool *p, enum span_state state)
{
	const struct wall_waker nobody = { .kind = WAKER_UNKNOWN };
	size_t left = 0;

	VEC_FOR(&p->held, h) {
		u64 ns = MIN(h->period, p->owed);

		p->owed -= ns;
		h->period -= ns;
		if (ns)
			wall_give_sum(a, &h->at, state, &nobody, ns);
		if (h->period)
			p->held.v[left++] = *h;
	}
	p->held.nr = left;
}

void wall_pool_release(struct wall_pool *p)
{
	vec_free(&p->held);
	p->owed = 0;
}
