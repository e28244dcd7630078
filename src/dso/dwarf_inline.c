/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inlined calls: one walk over a unit's entries makes a flat list of ranges with nesting depths. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf.h"

enum { INLINES_MAX = 1 << 22, TREE_DEPTH = 256 };

struct dwarf_inlines {
	VEC(struct dwarf_inline) v; /* by lo, then depth */
};

void dwarf_inlines_free(struct dwarf_inlines *l)
{
	if (!l)
		return;
	vec_free(&l->v);
	free(l);
}

static void add_range(void *ctx, u64 lo, u64 hi)
{
	struct dwarf_inlines *l = ctx;
	struct dwarf_inline copy;

	if (l->v.nr >= INLINES_MAX || !lo)
		return;
	/* The last one is the pattern. */
	copy = *VEC_LAST(&l->v);
	VEC_LAST(&l->v)->lo = lo;
	VEC_LAST(&l->v)->hi = hi;
	*VEC_PUSH(&l->v) = copy;
}

static int inline_cmp(const void *a, const void *b)
{
	const struct dwarf_inline *x = a;
	const struct dwarf_inline *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* Whether code may stand below an entry of that kind. */
static bool holds_code(u16 tag)
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
	case DW_TAG_entry_point:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

static void add_inline(struct dwarf *d, struct dwarf_unit *u, struct dwarf_inlines *l,
		       const struct dwarf_die *die, u32 depth)
{
	*VEC_PUSH(&l->v) = (struct dwarf_inline){ .depth = depth, .call_file = die->call_file,
						  .call_line = die->call_line,
						  .name = dwarf_function_name(d, u, die) };
	dwarf_die_ranges(d, u, die, add_range, l);
	l->v.nr--;
}

/* Skip over what is below an entry; false: it must be walked. */
static bool skip_below(const struct dwarf_unit *u, const struct dwarf *d, const struct dwarf_die *die,
		       struct dwarf_reader *r)
{
	if (!die->sibling || die->sibling >= u->end ||
	    d->sections[DWARF_INFO].data + die->sibling <= r->p)
		return false;
	r->p = d->sections[DWARF_INFO].data + die->sibling;
	return true;
}

static struct dwarf_inlines *read_inlines(struct dwarf *d, struct dwarf_unit *u)
{
	struct dwarf_inlines *l = XNEW(struct dwarf_inlines);
	struct dwarf_reader r = dwarf_info_at(d, u, u->dies);
	u8 depths[TREE_DEPTH] = { 0 }; /* of inlining, by depth of the tree */
	u32 level = 0;
	struct dwarf_die die;
	u64 max_hi = 0;

	while (r.p < r.end && l->v.nr < INLINES_MAX && dwarf_die_read(d, u, &r, &die)) {
		u8 depth = depths[level];

		if (!die.tag) {
			if (!level--)
				break;
			continue;
		}
		if (die.tag == DW_TAG_inlined_subroutine && depth < DWARF_INLINE_DEPTH)
			add_inline(d, u, l, &die, ++depth);
		else if (die.tag == DW_TAG_subprogram)
			depth = 0;
		if (!die.children || (!holds_code(die.tag) && skip_below(u, d, &die, &r)))
			continue;
		if (level == TREE_DEPTH - 1)
			break;
		depths[++level] = depth;
	}
	VEC_SORT(&l->v, inline_cmp);
	VEC_FOR(&l->v, i) {
		max_hi = MAX(max_hi, i->hi);
		i->max_hi = max_hi;
	}
	return l;
}

size_t dwarf_inline_find(struct dwarf *d, struct dwarf_unit *u, u64 addr,
			 const struct dwarf_inline **out, size_t max)
{
	const struct dwarf_inline *by_depth[DWARF_INLINE_DEPTH + 1] = { NULL };
	size_t nr = 0;
	size_t lo;

	if (!u->inlines) {
		struct dwarf *in;
		struct dwarf_unit *full = dwarf_full_unit(d, u, &in);

		u->inlines = read_inlines(in, full);
	}
	lo = search_up_to(u->inlines->v.v, u->inlines->v.nr, sizeof(*u->inlines->v.v), addr);
	for (; lo && u->inlines->v.v[lo - 1].max_hi > addr; lo--) {
		const struct dwarf_inline *i = &u->inlines->v.v[lo - 1];

		if (addr < i->hi && !by_depth[i->depth])
			by_depth[i->depth] = i;
	}
	for (size_t depth = DWARF_INLINE_DEPTH; depth > 0 && nr < max; depth--)
		if (by_depth[depth])
			out[nr++] = by_depth[depth];
	return nr;
}
