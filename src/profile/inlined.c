/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/inlined.h"

#include <string.h>

#include "dso/source.h"
#include "profile/alike.h"

/* By the names that stay the same in all builds. */
static bool is_called(const char *function, const char *name, struct strbuf *text)
{
	if (!function)
		return false;
	strbuf_reset(text);
	alike_add_symbol(function, strlen(function), text);
	return !strcmp(text->buf, name);
}

bool inlined_in(struct dso *d, u32 symbol, const char *name, size_t *left)
{
	_cleanup_(strbuf_releasep) struct strbuf want = STRBUF_INIT, text = STRBUF_INIT;
	struct source_frame frames[SOURCE_FRAMES_MAX];
	const struct symtab *st = dso_symtab(d);
	u64 end = symtab_end(st, symbol);

	alike_add_symbol(name, strlen(name), &want);
	for (u64 addr = symtab_start(st, symbol); addr < end && *left; addr++, --*left) {
		size_t nr = dso_source(d, addr, frames, ARRAY_SIZE(frames));

		if (!nr)
			return false;
		for (size_t i = 0; i + 1 < nr; i++)
			if (is_called(frames[i].function, want.buf, &text))
				return true;
	}
	return false;
}
