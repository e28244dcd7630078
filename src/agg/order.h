/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: what the files that put rows in order share: comparisons of two rows, numbers that tell
 * most of them (row_numbers.c), and perf's tree (order_tree.c).
 */
#ifndef AGG_ORDER_H
#define AGG_ORDER_H

#include "agg/private.h"

/*
 * What rows are compared by: all steps of the order and then the order before; all steps but the
 * first; only the order in which perf has the rows before it orders them.
 */
enum order_part { ORDER_ALL, ORDER_STEPS, ORDER_BEFORE };

/* order.c */
/* By the steps of the order from `first` on. */
int order_compare_from(struct agg *a, const struct agg_entry *x, const struct agg_entry *y,
		       size_t first);
int order_compare_before(struct agg *a, const struct agg_entry *x, const struct agg_entry *y);
int order_compare_words(struct agg *a, const struct agg_key *key, u64 x, u64 y, bool before);

/*
 * row_numbers.c: of rows of sections with one member, unless part is ORDER_BEFORE. The rows are
 * looked at until they are sorted or ranked. par: NULL = in this thread alone.
 */
struct row_numbers;
struct row_numbers *row_numbers_new(struct agg *a, const struct agg_entry *const *rows, size_t nr,
				    enum order_part part, struct par *par);
void row_numbers_free(struct row_numbers *n); /* NULL is allowed */
/* Places in rows, in order; to be freed. Equal rows stay as they are. */
u32 *row_numbers_sort(const struct row_numbers *n);
/* Of each row of [from, to): how many different ones of these come before it. ranks: by row. */
void row_numbers_rank(const struct row_numbers *n, size_t from, size_t to, u32 *ranks);
/* Sort places by their numbers; equal ones stay as they are. *order may be another block
 * afterwards. */
void row_numbers_sort_by(const u64 *numbers, u32 **order, size_t nr);

/*
 * order_tree.c: the rows of a section as perf's tree has them. order_tree_new() sorts them in
 * parallel. order_tree_grow(), which runs in one thread, and may do so beside what only reads rows,
 * takes most of the time; order_tree_finish() puts the section's rows in order.
 */
struct order_tree;
struct order_tree *order_tree_new(struct agg *a, struct agg_section *s);
void order_tree_grow(struct order_tree *t);
void order_tree_finish(struct order_tree *t);

#endif
