/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void words_add(struct words *w, const char *word)
{
	w->v = xrealloc_array(w->v, (size_t)w->nr + 2, sizeof(*w->v));
	w->v[w->nr++] = word;
	w->v[w->nr] = NULL;
}

/* One word of *in, unquoted in place; false: a quote is open. */
static bool next_word(char **in, char **word)
{
	char *from = *in, *to = *in, quote = 0;
	*word = to;
	for (; *from && (quote || !isspace((u8)*from)); from++) {
		if (quote && *from == quote) {
			quote = 0;
		} else if (!quote && (*from == '\'' || *from == '"')) {
			quote = *from;
		} else {
			if (*from == '\\' && quote != '\'' && from[1])
				from++;
			*to++ = *from;
		}
	}
	while (*from && isspace((u8)*from))
		from++;
	*in = from;
	*to = '\0';
	return !quote;
}

int words_split(struct words *w, char *text, const char *what, struct err *e)
{
	char *in = text + strspn(text, " \t\n"), *word;
	while (*in) {
		/* The end of a word overwrites the blank behind it at most. */
		if (!next_word(&in, &word))
			return err_set(e, EINVAL, "%s has an open quote", what);
		if (w->nr >= WORDS_MAX)
			return err_set(e, E2BIG, "%s has too many words", what);
		words_add(w, word);
	}
	return 0;
}

void words_release(struct words *w)
{
	free(w->v);
	*w = (struct words){ .nr = 0 };
}

void words_quote(struct strbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./=,:+@%";

	if (*word && strspn(word, plain) == strlen(word)) {
		strbuf_adds(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			strbuf_adds(out, "'\\''");
		else
			strbuf_addch(out, *p);
	}
	strbuf_addch(out, '\'');
}
