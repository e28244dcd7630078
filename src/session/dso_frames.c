/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_frames: frames by object and address in it, so that what one process had to find is known
 * when the next one runs the same program: most code of short-lived processes. A frame with a
 * symbol is the same wherever the object lies in memory, one without is only where the object lies
 * as far from its own addresses.
 *
 * All workers share the table. Sets of three fill a line of the CPU's cache. A new frame takes the
 * room of the oldest of its set, and where that happens often the table grows, up to a limit. There
 * is no lock but for growing: each set counts its changes; a reader that sees the count change
 * finds nothing, and a writer that finds another one at work adds nothing.
 */
#include "session/dso_frames.h"

#include "base/mem.h"

enum { SETS_MIN = 1 << 10, WAYS = 3, PAGE_BITS = 12, SHIFT_BITS = DSO_FRAME_SHIFT_BITS };

#define ANY_SHIFT DSO_FRAME_ANY_SHIFT

struct dso_frame_set {
	_Atomic(u64) addr[WAYS];
	_Atomic(u64) key[WAYS];
	_Atomic(u32) frame[WAYS]; /* 0 = empty */
	_Atomic(u32)
		changes; /* twice the number of entries put here; odd: one more is on its way */
};

_Static_assert(sizeof(struct dso_frame_set) == 64, "a set fills a cache line");

struct frame_sets {
	struct dso_frame_set *v;
	u32 mask;
	void *memory; /* where v, aligned, lies in */
	struct frame_sets *older; /* other threads may still look at it */
};

void dso_frames_init(struct dso_frames *p, u32 most)
{
	*p = (struct dso_frames){ .most = most };
	pthread_mutex_init(&p->lock, NULL);
}

u64 dso_frame_key(dso_id dso, bool kernel, u64 shift)
{
	u64 pages = -shift >> PAGE_BITS;

	if (dso >> (63 - SHIFT_BITS) || shift & ((1U << PAGE_BITS) - 1) || pages >= ANY_SHIFT)
		return 0;
	return (u64)kernel << 63 | (u64)dso << SHIFT_BITS | pages;
}

u64 dso_frame_key_of_none(u8 cpumode)
{
	return 1U + cpumode; /* of dso 0, which is none */
}

static struct frame_sets *sets_now(const struct dso_frames *p)
{
	return atomic_load_explicit(&p->now, memory_order_acquire);
}

static struct dso_frame_set *set_of(const struct frame_sets *t, u32 hash)
{
	return &t->v[hash & t->mask];
}

void dso_frame_prefetch(const struct dso_frames *p, u32 hash)
{
	const struct frame_sets *t = sets_now(p);

	if (t)
		__builtin_prefetch(set_of(t, hash));
}

#define get(what) atomic_load_explicit(&(what), memory_order_acquire)
#define set(what, to) atomic_store_explicit(&(what), (to), memory_order_release)

static frame_id find_in(const struct dso_frame_set *s, u64 key, u64 addr, bool *nameless)
{
	for (int i = 0; i < WAYS; i++) {
		frame_id frame = get(s->frame[i]);
		u64 k;

		if (get(s->addr[i]) != addr || !frame)
			continue;
		k = get(s->key[i]);
		if ((k | ANY_SHIFT) != (key | ANY_SHIFT))
			continue;
		if (k == key || k == (key | ANY_SHIFT))
			return frame;
		*nameless = true;
	}
	return 0;
}

frame_id dso_frame_find(const struct dso_frames *p, u32 hash, u64 key, u64 addr, bool *nameless)
{
	const struct frame_sets *t = sets_now(p);
	const struct dso_frame_set *s;
	frame_id frame;
	u32 changes;

	*nameless = false;
	if (UNLIKELY(!t))
		return 0;
	s = set_of(t, hash);
	changes = get(s->changes);
	frame = find_in(s, key, addr, nameless);
	/* (loads before this one stay before it: they acquire) */
	if (LIKELY(!(changes & 1) &&
		   atomic_load_explicit(&s->changes, memory_order_relaxed) == changes))
		return frame;
	*nameless = false;
	return 0;
}

/* True: another frame was thrown out. Does nothing while another thread is changing the set. */
static bool put(struct frame_sets *t, u64 key, u64 addr, frame_id frame)
{
	struct dso_frame_set *s = set_of(t, dso_frame_hash(key, addr));
	u32 changes = get(s->changes);
	u32 i = changes / 2 % WAYS;
	bool nameless;

	/* another worker may have met it at the same time */
	if (find_in(s, key, addr, &nameless))
		return false;
	/* (what follows stays behind the exchange) */
	if (changes & 1 ||
	    !atomic_compare_exchange_strong_explicit(&s->changes, &changes, changes + 1,
						     memory_order_acq_rel, memory_order_relaxed))
		return false;
	set(s->addr[i], addr);
	set(s->key[i], key);
	set(s->frame[i], frame);
	set(s->changes, changes + 2);
	return changes / 2 >= WAYS;
}

static void copy_set(struct frame_sets *to, const struct dso_frame_set *s)
{
	u32 changes = get(s->changes);

	for (int i = 0; i < WAYS; i++) {
		u64 addr = get(s->addr[i]), key = get(s->key[i]);
		frame_id frame = get(s->frame[i]);

		if (changes & 1 ||
		    atomic_load_explicit(&s->changes, memory_order_relaxed) != changes)
			return;
		if (frame)
			put(to, key, addr, frame);
	}
}

/* Entries that others put into the old table meanwhile are lost; they will be found anew. */
static void resize(struct dso_frames *p, struct frame_sets *t, u32 nr)
{
	struct frame_sets *bigger = XNEW(struct frame_sets);

	bigger->mask = nr - 1;
	bigger->v = mem_lines_new(&bigger->memory, nr * sizeof(*bigger->v));
	bigger->older = t;
	mem_populate(bigger->v, nr * sizeof(*bigger->v));
	for (u32 s = 0; t && s <= t->mask; s++)
		copy_set(bigger, &t->v[s]);
	set(p->now, bigger);
	atomic_store_explicit(&p->thrown_out, 0, memory_order_relaxed);
}

static bool is_full(const struct dso_frames *p, const struct frame_sets *t)
{
	return !t || (atomic_load_explicit(&p->thrown_out, memory_order_relaxed) > t->mask / 8 &&
		      t->mask < p->most - 1);
}

static __attribute__((noinline)) void make_room(struct dso_frames *p)
{
	struct frame_sets *t;

	pthread_mutex_lock(&p->lock);
	t = sets_now(p);
	if (is_full(p, t))
		resize(p, t, t ? MIN((t->mask + 1) * 4, p->most) : SETS_MIN);
	pthread_mutex_unlock(&p->lock);
}

void dso_frame_add(struct dso_frames *p, u64 key, u64 addr, bool named, frame_id frame)
{
	struct frame_sets *t = sets_now(p);

	if (UNLIKELY(!t)) {
		make_room(p);
		t = sets_now(p);
	}
	if (LIKELY(!put(t, named ? key | ANY_SHIFT : key, addr, frame)) || t->mask >= p->most - 1)
		return;
	atomic_fetch_add_explicit(&p->thrown_out, 1, memory_order_relaxed);
	if (is_full(p, t))
		make_room(p);
}

static void free_from(struct frame_sets *t)
{
	while (t) {
		struct frame_sets *older = t->older;

		free(t->memory);
		free(t);
		t = older;
	}
}

void dso_frames_drop_old(struct dso_frames *p)
{
	struct frame_sets *t = sets_now(p);

	if (!t)
		return;
	free_from(t->older);
	t->older = NULL;
}

void dso_frames_release(struct dso_frames *p)
{
	free_from(sets_now(p));
	pthread_mutex_destroy(&p->lock);
	*p = (struct dso_frames){ 0 };
}
