/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The upper half: what records say of threads' states, as a state machine per thread.
 */
#include "analyze/wall.h"

#include <errno.h>
#include <string.h>

#include "abi/wall_span.h"
#include "analyze/sched_events.h"
#include "analyze/wall_account.h"
#include "base/hash.h"

/* Behind enum span_state. */
enum { STATE_GONE = SPAN_NR_STATES };

struct wall_thread {
	u32 pid, tid; /* pid (u32)-1: not told yet */
	u8 state;
	bool own; /* it has records of its own: else it belongs to nobody who was recorded */
	bool exited; /* it may still run for a moment */
	bool ins; /* its switches in are seen */
	bool sampled_out; /* the switch out was a sample: a record of it may follow */
	u64 losses; /* wall_sums.losses at its latest event */
	u64 since; /* the state */
	u64 before; /* ns of unknown time before since, for which there was no site yet */
	struct site site; /* of its latest own record; thread 0 = none yet */
	u32 cpu;
	struct wall_place off; /* where it left the CPU */
	struct wall_waker waker;
	struct wall_pool running, blocked;
};

/* What samples of an event of the file are for. */
enum event_use { USE_UNKNOWN, USE_NOTHING, USE_TRACEPOINT, USE_RUNNING, USE_SWITCHES, USE_OFF_CPU };

struct wall {
	struct wall_account a; /* first */
	struct analyze *analyze;
	struct sched_states states;
	bool has_states;
	VEC(u8) uses; /* by event: enum event_use */
	u32 running_event; /* that is used, + 1 */
	bool partial; /* not all of them */
	bool records, tracepoints, switch_event, off_cpu, measured, wakeups; /* what there is */
	bool foreign; /* tracepoints have other numbers of threads than samples */
	u64 start, end; /* of all records so far */
	bool at_end; /* what threads do will not be known */
	VEC(struct wall_thread) threads;
	VEC(u32) cpus; /* tid of what runs there, as far as is known; 0 = nothing */
	struct map by_tid;
	const struct session_record *r; /* at hand */
};

/* ------------------------------------------------------------------ threads */

static struct wall_thread *find_thread(struct wall *x, u32 tid)
{
	u64 hash = hash_u64(tid);
	u32 i;

	for (struct map_probe p = map_first(&x->by_tid, hash); map_next(&x->by_tid, &p, &i);)
		if (x->threads.v[i].tid == tid)
			return &x->threads.v[i];
	return NULL;
}

/* A thread that has been there since the start, as far as is known. */
static struct wall_thread *thread_of(struct wall *x, u32 pid, u32 tid)
{
	struct wall_thread *t = find_thread(x, tid);

	if (!t) {
		map_add(&x->by_tid, hash_u64(tid), (u32)x->threads.nr);
		t = VEC_PUSH(&x->threads);
		*t = (struct wall_thread){ .pid = (u32)-1,
					   .tid = tid,
					   .cpu = (u32)-1,
					   .state = SPAN_UNKNOWN,
					   .since = x->start,
					   .losses = x->a.sums.losses };
	}
	if (pid != (u32)-1)
		t->pid = pid;
	return t;
}

static void give_marked(struct wall *x, struct wall_thread *t, enum span_state state,
			const char *mark, const struct wall_waker *waker, u64 from, u64 until)
{
	struct wall_place at;

	if (until <= from)
		return;
	at = wall_place_marked(&x->a, &t->site, t->pid, t->tid, t->cpu, mark);
	wall_give(&x->a, &at, state, waker, from, until);
}

/* The record at hand is the thread's own. */
static void see(struct wall *x, struct wall_thread *t)
{
	if (!x->r->site.thread)
		return;
	if (!t->own)
		x->a.sums.threads++;
	t->own = true;
	t->site = x->r->site;
	if (t->before) {
		give_marked(x, t, SPAN_UNKNOWN, wall_mark_unknown, NULL, x->start,
			    x->start + t->before);
		t->before = 0;
	}
}

static void settle_unknown(struct wall *x, struct wall_thread *t, u64 time)
{
	if (t->site.thread)
		give_marked(x, t, SPAN_UNKNOWN, wall_mark_unknown, NULL, t->since, time);
	else if (time > t->since)
		t->before += time - t->since;
}

/* Blocked until the thread ran or was woken up. */
static void settle_blocked(struct wall *x, struct wall_thread *t, u64 time)
{
	const struct wall_waker other = { .kind = x->at_end ? WAKER_NONE : WAKER_UNKNOWN };
	const struct wall_waker *by = t->waker.kind != WAKER_NONE ? &t->waker : &other;

	if (t->off.known)
		wall_give(&x->a, &t->off, t->state, by, t->since, time);
	else if (x->off_cpu)
		t->blocked.owed += time - t->since;
	else
		give_marked(x, t, t->state, wall_mark_no_stack, by, t->since, time);
	if (x->off_cpu)
		wall_pool_pay(&x->a, &t->blocked, SPAN_BLOCKED);
}

static void settle_runnable(struct wall *x, struct wall_thread *t, u64 time)
{
	if (t->off.known && t->state != SPAN_NEW)
		wall_give(&x->a, &t->off, t->state, &t->waker, t->since, time);
	else
		give_marked(x, t, t->state, wall_mark_no_stack, &t->waker, t->since, time);
}

/* What the thread did until now is given to where it was. */
static void settle(struct wall *x, struct wall_thread *t, u64 time)
{
	bool lost = t->losses != x->a.sums.losses;

	t->losses = x->a.sums.losses;
	if (time < t->since) {
		x->a.sums.backwards++;
		return;
	}
	if (lost || t->state == SPAN_UNKNOWN)
		settle_unknown(x, t, time);
	else if (t->state == SPAN_RUNNING)
		t->running.owed += time - t->since;
	else if (t->state < SPAN_SLEEPING)
		settle_runnable(x, t, time);
	else if (t->state != STATE_GONE)
		settle_blocked(x, t, time);
	t->since = time;
}

static void settle_contradiction(struct wall *x, struct wall_thread *t, u64 time)
{
	if (t->state != SPAN_UNKNOWN && t->losses == x->a.sums.losses)
		x->a.sums.contradictions++;
	t->state = SPAN_UNKNOWN;
	settle(x, t, time);
}

static bool is_off(const struct wall_thread *t)
{
	return t->state > SPAN_RUNNING && t->state < SPAN_UNKNOWN;
}

/* The thread runs on a CPU, so that no other does. */
static void occupy(struct wall *x, struct wall_thread *t, u32 cpu, u64 time)
{
	struct wall_thread *other;

	t->cpu = cpu;
	if (cpu >= SCHED_MAX_CPUS)
		return;
	while (x->cpus.nr <= cpu)
		*VEC_PUSH(&x->cpus) = 0;
	other = x->cpus.v[cpu] && x->cpus.v[cpu] != t->tid ? find_thread(x, x->cpus.v[cpu]) : NULL;
	x->cpus.v[cpu] = t->tid;
	/* that it left was not recorded: some machines hide threads of theirs */
	if (other && other->own && other->state == SPAN_RUNNING && other->cpu == cpu)
		settle_contradiction(x, other, time);
}

/* The thread got a CPU. */
static void comes(struct wall *x, struct wall_thread *t, u64 time)
{
	bool lost = t->losses != x->a.sums.losses;

	if (t->state == SPAN_RUNNING && !lost)
		return; /* another record of the same switch */
	if (t->state == STATE_GONE) {
		/* another one of that number, whose start was not seen */
		t->since = time;
		t->exited = t->own = false;
	}
	settle(x, t, time);
	t->state = SPAN_RUNNING;
	t->waker = (struct wall_waker){ .kind = WAKER_NONE };
	t->off.known = false;
	t->sampled_out = false;
}

static bool was_running(const struct wall *x, const struct wall_thread *t)
{
	return t->losses != x->a.sums.losses || !is_off(t);
}

/* The thread left its CPU; at: where, NULL = not told. */
static void leaves(struct wall *x, struct wall_thread *t, u64 time, enum span_state state,
		   const struct wall_place *at)
{
	if (was_running(x, t))
		settle(x, t, time);
	else
		settle_contradiction(x, t, time); /* that it came was not seen */
	wall_pool_share(&x->a, &t->running, false);
	if (t->exited && state != SPAN_PREEMPTED) {
		t->state = STATE_GONE;
		return;
	}
	t->state = (u8)state;
	t->waker = (struct wall_waker){ .kind = WAKER_NONE };
	t->off = at ? *at : (struct wall_place){ .known = false };
	t->sampled_out = at != NULL;
}

/* ------------------------------------------------------------------ records */

static bool is_idle(u32 tid)
{
	return !tid || tid == (u32)-1;
}

static enum span_state state_of(const struct wall *x, u64 prev_state, const struct wall_place *at)
{
	switch (sched_state_letter(&x->states, prev_state)) {
	case 'R':
		return SPAN_PREEMPTED;
	case 'S':
		return SPAN_SLEEPING;
	case 'D':
		return at && at->io ? SPAN_IO : SPAN_UNINTERRUPTIBLE;
	case 'I':
		return SPAN_SLEEPING; /* a kernel thread without work */
	case 'T':
	case 't':
	case 'P':
		return SPAN_STOPPED;
	case 'X':
	case 'Z':
		return (enum span_state)STATE_GONE;
	default:
		return SPAN_BLOCKED;
	}
}

static void take_sched_switch(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	u32 prev = (u32)r->values[SWITCH_PREV_PID], next = (u32)r->values[SWITCH_NEXT_PID];

	x->tracepoints = true;
	x->partial |= x->r->sample->period > 1;
	if (!x->has_states) {
		sched_states_init(&x->states, analyze_format(x->analyze, 0));
		x->has_states = true;
	}
	if (r->tid != (u32)-1 && r->tid != prev)
		x->foreign = true;
	/* a thread that is gone has no number any more, but to the scheduler */
	u32 tid = r->tid == (u32)-1 && !x->foreign ? prev : r->tid;

	if (!is_idle(tid)) {
		struct wall_thread *t = thread_of(x, r->pid, tid);
		struct wall_place at = wall_place_of(&x->a, x->r, true);
		enum span_state state = state_of(x, r->values[SWITCH_PREV_STATE], &at);

		see(x, t);
		occupy(x, t, r->cpu, r->time);
		leaves(x, t, r->time, state, &at);
	}
	if (!is_idle(next) && !x->foreign) {
		struct wall_thread *t = thread_of(x, (u32)-1, next);

		t->ins = true;
		occupy(x, t, r->cpu, r->time);
		comes(x, t, r->time);
	}
}

static void take_waking(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	struct wall_thread *t = x->foreign ? NULL : find_thread(x, (u32)r->values[WAKEUP_PID]);

	x->wakeups = true;
	if (!t || t->state < SPAN_SLEEPING || t->state > SPAN_BLOCKED ||
	    t->losses != x->a.sums.losses)
		return; /* it has not gone to sleep, or is not known to */
	t->waker =
		(struct wall_waker){ .kind = WAKER_THREAD, .tid = r->tid, .comm = x->r->site.comm };
	if (r->values[WAKEUP_FLAGS] & SCHED_BY_INTERRUPT)
		t->waker = (struct wall_waker){ .kind = WAKER_INTERRUPT };
	else if (r->tid == (u32)-1)
		t->waker = (struct wall_waker){ .kind = WAKER_UNKNOWN };
	settle(x, t, r->time);
	t->state = SPAN_WOKEN;
}

static void take_switch_record(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	bool preempted = r->values[SWITCH_PREEMPTED];
	struct wall_thread *t;

	x->records = true;
	if (is_idle(r->tid))
		return;
	t = thread_of(x, r->pid, r->tid);
	t->ins = true;
	see(x, t);
	if (!r->values[SWITCH_OUT] || t->state == SPAN_RUNNING || t->state == SPAN_UNKNOWN)
		occupy(x, t, r->cpu, r->time);
	if (!r->values[SWITCH_OUT]) {
		comes(x, t, r->time);
	} else if (is_off(t) && t->sampled_out && t->losses == x->a.sums.losses) {
		/* the same switch once more */
		if (t->state == SPAN_BLOCKED && preempted)
			t->state = SPAN_PREEMPTED;
		t->sampled_out = false;
	} else if (t->state != STATE_GONE) {
		/* where tracepoints tell of switches, one that they miss is before they began */
		enum span_state state = x->tracepoints ? SPAN_UNKNOWN : SPAN_BLOCKED;

		leaves(x, t, r->time, preempted ? SPAN_PREEMPTED : state, NULL);
	}
}

/* Time that no sample stood for. */
static void give_rest(struct wall *x, struct wall_thread *t, enum span_state state,
		      struct wall_pool *p, const char *mark)
{
	struct wall_place at = wall_place_marked(&x->a, &t->site, t->pid, t->tid, t->cpu, mark);

	wall_give_sum(&x->a, &at, state, NULL, p->owed);
	wall_pool_release(p);
}

static void end_thread(struct wall *x, struct wall_thread *t)
{
	/* sums of one time come in two parts, and samples stand for both */
	wall_pool_share(&x->a, &t->running, x->measured);
	give_rest(x, t, SPAN_RUNNING, &t->running, wall_mark_not_sampled);
	give_rest(x, t, SPAN_BLOCKED, &t->blocked, wall_mark_no_stack);
}

static void take_fork(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	struct wall_thread *t;

	if (is_idle(r->tid) || !r->time)
		return;
	t = find_thread(x, r->tid);
	if (t && t->state == SPAN_RUNNING && (t->pid == r->pid || t->pid == (u32)-1))
		return; /* another CPU has told of its first switch before */
	if (t && !t->exited)
		settle_contradiction(x, t, r->time);
	if (t) {
		end_thread(x, t);
		t->exited = t->own = false; /* another one */
	}
	t = thread_of(x, r->pid, r->tid);
	t->state = SPAN_NEW;
	t->since = r->time;
	t->losses = x->a.sums.losses;
	t->waker = (struct wall_waker){ .kind = WAKER_NONE };
	t->off.known = false;
	see(x, t);
}

static void take_exit(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	struct wall_thread *t = is_idle(r->tid) ? NULL : find_thread(x, r->tid);

	if (!t)
		return;
	see(x, t);
	settle(x, t, r->time);
	t->exited = true;
}

/* exec() in another thread of a process whose first one, t, has ended: it gets that one's number,
 * and its own is gone. */
static void end_caller(struct wall *x, struct wall_thread *t, const struct analyze_row *r)
{
	u32 tid = r->cpu < x->cpus.nr ? x->cpus.v[r->cpu] : 0;
	struct wall_thread *caller = tid && tid != t->tid ? find_thread(x, tid) : NULL;

	if (caller && caller->pid == t->pid && caller->state == SPAN_RUNNING) {
		settle(x, caller, r->time);
		caller->exited = true;
		caller->state = STATE_GONE;
	}
	occupy(x, t, r->cpu, r->time);
}

static void take_comm(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;
	struct wall_thread *t;

	if (!r->time || is_idle(r->tid) || !r->values[COMM_EXEC])
		return;
	t = thread_of(x, r->pid, r->tid);
	see(x, t);
	if (t->exited) {
		end_caller(x, t, r);
		settle(x, t, r->time);
		t->exited = false;
		t->state = SPAN_UNKNOWN;
		t->since = r->time;
	}
	if (t->state == SPAN_UNKNOWN)
		comes(x, t, r->time);
}

static void take_lost(void *ctx, const struct analyze_row *r)
{
	struct wall *x = ctx;

	if (r->values[LOST_NUMBER])
		x->a.sums.losses++;
}

static const struct analyze_event wall_events[] = {
	{ .names = { "sched:sched_switch" },
	  .fields = sched_switch_brief_fields,
	  .take = take_sched_switch },
	SCHED_WAKING_ROWS(take_waking),
	{ .record = PERF_RECORD_SWITCH, .take = take_switch_record },
	{ .record = PERF_RECORD_SWITCH_CPU_WIDE, .take = take_switch_record },
	{ .record = PERF_RECORD_FORK, .take = take_fork },
	{ .record = PERF_RECORD_EXIT, .take = take_exit },
	{ .record = PERF_RECORD_COMM, .take = take_comm },
	{ .record = PERF_RECORD_LOST, .take = take_lost },
};
static const struct analyze_machine wall_machine = { .events = wall_events,
						     .nr = ARRAY_SIZE(wall_events) };

/* ------------------------------------------------------------------ samples */

/* How well an event tells when a thread runs; 0 = not at all. */
static unsigned int rank_of(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_CPU_CLOCK    ? 9
		       : attr->config == PERF_COUNT_SW_TASK_CLOCK ? 8
								  : 0;
	if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT)
		return 0;
	if (attr->type == PERF_TYPE_HARDWARE)
		return attr->config == PERF_COUNT_HW_CPU_CYCLES       ? 7
		       : attr->config == PERF_COUNT_HW_REF_CPU_CYCLES ? 6
								      : 5;
	return 4;
}

static bool samples(const struct perf_event_attr *attr)
{
	return attr->sample_period || attr->sample_freq;
}

static enum event_use use_of(const struct perfdata_event *ev)
{
	if (ev->attr.type == PERF_TYPE_TRACEPOINT)
		return USE_TRACEPOINT;
	if (ev->attr.type != PERF_TYPE_SOFTWARE)
		return USE_NOTHING;
	if (ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT && !strcmp(ev->name, "offcpu-time"))
		return USE_OFF_CPU;
	/* each switch is one only without a larger period */
	if (ev->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES && !ev->attr.freq &&
	    ev->attr.sample_period == 1)
		return USE_SWITCHES;
	return USE_NOTHING;
}

/* Events that the recording, or a stream so far, tells of. */
static void learn_events(struct wall *x)
{
	const struct perfdata *f = session_file(x->a.s);
	bool chosen = x->running_event;
	unsigned int best = 0;

	if (x->uses.nr == perfdata_nr_events(f))
		return;
	for (size_t i = x->uses.nr; i < perfdata_nr_events(f); i++) {
		const struct perfdata_event *ev = perfdata_event(f, i);
		enum event_use use = use_of(ev);

		*VEC_PUSH(&x->uses) = (u8)use;
		x->records |= ev->attr.context_switch;
		x->switch_event |= use == USE_SWITCHES;
		x->off_cpu |= use == USE_OFF_CPU;
		/* the kernel adjusts the period of an event with a frequency */
		x->partial |= !strcmp(ev->name, "sched:sched_switch") && ev->attr.freq;
		x->measured |= use == USE_OFF_CPU && ev->attr.sample_type & PERF_SAMPLE_RAW;
		if (chosen || rank_of(&ev->attr) <= best || !samples(&ev->attr))
			continue;
		best = rank_of(&ev->attr);
		x->running_event = (u32)i + 1;
	}
	if (best)
		x->uses.v[x->running_event - 1] = USE_RUNNING;
}

static bool has_timeline(const struct wall *x)
{
	return !x->measured && (x->records || x->tracepoints || x->switch_event);
}

/* Without switches a sample stands for its period, of clocks, or for the time between two. */
static u64 guess_period(const struct session_record *r)
{
	const struct perf_event_attr *attr = &r->event->attr;

	if (attr->type == PERF_TYPE_SOFTWARE)
		return r->sample->period;
	return attr->freq && attr->sample_freq ? 1000000000 / attr->sample_freq : 0;
}

static void take_running(struct wall *x, const struct session_record *r)
{
	struct wall_thread *t = thread_of(x, r->sample->pid, r->sample->tid);
	struct wall_place at = wall_place_of(&x->a, r, false);

	see(x, t);
	occupy(x, t, r->sample->cpu, r->time);
	if (!has_timeline(x) && !x->measured) {
		x->a.sums.guessed = true;
		wall_give_sum(&x->a, &at, SPAN_RUNNING, NULL, guess_period(r));
		return;
	}
	if (!has_timeline(x)) {
		wall_pool_hold(&t->running, &at, r->sample->period);
		return;
	}
	if (is_off(t) && t->losses == x->a.sums.losses)
		settle_contradiction(x, t, r->time);
	else
		settle(x, t, r->time);
	t->state = SPAN_RUNNING;
	t->off.known = false;
	wall_pool_hold(&t->running, &at, 1);
	wall_pool_share(&x->a, &t->running, false);
}

/* A sample of the event context-switches: of each, as the thread leaves. */
static void take_switch_sample(struct wall *x, const struct session_record *r)
{
	struct wall_thread *t = thread_of(x, r->sample->pid, r->sample->tid);
	struct wall_place at = wall_place_of(&x->a, r, true);

	see(x, t);
	occupy(x, t, r->sample->cpu, r->time);
	if (x->tracepoints) /* which tell more of the same */
		return;
	leaves(x, t, r->time, SPAN_BLOCKED, &at);
}

/* What a recorder of ours says of the time. */
static void take_span(struct wall *x, struct wall_thread *t, const struct session_record *r)
{
	static const u8 states[] = {
		[WALL_SPAN_RUNNING] = SPAN_RUNNING,
		[WALL_SPAN_NEW] = SPAN_NEW,
		[WALL_SPAN_PREEMPTED] = SPAN_PREEMPTED,
		[WALL_SPAN_WOKEN] = SPAN_WOKEN,
		[WALL_SPAN_SLEEPING] = SPAN_SLEEPING,
		[WALL_SPAN_UNINTERRUPTIBLE] = SPAN_UNINTERRUPTIBLE,
		[WALL_SPAN_IO] = SPAN_IO,
		[WALL_SPAN_STOPPED] = SPAN_STOPPED,
		[WALL_SPAN_UNKNOWN] = SPAN_UNKNOWN,
	};
	struct wall_waker by = { .kind = WAKER_NONE };
	struct wall_place at;
	struct wall_span span;

	memcpy(&span, r->sample->raw, sizeof(span));
	if (!span.kind || span.kind >= ARRAY_SIZE(states)) {
		x->a.sums.contradictions++;
		return;
	}
	if (span.waker == WALL_SPAN_THREAD) {
		struct model *m = session_model(x->a.s);
		char comm[sizeof(span.waker_comm) + 1] = "";

		memcpy(comm, span.waker_comm, sizeof(span.waker_comm));
		by = (struct wall_waker){ WAKER_THREAD, span.waker_tid, model_name(m, comm) };
	} else if (span.waker == WALL_SPAN_INTERRUPT) {
		by.kind = WAKER_INTERRUPT;
	} else if (span.waker == WALL_SPAN_NOT_TOLD) {
		by.kind = WAKER_UNKNOWN;
	}
	if (states[span.kind] == SPAN_RUNNING) {
		t->running.owed += r->sample->period;
		wall_pool_share(&x->a, &t->running, false);
		return;
	}
	at = r->sample->nr_chain ? wall_place_of(&x->a, r, true)
				 : wall_place_marked(&x->a, &r->site, t->pid, t->tid,
						     r->sample->cpu, wall_mark_no_stack);
	if (states[span.kind] == SPAN_UNINTERRUPTIBLE && at.io)
		span.kind = WALL_SPAN_IO;
	wall_give_sum(&x->a, &at, states[span.kind], &by, r->sample->period);
}

static void take_off_cpu(struct wall *x, const struct session_record *r)
{
	struct wall_thread *t = thread_of(x, r->sample->pid, r->sample->tid);
	const struct wall_waker nobody = { .kind = WAKER_UNKNOWN };
	struct wall_place at;

	see(x, t);
	x->off_cpu = true;
	if (x->measured && r->sample->raw && r->sample->raw_size >= sizeof(struct wall_span)) {
		take_span(x, t, r);
		return;
	}
	at = wall_place_of(&x->a, r, true);
	if (!has_timeline(x)) {
		wall_give_sum(&x->a, &at, SPAN_BLOCKED, &nobody, r->sample->period);
		return;
	}
	wall_pool_hold(&t->blocked, &at, r->sample->period);
	wall_pool_pay(&x->a, &t->blocked, SPAN_BLOCKED);
}

static void take_sample(struct wall *x, const struct session_record *r)
{
	u32 event = r->event->index;
	enum event_use use = event < x->uses.nr ? x->uses.v[event] : USE_NOTHING;

	if (use == USE_NOTHING || use == USE_TRACEPOINT || r->again) {
		x->a.sums.others += !r->again;
		return;
	}
	if (is_idle(r->sample->tid)) {
		x->a.sums.idle++;
		return;
	}
	if (use == USE_RUNNING)
		take_running(x, r);
	else if (use == USE_SWITCHES)
		take_switch_sample(x, r);
	else
		take_off_cpu(x, r);
}

bool wall_record(struct wall *x, struct session_worker *w, const struct session_record *r)
{
	bool sample = r->h && r->h->type == PERF_RECORD_SAMPLE;

	x->a.w = w;
	x->r = r;
	learn_events(x);
	if (r->time) {
		x->start = x->start ? x->start : r->time;
		x->end = MAX(x->end, r->time);
	}
	/* where spans were measured, other records would tell of them once more */
	if ((x->measured || !analyze_record(x->analyze, NULL, r)) && sample && r->sample)
		take_sample(x, r);
	return !x->a.stopped;
}

/* ------------------------------------------------------------------ begin and end */

static int check_sources(const struct wall *x, struct err *e)
{
	if (x->partial)
		return err_set(e, ENODATA,
			       "'%s' does not have each sched:sched_switch: record it with -c 1",
			       perfdata_name(session_file(x->a.s)));
	if (has_timeline(x) || x->off_cpu)
		return 0;
	err_set(e, ENODATA, "'%s' does not tell when threads did not run",
		perfdata_name(session_file(x->a.s)));
	err_hint(e, "perf record --wall COMMAND records what is needed");
	return -1;
}

int wall_new(struct wall **out, struct session *s, const struct wall_opts *o, struct err *e)
{
	struct wall *x = XNEW(struct wall);
	const struct analyze_opts ao = { .machine = &wall_machine, .ctx = x };

	x->a.s = s;
	x->a.o = *o;
	if (analyze_new(&x->analyze, s, &ao, e) < 0) {
		wall_free(x);
		return -1;
	}
	learn_events(x);
	x->tracepoints = analyze_has(x->analyze, 0);
	x->wakeups = analyze_has(x->analyze, 1) || analyze_has(x->analyze, 2);
	if (!perfdata_is_pipe(session_file(s)) && check_sources(x, e) < 0) {
		wall_free(x);
		return -1;
	}
	*out = x;
	return 0;
}

void wall_free(struct wall *x)
{
	if (!x)
		return;
	analyze_free(x->analyze);
	VEC_FOR(&x->threads, t) {
		wall_pool_release(&t->running);
		wall_pool_release(&t->blocked);
	}
	vec_free(&x->threads);
	map_release(&x->by_tid);
	vec_free(&x->cpus);
	vec_free(&x->uses);
	wall_account_release(&x->a);
	free(x);
}

int wall_finish(struct wall *x, struct err *e)
{
	const struct session_record nothing = { .h = NULL };

	if (check_sources(x, e) < 0)
		return -1;
	x->r = &nothing;
	x->at_end = true;
	VEC_FOR(&x->threads, t) {
		if (!t->own)
			continue;
		if (!t->exited && has_timeline(x)) {
			/* that it came back would not have been seen */
			if (is_off(t) && !t->ins)
				t->state = SPAN_UNKNOWN;
			settle(x, t, MAX(x->end, t->since));
		}
		end_thread(x, t);
	}
	x->a.sums.wakeups = x->wakeups || x->measured;
	return 0;
}

const struct wall_sums *wall_sums(const struct wall *x)
{
	return &x->a.sums;
}
