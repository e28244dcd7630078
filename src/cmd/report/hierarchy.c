/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hierarchy: --hierarchy: rows below rows, a level for each sort key, or for those that stand in
 * braces together. The rows of a section are grouped by the keys of the first level, each group by
 * those of the second, and so on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/report/section.h"

enum { LEVEL_INDENT = 3, DOTS_MAX = 207 /* as many as perf has */ };

struct hierarchy {
	const struct section_view *v;
	const struct text_table_opts *o;
	const char *sep;
	u8 keys[AGG_MAX_KEYS]; /* columns */
	u8 from[AGG_MAX_KEYS +
		1]; /* by level: the first of its keys; behind the last level, their number */
	size_t nr_levels;
	struct strbuf out;
	struct view_tree tree;
};

/* Rows with equal words up to some level. */
struct node {
	const struct agg_entry **rows;
	size_t nr;
	struct agg_sums *sums; /* by member */
	const struct hierarchy *h;
	size_t level;
};

/* Below the values' headers; separators interrupt the dots, blanks do not. */
static void add_dots(struct hierarchy *h, u32 indent)
{
	const struct section_view *v = h->v;
	bool first = true;

	strbuf_pad(&h->out, '.', indent);
	for (size_t c = 0; c < v->nr_cols; c++) {
		if (v->cols[c].is_key)
			continue;
		if (!first && h->o->separator)
			strbuf_adds(&h->out, h->sep);
		else if (!first)
			strbuf_pad(&h->out, '.', strlen(h->sep));
		first = false;
		strbuf_pad(&h->out, '.', v->view[c].width);
	}
}

static void add_header(struct hierarchy *h)
{
	const struct section_view *v = h->v;
	u32 indent = h->o->separator ? 0 : (u32)(h->nr_levels - 1) * LEVEL_INDENT;
	size_t names_from, width = 0;
	bool first = true;

	strbuf_adds(&h->out, "# ");
	strbuf_pad(&h->out, ' ', indent);
	for (size_t c = 0; c < v->nr_cols; c++) {
		if (v->cols[c].is_key)
			continue;
		if (!first)
			strbuf_adds(&h->out, h->sep);
		first = false;
		strbuf_addf(&h->out, "%*s", (int)v->view[c].width, v->view[c].header);
	}
	strbuf_adds(&h->out, h->sep);
	names_from = h->out.len;
	for (size_t l = 0; l < h->nr_levels; l++) {
		size_t level_width = l * LEVEL_INDENT;

		for (size_t i = h->from[l]; i < h->from[l + 1]; i++) {
			const struct view_column *col = &v->view[h->keys[i]];
			bool first_key = i == h->from[l];

			strbuf_addf(&h->out, "%s%s",
				    !first_key ? "+"
				    : l        ? " / "
					       : "",
				    col->header + strspn(col->header, " "));
			level_width += col->width +
				       !first_key; /* as perf, which counts the plus sign */
		}
		width = MAX(width, level_width);
	}
	width = MAX(width, h->out.len - names_from);
	strbuf_adds(&h->out, "\n# ");
	add_dots(h, indent);
	strbuf_adds(&h->out, h->sep);
	strbuf_pad(&h->out, '.', MIN(width, (size_t)DOTS_MAX));
	strbuf_adds(&h->out, "\n#\n");
}

static u8 key_of(const struct hierarchy *h, size_t i)
{
	return h->v->cols[h->keys[i]].index;
}

struct level {
	const struct hierarchy *h;
	size_t nr;
};

static int compare_words(const void *a, const void *b, void *arg)
{
	const struct agg_entry *x = *(const struct agg_entry *const *)a,
			       *y = *(const struct agg_entry *const *)b;
	const struct level *l = arg;

	for (size_t i = l->h->from[l->nr]; i < l->h->from[l->nr + 1]; i++) {
		u8 key = key_of(l->h, i);

		if (x->words[key] != y->words[key])
			return x->words[key] < y->words[key] ? -1 : 1;
	}
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	const struct section_view *v = x->h->v;

	for (size_t i = 0; i < v->o->agg.nr_sort; i++) {
		struct agg_sort s = v->o->agg.sort[i];

		for (u32 m = 0; !s.is_key && m < v->s->nr_members; m++) {
			u64 p = agg_value_of(&x->sums[m], s.index);
			u64 q = agg_value_of(&y->sums[m], s.index);

			if (p != q)
				return p > q ? -1 : 1;
		}
	}
	for (size_t i = x->h->from[x->level]; i < x->h->from[x->level + 1]; i++) {
		u8 k = key_of(x->h, i);
		int order = agg_compare_words(v->a, k, x->rows[0]->words[k], y->rows[0]->words[k]);

		if (order)
			return order;
	}
	return 0;
}

static void add_sums(const struct hierarchy *h, const struct agg_entry *e, u32 member,
		     struct agg_sums *to)
{
	struct agg_sums sums = agg_sums_of(h->v->a, e, member);

	agg_sums_add(to, &sums);
}

/* The groups of rows at a level; the caller frees them and their sums. */
static size_t make_nodes(const struct hierarchy *h, const struct agg_entry **rows, size_t nr,
			 size_t level, struct node **out)
{
	struct level by = { .h = h, .nr = level };
	u32 members = h->v->s->nr_members;
	struct node *nodes;
	size_t nr_nodes = 0;

	qsort_r(rows, nr, sizeof(*rows), compare_words, &by);
	nodes = XNEW_ARRAY(struct node, nr + 1);
	for (size_t i = 0; i < nr; i++) {
		struct node *n = &nodes[nr_nodes];

		if (!i || compare_words(&rows[i - 1], &rows[i], &by)) {
			*n = (struct node){ .rows = rows + i,
					    .h = h,
					    .level = level,
					    .sums = XNEW_ARRAY(struct agg_sums, members) };
			nr_nodes++;
		}
		n = &nodes[nr_nodes - 1];
		n->nr++;
		for (u32 m = 0; m < members; m++)
			add_sums(h, rows[i], m, &n->sums[m]);
	}
	if (nr_nodes)
		qsort(nodes, nr_nodes, sizeof(*nodes), compare_nodes);
	*out = nodes;
	return nr_nodes;
}

/* The indent tells the level: no blanks in front of names. */
static void add_names(struct hierarchy *h, const struct node *n)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	for (size_t k = h->from[n->level]; k < h->from[n->level + 1]; k++) {
		strbuf_reset(&text);
		section_add_key(h->v, n->rows[0], key_of(h, k), h->v->view[h->keys[k]].width,
				&text);
		if (h->o->separator) {
			for (size_t i = 0; i < text.len; i++)
				if (text.buf[i] == *h->o->separator)
					text.buf[i] = '.';
		}
		strbuf_adds(&h->out, k == h->from[n->level] ? "" : h->sep);
		strbuf_adds(&h->out, text.buf + strspn(text.buf, " "));
	}
}

static void add_row(struct hierarchy *h, const struct node *n)
{
	const struct section_view *v = h->v;
	bool first = true;
	size_t from;

	strbuf_pad(&h->out, ' ', n->level * LEVEL_INDENT);
	for (size_t c = 0; c < v->nr_cols; c++) {
		if (v->cols[c].is_key)
			continue;
		if (!first || !h->o->separator)
			strbuf_adds(&h->out, h->sep);
		first = false;
		from = h->out.len;
		for (u32 m = 0; m < v->s->nr_members; m++)
			section_add_value(v, agg_value_of(&n->sums[m], v->cols[c].index), m, c,
					  &h->out);
		if (h->out.len - from < v->view[c].width)
			strbuf_pad(&h->out, ' ', v->view[c].width - (h->out.len - from));
	}
	if (!h->o->separator)
		strbuf_pad(&h->out, ' ', (h->nr_levels - 1) * LEVEL_INDENT);
	strbuf_adds(&h->out, h->sep);
	add_names(h, n);
	strbuf_addch(&h->out, '\n');
}

static void add_graph(struct hierarchy *h, const struct node *n)
{
	struct text_tree_opts o = h->o->tree;

	view_tree_reset(&h->tree);
	if (h->v->o->graph.off || !section_make_tree(h->v, n->rows[0], &h->tree))
		return;
	o.row_total = n->sums[0].period;
	o.total = o.style == TEXT_TREE_FRACTAL ? o.row_total : h->v->s->period[0];
	text_tree_add(&h->out, &h->tree, &o);
}

static void add_nothing_left(struct hierarchy *h, size_t level)
{
	size_t width = 2 + (h->nr_levels - 1) * LEVEL_INDENT + level * LEVEL_INDENT;

	for (size_t c = 0; c < h->v->nr_cols; c++)
		if (!h->v->cols[c].is_key)
			width += h->v->view[c].width + 2;
	strbuf_pad(&h->out, ' ', width);
	strbuf_addf(&h->out, "no entry >= %.2f%%\n", h->v->o->percent_limit);
}

static void print_level(struct hierarchy *h, const struct agg_entry **rows, size_t nr, size_t level)
{
	struct node *nodes;
	size_t nr_nodes = make_nodes(h, rows, nr, level, &nodes);
	bool any = false;

	for (size_t i = 0; i < nr_nodes; i++) {
		const struct node *n = &nodes[i];

		if (section_percent(n->sums[0].period, h->v->total[0]) < h->v->o->percent_limit)
			continue;
		any = true;
		add_row(h, n);
		if (level + 1 < h->nr_levels)
			print_level(h, n->rows, n->nr, level + 1);
		else
			add_graph(h, n);
		if (h->out.len > 1 << 16) {
			h->o->write(h->o->ctx, h->out.buf, h->out.len);
			strbuf_reset(&h->out);
		}
	}
	if (!any && level)
		add_nothing_left(h, level);
	for (size_t i = 0; i < nr_nodes; i++)
		free(nodes[i].sums);
	free(nodes);
}

void hierarchy_print(const struct section_view *v, const struct text_table_opts *o)
{
	struct hierarchy h = {
		.v = v, .o = o, .sep = o->separator ? o->separator : "  ", .out = STRBUF_INIT
	};
	size_t nr = 0;

	for (size_t c = 0; c < v->nr_cols; c++) {
		if (!v->cols[c].is_key)
			continue;
		if (!nr || v->cols[c].level != v->cols[h.keys[nr - 1]].level)
			h.from[h.nr_levels++] = (u8)nr;
		h.keys[nr++] = (u8)c;
	}
	if (!nr)
		return;
	h.from[h.nr_levels] = (u8)nr;
	if (!o->no_header)
		add_header(&h);
	print_level(&h, v->rows, v->nr_rows, 0);
	o->write(o->ctx, h.out.buf, h.out.len);
	view_tree_release(&h.tree);
	strbuf_release(&h.out);
}
