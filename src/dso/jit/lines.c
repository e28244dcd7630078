/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/lines.h"

#include <string.h>

#include "base/bits.h"

/* V8 counts from the header of an ELF file that it imagines. */
enum { FIXED = 16, ELF_HEADER = 0x40 };

static bool next(struct jit_lines *l, struct jit_line_entry *out)
{
	const char *name = l->at + FIXED, *nul;
	u64 addr;

	if (!l->left || l->end - l->at <= FIXED)
		return false;
	nul = memchr(name, 0, (size_t)(l->end - name));
	if (!nul)
		return false;
	addr = bits_u64(l->at);
	out->line = bits_u32(l->at + 8);
	if (l->swap) {
		addr = __builtin_bswap64(addr);
		out->line = __builtin_bswap32(out->line);
	}
	out->offset = addr - l->addr;
	if (strcmp(name, "\xff") != 0)
		l->file = name;
	out->file = l->file;
	l->at = nul + 1;
	l->left--;
	return true;
}

static bool is_name(const char *s)
{
	if (!s || !*s)
		return false;
	for (; *s; s++)
		if ((unsigned char)*s < ' ')
			return false;
	return true;
}

bool jit_lines_begin(struct jit_lines *l, const void *bytes, u32 size, u32 nr)
{
	struct jit_lines look;
	struct jit_line_entry e;
	u64 first = UINT64_MAX, last = 0;

	l->at = bytes;
	l->end = l->at + size;
	l->left = nr;
	l->file = NULL;
	look = *l;
	while (next(&look, &e)) {
		if (!is_name(e.file))
			return false;
		first = e.offset < first ? e.offset : first;
		last = e.offset > last ? e.offset : last;
	}
	/* Of a function without a line for its first bytes it would be wrong by as much. */
	if (first >= ELF_HEADER && first != UINT64_MAX) {
		l->addr += ELF_HEADER;
		last -= ELF_HEADER;
	}
	return !look.left && last <= l->size;
}

bool jit_lines_next(struct jit_lines *l, struct jit_line_entry *out)
{
	return next(l, out);
}
