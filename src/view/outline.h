/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outline: a table of rows below rows. Each level shows columns of its own beside the numbers,
 * which all have; rows are made when somebody asks for what is below another one.
 */
#ifndef VIEW_OUTLINE_H
#define VIEW_OUTLINE_H

#include "view/table.h"

enum { OUTLINE_MAX_COLUMNS = 80 };

/* The rows below one, as a table of all columns; columns of other levels have no text. */
struct view_rows {
	struct view_table table;
	size_t level; /* of the rows, from 0 on */
};

struct view_outline {
	const struct view_column *columns;
	size_t nr_columns, nr_levels;
	u16 level[OUTLINE_MAX_COLUMNS]; /* by column: where it is shown, from 1 on; 0 = on all */
	double percent_limit; /* rows below are left out */
	void *ctx;
	/* above: NULL = the uppermost rows. To be closed, those below first, if
	 * need be after the outline's end. */
	struct view_rows *(*open)(void *ctx, const struct view_rows *above, size_t row);
	void (*close)(struct view_rows *rows);
};

#endif
