/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_diff: blocks of code (agg/blocks.h) of the sides of a comparison beside each other.
 *
 * Blocks belong together where they have the same beginning and end, counted from the beginning of
 * a function that is called the same: builds differ in addresses. The blocks of a row are those
 * that another side than the base has, by how much they differ. Runs of one side count together.
 *
 * Life: block_diff_rows() for one function; release() when its texts have been made. One thread.
 */
#ifndef PROFILE_BLOCK_DIFF_H
#define PROFILE_BLOCK_DIFF_H

#include "agg/blocks.h"
#include "base/vec.h"

/* What a side has of a block. */
struct block_side {
	const struct blocks *of; /* NULL: it has none */
	const struct block *block; /* of its first run that has it */
	u64 cycles, nr;
};

struct block_row {
	u64 start, end; /* in the function */
	struct block_side *sides;
};

/* Where a recording has the function. */
struct block_input {
	const struct blocks *blocks;
	u32 event, side;
	frame_id function;
};

struct block_rows {
	VEC(struct block_row) v;
	u32 nr_sides;
};

/* order: the side whose differences order the rows. */
void block_diff_rows(struct block_rows *out, const struct block_input *inputs, size_t nr,
		     u32 nr_sides, u32 order);
void block_diff_release(struct block_rows *rows);

/* Average cycles more than the base's; false: the base or this side has no such block. */
bool block_diff_delta(const struct block_row *r, u32 side, s64 *delta);
u64 block_diff_average(const struct block_side *s);
/*
 * "± 43.7% ▁▁██▁▁▁█": how differently the base and this side took it, when they were seen first:
 * the standard error of the mean of the differences, relative to that. Nothing for less than two.
 */
void block_diff_add_spread(const struct block_row *r, u32 side, struct strbuf *out);
/* That text as a cell. */
void block_diff_pad_spread(const struct strbuf *text, u32 width, struct strbuf *out);
/* The relative standard error, in percent; NAN = unknown. */
double block_diff_spread(const struct block_row *r, u32 side);

#endif
