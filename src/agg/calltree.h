/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calltree: the call graph of one row, from its weighted chains.
 *
 * Chains are given as views of frame ids; the tree is made depth first, and a branch below the
 * threshold is never entered, so the cost is that of what will be printed. Children are ordered by
 * weight; equal ones by object (younger first) and address (higher first), which is what perf's
 * trees do. One thread per builder.
 */
#ifndef AGG_CALLTREE_H
#define AGG_CALLTREE_H

#include "session/session.h"
#include "view/tree.h"

/* A frame that stands for frames too light to be shown, and ends what can be shown of a chain. */
enum { CHAIN_BREAK = 0 };

struct chain_item {
	const frame_id *at; /* next frame */
	u32 left; /* frames from it to the end */
	s32 step; /* 1 or -1: direction in memory */
	u32 notes; /* from a frame to the number of its note, 0 = there are none */
	u64 weight;
	u32 count;
};

/* The same as a node of a trie: a frame behind those that lead to it. */
struct graph_node {
	frame_id frame;
	u32 parent, child, next; /* nodes, 0 = none */
	u32 row1; /* entry of a row that begins here, + 1; 0 = none */
	u64 total, count; /* of the chains that come here */
};

struct calltree_opts {
	bool flat; /* one node per chain below the root instead of a tree */
	bool bare; /* what is known of branches is not in the labels */
	bool relative; /* the threshold is a share of the parent, not of total */
	bool full_source_path; /* source files with their directories */
	double min_percent;
	u64 total;
	/* by frame: the one to show instead, whose address does not count; NULL = none */
	const frame_id *function_of;
	bool lines; /* with function_of: its source line is shown */
};

struct calltree_builder;

struct calltree_builder *calltree_builder_new(struct session *s);
void calltree_builder_free(struct calltree_builder *b);
/* items are used up. */
void calltree_build(struct calltree_builder *b, struct chain_item *items, size_t nr,
		    const struct calltree_opts *o, struct view_tree *out);
/* nodes: numbers of nodes of a trie, where chains of the row go on. */
void calltree_build_nodes(struct calltree_builder *b, const struct graph_node *trie,
			  const u32 *nodes, size_t nr, const struct calltree_opts *o,
			  struct view_tree *out);
#endif
