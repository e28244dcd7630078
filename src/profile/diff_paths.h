/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_paths: the call paths of functions as rows below them: an outline of a table that has rows
 * for both.
 */
#ifndef PROFILE_DIFF_PATHS_H
#define PROFILE_DIFF_PATHS_H

#include "agg/snapshot.h"
#include "view/outline.h"

/* Life: the number of functions; diff_paths_fill(), diff_paths_open(), diff_paths_close(). */
struct diff_paths {
	const struct view_table *table; /* is borrowed */
	u32 *functions; /* rows of the table: those behind the paths, in their order */
	u32 *first; /* by function: its paths are paths[first[i]] up to paths[first[i + 1]] */
	u32 *paths; /* rows of the table */
	size_t nr; /* functions */
	struct view_outline outline;
};

/* Numbers of things by their groups, each in their order: those of group i from first[i] on up to
 * first[i + 1]; first is zero bytes. To be freed. */
u32 *diff_paths_divide(const u32 *group, size_t nr, size_t nr_groups, u32 *first);
/* The functions of joined rows, by numbers from 0 on: rows that are called alike but for one line
 * of their names. To be freed. */
u32 *diff_paths_functions(const struct joined *j, size_t line, size_t *nr);
/* The table's rows begin with the paths, of which each has the place of its function among those
 * that follow. */
void diff_paths_fill(struct diff_paths *p, const u32 *function, size_t nr_paths);
/* The column "call_path" is of the paths, other names are of the functions. */
const struct view_outline *diff_paths_open(struct diff_paths *p, const struct view_table *table);
void diff_paths_close(struct diff_paths *p); /* zero bytes are allowed */
/* The rows of the table that a row of the outline stands for: itself, or the function's paths. */
const u32 *diff_paths_below(const struct view_rows *level, size_t row, size_t *nr);

#endif
