/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: what a report prints, as data: columns with headers and widths, rows of text cells, and
 * below a row optionally a tree, which is made only when the renderer asks for it. Renderers decide
 * how it looks; nothing here knows where the numbers came from.
 */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include "base/strbuf.h"
#include "view/tree.h"

struct view_column {
	const char *header;
	u32 width; /* of the widest cell and the header, or as the user wished */
	bool right; /* header at the right edge */
	bool number; /* cells are numbers: left as they are where they hold a separator */
};

/*
 * A renderer walks the rows by number. cell() appends the text of a cell; width is the column's (0
 * = as short as possible, for separated output), which numbers fill from the left. tree() fills
 * *out (already reset) and returns false where a row has none. Cells of a column with the same
 * sign() have the same text, but for 0, which tells nothing; NULL: nobody knows. A renderer may ask
 * for several rows at once, from several threads.
 */
struct view_table {
	const struct view_column *columns;
	size_t nr_columns, nr_rows;
	bool padded; /* the last column is filled up too */
	void *ctx;
	void (*cell)(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out);
	u64 (*sign)(void *ctx, size_t row, size_t column);
	bool (*tree)(void *ctx, size_t row, struct view_tree *out);
};

#endif
