/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_map: hash tables that map a hash to a u32 index as base/map.h does, filled by many threads
 * at once.
 *
 * A hash belongs to one bucket of eight slots, a line of the CPU's cache. An entry is put into the
 * first empty slot of its bucket by one exchange, without a lock, and never leaves it: so whoever
 * finds an empty slot knows that there is no such entry yet, and who does not get the slot looks at
 * what stands there now. What finds its bucket full goes into a table under a lock; that bucket
 * stays full, so everybody looks there, too.
 *
 * Equality and making of items is the caller's:
 *
 *	is(ctx, index)   whether the item is the one that is wanted
 *	make(ctx)        index of a new item, complete; SHARED_NONE = there cannot be one
 *	unmake(ctx, i)   the item that this thread made last was not needed
 *
 * shared_map_take() may be called by any thread at any time, the others only while no other thread
 * uses the map. Zero bytes and shared_map_init() make an empty one, which takes memory when it is
 * used.
 */
#ifndef BASE_SHARED_MAP_H
#define BASE_SHARED_MAP_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"

enum { SHARED_WAYS = 8 };

#define SHARED_NONE 0xffffffffU

struct shared_map {
	_Atomic(u64)
		*_Atomic slots; /* digest << 32 | index + 1; 0 = empty. NULL = there are none yet */
	u32 mask; /* buckets - 1 */
	void *memory; /* where slots, aligned, lie in */
	u8 apart[40]; /* what changes is in another cache line */
	pthread_mutex_t lock;
	struct map rest; /* under lock */
	size_t used; /* when room was made, about */
};

struct shared_map_ops {
	bool (*is)(void *ctx, u32 index);
	u32 (*make)(void *ctx);
	void (*unmake)(void *ctx, u32 index);
};

/* entries: how many there will be at least; more are fine. */
void shared_map_init(struct shared_map *m, u32 entries);
/* What finds entries is given back: nothing is looked for any more. */
void shared_map_close(struct shared_map *m);
void shared_map_release(struct shared_map *m);
/* Room for as many entries as came since the last time, where there is not. */
void shared_map_make_room(struct shared_map *m);

static inline u32 shared_map_digest(u64 hash)
{
	return (u32)(hash >> 32) ^ (u32)hash;
}

static inline _Atomic(u64) *shared_map_slots(const struct shared_map *m)
{
	return atomic_load_explicit(&m->slots, memory_order_acquire);
}

static inline size_t shared_map_bucket(const struct shared_map *m, u32 digest)
{
	return (size_t)(digest & m->mask) * SHARED_WAYS;
}

/* shared_map_take() will be called for it soon. */
static inline void shared_map_prefetch(const struct shared_map *m, u64 hash)
{
	const _Atomic(u64) *slots = shared_map_slots(m);

	if (LIKELY(slots))
		__builtin_prefetch(
			(const void *)(slots + shared_map_bucket(m, shared_map_digest(hash))), 1);
}

/* For shared_map_take(): the first slots. */
_Atomic(u64) *shared_map_begin(struct shared_map *m);

/* For shared_map_take(): what has no room in its bucket. made: an item is there, SHARED_NONE = not
 * yet. */
u32 shared_map_take_rest(struct shared_map *m, u64 hash, const struct shared_map_ops *ops,
			 void *ctx, u32 made);

/* The index of the item that is(), made if there is none; SHARED_NONE where that is not possible.
 */
static inline __attribute__((always_inline)) u32 shared_map_take(struct shared_map *m, u64 hash,
								 const struct shared_map_ops *ops,
								 void *ctx)
{
	u32 digest = shared_map_digest(hash), made = SHARED_NONE;
	_Atomic(u64) *slot = shared_map_slots(m);

	if (UNLIKELY(!slot))
		slot = shared_map_begin(m);
	slot += shared_map_bucket(m, digest);
	for (_Atomic(u64) *end = slot + SHARED_WAYS; slot < end; slot++) {
		u64 v = atomic_load_explicit(slot, memory_order_acquire);

		if (!v) {
			if (made == SHARED_NONE)
				made = ops->make(ctx);
			if (made == SHARED_NONE ||
			    atomic_compare_exchange_strong_explicit(
				    slot, &v, (u64)digest << 32 | (made + 1), memory_order_acq_rel,
				    memory_order_acquire))
				return made;
		}
		if (v >> 32 == digest && ops->is(ctx, (u32)v - 1)) {
			if (made != SHARED_NONE)
				ops->unmake(ctx, made);
			return (u32)v - 1;
		}
	}
	return shared_map_take_rest(m, hash, ops, ctx, made);
}

#endif
