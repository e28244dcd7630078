/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_list: the rows of a section as a list: which are shown, in which order, which are unfolded,
 * which is chosen; and how they are drawn. Lines 0 and 1 of the screen are a title and the headers.
 */
#ifndef TUI_ROW_LIST_H
#define TUI_ROW_LIST_H

#include "tui/folds.h"
#include "tui/levels.h"
#include "tui/list.h"
#include "tui/tui.h"
#include "view/profile.h"

enum { ROW_LIST_SIGN_WIDTH = 2 };

/* Rows that have a text in one of their names, found bit by bit. */
struct row_list_search {
	char *text; /* NULL = all rows are shown */
	VEC(u32) rows;
	size_t looked_at;
};

/* Zero bytes and .text = STRBUF_INIT have no rows. */
struct row_list {
	const struct view_section *section; /* NULL = none */
	bool goes_on; /* rows are others every few seconds: what is unfolded or chosen stays so */
	struct levels levels; /* of a hierarchy */
	struct level_memory
		unfolded_levels; /* when it was drawn last, where the rows will be others */
	struct folds folds;
	struct list list;
	struct row_list_search search;
	struct {
		char *text; /* rows with that in a column alone; NULL = all */
		size_t column;
	} only;
	u32 *order; /* by a column; NULL = as they are */
	struct {
		u64 row; /* folds_row_id() */
		size_t below; /* lines, which line of its graph */
	} chosen; /* when it was drawn last, where the rows will be others */
	bool unfolding; /* all rows, bit by bit: */
	size_t unfolded; /* places that are */
	struct strbuf text;
	struct view_marks marks;
};

/* Rows are others now. s is borrowed until the next call. */
void row_list_show(struct row_list *r, const struct view_section *s);
void row_list_release(struct row_list *r);

/* What is listed; there is a section. */
const struct view_table *row_list_listed(const struct row_list *r);
bool row_list_is_hierarchy(const struct row_list *r);
size_t row_list_nr_places(const struct row_list *r);
/* Where the cursor is; there are lines. */
struct fold_place row_list_place(const struct row_list *r);

/* Only rows with that text, which is found bit by bit; NULL or "": all. */
void row_list_search_for(struct tui *t, void *rows, const char *text);
/* The same while it is typed. */
void row_list_ask_search(struct tui *t, struct row_list *r);
/* Whether some are still to be looked at. */
bool row_list_is_searched(const struct row_list *r);
/* Besides, only rows that have that text and no other in a column; NULL: all. */
void row_list_show_only(struct tui *t, struct row_list *r, size_t column, const char *text);
/* Until rows are others: by a column. */
void row_list_order_by(struct tui *t, struct row_list *r, size_t column);
/* What is done bit by bit: looks at some more rows, unfolds some; false: there is nothing left. */
bool row_list_idle(struct tui *t, struct row_list *r);

/* At the cursor, or everywhere. */
enum row_list_fold { FOLD_TOGGLE, FOLD_OPEN, FOLD_DEEP, FOLD_CLOSE, FOLD_ALL, FOLD_NONE };
void row_list_fold(struct tui *t, struct row_list *r, enum row_list_fold how);

/* place: what stands at the right edge, NULL = which lines are shown. */
void row_list_draw_title(struct tui *t, struct row_list *r, const char *title, const char *place);
void row_list_draw(struct tui *t, struct row_list *r);
/* Writes all lines of the list, as on the screen, to a new file perf.hist.N, behind a first line.
 */
void row_list_export(struct tui *t, struct row_list *r, const char *first);

#endif
