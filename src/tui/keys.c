/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/keys.h"

#include <string.h>

#include "base/log.h"

enum { NAME_WIDTH = 16 };

const struct key_row *keys_find(const struct key_row *table, u32 code)
{
	for (const struct key_row *r = table; r->name; r++)
		for (size_t i = 0; i < KEY_ROW_CODES && r->codes[i]; i++)
			if (r->codes[i] == code)
				return r;
	return NULL;
}

void keys_add_name(const struct key_row *row, u32 code, struct strbuf *out)
{
	const char *word = row->name;

	for (size_t i = 0; i < KEY_ROW_CODES && row->codes[i] != code && strchr(word, ' '); i++)
		word = strchr(word, ' ') + 1;
	strbuf_add(out, word, strcspn(word, " "));
}

void keys_tell(const char *title, const struct key_row *table)
{
	for (const struct key_row *r = table; r && r->name; r++)
		log_subject(LOG_KEYS, "view %s: %s", title, r->name);
}

void keys_help(const struct key_row *table, struct strbuf *out)
{
	for (const struct key_row *r = table; r->name; r++)
		strbuf_addf(out, "  %-*s%s%s\n", NAME_WIDTH, r->name,
			    strlen(r->name) < NAME_WIDTH ? "" : "  ", r->help);
}
