/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/extracts: memory of what a consumer takes from samples (session_consumer.extract): it
 * lies in blocks, which are filled again when all that was in them has been handed out.
 */
#ifndef SESSION_EXTRACTS_H
#define SESSION_EXTRACTS_H

#include "session/order.h"

enum {
	EXTRACT_BLOCK = 1 << 16,
	EXTRACT_BLOCKS = 320, /* then samples are left in the file */
};

/* Zero bytes are an empty one. */
struct extracts {
	u8 *blocks[EXTRACT_BLOCKS];
	u32 nr;
	bool open[EXTRACT_BLOCKS]; /* it has extracts that are not due yet, or is being filled */
	u16 spare[EXTRACT_BLOCKS]; /* numbers of blocks */
	u32 nr_spare;
	u32 block; /* being filled */
	u32 len; /* of it */
	u8 *at; /* where its next extract goes, NULL = there is none */
};

/* Blocks whose last extracts are due in a batch. */
struct done_extracts {
	u16 v[EXTRACT_BLOCKS];
	u32 nr;
};

void extracts_release(struct extracts *x);
/* SESSION_EXTRACT_MAX bytes; NULL: there is no more memory for extracts in this batch. */
u8 *extracts_room(struct extracts *x);
/* What was written to the room, as an entry of the order. */
struct rec_index extracts_add(struct extracts *x, u64 time);
/* Any thread, until its block is returned. */
const void *extracts_get(const struct extracts *x, const struct rec_index *i);
/* Finds the blocks in which everything is due in this batch or was before. */
struct batch;
void extracts_close(struct extracts *x, const struct batch *b, struct done_extracts *done);
/* These blocks may be filled again. */
void extracts_return(struct extracts *x, struct done_extracts *done);

#endif
