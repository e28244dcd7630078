/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the order of rows, which is a total one: by the steps of the configuration, where rows of
 * equal weight with their callees stand by the depth of their chains (the caller above what it
 * calls), and then by all keys, in compare_before()'s order.
 */
#ifndef AGG_ORDER_H
#define AGG_ORDER_H

#include "agg/private.h"

/* compare.c */
int order_compare(struct agg *a, const struct agg_entry *x, const struct agg_entry *y);
int order_compare_words(struct agg *a, const struct agg_key *key, u64 x, u64 y, bool before);
/* Whether depth decides among equal weights. */
static inline bool order_by_depth(const struct agg *a)
{
	return a->c.graphs && a->c.children;
}

/*
 * row_numbers.c: numbers that tell most of that order, of rows of sections with one member. The
 * rows are looked at until they are sorted.
 */
struct row_numbers;
struct row_numbers *row_numbers_new(struct agg *a, const struct agg_entry *const *rows, size_t nr);
void row_numbers_free(struct row_numbers *n);
/* Places in rows, in order; to be freed. Equal rows stay as they are. */
u32 *row_numbers_sort(const struct row_numbers *n);

#endif
