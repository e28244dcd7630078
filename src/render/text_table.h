/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_table: a view_table as perf's --stdio prints it: "# " header lines, a row of dots, cells two
 * blanks apart; with a separator no dots, and the separator in names becomes '.'.
 */
#ifndef RENDER_TEXT_TABLE_H
#define RENDER_TEXT_TABLE_H

#include "base/par.h"
#include "render/text_tree.h"
#include "view/table.h"

struct text_table_opts {
	const char *separator; /* NULL = aligned columns */
	bool no_header;
	bool coloured; /* with a separator: only what is below the rows */
	struct text_tree_opts tree;
	/* Called for every finished piece of text; false stops. */
	bool (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
	struct par *par; /* makes the rows in parallel; NULL = one after the other */
};

/* False when writing stopped. */
bool text_table_print(const struct view_table *v, const struct text_table_opts *o);

#endif
