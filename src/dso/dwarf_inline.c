/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inlined calls. A first walk over a unit's entries finds where its functions are; of a function that is
 * asked for, all that was inlined becomes a list of ranges with nesting depths.
 *
 * The first walk goes over the insides of functions where it can, for functions are in others only in
 * languages that few use. Where an address is in none of what it found, everything is looked at.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf.h"

enum { INLINES_MAX = 1 << 22, FUNCTIONS_MAX = 1 << 22, TREE_DEPTH = 256 };
enum { WINDOW = 1 << 16, WINDOW_REST = 1 << 12 /* bytes of most entries */ };

struct function {
	u64 die, end; /* its entry and those below; end 0 = unknown */
	bool read;
	u32 first, nr; /* what is inlined: by lo, then depth */
};

struct code {
	u64 lo, hi;
	u64 max_hi; /* of this and all before: where a search backwards may end */
	u32 function;
};

struct dwarf_inlines {
	/* that the entries are in; for a skeleton, the other half */
	struct dwarf *d;
	struct dwarf_unit *u;
	bool leapt; /* over the insides of functions */
	VEC(struct function) functions;
	VEC(struct code) code; /* by lo */
	VEC(struct dwarf_inline) v;
};

void dwarf_inlines_free(struct dwarf_inlines *l)
{
	if (!l)
		return;
	vec_free(&l->functions);
	vec_free(&l->code);
	vec_free(&l->v);
	free(l);
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

/* ---- where functions are ---- */

static void add_code(void *ctx, u64 lo, u64 hi)
{
	struct dwarf_inlines *l = ctx;

	if (l->code.nr < FUNCTIONS_MAX && lo)
		*VEC_PUSH(&l->code) = (struct code){ .lo = lo, .hi = hi, .function = (u32)l->functions.nr };
}

/* r: at its entry. */
static void add_function(struct dwarf_inlines *l, struct dwarf_reader r, u64 offset, u64 end)
{
	size_t before = l->code.nr;
	struct dwarf_die die;

	if (!dwarf_die_read(l->d, l->u, &r, &die))
		return;
	dwarf_die_ranges(l->d, l->u, &die, add_code, l);
	if (l->code.nr > before)
		*VEC_PUSH(&l->functions) = (struct function){ .die = offset, .end = end };
}

/* Over a unit's entries, through a window on the file where that is possible: most are not needed again. */
struct walk {
	struct dwarf_inlines *l;
	struct dwarf_reader r; /* over bytes */
	const u8 *bytes;
	u64 base;   /* offset of bytes */
	u8 *window; /* NULL: bytes are those of the section */
};

static u64 walk_offset(const struct walk *w)
{
	return w->base + (u64)(w->r.p - w->bytes);
}

static void walk_directly(struct walk *w, u64 offset)
{
	free(w->window);
	w->window = NULL;
	w->r = dwarf_entries(w->l->d, w->l->u, offset, 0);
	w->bytes = w->r.p;
	w->base = offset;
}

static void walk_to(struct walk *w, u64 offset)
{
	const struct dwarf_inlines *l = w->l;
	u64 end = w->base + (u64)(w->r.end - w->bytes);
	size_t size = (size_t)MIN(l->u->end - offset, (u64)WINDOW);

	if (offset < end && (end - offset >= WINDOW_REST || end == l->u->end)) {
		w->r.p = w->bytes + (offset - w->base);
		return;
	}
	if (!w->window || !dwarf_section_copy(&l->d->sections[DWARF_INFO], offset, w->window, size)) {
		walk_directly(w, offset);
		return;
	}
	w->base = offset;
	w->r = (struct dwarf_reader){ .p = w->window, .end = w->window + size, .swap = l->d->swap };
}

static void walk_begin(struct walk *w, struct dwarf_inlines *l)
{
	*w = (struct walk){ .l = l };
	if (!dwarf_section_can_copy(&l->d->sections[DWARF_INFO])) {
		walk_directly(w, l->u->dies);
		return;
	}
	w->bytes = w->window = xmalloc(WINDOW);
	w->r.p = w->r.end = w->bytes;
	walk_to(w, l->u->dies);
}

/* The next entry, at: where it begins; false at the end. */
static bool walk_next(struct walk *w, struct dwarf_reader *at, struct dwarf_skimmed *die)
{
	struct dwarf_inlines *l = w->l;
	u64 offset = walk_offset(w);

	if (offset >= l->u->end)
		return false;
	walk_to(w, offset);
	*at = w->r;
	if (dwarf_die_skim(l->d, l->u, &w->r, die))
		return true;
	if (!w->window)
		return false;
	/* broken, or very long */
	walk_directly(w, offset);
	*at = w->r;
	return dwarf_die_skim(l->d, l->u, &w->r, die);
}

/* Skip over what is below an entry; false: it must be walked. */
static bool walk_leap(struct walk *w, const struct dwarf_skimmed *die)
{
	if (!die->sibling || die->sibling >= w->l->u->end || die->sibling <= walk_offset(w))
		return false;
	walk_to(w, die->sibling);
	return true;
}

static int code_cmp(const void *a, const void *b)
{
	const struct code *x = a;
	const struct code *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* all: also those inside of functions. */
static void find_functions(struct dwarf_inlines *l, bool all)
{
	struct dwarf_skimmed die;
	struct dwarf_reader at;
	struct walk w;
	u64 max_hi = 0;
	u32 level = 0;

	l->leapt = false;
	l->functions.nr = l->code.nr = l->v.nr = 0;
	walk_begin(&w, l);
	while (walk_next(&w, &at, &die)) {
		bool function = die.tag == DW_TAG_subprogram;

		if (!die.tag) {
			if (!level--)
				break;
			continue;
		}
		if (function && die.has_code)
			add_function(l, at, w.base + (u64)(at.p - w.bytes), die.sibling);
		if (!die.children || (!holds_code(die.tag) && walk_leap(&w, &die)))
			continue;
		if (function && !all && walk_leap(&w, &die)) {
			l->leapt = true;
			continue;
		}
		if (++level == TREE_DEPTH)
			break;
	}
	free(w.window);
	VEC_SORT(&l->code, code_cmp);
	VEC_FOR(&l->code, c) {
		max_hi = MAX(max_hi, c->hi);
		c->max_hi = max_hi;
	}
}

/* ---- what is inlined into one ---- */

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

/* r: at its entry. */
static void add_inline(struct dwarf_inlines *l, struct dwarf_reader r, u32 depth)
{
	u64 offset = (u64)(r.p - l->d->sections[DWARF_INFO].data);
	struct dwarf_die die;

	if (!dwarf_die_read(l->d, l->u, &r, &die))
		return;
	*VEC_PUSH(&l->v) = (struct dwarf_inline){ .die = offset, .depth = depth, .call_file = die.call_file,
						  .call_line = die.call_line };
	dwarf_die_ranges(l->d, l->u, &die, add_range, l);
	l->v.nr--;
}

static int inline_cmp(const void *a, const void *b)
{
	const struct dwarf_inline *x = a;
	const struct dwarf_inline *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* As walk_leap(). */
static bool leap(const struct dwarf_inlines *l, const struct dwarf_skimmed *die, struct dwarf_reader *r)
{
	const u8 *info = l->d->sections[DWARF_INFO].data;

	if (!die->sibling || die->sibling > (u64)(r->end - info) || die->sibling <= (u64)(r->p - info))
		return false;
	r->p = info + die->sibling;
	return true;
}

static void read_function(struct dwarf_inlines *l, struct function *f)
{
	struct dwarf_reader r = dwarf_entries(l->d, l->u, f->die, f->end);
	struct dwarf_reader at = r;
	u8 depths[TREE_DEPTH] = { 0 }; /* of inlining, by depth of the tree */
	struct dwarf_skimmed die;
	u64 max_hi = 0;
	u32 level = 0;

	f->read = true;
	f->first = (u32)l->v.nr;
	for (; r.p < r.end && l->v.nr < INLINES_MAX && dwarf_die_skim(l->d, l->u, &r, &die); at = r) {
		u8 depth = depths[level];

		if (!die.tag) {
			if (!--level)
				break;
			continue;
		}
		if (die.tag == DW_TAG_inlined_subroutine && depth < DWARF_INLINE_DEPTH)
			add_inline(l, at, ++depth);
		else if (die.tag == DW_TAG_subprogram)
			depth = 0;
		if (die.children && (holds_code(die.tag) || !leap(l, &die, &r))) {
			if (level == TREE_DEPTH - 1)
				break;
			depths[++level] = depth;
		}
		if (!level)
			break;
	}
	f->nr = (u32)l->v.nr - f->first;
	if (f->nr)
		qsort(l->v.v + f->first, f->nr, sizeof(*l->v.v), inline_cmp);
	for (u32 i = 0; i < f->nr; i++) {
		max_hi = MAX(max_hi, l->v.v[f->first + i].hi);
		l->v.v[f->first + i].max_hi = max_hi;
	}
}

/* ---- looking up ---- */

/* The code that holds an address: the last that may, of [0, *at), moving *at; false: none is left. */
static bool next_code(const struct dwarf_inlines *l, u64 addr, size_t *at, struct function **f)
{
	while (*at && l->code.v[*at - 1].max_hi > addr) {
		const struct code *c = &l->code.v[--*at];

		if (addr < c->hi) {
			*f = &l->functions.v[c->function];
			return true;
		}
	}
	return false;
}

/* The functions around an address are read; false: there are none. */
static bool read_around(struct dwarf_inlines *l, u64 addr)
{
	size_t at = search_up_to(l->code.v, l->code.nr, sizeof(*l->code.v), addr);
	struct function *f;
	bool found = false;

	for (; next_code(l, addr, &at, &f); found = true)
		if (!f->read)
			read_function(l, f);
	return found;
}

/* Of several at one depth the one that begins last: functions may share code. */
static void look_in(struct dwarf_inlines *l, const struct function *f, u64 addr, struct dwarf_inline **by_depth)
{
	struct dwarf_inline *v = f->nr ? l->v.v + f->first : NULL;

	for (size_t at = search_up_to(v, f->nr, sizeof(*v), addr); at && v[at - 1].max_hi > addr; at--) {
		struct dwarf_inline *i = &v[at - 1];
		struct dwarf_inline **best = &by_depth[i->depth];

		if (addr < i->hi && (!*best || i->lo > (*best)->lo))
			*best = i;
	}
}

static void give_name(const struct dwarf_inlines *l, struct dwarf_inline *i)
{
	struct dwarf_die die;

	i->named = true;
	if (dwarf_die_at(l->d, l->u, i->die, &die))
		i->name = dwarf_function_name(l->d, l->u, &die);
}

static struct dwarf_inlines *inlines_of(struct dwarf *d, struct dwarf_unit *u)
{
	if (!u->inlines) {
		u->inlines = XNEW(struct dwarf_inlines);
		u->inlines->u = dwarf_full_unit(d, u, &u->inlines->d);
		find_functions(u->inlines, false);
	}
	return u->inlines;
}

size_t dwarf_inline_find(struct dwarf *d, struct dwarf_unit *u, u64 addr,
			 const struct dwarf_inline **out, size_t max)
{
	struct dwarf_inline *by_depth[DWARF_INLINE_DEPTH + 1] = { NULL };
	struct dwarf_inlines *l = inlines_of(d, u);
	struct function *f;
	size_t nr = 0;
	size_t at;

	if (!read_around(l, addr) && l->leapt) {
		find_functions(l, true);
		read_around(l, addr);
	}
	at = search_up_to(l->code.v, l->code.nr, sizeof(*l->code.v), addr);
	while (next_code(l, addr, &at, &f))
		look_in(l, f, addr, by_depth);
	for (size_t depth = DWARF_INLINE_DEPTH; depth > 0 && nr < max; depth--) {
		if (!by_depth[depth])
			continue;
		if (!by_depth[depth]->named)
			give_name(l, by_depth[depth]);
		out[nr++] = by_depth[depth];
	}
	return nr;
}
