/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/shared_map.h"

#include <string.h>

enum { CACHE_LINE = 64, BUCKETS_MIN = 8, LOOKED_AT = 64 };

static _Atomic(u64) *make_slots(struct shared_map *m)
{
	size_t size = ((size_t)m->mask + 1) * SHARED_WAYS * sizeof(u64);
	_Atomic(u64) *slots;

	m->memory = xcalloc(1, size + CACHE_LINE);
	slots = (_Atomic(u64) *)ALIGN_UP((uintptr_t)m->memory, CACHE_LINE);
	/* each would be read before it is written, which costs a page twice */
	mem_populate((void *)slots, size);
	atomic_store_explicit(&m->slots, slots, memory_order_release);
	return slots;
}

void shared_map_init(struct shared_map *m, u32 entries)
{
	u32 buckets = BUCKETS_MIN;

	while (buckets < 1U << 28 && buckets * (SHARED_WAYS / 2) < entries)
		buckets *= 2;
	m->mask = buckets - 1;
	pthread_mutex_init(&m->lock, NULL);
}

_Atomic(u64) *shared_map_begin(struct shared_map *m)
{
	_Atomic(u64) *slots;

	pthread_mutex_lock(&m->lock);
	slots = shared_map_slots(m);
	if (!slots)
		slots = make_slots(m);
	pthread_mutex_unlock(&m->lock);
	return slots;
}

void shared_map_close(struct shared_map *m)
{
	free(m->memory);
	map_release(&m->rest);
	m->memory = NULL;
	atomic_store_explicit(&m->slots, NULL, memory_order_relaxed);
}

void shared_map_release(struct shared_map *m)
{
	shared_map_close(m);
	pthread_mutex_destroy(&m->lock);
	memset(m, 0, sizeof(*m));
}

u32 shared_map_take_rest(struct shared_map *m, u64 hash, const struct shared_map_ops *ops,
			 void *ctx, u32 made)
{
	u32 index;

	pthread_mutex_lock(&m->lock);
	for (struct map_probe p = map_first(&m->rest, hash); map_next(&m->rest, &p, &index);) {
		if (!ops->is(ctx, index))
			continue;
		if (made != SHARED_NONE)
			ops->unmake(ctx, made);
		pthread_mutex_unlock(&m->lock);
		return index;
	}
	if (made == SHARED_NONE)
		made = ops->make(ctx);
	if (made != SHARED_NONE)
		map_add(&m->rest, hash, made);
	pthread_mutex_unlock(&m->lock);
	return made;
}

/* False: its bucket is full. */
static bool put(struct shared_map *m, u64 entry)
{
	_Atomic(u64) *slot = shared_map_slots(m) + shared_map_bucket(m, (u32)(entry >> 32));

	for (u32 i = 0; i < SHARED_WAYS; i++)
		if (!atomic_load_explicit(&slot[i], memory_order_relaxed)) {
			atomic_store_explicit(&slot[i], entry, memory_order_relaxed);
			return true;
		}
	return false;
}

/* (A map by digests gives them back: its hash is the digest alone.) */
static void put_anywhere(struct shared_map *m, u64 entry)
{
	if (!put(m, entry))
		map_add(&m->rest, entry >> 32, (u32)entry - 1);
}

static void grow(struct shared_map *m)
{
	_Atomic(u64) *slots = shared_map_slots(m);
	size_t nr = ((size_t)m->mask + 1) * SHARED_WAYS;
	void *memory = m->memory;
	struct map rest = m->rest;

	m->rest = (struct map){ 0 };
	m->mask = m->mask * 2 + 1;
	make_slots(m);
	for (size_t i = 0; i < nr; i++) {
		u64 entry = atomic_load_explicit(&slots[i], memory_order_relaxed);

		if (entry)
			put_anywhere(m, entry);
	}
	for (size_t i = 0; rest.slots && i <= rest.mask; i++) {
		struct map_slot s = rest.slots[i];

		if (s.index1)
			put_anywhere(m, (u64)s.digest << 32 | s.index1);
	}
	map_release(&rest);
	free(memory);
}

/* About how many entries there are: they lie at random, so some buckets tell of all. */
static size_t used_slots(const struct shared_map *m)
{
	const _Atomic(u64) *slots = shared_map_slots(m);
	u32 looked_at = MIN(m->mask + 1, (u32)LOOKED_AT);
	u32 step = (m->mask + 1) / looked_at, used = 0;

	for (u32 b = 0; b < looked_at; b++)
		for (u32 i = 0; i < SHARED_WAYS; i++)
			used += atomic_load_explicit(&slots[(size_t)b * step * SHARED_WAYS + i],
						     memory_order_relaxed) != 0;
	return (size_t)used * step + m->rest.nr;
}

void shared_map_make_room(struct shared_map *m)
{
	size_t used, more;

	if (!shared_map_slots(m))
		return;
	used = used_slots(m);
	more = used > m->used ? used - m->used : 0;
	m->used = used;
	/* five of eight slots, that is a bucket full by chance here and there */
	while (m->mask < (1U << 28) - 1 &&
	       used + more > (size_t)(m->mask + 1) * SHARED_WAYS / 8 * 5)
		grow(m);
}
