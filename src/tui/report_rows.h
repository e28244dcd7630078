/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_rows: the rows of a report as a list: which are shown, which are unfolded, which is
 * chosen.
 */
#ifndef TUI_REPORT_ROWS_H
#define TUI_REPORT_ROWS_H

#include "tui/browse.h"
#include "tui/folds.h"
#include "tui/levels.h"
#include "tui/list.h"
#include "tui/tui.h"

enum { REPORT_SIGN_WIDTH = 2 };

/* Rows that have a text in one of their names, found bit by bit. */
struct report_search {
	char *text; /* NULL = all rows are shown */
	VEC(u32) rows;
	size_t looked_at;
};

struct report_view {
	struct browse *b;
	struct levels levels; /* of a hierarchy */
	struct folds folds;
	struct list list;
	struct report_search search;
	struct {
		u64 row; /* folds_row_id() */
		size_t below; /* lines, which line of its graph */
	} chosen; /* when it was drawn last, where the rows will be others */
	bool unfolding; /* all rows, bit by bit: */
	size_t unfolded; /* places that are */
	u64 generation; /* of what the folds are of */
	struct strbuf text;
	struct view_marks marks;
};

/* Before anything is asked: where rows are others now, nothing that was remembered of them holds.
 */
void report_follow(struct report_view *v);
/* What is listed; there is a view. */
const struct view_table *report_listed(const struct report_view *v);
bool report_is_hierarchy(const struct report_view *v);
size_t report_nr_places(const struct report_view *v);
/* What is chosen now stays so when rows are others. */
void report_note_chosen(struct report_view *v);
/* Where the cursor is; there are lines. */
struct fold_place report_place(struct report_view *v);
/* '+' and '-' for what can be unfolded and folded, else ' '. */
char report_sign(struct report_view *v, const struct fold_place *p);
/* The row at the cursor; NULL: there is none. */
const struct agg_entry *report_row(struct report_view *v);
/* What it has of a key by its name; false: it is not among the keys. */
bool report_chosen(struct report_view *v, const char *key_name, const struct agg_key **key,
		   u64 *word);

/* The same of "symbol"; of a line of a call graph, its function. */
bool report_chosen_symbol(struct report_view *v, const struct agg_key **key, u64 *word);

/* Only rows with that text, which is found bit by bit; NULL or "": all. (ctx: the view) */
void report_search_for(struct tui *t, void *ctx, const char *text);
/* What is done bit by bit: looks at some more rows, unfolds some; false: there is nothing left. */
bool report_idle(struct tui *t, void *view);

/* Of what 100 % is. */
double report_percent(const struct report_view *v, const struct view_node *n);
/* "   - 12.34% name" */
void report_add_node(struct report_view *v, const struct fold_place *p, struct strbuf *out);
/* All lines of the list, as on the screen. */
void report_lines(struct report_view *v, struct strbuf *out);

/* At the cursor, or everywhere. */
enum report_fold { FOLD_TOGGLE, FOLD_OPEN, FOLD_DEEP, FOLD_CLOSE, FOLD_ALL, FOLD_NONE };
void report_fold(struct tui *t, struct report_view *v, enum report_fold how);

#endif
