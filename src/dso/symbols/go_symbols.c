/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/go_symbols.h"

#include "base/limits.h"
#include "dso/symbols/go_table.h"

/* Copies all names behind those of b; where in b they begin. False: there are none, or no room. */
static bool take_names(const struct go_table *t, struct symtab_builder *b, u64 *base)
{
	u64 size = t->names_end - t->names;

	*base = (b->file.size ? (u64)b->file.size + 1 : 0) + b->names.len;
	if (!size || *base + size >= SYM_PLT_NAMES)
		return false;
	strbuf_add(&b->names, t->data + t->names, size);
	strbuf_addch(&b->names, '\0');
	return true;
}

void go_symbols_read(const struct elf_file *f, struct symtab_builder *b)
{
	_cleanup_(go_table_release) struct go_table t;
	u64 base;

	if (!go_table_open(&t, f) || !take_names(&t, b, &base))
		return;
	for (u64 i = 0; i < t.nr && b->rows.nr < LIMIT_SYMBOLS; i++) {
		struct go_function fn;
		u64 offset;

		if (!go_table_function(&t, i, &fn) || !fn.name ||
		    !elf_file_offset(f, fn.start, &offset))
			continue;
		*VEC_PUSH(&b->rows) = (struct sym_row){
			.start = offset,
			.end = offset + (fn.end - fn.start) >= offset ? offset + (fn.end - fn.start)
								      : UINT64_MAX,
			.name = (u32)(base + (fn.name - t.names)),
			.binding = 'g',
		};
	}
}
