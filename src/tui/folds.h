/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folds: rows of a table as lines, with the call graphs below those that are unfolded. What is not
 * unfolded costs nothing, however many rows there are.
 */
#ifndef TUI_FOLDS_H
#define TUI_FOLDS_H

#include "base/vec.h"
#include "view/table.h"

struct fold_line {
	u32 node;
	u32 label; /* of the node's */
	u32 depth;
};

/* A row that is unfolded. */
struct fold {
	size_t at; /* place of the row */
	size_t line; /* the row's, with all that is unfolded above it */
	struct view_tree tree;
	u8 *open; /* by node */
	VEC(struct fold_line) lines;
};

/* A row that was unfolded, and what was so below it: hashes of its names, and of those on the way.
 */
struct fold_memory {
	u64 row;
	VEC(u64) open;
};

struct folds {
	const struct view_table *table;
	const u32 *rows; /* by place; NULL: all, in their order */
	size_t nr; /* places */
	VEC(struct fold) folds; /* by place */
	size_t nr_below; /* lines of all folds */
	u8 *has; /* by place: 0 = not asked yet, 1 = no graph, 2 = there is one */
	bool remembers; /* what is unfolded is so again in the next table */
	VEC(struct fold_memory) memory; /* of the first FOLDS_REMEMBERED of them */
};

/* Which row, and which line below it. */
struct fold_place {
	size_t at, row;
	struct fold *fold; /* NULL: the row is folded */
	const struct fold_line *line; /* NULL: the row itself */
};

enum { FOLDS_REMEMBERED = 256 };

/* All rows folded, but for those that are remembered. */
void folds_reset(struct folds *f, const struct view_table *table, const u32 *rows, size_t nr);
void folds_release(struct folds *f);
size_t folds_nr_lines(const struct folds *f);
struct fold_place folds_at(const struct folds *f, size_t line);
size_t folds_line_of(const struct folds *f, size_t at);
/* By its names, whichever table it is in; without names by its place. */
u64 folds_row_id(const struct folds *f, size_t at);
bool folds_find(const struct folds *f, u64 row_id, size_t *at);
/* '+' and '-' for what can be unfolded and folded, else ' '. */
char folds_sign(struct folds *f, const struct fold_place *p);
/* One level; deep: with all below. */
void folds_open(struct folds *f, const struct fold_place *p, bool deep);
void folds_close(struct folds *f, const struct fold_place *p);
/* Unfolds rows with all below, from place *at on, which moves, for some ms; false: all are. */
bool folds_open_some(struct folds *f, size_t *at);
void folds_close_all(struct folds *f);
/* What is to be chosen then: the same line while it is the row's at that place, else the row. */
size_t folds_stay(const struct folds *f, size_t line, size_t at);
/* "   - 12.34% name": a line of a graph; percent: what its node has. */
void folds_add_node(struct folds *f, const struct fold_place *p, double percent,
		    struct strbuf *out);

#endif
