/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/keys.h"

enum { NAME_WIDTH = 16 };

const struct key_row *keys_find(const struct key_row *table, u32 code)
{
	for (const struct key_row *r = table; r->name; r++)
		for (size_t i = 0; i < KEY_ROW_CODES && r->codes[i]; i++)
			if (r->codes[i] == code)
				return r;
	return NULL;
}

void keys_help(const struct key_row *table, struct strbuf *out)
{
	for (const struct key_row *r = table; r->name; r++)
		strbuf_addf(out, "  %-*s%s\n", NAME_WIDTH, r->name, r->help);
}
