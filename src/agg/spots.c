/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spots: most samples lie where one lay before, and are counted without being looked at any closer.
 * Every worker remembers rows by command, object and address, in a direct-mapped table. A row is
 * the worker's own at first, and stays known when it has moved to a shard, where all workers add to
 * it. A sample that may be the first of its row is left to agg_samples(), which knows what a row
 * shows of it.
 */
#include "agg/private.h"
#include "base/mem.h"

/* Slots of all workers, and of one at least. */
enum { SPOTS = 1 << 18, SPOTS_MIN = 1 << 14 };

u32 spots_of_worker(unsigned int nr_workers)
{
	u32 nr = SPOTS;

	while (nr > SPOTS_MIN && nr > SPOTS / nr_workers)
		nr /= 2;
	return nr;
}

struct spot_slot {
	struct worker_row *row;
	u64 object, addr; /* object 0 = empty */
	str_id comm;
	u32 number; /* of the row: shard_row(), or with ROW_OF_WORKER that in the worker's table */
};

static inline u32 slot_of(const struct agg *a, u64 object, u64 addr, str_id comm)
{
	u64 h = (addr ^ object << 20 ^ object >> 20 ^ (u64)comm << 32) * 0x9e3779b97f4a7c15ULL;

	return (u32)(h >> 40) & (a->nr_spots - 1);
}

void spots_keep(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row)
{
	u64 addr = a->needs_frame ? r->addr : 0;
	u32 slot = slot_of(a, r->object, addr, r->site.comm);

	*VEC_PUSH(&w->staged) = slot;
	w->spots[slot] = (struct spot_slot){ .row = rows_at(&w->rows, row),
					     .object = r->object,
					     .addr = addr,
					     .comm = r->site.comm,
					     .number = row | ROW_OF_WORKER };
}

void spots_follow_rows(struct agg_worker *w, struct worker_row *const *rows, const u32 *numbers)
{
	VEC_FOR(&w->staged, i) {
		struct spot_slot *slot = &w->spots[*i];
		u32 row = slot->number & ~ROW_OF_WORKER;

		if (row == slot->number)
			continue; /* it was there twice */
		slot->row = rows[row];
		slot->number = numbers[row];
	}
	w->staged.nr = 0;
}

void spots_forget(struct agg_worker *w)
{
	free(w->spots);
	w->spots = NULL;
	w->staged.nr = 0;
}

static inline void count_spot(struct agg_worker *w, const struct spot_slot *slot,
			      const struct session_spot *s)
{
	struct worker_row *row = slot->row;
	struct event_sums *sums = agg_event_sums(w, s->event);

	if (slot->number & ROW_OF_WORKER) {
		row->period += s->period;
		row->nr++;
	} else {
		__atomic_fetch_add(&row->period, s->period, __ATOMIC_RELAXED);
		__atomic_fetch_add(&row->nr, 1, __ATOMIC_RELAXED);
	}
	sums->period += s->period;
	sums->nr++;
	sums->shown_period += s->period;
	sums->shown_nr++;
}

u64 agg_take_spots(void *agg, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	struct agg *a = agg;
	struct agg_worker *aw = &a->workers[session_worker_number(w)];
	void (*take)(struct agg_worker * w, const struct worker_row *row, u32 number,
		     u32 unit) = a->callers->take_spot;
	const u64 addr_bits = a->needs_frame ? ~0ULL : 0;
	const struct spot_slot *slots[SESSION_SPOTS];
	u64 done = 0;

	if (!aw->spots)
		aw->spots = XNEW_ARRAY(struct spot_slot, a->nr_spots);
	for (size_t i = 0; i < nr; i++) {
		slots[i] = &aw->spots[slot_of(a, v[i].object, v[i].addr & addr_bits, v[i].comm)];
		__builtin_prefetch(slots[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		const struct spot_slot *s = slots[i];

		if (s->object == v[i].object && s->addr == (v[i].addr & addr_bits) &&
		    s->comm == v[i].comm && s->object)
			__builtin_prefetch(s->row, 1);
		else
			slots[i] = NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct spot_slot *s = slots[i];

		if (!s || s->row->event != v[i].event ||
		    v[i].time <= __atomic_load_n(&s->row->first_time, __ATOMIC_RELAXED))
			continue;
		count_spot(aw, s, &v[i]);
		if (take)
			take(aw, s->row, s->number, v[i].unit);
		done |= 1ULL << i;
	}
	return done;
}
