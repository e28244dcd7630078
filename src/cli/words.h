/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words: a text of the configuration split into the words of a command line. Quotes '...', "..."
 * and backslashes work as in sh, nothing else does. One thread.
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "base/err.h"
#include "base/strbuf.h"

enum { WORDS_MAX = 4096 };

/* NULL-terminated, or NULL when there is no word. */
struct words {
	const char *
		*v; /* point into the text that was split, or to where words_add() was given them */
	int nr;
};

/* Append one word, which must live as long as the list. */
void words_add(struct words *w, const char *word);
/*
 * Append the words of a text, which is changed and must live as long as they. what: whose text it
 * is, for the error ("alias 'hot'"): an open quote, or too many words.
 */
int words_split(struct words *w, char *text, const char *what, struct err *e);
void words_release(struct words *w);

/* Append a word for a POSIX shell, quoted where it needs to be. */
void words_quote(struct strbuf *out, const char *word);

#endif
