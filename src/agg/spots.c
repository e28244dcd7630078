/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spots: most samples lie where one lay before, and are counted without being looked at any closer.
 * Every worker remembers rows by command, object and address, in a table whose sets of two fill a
 * line of the CPU's cache: a new one takes the place of the older of its set. A row is
 * the worker's own at first, and stays known when it has moved to a shard, where all workers add to
 * it. A sample that may be the first of its row is left to agg_samples(), which knows what a row
 * shows of it.
 */
#include "agg/private.h"
#include "base/mem.h"

/* Slots of all workers, and of one at first. */
enum { SPOTS = 1 << 18, SPOTS_MIN = 1 << 14, WAYS = 2 };

struct spot_slot {
	struct worker_row *row;
	u64 object, addr; /* object 0 = empty */
	str_id comm;
	u32 number; /* of the row: shard_row(), or with ROW_OF_WORKER that in the worker's table */
};

_Static_assert(WAYS * sizeof(struct spot_slot) == 64, "a set fills a cache line");

/* The first slot of its set. */
static inline u32 set_of(const struct agg_worker *w, u64 object, u64 addr, str_id comm)
{
	u64 h = (addr ^ object << 20 ^ object >> 20 ^ (u64)comm << 32) * 0x9e3779b97f4a7c15ULL;

	return (u32)(h >> 40) & (w->nr_spots - WAYS);
}

/* NULL: it is not known. */
static inline const struct spot_slot *find(const struct spot_slot *set,
					   const struct session_spot *s, u64 addr)
{
	for (u32 i = 0; i < WAYS; i++)
		if (set[i].object == s->object && set[i].addr == addr && set[i].comm == s->comm &&
		    set[i].object)
			return &set[i];
	return NULL;
}

static void put(struct spot_slot *set, const struct spot_slot *new)
{
	memmove(set + 1, set, (WAYS - 1) * sizeof(*set));
	*set = *new;
}

void spots_keep(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row)
{
	u64 addr = a->needs_frame ? r->addr : 0;
	u32 set = set_of(w, r->object, addr, r->site.comm);
	const struct spot_slot new = { .row = rows_at(&w->rows, row),
				       .object = r->object,
				       .addr = addr,
				       .comm = r->site.comm,
				       .number = row | ROW_OF_WORKER };

	*VEC_PUSH(&w->staged) = set;
	put(&w->spots[set], &new);
}

static void make_spots(struct agg_worker *w, u32 nr)
{
	w->spots = mem_lines_new(&w->spots_memory, nr * sizeof(*w->spots));
	w->nr_spots = nr;
}

/* Twice as many. */
static void grow(struct agg_worker *w)
{
	const struct spot_slot *old = w->spots;
	void *memory = w->spots_memory;
	u32 nr = w->nr_spots;

	make_spots(w, 2 * nr);
	/* of each set the newer one last */
	for (u32 i = nr; i-- > 0;)
		if (old[i].object)
			put(&w->spots[set_of(w, old[i].object, old[i].addr, old[i].comm)], &old[i]);
	free(memory);
}

void spots_follow_rows(const struct agg *a, struct agg_worker *w, struct worker_row *const *rows,
		       const u32 *numbers)
{
	VEC_FOR(&w->staged, i) {
		struct spot_slot *slot = &w->spots[*i], *end = slot + WAYS;

		for (; slot < end; slot++) {
			u32 row = slot->number & ~ROW_OF_WORKER;

			if (row == slot->number)
				continue; /* it was followed before */
			slot->row = rows[row];
			slot->number = numbers[row];
		}
	}
	w->staged.nr = 0;
	/* as many as there may be of twice the rows that moved */
	if (w->spots && ++w->moves >= w->nr_spots / (ROWS_OF_WORKER / 2) &&
	    w->nr_spots < SPOTS / a->nr_workers)
		grow(w);
}

void spots_forget(struct agg_worker *w)
{
	free(w->spots_memory);
	w->spots = NULL;
	w->spots_memory = NULL;
	w->staged.nr = w->moves = 0;
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
	const struct spot_slot *slots[SESSION_SPOTS]; /* at first, sets */
	u64 done = 0;

	if (!aw->spots)
		make_spots(aw, SPOTS_MIN);
	for (size_t i = 0; i < nr; i++) {
		slots[i] = &aw->spots[set_of(aw, v[i].object, v[i].addr & addr_bits, v[i].comm)];
		__builtin_prefetch(slots[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		slots[i] = find(slots[i], &v[i], v[i].addr & addr_bits);
		if (slots[i])
			__builtin_prefetch(slots[i]->row, 1);
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
