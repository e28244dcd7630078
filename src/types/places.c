/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where variables are: those of a function while it runs, and those at fixed addresses. */
#include <stdlib.h>

#include "base/search.h"
#include "dso/dwarf/tags.h"
#include "types/internal.h"

enum { PLACES_MAX = 1 << 18, GLOBALS_MAX = 1 << 22, RANGES_MAX = 64 };

struct places_reader {
	struct debug_info *g;
	struct debug_context c;
	u64 lo, hi; /* of the function */
	struct types_places *out;
	/* the scope whose variables are read */
	u16 depth;
	struct {
		u64 lo, hi;
	} ranges[RANGES_MAX];
	u32 nr_ranges;
	const struct dwarf_entry *var;
};

/* ------------------------------------------------------------------ of a function */

static void add_place(struct places_reader *r, const struct types_place *p)
{
	if (r->out->nr < PLACES_MAX)
		*VEC_PUSH(r->out) = *p;
}

static void take_place(void *ctx, u64 lo, u64 hi, const struct debug_value *v)
{
	struct places_reader *r = ctx;
	struct types_place p = { .lo = lo, .hi = hi, .depth = r->depth };
	struct dwarf_entry type;

	if (v->nr_derefs || v->in_pieces || !dwarf_entry_type(r->var, &type))
		return;
	if (v->is_place) {
		p.type = type_ref_of(&type);
		p.at = v->add;
		p.kind = v->base == DEBUG_FRAME ? PLACE_IN_FRAME : PLACE_BY_REGISTER;
	} else if (v->base == DEBUG_REGISTER && type_pointee(&type, &p.type)) {
		p.at = (s64)(0 - (u64)v->add);
		p.kind = PLACE_POINTER;
	} else {
		return;
	}
	if (v->base == DEBUG_REGISTER && v->v < EFFECT_REGS)
		p.reg = (s8)v->v;
	else if (v->base != DEBUG_FRAME)
		return;
	add_place(r, &p);
}

static void take_variable(void *ctx, const struct dwarf_entry *var)
{
	struct places_reader *r = ctx;

	r->var = var;
	for (u32 i = 0; i < r->nr_ranges; i++)
		debug_locate_all(&r->c, var, r->ranges[i].lo, r->ranges[i].hi, take_place, r);
}

static void take_range(void *ctx, u64 lo, u64 hi)
{
	struct places_reader *r = ctx;

	lo = MAX(lo, r->lo);
	hi = MIN(hi, r->hi);
	if (lo < hi && r->nr_ranges < RANGES_MAX) {
		r->ranges[r->nr_ranges].lo = lo;
		r->ranges[r->nr_ranges++].hi = hi;
	}
}

/* A scope without addresses of its own holds wherever that around it does. */
static void read_scope(struct places_reader *r, const struct dwarf_entry *scope, u16 depth)
{
	r->depth = depth;
	r->nr_ranges = 0;
	dwarf_die_ranges(scope->d, scope->u, &scope->die, take_range, r);
	if (r->nr_ranges)
		debug_variables_in(scope, take_variable, r);
}

static int by_start(const void *x, const void *y)
{
	const struct types_place *a = x, *b = y;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	if (a->hi != b->hi)
		return a->hi < b->hi ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->type.offset < b->type.offset ? -1 : a->type.offset > b->type.offset;
}

/* Another part of a function, as tools show it. A module's sections are not as far apart in memory
 * as in debug information. */
static bool part_shown(const struct types_function *f, u64 vaddr, u64 *shown)
{
	struct dso *d = f->g->dso;
	u64 addr;

	if (dso_kind(d) == DSO_MODULE)
		return dso_dwarf_module_addr(d, &f->g->files.module, vaddr, &addr) &&
		       dso_code_shown(f->code, addr, shown);
	*shown = f->shown + (vaddr - f->vaddr);
	return true;
}

/* What of the function is elsewhere. */
static void take_part(void *ctx, u64 lo, u64 hi)
{
	struct types_function *f = ctx;
	u64 shown;

	if ((lo < f->vaddr + f->size && hi > f->vaddr) || lo >= hi)
		return;
	/* of what is too much or not found, nobody knows where it leads to */
	if (f->nr_parts == TYPES_PARTS_MAX || hi - lo > TYPES_PART_MAX ||
	    !part_shown(f, lo, &shown))
		f->nr_parts = TYPES_PARTS_MAX;
	else
		f->parts[f->nr_parts++] = (struct types_part){ shown, (size_t)(hi - lo) };
}

void types_places_read(struct types_function *f)
{
	struct places_reader r = {
		.g = f->g, .lo = f->vaddr, .hi = f->vaddr + f->size, .out = &f->places
	};
	struct debug_unit *u = debug_info_unit_of(f->g, f->vaddr);
	struct dwarf_entry function, e;
	struct dwarf_walk w;
	bool enter = false;
	u64 start;

	if (!u || !debug_function_at(u, f->vaddr, &function))
		return;
	dwarf_die_ranges(function.d, function.u, &function.die, take_part, f);
	f->known = f->nr_parts < TYPES_PARTS_MAX;
	f->is_entry = debug_entry_start(&function, &start) && start == f->vaddr;
	r.c.g = f->g;
	r.c.scopes[0] = function;
	r.c.nr_scopes = 1;
	read_scope(&r, &function, 0);
	dwarf_walk_begin(&w, &function);
	while (dwarf_walk_next(&w, enter, &e)) {
		enter = dwarf_is_block(e.die.tag);
		if (enter)
			read_scope(&r, &e, (u16)MIN(w.depth, (u32)UINT16_MAX));
	}
	VEC_SORT(&f->places, by_start);
}

/* ------------------------------------------------------------------ at fixed addresses */

struct globals_reader {
	struct debug_context c;
	struct types_globals *out;
	const struct dwarf_entry *var;
};

static void take_address(void *ctx, u64 lo UNUSED, u64 hi UNUSED, const struct debug_value *v)
{
	struct globals_reader *r = ctx;
	struct dwarf_entry type, whole;
	u64 size;

	if (!v->is_place || v->base != DEBUG_ADDRESS || v->nr_derefs || !v->v ||
	    r->out->nr >= GLOBALS_MAX || !dwarf_entry_type(r->var, &type))
		return;
	whole = type;
	if (!debug_type_strip(&whole) || !debug_type_size(&whole, &size) || !size)
		return;
	*VEC_PUSH(r->out) = (struct types_global){ v->v + (u64)v->add, size, type_ref_of(&type) };
}

static void take_global(void *ctx, const struct dwarf_entry *var)
{
	struct globals_reader *r = ctx;

	r->var = var;
	debug_locate_all(&r->c, var, 0, UINT64_MAX, take_address, r);
}

/* Functions have some of their own. */
static void read_statics(struct globals_reader *r, struct debug_unit *u)
{
	debug_unit_index(u);
	VEC_FOR(&u->functions, offset) {
		struct dwarf_entry e;

		if (dwarf_entry_at(u->full_d, u->full, *offset, &e))
			debug_variables_in(&e, take_global, r);
	}
}

static int by_address(const void *x, const void *y)
{
	const struct types_global *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return a->type.offset < b->type.offset ? -1 : a->type.offset > b->type.offset;
}

void types_globals_read(struct debug_info *g, struct types_globals *out)
{
	struct globals_reader r = { .c = { .g = g }, .out = out };

	debug_info_read_units(g);
	VEC_FOR(&g->units, u) {
		debug_globals_each(*u, take_global, &r);
		read_statics(&r, *u);
	}
	VEC_SORT(out, by_address);
}

const struct types_global *types_globals_find(const struct types_globals *v, u64 addr)
{
	size_t i = search_up_to(v->v, v->nr, sizeof(*v->v), addr);

	return i && addr - v->v[i - 1].addr < v->v[i - 1].size ? &v->v[i - 1] : NULL;
}
