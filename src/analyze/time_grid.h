/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_grid: sums over time, of several rows side by side: columns of equal length, never more than
 * GRID_COLUMNS. When time goes beyond the last one, two columns become one each; so the length of a
 * recording need not be known before, and memory is the same for all. One thread.
 */
#ifndef ANALYZE_TIME_GRID_H
#define ANALYZE_TIME_GRID_H

#include "base/types.h"

enum { GRID_COLUMNS = 64 };

struct time_grid {
	u32 rows;
	u32 used; /* columns, up to the last one that something was added to */
	u64 start; /* ns: of the first column */
	u64 width; /* ns of a column; 0 = nothing was added yet */
	u64 *sums; /* rows times GRID_COLUMNS */
};

void time_grid_init(struct time_grid *g, u32 rows);
void time_grid_release(struct time_grid *g);
/* A time before the first one counts as that. */
void time_grid_add(struct time_grid *g, u32 row, u64 time, u64 number);
/* What lasted from one time to another: each column gets its part, in ns. */
void time_grid_add_span(struct time_grid *g, u32 row, u64 from, u64 until);
u64 time_grid_at(const struct time_grid *g, u32 row, u32 column);

#endif
