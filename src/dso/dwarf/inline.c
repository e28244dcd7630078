/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inlined calls. A first walk over a unit's entries finds where its functions are; of a function
 * that is asked for, all that was inlined becomes a list of ranges with nesting depths. What more
 * is told of a call is read when it is asked for.
 *
 * The first walk goes over the insides of functions where it can, for functions are in others only
 * in languages that few use. Where an address is in none of what it found, everything is looked at.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/compare.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf/tags.h"
#include "dso/dwarf/units.h"

enum { INLINES_MAX = 1 << 22, FUNCTIONS_MAX = 1 << 22, TREE_DEPTH = 256 };
enum { WINDOW = 1 << 16, WINDOW_REST = 1 << 12 /* bytes of most entries */ };

/* Code that was inlined. */
struct inlined {
	u32 lo, hi; /* behind the function's base */
	u32 max_hi; /* of this and those before: where a search backwards may end */
	u32 die; /* its entry, behind the function's, in 40 bits */
	u8 die_high;
	u8 depth; /* 1 = inlined into a real function */
};

struct inline_function {
	u64 die, end; /* its entry and those below; end 0 = unknown */
	u64 base; /* its lowest inlined address */
	bool read;
	u32 nr;
	struct inlined *v; /* by lo, then depth */
};

struct code {
	u64 lo, hi;
	u64 max_hi; /* of this and all before: where a search backwards may end */
	u32 function;
};

/* The same while a function is read. */
struct found {
	u64 lo, hi, die;
	u32 depth;
};

struct dwarf_inlines {
	/* that the entries are in; for a skeleton, the other half */
	struct dwarf *d;
	struct dwarf_unit *u;
	/* that was asked for */
	struct dwarf *of_d;
	struct dwarf_unit *of;
	bool leapt; /* over the insides of functions */
	VEC(struct inline_function) functions;
	VEC(struct code) code; /* by lo */
	VEC(struct found) found;
	/* calls that were asked for */
	struct map by_die;
	VEC(struct dwarf_inline *) calls;
	struct arena arena;
};

static void forget_functions(struct dwarf_inlines *l)
{
	VEC_FOR(&l->functions, f)
		free(f->v);
	l->functions.nr = l->code.nr = 0;
}

void dwarf_inlines_free(struct dwarf_inlines *l)
{
	if (!l)
		return;
	forget_functions(l);
	vec_free(&l->functions);
	vec_free(&l->code);
	vec_free(&l->found);
	map_release(&l->by_die);
	vec_free(&l->calls);
	arena_release(&l->arena);
	free(l);
}

/* ---- where functions are ---- */

static void add_code(void *ctx, u64 lo, u64 hi)
{
	struct dwarf_inlines *l = ctx;

	if (l->code.nr < FUNCTIONS_MAX && lo)
		*VEC_PUSH(&l->code) =
			(struct code){ .lo = lo, .hi = hi, .function = (u32)l->functions.nr };
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
		*VEC_PUSH(&l->functions) = (struct inline_function){ .die = offset, .end = end };
}

/* Over a part of a unit's entries, through a window on the file where that is possible: most are
 * not needed again. */
struct inline_walk {
	struct dwarf_inlines *l;
	struct dwarf_reader r; /* over bytes */
	const u8 *bytes;
	u64 base; /* offset of bytes */
	u64 end; /* where the walk ends */
	size_t room; /* of the window */
	u8 *window; /* NULL: bytes are those of the section */
};

static u64 walk_offset(const struct inline_walk *w)
{
	return w->base + (u64)(w->r.p - w->bytes);
}

static void walk_directly(struct inline_walk *w, u64 offset)
{
	free(w->window);
	w->window = NULL;
	w->r = dwarf_entries(w->l->d, w->l->u, offset, w->end);
	w->bytes = w->r.p;
	w->base = offset;
}

static void walk_to(struct inline_walk *w, u64 offset)
{
	const struct dwarf_inlines *l = w->l;
	u64 end = w->base + (u64)(w->r.end - w->bytes);
	size_t size = (size_t)MIN(w->end - offset, (u64)w->room);

	if (offset < end && (end - offset >= WINDOW_REST || end == w->end)) {
		w->r.p = w->bytes + (offset - w->base);
		return;
	}
	if (!w->window ||
	    !dwarf_section_copy(&l->d->sections[DWARF_INFO], offset, w->window, size)) {
		walk_directly(w, offset);
		return;
	}
	w->base = offset;
	w->r = (struct dwarf_reader){ .p = w->window, .end = w->window + size, .swap = l->d->swap };
}

static void walk_begin(struct inline_walk *w, struct dwarf_inlines *l, u64 offset, u64 end)
{
	*w = (struct inline_walk){ .l = l, .end = end };
	if (!dwarf_section_can_copy(&l->d->sections[DWARF_INFO])) {
		walk_directly(w, offset);
		return;
	}
	w->room = (size_t)MIN(end - offset, (u64)WINDOW);
	w->bytes = w->window = xmalloc(w->room + 1);
	w->r.p = w->r.end = w->bytes;
	walk_to(w, offset);
}

/* The next entry, at: where it begins; false at the end. */
static bool walk_next(struct inline_walk *w, struct dwarf_reader *at, struct dwarf_skimmed *die)
{
	struct dwarf_inlines *l = w->l;
	u64 offset = walk_offset(w);

	if (offset >= w->end)
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
static bool walk_leap(struct inline_walk *w, const struct dwarf_skimmed *die)
{
	if (!die->sibling || die->sibling >= w->end || die->sibling <= walk_offset(w))
		return false;
	walk_to(w, die->sibling);
	return true;
}

/* all: also those inside of functions. */
static void find_functions(struct dwarf_inlines *l, bool all)
{
	struct dwarf_skimmed die;
	struct dwarf_reader at;
	struct inline_walk w;
	u64 max_hi = 0;
	u32 level = 0;

	l->leapt = false;
	forget_functions(l);
	walk_begin(&w, l, l->u->dies, l->u->end);
	while (walk_next(&w, &at, &die)) {
		bool function = die.tag == DW_TAG_subprogram;

		if (!die.tag) {
			if (!level--)
				break;
			continue;
		}
		if (function && die.has_code)
			add_function(l, at, w.base + (u64)(at.p - w.bytes), die.sibling);
		if (!die.children || (!dwarf_holds_code(die.tag) && walk_leap(&w, &die)))
			continue;
		if (function && !all && walk_leap(&w, &die)) {
			l->leapt = true;
			continue;
		}
		if (++level == TREE_DEPTH)
			break;
	}
	free(w.window);
	VEC_SORT(&l->code, by_u64);
	VEC_FOR(&l->code, c) {
		max_hi = MAX(max_hi, c->hi);
		c->max_hi = max_hi;
	}
	dwarf_count_tables(l->of_d, l->of,
			   l->functions.cap * sizeof(*l->functions.v) +
				   l->code.cap * sizeof(*l->code.v));
}

/* ---- what is inlined into one ---- */

static void add_range(void *ctx, u64 lo, u64 hi)
{
	struct dwarf_inlines *l = ctx;
	struct found copy;

	if (l->found.nr >= INLINES_MAX || !lo)
		return;
	/* The last one is the pattern. */
	copy = *VEC_LAST(&l->found);
	VEC_LAST(&l->found)->lo = lo;
	VEC_LAST(&l->found)->hi = hi;
	*VEC_PUSH(&l->found) = copy;
}

/* r: at its entry. */
static void add_inline(struct dwarf_inlines *l, struct dwarf_reader r, u64 offset, u32 depth)
{
	struct dwarf_die die;

	if (!dwarf_die_read(l->d, l->u, &r, &die))
		return;
	*VEC_PUSH(&l->found) = (struct found){ .die = offset, .depth = depth };
	dwarf_die_ranges(l->d, l->u, &die, add_range, l);
	l->found.nr--;
}

static int found_cmp(const void *a, const void *b)
{
	const struct found *x = a;
	const struct found *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* What was found, in less memory. Code further than 4 GB from the rest is none of a real function.
 */
static void keep_found(struct dwarf_inlines *l, struct inline_function *f)
{
	u64 max_hi = 0;

	if (!l->found.nr)
		return;
	VEC_SORT(&l->found, found_cmp);
	f->base = l->found.v[0].lo;
	f->v = xmalloc(l->found.nr * sizeof(*f->v));
	VEC_FOR(&l->found, it) {
		u64 die = it->die - f->die;

		if (it->lo - f->base > UINT32_MAX || it->hi - f->base > UINT32_MAX || die >> 40)
			continue;
		max_hi = MAX(max_hi, it->hi - f->base);
		f->v[f->nr++] = (struct inlined){ .lo = (u32)(it->lo - f->base),
						  .hi = (u32)(it->hi - f->base),
						  .max_hi = (u32)max_hi,
						  .die = (u32)die,
						  .die_high = (u8)(die >> 32),
						  .depth = (u8)it->depth };
	}
	dwarf_count_tables(l->of_d, l->of, l->found.nr * sizeof(*f->v));
}

static void read_function(struct dwarf_inlines *l, struct inline_function *f)
{
	u8 depths[TREE_DEPTH] = { 0 }; /* of inlining, by depth of the tree */
	u64 end = f->end > f->die && f->end < l->u->end ? f->end : l->u->end;
	struct dwarf_skimmed die;
	struct dwarf_reader at;
	struct inline_walk w;
	u32 level = 0;

	f->read = true;
	l->found.nr = 0;
	walk_begin(&w, l, f->die, end);
	while (l->found.nr < INLINES_MAX && walk_next(&w, &at, &die)) {
		u8 depth = depths[level];

		if (!die.tag) {
			if (!--level)
				break;
			continue;
		}
		if (die.tag == DW_TAG_inlined_subroutine && depth < DWARF_INLINE_DEPTH)
			add_inline(l, at, w.base + (u64)(at.p - w.bytes), ++depth);
		else if (die.tag == DW_TAG_subprogram)
			depth = 0;
		if (die.children && (dwarf_holds_code(die.tag) || !walk_leap(&w, &die))) {
			if (level == TREE_DEPTH - 1)
				break;
			depths[++level] = depth;
		}
		if (!level)
			break;
	}
	free(w.window);
	keep_found(l, f);
	if (l->found.cap * sizeof(*l->found.v) > WINDOW)
		vec_free(&l->found);
}

/* ---- looking up ---- */

/* The code that holds an address: the last that may, of [0, *at), moving *at; false: none is left.
 */
static bool next_code(const struct dwarf_inlines *l, u64 addr, size_t *at,
		      struct inline_function **f)
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
	struct inline_function *f;
	bool found = false;

	for (; next_code(l, addr, &at, &f); found = true)
		if (!f->read)
			read_function(l, f);
	return found;
}

/* Of calls at one depth the one that begins last: functions may share code. */
struct best {
	const struct inlined *call; /* NULL = none */
	u64 lo, die;
};

static void look_in(const struct inline_function *f, u64 addr, struct best *by_depth)
{
	u64 at = addr - f->base;
	u32 lo = 0;

	if (!f->nr || addr < f->base || at > UINT32_MAX)
		return;
	for (u32 hi = f->nr; lo < hi;) {
		u32 mid = lo + (hi - lo) / 2;

		if (f->v[mid].lo <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo && f->v[lo - 1].max_hi > at; lo--) {
		const struct inlined *i = &f->v[lo - 1];
		struct best *best = &by_depth[i->depth];

		if (at < i->hi && (!best->call || f->base + i->lo > best->lo))
			*best = (struct best){ i, f->base + i->lo,
					       f->die + ((u64)i->die_high << 32 | i->die) };
	}
}

static const struct dwarf_inline *call_at(struct dwarf_inlines *l, u64 offset)
{
	u64 h = hash_u64(offset);
	struct dwarf_inline *call;
	struct dwarf_die die;
	u32 i;

	for (struct map_probe p = map_first(&l->by_die, h); map_next(&l->by_die, &p, &i);)
		if (l->calls.v[i]->die == offset)
			return l->calls.v[i];
	call = arena_zalloc(&l->arena, sizeof(*call));
	call->die = offset;
	call->name = dwarf_function_name_at(l->d, l->u, offset, &die);
	call->call_file = die.call_file;
	call->call_line = die.call_line;
	map_add(&l->by_die, h, (u32)l->calls.nr);
	*VEC_PUSH(&l->calls) = call;
	dwarf_count_tables(l->of_d, l->of, 2 * sizeof(*call));
	return call;
}

struct dwarf_inlines *dwarf_inlines_new(struct dwarf *d, struct dwarf_unit *u, struct dwarf *full_d,
					struct dwarf_unit *full)
{
	struct dwarf_inlines *l = XNEW(struct dwarf_inlines);

	l->of_d = d;
	l->of = u;
	l->d = full_d;
	l->u = full;
	find_functions(l, false);
	return l;
}

size_t dwarf_inlines_find(struct dwarf_inlines *l, u64 addr, const struct dwarf_inline **out,
			  size_t max)
{
	struct best by_depth[DWARF_INLINE_DEPTH + 1] = { { NULL } };
	struct inline_function *f;
	size_t nr = 0;
	size_t at;

	if (!read_around(l, addr) && l->leapt) {
		find_functions(l, true);
		read_around(l, addr);
	}
	at = search_up_to(l->code.v, l->code.nr, sizeof(*l->code.v), addr);
	while (next_code(l, addr, &at, &f))
		look_in(f, addr, by_depth);
	for (size_t depth = DWARF_INLINE_DEPTH; depth > 0 && nr < max; depth--)
		if (by_depth[depth].call)
			out[nr++] = call_at(l, by_depth[depth].die);
	return nr;
}
