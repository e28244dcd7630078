/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames: frames and their numbers. What is known of a frame lies in chunks that never move and
 * does not change once another thread may know its number. Those that are one for each address are
 * found by it, in a table that all workers fill without a lock.
 */
#include "session/frames.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

void frame_table_init(struct frame_table *t, u32 addresses)
{
	pthread_mutex_init(&t->lock, NULL);
	shared_map_init(&t->addresses, addresses);
}

void frame_table_close(struct frame_table *t)
{
	shared_map_close(&t->addresses);
}

void frame_table_release(struct frame_table *t)
{
	for (int i = 0; i < FRAME_CHUNKS && t->chunks[i]; i++)
		free(t->chunks[i]);
	shared_map_release(&t->addresses);
	pthread_mutex_destroy(&t->lock);
}

static __attribute__((noinline)) void make_chunk(struct frame_table *t, u32 c)
{
	const size_t size = sizeof(struct frame) << FRAME_CHUNK_BITS;
	struct frame *chunk;

	pthread_mutex_lock(&t->lock);
	if (!t->chunks[c]) {
		chunk = xmalloc(size);
		if (c) /* the first chunk may be used only in part: its pages come when touched */
			mem_populate(chunk, size);
		atomic_store_explicit(&t->chunks[c], chunk, memory_order_release);
	}
	pthread_mutex_unlock(&t->lock);
}

/* Numbers for one thread; false: there are none left. */
static __attribute__((noinline)) bool take_block(struct frame_table *t, struct frame_block *b)
{
	static const struct frame none = { .sym = SYM_NONE };
	frame_id first = atomic_load_explicit(&t->nr, memory_order_relaxed);

	do {
		if (first >> FRAME_CHUNK_BITS >= FRAME_CHUNKS)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&t->nr, &first, first + FRAME_BLOCK, memory_order_relaxed, memory_order_relaxed));
	if (!atomic_load_explicit(&t->chunks[first >> FRAME_CHUNK_BITS], memory_order_acquire))
		make_chunk(t, first >> FRAME_CHUNK_BITS);
	/* numbers that are not used yet are frames of nothing; this also brings the memory into the
	 * cache */
	for (frame_id id = first; id < first + FRAME_BLOCK; id++)
		*frame_at(t, id) = none;
	*b = (struct frame_block){ .next = first ? first : 1, .end = first + FRAME_BLOCK };
	return true;
}

frame_id frame_add(struct frame_table *t, struct frame_block *b, const struct frame *f)
{
	if (b->next == b->end && !take_block(t, b))
		return 0; /* after a thousand million distinct places: shown as unknown */
	*frame_at(t, b->next) = *f;
	return b->next++;
}

static u64 address_hash(const struct frame *f)
{
	return hash_finish(
		hash_mix(hash_mix(f->ip ^ (u64)f->cpumode << 56, f->dso), f->addr ^ f->at << 1));
}

void frame_prefetch_address(const struct frame_table *t, const struct frame *want)
{
	shared_map_prefetch(&t->addresses, address_hash(want));
}

struct wanted {
	struct frame_table *t;
	struct frame_block *block;
	const struct frame *frame;
};

static bool is_wanted(void *ctx, u32 id)
{
	const struct wanted *w = ctx;
	const struct frame *f = frame_at(w->t, id), *want = w->frame;

	return f->ip == want->ip && f->dso == want->dso && f->addr == want->addr &&
	       f->at == want->at && f->cpumode == want->cpumode;
}

static u32 make(void *ctx)
{
	struct wanted *w = ctx;
	frame_id id = frame_add(w->t, w->block, w->frame);

	return id ? id : SHARED_NONE;
}

static void unmake(void *ctx, u32 id)
{
	static const struct frame none = { .sym = SYM_NONE };
	struct wanted *w = ctx;

	*frame_at(w->t, id) = none;
	w->block->next = id;
}

frame_id frame_of_address(struct frame_table *t, struct frame_block *b, const struct frame *want)
{
	static const struct shared_map_ops ops = { is_wanted, make, unmake };
	struct wanted w = { t, b, want };
	u32 id = shared_map_take(&t->addresses, address_hash(want), &ops, &w);

	return id == SHARED_NONE ? 0 : id;
}

void frame_table_make_room(struct frame_table *t)
{
	shared_map_make_room(&t->addresses);
}

void frame_table_forget_addresses(struct frame_table *t)
{
	shared_map_release(&t->addresses);
	shared_map_init(&t->addresses, 0);
}
