/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: rows, columns and numbers of one section, made from the aggregation when the renderer
 * asks.
 */
#include "profile/section.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "perfdata/info.h"

enum {
	PREFETCH = 8, /* rows */
	WIDTH_SLICE = 1024, /* rows */
};

static u64 row_weight(const struct section *v, const struct agg_entry *e, u32 member)
{
	return agg_value(v->a, e, member,
			 v->o->agg.children ? AGG_OVERHEAD_CHILDREN : AGG_OVERHEAD);
}

/* Rows in sorted order are scattered in memory, so the coming ones are prefetched. */
static void prefetch_row(const struct section *v, const struct agg_entry *const *rows, size_t nr,
			 size_t i)
{
	if (i + 2 * PREFETCH < nr)
		__builtin_prefetch(rows[i + 2 * PREFETCH]);
	if (i + PREFETCH < nr)
		agg_prefetch(v->a, rows[i + PREFETCH]);
	if (i + PREFETCH / 2 < nr)
		agg_prefetch_code(v->a, rows[i + PREFETCH / 2]);
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width UNUSED, struct strbuf *out,
		     struct view_marks *marks)
{
	const struct section *v = ctx;
	const struct agg_entry *e = v->rows[row];
	struct profile_column c = v->cols[column];

	/* with a separator, values are not padded; keys still are, as in perf */
	if (c.is_key)
		section_add_key(v, e, c.index, v->columns[column].width, out);
	for (u32 m = 0; !c.is_key && m < v->s->nr_members; m++)
		section_add_value(v, agg_value(v->a, e, m, c.index), m, column, out, marks);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct section *v = ctx;

	section_add_key(v, v->rows[row], v->cols[column].index, 0, out);
	return true;
}

static bool number_of_cell(void *ctx, size_t row, size_t column, u32 member,
			   struct view_amount *out)
{
	const struct section *v = ctx;
	struct profile_column c = v->cols[column];

	return !c.is_key && section_number(v, agg_value(v->a, v->rows[row], member, c.index),
					   member, column, out);
}

static u64 sign_of_cell(void *ctx, size_t row, size_t column)
{
	const struct section *v = ctx;
	const struct agg_entry *e = v->rows[row];
	struct profile_column c = v->cols[column];
	u64 value;

	if (!column)
		prefetch_row(v, v->rows, v->nr_rows, row);
	if (v->s->nr_members > 1)
		return 0;
	if (c.is_key)
		return v->o->agg.keys[c.index]->flags & KEY_WORD_IS_TEXT ? e->words[c.index] + 1
									 : 0;
	value = agg_value(v->a, e, 0, c.index);
	if (value < v->small[column])
		return 1;
	return value < UINT64_MAX - 1 ? value + 2 : 0;
}

static bool make_tree(void *ctx, size_t row, struct view_tree *out)
{
	const struct section *v = ctx;
	u64 weight = row_weight(v, v->rows[row], 0);

	return weight >= v->graph_min && section_make_tree(v, v->rows[row], weight, out);
}

static bool symbol_passes(const struct section *v, const struct agg_entry *e)
{
	struct strbuf text = STRBUF_INIT;
	bool found = !v->o->symbol_filter;

	for (size_t k = 0; !found && k < v->o->agg.nr_keys; k++) {
		if (strcmp(v->o->agg.keys[k]->name, "symbol"))
			continue;
		v->o->agg.keys[k]->text(v->a, e, e->words[k], 0, &text);
		found = !agg_is_unresolved(v->a, e) &&
			strstr(text.buf + 4, v->o->symbol_filter) != NULL;
	}
	strbuf_release(&text);
	return found;
}

/* A column whose width is that of its longest text. */
struct measured {
	const struct agg_key *key;
	size_t column, word;
};

/* The widths found so far, by each worker. */
struct width_search {
	const struct section *v;
	struct measured *columns;
	size_t nr;
	u32 *widths; /* by worker, then by column */
};

/* Prefetches what a coming row's width depends on. (The rows themselves are not sorted yet, so
 * they lie one after the other.) */
static void prefetch_code(const struct section *v, size_t row)
{
	if (row < v->s->nr_rows && v->s->rows[row]->code.state != CODE_UNNAMED)
		agg_prefetch_code(v->a, v->s->rows[row]);
}

/* Widens the column for one row. text: a scratch buffer. */
static u32 widen(const struct section *v, const struct measured *m, const struct agg_entry *e,
		 u32 width, struct strbuf *text)
{
	u64 word = e->words[m->word];

	if (m->key->width)
		return m->key->width(v->a, e, word, width);
	strbuf_reset(text);
	m->key->text(v->a, e, word, 0, text);
	return MAX(width, (u32)text->len);
}

static void measure_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct width_search *w = ctx;
	const struct section *v = w->v;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u32 *widths = w->widths + worker * w->nr;

	for (size_t r = from; r < to; r++) {
		const struct agg_entry *e = v->o->max_rows ? v->rows[r] : v->s->rows[r];

		prefetch_code(v, r + PREFETCH);
		if (v->o->symbol_filter && !symbol_passes(v, e))
			continue;
		for (size_t i = 0; i < w->nr; i++)
			widths[i] = widen(v, &w->columns[i], e, widths[i], &text);
	}
}

static u32 least_width(const struct section *v, const struct agg_key *key)
{
	bool wide = v->s->nr_rows || key->flags & (KEY_DYNAMIC | KEY_ALWAYS_WIDE);

	return MAX((u32)strlen(key->header), wide ? key->min_width : 0);
}

/* Measures all columns in one pass, since the rows do not fit into the CPU's caches. */
static void measure_columns(struct section *v, struct measured *columns, size_t nr, struct par *par)
{
	unsigned int nr_workers = par_workers(par);
	struct width_search w = {
		.v = v, .columns = columns, .nr = nr, .widths = XNEW_ARRAY(u32, nr_workers * nr)
	};

	for (size_t i = 0; i < nr_workers * nr; i++)
		w.widths[i] = least_width(v, columns[i % nr].key);
	if (nr)
		par_for(par, v->o->max_rows ? v->nr_rows : v->s->nr_rows, WIDTH_SLICE,
			measure_slice, &w);
	for (size_t i = 0; i < nr_workers * nr; i++) {
		struct view_column *c = &v->columns[columns[i % nr].column];

		c->width = MAX(c->width, w.widths[i]);
	}
	free(w.widths);
}

/* Widths from -w, in the order of the columns; 0 = none given. */
static u32 wanted_width(const char *widths, size_t column)
{
	const char *w = widths;

	for (size_t i = 0; w && i < column; i++) {
		w = strchr(w, ',');
		if (w)
			w++;
	}
	return w ? (u32)MIN(strtoul(w, NULL, 10), 10000UL) : 0;
}

/* The width of a value: a given one is raised so that the header and the values of all members
 * of a group fit. */
static u32 value_width(const struct section *v, u8 value, const char *header, u32 wanted)
{
	u32 width = section_values[value].width;
	u32 all = wanted ? wanted : width;

	if (v->s->nr_members > 1)
		all = MAX(all, width * v->s->nr_members);
	return MAX(all, (u32)strlen(header));
}

static void add_key_column(struct section *v, const struct agg_key *key, u32 wanted)
{
	struct view_column *view = &v->columns[v->nr_cols];

	view->name = key->name;
	view->header = key->header;
	view->right = key->flags & KEY_RIGHT;
	view->width = wanted;
}

static void add_value_column(struct section *v, enum agg_value value, u32 wanted)
{
	struct view_column *view = &v->columns[v->nr_cols];
	bool usual = !v->o->fields || *v->o->fields == '+';

	view->name = profile_value_name(value);
	view->header = section_values[value].header;
	if (value == AGG_OVERHEAD && v->o->children && usual)
		view->header = "Self";
	view->right = view->number = true;
	view->share = section_values[value].percent;
	view->unit = section_values[value].unit;
	view->width = value_width(v, value, view->header, wanted);
	v->member_width[v->nr_cols] = wanted ? wanted : section_values[value].width;
	/* shares below 0.0049 % print as 0.00 */
	v->small[v->nr_cols] = view->share ? section_whole(v, value, 0) / 20409 : 0;
}

static void add_columns(struct section *v, const struct profile_columns *cols, struct par *par)
{
	struct measured *measured = XNEW_ARRAY(struct measured, cols->nr);
	size_t nr = 0;

	for (size_t i = 0; i < cols->nr; i++) {
		const struct profile_column *c = &cols->v[i];
		u32 wanted = v->o->hierarchy
				     ? 0
				     : wanted_width(
					       v->o->widths,
					       i); /* as in perf, -w has no effect in a hierarchy */
		const struct agg_key *key =
			c->is_key ? agg_key_of_event(v->o->agg.keys[c->index], v->s->event) : NULL;

		v->hidden_last = c->is_key && !key;
		if ((c->elided && !v->o->hierarchy) || v->hidden_last)
			continue;
		v->cols[v->nr_cols] = *c;
		if (!c->is_key)
			add_value_column(v, c->index, wanted);
		else
			add_key_column(v, key, wanted);
		if (c->is_key && !wanted)
			measured[nr++] = (struct measured){ .key = key,
							    .column = v->nr_cols,
							    .word = c->index };
		v->nr_cols++;
	}
	measure_columns(v, measured, nr, par);
	free(measured);
}

static bool row_passes(const struct section *v, const struct agg_entry *e)
{
	bool few = v->o->min_samples && !v->o->agg.children && v->s->nr_members == 1 &&
		   agg_value(v->a, e, 0, AGG_SAMPLES) < v->o->min_samples;

	return !few &&
	       (v->o->hierarchy ||
		section_percent(row_weight(v, e, 0), v->events[0].total) >= v->o->percent_limit) &&
	       symbol_passes(v, e);
}

static void choose_rows(struct section *v)
{
	v->rows = xcalloc(v->s->nr_rows + 1, sizeof(*v->rows));
	if (!v->o->symbol_filter && v->o->percent_limit <= 0 && !v->o->min_samples &&
	    !v->o->max_rows) {
		memcpy(v->rows, v->s->rows, v->s->nr_rows * sizeof(*v->rows));
		v->nr_rows = v->s->nr_rows;
		return;
	}
	for (size_t i = 0; i < v->s->nr_rows && (!v->o->max_rows || v->nr_rows < v->o->max_rows);
	     i++)
		if (row_passes(v, v->s->rows[i]))
			v->rows[v->nr_rows++] = v->s->rows[i];
}

/* Collects the chains of the rows whose weight reaches the threshold: only these have a call
 * graph. */
static void collect_graphs(struct section *v)
{
	const struct profile_graph *g = &v->o->graph;
	const struct agg_entry **with = xcalloc(v->nr_rows + 1, sizeof(*with));
	size_t nr = 0;

	v->graph_min = g->relative ? 0
				   : (u64)((double)v->events[0].total * (g->min_percent / 100.0));
	for (size_t i = 0; i < v->nr_rows; i++)
		if (row_weight(v, v->rows[i], 0) >= v->graph_min)
			with[nr++] = v->rows[i];
	agg_collect_chains(v->a, with, nr, v->graph_min);
	free(with);
}

/* Whether the head says "events": as in perf, without groups it does for the first of several
 * events and for group leaders. */
static bool is_plural(const struct section *v, const struct perfdata *file)
{
	const struct perfdata_event *ev = perfdata_event(file, v->s->event);

	return !v->o->agg.group && !v->o->agg.wall && perfdata_nr_events(file) > 1 &&
	       (!v->s->event || (ev->leader == ev->index && ev->nr_members > 1));
}

static void add_events(struct section *v, const struct perfdata *file)
{
	const struct agg_section *s = v->s;
	bool relative = v->o->relative;

	v->events = XNEW_ARRAY(struct view_event, s->nr_members);
	for (u32 m = 0; m < s->nr_members; m++)
		v->events[m] = (struct view_event){
			.name = v->o->agg.wall ? "wall-clock"
					       : perfdata_event(file, s->event + m)->name,
			.samples = relative ? s->shown_nr[m] : s->nr[m],
			.period = relative ? s->shown_period[m] : s->period[m],
			.total = relative ? s->shown_period[m] : s->period[m],
			.total_latency = relative ? s->shown_latency[m] : s->latency[m],
		};
}

/* Whether the events were recorded as a group, not only shown side by side on request. */
static bool is_grouped(const struct section *v, const struct perfdata *file)
{
	return v->s->nr_members > 1 && perfdata_event(file, v->s->event + 1)->leader == v->s->event;
}

static void fill_view(struct section *v, const struct profile_columns *cols,
		      const struct perfdata *file)
{
	const struct profile_opts *o = v->o;
	const struct perfdata_event *ev = perfdata_event(file, v->s->event);
	bool named = ev->group_name && strcmp(ev->group_name, "{anon_group}") != 0;

	v->view = (struct view_section){
		.events = v->events,
		.nr_events = v->s->nr_members,
		.grouped = is_grouped(v, file),
		.group = named ? ev->group_name : NULL,
		.plural = is_plural(v, file),
		.ref_chains = o->ref_chains && !(ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN),
		.time = o->time,
		.wall = o->wall,
		.weight_order = o->agg.memory ? cols->order.buf : NULL,
		.socket = (s32)o->agg.socket,
		.graph_min = o->graph.off ? -1 : o->graph.min_percent,
		.caller_first = o->agg.caller_first,
		.last = o->agg.wall || v->s->event + 1 >= perfdata_nr_events(file),
	};
}

static void fill_table(struct section *v)
{
	v->view.table = (struct view_table){
		.columns = v->columns,
		.nr_columns = v->nr_cols,
		.nr_rows = v->nr_rows,
		.nr_members = v->s->nr_members,
		.padded = v->hidden_last,
		.ctx = v,
		.cell = add_cell,
		.sign = sign_of_cell,
		.text = text_of_cell,
		.number = number_of_cell,
		.tree = v->o->graph.off ? NULL : make_tree,
	};
}

void section_open(struct section *v, const struct profile_columns *cols, struct session *s,
		  const struct blocks *blocks)
{
	add_events(v, session_file(s));
	fill_view(v, cols, session_file(s));
	if (blocks) {
		cycles_open(v, blocks);
		return;
	}
	choose_rows(v);
	add_columns(v, cols, session_par(s));
	if (!v->o->graph.off)
		collect_graphs(v);
	fill_table(v);
	if (v->o->hierarchy)
		hierarchy_open(v);
}

void section_close(struct section *v)
{
	cycles_close(v);
	free(v->events);
	free((void *)v->rows);
	*v = (struct section){ .o = v->o };
}
