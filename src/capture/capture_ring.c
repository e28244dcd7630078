/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread that reads rings does with them.
 */
#include "capture/capture_internal.h"

enum { WRITE_PIECE = 256 << 10 };

bool capture_look_ahead(struct capture *c, const struct drain *d, const size_t *which, size_t nr)
{
	struct unwind_rings own = { which, nr };
	bool others = capture_stacks_begin_round(&c->stacks, &d->reader, &c->rings, own);

	for (size_t i = 0; i < nr; i++) {
		size_t ring = which ? which[i] : i;

		c->rings.head[ring] = ring_head(&c->rings.ring[ring]);
	}
	capture_stacks_gather(&c->stacks);
	return others;
}

void capture_take_stack_stats(struct drain *d)
{
	struct drain more = { .stats.stacks = unwind_lane_take_stats(d->reader.lane) };

	drain_merge(d, &more);
}

int capture_pass_on(struct drain *d, struct perfdata_writer *w, const struct ring *r, u64 from,
		    u64 to, struct err *e)
{
	struct iovec iov[2];
	int nr;

	if (d->reader.lane)
		return unwind_lane_write(d->reader.lane, r, from, to, w, e);
	nr = ring_pieces(r, from, to, iov);
	return writer_append_data(w, iov, nr, e);
}

/* As capture_pass_on(); *to: up to a sample in an object that is to be read first. */
static int pass_on_until(struct drain *d, struct perfdata_writer *w, const struct ring *r, u64 from,
			 u64 *to, struct err *e)
{
	if (!d->reader.lane)
		return capture_pass_on(d, w, r, from, *to, e);
	*to = unwind_lane_make(d->reader.lane, r, from, *to, true);
	/* the chains of a piece are a few KB */
	return unwind_lane_waiting_bytes(d->reader.lane) < WRITE_PIECE
		       ? 0
		       : unwind_lane_flush(d->reader.lane, w, e);
}

/*
 * Hand over in pieces: what is written is free for the kernel again while the rest is still being
 * copied. The scan has just brought a piece into the cache when write() reads it.
 */
int capture_drain_ring(struct capture *c, struct drain *d, struct perfdata_writer *w, size_t i,
		       bool *any, struct err *e)
{
	struct ring *rings = c->rings.ring;
	u64 head = c->rings.head[i], lost = d->stats.lost,
	    at = backlog_at(d->reader.backlog, rings, i);
	u64 scanned = at;

	*any |= head != at;
	while (at != head) {
		u64 end = head;
		const struct ring *r = backlog_source(d->reader.backlog, rings, i, &end);

		if (scanned == at)
			scanned = drain_scan(d, r, at, end, at + CAPTURE_PIECE);
		if (scanned != at) {
			end = scanned;
			if (pass_on_until(d, w, r, at, &end, e) < 0)
				return -1;
		} else { /* what cannot be understood is skipped: the kernel starts afresh at head
			  */
			scanned = end;
		}
		backlog_consume(d->reader.backlog, rings, i, end);
		at = end;
		if (d->reader.lane && unwind_lane_is_waiting(d->reader.lane))
			backlog_wait(d->reader.backlog, c->stacks.unwinder, d->reader.lane);
	}
	if (d->reader.lane && unwind_lane_flush(d->reader.lane, w, e) < 0)
		return -1;
	if (d->reader.lane)
		capture_take_stack_stats(d);
	d->stats.worst_loss = MAX(d->stats.worst_loss, d->stats.lost - lost);
	return 0;
}
