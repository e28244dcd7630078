/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by name, and what was inlined of them.
 */
#include <string.h>

#include "base/search.h"
#include "probe/debug_internal.h"

enum {
	AT_ABSTRACT_ORIGIN = 0x31,
	FORM_REF_ADDR = 0x10,
	FORM_REF_SUP4 = 0x1c,
	FORM_REF_SUP8 = 0x24,
	FORM_GNU_REF_ALT = 0x1f20
};

struct query {
	struct debug_info *g;
	const char *name, *file;
	bool is_pattern, no_inlines;
	struct probe_functions *out;
};

static bool has_name(const struct query *q, const struct dwarf_entry *e)
{
	const char *name = dwarf_entry_name(e);
	const char *linkage;

	if (name && (q->is_pattern ? probe_match(q->name, name) : strcmp(q->name, name) == 0))
		return true;
	if (q->is_pattern)
		return false;
	linkage = dwarf_function_name(e->d, e->u, &e->die);
	return linkage && linkage != name && strcmp(q->name, linkage) == 0;
}

static bool is_in_file(const struct query *q, const struct dwarf_entry *e)
{
	struct dwarf_entry whole = *e;
	struct dwarf_place place;

	if (!q->file)
		return true;
	dwarf_entry_complete(&whole);
	return dwarf_entry_place(&whole, &place) && probe_place_fits(&place, q->file);
}

static void add_function(const struct query *q, struct debug_unit *u, const struct dwarf_entry *e)
{
	struct probe_function f = { .unit = u,
				    .entry = *e,
				    .is_inlined = e->die.tag == DW_TAG_inlined_subroutine };

	if (q->out->nr >= PROBE_PLACES_MAX || (f.is_inlined && q->no_inlines) ||
	    !debug_entry_start(e, &f.start))
		return;
	dwarf_entry_complete(&f.entry);
	*VEC_PUSH(q->out) = f;
}

/* Whether entries of a unit may stand for those of others: after optimising of all units at once,
 * or dwz. */
static bool refers_to_others(const struct debug_unit *u)
{
	VEC_FOR(&u->full->abbrevs->specs, s) {
		if (s->name == AT_ABSTRACT_ORIGIN &&
		    (s->form == FORM_REF_ADDR || s->form == FORM_GNU_REF_ALT ||
		     s->form == FORM_REF_SUP4 || s->form == FORM_REF_SUP8))
			return true;
	}
	return false;
}

static void add_copies_in(const struct query *q, struct debug_unit *u, u64 origin, int hops);

/* What stands for an entry: in its unit, and in those that refer to others. */
static void add_copies(const struct query *q, const struct debug_unit *home, u64 offset, int hops)
{
	bool in_alt = home->full_d == q->g->dwarf->alt;

	VEC_FOR(&q->g->units, it) {
		struct debug_unit *u = *it;
		bool foreign = u->full_d != home->full_d;

		if (u != home && (!refers_to_others(u) || (foreign && !in_alt)))
			continue;
		debug_unit_index(u);
		add_copies_in(q, u, offset | (foreign ? DEBUG_ALT : 0), hops);
	}
}

static void add_copies_in(const struct query *q, struct debug_unit *u, u64 origin, int hops)
{
	size_t i = search_up_to(u->copies.v, u->copies.nr, sizeof(*u->copies.v), origin - 1);
	struct dwarf_entry e;

	for (; i < u->copies.nr && u->copies.v[i].origin == origin; i++) {
		if (!dwarf_entry_at(u->full_d, u->full, u->copies.v[i].die, &e))
			continue;
		add_function(q, u, &e);
		/* A declaration in a class, of which the abstract function is a copy, too. */
		if (!debug_entry_start(&e, &(u64){ 0 }) && hops > 0)
			add_copies(q, u, e.offset, hops - 1);
	}
}

/* Copies of what is described elsewhere come with that; definitions of what is declared elsewhere
 * do not. */
static bool is_copy(const struct dwarf_entry *e)
{
	struct dwarf_value ref = { .class = e->die.origin_in_alt ? DWARF_REFERENCE_ALT
								 : DWARF_REFERENCE,
				   .v = e->die.origin };
	struct dwarf_entry origin;

	return e->die.has_origin && dwarf_entry_follow(e, &ref, &origin) && !origin.declaration;
}

static void find_in_unit(const struct query *q, struct debug_unit *u)
{
	struct dwarf_entry e;

	debug_unit_index(u);
	for (size_t i = 0; i < u->functions.nr && q->out->nr < PROBE_PLACES_MAX; i++) {
		if (!dwarf_entry_at(u->full_d, u->full, u->functions.v[i], &e) || e.declaration)
			continue;
		if (is_copy(&e))
			continue;
		if (!has_name(q, &e) || !is_in_file(q, &e))
			continue;
		add_function(q, u, &e);
		if (!debug_entry_start(&e, &(u64){ 0 }))
			add_copies(q, u, e.offset, 1);
	}
}

void probe_functions_find(struct debug_info *g, const char *name, const char *file, bool no_inlines,
			  struct probe_functions *out)
{
	struct query q = { .g = g,
			   .name = name,
			   .file = file,
			   .is_pattern = probe_is_pattern(name),
			   .no_inlines = no_inlines,
			   .out = out };

	debug_info_read_units(g);
	VEC_FOR(&g->units, u)
		find_in_unit(&q, *u);
}

bool probe_function_covers(const struct probe_function *f, u64 addr)
{
	struct dwarf_entry e;
	u64 start;

	/* What is inlined first may share its start with what is around it, whose line it begins
	 * with. */
	if (f->is_inlined && debug_function_at(f->unit, addr, &e) &&
	    debug_entry_start(&e, &start) && start == addr)
		return false;
	return addr == f->start || debug_entry_covers(&f->entry, addr);
}
