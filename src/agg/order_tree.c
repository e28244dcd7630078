/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order_tree: the order that is none. The depth rule holds between rows of one thread only, so it is no
 * order, and what comes out depends on which rows are compared. perf inserts the rows one by one into a
 * red-black tree (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13); so do we.
 *
 * Mostly, one number tells the order of two rows but for that rule, and a node has all that decides.
 */
#include "agg/order.h"

struct rb_node {
	u32 child[2], parent; /* 0 = none */
	u32 red;
	/* of the row, where the order is the usual one */
	u32 rank;  /* place by all that is no depth; equal ones share one */
	u32 class; /* of rows that are equally heavy with what they call */
	u32 thread, depth;
};

struct order_tree {
	struct agg *a;
	struct agg_section *s;
	const struct agg_entry **out;
	const struct agg_entry **rows;
	u32 *order;	   /* of insertion: node i is of rows[order[i - 1]] */
	struct rb_node *n; /* [0] unused */
	u32 root;
	bool ranked;
	u32 side_of_deeper;
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
	if (x->class == at->class && x->thread == at->thread && x->depth != at->depth)
		return (x->depth > at->depth) ^ !t->side_of_deeper;
	return x->rank >= at->rank;
}

static void rb_insert(struct order_tree *t, u32 i)
{
	const struct rb_node x = t->n[i];
	u32 at = t->root, parent = 0;
	u32 side = 0;

	while (at) {
		parent = at;
		__builtin_prefetch(&t->n[t->n[at].child[0]]);
		__builtin_prefetch(&t->n[t->n[at].child[1]]);
		if (t->ranked)
			side = rb_side(t, &x, &t->n[at]);
		else
			side = order_compare_from(t->a, t->rows[t->order[i - 1]],
						  t->rows[t->order[at - 1]], 0) >= 0;
		at = t->n[at].child[side];
	}
	t->n[i].parent = parent;
	t->n[i].red = true;
	if (!parent)
		t->root = i;
	else
		t->n[parent].child[side] = i;
	rb_balance(t, i);
}

/* The usual order begins with the time of callees; depth decides where that is equal, and then the rest. */
static bool usual_order(const struct agg *a, const struct agg_section *s)
{
	return a->c.nr_sort && !a->c.sort[0].is_key && agg_is_accumulated(a->c.sort[0].index) &&
	       s->nr_members == 1;
}

/* The two sorts that come before the tree. */
struct sorts {
	struct row_numbers *before, *steps;
	u32 *order, *ranks, *classes;
};

static void sort_part(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct sorts *p = ctx;

	for (size_t i = from; i < to; i++) {
		if (i)
			row_numbers_rank(p->steps, &p->ranks, &p->classes);
		else
			p->order = row_numbers_sort(p->before);
	}
}

/* In the order of the rows in memory. */
static void fill_nodes(struct order_tree *t, const struct sorts *p, size_t nr)
{
	_cleanup_(mem_freep) u32 *node_of = XNEW_ARRAY(u32, nr + 1);

	for (u32 i = 0; i < nr; i++)
		node_of[p->order[i]] = i + 1;
	for (size_t i = 0; i < nr; i++)
		t->n[node_of[i]] = (struct rb_node){
			.rank = p->ranks[i], .class = p->classes[i],
			.thread = t->rows[i]->first_thread, .depth = t->rows[i]->max_depth };
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

struct order_tree *order_tree_new(struct agg *a, struct agg_section *s)
{
	struct order_tree *t = XNEW(struct order_tree);
	struct sorts p = { .before = row_numbers_new(a, s, ORDER_BEFORE) };

	*t = (struct order_tree){ .a = a, .s = s, .rows = s->rows, .ranked = usual_order(a, s),
				  .side_of_deeper = !a->c.caller_first };
	if (t->ranked)
		p.steps = row_numbers_new(a, s, ORDER_STEPS);
	par_for(session_par(a->s), t->ranked ? 2 : 1, 1, sort_part, &p);
	row_numbers_free(p.before);
	row_numbers_free(p.steps);
	t->order = p.order;
	t->n = XNEW_ARRAY(struct rb_node, s->nr_rows + 1);
	if (t->ranked)
		fill_nodes(t, &p, s->nr_rows);
	free(p.ranks);
	free(p.classes);
	return t;
}

void order_tree_grow(struct order_tree *t)
{
	size_t done = 0;

	for (u32 i = 1; i <= t->s->nr_rows; i++)
		rb_insert(t, i);
	t->out = xcalloc(t->s->nr_rows + 1, sizeof(*t->out));
	for (u32 at = leftmost(t, t->root); at; at = next_node(t, at))
		t->out[done++] = t->rows[t->order[at - 1]];
	free(t->n);
	free(t->order);
}

void order_tree_finish(struct order_tree *t)
{
	free((void *)t->s->rows);
	t->s->rows = t->out;
	free(t);
}
