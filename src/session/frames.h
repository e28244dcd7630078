/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/frames: the table of frames, each of which has a number.
 */
#ifndef SESSION_FRAMES_H
#define SESSION_FRAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/shared_map.h"
#include "session/session.h"

enum { FRAME_CHUNK_BITS = 14, FRAME_CHUNKS = 1 << 16, FRAME_BLOCK = 64 };

/* Numbers for one thread, so that its frames share no cache line with those of others. Zero bytes:
 * none. */
struct frame_block {
	frame_id next, end;
};

/* Shared by all workers. Append-only chunks, read without lock. Zero bytes and frame_table_init()
 * make one. */
struct frame_table {
	struct shared_map addresses; /* of frames that are one for each address */
	_Atomic(u32) nr; /* numbers given out in blocks, with 0, which is none */
	pthread_mutex_t lock; /* while a chunk is made */
	struct frame *_Atomic chunks[FRAME_CHUNKS];
};

/* addresses: how many of them may be expected. */
void frame_table_init(struct frame_table *t, u32 addresses);
/* Numbers stay valid; frames cannot be added or looked up any more. */
void frame_table_close(struct frame_table *t);
void frame_table_release(struct frame_table *t);
/* A new number, of the thread's block; 0 = there are too many. Numbers of a block that are not used
 * yet are frames of nothing. Any thread. */
frame_id frame_add(struct frame_table *t, struct frame_block *b, const struct frame *f);
/* The number of a frame that differs from others in object, ip, at, addr or level. Any thread. */
frame_id frame_of_address(struct frame_table *t, struct frame_block *b, const struct frame *want);
/* Prefetches what frame_of_address() will look at. */
void frame_prefetch_address(const struct frame_table *t, const struct frame *want);
/* While no other thread uses it: room for frames to come. */
void frame_table_make_room(struct frame_table *t);
/* While no other thread uses it: frame_of_address() will not be asked for what it was asked for
 * before. */
void frame_table_forget_addresses(struct frame_table *t);

static inline struct frame *frame_at(const struct frame_table *t, frame_id id)
{
	struct frame *chunk = atomic_load_explicit(&t->chunks[id >> FRAME_CHUNK_BITS],
						   memory_order_acquire);

	return &chunk[id & ((1U << FRAME_CHUNK_BITS) - 1)];
}

#endif
