/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the rings to the file.
 */
#include <sched.h>

#include "base/log.h"
#include "capture/capture_internal.h"
#include "sys/perf_open.h"

enum { DRAIN_PIECE = 128 << 10, WRITE_PIECE = 256 << 10 };

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

bool capture_look_ahead(struct capture *c, const struct drain *d, const size_t *which, size_t nr)
{
	bool others = false;

	for (size_t i = 0; c->unwinder && i < nr; i++) {
		size_t ring = which ? which[i] : i;

		c->rings.made[ring] = backlog_at(d->backlog, c->rings.ring, ring);
	}
	if (c->unwinder)
		others = unwinder_begin_round(c->unwinder, c->rings.made,
					      (struct unwind_rings){ which, nr });
	for (size_t i = 0; i < nr; i++) {
		size_t ring = which ? which[i] : i;

		c->rings.head[ring] = ring_head(&c->rings.ring[ring]);
	}
	/* only now: what was mapped before a sample that is seen here is in the rings */
	if (c->unwinder)
		unwinder_gather(c->unwinder);
	return others;
}

static void take_stack_stats(struct drain *d)
{
	struct drain more = { .stats.stacks = unwind_lane_take_stats(d->lane) };

	drain_merge(d, &more);
}

/* Whole records: as they are, or with chains in place of copies of stacks. */
static int pass_on(struct drain *d, struct perfdata_writer *w, const struct ring *r, u64 from,
		   u64 to, struct err *e)
{
	struct iovec iov[2];
	int nr;

	if (d->lane)
		return unwind_lane_write(d->lane, r, from, to, w, e);
	nr = ring_pieces(r, from, to, iov);
	return writer_append_data(w, iov, nr, e);
}

/* The same; *to: up to a sample in an object that is to be read first. */
static int pass_on_until(struct drain *d, struct perfdata_writer *w, const struct ring *r, u64 from,
			 u64 *to, struct err *e)
{
	if (!d->lane)
		return pass_on(d, w, r, from, *to, e);
	*to = unwind_lane_make(d->lane, r, from, *to, true);
	/* the chains of a piece are a few KB */
	return unwind_lane_waiting_bytes(d->lane) < WRITE_PIECE ? 0
								: unwind_lane_flush(d->lane, w, e);
}

/*
 * Hand over in pieces: what is written is free for the kernel again while the rest is still being
 * copied. The scan has just brought a piece into the cache when write() reads it.
 */
int capture_drain_ring(struct capture *c, struct drain *d, struct perfdata_writer *w, size_t i,
		       bool *any, struct err *e)
{
	struct ring *rings = c->rings.ring;
	u64 head = c->rings.head[i], lost = d->stats.lost, at = backlog_at(d->backlog, rings, i);
	u64 scanned = at;

	*any |= head != at;
	while (at != head) {
		u64 end = head;
		const struct ring *r = backlog_source(d->backlog, rings, i, &end);

		if (scanned == at)
			scanned = drain_scan(d, r, at, end, at + DRAIN_PIECE);
		if (scanned != at) {
			end = scanned;
			if (pass_on_until(d, w, r, at, &end, e) < 0)
				return -1;
		} else { /* what cannot be understood is skipped: the kernel starts afresh at head
			  */
			scanned = end;
		}
		backlog_consume(d->backlog, rings, i, end);
		at = end;
		if (d->lane && unwind_lane_is_waiting(d->lane))
			backlog_wait(d->backlog, c->unwinder, d->lane);
	}
	if (d->lane && unwind_lane_flush(d->lane, w, e) < 0)
		return -1;
	if (d->lane)
		take_stack_stats(d);
	d->stats.worst_loss = MAX(d->stats.worst_loss, d->stats.lost - lost);
	return 0;
}

static void peek_flight(struct capture *c);

int capture_drain(struct capture *c, struct err *e)
{
	u64 max = c->o.cfg->max_size, part = c->o.cfg->switch_output.size;
	/* no more than a quarter, so that there is room left */
	u64 flush = MIN(c->o.cfg->mmap_flush, (u64)c->rings.data_size / 4);
	bool any = false;

	if (!c->crew)
		capture_look_ahead(c, &c->drain, NULL, c->rings.nr);
	for (size_t i = 0; !c->crew && i < c->rings.nr; i++) {
		/* the trace does not count for mmap_flush */
		if (c->aux.kind && aux_areas_read(&c->aux, i, c->measuring, c->w, &any, e) < 0)
			return -1;
		if (!c->done && flush > 1 &&
		    c->rings.head[i] - backlog_at(c->drain.backlog, c->rings.ring, i) < flush)
			continue;
		if (c->o.cfg->affinity != CAPTURE_AFFINITY_SYS)
			follow_ring(c, c->rings.cpu[i]);
		if (capture_drain_ring(c, &c->drain, c->w, i, &any, e) < 0)
			return -1;
	}
	if (c->look_due)
		peek_flight(c);
	capture_judge_stacks(c);
	if (c->sleeps && sleeps_write(c->sleeps, c->sums_due, &c->drain, c->w, &any, e) < 0)
		return -1;
	c->sums_due = false;
	if ((any || c->round_due) &&
	    writer_append(c->w, &finished_round, sizeof(finished_round), e) < 0)
		return -1;
	c->round_due = false;
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
	if (!c->unwinder || !c->o.tracking->attr.write_backward)
		return 0;
	if (capture_learn_state(c, e) < 0)
		return -1;
	for (size_t i = 0; i < c->flight.nr; i++) {
		u64 from, to;

		flight_range(&c->flight.ring[i], &from, &to);
		unwinder_gather_still(c->unwinder, &c->flight.ring[i], from, to);
	}
	return 0;
}

/* Newest records come first there; readers sort by time. */
static int drain_backward(struct capture *c, struct ring *r, bool *any, struct err *e)
{
	u64 at, end;

	flight_range(r, &at, &end);
	*any |= at != end;
	while (at != end) {
		u64 next = drain_scan(&c->drain, r, at, end, at + DRAIN_PIECE);

		if (next == at)
			break;
		if (pass_on(&c->drain, c->w, r, at, next, e) < 0)
			return -1;
		at = next;
	}
	if (c->drain.lane)
		take_stack_stats(&c->drain);
	r->tail = ring_head(r);
	return 0;
}

static void pause_flight(struct capture *c, bool pause)
{
	for (size_t i = 0; i < c->flight.nr; i++)
		sys_perf_ioctl(c->flight.fd[i], PERF_EVENT_IOC_PAUSE_OUTPUT,
			       (void *)(uintptr_t)pause);
}

int capture_drain_flight(struct capture *c, struct err *e)
{
	bool any = false;
	int r;

	if (!c->flight.nr)
		return 0;
	pause_flight(c, true);
	r = learn_flight(c, e);
	for (size_t i = 0; i < c->flight.nr && !r; i++)
		r = drain_backward(c, &c->flight.ring[i], &any, e);
	pause_flight(c, false);
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
	unwinder_gather_still(c->unwinder, &copy, 0, n);
	unwind_lane_look(c->drain.lane, &copy, 0, n);
	*looked = head;
	free(data);
}

/* See what the flight recorder holds: the only evidence of its events. */
static void peek_flight(struct capture *c)
{
	for (size_t i = 0; i < c->flight.nr && capture_watches_stacks(c); i++)
		peek_ring(c, &c->flight.ring[i], &c->looked[i]);
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
