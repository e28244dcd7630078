/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spots: most samples lie where one lay before, and are counted without being looked at any closer.
 * Every worker remembers rows by command, object and address, in a table whose sets of four fill a
 * line of the CPU's cache: a new one takes the place of the oldest of its set. A row is
 * the worker's own at first, and stays known when it has moved to a shard, where all workers add to
 * it. A sample that may be the first of its row is left to agg_samples(), which knows what a row
 * shows of it.
 */
#include "agg/private.h"
#include "base/mem.h"

/* Slots of all workers, also when there are many samples, and of one at first. */
enum { SPOTS = 1 << 19, SPOTS_OF_MANY = 1 << 20, SPOTS_MIN = 1 << 15, WAYS = 4 };
#define MANY_BYTES (1ULL << 30)

enum {
	ADDR_BITS = 48,
	COMM_BITS = 22, /* 10 others are of the object, with the 16 beside the address */
	COMMS = 1 << COMM_BITS,
};
_Static_assert(SESSION_OBJECTS == 1 << (64 - ADDR_BITS + 32 - COMM_BITS), "an object fits");

struct spot_slot {
	u64 place; /* address, and 16 bits of the object */
	u32 whose; /* command, and the object's other bits */
	u32 number; /* of the row: shard_row(), or with ROW_OF_WORKER that in the worker's table */
};

_Static_assert(WAYS * sizeof(struct spot_slot) == 64, "a set fills a cache line");

/* The key of a slot; zeros, as in one that is empty: the spot cannot be kept. */
static inline struct spot_slot key_of(u32 object, u64 addr, str_id comm)
{
	struct spot_slot k = { .place = addr << (64 - ADDR_BITS) >> (64 - ADDR_BITS) };

	/* addresses are positive or negative numbers of 48 bits; the kernel's are negative */
	if ((u64)((s64)(addr << (64 - ADDR_BITS)) >> (64 - ADDR_BITS)) != addr || comm >= COMMS ||
	    !object)
		return (struct spot_slot){ 0 };
	k.place |= (u64)object << ADDR_BITS;
	k.whose = comm | object >> (64 - ADDR_BITS) << COMM_BITS;
	return k;
}

static inline bool is_empty(const struct spot_slot *k)
{
	return !k->place && !k->whose;
}

/* The first slot of its set. */
static inline u32 set_of(const struct agg_worker *w, const struct spot_slot *k)
{
	u64 h = (k->place ^ k->place >> 28 ^ (u64)k->whose << 32) * 0x9e3779b97f4a7c15ULL;

	return (u32)(h >> 40) & (w->nr_spots - WAYS);
}

/* NULL: it is not known. */
static inline const struct spot_slot *find(const struct spot_slot *set, const struct spot_slot *k)
{
	for (u32 i = 0; i < WAYS; i++)
		if (set[i].place == k->place && set[i].whose == k->whose)
			return is_empty(k) ? NULL : &set[i];
	return NULL;
}

static void put(struct spot_slot *set, const struct spot_slot *new)
{
	memmove(set + 1, set, (WAYS - 1) * sizeof(*set));
	*set = *new;
}

void spots_keep(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row)
{
	struct spot_slot new = key_of(r->object, a->needs_frame ? r->addr : 0, r->site.comm);
	u32 set = set_of(w, &new);

	if (is_empty(&new))
		return;
	new.number = row | ROW_OF_WORKER;
	*VEC_PUSH(&w->staged) = set;
	put(&w->spots[set], &new);
}

static void make_spots(struct agg_worker *w, u32 nr)
{
	w->spots = mem_lines_new(&w->spots_memory, nr * sizeof(*w->spots));
	/* at once: a page that is read before it is written interrupts the other workers */
	mem_populate(w->spots, nr * sizeof(*w->spots));
	w->nr_spots = nr;
}

/* Twice as many. */
static void grow(struct agg_worker *w)
{
	const struct spot_slot *old = w->spots;
	void *memory = w->spots_memory;
	u32 nr = w->nr_spots;

	make_spots(w, 2 * nr);
	/* of each set the newest one last */
	for (u32 i = nr; i-- > 0;)
		if (!is_empty(&old[i]))
			put(&w->spots[set_of(w, &old[i])], &old[i]);
	free(memory);
}

static u32 most_spots(const struct agg *a)
{
	bool many = perfdata_data_size(session_file(a->s)) >= MANY_BYTES;

	return (many ? SPOTS_OF_MANY : SPOTS) / a->nr_workers;
}

void spots_follow_rows(const struct agg *a, struct agg_worker *w, const u32 *numbers)
{
	VEC_FOR(&w->staged, i)
		for (struct spot_slot *s = &w->spots[*i], *end = s + WAYS; s < end; s++)
			if (s->number & ROW_OF_WORKER)
				s->number = numbers[s->number & ~ROW_OF_WORKER];
	w->staged.nr = 0;
	/* as many as there may be of twice the rows that moved */
	if (w->spots && ++w->moves >= w->nr_spots / (ROWS_OF_WORKER / 2) &&
	    w->nr_spots < most_spots(a))
		grow(w);
}

void spots_forget(struct agg_worker *w)
{
	free(w->spots_memory);
	w->spots = NULL;
	w->spots_memory = NULL;
	w->staged.nr = w->moves = 0;
}

static inline struct worker_row *row_at(const struct agg *a, const struct agg_worker *w, u32 number)
{
	return number & ROW_OF_WORKER ? rows_at(&w->rows, number & ~ROW_OF_WORKER)
				      : row_in_shard(a, number);
}

static inline void count_spot(struct agg_worker *w, struct worker_row *row, u32 number,
			      const struct session_spot *s)
{
	struct event_sums *sums = agg_event_sums(w, s->event);

	if (number & ROW_OF_WORKER) {
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
	struct spot_slot keys[SESSION_SPOTS]; /* with the number of the row */
	struct worker_row *rows[SESSION_SPOTS]; /* NULL = not known */
	const struct spot_slot *sets[SESSION_SPOTS];
	u64 done = 0;

	if (!aw->spots)
		make_spots(aw, SPOTS_MIN);
	for (size_t i = 0; i < nr; i++) {
		keys[i] = key_of(v[i].object, v[i].addr & addr_bits, v[i].comm);
		sets[i] = &aw->spots[set_of(aw, &keys[i])];
		__builtin_prefetch(sets[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		const struct spot_slot *s = find(sets[i], &keys[i]);

		rows[i] = NULL;
		if (!s)
			continue;
		keys[i].number = s->number;
		rows[i] = row_at(a, aw, s->number);
		__builtin_prefetch(rows[i], 1);
	}
	for (size_t i = 0; i < nr; i++) {
		struct worker_row *row = rows[i];

		if (!row || row->event != v[i].event ||
		    v[i].time <= __atomic_load_n(&row->first_time, __ATOMIC_RELAXED))
			continue;
		count_spot(aw, row, keys[i].number, &v[i]);
		if (take)
			take(aw, row, keys[i].number, v[i].unit);
		done |= 1ULL << i;
	}
	return done;
}
