/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hierarchy: rows below rows, a level for each sort key, or for those that stand in braces
 * together. The rows of a section are grouped by the keys of the first level, each group by those
 * of the second, and so on.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "profile/section.h"

/* Rows whose keys are equal up to one level. */
struct node {
	const struct agg_entry **rows;
	size_t nr;
	struct agg_sums *sums; /* by member of the group */
	const struct hierarchy_level *in;
};

struct hierarchy_level {
	struct view_rows rows; /* first, since the renderer has a pointer to it */
	const struct section *v;
	struct node *nodes;
};

/* Whether a column shows a key of this level. */
static bool is_of(const struct hierarchy_level *l, size_t column)
{
	return l->v->outline.level[column] == l->rows.level + 1;
}

static int compare_words(const void *a, const void *b, void *arg)
{
	const struct agg_entry *x = *(const struct agg_entry *const *)a,
			       *y = *(const struct agg_entry *const *)b;
	const struct hierarchy_level *l = arg;

	for (size_t c = 0; c < l->v->nr_cols; c++) {
		u8 key = l->v->cols[c].index;

		if (is_of(l, c) && x->words[key] != y->words[key])
			return x->words[key] < y->words[key] ? -1 : 1;
	}
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	const struct section *v = x->in->v;

	for (size_t i = 0; i < v->o->agg.nr_sort; i++) {
		struct agg_sort s = v->o->agg.sort[i];

		for (u32 m = 0; !s.is_key && m < v->s->nr_members; m++) {
			u64 p = agg_value_of(&x->sums[m], s.index);
			u64 q = agg_value_of(&y->sums[m], s.index);

			if (p != q)
				return p > q ? -1 : 1;
		}
	}
	for (size_t c = 0; c < v->nr_cols; c++) {
		u8 k = v->cols[c].index;
		int order = is_of(x->in, c) ? agg_compare_words(v->a, k, x->rows[0]->words[k],
								y->rows[0]->words[k])
					    : 0;

		if (order)
			return order;
	}
	return 0;
}

/* Groups the rows by the keys of a level. */
static void make_nodes(struct hierarchy_level *l, const struct agg_entry **rows, size_t nr)
{
	u32 members = l->v->s->nr_members;
	size_t nr_nodes = 0;

	qsort_r(rows, nr, sizeof(*rows), compare_words, l);
	l->nodes = XNEW_ARRAY(struct node, nr + 1);
	for (size_t i = 0; i < nr; i++) {
		struct node *n = &l->nodes[nr_nodes];

		if (!i || compare_words(&rows[i - 1], &rows[i], l)) {
			*n = (struct node){ .rows = rows + i,
					    .in = l,
					    .sums = XNEW_ARRAY(struct agg_sums, members) };
			nr_nodes++;
		}
		n = &l->nodes[nr_nodes - 1];
		n->nr++;
		for (u32 m = 0; m < members; m++) {
			struct agg_sums sums = agg_sums_of(l->v->a, rows[i], m);

			agg_sums_add(&n->sums[m], &sums);
		}
	}
	if (nr_nodes)
		qsort(l->nodes, nr_nodes, sizeof(*l->nodes), compare_nodes);
	l->rows.table.nr_rows = nr_nodes;
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width UNUSED, struct strbuf *out,
		     struct view_marks *marks)
{
	const struct hierarchy_level *l = ctx;
	const struct section *v = l->v;
	const struct node *n = &l->nodes[row];
	struct profile_column c = v->cols[column];

	if (c.is_key && is_of(l, column))
		section_add_key(v, n->rows[0], c.index, v->columns[column].width, out);
	for (u32 m = 0; !c.is_key && m < v->s->nr_members; m++)
		section_add_value(v, agg_value_of(&n->sums[m], c.index), m, column, out, marks);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct hierarchy_level *l = ctx;

	if (is_of(l, column))
		section_add_key(l->v, l->nodes[row].rows[0], l->v->cols[column].index, 0, out);
	return is_of(l, column);
}

static bool number_of_cell(void *ctx, size_t row, size_t column, u32 member,
			   struct view_amount *out)
{
	const struct hierarchy_level *l = ctx;
	struct profile_column c = l->v->cols[column];

	return !c.is_key && section_number(l->v, agg_value_of(&l->nodes[row].sums[member], c.index),
					   member, column, out);
}

static bool make_tree(void *ctx, size_t row, struct view_tree *out)
{
	const struct hierarchy_level *l = ctx;
	const struct node *n = &l->nodes[row];

	return section_make_tree(l->v, n->rows[0], n->sums[0].period, out);
}

static void free_nodes(struct node *nodes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(nodes[i].sums);
}

/* Moves the groups that reach the limit to the front and drops the others. */
static void leave_out_small(struct hierarchy_level *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->rows.table.nr_rows; i++) {
		struct node *n = &l->nodes[i];

		if (section_percent(n->sums[0].period, l->v->events[0].total) <
		    l->v->o->percent_limit)
			free_nodes(n, 1);
		else
			l->nodes[kept++] = *n;
	}
	l->rows.table.nr_rows = kept;
}

static struct view_rows *open_level(void *ctx, const struct view_rows *above, size_t row)
{
	const struct section *v = ctx;
	const struct hierarchy_level *upper = (const struct hierarchy_level *)(const void *)above;
	struct hierarchy_level *l = XNEW(struct hierarchy_level);
	bool lowest;

	l->v = v;
	l->rows.level = above ? above->level + 1 : 0;
	lowest = l->rows.level + 1 == v->outline.nr_levels;
	l->rows.table = (struct view_table){ .columns = v->columns,
					     .nr_columns = v->nr_cols,
					     .nr_members = v->s->nr_members,
					     .serial = true,
					     .ctx = l,
					     .cell = add_cell,
					     .text = text_of_cell,
					     .number = number_of_cell,
					     .tree = lowest && !v->o->graph.off ? make_tree
										: NULL };
	if (upper)
		make_nodes(l, upper->nodes[row].rows, upper->nodes[row].nr);
	else
		make_nodes(l, v->rows, v->nr_rows);
	leave_out_small(l);
	return &l->rows;
}

static void close_level(struct view_rows *rows)
{
	struct hierarchy_level *l = (struct hierarchy_level *)(void *)rows;

	free_nodes(l->nodes, rows->table.nr_rows);
	free(l->nodes);
	free(l);
}

void hierarchy_open(struct section *v)
{
	u16 last = 0;

	v->outline = (struct view_outline){ .columns = v->columns,
					    .nr_columns = v->nr_cols,
					    .percent_limit = v->o->percent_limit,
					    .ctx = v,
					    .open = open_level,
					    .close = close_level };
	for (size_t c = 0; c < v->nr_cols; c++) {
		if (!v->cols[c].is_key)
			continue;
		if (!v->outline.nr_levels || v->cols[c].level != last)
			v->outline.nr_levels++;
		last = v->cols[c].level;
		v->outline.level[c] = (u16)v->outline.nr_levels;
	}
	v->view.outline = &v->outline;
}

const struct agg_entry *profile_outline_row(const struct view_rows *rows, size_t row)
{
	return ((const struct hierarchy_level *)(const void *)rows)->nodes[row].rows[0];
}
