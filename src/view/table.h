/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: what a report shows, as data: columns with headers and widths, rows of cells as text and
 * as numbers, and below a row optionally a tree, which is made only when the renderer asks for it.
 * Renderers decide how it looks; nothing here knows where the numbers came from.
 */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include "base/strbuf.h"
#include "view/tree.h"

/* What the numbers of a column count. */
enum view_unit {
	VIEW_TEXT,
	VIEW_PERIOD,
	VIEW_LATENCY,
	VIEW_SAMPLES,
	VIEW_CYCLES,
	VIEW_WEIGHTED, /* signed: differences of weighted periods */
	VIEW_POINTS, /* real: differences of percentages */
	VIEW_RATIO, /* real */
	VIEW_MORE_CYCLES, /* signed: differences of cycles */
};

struct view_column {
	const char *name; /* as users and programs call it */
	const char *header;
	u32 width; /* of the widest cell and the header, or as the user wished */
	bool right; /* header at the right edge */
	bool number; /* cells are numbers: left as they are where they hold a separator */
	bool share; /* which are shown as shares of a whole, in percent */
	enum view_unit unit; /* VIEW_TEXT: there are none, though it may look so */
};

/* How much attention a piece of text deserves; colours are a renderer's. */
enum view_class { VIEW_PLAIN, VIEW_WARM, VIEW_HOT };

/* Of a share of the whole, in percent. */
enum view_class view_class_of(double percent);

/* Pieces of a text that are not plain, one behind the other. */
struct view_mark {
	size_t from, len;
	enum view_class class;
};

VEC_TYPE(view_marks, struct view_mark);

struct view_amount {
	u64 value; /* VIEW_WEIGHTED, VIEW_MORE_CYCLES: a s64 */
	double percent; /* of what is the whole in its column; 0 where that is not shown */
	double real; /* of units that are, in place of value */
};

/*
 * A renderer walks the rows by number. Names in texts are not escaped. cell() appends the text of a
 * cell; width is the column's (0 = as short as possible, for separated output), which numbers fill
 * from the left. marks may be NULL; else it is empty and gets what is not plain, by places in out.
 * Cells of a column with the same sign() have the same text, but for 0, which tells nothing; NULL:
 * nobody knows. number(): of columns with a unit, the number of the member-th event that the
 * section is about; false where there is none. text(): of the others the text alone, neither padded
 * nor cut; false where the row does not have this column. tree() fills *out (already reset) and
 * returns false where a row has none. A renderer may ask for several rows at once, from several
 * threads, unless the table is serial.
 */
struct view_table {
	const struct view_column *columns;
	size_t nr_columns, nr_rows;
	u32 nr_members; /* numbers that a cell of numbers has */
	bool padded; /* the last column is filled up too */
	bool serial;
	void *ctx;
	void (*cell)(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		     struct view_marks *marks);
	u64 (*sign)(void *ctx, size_t row, size_t column);
	bool (*text)(void *ctx, size_t row, size_t column, struct strbuf *out);
	bool (*number)(void *ctx, size_t row, size_t column, u32 member, struct view_amount *out);
	bool (*tree)(void *ctx, size_t row, struct view_tree *out);
};

#endif
