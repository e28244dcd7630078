/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables that are known at a point, as text.
 */
#include <errno.h>
#include <string.h>

#include "base/compare.h"
#include "base/strbuf.h"
#include "probe/debug_internal.h"

enum { VARS_MAX = 1 << 16, RANGES_MAX = 4096 };

struct var_list {
	const struct debug_context *c;
	const struct probe_debug_vars_opts *o;
	struct probe_debug_vars *out;
	u64 start; /* of the function */
	bool externs;
	/* ranges of the variable */
	struct strbuf ranges;
	u32 nr_ranges;
	bool is_here, has_code;
};

static void add_range(struct var_list *l, u64 lo, u64 hi)
{
	if (l->nr_ranges++ >= RANGES_MAX)
		return;
	strbuf_addf(&l->ranges, "%s%lld-%lld", l->ranges.len ? "," : "", (long long)(lo - l->start),
		    (long long)(hi - l->start));
	l->has_code |= lo < hi;
	l->is_here |= l->c->addr >= lo && l->c->addr < hi;
}

static void add_code(void *ctx, u64 lo, u64 hi)
{
	add_range(ctx, lo, hi);
}

/* The scope that an entry stands in. */
static const struct dwarf_entry *scope_of(const struct var_list *l, const struct dwarf_entry *var)
{
	const struct dwarf_entry *best = &l->c->scopes[0];

	/* Outer ones begin before inner ones. */
	for (size_t i = 0; i < l->c->nr_scopes; i++)
		if (l->c->scopes[i].offset < var->offset)
			best = &l->c->scopes[i];
	return best;
}

struct whole {
	struct var_list *l;
	bool everywhere;
};

static bool look_at_place(void *ctx, u64 lo, u64 hi, const u8 *code, size_t len)
{
	struct whole *w = ctx;

	if (!debug_expression_is_somewhere(code, len))
		return true;
	if (hi == UINT64_MAX && !lo)
		w->everywhere = true;
	else
		add_range(w->l, lo, hi);
	return true;
}

/* False: it has no place at all. */
static bool read_ranges(struct var_list *l, const struct dwarf_entry *var)
{
	struct whole w = { .l = l };

	strbuf_reset(&l->ranges);
	l->nr_ranges = 0;
	l->is_here = false;
	l->has_code = false;
	if (!dwarf_locations(var, &var->location, look_at_place, &w))
		return false;
	if (w.everywhere) {
		const struct dwarf_entry *scope = scope_of(l, var);

		dwarf_die_ranges(scope->d, scope->u, &scope->die, add_code, l);
	}
	return l->has_code;
}

static void add_line(struct var_list *l, const char *mark, const struct dwarf_entry *var,
		     const char *name)
{
	struct strbuf line = STRBUF_INIT;
	struct dwarf_entry type;

	strbuf_adds(&line, mark);
	debug_type_name(dwarf_entry_type(var, &type) ? &type : NULL, DEBUG_TYPE_PERF, &line);
	strbuf_addf(&line, "\t%s", name);
	if (l->o->ranges && !l->externs)
		strbuf_addf(&line, "\t@<%s+[%s]>", l->out->function ? l->out->function : "",
			    l->ranges.buf);
	*VEC_PUSH(&l->out->lines) = strbuf_detach(&line);
}

static void add_variable(void *ctx, const struct dwarf_entry *var)
{
	struct var_list *l = ctx;
	const char *name = dwarf_entry_name(var);
	struct debug_value v;

	if (!name || !*name || l->out->lines.nr >= VARS_MAX ||
	    (l->o->wanted && !l->o->wanted(l->o->ctx, name)))
		return;
	if (l->externs) {
		if (debug_locate(l->c, var, &v) == 0)
			add_line(l, l->o->ranges ? "[EXT]\t" : "", var, name);
	} else if (l->o->ranges) {
		if (read_ranges(l, var))
			add_line(l, l->is_here ? "[VAL]\t" : "[INV]\t", var, name);
	} else if (debug_locate(l->c, var, &v) == 0) {
		add_line(l, "", var, name);
	}
}

static void sort_unique(struct probe_debug_vars *v)
{
	size_t to = 0;

	VEC_SORT(&v->lines, by_string);
	for (size_t i = 0; i < v->lines.nr; i++) {
		if (to && strcmp(v->lines.v[to - 1], v->lines.v[i]) == 0)
			free(v->lines.v[i]);
		else
			v->lines.v[to++] = v->lines.v[i];
	}
	v->lines.nr = to;
}

struct vars_query {
	const struct probe_debug_vars_opts *o;
	struct probe_debug_vars_vec *out;
};

static void list_at(void *ctx, const struct probe_debug_place *place, const struct debug_context *c)
{
	const struct vars_query *q = ctx;
	struct probe_debug_vars *out = VEC_PUSH(q->out);
	struct var_list l = { .c = c, .o = q->o, .out = out, .ranges = STRBUF_INIT };
	struct debug_unit *u = debug_info_unit_of(c->g, place->addr);

	*out = (struct probe_debug_vars){ .offset = place->offset };
	out->function = place->function ? xstrdup(place->function) : NULL;
	l.start = place->addr - place->offset;
	debug_variables_each(c, add_variable, &l);
	l.externs = true;
	if (q->o->externs && u)
		debug_globals_each(u, add_variable, &l);
	sort_unique(out);
	strbuf_release(&l.ranges);
}

int probe_debug_vars(struct debug_info *g, const struct probe_point *p,
		     const struct probe_debug_vars_opts *o, const struct probe_debug_opts *find,
		     struct probe_debug_vars_vec *out, struct err *e)
{
	struct vars_query q = { o, out };

	*out = (struct probe_debug_vars_vec){ 0 };
	return probe_find_places(g, p, find, list_at, &q, e);
}
