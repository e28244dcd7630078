/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: where somebody is in a list of lines, of which only those on the screen are ever looked at,
 * and how far these are moved to the left.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/screen.h"

enum { LIST_SHIFT = 8 }; /* columns that RIGHT and LEFT shift long lines by */

struct list {
	size_t nr; /* lines */
	size_t cursor, top; /* the chosen line; the uppermost on the screen */
	u32 height; /* lines that fit */
	u32 y; /* the first of them on the screen */
	size_t shift; /* characters of the lines that are left out */
};

/* Another number of lines, or another place: the cursor stays inside and visible. */
void list_fit(struct list *l, size_t nr, u32 y, u32 height);
void list_go(struct list *l, size_t line);
/* Where that scrolls, the line is in the middle then. */
void list_go_middle(struct list *l, size_t line);
/* Keys by which list_take() moves; LEFT may mean more than that. */
bool list_moves(const struct key *k);
/* Keys that move: false, it is another one. A click moves to the line that was hit. */
bool list_take(struct list *l, const struct key *k);
/* A line's text without what is left out. */
const char *list_shifted(const struct list *l, const char *text);
/* "12-34/200000" */
void list_place(const struct list *l, char *out, size_t size);

#endif
