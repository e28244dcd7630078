/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias: expansion of the first word; see alias.h.
 */
#include "cli/alias.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

static int split(struct alias_line *l, const char *name, struct err *e)
{
	_cleanup_(mem_freep) char *what = xasprintf("alias '%s'", name);
	if (words_split(&l->words, l->text, what, e))
		return -1;
	return l->words.nr ? 0 : err_set(e, EINVAL, "alias '%s' is empty", name);
}

static void through_shell(struct alias_line *l)
{
	char *script = xasprintf("%s \"$@\"", l->text + 1);
	/* With "$@" in it, the alias places its arguments itself. */
	if (strstr(l->text, "$@") || strstr(l->text, "$1"))
		script[strlen(l->text + 1)] = '\0';
	free(l->text);
	l->text = script;
	words_add(&l->words, "!");
	words_add(&l->words, "sh");
	words_add(&l->words, "-c");
	words_add(&l->words, script);
}

int alias_expand(const struct config *c, int argc, const char **argv, struct alias_line *out,
		 struct err *e)
{
	_cleanup_(mem_freep) char *asked = xasprintf("alias.%s", argv[0]);
	_cleanup_(mem_freep) char *key = config_key_normal(asked);
	const char *value = config_get(c, key);
	*out = (struct alias_line){ .text = NULL };
	if (!value)
		return 0;
	out->text = xstrdup(value);
	if (value[0] == '!') {
		through_shell(out);
		words_add(&out->words, argv[0]);
	} else if (split(out, argv[0], e)) {
		alias_line_release(out);
		return -1;
	}
	for (int i = 1; i < argc; i++)
		words_add(&out->words, argv[i]);
	return 1;
}

void alias_line_release(struct alias_line *line)
{
	words_release(&line->words);
	free(line->text);
	*line = (struct alias_line){ .text = NULL };
}
