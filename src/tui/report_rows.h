/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_rows: what the rows of a report are about.
 */
#ifndef TUI_REPORT_ROWS_H
#define TUI_REPORT_ROWS_H

#include "tui/browse.h"
#include "tui/row_list.h"
#include "tui/scripts.h"

struct report_view {
	struct browse *b;
	struct row_list rows;
	u64 generation; /* of what they are of */
	struct scripts scripts;
};

/* Before anything is asked: where rows are others now, nothing that was remembered of them holds.
 */
void report_follow(struct report_view *v);
/* The row at the cursor; NULL: there is none. */
const struct agg_entry *report_row(struct report_view *v);
/* What it has of a key by its name; false: it is not among the keys. */
bool report_chosen(struct report_view *v, const char *key_name, const struct agg_key **key,
		   u64 *word);

/* The same of "symbol"; of a line of a call graph, its function. */
bool report_chosen_symbol(struct report_view *v, const struct agg_key **key, u64 *word);

#endif
