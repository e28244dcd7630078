/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as a configuration file. Where it can be read, every setting is then changed: the new
 * text must give the new value and leave all others as they were. Aliases among them are expanded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/alias.h"
#include "cli/config.h"

enum { MAX_CHANGES = 8 };

static void expand(const struct config *c, const char *key)
{
	const char *argv[] = { key + strlen("alias."), "more", NULL };
	struct alias_line line;
	struct err e = ERR_INIT;

	if (!strncmp(key, "alias.", strlen("alias.")) && alias_expand(c, 2, argv, &line, &e) == 1)
		alias_line_release(&line);
}

static void change(const char *text, size_t size, const struct config *old, size_t which)
{
	static const char value[] = "  new # \"value\"\n\\ ";
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const char *key = old->settings[which].key;
	struct config now = { .nr = 0 };
	struct err e = ERR_INIT;

	/* A quoted section may have the dots and the case that a key on the command line cannot
	 * say. */
	if (!config_key_valid(key))
		return;
	if (config_edit(&out, text, size, "f", key, value, &e) ||
	    config_parse(&now, out.buf, out.len, "f", &e))
		abort();
	for (size_t i = 0; i < old->nr; i++) {
		const char *want = i == which ? value : old->settings[i].value;
		const char *got = config_get(&now, old->settings[i].key);
		if (!got || strcmp(got, want))
			abort();
	}
	if (now.nr != old->nr)
		abort();
	config_release(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct config c = { .nr = 0 };
	struct err e = ERR_INIT;

	if (!config_parse(&c, text, size, "f", &e)) {
		for (size_t i = 0; i < MIN(c.nr, (size_t)MAX_CHANGES); i++)
			change(text, size, &c, i);
	}
	for (size_t i = 0; i < c.nr; i++)
		expand(&c, c.settings[i].key);
	config_release(&c);
	return 0;
}
