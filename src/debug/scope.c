/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by name, what was inlined of them, and what is around an address. One walk over a unit
 * tells where its functions are and which entries stand for others.
 */
#include <string.h>

#include "base/search.h"
#include "dso/dwarf/forms.h"
#include "dso/dwarf/tags.h"
#include "debug/debug.h"

enum { TREE_DEPTH = 256, INDEX_MAX = 1 << 22 };

/* ---- index ---- */

static void add_code(void *ctx, u64 lo, u64 hi)
{
	struct debug_unit *u = ctx;

	if (lo && u->code.nr < INDEX_MAX)
		*VEC_PUSH(&u->code) =
			(struct debug_code){ .lo = lo, .hi = hi, .die = *VEC_LAST(&u->functions) };
}

static void index_entry(struct debug_unit *u, struct dwarf_reader at, u64 offset)
{
	struct dwarf_die die;

	if (!dwarf_die_read(u->full_d, u->full, &at, &die) || u->functions.nr >= INDEX_MAX)
		return;
	if (die.has_origin && u->copies.nr < INDEX_MAX)
		*VEC_PUSH(&u->copies) = (struct debug_copy){
			.origin = die.origin | (die.origin_in_alt ? DEBUG_ALT : 0), .die = offset
		};
	if (die.tag != DW_TAG_subprogram)
		return;
	*VEC_PUSH(&u->functions) = offset;
	dwarf_die_ranges(u->full_d, u->full, &die, add_code, u);
}

static int code_cmp(const void *a, const void *b)
{
	const struct debug_code *x = a;
	const struct debug_code *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static int copy_cmp(const void *a, const void *b)
{
	const struct debug_copy *x = a;
	const struct debug_copy *y = b;

	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

void debug_unit_index(struct debug_unit *u)
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
		if (!dwarf_holds_code(die.tag) && die.sibling > (u64)(r.p - info) &&
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

bool debug_entry_covers(const struct dwarf_entry *e, u64 addr)
{
	struct cover c = { .addr = addr };

	dwarf_die_ranges(e->d, e->u, &e->die, look_at_range, &c);
	return c.found;
}

bool debug_entry_range(const struct dwarf_entry *e, u64 *lo, u64 *end)
{
	struct cover c = { 0 };

	dwarf_die_ranges(e->d, e->u, &e->die, look_at_range, &c);
	*lo = c.lo;
	*end = c.end;
	return c.any;
}

bool debug_entry_start(const struct dwarf_entry *e, u64 *start)
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

/* ---- around an address ---- */

bool debug_function_at(struct debug_unit *u, u64 addr, struct dwarf_entry *out)
{
	size_t i;

	debug_unit_index(u);
	i = search_up_to(u->code.v, u->code.nr, sizeof(*u->code.v), addr);
	for (size_t tries = 0; i > 0 && tries < DWARF_WALK_DEPTH; i--, tries++)
		if (addr < u->code.v[i - 1].hi)
			return dwarf_entry_at(u->full_d, u->full, u->code.v[i - 1].die, out);
	return false;
}

size_t debug_scopes_at(struct debug_info *g, u64 addr, struct dwarf_entry *out, size_t max)
{
	struct debug_unit *u = debug_info_unit_of(g, addr);
	struct dwarf_entry e;
	struct dwarf_walk w;
	size_t nr = 0;
	bool enter = false;

	if (!u || !max || !debug_function_at(u, addr, &out[0]))
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
		if (debug_entry_covers(&e, addr)) {
			out[nr++] = e;
			enter = true;
		}
	}
	return nr;
}
