/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * levels: the rows below rows of an outline as one list, of which those below a row are there while
 * it is unfolded. The list is a table for those who draw rows.
 */
#ifndef TUI_LEVELS_H
#define TUI_LEVELS_H

#include "base/vec.h"
#include "view/outline.h"

struct level_line {
	struct view_rows *rows;
	size_t row; /* of these */
	struct view_rows *below; /* NULL = folded, or the lowest level */
};

/* Zero bytes have no outline. */
struct levels {
	const struct view_outline *outline; /* NULL = none */
	void (*close)(struct view_rows *rows); /* the outline's, which may be gone by then */
	struct view_rows *top;
	VEC(struct level_line) lines;
	struct view_table table; /* a row for each line */
};

/* The uppermost rows of an outline, NULL = of none; replaces what was there. */
void levels_reset(struct levels *l, const struct view_outline *o);
/* '+' and '-' for what can be unfolded and folded; ' ' on the lowest level. */
char levels_sign(const struct levels *l, size_t line);
/* deep: with all below. */
void levels_open(struct levels *l, size_t line, bool deep);
void levels_close(struct levels *l, size_t line);
/* Hashes of the names of the rows that are unfolded, and of those above them; unfolds those again
 * in another outline. */
VEC_TYPE(level_memory, u64);
void levels_remember(const struct levels *l, struct level_memory *m);
void levels_recall(struct levels *l, const struct level_memory *m);

#endif
