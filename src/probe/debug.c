/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/debug.h"

#include <errno.h>

#include "dso/elf/symbols.h"
#include "dso/symbols/symtab.h"
#include "probe/debug_internal.h"
#include "unwind/cfi.h"

enum { UNITS_MAX = 1 << 22 };

struct probe_debug *probe_debug_open(struct dso *d, struct err *e)
{
	struct probe_debug *g = XNEW(struct probe_debug);
	const struct elf_file *f;

	g->dso = d;
	g->is_kernel = dso_is_kernel(d);
	if (!dso_dwarf_open(d, &g->files)) {
		err_set(e, ENODATA, "'%s' has no debug information", dso_long_name(d));
		probe_debug_close(g);
		return NULL;
	}
	f = dso_dwarf_file(&g->files);
	g->dwarf = g->files.dwarf;
	g->machine = f->machine;
	dwarf_look_for_variables(g->dwarf, f);
	return g;
}

static void free_unit(struct probe_unit *u)
{
	vec_free(&u->code);
	vec_free(&u->copies);
	vec_free(&u->functions);
	vec_free(&u->rows);
	free(u);
}

void probe_debug_close(struct probe_debug *g)
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

static void add_units(struct probe_debug *g, struct dwarf *d)
{
	struct dwarf_unit *u;

	for (u64 at = 0; g->units.nr < UNITS_MAX && (u = dwarf_unit_next(d, at)) != NULL;
	     at = u->end) {
		struct probe_unit *p;

		if (u->split_type)
			continue;
		p = XNEW(struct probe_unit);
		p->d = d;
		p->u = u;
		p->full = dwarf_full_unit(d, u, &p->full_d);
		*VEC_PUSH(&g->units) = p;
	}
}

void probe_debug_read_units(struct probe_debug *g)
{
	if (g->have_units)
		return;
	g->have_units = true;
	add_units(g, g->dwarf);
	if (g->dwarf->alt)
		add_units(g, g->dwarf->alt);
}

struct probe_unit *probe_debug_unit_of(struct probe_debug *g, u64 addr)
{
	const struct dwarf_unit *u = dwarf_unit_of(g->dwarf, addr);

	probe_debug_read_units(g);
	for (size_t lo = 0, hi = g->units.nr; u && lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		struct probe_unit *p = g->units.v[mid];

		if (p->u == u)
			return p;
		if (p->d == g->dwarf && p->u->offset < u->offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const struct symtab *probe_debug_symbols(struct probe_debug *g)
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

/* ---- results ---- */

static void release_args(struct probe_debug_args *args)
{
	VEC_FOR(args, a) {
		free(a->name);
		free(a->fetch);
		free(a->problem);
		free(a->type);
	}
	vec_free(args);
}

void probe_debug_places_release(struct probe_debug_places *p)
{
	VEC_FOR(&p->v, place) {
		free(place->function);
		free(place->symbol);
		free(place->asked);
		free(place->file);
		release_args(&place->args);
	}
	vec_free(&p->v);
	*p = (struct probe_debug_places){ 0 };
}

void probe_debug_vars_release(struct probe_debug_vars_vec *v)
{
	VEC_FOR(v, place) {
		free(place->function);
		VEC_FOR(&place->lines, line)
			free(*line);
		vec_free(&place->lines);
	}
	vec_free(v);
}

void probe_debug_lines_release(struct probe_debug_lines *l)
{
	free(l->function);
	free(l->file);
	free(l->comp_dir);
	vec_free(&l->lines);
	*l = (struct probe_debug_lines){ 0 };
}
