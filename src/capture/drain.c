/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/drain.h"

#include "base/mem.h"
#include "base/search.h"

enum { RECORD_MAX_BYTES = 1 << 16, AUX_BYTES = 32 };

struct drain_layout drain_layout_of(u64 sample_type)
{
	struct drain_layout l = { .ip = -1, .tid = -1, .time = -1 };
	s8 at = 1;

	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		at++;
	if (sample_type & PERF_SAMPLE_IP)
		l.ip = at++;
	if (sample_type & PERF_SAMPLE_TID)
		l.tid = at++;
	if (sample_type & PERF_SAMPLE_TIME)
		l.time = at++;
	return l;
}

static struct perf_event_header header_at(const struct ring *r, u64 pos)
{
	u64 w = ring_word(r, pos);
	struct perf_event_header h;

	memcpy(&h, &w, sizeof(h));
	return h;
}

static void note_time(struct drain_stats *s, u64 t)
{
	if (t < s->first_time || !s->first_time)
		s->first_time = t;
	if (t > s->last_time)
		s->last_time = t;
}

void drain_note_sample(struct drain *d, u16 cpumode, s32 pid, u64 ip, u64 time)
{
	d->stats.samples++;
	if (time)
		note_time(&d->stats, time);
	if (d->touched)
		touched_add_sample(d->touched, cpumode, pid, ip);
}

/* Samples of events that differ begin with an id. */
static bool has_time(const struct drain *d, const struct ring *r, u64 pos)
{
	u64 id;
	size_t n;

	if (LIKELY(!d->nr_timeless))
		return d->layout.time > 0;
	id = ring_word(r, pos + 8);
	n = search_up_to(d->timeless, d->nr_timeless, sizeof(id), id);
	return d->layout.time > 0 && !(n && d->timeless[n - 1] == id);
}

static void scan_sample(struct drain *d, const struct ring *r, u64 pos, u16 misc)
{
	const struct drain_layout l = d->layout;

	d->stats.samples++;
	if (has_time(d, r, pos))
		note_time(&d->stats, ring_word(r, pos + 8 * (u64)l.time));
	if (d->touched && l.ip > 0 && l.tid > 0)
		touched_add_sample(d->touched, misc & PERF_RECORD_MISC_CPUMODE_MASK,
				   (s32)(u32)ring_word(r, pos + 8 * (u64)l.tid),
				   ring_word(r, pos + 8 * (u64)l.ip));
}

static void scan_map(struct drain *d, const struct ring *r, u64 pos, u16 size)
{
	union {
		struct perf_event_header h;
		u64 words[RECORD_MAX_BYTES / 8];
	} rec;

	if (!d->touched)
		return;
	ring_copy(r, pos, &rec, size);
	touched_add_map(d->touched, &rec.h);
}

static void note_aux(struct drain_stats *s, u64 flags)
{
	s->aux_full += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	s->aux_gaps += !!(flags & PERF_AUX_FLAG_PARTIAL);
	s->aux_collisions += !!(flags & PERF_AUX_FLAG_COLLISION);
}

static void scan_other(struct drain *d, const struct ring *r, u64 pos, struct perf_event_header h)
{
	switch (h.type) {
	case PERF_RECORD_LOST:
		d->stats.lost += ring_word(r, pos + 16);
		d->stats.lost_records++;
		break;
	case PERF_RECORD_AUX:
		if (h.size >= AUX_BYTES)
			note_aux(&d->stats, ring_word(r, pos + 24));
		break;
	case PERF_RECORD_THROTTLE:
		d->stats.throttles++;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		scan_map(d, r, pos, h.size);
		break;
	case PERF_RECORD_FORK:
		if (d->touched) {
			u64 w = ring_word(r, pos + 8);

			touched_add_fork(d->touched, (s32)(u32)w, (s32)(w >> 32));
		}
		break;
	case PERF_RECORD_EXIT:
		/* pid, ppid | tid, ptid: the last thread's end would be better, the leader's does
		 */
		if (d->touched && (u32)ring_word(r, pos + 8) == (u32)ring_word(r, pos + 16))
			touched_add_exit(d->touched, (s32)(u32)ring_word(r, pos + 8));
		break;
	default:
		break;
	}
}

u64 drain_scan(struct drain *d, const struct ring *r, u64 from, u64 to, u64 limit)
{
	u64 pos = from;

	while (pos < to && pos < limit) {
		struct perf_event_header h = header_at(r, pos);

		if (UNLIKELY(h.size < sizeof(h) || h.size & 7 || h.size > to - pos)) {
			d->stats.bad++;
			break;
		}
		if (LIKELY(h.type == PERF_RECORD_SAMPLE))
			scan_sample(d, r, pos, h.misc);
		else
			scan_other(d, r, pos, h);
		pos += h.size;
	}
	d->stats.bytes += pos - from;
	return pos;
}

void drain_merge(struct drain *d, const struct drain *from)
{
	struct drain_stats *a = &d->stats;
	const struct drain_stats *b = &from->stats;

	a->samples += b->samples;
	a->lost += b->lost;
	a->lost_records += b->lost_records;
	a->throttles += b->throttles;
	a->bad += b->bad;
	a->bytes += b->bytes;
	a->worst_loss = MAX(a->worst_loss, b->worst_loss);
	a->aux_full += b->aux_full;
	a->aux_gaps += b->aux_gaps;
	a->aux_collisions += b->aux_collisions;
	a->stacks.stacks += b->stacks.stacks;
	a->stacks.cut += b->stacks.cut;
	a->stacks.full += b->stacks.full;
	a->stacks.mended += b->stacks.mended;
	a->stacks.guessed += b->stacks.guessed;
	a->stacks.incomplete += b->stacks.incomplete;
	a->stacks.absent += b->stacks.absent;
	a->stacks.broken += b->stacks.broken;
	if (b->first_time && (b->first_time < a->first_time || !a->first_time))
		a->first_time = b->first_time;
	a->last_time = MAX(a->last_time, b->last_time);
	if (d->touched && from->touched)
		touched_merge(d->touched, from->touched);
}

u64 drain_ring_size_wanted(const struct drain_stats *s, u64 ring_size, u64 max)
{
	u64 events = s->samples ? s->samples : 1;
	u64 average = MAX(s->bytes / events, (u64)8);
	u64 size = ring_size, want;

	if (!s->worst_loss)
		return ring_size;
	if (__builtin_mul_overflow(s->worst_loss, average, &want) ||
	    __builtin_add_overflow(want, want / 4 + ring_size, &want))
		return max;
	while (size < want && size < max)
		size *= 2;
	return MIN(size, MAX(max, ring_size));
}
