/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains: callchains and their numbers. A number is where the chain lies, so that to read a chain
 * is one load from memory. Chains never move. All workers put them into one table without a lock,
 * and each into memory of its own.
 */
#include "session/chains.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "session/opened.h"

void chains_init(struct chain_table *t, u32 expected)
{
	pthread_mutex_init(&t->lock, NULL);
	shared_map_init(&t->numbers, expected);
}

void chains_close(struct chain_table *t)
{
	shared_map_close(&t->numbers);
}

void chains_release(struct chain_table *t)
{
	for (u32 c = 0; c < CHAIN_CHUNKS && t->chunks[c]; c++)
		free(t->chunks[c]);
	shared_map_release(&t->numbers);
	pthread_mutex_destroy(&t->lock);
}

void chains_make_room(struct chain_table *t)
{
	shared_map_make_room(&t->numbers);
}

u64 chain_hash(const frame_id *frames, u32 nr)
{
	return hash_bytes(frames, nr * sizeof(*frames), nr);
}

/* Where a chain lies. Unit 0 is unused, since the chain number 0 means none. */
static u32 *words_at(const struct chain_table *t, u32 unit)
{
	u64 *chunk = atomic_load_explicit(&t->chunks[unit >> CHAIN_CHUNK_BITS],
					  memory_order_acquire);

	return (u32 *)(chunk + (unit & ((1U << CHAIN_CHUNK_BITS) - 1)));
}

const u32 *chain_words(const struct chain_table *t, chain_id chain)
{
	return words_at(t, chain - 1);
}

static bool is(const u32 *words, const frame_id *frames, u32 nr)
{
	return words[0] == nr && !memcmp(words + 1, frames, nr * sizeof(*frames));
}

static void make_chunk(struct chain_table *t, u32 c)
{
	const size_t size = sizeof(u64) << CHAIN_CHUNK_BITS;
	u64 *chunk;

	pthread_mutex_lock(&t->lock);
	if (!t->chunks[c]) {
		chunk = xmalloc(size);
		if (c) /* the first chunk may be used only in part: its pages come when touched */
			mem_populate(chunk, size);
		atomic_store_explicit(&t->chunks[c], chunk, memory_order_release);
	}
	pthread_mutex_unlock(&t->lock);
}

/* Memory for a thread, in one chunk; false: none is left. */
static __attribute__((noinline)) bool take_block(struct chain_table *t, struct chain_block *b,
						 u32 units)
{
	u32 from, start, nr = MAX(units, (u32)CHAIN_BLOCK);

	from = atomic_load_explicit(&t->used, memory_order_relaxed);
	do {
		start = from;
		if (start >> CHAIN_CHUNK_BITS != (start + nr - 1) >> CHAIN_CHUNK_BITS)
			start = (u32)ALIGN_UP(start, 1U << CHAIN_CHUNK_BITS);
		/* (the last chunk is left free, so that no sum overflows) */
		if (start >> CHAIN_CHUNK_BITS >= CHAIN_CHUNKS - 1)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&t->used, &from, start + nr, memory_order_relaxed, memory_order_relaxed));
	for (u32 c = from >> CHAIN_CHUNK_BITS; c <= start >> CHAIN_CHUNK_BITS; c++)
		if (!atomic_load_explicit(&t->chunks[c], memory_order_acquire))
			make_chunk(t, c);
	*b = (struct chain_block){ .next = start, .end = start + nr };
	return true;
}

struct offered {
	struct chain_table *t;
	struct chain_block *block;
	const frame_id *frames;
	u32 nr;
	bool check;
};

static bool is_offered(void *ctx, u32 unit)
{
	const struct offered *o = ctx;

	return is(words_at(o->t, unit), o->frames, o->nr);
}

/* Takes any chain of the same hash for equal: the caller compares them later (o->check). */
static bool may_be_offered(void *ctx, u32 unit)
{
	struct offered *o = ctx;

	__builtin_prefetch(words_at(o->t, unit));
	o->check = true;
	return true;
}

static u32 make(void *ctx)
{
	struct offered *o = ctx;
	struct chain_block *b = o->block;
	u32 units = (o->nr + 2) / 2, unit;
	u32 *words;

	if (b->end - b->next < units && !take_block(o->t, b, units))
		return SHARED_NONE;
	unit = b->next;
	b->next += units;
	words = words_at(o->t, unit);
	words[0] = o->nr;
	memcpy(words + 1, o->frames, o->nr * sizeof(*o->frames));
	return unit;
}

static void unmake(void *ctx, u32 unit)
{
	struct offered *o = ctx;

	o->block->next = unit;
}

chain_id chain_intern(struct chain_table *t, struct chain_block *b, const frame_id *frames, u32 nr)
{
	static const struct shared_map_ops ops = { is_offered, make, unmake };
	struct offered o = { t, b, frames, nr, false };
	u32 unit = shared_map_take(&t->numbers, chain_hash(frames, nr), &ops, &o);

	return unit == SHARED_NONE ? 0 : unit + 1;
}

void chain_prefetch_slot(const struct chain_table *t, u64 hash)
{
	shared_map_prefetch(&t->numbers, hash);
}

chain_id chain_offer(struct chain_table *t, struct chain_block *b, u64 hash, const frame_id *frames,
		     u32 nr, bool *check)
{
	static const struct shared_map_ops ops = { may_be_offered, make, unmake };
	struct offered o = { t, b, frames, nr, false };
	u32 unit = shared_map_take(&t->numbers, hash, &ops, &o);

	*check = o.check;
	return unit == SHARED_NONE ? 0 : unit + 1;
}

bool chain_is(const struct chain_table *t, chain_id chain, const frame_id *frames, u32 nr)
{
	return is(chain_words(t, chain), frames, nr);
}

/* ---- for consumers ---- */

const frame_id *session_chain_frames(struct session *s, chain_id chain, size_t *nr)
{
	const u32 *words;

	*nr = 0;
	if (!chain)
		return NULL;
	words = chain_words(&s->resolver->chains, chain);
	*nr = words[0] / (s->resolver->notes ? 2 : 1);
	return words + 1;
}

chain_id session_chain_tail(struct session *s, struct session_worker *w, chain_id chain,
			    size_t skip)
{
	_cleanup_(mem_freep) u32 *words = NULL;
	size_t nr, left;
	const frame_id *frames = session_chain_frames(s, chain, &nr);

	if (skip >= nr)
		return 0;
	left = nr - skip;
	if (!s->resolver->notes)
		return chain_intern(&s->resolver->chains, &w->chain_block, frames + skip,
				    (u32)left);
	words = XNEW_ARRAY(u32, 2 * left);
	memcpy(words, frames + skip, left * sizeof(*words));
	memcpy(words + left, frames + nr + skip, left * sizeof(*words));
	return chain_intern(&s->resolver->chains, &w->chain_block, words, (u32)(2 * left));
}

void session_chain_prefetch(const struct session *s, chain_id chain)
{
	if (chain)
		__builtin_prefetch(chain_words(&s->resolver->chains, chain));
}

void session_chain_prefetch_frames(const struct session *s, chain_id chain)
{
	enum { LINE = 64 / sizeof(u32), LINES = 6 };
	const u32 *words;

	if (!chain)
		return;
	words = chain_words(&s->resolver->chains, chain);
	for (u32 at = LINE; at < MIN(words[0], (u32)(LINES * LINE)) + LINE; at += LINE)
		__builtin_prefetch(words + at);
}
