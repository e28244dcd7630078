/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains: callchains and their numbers. A number is where the chain lies, so that to read a chain is
 * one load from memory. Shards by hash have a lock each; chains never move, so reading takes none.
 */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "session/private.h"

void chains_init(struct chain_table *t)
{
	for (int i = 0; i < CHAIN_SHARDS; i++)
		pthread_mutex_init(&t->shards[i].lock, NULL);
}

void chains_release(struct chain_table *t)
{
	for (int i = 0; i < CHAIN_SHARDS; i++) {
		struct chain_shard *s = &t->shards[i];

		for (int c = 0; c < CHAIN_CHUNKS && s->chunks[c]; c++)
			free(s->chunks[c]);
		map_release(&s->map);
		pthread_mutex_destroy(&s->lock);
	}
}

u64 chain_hash(const frame_id *frames, u32 nr)
{
	return hash_bytes(frames, nr * sizeof(*frames), nr);
}

static struct chain_shard *shard_of(struct chain_table *t, u64 hash)
{
	return &t->shards[(hash >> 58) % CHAIN_SHARDS];
}

static chain_id number_of(u64 hash, u32 unit)
{
	return unit * CHAIN_SHARDS + (u32)(hash >> 58) % CHAIN_SHARDS + 1;
}

static u32 *words_at(const struct chain_shard *s, u32 unit)
{
	u64 *chunk = atomic_load_explicit(&s->chunks[unit >> CHAIN_CHUNK_BITS],
					  memory_order_acquire);

	return (u32 *)(chunk + (unit & ((1U << CHAIN_CHUNK_BITS) - 1)));
}

const u32 *chain_words(const struct chain_table *t, chain_id chain)
{
	return words_at(&t->shards[(chain - 1) % CHAIN_SHARDS], (chain - 1) / CHAIN_SHARDS);
}

static bool is(const u32 *words, const frame_id *frames, u32 nr)
{
	return words[0] == nr && !memcmp(words + 1, frames, nr * sizeof(*frames));
}

/* Under lock. 0 = no number is left. */
static chain_id add(struct chain_shard *s, u64 hash, const frame_id *frames, u32 nr)
{
	u32 units = (nr + 2) / 2;
	u32 unit = s->used;
	u32 *words;

	if (unit >> CHAIN_CHUNK_BITS != (unit + units) >> CHAIN_CHUNK_BITS)
		unit = (u32)ALIGN_UP(unit, 1U << CHAIN_CHUNK_BITS);
	if (unit >> CHAIN_CHUNK_BITS >= CHAIN_CHUNKS)
		return 0;
	if (!s->chunks[unit >> CHAIN_CHUNK_BITS])
		atomic_store_explicit(&s->chunks[unit >> CHAIN_CHUNK_BITS],
				      xmalloc(sizeof(u64) << CHAIN_CHUNK_BITS),
				      memory_order_release);
	s->used = unit + units;
	words = words_at(s, unit);
	words[0] = nr;
	memcpy(words + 1, frames, nr * sizeof(*frames));
	map_add(&s->map, hash, unit);
	atomic_store_explicit(&s->slots, s->map.slots, memory_order_relaxed);
	atomic_store_explicit(&s->mask, s->map.mask, memory_order_relaxed);
	return number_of(hash, unit);
}

chain_id chain_intern(struct chain_table *t, const frame_id *frames, u32 nr)
{
	u64 hash = chain_hash(frames, nr);
	struct chain_shard *s = shard_of(t, hash);
	chain_id id = 0;
	u32 unit;

	pthread_mutex_lock(&s->lock);
	for (struct map_probe p = map_first(&s->map, hash); map_next(&s->map, &p, &unit);) {
		if (is(words_at(s, unit), frames, nr)) {
			id = number_of(hash, unit);
			break;
		}
	}
	if (!id)
		id = add(s, hash, frames, nr);
	pthread_mutex_unlock(&s->lock);
	return id;
}

void chain_prefetch_slot(struct chain_table *t, u64 hash)
{
	struct chain_shard *s = shard_of(t, hash);
	/* the table may have moved by now, which costs no more than a useless load */
	const struct map seen = {
		.slots = atomic_load_explicit(&s->slots, memory_order_relaxed),
		.mask = atomic_load_explicit(&s->mask, memory_order_relaxed),
	};

	__builtin_prefetch((const void *)((uintptr_t)seen.slots +
					  sizeof(*seen.slots) * map_first(&seen, hash).pos));
}

chain_id chain_offer(struct chain_table *t, u64 hash, const frame_id *frames, u32 nr, bool *check)
{
	struct chain_shard *s = shard_of(t, hash);
	struct map_probe p;
	chain_id id;
	u32 unit;

	pthread_mutex_lock(&s->lock);
	p = map_first(&s->map, hash);
	*check = map_next(&s->map, &p, &unit);
	if (*check) {
		__builtin_prefetch(words_at(s, unit));
		id = number_of(hash, unit);
	} else {
		id = add(s, hash, frames, nr);
	}
	pthread_mutex_unlock(&s->lock);
	return id;
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
	words = chain_words(&s->resolver.chains, chain);
	*nr = words[0] / (s->resolver.notes ? 2 : 1);
	return words + 1;
}

chain_id session_chain_tail(struct session *s, chain_id chain, size_t skip)
{
	_cleanup_(mem_freep) u32 *words = NULL;
	size_t nr, left;
	const frame_id *frames = session_chain_frames(s, chain, &nr);

	if (skip >= nr)
		return 0;
	left = nr - skip;
	if (!s->resolver.notes)
		return chain_intern(&s->resolver.chains, frames + skip, (u32)left);
	words = XNEW_ARRAY(u32, 2 * left);
	memcpy(words, frames + skip, left * sizeof(*words));
	memcpy(words + left, frames + nr + skip, left * sizeof(*words));
	return chain_intern(&s->resolver.chains, words, (u32)(2 * left));
}

void session_chain_prefetch(const struct session *s, chain_id chain)
{
	if (chain)
		__builtin_prefetch(chain_words(&s->resolver.chains, chain));
}

void session_chain_prefetch_frames(const struct session *s, chain_id chain)
{
	enum { LINE = 64 / sizeof(u32), LINES = 6 };
	const u32 *words;

	if (!chain)
		return;
	words = chain_words(&s->resolver.chains, chain);
	for (u32 at = LINE; at < MIN(words[0], (u32)(LINES * LINE)) + LINE; at += LINE)
		__builtin_prefetch(words + at);
}
