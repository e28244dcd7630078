/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/chains: the table of callchains, each of which has a number.
 */
#ifndef SESSION_CHAINS_H
#define SESSION_CHAINS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/shared_map.h"
#include "session/session.h"

enum { CHAIN_CHUNK_BITS = 16, CHAIN_CHUNKS = 1 << 16, CHAIN_BLOCK = 1 << 11 };

/* Memory that one thread puts chains into, in units of 8 bytes. Zero bytes: none. */
struct chain_block {
	u32 next, end;
};

/* Shared by all workers. Chains lie one after the other in chunks: number of frames, frames. Zero
 * bytes and chains_init() make an empty one. */
struct chain_table {
	struct shared_map numbers;
	_Atomic(u32) used; /* units given out in blocks */
	pthread_mutex_t lock; /* while a chunk is made */
	u64 *_Atomic chunks[CHAIN_CHUNKS];
};

/* expected: how many there may be. */
void chains_init(struct chain_table *t, u32 expected);
/* Numbers stay valid; chains cannot be added or looked up any more. */
void chains_close(struct chain_table *t);
void chains_release(struct chain_table *t);
/* While no other thread uses it: room for chains to come. */
void chains_make_room(struct chain_table *t);
/* The number of a chain, the same for equal ones; 0 = too many chains. Any thread, with its own
 * block. */
chain_id chain_intern(struct chain_table *t, struct chain_block *b, const frame_id *frames, u32 nr);
/* Number of frames, then the frames. Any thread. */
const u32 *chain_words(const struct chain_table *t, chain_id chain);
/*
 * chain_intern() in three steps, so that other work hides the wait for memory: prefetch the slot,
 * then offer the chain; if *check, the number is that of a chain with the same hash, which
 * chain_is() compares.
 */
u64 chain_hash(const frame_id *frames, u32 nr);
void chain_prefetch_slot(const struct chain_table *t, u64 hash);
chain_id chain_offer(struct chain_table *t, struct chain_block *b, u64 hash, const frame_id *frames,
		     u32 nr, bool *check);
bool chain_is(const struct chain_table *t, chain_id chain, const frame_id *frames, u32 nr);

#endif
