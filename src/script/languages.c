/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <strings.h>

#include "base/mem.h"
#include "script/engine.h"

static const char *const perl_extensions[] = { "pl", NULL };

const struct script_language script_perl = { .name = "Perl", .extensions = perl_extensions };

static const struct script_language *const languages[] = { &script_perl, &script_python };

static bool is_word(const char *word, const char *name, size_t len)
{
	return strlen(word) == len && !strncasecmp(word, name, len);
}

const struct script_language *script_language_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		if (is_word(languages[i]->name, name, len))
			return languages[i];
		for (const char *const *x = languages[i]->extensions; *x; x++)
			if (is_word(*x, name, len))
				return languages[i];
	}
	return NULL;
}

static void add_row(struct strbuf *out, const char *word, const struct script_language *l)
{
	strbuf_addf(out, "  %-42s [%s]%s\n", word, l->name, l->start ? "" : " (not supported)");
}

void script_languages_add_list(struct strbuf *out)
{
	strbuf_adds(
		out,
		"Scripting language extensions (used in perf script -s [spec:]script.[spec]):\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		add_row(out, languages[i]->name, languages[i]);
		for (const char *const *x = languages[i]->extensions; *x; x++)
			add_row(out, *x, languages[i]);
	}
	strbuf_addch(out, '\n');
}
