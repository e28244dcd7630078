/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the rings to the file.
 */
#include <sched.h>

#include "base/clock.h"
#include "base/log.h"
#include "capture/capture_internal.h"
#include "sys/perf_open.h"

enum { ROUND_LEAST_NS = 5000000 };

static const struct perf_event_header finished_round = { .type = PERF_RECORD_FINISHED_ROUND,
							 .size = sizeof(finished_round) };

/* Go to where the ring's memory is near; a CPU beyond cpu_set_t stays where it is. */
static void follow_ring(const struct capture *c, s32 cpu)
{
	const struct sys_topology *t = &c->topology;
	const struct sys_cpu *home = cpu < 0 ? NULL : sys_topology_cpu(t, (u32)cpu);
	cpu_set_t set;

	if (!home || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	VEC_FOR(&t->cpus, other) {
		if (c->o.cfg->affinity == CAPTURE_AFFINITY_NODE && other->online &&
		    other->node == home->node && other->cpu < CPU_SETSIZE)
			CPU_SET(other->cpu, &set);
	}
	sched_setaffinity(0, sizeof(set), &set);
}

static void peek_flight(struct capture *c);
static int take_flight(struct capture *c, bool *any, struct err *e);

/* Whether copies of stacks take over, or go. */
static void judge_stacks(struct capture *c)
{
	struct chain_evidence sum = { .looked = 0 };

	if (c->done || !stack_choice_wants_judging(&c->stacks.choice, c->drain.stats.lost))
		return;
	capture_gather_evidence(c, &sum);
	if (stack_choice_judge(&c->stacks.choice, &sum)) {
		unwind_lane_judge_anew(c->drain.reader.lane, c->stacks.choice.spare.on);
		if (c->ring_threads)
			ring_threads_judge_anew(c->ring_threads, c->stacks.choice.spare.on);
	}
	c->result.choice = c->stacks.choice.outcome;
	chain_evidence_release(&sum);
}

/*
 * Readers rely on finding a record before the second round after its time has ended. An interrupt
 * can delay the kernel by some ms between taking the time and writing the record: so full rings do
 * not end a live source's rounds faster than that.
 */
static bool ends_round(struct capture *c, bool any)
{
	u64 now;

	if (!c->o.cfg->round_ms)
		return any;
	now = clock_now();
	if (!c->round_due && !(any && now - c->round_ended >= ROUND_LEAST_NS))
		return false;
	c->round_due = false;
	c->round_ended = now;
	return true;
}

int capture_drain(struct capture *c, struct err *e)
{
	u64 max = c->o.cfg->max_size, part = c->o.cfg->switch_output.size;
	/* no more than a quarter, so that there is room left */
	u64 flush = MIN(c->o.cfg->mmap_flush, (u64)c->rings.data_size / 4);
	bool any = false;

	if (!c->ring_threads)
		capture_look_ahead(c, &c->drain, NULL, c->rings.nr);
	for (size_t i = 0; !c->ring_threads && i < c->rings.nr; i++) {
		/* the trace does not count for mmap_flush */
		if (c->aux.kind && aux_areas_read(&c->aux, i, c->measuring, c->w, &any, e) < 0)
			return -1;
		if (!c->done && flush > 1 &&
		    c->rings.head[i] - backlog_at(c->drain.reader.backlog, c->rings.ring, i) <
			    flush)
			continue;
		if (c->o.cfg->affinity != CAPTURE_AFFINITY_SYS)
			follow_ring(c, c->rings.cpu[i]);
		if (capture_drain_ring(c, &c->drain, c->w, i, &any, e) < 0)
			return -1;
	}
	/* of a live source, what there is of now: a round has the records of all rings */
	if (c->o.cfg->round_ms && take_flight(c, &any, e) < 0)
		return -1;
	if (c->look_due)
		peek_flight(c);
	judge_stacks(c);
	if (c->off_cpu &&
	    off_cpu_samples_write(c->off_cpu, c->sums_due, &c->drain, c->w, &any, e) < 0)
		return -1;
	c->sums_due = false;
	if (ends_round(c, any) &&
	    writer_append(c->w, &finished_round, sizeof(finished_round), e) < 0)
		return -1;
	if (writer_flush(c->w, e) < 0)
		return -1;
	if (max && writer_data_size(c->w) >= max) {
		c->result.max_size_reached = true;
		c->done = true;
	}
	/* the larger part of a file is new: on a busy machine each begins with MBs of mappings */
	if (part && writer_data_size(c->w) >= MAX(part, 2 * c->state_size))
		c->switch_wanted = true;
	return 0;
}

/* Positions that do not wrap at 2^64. */
static void flight_range(const struct ring *r, u64 *from, u64 *to)
{
	u64 head = ring_head(r);

	*from = head & r->mask;
	*to = *from + (ring_backward_end(r) - head);
}

/* Records about mappings may have been overwritten: the state of now, and what there is of them. */
static int learn_flight(struct capture *c, struct err *e)
{
	if (!c->stacks.unwinder || !c->o.tracking->attr.write_backward)
		return 0;
	if (capture_learn_state(c, e) < 0)
		return -1;
	for (size_t i = 0; i < c->flight.nr; i++) {
		u64 from, to;

		flight_range(&c->flight.ring[i], &from, &to);
		unwinder_gather_still(c->stacks.unwinder, &c->flight.ring[i], from, to);
	}
	return 0;
}

/* Newest records come first there; readers sort by time. */
static int drain_backward(struct capture *c, struct ring *r, bool *any, struct err *e)
{
	u64 at, end;

	flight_range(r, &at, &end);
	c->result.overwritten += r->tail - ring_head(r) - (end - at);
	*any |= at != end;
	while (at != end) {
		u64 next = drain_scan(&c->drain, r, at, end, at + CAPTURE_PIECE);

		if (next == at)
			break;
		if (capture_pass_on(&c->drain, c->w, r, at, next, e) < 0)
			return -1;
		at = next;
	}
	if (c->drain.reader.lane)
		capture_take_stack_stats(&c->drain);
	r->tail = ring_head(r);
	return 0;
}

static void pause_flight(struct capture *c, bool pause)
{
	for (size_t i = 0; i < c->flight.nr; i++)
		sys_perf_ioctl(c->flight.fd[i], PERF_EVENT_IOC_PAUSE_OUTPUT,
			       (void *)(uintptr_t)pause);
}

/* While it stands still. */
static int take_flight(struct capture *c, bool *any, struct err *e)
{
	int r;

	if (!c->flight.nr)
		return 0;
	pause_flight(c, true);
	r = learn_flight(c, e);
	for (size_t i = 0; i < c->flight.nr && !r; i++)
		r = drain_backward(c, &c->flight.ring[i], any, e);
	pause_flight(c, false);
	return r;
}

int capture_drain_flight(struct capture *c, struct err *e)
{
	bool any = false;
	int r = take_flight(c, &any, e);

	if (!r && any)
		r = writer_append(c->w, &finished_round, sizeof(finished_round), e);
	return r;
}

/*
 * What came to a ring since the last look, newest first, copied out while the kernel goes on
 * writing in front of it: what was overwritten meanwhile is at the end.
 */
static void peek_ring(struct capture *c, struct ring *r, u64 *looked)
{
	u64 head = ring_head(r), size = r->mask + 1, n = MIN(*looked - head, size);
	struct ring copy = { .mask = r->mask };
	u8 *data;

	if (!n)
		return;
	data = xmalloc(size);
	ring_copy(r, head, data, n);
	n = MIN(n, size - MIN(size, head - ring_head(r)));
	copy.data = data;
	for (u64 at = 0; at < n;) {
		struct perf_event_header h;

		memcpy(&h, data + at, sizeof(h));
		/* nothing was written there yet, or the oldest one in part */
		if (h.size < sizeof(h) || h.size & 7 || h.size > n - at)
			n = at;
		else
			at += h.size;
	}
	unwinder_gather_still(c->stacks.unwinder, &copy, 0, n);
	unwind_lane_look(c->drain.reader.lane, &copy, 0, n);
	*looked = head;
	free(data);
}

/* See what the flight recorder holds: the only evidence of its events. */
static void peek_flight(struct capture *c)
{
	for (size_t i = 0; i < c->flight.nr && stack_choice_is_open(&c->stacks.choice); i++)
		peek_ring(c, &c->flight.ring[i], &c->stacks.looked[i]);
}

int capture_aux_snapshot(struct capture *c, struct err *e)
{
	const struct event *ev = aux_event_of(c->o.events);
	bool measuring = c->measuring;
	int r;

	c->snapshot_wanted = false;
	log_info("Recording AUX area tracing snapshot");
	capture_ioctl(c, ev, PERF_EVENT_IOC_DISABLE);
	/* the records about what is in the areas come first */
	r = capture_drain(c, e);
	if (!r)
		r = aux_areas_snapshot(&c->aux, c->w, e);
	if (measuring)
		capture_ioctl(c, ev, PERF_EVENT_IOC_ENABLE);
	return r;
}

bool capture_drain_triggers(struct capture *c)
{
	struct drain seen = { .layout = { .ip = -1, .tid = -1, .time = -1 } };

	for (size_t i = 0; i < c->trigger_rings.nr; i++) {
		struct ring *r = &c->trigger_rings.ring[i];
		u64 head = ring_head(r);

		drain_scan(&seen, r, r->tail, head, head);
		ring_consume(r, head);
	}
	return seen.stats.samples != 0;
}
