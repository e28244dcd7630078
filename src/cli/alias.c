/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias: expansion of the first word; see alias.h.
 */
#include "cli/alias.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

static void add_word(struct alias_line *l, const char *word)
{
	l->argv = xrealloc_array(l->argv, (size_t)l->argc + 2, sizeof(*l->argv));
	l->argv[l->argc++] = word;
	l->argv[l->argc] = NULL;
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

static int split(struct alias_line *l, const char *name, struct err *e)
{
	char *in = l->text + strspn(l->text, " \t\n"), *word;
	while (*in) {
		/* The end of a word overwrites the blank behind it at most. */
		if (!next_word(&in, &word))
			return err_set(e, EINVAL, "alias '%s' has an open quote", name);
		if (l->argc >= ALIAS_MAX_WORDS)
			return err_set(e, E2BIG, "alias '%s' has too many words", name);
		add_word(l, word);
	}
	return l->argc ? 0 : err_set(e, EINVAL, "alias '%s' is empty", name);
}

static void through_shell(struct alias_line *l)
{
	char *script = xasprintf("%s \"$@\"", l->text + 1);
	/* With "$@" in it, the alias places its arguments itself. */
	if (strstr(l->text, "$@") || strstr(l->text, "$1"))
		script[strlen(l->text + 1)] = '\0';
	free(l->text);
	l->text = script;
	add_word(l, "!");
	add_word(l, "sh");
	add_word(l, "-c");
	add_word(l, script);
}

int alias_expand(const struct config *c, int argc, const char **argv, struct alias_line *out,
		 struct err *e)
{
	_cleanup_(mem_freep) char *asked = xasprintf("alias.%s", argv[0]);
	_cleanup_(mem_freep) char *key = config_key_normal(asked);
	const char *value = config_get(c, key);
	*out = (struct alias_line){ .argc = 0 };
	if (!value)
		return 0;
	out->text = xstrdup(value);
	if (value[0] == '!') {
		through_shell(out);
		add_word(out, argv[0]);
	} else if (split(out, argv[0], e)) {
		alias_line_release(out);
		return -1;
	}
	for (int i = 1; i < argc; i++)
		add_word(out, argv[i]);
	return 1;
}

void alias_line_release(struct alias_line *line)
{
	free(line->argv);
	free(line->text);
	*line = (struct alias_line){ .argc = 0 };
}
