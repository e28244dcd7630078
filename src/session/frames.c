/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames: frames and their numbers. What is known of a frame lies in chunks that never move and is not
 * changed once its number is told to anybody. Those that are one for each address are found by it, in shards with
 * a lock each.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "session/private.h"

enum { SAME_ADDRESS_MAX = 32 };

void frame_table_init(struct frame_table *t)
{
	t->nr = 1; /* 0 = none */
	pthread_mutex_init(&t->lock, NULL);
	for (int i = 0; i < FRAME_SHARDS; i++)
		pthread_mutex_init(&t->shards[i].lock, NULL);
}

void frame_table_release(struct frame_table *t)
{
	for (int i = 0; i < FRAME_CHUNKS && t->chunks[i]; i++)
		free(t->chunks[i]);
	frame_table_forget_addresses(t);
	for (int i = 0; i < FRAME_SHARDS; i++)
		pthread_mutex_destroy(&t->shards[i].lock);
	pthread_mutex_destroy(&t->lock);
}

static __attribute__((noinline)) void make_chunk(struct frame_table *t, u32 c)
{
	pthread_mutex_lock(&t->lock);
	if (!t->chunks[c])
		atomic_store_explicit(&t->chunks[c], XNEW_ARRAY(struct frame, 1U << FRAME_CHUNK_BITS),
				      memory_order_release);
	pthread_mutex_unlock(&t->lock);
}

frame_id frame_add(struct frame_table *t, const struct frame *f)
{
	frame_id id = atomic_load_explicit(&t->nr, memory_order_relaxed);

	do {
		if (id >> FRAME_CHUNK_BITS >= FRAME_CHUNKS)
			return 0; /* a thousand million distinct places: told as unknown */
	} while (!atomic_compare_exchange_weak_explicit(&t->nr, &id, id + 1, memory_order_relaxed,
							memory_order_relaxed));
	if (UNLIKELY(!atomic_load_explicit(&t->chunks[id >> FRAME_CHUNK_BITS], memory_order_acquire)))
		make_chunk(t, id >> FRAME_CHUNK_BITS);
	*frame_at(t, id) = *f;
	return id;
}

static u32 shard_of(u64 hash)
{
	return (u32)(hash >> 60) % FRAME_SHARDS;
}

/* Under the shard's lock: where others may look ahead. */
static void publish(struct frame_shard *s)
{
	atomic_store_explicit(&s->slots, s->map.slots, memory_order_relaxed);
	atomic_store_explicit(&s->mask, s->map.mask, memory_order_relaxed);
}

/* Hint only: the table may have moved by now, which costs no more than a useless load. */
void frame_prefetch_address(const struct frame_table *t, u64 ip)
{
	u64 hash = hash_u64(ip);
	const struct frame_shard *s = &t->shards[shard_of(hash)];
	const struct map seen = {
		.slots = atomic_load_explicit(&s->slots, memory_order_relaxed),
		.mask = atomic_load_explicit(&s->mask, memory_order_relaxed),
	};

	__builtin_prefetch((const void *)((uintptr_t)seen.slots + sizeof(*seen.slots) *
					  map_first(&seen, hash).pos));
}

/* Under the shard's lock; *seen: how much lies under the hash, where nothing is found. */
static frame_id find(const struct frame_table *t, const struct frame_shard *s, u64 hash, const struct frame *want,
		     u32 *seen)
{
	u32 i;

	*seen = 0;
	for (struct map_probe p = map_first(&s->map, hash); map_next(&s->map, &p, &i); ++*seen) {
		const struct frame *f = frame_at(t, i);

		if (f->dso == want->dso && f->addr == want->addr && f->ip == want->ip &&
		    f->at == want->at && f->cpumode == want->cpumode)
			return i;
	}
	return 0;
}

/* The frame under a hash, put there if it is not; false: there are so many already. */
static bool take(struct frame_table *t, u64 hash, const struct frame *want, u32 max, frame_id *id)
{
	struct frame_shard *s = &t->shards[shard_of(hash)];
	u32 seen;

	pthread_mutex_lock(&s->lock);
	*id = find(t, s, hash, want, &seen);
	if (!*id && seen < max) {
		*id = frame_add(t, want);
		if (*id) {
			map_add(&s->map, hash, *id);
			publish(s);
		}
	}
	pthread_mutex_unlock(&s->lock);
	return *id || seen < max;
}

/*
 * One frame for each address as sampled. Where one address is that of very many objects, the later
 * ones lie under a hash of both.
 */
frame_id frame_of_address(struct frame_table *t, const struct frame *want)
{
	frame_id id;

	if (!take(t, hash_u64(want->ip), want, SAME_ADDRESS_MAX, &id))
		take(t, hash_finish(hash_mix(hash_mix(want->dso, want->ip), want->cpumode)), want, UINT32_MAX,
		     &id);
	return id;
}

void frame_table_forget_addresses(struct frame_table *t)
{
	for (int i = 0; i < FRAME_SHARDS; i++) {
		map_release(&t->shards[i].map);
		publish(&t->shards[i]);
	}
}
