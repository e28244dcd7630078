/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/time_grid.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_WIDTH = 1024 };

void time_grid_init(struct time_grid *g, u32 rows)
{
	*g = (struct time_grid){ .rows = rows };
	g->sums = XNEW_ARRAY(u64, (size_t)rows * GRID_COLUMNS);
}

void time_grid_release(struct time_grid *g)
{
	free(g->sums);
	*g = (struct time_grid){ .rows = 0 };
}

static u64 *cell(const struct time_grid *g, u32 row, u32 column)
{
	return &g->sums[(size_t)row * GRID_COLUMNS + column];
}

static void join_columns(struct time_grid *g)
{
	for (u32 row = 0; row < g->rows; row++) {
		for (u32 i = 0; i < GRID_COLUMNS / 2; i++)
			*cell(g, row, i) = *cell(g, row, 2 * i) + *cell(g, row, 2 * i + 1);
		for (u32 i = GRID_COLUMNS / 2; i < GRID_COLUMNS; i++)
			*cell(g, row, i) = 0;
	}
	g->width *= 2;
	g->used = (g->used + 1) / 2;
}

static u32 column_of(struct time_grid *g, u64 time)
{
	u64 since;

	if (!g->width) {
		g->start = time;
		g->width = FIRST_WIDTH;
	}
	since = time > g->start ? time - g->start : 0;
	while (since / g->width >= GRID_COLUMNS)
		join_columns(g);
	g->used = MAX(g->used, (u32)(since / g->width) + 1);
	return (u32)(since / g->width);
}

void time_grid_add(struct time_grid *g, u32 row, u64 time, u64 number)
{
	u32 column = column_of(g, time);

	*cell(g, row, column) += number;
}

void time_grid_add_span(struct time_grid *g, u32 row, u64 from, u64 until)
{
	if (until <= from)
		return;
	column_of(g, from);
	if (from < g->start)
		from = g->start;
	/* (the last column first: it may make all of them longer) */
	for (u32 i = column_of(g, MAX(until, g->start + 1) - 1) + 1; i-- && until > from;) {
		u64 begin = MAX(g->start + i * g->width, from);

		*cell(g, row, i) += until - begin;
		until = begin;
	}
}

u64 time_grid_at(const struct time_grid *g, u32 row, u32 column)
{
	return *cell(g, row, column);
}
