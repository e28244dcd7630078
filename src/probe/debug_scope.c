/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by name, what was inlined of them, and what is around an address. One walk over a unit
 * tells where its functions are and which entries stand for others.
 */
#include <string.h>

#include "base/search.h"
#include "dso/dwarf/forms.h"
#include "probe/debug_internal.h"

enum { TREE_DEPTH = 256, INDEX_MAX = 1 << 22 };
enum {
	AT_ABSTRACT_ORIGIN = 0x31,
	FORM_REF_ADDR = 0x10,
	FORM_REF_SUP4 = 0x1c,
	FORM_REF_SUP8 = 0x24,
	FORM_GNU_REF_ALT = 0x1f20
};

/* ---- index ---- */

static void add_code(void *ctx, u64 lo, u64 hi)
{
	struct probe_unit *u = ctx;

	if (lo && u->code.nr < INDEX_MAX)
		*VEC_PUSH(&u->code) =
			(struct probe_code){ .lo = lo, .hi = hi, .die = *VEC_LAST(&u->functions) };
}

static void index_entry(struct probe_unit *u, struct dwarf_reader at, u64 offset)
{
	struct dwarf_die die;

	if (!dwarf_die_read(u->full_d, u->full, &at, &die) || u->functions.nr >= INDEX_MAX)
		return;
	if (die.has_origin && u->copies.nr < INDEX_MAX)
		*VEC_PUSH(&u->copies) = (struct probe_copy){
			.origin = die.origin | (die.origin_in_alt ? PROBE_ALT : 0), .die = offset
		};
	if (die.tag != DW_TAG_subprogram)
		return;
	*VEC_PUSH(&u->functions) = offset;
	dwarf_die_ranges(u->full_d, u->full, &die, add_code, u);
}

static int code_cmp(const void *a, const void *b)
{
	const struct probe_code *x = a;
	const struct probe_code *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static int copy_cmp(const void *a, const void *b)
{
	const struct probe_copy *x = a;
	const struct probe_copy *y = b;

	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

/* Whether functions may stand below an entry. */
static bool holds_functions(u16 tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_skeleton_unit:
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

void probe_unit_index(struct probe_unit *u)
{
	const u8 *info = u->full_d->sections[DWARF_INFO].data;
	struct dwarf_reader r = dwarf_entries(u->full_d, u->full, u->full->dies, 0);
	struct dwarf_reader at = r;
	struct dwarf_skimmed die;
	u32 level = 0;

	if (u->have_index)
		return;
	u->have_index = true;
	for (; r.p < r.end && dwarf_die_skim(u->full_d, u->full, &r, &die); at = r) {
		if (!die.tag) {
			if (!level || !--level)
				break;
			continue;
		}
		if (die.tag == DW_TAG_subprogram || die.tag == DW_TAG_inlined_subroutine)
			index_entry(u, at, (u64)(at.p - info));
		if (!die.children)
			continue;
		if (!holds_functions(die.tag) && die.sibling > (u64)(r.p - info) &&
		    die.sibling < u->full->end)
			r.p = info + die.sibling;
		else if (++level == TREE_DEPTH)
			break;
	}
	VEC_SORT(&u->code, code_cmp);
	VEC_SORT(&u->copies, copy_cmp);
}

/* ---- ranges of entries ---- */

struct cover {
	u64 addr;
	bool found;
	u64 lo, end, first;
	bool any;
};

static void look_at_range(void *ctx, u64 lo, u64 hi)
{
	struct cover *c = ctx;

	if (!lo)
		return;
	c->found |= c->addr >= lo && c->addr < hi;
	if (!c->any)
		c->first = lo;
	c->lo = c->any ? MIN(c->lo, lo) : lo;
	c->end = MAX(c->end, hi);
	c->any = true;
}

/* Whether an entry's code contains an address. */
static bool probe_entry_covers(const struct dwarf_entry *e, u64 addr)
{
	struct cover c = { .addr = addr };

	dwarf_die_ranges(e->d, e->u, &e->die, look_at_range, &c);
	return c.found;
}

bool probe_entry_range(const struct dwarf_entry *e, u64 *lo, u64 *end)
{
	struct cover c = { 0 };

	dwarf_die_ranges(e->d, e->u, &e->die, look_at_range, &c);
	*lo = c.lo;
	*end = c.end;
	return c.any;
}

bool probe_entry_start(const struct dwarf_entry *e, u64 *start)
{
	struct cover c = { 0 };

	dwarf_die_ranges(e->d, e->u, &e->die, look_at_range, &c);
	*start = c.first;
	if (c.any && e->entry_pc.class == DWARF_ADDRESS)
		*start = e->entry_pc.v;
	else if (c.any && e->entry_pc.class == DWARF_ADDRESS_INDEX)
		dwarf_address(e->d, e->u, e->entry_pc.v, start);
	else if (c.any && e->entry_pc.class == DWARF_CONSTANT) /* DWARF 5: from the first address */
		*start = (e->die.has_low ? e->die.low : c.first) + e->entry_pc.v;
	return c.any;
}

/* ---- functions by name ---- */

struct query {
	struct probe_debug *g;
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

static void add_function(const struct query *q, struct probe_unit *u, const struct dwarf_entry *e)
{
	struct probe_function f = { .unit = u,
				    .entry = *e,
				    .is_inlined = e->die.tag == DW_TAG_inlined_subroutine };

	if (q->out->nr >= PROBE_PLACES_MAX || (f.is_inlined && q->no_inlines) ||
	    !probe_entry_start(e, &f.start))
		return;
	dwarf_entry_complete(&f.entry);
	*VEC_PUSH(q->out) = f;
}

/* Whether entries of a unit may stand for those of others: after optimising of all units at once,
 * or dwz. */
static bool refers_to_others(const struct probe_unit *u)
{
	VEC_FOR(&u->full->abbrevs->specs, s) {
		if (s->name == AT_ABSTRACT_ORIGIN &&
		    (s->form == FORM_REF_ADDR || s->form == FORM_GNU_REF_ALT ||
		     s->form == FORM_REF_SUP4 || s->form == FORM_REF_SUP8))
			return true;
	}
	return false;
}

static void add_copies_in(const struct query *q, struct probe_unit *u, u64 origin, int hops);

/* What stands for an entry: in its unit, and in those that refer to others. */
static void add_copies(const struct query *q, const struct probe_unit *home, u64 offset, int hops)
{
	bool in_alt = home->full_d == q->g->dwarf->alt;

	VEC_FOR(&q->g->units, it) {
		struct probe_unit *u = *it;
		bool foreign = u->full_d != home->full_d;

		if (u != home && (!refers_to_others(u) || (foreign && !in_alt)))
			continue;
		probe_unit_index(u);
		add_copies_in(q, u, offset | (foreign ? PROBE_ALT : 0), hops);
	}
}

static void add_copies_in(const struct query *q, struct probe_unit *u, u64 origin, int hops)
{
	size_t i = search_up_to(u->copies.v, u->copies.nr, sizeof(*u->copies.v), origin - 1);
	struct dwarf_entry e;

	for (; i < u->copies.nr && u->copies.v[i].origin == origin; i++) {
		if (!dwarf_entry_at(u->full_d, u->full, u->copies.v[i].die, &e))
			continue;
		add_function(q, u, &e);
		/* A declaration in a class, of which the abstract function is a copy, too. */
		if (!probe_entry_start(&e, &(u64){ 0 }) && hops > 0)
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

static void find_in_unit(const struct query *q, struct probe_unit *u)
{
	struct dwarf_entry e;

	probe_unit_index(u);
	for (size_t i = 0; i < u->functions.nr && q->out->nr < PROBE_PLACES_MAX; i++) {
		if (!dwarf_entry_at(u->full_d, u->full, u->functions.v[i], &e) || e.declaration)
			continue;
		if (is_copy(&e))
			continue;
		if (!has_name(q, &e) || !is_in_file(q, &e))
			continue;
		add_function(q, u, &e);
		if (!probe_entry_start(&e, &(u64){ 0 }))
			add_copies(q, u, e.offset, 1);
	}
}

void probe_functions_find(struct probe_debug *g, const char *name, const char *file,
			  bool no_inlines, struct probe_functions *out)
{
	struct query q = { .g = g,
			   .name = name,
			   .file = file,
			   .is_pattern = probe_is_pattern(name),
			   .no_inlines = no_inlines,
			   .out = out };

	probe_debug_read_units(g);
	VEC_FOR(&g->units, u)
		find_in_unit(&q, *u);
}

/* ---- around an address ---- */

/* The innermost function with code there. */
static bool function_at(struct probe_unit *u, u64 addr, struct dwarf_entry *out)
{
	size_t i;

	probe_unit_index(u);
	i = search_up_to(u->code.v, u->code.nr, sizeof(*u->code.v), addr);
	for (size_t tries = 0; i > 0 && tries < DWARF_WALK_DEPTH; i--, tries++)
		if (addr < u->code.v[i - 1].hi)
			return dwarf_entry_at(u->full_d, u->full, u->code.v[i - 1].die, out);
	return false;
}

bool probe_function_covers(const struct probe_function *f, u64 addr)
{
	struct dwarf_entry e;
	u64 start;

	/* What is inlined first may share its start with what is around it, whose line it begins
	 * with. */
	if (f->is_inlined && function_at(f->unit, addr, &e) && probe_entry_start(&e, &start) &&
	    start == addr)
		return false;
	return addr == f->start || probe_entry_covers(&f->entry, addr);
}

size_t probe_scopes_at(struct probe_debug *g, u64 addr, struct dwarf_entry *out, size_t max)
{
	struct probe_unit *u = probe_debug_unit_of(g, addr);
	struct dwarf_entry e;
	struct dwarf_walk w;
	size_t nr = 0;
	bool enter = false;

	if (!u || !max || !function_at(u, addr, &out[0]))
		return 0;
	dwarf_walk_begin(&w, &out[nr++]);
	while (nr < max && dwarf_walk_next(&w, enter, &e)) {
		bool block = e.die.tag == DW_TAG_lexical_block ||
			     e.die.tag == DW_TAG_inlined_subroutine ||
			     e.die.tag == DW_TAG_try_block || e.die.tag == DW_TAG_catch_block;

		enter = false;
		if (!block)
			continue;
		/* A block without addresses belongs to what is around it. */
		if (probe_entry_covers(&e, addr)) {
			out[nr++] = e;
			enter = true;
		}
	}
	return nr;
}
