/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swap: from foreign to native byte order, in place: a record's body piece by piece, from its
 * beginning on. What the record is too short for is left out.
 */
#ifndef PERFDATA_SWAP_H
#define PERFDATA_SWAP_H

#include "base/bits.h"
#include "perfdata/record.h"

static inline u64 swap_left(const struct swap_body *b)
{
	return (u64)(b->end - b->at);
}

static inline void swap_words64(struct swap_body *b, u64 n)
{
	n = MIN(n, swap_left(b) / 8);
	bits_swap64(b->at, n);
	b->at += n * 8;
}

static inline void swap_words32(struct swap_body *b, u64 n)
{
	n = MIN(n, swap_left(b) / 4);
	bits_swap32(b->at, n);
	b->at += n * 4;
}

static inline void swap_words16(struct swap_body *b, u64 n)
{
	n = MIN(n, swap_left(b) / 2);
	bits_swap16(b->at, n);
	b->at += n * 2;
}

static inline void swap_pass(struct swap_body *b, u64 n)
{
	b->at += MIN(n, swap_left(b));
}

/* Swap a count and return it, at most as many as there are elements of size bytes behind it. */
static inline u64 swap_count64(struct swap_body *b, u64 size)
{
	u64 n;

	if (swap_left(b) < 8)
		return 0;
	swap_words64(b, 1);
	n = bits_u64(b->at - 8);
	return MIN(n, swap_left(b) / size);
}

void swap_header(struct perf_event_header *h);
/* An attr of size bytes in the file's byte order; what it is too short for is 0. */
void attr_from_file(struct perf_event_attr *out, const void *raw, u32 size, bool swap);

/* Records whose shape is no list of fields. */
void swap_mmap2(struct swap_body *b, u16 misc);
void swap_attr(struct swap_body *b, u16 misc);
void swap_event_update(struct swap_body *b, u16 misc);
void swap_cpu_map(struct swap_body *b, u16 misc);

#endif
