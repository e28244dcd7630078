/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where points are: functions, lines, patterns of lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf/forms.h"
#include "dso/symbols/symtab.h"
#include "probe/debug_internal.h"

struct find {
	struct debug_info *g;
	const struct probe_point *p;
	const struct probe_arg_specs *args; /* NULL = none */
	const struct probe_debug_opts *o;
	struct probe_debug_places *out;
	probe_found_fn *found; /* NULL = none */
	void *ctx;
};

static bool wants_variables(const struct find *f)
{
	if (!f->args)
		return false;
	VEC_FOR(f->args, a)
		if (a->variable)
			return true;
	return false;
}

/* ---- one place ---- */

static void fill_symbols(struct debug_info *g, struct probe_debug_place *place)
{
	const struct elf_file *f = elf_file_is_open(&g->files.object) ? &g->files.object
								      : &g->files.debug;
	const struct symtab *st = debug_info_symbols(g);
	struct strbuf name = STRBUF_INIT;
	u32 i = symtab_find(st, place->addr);

	if (!elf_file_offset(f, place->addr, &place->file_offset))
		place->file_offset = UINT64_MAX;
	if (i == SYM_NONE)
		return;
	symtab_raw_name(st, i, &name);
	place->symbol = strbuf_detach(&name);
}

static void fill_source(struct debug_info *g, struct probe_debug_place *place)
{
	struct debug_unit *u = debug_info_unit_of(g, place->addr);
	const struct debug_row *row = u ? probe_row_around(u, place->addr) : NULL;
	struct strbuf path = STRBUF_INIT;
	struct dwarf_place at;

	if (!row || !probe_line_of(g, u, row->addr, &at))
		return;
	probe_place_path(&at, &path);
	place->file = strbuf_detach(&path);
	place->line = at.line;
}

/* function: that was asked for by name; NULL: it was not. */
static void add_place(const struct find *f, u64 addr, u64 entry,
		      const struct probe_function *function)
{
	struct probe_debug_place place = { .addr = addr,
					   .entry = entry,
					   .skipped_prologue = addr != entry };
	struct debug_context *c;
	const char *name;
	u64 start;

	if (f->out->v.nr >= PROBE_PLACES_MAX ||
	    (f->o->max_places && f->out->v.nr >= f->o->max_places)) {
		f->out->truncated = true;
		return;
	}
	VEC_FOR(&f->out->v, other)
		if (other->addr == addr)
			return;
	c = XNEW(struct debug_context);
	if (debug_context_init(c, f->g, addr, function ? &function->entry : NULL)) {
		name = dwarf_entry_name(&c->scopes[0]);
		place.function = name ? xstrdup(name) : NULL;
		place.offset = debug_entry_start(&c->scopes[0], &start) ? addr - start : 0;
	}
	name = function ? dwarf_entry_name(&function->entry) : NULL;
	place.asked = name ? xstrdup(name) : NULL;
	place.is_inlined = function && function->is_inlined;
	fill_symbols(f->g, &place);
	fill_source(f->g, &place);
	if (f->args)
		VEC_FOR(f->args, a)
			probe_value_make(c, a, &place.args);
	if (f->found)
		f->found(f->ctx, &place, c);
	*VEC_PUSH(&f->out->v) = place;
	free(c);
}

/* ---- functions ---- */

/* What the compiler says of itself: gcc names its options, and other compilers are taken not to
 * optimise. */
static bool is_optimised(const struct debug_unit *u)
{
	struct dwarf_entry root;
	const char *producer, *level;

	if (!dwarf_entry_root(u->full_d, u->full, &root))
		return false;
	producer = dwarf_value_string(u->full_d, u->full, &root.producer);
	level = producer ? strstr(producer, "-O") : NULL;
	return level && level[2] != '0';
}

static int add_entry(const struct find *f, const struct probe_function *fn)
{
	u64 addr = fn->start;
	u64 lo, end;

	if (f->p->offset) {
		addr += f->p->offset;
		if (debug_entry_range(&fn->entry, &lo, &end) && addr >= end)
			return -ERANGE;
		add_place(f, addr, addr, fn);
		return 0;
	}
	if (!f->p->is_return && !fn->is_inlined && !f->o->everywhere && wants_variables(f) &&
	    !is_optimised(fn->unit))
		addr = probe_skip_prologue(fn);
	add_place(f, addr, fn->start, fn);
	return 0;
}

/* ---- lines ---- */

/* Lines that are looked for, in the files that a name fits. */
struct line_query {
	const struct find *f;
	const char *file; /* a path as debug information has it, or its end */
	const struct probe_function *function; /* NULL = everywhere in the unit */
	const u32 *lines; /* rising */
	size_t nr_lines;
	bool any_row; /* also addresses that begin with another line */
	u8 *fits; /* by number of file: 0 = not known yet, 1 = yes, 2 = no */
	size_t nr_fits;
};

static bool has_line(const struct line_query *q, u32 line)
{
	size_t i = line ? search_below_u32(q->lines, q->nr_lines, sizeof(*q->lines), line)
			: q->nr_lines;

	return i < q->nr_lines && q->lines[i] == line;
}

static bool file_fits(struct line_query *q, const struct debug_unit *u, u32 file)
{
	enum { FITS_MAX = 1 << 16 };
	struct dwarf_place place;
	bool fits;

	if (file < q->nr_fits && q->fits[file])
		return q->fits[file] == 1;
	fits = dwarf_line_file(u->d, u->u, file, &place) && probe_place_fits(&place, q->file);
	if (file < FITS_MAX) {
		if (file >= q->nr_fits) {
			q->fits = xrealloc_array(q->fits, file + 1, 1);
			memset(q->fits + q->nr_fits, 0, file + 1 - q->nr_fits);
			q->nr_fits = file + 1;
		}
		q->fits[file] = fits ? 1 : 2;
	}
	return fits;
}

static void note_shared(const struct line_query *q, const struct dwarf_place *begins)
{
	u32 first = q->function && q->f->p->function ? q->function->entry.decl_line : 0;

	if (q->f->out->shares)
		return;
	q->f->out->shares = true;
	q->f->out->shared_line = begins->line - first;
}

/* The rows of one address, [from, to). */
static void look_at_address(struct line_query *q, struct debug_unit *u, size_t from, size_t to)
{
	u64 addr = u->rows.v[from].addr;
	struct dwarf_place begins;
	bool found = false;

	if (q->function && !probe_function_covers(q->function, addr))
		return;
	if (!probe_line_of(q->f->g, u, addr, &begins))
		return;
	if (has_line(q, begins.line) && probe_place_fits(&begins, q->file)) {
		add_place(q->f, addr, addr, q->function);
		return;
	}
	for (size_t i = from; i < to && !found; i++)
		found = has_line(q, u->rows.v[i].line) && file_fits(q, u, u->rows.v[i].file);
	if (!found)
		return;
	if (q->any_row)
		add_place(q->f, addr, addr, q->function);
	else
		note_shared(q, &begins);
}

static void find_lines(struct line_query *q, struct debug_unit *u)
{
	u64 end;
	size_t to;

	for (size_t from = probe_rows_from(u, q->function, &end);
	     from < u->rows.nr && u->rows.v[from].addr < end; from = to) {
		to = from + 1;
		if (u->rows.v[from].end)
			continue;
		while (to < u->rows.nr && u->rows.v[to].addr == u->rows.v[from].addr)
			to++;
		look_at_address(q, u, from, to);
	}
	free(q->fits);
	q->fits = NULL;
	q->nr_fits = 0;
}

/* ---- patterns of lines ---- */

VEC_TYPE(line_numbers, u32);

static void match_lines(FILE *f, const char *pattern, struct line_numbers *out)
{
	char *line = NULL;
	size_t room = 0;

	for (u32 nr = 1; nr < UINT32_MAX; nr++) {
		ssize_t len = getline(&line, &room, f);

		if (len < 0)
			break;
		while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			line[--len] = '\0';
		if (probe_match_lazy(pattern, line))
			*VEC_PUSH(out) = nr;
	}
	free(line);
}

/* Lines of a file that the point's pattern fits. */
static int find_matching(const struct find *f, const struct dwarf_place *file,
			 struct line_numbers *out, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(mem_fclosep) FILE *source = NULL;

	probe_place_path(file, &name);
	if (probe_debug_source(name.buf, file->comp_dir, f->o->source_dir, &path, e) < 0)
		return -1;
	source = probe_debug_open_source(path.buf, e);
	if (!source)
		return -1;
	match_lines(source, f->p->lazy, out);
	return 0;
}

/* ---- what kind of point ---- */

static int find_in_function(const struct find *f, struct probe_function *fn, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct line_query q = { .f = f, .function = fn };
	struct line_numbers lines = { 0 };
	struct dwarf_place place;
	u32 line;
	int ret = 0;

	if (!f->p->line && !f->p->lazy)
		return add_entry(f, fn);
	if (!dwarf_entry_place(&fn->entry, &place))
		return 0;
	probe_place_full(&place, &path);
	q.file = path.buf;
	if (f->p->lazy) {
		ret = find_matching(f, &place, &lines, e);
		q.lines = lines.v;
		q.nr_lines = lines.nr;
		q.any_row = true;
	} else {
		line = place.line + (u32)f->p->line;
		q.lines = &line;
		q.nr_lines = 1;
	}
	if (ret == 0)
		find_lines(&q, fn->unit);
	vec_free(&lines);
	return ret;
}

static int find_functions(const struct find *f, struct err *e)
{
	const struct probe_point *p = f->p;
	struct probe_functions functions = { 0 };
	int ret = 0;

	probe_functions_find(f->g, p->function, p->file && p->file[0] ? p->file : NULL,
			     f->o->no_inlines, &functions);
	for (size_t i = 0; i < functions.nr && ret == 0; i++)
		ret = find_in_function(f, &functions.v[i], e);
	vec_free(&functions);
	if (ret == -ERANGE)
		return err_set(e, ERANGE, "Offset %llu is bigger than the size of %s",
			       (unsigned long long)p->offset, p->function);
	return ret;
}

static int find_in_file(const struct find *f, struct err *e)
{
	debug_info_read_units(f->g);
	VEC_FOR(&f->g->units, it) {
		struct line_query q = { .f = f, .file = f->p->file };
		struct line_numbers lines = { 0 };
		struct dwarf_place place;
		u32 line = (u32)f->p->line;
		int ret = 0;

		if (!probe_unit_file(*it, f->p->file, &place))
			continue;
		q.lines = &line;
		q.nr_lines = 1;
		if (f->p->lazy) {
			ret = find_matching(f, &place, &lines, e);
			q.lines = lines.v;
			q.nr_lines = lines.nr;
			q.any_row = true;
		}
		if (ret == 0)
			find_lines(&q, *it);
		vec_free(&lines);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int find_places(const struct find *f, struct err *e)
{
	const struct probe_point *p = f->p;
	int ret = 0;

	*f->out = (struct probe_debug_places){ 0 };
	if (p->has_address)
		add_place(f, p->address, p->address, NULL);
	else if (p->function)
		ret = find_functions(f, e);
	else if (p->file)
		ret = find_in_file(f, e);
	if (ret < 0)
		return -1;
	if (f->out->v.nr)
		f->out->shares = false;
	else
		return err_set(e, ENOENT,
			       f->out->shares ? "this line is sharing the address with other lines"
					      : "there is no such place in the debug information");
	return 0;
}

int probe_debug_find(struct debug_info *g, const struct probe_point *p,
		     const struct probe_arg_specs *args, const struct probe_debug_opts *o,
		     struct probe_debug_places *out, struct err *e)
{
	struct find f = { .g = g, .p = p, .args = args, .o = o, .out = out };

	return find_places(&f, e);
}

int probe_find_places(struct debug_info *g, const struct probe_point *p,
		      const struct probe_debug_opts *o, probe_found_fn *found, void *ctx,
		      struct err *e)
{
	struct probe_debug_places places;
	struct find f = { .g = g, .p = p, .o = o, .out = &places, .found = found, .ctx = ctx };
	int ret = find_places(&f, e);

	probe_debug_places_release(&places);
	return ret;
}

/* ---- what a list shows ---- */

/* The line of an address, as seen from the function that it is in: of what is inlined, where it is
 * called. */
static bool line_in_function(struct debug_info *g, const struct debug_context *c,
			     struct dwarf_place *out)
{
	struct debug_unit *u = debug_info_unit_of(g, c->addr);
	struct dwarf_unit *lines;
	struct dwarf *d;

	if (!u || !probe_line_of(g, u, c->addr, out))
		return false;
	for (size_t i = 1; i < c->nr_scopes; i++) {
		const struct dwarf_entry *e = &c->scopes[i];

		if (e->die.tag != DW_TAG_inlined_subroutine)
			continue;
		lines = dwarf_lines_unit(e->d, e->u, &d);
		if (e->die.call_line && dwarf_line_file(d, lines, e->die.call_file, out))
			out->line = e->die.call_line;
		break;
	}
	return true;
}

bool probe_debug_point_at(struct debug_info *g, u64 addr, bool is_return, struct probe_point *p)
{
	struct debug_context *c = XNEW(struct debug_context);
	struct strbuf path = STRBUF_INIT;
	struct dwarf_entry *function = &c->scopes[0];
	struct dwarf_place place, decl;
	const char *name = NULL;
	bool declared;
	u64 start = 0;

	*p = (struct probe_point){ .is_return = is_return };
	if (debug_context_init(c, g, addr, NULL)) {
		dwarf_entry_complete(function);
		name = dwarf_entry_name(function);
	}
	if (!name) {
		free(c);
		return false;
	}
	p->function = xstrdup(name);
	declared = dwarf_entry_place(function, &decl);
	if (declared)
		probe_place_full(&decl, &path);
	if (debug_entry_start(function, &start) && start != addr) {
		p->offset = addr - start;
		if (declared && line_in_function(g, c, &place) && place.line > decl.line &&
		    probe_place_fits(&place, path.buf)) {
			p->line = (int)(place.line - decl.line);
			p->offset = 0;
		}
	}
	if (path.len)
		p->file = strbuf_detach(&path);
	free(c);
	return true;
}
