/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: a weighted tree of labelled nodes (a call graph below one table row). Node 0 is the root
 * and carries no label; every other node carries one or more consecutive labels (frames without a
 * fork between them). Children are already in the order of output.
 *
 * Zero bytes are an empty tree. The labels are borrowed or lie in the tree's arena.
 */
#ifndef VIEW_TREE_H
#define VIEW_TREE_H

#include "base/arena.h"
#include "base/vec.h"

enum view_label_kind {
	VIEW_LABEL_INLINED = 1 << 0, /* the text ends with " (inlined)" */
	VIEW_LABEL_GUESS = 1 << 1, /* with " [guess]": nothing proves this caller */
};

struct view_label {
	const char *text;
	u32 kind;
	u32 code; /* the maker's number of what it names, 0 = none */
	u64 cycles; /* of the branches that it stands for, on average */
};

struct view_node {
	u32 labels, nr_labels; /* in view_tree.labels */
	u32 child, next; /* node numbers, 0 = none */
	u64 self, self_count; /* weight and samples that end here */
	u64 total, count; /* with everything below, also what was cut off */
};

struct view_tree {
	VEC(struct view_node) nodes;
	VEC(struct view_label) labels;
	struct arena arena;
	u64 row_total; /* what the row above the tree stands for */
	u64 total; /* what 100 % is */
};

void view_tree_reset(struct view_tree *t);
void view_tree_release(struct view_tree *t);
u32 view_tree_add(struct view_tree *t);

#endif
