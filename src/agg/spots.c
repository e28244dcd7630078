/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spots: most samples lie where one lay before, and are counted without being looked at any closer.
 * Rows are remembered by command, object and address, in tables whose sets of four fill a line of
 * the CPU's cache. A row is the worker's own at first, and so is what remembers it: a small table.
 * When rows move to the shards, where all workers add to them, their spots move to a table that all
 * workers look into. A sample that may be the first of its row is left to agg_samples(), which
 * knows what a row shows of it.
 *
 * The shared table is read without a lock. Who puts a spot there, under the lock, takes the row out
 * of the slot first, then writes the place, then the row; who finds a spot looks whether the row
 * stayed the same while the place was compared.
 */
#include <stdatomic.h>

#include "agg/private.h"
#include "base/mem.h"

enum {
	WAYS = 4,
	OWN_SPOTS = 1 << 14, /* slots of a worker's table, */
	SPOTS_MIN = 1 << 15, /* and of the shared one */
	SPOTS_MAX = 1 << 19,
	SAMPLES_OF_SPOT = 8, /* in the recording, for each slot, */
	BYTES_OF_SAMPLE = 1 << 8, /* and what they take, about; copies of stacks come on top */
	STEP = 16, /* spots whose memory is asked for at once */
};

enum {
	ADDR_BITS = 48,
	COMM_BITS = 22, /* 10 others are of the object, with the 16 beside the address */
	COMMS = 1 << COMM_BITS,
};
_Static_assert(SESSION_OBJECTS == 1 << (64 - ADDR_BITS + 32 - COMM_BITS), "an object fits");

/* Place: address, and 16 bits of the object. Whose: command, never 0, and the object's other bits.
 * Number: of the row, ROW_OF_WORKER in the worker's table, shard_row() in the shared one. */
struct spot_slot {
	_Atomic(u64) place;
	_Atomic(u64) row; /* number << 32 | whose; 0 = empty */
};

_Static_assert(WAYS * sizeof(struct spot_slot) == 64, "a set fills a cache line");

struct spot_key {
	u64 place;
	u32 whose; /* 0 = the spot cannot be kept */
};

struct spots {
	struct spot_slot *v;
	void *memory; /* where v, aligned, lies in */
	u32 nr;
	u32 turn; /* which slot of a full set comes next */
};

#define get(what) atomic_load_explicit(&(what), memory_order_acquire)
#define set(what, to) atomic_store_explicit(&(what), (to), memory_order_release)

static inline struct spot_key key_of(u32 object, u64 addr, str_id comm)
{
	struct spot_key k = { .place = addr << (64 - ADDR_BITS) >> (64 - ADDR_BITS) };

	/* addresses are positive or negative numbers of 48 bits; the kernel's are negative */
	if ((u64)((s64)(addr << (64 - ADDR_BITS)) >> (64 - ADDR_BITS)) != addr || !comm ||
	    comm >= COMMS || !object)
		return (struct spot_key){ 0 };
	k.place |= (u64)object << ADDR_BITS;
	k.whose = comm | object >> (64 - ADDR_BITS) << COMM_BITS;
	return k;
}

static inline u64 hash_of(u64 place, u32 whose)
{
	return (place ^ place >> 28 ^ (u64)whose << 32) * 0x9e3779b97f4a7c15ULL >> 40;
}

static inline struct spot_slot *set_of(const struct spots *t, u64 hash)
{
	return &t->v[hash & (t->nr - WAYS)];
}

/* False: it is not known. */
static inline bool find(const struct spot_slot *set, const struct spot_key *k, u32 *number)
{
	for (u32 i = 0; i < WAYS; i++) {
		u64 row = get(set[i].row);

		if ((u32)row != k->whose || get(set[i].place) != k->place ||
		    UNLIKELY(atomic_load_explicit(&set[i].row, memory_order_relaxed) != row))
			continue;
		*number = (u32)(row >> 32);
		return k->whose;
	}
	return false;
}

/* In place of another one where the set is full. One thread at a time. */
static void put(struct spots *t, struct spot_slot *set, const struct spot_key *k, u32 number)
{
	u32 i = 0;

	while (i < WAYS && get(set[i].row))
		i++;
	if (i == WAYS)
		i = t->turn++ % WAYS;
	set(set[i].row, 0);
	set(set[i].place, k->place);
	set(set[i].row, (u64)number << 32 | k->whose);
}

static struct spots *spots_new(u32 nr)
{
	struct spots *t = XNEW(struct spots);

	t->v = mem_lines_new(&t->memory, nr * sizeof(*t->v));
	/* at once: a page that is read before it is written interrupts the other workers */
	mem_populate(t->v, nr * sizeof(*t->v));
	t->nr = nr;
	return t;
}

static void spots_free(struct spots *t)
{
	if (t)
		free(t->memory);
	free(t);
}

void spots_keep(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row)
{
	struct spot_key k = key_of(r->object, a->needs_frame ? r->addr : 0, r->site.comm);
	u64 hash = hash_of(k.place, k.whose);

	if (!k.whose)
		return;
	*VEC_PUSH(&w->staged) = (u32)(set_of(w->spots, hash) - w->spots->v);
	put(w->spots, set_of(w->spots, hash), &k, row | ROW_OF_WORKER);
}

/* Of the recording, for each slot. */
static u64 bytes_of_spot(const struct perfdata *f)
{
	u64 copy = 0;

	for (size_t i = 0; i < perfdata_nr_events(f); i++) {
		const struct perf_event_attr *attr = &perfdata_event(f, i)->attr;

		if (attr->sample_type & PERF_SAMPLE_STACK_USER)
			copy = MAX(copy, (u64)attr->sample_stack_user);
	}
	return SAMPLES_OF_SPOT * (BYTES_OF_SAMPLE + copy);
}

static struct spots *shared_spots(struct agg *a)
{
	const struct perfdata *f = session_file(a->s);
	u32 nr = SPOTS_MIN;

	if (a->spots)
		return a->spots;
	for (u64 bytes = bytes_of_spot(f); nr < SPOTS_MAX && nr * bytes < perfdata_data_size(f);)
		nr *= 2;
	set(a->spots, spots_new(nr));
	return a->spots;
}

/* A worker's spot whose row has moved. */
struct moving {
	struct spot_key key;
	u32 number;
	struct spot_slot *to;
};

/* Some of the sets that know rows of the worker; these are empty then. */
static u32 take_moving(const struct spots *to, struct agg_worker *w, size_t from, size_t end,
		       const u32 *numbers, struct moving *out)
{
	u32 nr = 0;

	for (size_t i = from; i < end; i++)
		for (struct spot_slot *s = &w->spots->v[w->staged.v[i]], *e = s + WAYS; s < e;
		     s++) {
			u64 row = get(s->row), place = get(s->place);

			if (!row)
				continue;
			set(s->row, 0);
			out[nr] = (struct moving){ .key = { .place = place, .whose = (u32)row },
						   .number = numbers[(row >> 32) & ~ROW_OF_WORKER],
						   .to = set_of(to, hash_of(place, (u32)row)) };
			__builtin_prefetch(out[nr++].to, 1);
		}
	return nr;
}

void spots_follow_rows(struct agg *a, struct agg_worker *w, const u32 *numbers)
{
	struct moving v[STEP * WAYS];
	struct spots *to;
	u32 known;

	if (!w->staged.nr)
		return;
	pthread_mutex_lock(&a->spots_lock);
	to = shared_spots(a);
	for (size_t i = 0; i < w->staged.nr; i += STEP) {
		u32 nr = take_moving(to, w, i, MIN(i + STEP, w->staged.nr), numbers, v);

		for (u32 k = 0; k < nr; k++)
			/* (another worker may have put it there) */
			if (!find(v[k].to, &v[k].key, &known))
				put(to, v[k].to, &v[k].key, v[k].number);
	}
	pthread_mutex_unlock(&a->spots_lock);
	w->staged.nr = 0;
}

void spots_forget(struct agg *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		spots_free(a->workers[i].spots);
		a->workers[i].spots = NULL;
		vec_free(&a->workers[i].staged);
	}
	spots_free(a->spots);
	a->spots = NULL;
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
	const struct spots *shared = get(a->spots);
	struct spot_key keys[SESSION_SPOTS];
	u64 hashes[SESSION_SPOTS];
	u32 numbers[SESSION_SPOTS];
	struct worker_row *rows[SESSION_SPOTS]; /* NULL = not known */
	u64 done = 0;

	if (!aw->spots)
		aw->spots = spots_new(OWN_SPOTS);
	for (size_t i = 0; i < nr; i++) {
		keys[i] = key_of(v[i].object, v[i].addr & addr_bits, v[i].comm);
		hashes[i] = hash_of(keys[i].place, keys[i].whose);
		if (shared)
			__builtin_prefetch(set_of(shared, hashes[i]));
		__builtin_prefetch(set_of(aw->spots, hashes[i]));
	}
	for (size_t i = 0; i < nr; i++) {
		rows[i] = NULL;
		if ((shared && find(set_of(shared, hashes[i]), &keys[i], &numbers[i])) ||
		    find(set_of(aw->spots, hashes[i]), &keys[i], &numbers[i])) {
			rows[i] = row_at(a, aw, numbers[i]);
			__builtin_prefetch(rows[i], 1);
		}
	}
	for (size_t i = 0; i < nr; i++) {
		struct worker_row *row = rows[i];

		if (!row || row->event != v[i].event ||
		    v[i].time <= __atomic_load_n(&row->first_time, __ATOMIC_RELAXED))
			continue;
		count_spot(aw, row, numbers[i], &v[i]);
		if (take)
			take(aw, row, numbers[i], v[i].unit);
		done |= 1ULL << i;
	}
	return done;
}
