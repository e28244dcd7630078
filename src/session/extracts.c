/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extracts: memory of what a consumer takes from samples when they are read.
 *
 * Extracts lie one behind the other in blocks and stay where they are until they were handed over.
 * A block is returned with the batch in which the last of its extracts is due.
 */
#include "session/extracts.h"

#include "session/batch.h"

enum { EXTRACT_SHIFT = 16 };

void extracts_release(struct extracts *x)
{
	for (u32 i = 0; i < x->nr; i++)
		free(x->blocks[i]);
	*x = (struct extracts){ 0 };
}

u8 *extracts_room(struct extracts *x)
{
	if (LIKELY(x->at && x->len + SESSION_EXTRACT_MAX <= EXTRACT_BLOCK))
		return x->at;
	if (!x->nr_spare) {
		if (x->nr == EXTRACT_BLOCKS)
			return NULL;
		x->blocks[x->nr] = xmalloc(EXTRACT_BLOCK);
		x->spare[x->nr_spare++] = (u16)x->nr++;
	}
	x->block = x->spare[--x->nr_spare];
	x->open[x->block] = true;
	x->at = x->blocks[x->block];
	x->len = 0;
	return x->at;
}

struct rec_index extracts_add(struct extracts *x, u64 time)
{
	struct rec_index ix = { .time = time,
				.at = (u64)x->block << EXTRACT_SHIFT | x->len,
				.kept = 1,
				.member = MEMBER_EXTRACT };
	u32 size = bits_u32(x->at);

	x->at += size;
	x->len += size;
	return ix;
}

const void *extracts_get(const struct extracts *x, const struct rec_index *i)
{
	return x->blocks[i->at >> EXTRACT_SHIFT] + (i->at & ((1 << EXTRACT_SHIFT) - 1));
}

void extracts_close(struct extracts *x, const struct batch *b, struct done_extracts *done)
{
	bool later[EXTRACT_BLOCKS] = { false };

	for (size_t i = 0; i < b->nr_later; i++)
		if (batch_is_extract(&b->later[i]))
			later[b->later[i].at >> EXTRACT_SHIFT] = true;
	for (u32 i = 0; i < x->nr; i++) {
		if (!x->open[i] || later[i] || (x->at && i == x->block))
			continue;
		x->open[i] = false;
		done->v[done->nr++] = (u16)i;
	}
}

void extracts_return(struct extracts *x, struct done_extracts *done)
{
	while (done->nr)
		x->spare[x->nr_spare++] = done->v[--done->nr];
}
