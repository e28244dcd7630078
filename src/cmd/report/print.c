/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print: the sections of a report as text. Each section becomes a view_table whose cells are made
 * from the aggregation when the renderer asks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/colour.h"
#include "cmd/report/section.h"

enum {
	PERCENT_WIDTH = 8, /* " 12.34%" and a blank */
	NUMBER_WIDTH = 12,
	GRAPH_MARGIN = 12,
	PREFETCH = 8, /* rows */
	WIDTH_SLICE = 1024, /* rows */
};

static const struct {
	const char *header;
	u32 width;
	bool percent;
} value_columns[AGG_NR_VALUES] = {
	[AGG_OVERHEAD] = { "Overhead", PERCENT_WIDTH, true },
	[AGG_OVERHEAD_CHILDREN] = { "Children", PERCENT_WIDTH, true },
	[AGG_OVERHEAD_SYS] = { "sys", PERCENT_WIDTH, true },
	[AGG_OVERHEAD_US] = { "usr", PERCENT_WIDTH, true },
	[AGG_OVERHEAD_GUEST_SYS] = { "guest sys", 9, true },
	[AGG_OVERHEAD_GUEST_US] = { "guest usr", 9, true },
	[AGG_SAMPLES] = { "Samples", NUMBER_WIDTH, false },
	[AGG_PERIOD] = { "Period", NUMBER_WIDTH, false },
	[AGG_LATENCY] = { "Latency", PERCENT_WIDTH, true },
	[AGG_LATENCY_CHILDREN] = { "Latency", PERCENT_WIDTH - 1, true },
};

static u64 row_weight(const struct section_view *v, const struct agg_entry *e, u32 member)
{
	return agg_value(v->a, e, member,
			 v->o->agg.children ? AGG_OVERHEAD_CHILDREN : AGG_OVERHEAD);
}

double section_percent(u64 part, u64 whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0.0;
}

static void add_share(struct strbuf *out, double percent, int width, bool coloured)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	width = MAX(width - 2, 0);
	if (!coloured) {
		strbuf_addch(out, ' ');
		strbuf_add_fixed2(out, percent, width);
		strbuf_addch(out, '%');
		return;
	}
	strbuf_addf(&text, " %*.2f%%", width, percent);
	colour_add(out, true, colour_of_percent(percent), text.buf);
}

static void add_branch_share(struct strbuf *out, double percent)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f%%", percent);
	colour_add(out, true, colour_of_percent(percent), text);
}

/* What 100 % of a column is. */
static u64 whole(const struct section_view *v, enum agg_value what, u32 member)
{
	return what == AGG_LATENCY || what == AGG_LATENCY_CHILDREN ? v->total_latency[member]
								   : v->total[member];
}

void section_add_value(const struct section_view *v, u64 value, u32 member, size_t column,
		       struct strbuf *out)
{
	int width = v->o->separator ? 0 : (int)v->member_width[column];
	enum agg_value what = v->cols[column].index;

	if (agg_is_accumulated(what) && !v->o->agg.children) {
		if (!member) /* once for all members, as perf */
			strbuf_addf(out, "%*s",
				    what == AGG_LATENCY_CHILDREN ? 4 : (int)v->member_width[column],
				    "N/A");
	} else if (value_columns[what].percent) {
		add_share(out, section_percent(value, whole(v, what, member)), width,
			  v->o->coloured && !v->o->separator);
	} else {
		strbuf_addch(out, ' ');
		strbuf_add_u64_width(out, value, MAX(width - 1, 0), ' ');
	}
}

/* Rows in order lie all over memory: ask for those that come soon. */
static void prefetch_row(const struct section_view *v, const struct agg_entry *const *rows,
			 size_t nr, size_t i)
{
	if (i + 2 * PREFETCH < nr)
		__builtin_prefetch(rows[i + 2 * PREFETCH]);
	if (i + PREFETCH < nr)
		agg_prefetch(v->a, rows[i + PREFETCH]);
	if (i + PREFETCH / 2 < nr)
		agg_prefetch_code(v->a, rows[i + PREFETCH / 2]);
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width UNUSED, struct strbuf *out)
{
	const struct section_view *v = ctx;
	const struct agg_entry *e = v->rows[row];
	struct report_column c = v->cols[column];

	/* separated values are as short as possible; keys are padded all the same, as perf does */
	if (c.is_key)
		section_add_key(v, e, c.index, v->view[column].width, out);
	for (u32 m = 0; !c.is_key && m < v->s->nr_members; m++)
		section_add_value(v, agg_value(v->a, e, m, c.index), m, column, out);
}

static u64 sign_of_cell(void *ctx, size_t row, size_t column)
{
	const struct section_view *v = ctx;
	const struct agg_entry *e = v->rows[row];
	struct report_column c = v->cols[column];
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

void section_add_key(const struct section_view *v, const struct agg_entry *e, u8 key, u32 width,
		     struct strbuf *out)
{
	size_t from = out->len;

	v->o->agg.keys[key]->text(v->a, e, e->words[key], width, out);
	strbuf_mask_controls(out, from); /* names come from files */
}

bool section_make_tree(const struct section_view *v, const struct agg_entry *e,
		       struct view_tree *out)
{
	const struct graph_opts *g = &v->o->graph;
	struct calltree_opts o = {
		.flat = g->style == TEXT_TREE_FLAT || g->style == TEXT_TREE_FOLDED,
		.relative = g->style == TEXT_TREE_FRACTAL,
		.min_percent = g->min_percent,
		.total = v->total[0],
	};

	return agg_calltree(v->a, e, &o, out);
}

static bool make_tree(void *ctx, size_t row, struct view_tree *out)
{
	const struct section_view *v = ctx;

	return row_weight(v, v->rows[row], 0) >= v->graph_min &&
	       section_make_tree(v, v->rows[row], out);
}

static void tree_of_row(void *ctx, size_t row, struct text_tree_opts *o)
{
	const struct section_view *v = ctx;

	o->row_total = row_weight(v, v->rows[row], 0);
	o->total = v->o->graph.style == TEXT_TREE_FRACTAL ? o->row_total : v->s->period[0];
}

static bool symbol_passes(const struct section_view *v, const struct agg_entry *e)
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

/* A column that is as wide as its texts. */
struct measured {
	const struct agg_key *key;
	size_t column, word;
};

/* How wide they are, as far as each worker has seen. */
struct width_search {
	const struct section_view *v;
	struct measured *columns;
	size_t nr;
	u32 *widths; /* by worker, of each */
};

/* The code of a row that comes soon, if it will be looked at. (Rows themselves lie in order yet.)
 */
static void prefetch_code(const struct section_view *v, size_t row)
{
	if (row < v->s->nr_rows && v->s->rows[row]->code.state != CODE_UNNAMED)
		agg_prefetch_code(v->a, v->s->rows[row]);
}

/* text: scratch. */
static u32 widen(const struct section_view *v, const struct measured *m, const struct agg_entry *e,
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
	const struct section_view *v = w->v;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u32 *widths = w->widths + worker * w->nr;

	for (size_t r = from; r < to; r++) {
		const struct agg_entry *e = v->s->rows[r];

		prefetch_code(v, r + PREFETCH);
		if (v->o->symbol_filter && !symbol_passes(v, e))
			continue;
		for (size_t i = 0; i < w->nr; i++)
			widths[i] = widen(v, &w->columns[i], e, widths[i], &text);
	}
}

static u32 least_width(const struct section_view *v, const struct agg_key *key)
{
	bool wide = v->s->nr_rows || key->flags & (KEY_DYNAMIC | KEY_ALWAYS_WIDE);

	return MAX((u32)strlen(key->header), wide ? key->min_width : 0);
}

/* All of them at once: the rows are more than the CPU's caches hold. */
static void measure_columns(struct section_view *v, struct measured *columns, size_t nr,
			    struct par *par)
{
	unsigned int nr_workers = par_workers(par);
	struct width_search w = {
		.v = v, .columns = columns, .nr = nr, .widths = XNEW_ARRAY(u32, nr_workers * nr)
	};

	for (size_t i = 0; i < nr_workers * nr; i++)
		w.widths[i] = least_width(v, columns[i % nr].key);
	if (nr)
		par_for(par, v->s->nr_rows, WIDTH_SLICE, measure_slice, &w);
	for (size_t i = 0; i < nr_workers * nr; i++) {
		struct view_column *c = &v->view[columns[i % nr].column];

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

/* A given width may not hide the header, nor the values of a group's members. */
static u32 value_width(const struct section_view *v, u8 value, const char *header, u32 wanted)
{
	u32 width = value_columns[value].width;
	u32 all = wanted ? wanted : width;

	if (v->s->nr_members > 1)
		all = MAX(all, width * v->s->nr_members);
	return MAX(all, (u32)strlen(header));
}

static void add_columns(struct section_view *v, const struct report_columns *cols, struct par *par)
{
	struct measured *measured = XNEW_ARRAY(struct measured, cols->nr);
	size_t nr = 0;

	for (size_t i = 0; i < cols->nr; i++) {
		const struct report_column *c = &cols->v[i];
		struct view_column *view = &v->view[v->nr_cols];
		u32 wanted = v->o->hierarchy ? 0 : wanted_width(v->o->widths, i); /* as perf */

		const struct agg_key *key =
			c->is_key ? agg_key_of_event(v->o->agg.keys[c->index], v->s->event) : NULL;

		v->hidden_last = c->is_key && !key;
		if ((c->elided && !v->o->hierarchy) || v->hidden_last)
			continue;
		v->cols[v->nr_cols] = *c;
		if (c->is_key) {

			view->header = key->header;
			view->right = key->flags & KEY_RIGHT;
			view->width = wanted;
			if (!wanted)
				measured[nr++] = (struct measured){ .key = key,
								    .column = v->nr_cols,
								    .word = c->index };
		} else {
			view->header = value_columns[c->index].header;
			if (c->index == AGG_OVERHEAD && v->o->children &&
			    (!v->o->fields || *v->o->fields == '+'))
				view->header = "Self";
			view->right = view->number = true;
			view->width = value_width(v, c->index, view->header, wanted);
			v->member_width[v->nr_cols] = wanted ? wanted
							     : value_columns[c->index].width;
			/* (less than 0.0049 %) */
			v->small[v->nr_cols] = value_columns[c->index].percent
						       ? whole(v, c->index, 0) / 20409
						       : 0;
		}
		v->nr_cols++;
	}
	measure_columns(v, measured, nr, par);
	free(measured);
}

static bool row_passes(const struct section_view *v, const struct agg_entry *e)
{
	return (v->o->hierarchy ||
		section_percent(row_weight(v, e, 0), v->total[0]) >= v->o->percent_limit) &&
	       symbol_passes(v, e);
}

static void choose_rows(struct section_view *v)
{
	free((void *)v->rows);
	v->nr_rows = 0;
	v->rows = xcalloc(v->s->nr_rows + 1, sizeof(*v->rows));
	if (!v->o->symbol_filter && v->o->percent_limit <= 0) {
		memcpy(v->rows, v->s->rows, v->s->nr_rows * sizeof(*v->rows));
		v->nr_rows = v->s->nr_rows;
		return;
	}
	for (size_t i = 0; i < v->s->nr_rows; i++)
		if (row_passes(v, v->s->rows[i]))
			v->rows[v->nr_rows++] = v->s->rows[i];
}

/* Call graphs that have a branch above the threshold. */
static void collect_graphs(struct section_view *v)
{
	const struct graph_opts *g = &v->o->graph;
	const struct agg_entry **with = xcalloc(v->nr_rows + 1, sizeof(*with));
	size_t nr = 0;

	v->graph_min = g->style == TEXT_TREE_FRACTAL
			       ? 0
			       : (u64)((double)v->total[0] * (g->min_percent / 100.0));
	for (size_t i = 0; i < v->nr_rows; i++)
		if (row_weight(v, v->rows[i], 0) >= v->graph_min)
			with[nr++] = v->rows[i];
	agg_collect_chains(v->a, with, nr, v->graph_min);
	free(with);
}

static bool write_stdout(void *ctx UNUSED, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len;
}

/* 1234 as "1K": perf's short form, with a blank where there is no unit. */
static void print_count(u64 n)
{
	static const char units[] = " KMG";
	int unit = 0;

	while (n > 1000 && units[unit + 1]) {
		n /= 1000;
		unit++;
	}
	printf("%llu%c", (unsigned long long)n, units[unit]);
}

/* The name of a recorded group, and those of its members. */
static void print_group(const struct section_view *v, const struct perfdata *file,
			const struct perfdata_event *leader)
{
	bool recorded = perfdata_event(file, v->s->event + 1)->leader == v->s->event;
	bool named = leader->group_name && strcmp(leader->group_name, "{anon_group}");
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	strbuf_add_escaped(&name, named ? leader->group_name : "anon group");
	printf(" of events '");
	if (recorded)
		printf("%s { ", name.buf);
	for (u32 m = 0; m < v->s->nr_members; m++)
		printf("%s%s", m ? ", " : "", perfdata_event(file, v->s->event + m)->name);
	printf(recorded ? " }'" : "'");
}

/* perf's plural where groups were turned off: for the first of several events and for leaders. */
static bool is_plural(const struct section_view *v, const struct perfdata *file)
{
	const struct perfdata_event *ev = perfdata_event(file, v->s->event);

	return !v->o->agg.group && perfdata_nr_events(file) > 1 &&
	       (!v->s->event || (ev->leader == ev->index && ev->nr_members > 1));
}

static void print_head(const struct section_view *v, const struct report_columns *cols,
		       struct session *s)
{
	const struct perfdata_event *ev = perfdata_event(session_file(s), v->s->event);
	u64 nr = 0, period = 0;

	for (u32 m = 0; m < v->s->nr_members; m++) {
		nr += v->o->relative ? v->s->shown_nr[m] : v->s->nr[m];
		period += v->o->relative ? v->s->shown_period[m] : v->s->period[m];
	}
	printf("# Samples: ");
	print_count(nr);
	if (v->s->nr_members > 1) {
		print_group(v, session_file(s), ev);
	} else {
		printf(" of event%s '%s'", is_plural(v, session_file(s)) ? "s" : "", ev->name);
	}
	if (v->o->session.ref_chains && !(ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		printf(", show reference callgraph");
	if (v->o->session.time)
		printf(" (time slices: %s)", v->o->session.time);
	if (v->o->agg.memory)
		printf("\n# Total weight : %llu\n# Sort order   : %s\n", (unsigned long long)period,
		       cols->order.buf);
	else
		printf("\n# Event count (approx.): %llu\n", (unsigned long long)period);
	if (v->o->socket >= 0)
		printf("# Processor Socket: %d\n", v->o->socket);
	printf("#\n");
}

/* The number of its rows. */
static size_t print_section(const struct report_opts *o, const struct report_columns *cols,
			    struct session *s, struct agg *a, const struct blocks *blocks,
			    const struct agg_section *section)
{
	struct section_view v = { .o = o, .a = a, .s = section };
	struct view_table table = {
		.columns = v.view, .ctx = &v, .cell = add_cell, .sign = sign_of_cell
	};
	struct text_table_opts topts = {
		.separator = o->separator,
		.no_header = o->quiet,
		.tree = { .style = o->graph.style,
			  .value = o->graph.value,
			  .limit = o->graph.limit,
			  .margin = GRAPH_MARGIN,
			  .skip_first = o->sort && !o->fields && !strncmp(o->sort, "sym", 3),
			  .separator = o->separator ? *o->separator : 0,
			  .add_percent = o->coloured ? add_branch_share : NULL },
		.write = write_stdout,
		.row_tree = tree_of_row,
		.par = session_par(s),
	};

	v.total = XNEW_ARRAY(u64, section->nr_members);
	v.total_latency = XNEW_ARRAY(u64, section->nr_members);
	for (u32 m = 0; m < section->nr_members; m++) {
		v.total[m] = o->relative ? section->shown_period[m] : section->period[m];
		v.total_latency[m] = o->relative ? section->shown_latency[m] : section->latency[m];
	}
	if (!o->quiet)
		print_head(&v, cols, s);
	if (blocks) {
		free(v.total);
		free(v.total_latency);
		cycles_print(o, blocks, section->event, &topts);
		printf(section->event + 1 < perfdata_nr_events(session_file(s)) ? "\n\n" : "");
		return section->nr_rows;
	}
	choose_rows(&v);
	add_columns(&v, cols, session_par(s));
	table.nr_columns = v.nr_cols;
	table.nr_rows = v.nr_rows;
	table.padded = v.hidden_last;
	if (!o->graph.off) {
		collect_graphs(&v);
		table.tree = make_tree;
	}
	if (o->hierarchy)
		hierarchy_print(&v, &topts);
	else
		text_table_print(&table, &topts);
	printf("\n\n");
	free((void *)v.rows);
	free(v.total);
	free(v.total_latency);
	return v.nr_rows;
}

void report_print_elided(const struct report_opts *o, const struct report_columns *cols)
{
	for (size_t i = 0; i < cols->nr; i++) {
		const struct agg_key *key;

		if (!cols->v[i].told)
			continue;
		key = o->agg.keys[cols->v[i].index];
		if (!strcmp(key->name, "comm"))
			printf("# comm: %s\n", o->agg.comms);
		else if (!strcmp(key->name, "dso"))
			printf("# dso: %s\n", o->agg.dsos);
		else
			printf("# symbol: %s\n", o->agg.symbols);
	}
}

static u64 section_samples(const struct agg_section *s)
{
	u64 nr = 0;

	for (u32 m = 0; m < s->nr_members; m++)
		nr += s->nr[m];
	return nr;
}

static void print_kind(const char *name, u64 nr, u64 all)
{
	if (nr)
		printf("\n%8s: %5.1f%%", name, 100.0 * (double)nr / (double)all);
}

/* Of all branches by kind; each counts as the first of its row, as in perf. */
static void print_branch_kinds(const struct agg *a)
{
	static const u8 order[] = { BRANCH_COND_FWD, BRANCH_COND_BWD, BRANCH_CROSS_4K,
				    BRANCH_CROSS_2M };
	u64 nr[BRANCH_NR_KINDS] = { 0 }, all = 0;

	for (size_t i = 0; i < agg_nr_sections(a); i++) {
		const struct agg_section *s = agg_section(a, i);

		for (size_t r = 0; r < s->nr_rows; r++)
			for (u32 k = 0; k < BRANCH_NR_KINDS; k++)
				if (s->rows[r]->code.kinds & 1U << k)
					nr[k] += agg_value(a, s->rows[r], 0, AGG_SAMPLES);
	}
	for (u32 k = 0; k < BRANCH_NR_KINDS; k++)
		all += k == BRANCH_CROSS_4K || k == BRANCH_CROSS_2M ? 0 : nr[k];
	if (!all)
		return;
	printf("\n#\n# Branch Statistics:\n#");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		print_kind(branch_kind_name(order[i]), nr[order[i]], all);
	print_kind("COND", nr[BRANCH_COND_FWD] + nr[BRANCH_COND_BWD], all);
	for (enum branch_kind k = BRANCH_COND_FWD + 1; k < BRANCH_COND_BWD; k++)
		print_kind(branch_kind_name(k), nr[k], all);
	/* (perf ends without a newline) */
}

size_t report_print(const struct report_opts *o, const struct report_columns *cols,
		    struct session *s, struct agg *a, const struct blocks *blocks)
{
	size_t nr_rows = 0;

	report_print_elided(o, cols);
	if (!o->quiet)
		printf("#\n# Total Lost Samples: %llu\n#\n",
		       (unsigned long long)session_stats(s)->lost_samples);
	for (size_t i = 0; i < agg_nr_sections(a); i++) {
		const struct agg_section *section = agg_section(a, i);

		if (o->skip_empty && !section_samples(section))
			continue;
		nr_rows += print_section(o, cols, s, a, blocks, section);
	}
	if (!o->quiet)
		printf("#\n# (Tip: For a higher level overview, try: "
		       "perf report --sort comm,dso)\n#\n");
	if (o->agg.branches)
		print_branch_kinds(a);
	return nr_rows;
}
