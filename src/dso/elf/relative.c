/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/relative.h"

enum { AT_ONCE = 1024 };

/* False: enough. */
static bool read_section(const struct elf_file *f, const struct elf_section *s, elf_relative_fn *fn,
			 void *ctx)
{
	Elf64_Rela entries[AT_ONCE];
	u64 n;

	for (u64 at = 0; s->size - at >= sizeof(*entries); at += n * sizeof(*entries)) {
		n = MIN((s->size - at) / sizeof(*entries), AT_ONCE);
		if (!elf_read(f, s->offset + at, entries, n * sizeof(*entries)))
			break;
		for (u64 i = 0; i < n; i++)
			if (!fn(ctx, elf_u64(f, &entries[i].r_offset),
				elf_u64(f, &entries[i].r_addend)))
				return false;
	}
	return true;
}

void elf_relative_each(const struct elf_file *f, elf_relative_fn *fn, void *ctx)
{
	u64 left = f->size; /* no byte is in two sections */

	for (u32 i = 0; f->is64 && i < f->nr_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (s->type != SHT_RELA || !elf_section_present(f, s) || s->size > left)
			continue;
		left -= s->size;
		if (!read_section(f, s, fn, ctx))
			return;
	}
}
