/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "perfdata/perfdata.h"
#include "profile/comparable.h"
#include "profile/diff_table.h"
#include "profile/inlined.h"

static const struct agg_section empty_section;

/* ---- which rows, in which order ---- */

static bool has_pair(const struct diff *d, const struct diff_row *r)
{
	for (u32 s = 1; s < d->nr_sides; s++)
		if (r->sides[s].nr)
			return true;
	return false;
}

static bool is_wanted(const struct diff *d, const struct diff_row *r)
{
	bool differs = d->o->noise <= 0 && !d->o->sure;

	if (d->o->base_only && !(r->sides[0].nr && has_pair(d, r)))
		return false;
	for (u32 s = 1; s < d->nr_sides && !differs; s++)
		differs = fabs(diff_delta(r, s)) >= d->o->noise &&
			  !(d->o->sure && fabs(diff_delta(r, s)) <= diff_interval(d, r, s));
	return differs;
}

static int compare_side(const struct diff *d, const struct diff_row *x, const struct diff_row *y,
			u32 side)
{
	bool in_x = x->sides[side].nr, in_y = y->sides[side].nr;
	bool by_base = d->o->compute == DIFF_RATIO || d->o->compute == DIFF_WDIFF;
	double a, b;

	if (in_x != in_y)
		return in_x ? -1 : 1;
	if (!in_x)
		return 0;
	if (by_base && !x->sides[0].nr != !y->sides[0].nr)
		return x->sides[0].nr ? -1 : 1;
	a = diff_computed(d, x, side);
	b = diff_computed(d, y, side);
	return a > b ? -1 : a < b;
}

/* By the chosen column, then by all from left to right, then by name. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct diff_row *x = a, *y = b;
	const struct diff *d = ctx;
	bool by_side = d->o->compute != DIFF_CYCLES; /* blocks have an order of their own */
	int c = by_side && d->o->order ? compare_side(d, x, y, d->o->order) : 0;

	if (c)
		return c;
	if (x->sides[0].share != y->sides[0].share)
		return x->sides[0].share > y->sides[0].share ? -1 : 1;
	for (u32 s = 1; by_side && s < d->nr_sides; s++) {
		c = compare_side(d, x, y, s);
		if (c)
			return c;
	}
	c = strcmp(x->joined->name, y->joined->name);
	return c ? c : x->joined < y->joined ? -1 : x->joined > y->joined;
}

/* A line of joined names. */
size_t diff_key(const struct agg_config *c, const char *name)
{
	size_t k = 0;

	while (k < c->nr_keys && strcmp(c->keys[k]->name, name))
		k++;
	return k;
}

/* The number of the joined row that differs from this one by having no symbol, + 1; 0 = none. */
static u32 find_unnamed(const struct diff *d, const char *name, struct strbuf *text)
{
	const struct agg_config *c = &d->in[0].o->agg;
	size_t line = diff_key(c, "symbol");
	const char *at = name, *end;
	u32 row;

	if (line == c->nr_keys)
		return 0;
	for (size_t k = 0; k < line && at; k++) {
		at = strchr(at, '\n');
		at += at != NULL;
	}
	end = at ? strchr(at, '\n') : NULL;
	if (!end)
		return 0;
	strbuf_reset(text);
	strbuf_add(text, name, (size_t)(at - name));
	strbuf_adds(text, end);
	row = intern_find(&d->joined.names, text->buf);
	return row && d->joined.row_of_name ? d->joined.row_of_name[row - 1] + 1 : row;
}

static void choose_rows(struct diff *d)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	u32 *unnamed = XNEW_ARRAY(u32, d->joined.nr + 1); /* of each row, + 1 */
	bool *lacks = xcalloc(d->joined.nr + 1, sizeof(*lacks));

	/* (no more functions than paths) */
	d->values = XNEW_ARRAY(struct side_value, 2 * d->joined.nr * d->nr_sides + 1);
	d->rows = XNEW_ARRAY(struct diff_row, 2 * d->joined.nr + 1);
	d->base_total = d->sides[0].total;
	d->named = !d->joined.nr;
	for (size_t i = 0; i < d->joined.nr; i++) {
		unnamed[i] = find_unnamed(d, d->joined.rows[i].name, &text);
		lacks[unnamed[i]] |= unnamed[i] != i + 1;
		d->named |= unnamed[i] != i + 1;
	}
	for (size_t i = 0; i < d->joined.nr; i++) {
		struct side_value *v = d->values + i * d->nr_sides;
		struct diff_row r = { .joined = &d->joined.rows[i],
				      .sides = v,
				      .lacks_names = unnamed[i] == i + 1 && lacks[i + 1] };

		for (u32 s = 0; s < d->nr_sides; s++)
			v[s] = diff_value_of(d, &(u32){ (u32)i }, 1, s);
		if (unnamed[i] && unnamed[i] != i + 1)
			r.unnamed = d->values + (size_t)(unnamed[i] - 1) * d->nr_sides;
		if (is_wanted(d, &r))
			d->rows[d->nr_rows++] = r;
		else if (d->o->base_only)
			d->base_total -= MIN(v[0].period, d->base_total);
	}
	free(unnamed);
	free(lacks);
	qsort_r(d->rows, d->nr_rows, sizeof(*d->rows), compare_rows, d);
}

/* ---- functions above call paths ---- */

/* A row for each function behind those of the paths, if it or one of these is wanted. group: by
 * joined row; place: by group, 1 for those of wanted paths. */
static size_t add_functions(struct diff *d, const u32 *group, size_t nr_groups, u32 *place)
{
	u32 *first = xcalloc(nr_groups + 2, sizeof(*first));
	u32 *members = diff_paths_divide(group, d->joined.nr, nr_groups, first);
	struct diff_row *rows = d->rows + d->nr_rows;
	size_t nr = 0;

	for (size_t g = 0; g < nr_groups; g++) {
		const u32 *of = members + first[g];
		struct side_value *v = d->values + (d->joined.nr + g) * d->nr_sides;

		for (u32 s = 0; s < d->nr_sides; s++)
			v[s] = diff_value_of(d, of, first[g + 1] - first[g], s);
		rows[nr] = (struct diff_row){ .joined = &d->joined.rows[*of], .sides = v };
		nr += place[g] || is_wanted(d, &rows[nr]);
	}
	qsort_r(rows, nr, sizeof(*rows), compare_rows, d);
	for (size_t i = 0; i < nr; i++)
		place[group[rows[i].joined - d->joined.rows]] = (u32)i;
	free(members);
	free(first);
	return nr;
}

static void group_paths(struct diff *d)
{
	struct diff_paths *p = &d->paths;
	size_t line = diff_key(&d->in[0].o->agg, AGG_KEY_CALLERS), nr_groups;
	u32 *group = diff_paths_functions(&d->joined, line, &nr_groups);
	u32 *place = xcalloc(nr_groups + 1, sizeof(*place));
	u32 *of_path = XNEW_ARRAY(u32, d->nr_rows + 1);

	for (size_t i = 0; i < d->nr_rows; i++)
		place[group[d->rows[i].joined - d->joined.rows]] = 1;
	p->nr = add_functions(d, group, nr_groups, place);
	for (size_t i = 0; i < d->nr_rows; i++)
		of_path[i] = place[group[d->rows[i].joined - d->joined.rows]];
	diff_paths_fill(p, of_path, d->nr_rows);
	free(group);
	free(place);
	free(of_path);
}

/* ---- blocks of code ---- */

/* The functions of a row, in every recording; how many. */
static size_t find_functions(const struct diff *d, const struct joined_row *r,
			     struct block_input *out)
{
	size_t key = diff_key(&d->in[0].o->agg, "symbol"), nr = 0;

	for (size_t i = 0; i < d->nr; i++) {
		size_t first = nr;

		for (u32 n = r->from[i]; n < r->from[i + 1]; n++) {
			struct block_input in = {
				.blocks = d->in[i].blocks,
				.event = d->sections[i]->event,
				.side = d->in[i].side,
				.function = (frame_id)d->joined.entries[n]->words[key]
			};
			size_t k = first;

			while (k < nr && out[k].function != in.function)
				k++;
			if (k == nr)
				out[nr++] = in;
		}
	}
	return nr;
}

/* In place of each function its blocks. */
static void divide_rows(struct diff *d)
{
	VEC(struct diff_row) rows = { 0 };

	d->nr_functions = d->nr_rows;
	d->blocks = xcalloc(d->nr_functions + 1, sizeof(*d->blocks));
	for (size_t i = 0; i < d->nr_functions; i++) {
		const struct joined_row *r = d->rows[i].joined;
		struct block_input *inputs = XNEW_ARRAY(struct block_input,
							r->from[d->nr] - r->from[0] + 1);
		size_t nr = find_functions(d, r, inputs);

		block_diff_rows(&d->blocks[i], inputs, nr, d->nr_sides, d->o->order);
		free(inputs);
		VEC_FOR(&d->blocks[i].v, b) {
			struct diff_row *row = VEC_PUSH(&rows);

			*row = d->rows[i];
			row->block = b;
		}
	}
	free(d->rows);
	d->rows = rows.v;
	d->nr_rows = rows.nr;
}

/* ---- sections ---- */

static const struct agg_section *find_section(const struct diff *d, size_t input, size_t section)
{
	const struct agg_section *s = comparable_section(d->in, input, section);

	return s ? s : &empty_section;
}

static void join_alike(struct diff *d)
{
	const struct agg_config *c = &d->in[0].o->agg;
	u32 *side_of = XNEW_ARRAY(u32, d->nr);

	for (size_t i = 0; i < d->nr; i++)
		side_of[i] = d->in[i].side;
	alike_join(&d->joined,
		   &(struct alike_input){ .side_of = side_of,
					  .nr = d->nr,
					  .nr_sides = d->nr_sides,
					  .object_line = diff_key(c, "dso"),
					  .symbol_line = diff_key(c, "symbol"),
					  .path_line = diff_key(c, AGG_KEY_CALLERS),
					  .nr_keys = c->nr_keys },
		   &d->alike);
	free(side_of);
}

static void join_rows(struct diff *d, size_t section)
{
	struct join_input *inputs = XNEW_ARRAY(struct join_input, d->nr);

	for (size_t i = 0; i < d->nr; i++) {
		d->sections[i] = find_section(d, i, section);
		inputs[i] = (struct join_input){ .a = d->in[i].a, .section = d->sections[i] };
	}
	row_join(&d->joined, inputs, d->nr);
	if (!d->o->exact)
		join_alike(d);
	free(inputs);
	for (u32 s = 0; s < d->nr_sides; s++) {
		struct side *side = &d->sides[s];

		side->total = 0;
		for (size_t i = side->from; i < side->to; i++)
			side->total += diff_total(d, i);
		side->total /= (u64)(side->to - side->from);
	}
	for (size_t i = 0; i < d->nr; i++)
		d->wholes[i] = diff_whole_of(d, i);
}

/* What stands for several names in the rows that are shown. */
static void tell_matches(struct diff *d)
{
	bool *shown = xcalloc(d->alike.v.nr + 1, sizeof(*shown));

	for (size_t i = 0; i < d->nr_rows; i++) {
		shown[diff_match(d, &d->rows[i], false)] = true;
		shown[diff_match(d, &d->rows[i], true)] = true;
	}
	d->matches = alike_matches(&d->alike, shown, &d->nr_matches);
	free(shown);
}

/* ---- functions that one build has inlined ---- */

/* The text of a line of a joined name. */
static void add_name_line(const char *name, size_t line, struct strbuf *out)
{
	for (; line && name; line--) {
		name = strchr(name, '\n');
		name += name != NULL;
	}
	strbuf_reset(out);
	if (name)
		strbuf_add(out, name, strcspn(name, "\n"));
}

/* What is looked for: a function of an object, on a side that has no row of it. */
struct inlining {
	struct diff *d;
	u32 side;
	const char *symbol, *object;
	size_t object_line, symbol_key;
	struct strbuf text, into;
	const struct dso *checked; /* whether it has the symbol itself */
	bool is_there; /* it has */
};

/* Of the functions of the object that a recording of the side has. */
static void look_for_inlined(struct inlining *w, size_t input, const struct agg_entry *e,
			     size_t *left)
{
	struct session *s = w->d->in[input].s;
	frame_id frame = (frame_id)e->words[w->symbol_key];
	const struct frame *f = session_frame_get(s, frame);
	struct dso *o = dso_table_get(session_dsos(s), f->dso);

	if (!o || f->sym == SYM_NONE || dso_kind(o) != DSO_USER)
		return;
	if (o != w->checked)
		w->is_there |= symtab_find_name(dso_symtab(o), w->symbol) != SYM_NONE;
	w->checked = o;
	if (w->is_there || !inlined_in(o, f->sym, w->symbol, left))
		return;
	if (w->into.len)
		strbuf_addch(&w->into, '\n');
	strbuf_adds(&w->into, symtab_name(dso_symtab(o), f->sym));
}

static void find_inlined(struct inlining *w, size_t *left)
{
	const struct side *side = &w->d->sides[w->side];

	for (size_t i = 0; i < w->d->joined.nr && *left && !w->is_there; i++) {
		const struct joined_row *r = &w->d->joined.rows[i];

		if (r->from[side->from] == r->from[side->to])
			continue;
		add_name_line(r->name, w->object_line, &w->text);
		if (strcmp(w->text.buf, w->object) != 0)
			continue;
		look_for_inlined(w, side->from, w->d->joined.entries[r->from[side->from]], left);
	}
}

static void tell_inlined_row(struct diff *d, const struct diff_row *r, u32 side, size_t *left)
{
	const struct agg_config *c = &d->in[0].o->agg;
	_cleanup_(strbuf_releasep) struct strbuf symbol = STRBUF_INIT, object = STRBUF_INIT;
	struct inlining w = { .d = d, .side = side, .text = STRBUF_INIT, .into = STRBUF_INIT };

	w.object_line = diff_key(c, "dso");
	w.symbol_key = diff_key(c, "symbol");
	add_name_line(r->joined->name, w.symbol_key, &symbol);
	add_name_line(r->joined->name, w.object_line, &object);
	w.symbol = symbol.buf;
	w.object = object.buf;
	if (symbol.len)
		find_inlined(&w, left);
	if (w.into.len && !w.is_there)
		*VEC_PUSH(&d->inlined) = (struct view_inlined){
			.symbol = arena_strdup(&d->inlined_names, symbol.buf),
			.file = d->in[d->sides[side].from].name,
			.into = arena_strdup(&d->inlined_names, w.into.buf)
		};
	strbuf_release(&w.text);
	strbuf_release(&w.into);
}

/* Of rows with a share of some weight that a side lacks. */
static void tell_inlined(struct diff *d)
{
	const double least = 0.1; /* percent */
	const struct agg_config *c = &d->in[0].o->agg;
	size_t left = INLINED_BYTES;

	if (diff_key(c, "dso") == c->nr_keys || diff_key(c, "symbol") == c->nr_keys)
		return;
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct diff_row *r = &d->rows[i];
		double share = 0;

		for (u32 s = 0; s < d->nr_sides; s++)
			share = MAX(share, r->sides[s].share);
		for (u32 s = 0; s < d->nr_sides && share >= least; s++)
			if (!r->sides[s].nr)
				tell_inlined_row(d, r, s, &left);
	}
}

static void join_streams(struct diff *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(d->hot); i++)
		d->hot[i] = streams_new(d->in[i].a, d->sections[i]);
	d->streams.v = streams_join(d->hot[0], d->hot[1], &d->streams.nr);
}

/* Call paths are rows below their functions. */
static bool has_paths(const struct diff *d)
{
	const struct agg_config *c = &d->in[0].o->agg;

	return d->o->outline && diff_key(c, AGG_KEY_CALLERS) < c->nr_keys;
}

static void close_section(struct diff *d)
{
	streams_free(d->hot[0]);
	streams_free(d->hot[1]);
	free((void *)d->streams.v);
	d->hot[0] = d->hot[1] = NULL;
	d->streams.v = NULL;
	joined_release(&d->joined);
	alike_release(&d->alike);
	free(d->matches);
	d->matches = NULL;
	d->nr_matches = 0;
	vec_free(&d->inlined);
	arena_release(&d->inlined_names);
	for (size_t i = 0; i < d->nr_functions; i++)
		block_diff_release(&d->blocks[i]);
	free(d->blocks);
	d->blocks = NULL;
	d->nr_functions = 0;
	diff_paths_close(&d->paths);
	free(d->values);
	free(d->rows);
	d->values = NULL;
	d->rows = NULL;
	d->nr_rows = 0;
	diff_table_release(d);
}

const struct view_section *diff_section(struct diff *d, size_t i)
{
	close_section(d);
	join_rows(d, i);
	if (d->o->streams)
		join_streams(d);
	else
		choose_rows(d);
	if (d->o->compute == DIFF_CYCLES)
		divide_rows(d);
	if (has_paths(d))
		group_paths(d);
	if (!d->o->streams) {
		tell_matches(d);
		tell_inlined(d);
		diff_table_add_columns(d);
	}
	d->event = (struct view_event){ .name = comparable_event(&d->in[0], i),
					.samples = d->sections[0]->nr[0],
					.period = d->sides[0].total,
					.total = d->sides[0].total };
	d->view = (struct view_section){ .events = &d->event,
					 .nr_events = 1,
					 .time = d->in[0].o->time,
					 .socket = -1,
					 .graph_min = -1,
					 .last = i + 1 == diff_nr_sections(d),
					 .matches = d->matches,
					 .nr_matches = d->nr_matches,
					 .inlined = d->inlined.v,
					 .nr_inlined = d->inlined.nr,
					 .streams = d->o->streams ? &d->streams : NULL,
					 .files = &d->files };
	d->view.table = diff_table(d);
	if (has_paths(d))
		d->view.outline = diff_paths_open(&d->paths, &d->view.table);
	return &d->view;
}

const struct agg_entry *diff_entry(const struct diff *d, const struct view_rows *level, size_t row,
				   size_t input, const struct agg_section **section)
{
	u32 own = (u32)row;
	size_t nr = 1;
	const u32 *rows = level ? diff_paths_below(level, row, &nr) : &own;

	*section = d->sections[input];
	for (size_t i = 0; i < nr; i++) {
		const struct joined_row *r = d->rows[rows[i]].joined;

		if (r->from[input] < r->from[input + 1])
			return d->joined.entries[r->from[input]];
	}
	return NULL;
}

struct diff_growth diff_worst(const struct diff *d)
{
	struct diff_growth worst = { .interval = NAN };

	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct diff_row *r = &d->rows[i];
		double doubt = r->unnamed ? r->unnamed[0].share : 0;

		for (u32 s = 1; s < d->nr_sides; s++) {
			double points = diff_delta(r, s) - doubt, interval = diff_interval(d, r, s);

			/* what has no names may have them on the other side */
			if (r->lacks_names || points <= worst.points || points <= interval)
				continue;
			worst = (struct diff_growth){ .name = r->joined->name,
						      .points = points,
						      .interval = interval };
		}
	}
	return worst;
}

struct diff_doubt diff_doubt(const struct diff *d)
{
	enum { LEAST = 1 }; /* points */
	struct diff_doubt most = { .name = NULL };

	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct diff_row *r = &d->rows[i];

		for (u32 s = 1; s < d->nr_sides && r->lacks_names; s++) {
			double differ = fabs(diff_delta(r, s));

			if (differ < LEAST || differ <= fabs(most.other - most.base))
				continue;
			most = (struct diff_doubt){ .name = r->joined->name,
						    .base = r->sides[0].share,
						    .other = r->sides[s].share,
						    .file = d->in[d->sides[s].from].name };
		}
	}
	return most;
}

bool diff_has_names(const struct diff *d)
{
	return d->named;
}

/* ---- all of it ---- */

size_t diff_nr_sections(const struct diff *d)
{
	return agg_nr_sections(d->in[0].a);
}

struct diff *diff_new(const struct diff_opts *o, const struct diff_input *inputs, size_t nr)
{
	struct diff *d = XNEW(struct diff);

	*d = (struct diff){ .o = o, .in = inputs, .nr = nr };
	d->nr_sides = inputs[nr - 1].side + 1;
	d->runs = d->nr_sides < nr;
	d->sides = xcalloc(d->nr_sides, sizeof(*d->sides));
	d->sections = xcalloc(nr, sizeof(*d->sections));
	d->profiles = xcalloc(nr, sizeof(*d->profiles));
	d->heads = xcalloc(nr, sizeof(*d->heads));
	d->names = xcalloc(nr, sizeof(*d->names));
	d->wholes = xcalloc(nr, sizeof(*d->wholes));
	for (size_t i = 0; i < nr; i++) {
		struct side *side = &d->sides[inputs[i].side];

		if (!side->to)
			side->from = i;
		side->to = i + 1;
		d->profiles[i] = profile_new(inputs[i].o, inputs[i].columns, inputs[i].s,
					     inputs[i].a, NULL);
		d->heads[i] = profile_head(d->profiles[i]);
		d->names[i] = inputs[i].name;
	}
	d->head = (struct view_profile){ .command = "diff", .of = d->heads, .nr_of = nr };
	d->files = (struct view_files){
		.names = d->names, .nr = nr, .nr_base = d->sides[0].to, .told = nr > 2 || o->told
	};
	return d;
}

const struct view_profile *diff_head(struct diff *d)
{
	return &d->head;
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	close_section(d);
	for (size_t i = 0; i < d->nr; i++)
		profile_free(d->profiles[i]);
	free((void *)d->profiles);
	free((void *)d->heads);
	free((void *)d->names);
	free((void *)d->sections);
	free(d->wholes);
	free(d->sides);
	free(d);
}
