/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the rows of each section in the order of output.
 */
#include "agg/private.h"

/* Among rows of equal weight of one thread the caller stands above the callee. */
static int compare_depth(const struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	int d;

	if (!a->c.graphs || !a->c.children || x->first_thread != y->first_thread)
		return 0;
	d = x->max_depth == y->max_depth ? 0 : x->max_depth > y->max_depth ? -1 : 1;
	return a->c.caller_first ? d : -d;
}

static int compare_value(const struct agg *a, const struct agg_entry *x,
			 const struct agg_entry *y, enum agg_value v)
{
	const struct agg_section *s = &a->sections.v[x->section];
	u32 first = a->c.group_sort < s->nr_members ? a->c.group_sort : 0;

	u32 nr = v == AGG_OVERHEAD_CHILDREN ? 1 : s->nr_members; /* perf looks at one there */

	for (u32 i = 0; i < nr; i++) {
		u32 m = v == AGG_OVERHEAD_CHILDREN ? 0 : i == 0 ? first : i <= first ? i - 1 : i;
		u64 p = agg_value_of(agg_sums_of(a, x, m), v);
		u64 q = agg_value_of(agg_sums_of(a, y, m), v);

		if (p != q)
			return p > q ? -1 : 1;
	}
	return v == AGG_OVERHEAD_CHILDREN ? compare_depth(a, x, y) : 0;
}

static int compare_key(struct agg *a, const struct agg_entry *x, const struct agg_entry *y, u8 k)
{
	const struct agg_key *key = a->c.keys[k];

	if (x->words[k] == y->words[k])
		return 0;
	if (key->compare)
		return key->compare(a, x->words[k], y->words[k]);
	return x->words[k] < y->words[k] ? -1 : 1;
}

/* By the steps of the order from `first` on. */
static int compare_from(struct agg *a, const struct agg_entry *x, const struct agg_entry *y,
			size_t first)
{
	int d;

	for (size_t i = first; i < a->c.nr_sort; i++) {
		struct agg_sort s = a->c.sort[i];

		d = s.is_key ? compare_key(a, x, y, s.index) : compare_value(a, x, y, s.index);
		if (d)
			return d;
	}
	return 0;
}

/* The order in which perf has the rows before it orders them: decides among equal ones. */
static int compare_before(const void *p, const void *q, void *arg)
{
	struct agg *a = arg;
	const struct agg_entry *x = *(const struct agg_entry *const *)p;
	const struct agg_entry *y = *(const struct agg_entry *const *)q;

	for (size_t k = 0; k < a->c.nr_keys; k++) {
		const struct agg_key *key = a->c.keys[k];
		int d;

		if (x->words[k] == y->words[k])
			continue;
		d = key->compare_before ? key->compare_before(a, x->words[k], y->words[k]) :
					  compare_key(a, x, y, k);
		if (d)
			return d;
	}
	return 0;
}

static int compare_all(const void *p, const void *q, void *arg)
{
	int d = compare_from(arg, *(const struct agg_entry *const *)p,
			     *(const struct agg_entry *const *)q, 0);

	return d ? d : compare_before(p, q, arg);
}

/* ---- sorting by numbers ---- */

/*
 * Comparing rows means to follow their words to names all over memory. So every row gets numbers
 * first: values, the ranks of words that are small numbers, and the place of one that is not. Only
 * rows whose numbers are all equal are compared in full.
 */
enum { LANES = 4, LANE_RANKS = 4, FEW = 1 << 16 };

struct numbered {
	u64 lane[LANES];
	u64 before; /* place among rows that are the same to all steps of the order; see add_last() */
	const struct agg_entry *e;
	u32 row; /* where it was */
};

/* Of a key whose words are small numbers: the words that occur, and the rank of each. */
struct ranks {
	VEC(u32) words;
	u32 *seen; /* by word: its rank + 1 */
};

/* What rows are compared by: compare_all(), its part behind the first two values, compare_before(). */
enum order_part { ORDER_ALL, ORDER_REST, ORDER_BEFORE };

enum { NR_FIRST = 2, PREFETCH = 8 };

struct numbering {
	struct agg *a;
	enum order_part part;
	bool before; /* words are compared as before */
	struct numbered *rows;
	size_t nr;
	size_t lane, used; /* being filled, with so many ranks in it */
	/* the last lane is the place of the last step, and behind it nothing but the order before decides */
	bool complete;
	const struct agg_key *key;
};

static int compare_words(struct agg *a, const struct agg_key *key, u64 x, u64 y, bool before)
{
	if (x == y)
		return 0;
	if (before && key->compare_before)
		return key->compare_before(a, x, y);
	if (key->compare)
		return key->compare(a, x, y);
	return x < y ? -1 : 1;
}

int agg_compare_words(struct agg *a, size_t key, u64 x, u64 y)
{
	int d = compare_words(a, a->c.keys[key], x, y, false);

	return d ? d : compare_words(a, a->c.keys[key], x, y, true);
}

static int compare_rank_words(const void *p, const void *q, void *arg)
{
	const struct numbering *o = arg;

	return compare_words(o->a, o->key, *(const u32 *)p, *(const u32 *)q, o->before);
}

/* False: some words are no small numbers. */
static bool collect_words(const struct numbering *n, size_t k, struct ranks *r)
{
	for (size_t i = 0; i < n->nr; i++) {
		u64 word = n->rows[i].e->words[k];

		if (word >= FEW)
			return false;
		if (r->seen[word])
			continue;
		r->seen[word] = 1;
		*VEC_PUSH(&r->words) = (u32)word;
	}
	return true;
}

static void rank_words(struct numbering *n, struct ranks *r)
{
	u32 rank = 1;

	if (!r->words.nr)
		return;
	qsort_r(r->words.v, r->words.nr, sizeof(*r->words.v), compare_rank_words, n);
	for (size_t i = 0; i < r->words.nr; i++) {
		rank += i && compare_rank_words(&r->words.v[i - 1], &r->words.v[i], n);
		r->seen[r->words.v[i]] = rank;
	}
}

/* The next rank in the rows' numbers; false: the key has words of another kind. */
static bool add_ranks(struct numbering *n, size_t k)
{
	struct ranks r = { .seen = XNEW_ARRAY(u32, FEW) };
	bool few = collect_words(n, k, &r);

	if (few) {
		rank_words(n, &r);
		n->lane += n->used == LANE_RANKS;
		n->used %= LANE_RANKS;
		for (size_t i = 0; i < n->nr && n->lane < LANES; i++)
			n->rows[i].lane[n->lane] |= (u64)(r.seen[n->rows[i].e->words[k]] - 1)
						    << (48 - 16 * n->used);
		n->used++;
	}
	vec_free(&r.words);
	free(r.seen);
	return few;
}

/* False: nothing can be added behind this key. ranked: by rank, if it can be. */
static bool add_key(struct numbering *n, size_t k, bool ranked)
{
	n->key = n->a->c.keys[k];
	if (n->lane >= LANES)
		return false;
	if (ranked && add_ranks(n, k))
		return true;
	n->lane += n->used != 0;
	for (size_t i = 0; n->key->place && n->lane < LANES && i < n->nr; i++)
		n->rows[i].lane[n->lane] = n->key->place(n->a, n->rows[i].e->words[k], n->before);
	return false;
}

/* Larger values first. */
static bool add_value(struct numbering *n, enum agg_value v)
{
	n->lane += n->used != 0;
	n->used = 0;
	if (n->lane >= LANES)
		return false;
	for (size_t i = 0; i < n->nr; i++)
		n->rows[i].lane[n->lane] =
			~agg_value_of(agg_sums_of(n->a, n->rows[i].e, 0), v);
	n->lane++;
	return true;
}

/* Whether a step decides last, by a key that has places, and all keys are among the steps. */
static bool is_last_place(const struct agg_config *c, size_t step)
{
	size_t keys = 0;

	for (size_t i = 0; i < c->nr_sort; i++)
		keys += c->sort[i].is_key;
	return step + 1 == c->nr_sort && keys == c->nr_keys && c->sort[step].is_key &&
	       c->keys[c->sort[step].index]->place;
}

/*
 * Very many rows are equally heavy and without a symbol: the key of the last step is the same for them too,
 * and what decides then is its place in the order before, as all other keys are the same.
 */
static void add_last(struct numbering *n, u8 key)
{
	n->complete = n->lane < LANES;
	for (size_t r = 0; n->complete && r < n->nr; r++)
		n->rows[r].before = n->key->place(n->a, n->rows[r].e->words[key], true);
}

static void number_rows(struct numbering *n)
{
	const struct agg_config *c = &n->a->c;
	bool go_on = true;

	if (n->part == ORDER_BEFORE) {
		for (size_t k = 0; k < c->nr_keys && go_on; k++)
			go_on = add_key(n, k, true);
		return;
	}
	for (size_t i = n->part == ORDER_REST ? NR_FIRST : 0; i < c->nr_sort && go_on; i++) {
		bool last = is_last_place(c, i);

		go_on = c->sort[i].is_key ? add_key(n, c->sort[i].index, !last) :
					    add_value(n, c->sort[i].index);
		if (last)
			add_last(n, c->sort[i].index);
	}
}

static int compare_numbered(const void *p, const void *q, void *arg)
{
	const struct numbering *n = arg;
	const struct numbered *x = p, *y = q;

	for (int i = 0; i < LANES; i++)
		if (x->lane[i] != y->lane[i])
			return x->lane[i] < y->lane[i] ? -1 : 1;
	if (n->complete && x->lane[n->lane] >= KEY_PLACE_SAME) {
		if (n->part == ORDER_REST)
			return 0;
		if (x->before != y->before)
			return x->before < y->before ? -1 : 1;
	}
	switch (n->part) {
	case ORDER_BEFORE:
		return compare_before(&x->e, &y->e, n->a);
	case ORDER_REST:
		return compare_from(n->a, x->e, y->e, NR_FIRST);
	case ORDER_ALL:
	default:
		return compare_all(&x->e, &y->e, n->a);
	}
}

/* The rows with their numbers, in order; n->rows is to be freed. */
static struct numbering numbered_rows(struct agg *a, const struct agg_section *s, enum order_part part)
{
	struct numbering n = { .a = a, .part = part, .before = part == ORDER_BEFORE,
			       .nr = s->nr_rows, .rows = XNEW_ARRAY(struct numbered, s->nr_rows + 1) };

	for (u32 i = 0; i < n.nr; i++) {
		n.rows[i].e = s->rows[i];
		n.rows[i].row = i;
	}
	number_rows(&n);
	qsort_r(n.rows, n.nr, sizeof(*n.rows), compare_numbered, &n);
	return n;
}

/* Members of a group are compared one by one. */
static void sort_rows(struct agg *a, const struct agg_section *s, enum order_part part)
{
	struct numbering n;

	if (s->nr_members > 1 && part == ORDER_ALL) {
		qsort_r(s->rows, s->nr_rows, sizeof(*s->rows), compare_all, a);
		return;
	}
	n = numbered_rows(a, s, part);
	for (size_t i = 0; i < s->nr_rows; i++)
		s->rows[i] = n.rows[i].e;
	free(n.rows);
}

/* ---- the order that is none ---- */

/*
 * The depth rule holds between rows of one thread only, so it is no order, and what comes out
 * depends on which rows are compared. perf inserts the rows one by one into a red-black tree
 * (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13); so do we.
 */
struct rb_node {
	u32 child[2], parent; /* 0 = none */
	bool red;
	/* of the row, where the order is the usual one: what decides, close together in memory */
	u32 thread, depth;
	u32 rest; /* place by all that comes after the values; equal ones share one */
	u64 acc, period;
};

struct rb_tree {
	struct rb_node *n; /* [0] unused; node i is row i - 1 */
	u32 root;
};

static void rb_rotate(struct rb_tree *t, u32 x, int dir)
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

static void rb_balance(struct rb_tree *t, u32 z)
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

/* The usual order begins with the time of callees and the own; the rest only where these are equal. */
static bool usual_order(const struct agg *a, const struct agg_section *s)
{
	return a->c.nr_sort > 2 && !a->c.sort[0].is_key &&
	       a->c.sort[0].index == AGG_OVERHEAD_CHILDREN && !a->c.sort[1].is_key &&
	       a->c.sort[1].index == AGG_OVERHEAD && s->nr_members == 1;
}

/* By row: its place by all that comes after the values; to be freed. */
static u32 *rank_rows(struct agg *a, const struct agg_section *s)
{
	struct numbering n = numbered_rows(a, s, ORDER_REST);
	u32 *ranks = XNEW_ARRAY(u32, s->nr_rows + 1);
	u32 rest = 0;

	for (size_t i = 0; i < s->nr_rows; i++) {
		rest += i && compare_numbered(&n.rows[i - 1], &n.rows[i], &n);
		ranks[n.rows[i].row] = rest;
	}
	free(n.rows);
	return ranks;
}

/* Rows in order lie all over memory: ask for those that come soon. */
static void prefetch_sums(const struct agg *a, const struct agg_section *s, size_t i)
{
	if (i + 2 * PREFETCH < s->nr_rows)
		__builtin_prefetch(s->rows[i + 2 * PREFETCH]);
	if (i + PREFETCH < s->nr_rows)
		__builtin_prefetch(agg_sums_of(a, s->rows[i + PREFETCH], 0));
}

static void fill_nodes(struct agg *a, const struct agg_section *s, struct rb_node *nodes)
{
	_cleanup_(mem_freep) u32 *ranks = rank_rows(a, s);

	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct agg_entry *e = s->rows[i];
		const struct agg_sums *sums = agg_sums_of(a, e, 0);

		prefetch_sums(a, s, i);
		nodes[i + 1] = (struct rb_node){ .rest = ranks[i], .acc = sums->acc,
						 .period = sums->period, .thread = e->first_thread,
						 .depth = e->max_depth };
	}
}

static int compare_ranks(const struct agg *a, const struct rb_node *x, const struct rb_node *y)
{
	int d;

	if (x->acc != y->acc)
		return x->acc > y->acc ? -1 : 1;
	if (x->thread == y->thread && x->depth != y->depth) {
		d = x->depth > y->depth ? -1 : 1;
		return a->c.caller_first ? d : -d;
	}
	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return x->rest == y->rest ? 0 : x->rest < y->rest ? -1 : 1;
}

static void rb_insert(struct agg *a, struct rb_tree *t, const struct agg_entry **rows, bool ranked,
		      u32 i)
{
	u32 at = t->root, parent = 0;
	int side = 0;

	while (at) {
		int d = ranked ? compare_ranks(a, &t->n[i], &t->n[at]) :
				 compare_from(a, rows[i - 1], rows[at - 1], 0);

		parent = at;
		side = d >= 0;
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

static void order_as_tree(struct agg *a, const struct agg_section *s)
{
	const struct agg_entry **rows = s->rows;
	size_t nr = s->nr_rows;
	bool ranked = usual_order(a, s);
	struct rb_tree t = { .n = XNEW_ARRAY(struct rb_node, nr + 1) };
	const struct agg_entry **out = xcalloc(nr + 1, sizeof(*out));
	size_t done = 0;
	u32 at;

	if (ranked)
		fill_nodes(a, s, t.n);
	for (u32 i = 1; i <= nr; i++)
		rb_insert(a, &t, rows, ranked, i);
	at = t.root;
	while (at && t.n[at].child[0])
		at = t.n[at].child[0];
	while (at) {
		u32 from;

		out[done++] = rows[at - 1];
		if (t.n[at].child[1]) {
			at = t.n[at].child[1];
			while (t.n[at].child[0])
				at = t.n[at].child[0];
			continue;
		}
		do {
			from = at;
			at = t.n[at].parent;
		} while (at && t.n[at].child[1] == from);
	}
	memcpy(rows, out, nr * sizeof(*out));
	free(out);
	free(t.n);
}

static bool is_shown(const struct agg *a, const struct agg_entry *e)
{
	if (e->filtered)
		return false;
	if (!a->c.hide_unresolved)
		return true;
	for (u32 m = 0; m < a->sections.v[e->section].nr_members; m++) {
		const struct agg_sums *s = agg_sums_of(a, e, m);

		if (s->nr || s->acc)
			return true;
	}
	return false;
}

/* Only now: hidden rows take part in the tree. */
static void drop_hidden(const struct agg *a, struct agg_section *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr_rows; i++)
		if (is_shown(a, s->rows[i]))
			s->rows[kept++] = s->rows[i];
	s->nr_rows = kept;
}

void agg_order(struct agg *a)
{
	_cleanup_(mem_freep) size_t *nr = XNEW_ARRAY(size_t, a->sections.nr + 1);

	VEC_FOR(&a->entries, e)
		nr[e->section]++;
	for (size_t i = 0; i < a->sections.nr; i++)
		a->sections.v[i].rows = xcalloc(nr[i] + 1, sizeof(struct agg_entry *));
	VEC_FOR(&a->entries, e) {
		struct agg_section *s = &a->sections.v[e->section];

		s->rows[s->nr_rows++] = e;
	}
	VEC_FOR(&a->sections, s) {
		if (a->c.graphs && a->c.children) {
			sort_rows(a, s, ORDER_BEFORE);
			order_as_tree(a, s);
		} else {
			sort_rows(a, s, ORDER_ALL);
		}
		drop_hidden(a, s);
	}
}
