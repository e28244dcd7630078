/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_tree.h"

#include "base/mem.h"
#include "render/ansi.h"
#include "view/table.h"

enum { LEVEL_WIDTH = 11, ROOT_INDENT = 3, FLAT_INDENT = 16 };

struct drawing {
	struct strbuf *out;
	const struct view_tree *t;
	const struct text_tree_opts *o;
	VEC(bool) bars; /* by level: a line goes on below */
	u32 margin;
};

static const struct view_node *node_at(const struct view_tree *t, u32 i)
{
	return &t->nodes.v[i];
}

static void add_value(struct strbuf *out, const struct text_tree_opts *o, u64 value, u64 count,
		      u64 total)
{
	double percent;
	size_t from;

	switch (o->value) {
	case TEXT_TREE_PERIOD:
		strbuf_add_u64(out, value);
		return;
	case TEXT_TREE_COUNT:
		strbuf_add_u64(out, count);
		return;
	case TEXT_TREE_PERCENT:
		percent = total ? (double)value * 100.0 / (double)total : 0.0;
		from = out->len;
		strbuf_add_fixed(out, percent, 0, 2);
		strbuf_addch(out, '%');
		if (o->coloured)
			ansi_colour(out, from, view_class_of(percent));
		return;
	}
}

/* Bars of the levels above depth. */
static void add_prefix(struct drawing *d, size_t depth)
{
	strbuf_pad(d->out, ' ', d->margin);
	for (size_t i = 0; i < depth; i++) {
		strbuf_addch(d->out, d->bars.v[i] ? '|' : ' ');
		strbuf_pad(d->out, ' ', LEVEL_WIDTH - 1);
	}
}

static void add_spacer(struct drawing *d, size_t depth)
{
	add_prefix(d, depth + 1);
	strbuf_addch(d->out, '\n');
}

/* The line of a branch with its first label, or "[...]" for what is not shown. */
static void add_branch(struct drawing *d, size_t depth, bool last, const char *label,
		       const struct view_node *n, u64 total)
{
	if (last)
		d->bars.v[depth] = false;
	add_prefix(d, depth);
	strbuf_adds(d->out, last ? " --" : "|--");
	add_value(d->out, d->o, n->total, n->count, total);
	strbuf_adds(d->out, "--");
	strbuf_add_escaped(d->out, label);
	strbuf_addch(d->out, '\n');
}

static void add_more_labels(struct drawing *d, size_t depth, const struct view_node *n, u32 from,
			    u32 to)
{
	for (u32 i = from; i < n->nr_labels && i < to; i++) {
		add_prefix(d, depth);
		strbuf_add_escaped(d->out, d->t->labels.v[n->labels + i].text);
		strbuf_addch(d->out, '\n');
	}
}

/* Where the walk stands in one list of children. */
struct level {
	u32 next;
	u32 printed;
	u64 total; /* what 100 % is here */
	struct view_node rest; /* what the children do not cover */
};

/* At the root what ends there counts as a branch not shown; further down it does not. */
static struct level level_of(const struct drawing *d, const struct view_node *parent, bool root,
			     u64 total)
{
	struct level l = { .next = parent->child, .total = total };

	l.rest.total = root ? parent->total : parent->total - parent->self;
	l.rest.count = root ? parent->count : parent->count - parent->self_count;
	if (d->o->style == TEXT_TREE_FRACTAL)
		l.total = l.rest.total;
	return l;
}

/* One step at the deepest level: true when a child was printed whose children come next. */
static bool draw_next(struct drawing *d, struct level *l, size_t depth, u32 *child)
{
	const struct view_node *n;
	bool rest, last;

	if (d->o->limit && l->printed == d->o->limit)
		l->next = 0;
	if (!l->next) {
		if (d->o->style == TEXT_TREE_FRACTAL && l->printed && l->rest.total &&
		    l->rest.total != l->total)
			add_branch(d, depth, true, "[...]", &l->rest, l->total);
		return false;
	}
	*child = l->next;
	n = node_at(d->t, l->next);
	l->next = n->next;
	l->rest.total -= n->total;
	l->rest.count -= n->count;
	l->printed++;
	rest = d->o->style == TEXT_TREE_FRACTAL && l->rest.total;
	last = !l->next && !rest;
	add_spacer(d, depth);
	add_branch(d, depth, last, d->t->labels.v[n->labels].text, n, l->total);
	add_more_labels(d, depth + 1, n, 1, UINT32_MAX);
	return true;
}

static void draw_children(struct drawing *d, u32 top, u64 total)
{
	VEC(struct level) stack = { 0 };

	*VEC_PUSH(&stack) = level_of(d, node_at(d->t, top), true, total);
	*VEC_PUSH(&d->bars) = true;
	while (stack.nr) {
		u32 child;

		if (draw_next(d, VEC_LAST(&stack), stack.nr - 1, &child)) {
			struct level l = level_of(d, node_at(d->t, child), false,
						  VEC_LAST(&stack)->total);

			*VEC_PUSH(&stack) = l;
			*VEC_PUSH(&d->bars) = true;
		} else {
			stack.nr--;
			d->bars.nr--;
		}
	}
	vec_free(&stack);
}

/* The frames that all chains share stand at the root without a branch. */
static u32 draw_trunk(struct drawing *d, u32 only)
{
	const struct view_node *n = node_at(d->t, only);
	u32 from = d->o->skip_first ? 1 : 0;

	if (n->nr_labels <= from)
		return only;
	strbuf_pad(d->out, ' ', d->margin);
	strbuf_adds(d->out, "|\n");
	strbuf_pad(d->out, ' ', d->margin);
	strbuf_adds(d->out, "---");
	strbuf_add_escaped(d->out, d->t->labels.v[n->labels + from].text);
	strbuf_addch(d->out, '\n');
	d->margin += ROOT_INDENT;
	add_more_labels(d, 0, n, from + 1, d->o->limit ? from + d->o->limit : UINT32_MAX);
	return only;
}

static void draw_graph(struct strbuf *out, const struct view_tree *t,
		       const struct text_tree_opts *o)
{
	struct drawing d = { .out = out, .t = t, .o = o, .margin = o->margin };
	u32 only = node_at(t, 0)->child;
	size_t before = out->len;
	u32 top = 0;
	u64 total = o->style == TEXT_TREE_FRACTAL ? t->row_total : t->total;

	if (!only)
		return;
	if (!node_at(t, only)->next && node_at(t, only)->total == t->row_total) {
		top = draw_trunk(&d, only);
		total = o->style == TEXT_TREE_FRACTAL ? node_at(t, only)->total : total;
	}
	draw_children(&d, top, total);
	vec_free(&d.bars);
	if (out->len > before)
		strbuf_addch(out, '\n');
}

static void draw_flat(struct strbuf *out, const struct view_tree *t, const struct text_tree_opts *o)
{
	char separator = o->separator ? o->separator : ';';
	u32 printed = 0;

	for (u32 i = node_at(t, 0)->child; i; i = node_at(t, i)->next) {
		const struct view_node *n = node_at(t, i);

		if (o->style == TEXT_TREE_FLAT)
			strbuf_pad(out, ' ', LEVEL_WIDTH);
		/* perf's blocks tell of all chains that begin so, its lines of those that end there
		 */
		if (o->style == TEXT_TREE_FLAT)
			add_value(out, o, n->total, n->count, t->total);
		else
			add_value(out, o, n->self, n->self_count, t->total);
		strbuf_addch(out, o->style == TEXT_TREE_FLAT ? '\n' : ' ');
		for (u32 k = 0; k < n->nr_labels; k++) {
			if (o->style == TEXT_TREE_FLAT)
				strbuf_pad(out, ' ', FLAT_INDENT);
			else if (k)
				strbuf_addch(out, separator);
			if (o->style == TEXT_TREE_FLAT)
				strbuf_add_escaped(out, t->labels.v[n->labels + k].text);
			else
				strbuf_add_part(out, t->labels.v[n->labels + k].text, separator);
			if (o->style == TEXT_TREE_FLAT)
				strbuf_addch(out, '\n');
		}
		strbuf_addch(out, '\n');
		if (o->limit && ++printed == o->limit)
			break;
	}
}

void text_tree_add(struct strbuf *out, const struct view_tree *t, const struct text_tree_opts *o)
{
	if (!t->nodes.nr)
		return;
	if (o->style == TEXT_TREE_GRAPH || o->style == TEXT_TREE_FRACTAL)
		draw_graph(out, t, o);
	else
		draw_flat(out, t, o);
}
