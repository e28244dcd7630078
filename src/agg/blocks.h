/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks: the code that ran between two taken branches, with the CPU cycles that it took (report
 * --total-cycles, diff -c cycles).
 *
 * A block ends where a branch came from and begins where the one before it went to, if that is in
 * the same function and not behind its end; else where the function begins. Blocks with the same
 * end are one, which begins at the lowest known beginning. Cycles of branches without a known
 * function count in the sum of all alone; samples whose latest branch took none are left out.
 *
 * Life as of agg, whose rows must have the keys BLOCKS_SORT: the larger number of rows that go to a
 * function is, the more weight have its blocks in the sum of all averages. Results do not depend on
 * the number of workers.
 */
#ifndef AGG_BLOCKS_H
#define AGG_BLOCKS_H

#include "agg/agg.h"

#define BLOCKS_SORT "comm,dso_from,symbol_from,symbol_to,cycles"

/* What a block took when it was seen first; since its beginning was known, if it ever was. */
enum { BLOCK_FIRST = 8 };
struct block_first {
	struct {
		u64 time, pos; /* of the sample */
		u32 before; /* branches that were taken after it: more are earlier */
		u16 cycles;
	} v[BLOCK_FIRST]; /* in order of time */
	u32 nr;
};

struct block {
	u32 event;
	u32 first; /* in the table that has the block, + 1; 0 = not kept */
	frame_id function;
	u64 start, end; /* in the object */
	u64 cycles, nr; /* of all branches that had any */
};

/* One event: rows in order of output, most cycles first. */
struct block_section {
	const struct block *rows;
	size_t nr_rows;
	u64 cycles; /* of all branches */
	double average; /* sum of all averages */
};

struct blocks;

/* keep_first: blocks_first() will be asked for. */
struct blocks *blocks_new(struct session *s, bool keep_first);
void blocks_free(struct blocks *b);
/* A sample; on workers. */
void blocks_add(struct blocks *b, struct session_worker *w, const struct session_record *r);
/* After agg_finish(). a: NULL = all blocks are kept, whether rows go to their functions or not, in
 * the order that blocks_of() needs. */
void blocks_finish(struct blocks *b, const struct agg *a);
/* After blocks_finish() without rows: those of a function, how many; *first is their beginning,
 * NULL where there are none. */
size_t blocks_of(const struct blocks *b, u32 event, frame_id function, const struct block **first);
const struct block_first *blocks_first(const struct blocks *b, const struct block *row);
/* Where the function of a block begins in the object. */
u64 blocks_base(const struct blocks *b, const struct block *row);
/* Valid until blocks_free(). */
void blocks_section(const struct blocks *b, u32 event, struct block_section *out);
/* "[file.c:3 -> file.c:7]", "[function+0 -> function+18]" */
void blocks_add_range(const struct blocks *b, const struct block *row, struct strbuf *out);
const char *blocks_object(const struct blocks *b, const struct block *row);

#endif
