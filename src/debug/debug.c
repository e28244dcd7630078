/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debug/debug.h"

#include <errno.h>

#include "dso/elf/symbols.h"
#include "dso/symbols/symtab.h"
#include "debug/debug.h"
#include "unwind/cfi.h"

enum { UNITS_MAX = 1 << 22 };

struct debug_info *debug_info_open(struct dso *d, struct err *e)
{
	struct debug_info *g = XNEW(struct debug_info);
	const struct elf_file *f;

	g->dso = d;
	g->is_kernel = dso_is_kernel(d);
	if (!dso_dwarf_open(d, &g->files)) {
		err_set(e, ENODATA, "'%s' has no debug information", dso_long_name(d));
		debug_info_close(g);
		return NULL;
	}
	f = dso_dwarf_file(&g->files);
	g->dwarf = g->files.dwarf;
	g->machine = f->machine;
	dwarf_look_for_variables(g->dwarf, f);
	return g;
}

static void free_unit(struct debug_unit *u)
{
	vec_free(&u->code);
	vec_free(&u->copies);
	vec_free(&u->functions);
	vec_free(&u->rows);
	free(u);
}

void debug_info_close(struct debug_info *g)
{
	if (!g)
		return;
	VEC_FOR(&g->units, u)
		free_unit(*u);
	vec_free(&g->units);
	cfi_free(g->cfi);
	symtab_free(g->symbols);
	dso_dwarf_close(&g->files);
	free(g);
}

static void add_units(struct debug_info *g, struct dwarf *d)
{
	struct dwarf_unit *u;

	for (u64 at = 0; g->units.nr < UNITS_MAX && (u = dwarf_unit_next(d, at)) != NULL;
	     at = u->end) {
		struct debug_unit *p;

		if (u->split_type)
			continue;
		p = XNEW(struct debug_unit);
		p->d = d;
		p->u = u;
		p->full = dwarf_full_unit(d, u, &p->full_d);
		*VEC_PUSH(&g->units) = p;
	}
}

void debug_info_read_units(struct debug_info *g)
{
	if (g->have_units)
		return;
	g->have_units = true;
	add_units(g, g->dwarf);
	if (g->dwarf->alt)
		add_units(g, g->dwarf->alt);
}

struct debug_unit *debug_info_unit_of(struct debug_info *g, u64 addr)
{
	const struct dwarf_unit *u = dwarf_unit_of(g->dwarf, addr);

	debug_info_read_units(g);
	for (size_t lo = 0, hi = g->units.nr; u && lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		struct debug_unit *p = g->units.v[mid];

		if (p->u == u)
			return p;
		if (p->d == g->dwarf && p->u->offset < u->offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const struct symtab *debug_info_symbols(struct debug_info *g)
{
	const struct elf_file *files[] = { &g->files.module.f, &g->files.object, &g->files.debug };
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const struct elf_file *best = NULL;

	if (g->symbols)
		return g->symbols;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (elf_file_is_open(files[i]) &&
		    (!best || elf_symbols_kind(files[i]) > elf_symbols_kind(best)))
			best = files[i];
	if (best)
		elf_symbols_read(best, elf_symbols_kind(best), best, ELF_SPACE_MEMORY, &b);
	g->symbols = symtab_build(&b, 0);
	return g->symbols;
}
