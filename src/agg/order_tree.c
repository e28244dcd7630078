/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order_tree: the order that is none. The depth rule holds between rows of one thread only, so it
 * is no order, and what comes out depends on which rows are compared. perf inserts the rows one by
 * one into a red-black tree (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter
 * 13); so do we.
 *
 * Mostly, a node has all that decides about it but for that rule. Rows that are equally heavy with
 * what they call are a class; where all of one are of one thread, the rule is an order. Rows of
 * such classes are sorted, so it is known between which others each of them comes when it is
 * inserted, and nothing is searched. Only rows of the other, loose classes go down the tree;
 * without any there is none.
 */
#include "agg/order.h"

#include <stdatomic.h>

struct rb_node {
	u32 child[2], parent; /* 0 = none */
	u16 red, loose;
	/* of the row, where the order is the usual one */
	u32 class;
	u32 thread, depth;
	u32 rank; /* in its class, by all that is no depth; known where that decides */
};

VEC_TYPE(node_vec, u32);

struct order_tree {
	struct agg *a;
	struct agg_section *s;
	const struct agg_entry **out;
	const struct agg_entry **rows;
	struct row_numbers *before;
	u32 *order; /* of insertion: node i is of rows[order[i - 1]] */
	struct rb_node *n; /* [0] unused */
	u32 root;
	bool ranked;
	u32 side_of_deeper;
	u64 *weights; /* by row: inverted */
	u32 *node_of; /* by row */
	u32 *sorted; /* rows, and then nodes, in order, but for those of loose classes among
			themselves */
	u32 *prev, *next; /* by node: among those that are inserted before it; 0 = none */
	_Atomic bool has_loose;
	/*
	 * By class, of loose ones: its node that is above its others, 0 = none is in the tree.
	 * There are no nodes of other classes among those of one, so what goes down the tree for a
	 * class comes to this one first.
	 */
	u32 *top;
	u32 nr_classes;
};

static void rb_rotate(struct order_tree *t, u32 x, int dir)
{
	u32 y = t->n[x].child[!dir];
	u32 up = t->n[x].parent;

	t->n[x].child[!dir] = t->n[y].child[dir];
	if (t->n[y].child[dir])
		t->n[t->n[y].child[dir]].parent = x;
	t->n[y].parent = up;
	if (!up)
		t->root = y;
	else
		t->n[up].child[t->n[up].child[1] == x] = y;
	t->n[y].child[dir] = x;
	t->n[x].parent = y;
	if (t->n[x].loose && t->n[y].class == t->n[x].class && t->top[t->n[x].class] == x)
		t->top[t->n[x].class] = y;
}

static void rb_balance(struct order_tree *t, u32 z)
{
	while (t->n[t->n[z].parent].red) {
		u32 p = t->n[z].parent;
		u32 g = t->n[p].parent;
		int side = t->n[g].child[1] == p;
		u32 uncle = t->n[g].child[!side];

		if (t->n[uncle].red) {
			t->n[p].red = t->n[uncle].red = false;
			t->n[g].red = true;
			z = g;
			continue;
		}
		if (t->n[p].child[!side] == z) {
			z = p;
			rb_rotate(t, z, side);
			p = t->n[z].parent;
		}
		t->n[p].red = false;
		t->n[g].red = true;
		rb_rotate(t, g, !side);
	}
	t->n[t->root].red = false;
}

/* On which side of a node another belongs; equal ones behind those that were there. */
static u32 rb_side(const struct order_tree *t, const struct rb_node *x, const struct rb_node *at)
{
	if (x->class != at->class)
		return x->class > at->class;
	if (x->thread == at->thread && x->depth != at->depth)
		return (x->depth > at->depth) ^ !t->side_of_deeper;
	return x->rank >= at->rank;
}

/* Where a node belongs that goes down the tree: below *parent on that side. */
static u32 search_place(const struct order_tree *t, u32 i, u32 *parent)
{
	const struct rb_node x = t->n[i];
	u32 at = x.loose && t->top[x.class] ? t->top[x.class] : t->root;
	u32 side = 0;

	*parent = 0;
	while (at) {
		*parent = at;
		__builtin_prefetch(&t->n[t->n[at].child[0]]);
		__builtin_prefetch(&t->n[t->n[at].child[1]]);
		if (t->ranked)
			side = rb_side(t, &x, &t->n[at]);
		else
			side = order_compare_from(t->a, t->rows[t->order[i - 1]],
						  t->rows[t->order[at - 1]], 0) >= 0;
		at = t->n[at].child[side];
	}
	return side;
}

/* The last one of a side in the tree below a node. */
static u32 rb_last(const struct order_tree *t, u32 at, u32 side)
{
	while (t->n[at].child[side])
		at = t->n[at].child[side];
	return at;
}

static bool is_known(const struct order_tree *t, u32 at)
{
	return at && !t->n[at].loose;
}

/* The same from the node's neighbours, as far as they are known. */
static u32 find_place(const struct order_tree *t, u32 i, u32 *parent)
{
	u32 prev = t->prev ? t->prev[i] : 0, next = t->prev ? t->next[i] : 0;

	if (t->n[i].loose || (!is_known(t, prev) && !is_known(t, next)))
		return search_place(t, i, parent);
	if (is_known(t, prev) && !t->n[prev].child[1]) {
		*parent = prev;
		return 1;
	}
	if (is_known(t, next) && !t->n[next].child[0]) {
		*parent = next;
		return 0;
	}
	if (is_known(t, prev)) {
		*parent = rb_last(t, t->n[prev].child[1], 0);
		return 0;
	}
	*parent = rb_last(t, t->n[next].child[0], 1);
	return 1;
}

static void rb_insert(struct order_tree *t, u32 i)
{
	u32 parent;
	u32 side = find_place(t, i, &parent);

	t->n[i].parent = parent;
	t->n[i].red = true;
	if (!parent)
		t->root = i;
	else
		t->n[parent].child[side] = i;
	if (t->n[i].loose && !t->top[t->n[i].class])
		t->top[t->n[i].class] = i;
	rb_balance(t, i);
}

/* The usual order begins with the time of callees; depth decides where that is equal, and then the
 * rest. */
static bool usual_order(const struct agg *a, const struct agg_section *s)
{
	return a->c.nr_sort && !a->c.sort[0].is_key && agg_is_accumulated(a->c.sort[0].index) &&
	       s->nr_members == 1;
}

static void fill_nodes(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct order_tree *t = ctx;

	for (size_t i = from; i < to; i++) {
		t->n[t->node_of[i]].thread = t->rows[i]->first_thread;
		t->n[t->node_of[i]].depth = t->rows[i]->max_depth;
	}
}

/* Nodes of all rows, and of what they weigh with what they call their classes. */
static void make_nodes(struct order_tree *t)
{
	enum { SLICE = 8192 };
	size_t nr = t->s->nr_rows;

	t->node_of = XNEW_ARRAY(u32, nr + 1);
	for (u32 i = 0; i < nr; i++)
		t->node_of[t->order[i]] = i + 1;
	par_for(session_par(t->a->s), nr, SLICE, fill_nodes, t);
	for (u64 i = 0, last = 0; i < nr; i++) {
		u64 weight = t->weights[t->sorted[i]];

		t->nr_classes += !i || weight != last;
		last = weight;
		t->sorted[i] = t->node_of[t->sorted[i]];
		t->n[t->sorted[i]].class = t->nr_classes;
	}
	t->nr_classes++;
	free(t->node_of);
}

/* Deeper ones first, or last; equal ones by rank, which is 0 as long as none is known, and as they
 * come. */
static int compare_depths(const void *p, const void *q, void *arg)
{
	const struct order_tree *t = arg;
	u32 i = *(const u32 *)p, k = *(const u32 *)q;
	const struct rb_node *x = &t->n[i], *y = &t->n[k];

	if (x->depth != y->depth)
		return (x->depth > y->depth) == t->side_of_deeper ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? 1 : -1;
	return i < k ? -1 : 1;
}

static void sort_class(struct order_tree *t, size_t from, size_t to)
{
	enum { FEW = 12 };
	u32 *v = t->sorted + from;
	size_t nr = to - from;

	if (nr > FEW) {
		qsort_r(v, nr, sizeof(*v), compare_depths, t);
		return;
	}
	for (size_t i = 1; i < nr; i++) {
		u32 x = v[i];
		size_t k = i;

		for (; k && compare_depths(&x, &v[k - 1], t) < 0; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* Some classes, one after the other. */
struct class_part {
	struct order_tree *t;
	size_t from, to; /* in sorted */
	struct node_vec unranked; /* nodes whose rank will decide */
};

/* A class of several rows; those of which the rank decides are noted. */
static void look_at_class(struct class_part *p, size_t from, size_t to)
{
	struct order_tree *t = p->t;
	u32 thread = t->n[t->sorted[from]].thread;
	bool loose = false;

	for (size_t i = from; i < to; i++)
		loose |= t->n[t->sorted[i]].thread != thread;
	if (loose)
		atomic_store_explicit(&t->has_loose, true, memory_order_relaxed);
	else
		sort_class(t, from, to);
	for (size_t i = from; i < to; i++) {
		u32 at = t->sorted[i], depth = t->n[at].depth;
		bool like_last = i > from && t->n[t->sorted[i - 1]].depth == depth;
		bool like_next = i + 1 < to && t->n[t->sorted[i + 1]].depth == depth;

		t->n[at].loose = loose;
		if (loose || like_last || like_next)
			*VEC_PUSH(&p->unranked) = at;
	}
}

/* Where the next class begins behind the one at a place, or end. */
static size_t next_class(const struct order_tree *t, size_t at, size_t end)
{
	u32 class = t->n[t->sorted[at]].class;

	while (++at < end && t->n[t->sorted[at]].class == class)
		;
	return at;
}

static void each_class(struct class_part *p,
		       void (*fn)(struct class_part *p, size_t from, size_t to))
{
	size_t to;

	for (size_t from = p->from; from < p->to; from = to) {
		to = next_class(p->t, from, p->to);
		if (to - from > 1)
			fn(p, from, to);
	}
}

/* Each among those of its class. */
static void rank_nodes(struct class_part *p)
{
	const struct order_tree *t = p->t;
	size_t nr = p->unranked.nr, to;
	_cleanup_(mem_freep) const struct agg_entry **rows = xcalloc(nr + 1, sizeof(*rows));
	_cleanup_(mem_freep) u32 *ranks = XNEW_ARRAY(u32, nr + 1);
	struct row_numbers *numbers;

	for (size_t i = 0; i < nr; i++)
		rows[i] = t->rows[t->order[p->unranked.v[i] - 1]];
	numbers = row_numbers_new(t->a, rows, nr, ORDER_STEPS, NULL);
	for (size_t from = 0; from < nr; from = to) {
		u32 class = t->n[p->unranked.v[from]].class;

		for (to = from + 1; to < nr && t->n[p->unranked.v[to]].class == class;)
			to++;
		row_numbers_rank(numbers, from, to, ranks);
	}
	row_numbers_free(numbers);
	for (size_t i = 0; i < nr; i++)
		t->n[p->unranked.v[i]].rank = ranks[i];
	vec_free(&p->unranked);
}

static void sort_again(struct class_part *p, size_t from, size_t to)
{
	if (!p->t->n[p->t->sorted[from]].loose)
		sort_class(p->t, from, to);
}

static void sort_part(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct class_part *parts = ctx;

	for (size_t i = from; i < to; i++) {
		each_class(&parts[i], look_at_class);
		rank_nodes(&parts[i]);
		each_class(&parts[i], sort_again);
	}
}

/* Classes have nothing to do with each other. */
static void sort_classes(struct order_tree *t)
{
	enum { PARTS = 2 }; /* a worker */
	struct par *par = session_par(t->a->s);
	size_t nr = t->s->nr_rows, nr_parts = PARTS * par_workers(par), from = 0;
	struct class_part *parts = XNEW_ARRAY(struct class_part, nr_parts);

	for (size_t i = 0; i < nr_parts; i++) {
		size_t to = MAX(from, nr * (i + 1) / nr_parts);

		if (to > from && to < nr)
			to = next_class(t, to - 1, nr);
		parts[i] = (struct class_part){ .t = t, .from = from, .to = to };
		from = to;
	}
	par_for(par, nr_parts, 1, sort_part, parts);
	free(parts);
}

/* Between which nodes each belongs when it is inserted: those that are left when all later ones are
 * taken out. */
static void find_neighbours(struct order_tree *t)
{
	u32 nr = (u32)t->s->nr_rows;

	t->prev = XNEW_ARRAY(u32, nr + 1);
	t->next = XNEW_ARRAY(u32, nr + 1);
	for (u32 i = 0; i < nr; i++) {
		t->prev[t->sorted[i]] = i ? t->sorted[i - 1] : 0;
		t->next[t->sorted[i]] = i + 1 < nr ? t->sorted[i + 1] : 0;
	}
	for (u32 i = nr; i > 0; i--) {
		t->next[t->prev[i]] = t->next[i];
		t->prev[t->next[i]] = t->prev[i];
	}
}

static u32 leftmost(const struct order_tree *t, u32 at)
{
	while (at && t->n[at].child[0])
		at = t->n[at].child[0];
	return at;
}

static u32 next_node(const struct order_tree *t, u32 at)
{
	u32 from;

	if (t->n[at].child[1])
		return leftmost(t, t->n[at].child[1]);
	do {
		from = at;
		at = t->n[at].parent;
	} while (at && t->n[at].child[1] == from);
	return at;
}

/* Larger ones first. */
static void sort_by_weight(struct order_tree *t)
{
	size_t nr = t->s->nr_rows;

	t->weights = XNEW_ARRAY(u64, nr + 1);
	t->sorted = XNEW_ARRAY(u32, nr + 1);
	for (u32 i = 0; i < nr; i++) {
		t->weights[i] = ~agg_value(t->a, t->rows[i], 0, t->a->c.sort[0].index);
		t->sorted[i] = i;
	}
	row_numbers_sort_by(t->weights, &t->sorted, nr);
}

enum { SORT_BEFORE, SORT_BY_WEIGHT, NR_SORTS };

static void sort_rows(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct order_tree *t = ctx;

	for (size_t i = from; i < to; i++) {
		if (i == SORT_BEFORE)
			t->order = row_numbers_sort(t->before);
		else if (t->ranked)
			sort_by_weight(t);
	}
}

struct order_tree *order_tree_new(struct agg *a, struct agg_section *s)
{
	struct order_tree *t = XNEW(struct order_tree);

	*t = (struct order_tree){ .a = a,
				  .s = s,
				  .rows = s->rows,
				  .ranked = usual_order(a, s),
				  .side_of_deeper = !a->c.caller_first };
	t->before = row_numbers_new(a, s->rows, s->nr_rows, ORDER_BEFORE, session_par(a->s));
	par_for(session_par(a->s), NR_SORTS, 1, sort_rows, t);
	row_numbers_free(t->before);
	t->n = XNEW_ARRAY(struct rb_node, s->nr_rows + 1);
	if (t->ranked) {
		make_nodes(t);
		sort_classes(t);
	}
	free(t->weights);
	return t;
}

/* Only where sorting does not tell it, the tree tells what comes next. */
static void read_tree(struct order_tree *t)
{
	u32 at = 0;

	for (u32 i = 1; i <= t->s->nr_rows; i++)
		rb_insert(t, i);
	for (size_t i = 0; i < t->s->nr_rows; i++) {
		if (t->ranked && !t->n[t->sorted[i]].loose)
			at = t->sorted[i];
		else
			at = at ? next_node(t, at) : leftmost(t, t->root);
		t->out[i] = t->rows[t->order[at - 1]];
	}
}

void order_tree_grow(struct order_tree *t)
{
	size_t nr = t->s->nr_rows;

	t->out = xcalloc(nr + 1, sizeof(*t->out));
	if (t->has_loose) {
		find_neighbours(t);
		t->top = XNEW_ARRAY(u32, t->nr_classes);
	}
	if (t->has_loose || !t->ranked)
		read_tree(t);
	else
		for (size_t i = 0; i < nr; i++)
			t->out[i] = t->rows[t->order[t->sorted[i] - 1]];
	free(t->top);
	free(t->prev);
	free(t->next);
	free(t->sorted);
	free(t->n);
	free(t->order);
}

void order_tree_finish(struct order_tree *t)
{
	free((void *)t->s->rows);
	t->s->rows = t->out;
	free(t);
}
