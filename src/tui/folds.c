/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"

enum { DEPTH_WIDTH = 3, SLICE_NS = 4000000 };

static void fold_release(struct fold *f)
{
	view_tree_release(&f->tree);
	free(f->open);
	vec_free(&f->lines);
}

static void close_all(struct folds *f)
{
	VEC_FOR(&f->folds, fold)
		fold_release(fold);
	f->folds.nr = f->nr_below = 0;
}

size_t folds_nr_lines(const struct folds *f)
{
	return f->nr + f->nr_below;
}

/* Lines of folds are others: where they are now. */
static void number_lines(struct folds *f)
{
	f->nr_below = 0;
	VEC_FOR(&f->folds, fold) {
		fold->line = fold->at + f->nr_below;
		f->nr_below += fold->lines.nr;
	}
}

/* How many folds are before a place and before a line. */
static size_t nr_before(const struct folds *f, size_t at, size_t line)
{
	size_t from = 0, to = f->folds.nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct fold *fold = &f->folds.v[middle];

		if (fold->at < at && fold->line < line)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static size_t row_of(const struct folds *f, size_t at)
{
	return f->rows ? f->rows[at] : at;
}

struct fold_place folds_at(const struct folds *f, size_t line)
{
	size_t n = nr_before(f, SIZE_MAX, line + 1), at = line;

	if (n) {
		struct fold *fold = &f->folds.v[n - 1];
		size_t below = line - fold->line;

		if (below <= fold->lines.nr)
			return (struct fold_place){ .at = fold->at,
						    .row = row_of(f, fold->at),
						    .fold = fold,
						    .line = below ? &fold->lines.v[below - 1]
								  : NULL };
		at = fold->at + below - fold->lines.nr;
	}
	return (struct fold_place){ .at = at, .row = row_of(f, at) };
}

size_t folds_line_of(const struct folds *f, size_t at)
{
	size_t n = nr_before(f, at, SIZE_MAX);
	const struct fold *above = n ? &f->folds.v[n - 1] : NULL;

	return above ? above->line + above->lines.nr + at - above->at : at;
}

size_t folds_stay(const struct folds *f, size_t line, size_t at)
{
	return line < folds_nr_lines(f) && folds_at(f, line).at == at ? line : folds_line_of(f, at);
}

/* ---- what is to be seen of a tree ---- */

static bool node_has_more(const struct view_node *n)
{
	return n->child || n->nr_labels > 1;
}

struct tree_step {
	u32 node, depth;
};
VEC_TYPE(tree_steps, struct tree_step);

/* The children of a node, so that the first is taken next. */
static void push_children(struct tree_steps *todo, const struct view_tree *t, u32 node, u32 depth)
{
	size_t from = todo->nr;

	for (u32 c = t->nodes.v[node].child; c; c = t->nodes.v[c].next)
		*VEC_PUSH(todo) = (struct tree_step){ c, depth };
	for (size_t i = from, k = todo->nr; i + 1 < k; i++, k--) {
		struct tree_step s = todo->v[i];

		todo->v[i] = todo->v[k - 1];
		todo->v[k - 1] = s;
	}
}

static void list_lines(struct fold *f)
{
	struct tree_steps todo = { 0 };

	f->lines.nr = 0;
	push_children(&todo, &f->tree, 0, 1);
	while (todo.nr) {
		struct tree_step s = todo.v[--todo.nr];
		const struct view_node *n = &f->tree.nodes.v[s.node];

		for (u32 i = 0; i < n->nr_labels && (!i || f->open[s.node]); i++)
			*VEC_PUSH(&f->lines) = (struct fold_line){ s.node, i, s.depth };
		if (f->open[s.node])
			push_children(&todo, &f->tree, s.node, s.depth + 1);
	}
	vec_free(&todo);
}

/* Everything below a node, and itself. */
static void set_open(struct fold *f, u32 node, u8 open)
{
	struct tree_steps todo = { 0 };

	*VEC_PUSH(&todo) = (struct tree_step){ node, 0 };
	while (todo.nr) {
		struct tree_step s = todo.v[--todo.nr];

		f->open[s.node] = open && (!s.node || node_has_more(&f->tree.nodes.v[s.node]));
		push_children(&todo, &f->tree, s.node, 0);
	}
	vec_free(&todo);
}

/* ---- rows ---- */

static bool make_tree(const struct folds *f, size_t at, struct view_tree *out)
{
	view_tree_reset(out);
	return f->table->tree && f->table->tree(f->table->ctx, row_of(f, at), out) &&
	       out->nodes.nr && out->nodes.v[0].child;
}

static bool has_tree(struct folds *f, size_t at)
{
	struct view_tree tree = { 0 };

	if (!f->has[at]) {
		f->has[at] = 1 + make_tree(f, at, &tree);
		view_tree_release(&tree);
	}
	return f->has[at] == 2;
}

static struct fold *find_fold(struct folds *f, size_t at)
{
	size_t n = nr_before(f, at, SIZE_MAX);

	return n < f->folds.nr && f->folds.v[n].at == at ? &f->folds.v[n] : NULL;
}

static struct fold *add_fold(struct folds *f, size_t at)
{
	size_t before = nr_before(f, at, SIZE_MAX);
	struct fold new = { .at = at }, *to;

	if (!f->table->tree || f->has[at] == 1)
		return NULL;
	f->has[at] = 1 + make_tree(f, at, &new.tree);
	if (f->has[at] == 1) {
		view_tree_release(&new.tree);
		return NULL;
	}
	new.open = xcalloc(new.tree.nodes.nr, sizeof(*new.open));
	VEC_GROW(&f->folds, 1);
	to = f->folds.v + before;
	memmove(to + 1, to, (f->folds.nr - before) * sizeof(*to));
	*to = new;
	f->folds.nr++;
	return to;
}

char folds_sign(struct folds *f, const struct fold_place *p)
{
	if (!p->line)
		return p->fold ? '-' : has_tree(f, p->at) ? '+' : ' ';
	if (p->line->label || !node_has_more(&p->fold->tree.nodes.v[p->line->node]))
		return ' ';
	return p->fold->open[p->line->node] ? '-' : '+';
}

/* ---- what is unfolded stays so in another table ---- */

u64 folds_row_id(const struct folds *f, size_t at)
{
	const struct view_table *t = f->table;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	for (size_t c = 0; t->text && c < t->nr_columns; c++) {
		if (t->columns[c].unit == VIEW_TEXT && t->text(t->ctx, row_of(f, at), c, &text))
			strbuf_addch(&text, '\n');
	}
	return text.len ? hash_bytes(text.buf, text.len, 0) : row_of(f, at) + 1;
}

bool folds_find(const struct folds *f, u64 row_id, size_t *at)
{
	for (*at = 0; *at < f->nr; ++*at)
		if (folds_row_id(f, *at) == row_id)
			return true;
	return false;
}

static struct fold_memory *find_memory(struct folds *f, u64 row)
{
	VEC_FOR(&f->memory, m)
		if (m->row == row)
			return m;
	return NULL;
}

static void forget_all(struct folds *f)
{
	VEC_FOR(&f->memory, m)
		vec_free(&m->open);
	f->memory.nr = 0;
}

static void forget(struct folds *f, size_t at)
{
	struct fold_memory *m = f->remembers ? find_memory(f, folds_row_id(f, at)) : NULL;

	if (!m)
		return;
	vec_free(&m->open);
	*m = *VEC_LAST(&f->memory);
	f->memory.nr--;
}

static bool was_open(const struct fold_memory *m, u64 path)
{
	VEC_FOR(&m->open, o)
		if (*o == path)
			return true;
	return false;
}

/* Nodes by the names that lead to them. m: those that are open are noted there, or (recall) those
 * that are there become open. */
static void walk_open(struct fold *f, struct fold_memory *m, bool recall)
{
	struct path_step {
		u32 node;
		u64 path;
	};
	VEC(struct path_step) todo = { 0 };

	*VEC_PUSH(&todo) = (struct path_step){ 0, 0 };
	while (todo.nr) {
		struct path_step s = todo.v[--todo.nr];
		const struct view_node *n = &f->tree.nodes.v[s.node];

		for (u32 i = 0; s.node && i < n->nr_labels; i++) {
			const char *label = f->tree.labels.v[n->labels + i].text;

			s.path = hash_bytes(label, strlen(label), s.path + 1);
			if (recall && !i)
				f->open[s.node] = node_has_more(n) && was_open(m, s.path);
			if (!recall && f->open[s.node])
				*VEC_PUSH(&m->open) = s.path;
		}
		for (u32 c = !s.node || f->open[s.node] ? n->child : 0; c;
		     c = f->tree.nodes.v[c].next)
			*VEC_PUSH(&todo) = (struct path_step){ c, s.path };
	}
	vec_free(&todo);
}

static void remember(struct folds *f, struct fold *fold)
{
	u64 row = f->remembers ? folds_row_id(f, fold->at) : 0;
	struct fold_memory *m = find_memory(f, row);

	if (!f->remembers || (!m && f->memory.nr == FOLDS_REMEMBERED))
		return;
	if (!m) {
		m = VEC_PUSH(&f->memory);
		*m = (struct fold_memory){ .row = row };
	}
	m->open.nr = 0;
	walk_open(fold, m, false);
}

static void recall_all(struct folds *f)
{
	for (size_t at = 0; f->memory.nr && at < f->nr; at++) {
		struct fold_memory *m = find_memory(f, folds_row_id(f, at));
		struct fold *fold = m ? add_fold(f, at) : NULL;

		if (!fold)
			continue;
		walk_open(fold, m, true);
		list_lines(fold);
	}
	number_lines(f);
}

void folds_reset(struct folds *f, const struct view_table *table, const u32 *rows, size_t nr)
{
	close_all(f);
	f->table = table;
	f->rows = rows;
	f->nr = nr;
	free(f->has);
	f->has = xcalloc(nr + 1, sizeof(*f->has));
	recall_all(f);
}

void folds_release(struct folds *f)
{
	close_all(f);
	forget_all(f);
	vec_free(&f->memory);
	vec_free(&f->folds);
	free(f->has);
	f->has = NULL;
}

/* ---- folding ---- */

static void open_row(struct folds *f, size_t at, bool deep)
{
	struct fold *fold = find_fold(f, at);
	bool is_new = !fold;
	u32 child;

	if (is_new)
		fold = add_fold(f, at);
	if (!fold)
		return;
	child = fold->tree.nodes.v[0].child;
	if (deep)
		set_open(fold, 0, 1);
	else if (is_new && !fold->tree.nodes.v[child].next)
		fold->open[child] = node_has_more(&fold->tree.nodes.v[child]);
	list_lines(fold);
	remember(f, fold);
}

void folds_open(struct folds *f, const struct fold_place *p, bool deep)
{
	if (!p->line) {
		open_row(f, p->at, deep);
	} else {
		const struct view_node *n = &p->fold->tree.nodes.v[p->line->node];

		if (deep)
			set_open(p->fold, p->line->node, 1);
		else
			p->fold->open[p->line->node] = node_has_more(n);
		list_lines(p->fold);
		remember(f, p->fold);
	}
	number_lines(f);
}

static void close_row(struct folds *f, struct fold *fold)
{
	size_t i = (size_t)(fold - f->folds.v);

	fold_release(fold);
	memmove(fold, fold + 1, (f->folds.nr - i - 1) * sizeof(*fold));
	f->folds.nr--;
}

void folds_close(struct folds *f, const struct fold_place *p)
{
	if (!p->fold)
		return;
	if (p->line && p->fold->open[p->line->node]) {
		set_open(p->fold, p->line->node, 0);
		list_lines(p->fold);
		remember(f, p->fold);
	} else {
		forget(f, p->at);
		close_row(f, p->fold);
	}
	number_lines(f);
}

void folds_close_all(struct folds *f)
{
	forget_all(f);
	close_all(f);
}

bool folds_open_some(struct folds *f, size_t *at)
{
	u64 end = clock_now() + SLICE_NS;

	if (!f->table->tree)
		*at = f->nr;
	/* (most rows of many have no graph, and cost less than the clock) */
	for (size_t i = 0; *at < f->nr && (f->has[*at] == 1 || i % 8 || clock_now() < end); i++)
		open_row(f, (*at)++, true);
	number_lines(f);
	return *at < f->nr;
}

/* ---- lines of graphs ---- */

void folds_add_node(struct folds *f, const struct fold_place *p, double percent, struct strbuf *out)
{
	const struct view_tree *tree = &p->fold->tree;
	const struct view_node *n = &tree->nodes.v[p->line->node];

	strbuf_pad(out, ' ', (size_t)p->line->depth * DEPTH_WIDTH);
	strbuf_addch(out, folds_sign(f, p));
	if (p->line->label)
		strbuf_pad(out, ' ', strlen(" 12.34% "));
	else
		strbuf_addf(out, "%6.2f%% ", percent);
	strbuf_adds(out, tree->labels.v[n->labels + p->line->label].text);
}
