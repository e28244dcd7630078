/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: what keys do, as tables: one for each view. The help page is printed from them.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "base/strbuf.h"
#include "tui/screen.h"

struct tui;

enum { KEY_ROW_CODES = 10 };

struct key_row {
	u32 codes[KEY_ROW_CODES]; /* 0 = no more */
	const char *name; /* as the help page has it; NULL ends the table */
	const char *help;
	void (*act)(struct tui *t, void *view, const struct key *k);
	u32 number; /* k->number */
};

/* NULL: the key does nothing here. */
const struct key_row *keys_find(const struct key_row *table, u32 code);
/* Its name: the word of the row's name that stands where its code does, or the last. */
void keys_add_name(const struct key_row *row, u32 code, struct strbuf *out);
/* For --debug tui-keys: the names of a view's keys. The table may be NULL. */
void keys_tell(const char *title, const struct key_row *table);
/* "NAME  what it does", a line for each. */
void keys_help(const struct key_row *table, struct strbuf *out);

#endif
