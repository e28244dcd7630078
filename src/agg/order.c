/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the rows of each section in the order of output.
 */
#include "agg/order.h"

/* Among rows of equal weight the caller stands above what it calls. */
static int compare_depths(const struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	int d = x->max_depth == y->max_depth ? 0 : x->max_depth > y->max_depth ? -1 : 1;

	if (!order_by_depth(a))
		return 0;
	return a->c.caller_first ? d : -d;
}

static int compare_value(const struct agg *a, const struct agg_entry *x, const struct agg_entry *y,
			 enum agg_value v)
{
	const struct agg_section *s = &a->sections.v[x->section];
	u32 first = a->c.group_sort < s->nr_members ? a->c.group_sort : 0;

	u32 nr = agg_is_accumulated(v) ? 1 : s->nr_members; /* perf looks at one there */

	for (u32 i = 0; i < nr; i++) {
		u32 m = agg_is_accumulated(v) ? 0 : i == 0 ? first : i <= first ? i - 1 : i;
		u64 p = agg_value(a, x, m, v);
		u64 q = agg_value(a, y, m, v);

		if (p != q)
			return p > q ? -1 : 1;
	}
	return agg_is_accumulated(v) ? compare_depths(a, x, y) : 0;
}

int order_compare_words(struct agg *a, const struct agg_key *key, u64 x, u64 y, bool before)
{
	if (x == y)
		return 0;
	if (before && key->compare_before)
		return key->compare_before(a, x, y);
	if (key->compare)
		return key->compare(a, x, y);
	return x < y ? -1 : 1;
}

static int compare_steps(struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	int d;

	for (size_t i = 0; i < a->c.nr_sort; i++) {
		struct agg_sort s = a->c.sort[i];

		d = s.is_key ? order_compare_words(a, a->c.keys[s.index], x->words[s.index],
						   y->words[s.index], false)
			     : compare_value(a, x, y, s.index);
		if (d)
			return d;
	}
	return 0;
}

int agg_compare_words(struct agg *a, size_t key, u64 x, u64 y)
{
	int d = order_compare_words(a, a->c.keys[key], x, y, false);

	return d ? d : order_compare_words(a, a->c.keys[key], x, y, true);
}

/* Equal ones stand as perf has them before it orders them. */
int order_compare(struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	int d = compare_steps(a, x, y);

	for (size_t k = 0; k < a->c.nr_keys && !d; k++)
		d = order_compare_words(a, a->c.keys[k], x->words[k], y->words[k], true);
	return d;
}

static int compare_rows(const void *p, const void *q, void *arg)
{
	return order_compare(arg, *(const struct agg_entry *const *)p,
			     *(const struct agg_entry *const *)q);
}

/* Members of a group are compared one by one. */
static void sort_rows(struct agg *a, const struct agg_section *s)
{
	_cleanup_(mem_freep) u32 *order = NULL;
	const struct agg_entry **rows;
	struct row_numbers *n;

	if (s->nr_members > 1) {
		qsort_r(s->rows, s->nr_rows, sizeof(*s->rows), compare_rows, a);
		return;
	}
	n = row_numbers_new(a, s->rows, s->nr_rows);
	order = row_numbers_sort(n);
	row_numbers_free(n);
	rows = xcalloc(s->nr_rows + 1, sizeof(*rows));
	memcpy(rows, s->rows, s->nr_rows * sizeof(*rows));
	for (size_t i = 0; i < s->nr_rows; i++)
		s->rows[i] = rows[order[i]];
	free((void *)rows);
}

static bool is_shown(const struct agg *a, const struct agg_entry *e)
{
	if (e->filtered)
		return false;
	if (!a->c.hide_unresolved)
		return true;
	for (u32 m = 0; m < a->sections.v[e->section].nr_members; m++) {
		const struct row_sums *s = &a->sums.v[e->slot + m];

		if (s->nr || s->acc)
			return true;
	}
	return false;
}

/*
 * What relative shares are of. Rows of callers are shown or not by their earliest sample, with all
 * that they have; so that the shares of their own samples make up the whole, it is what the shown
 * rows have.
 */
static void sum_shown(const struct agg *a, struct agg_section *s)
{
	u64 period = 0, nr = 0, latency = 0;

	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct agg_entry *e = s->rows[i];

		period += a->sums.v[e->slot].period;
		nr += a->sums.v[e->slot].nr;
		latency += e->slot < a->latency.nr ? a->latency.v[e->slot].own : 0;
	}
	s->shown_period[0] = period;
	s->shown_nr[0] = nr;
	s->shown_latency[0] = latency;
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

		if (is_shown(a, e))
			s->rows[s->nr_rows++] = e;
	}
	VEC_FOR(&a->sections, s) {
		if (a->c.children && s->nr_members == 1)
			sum_shown(a, s);
		sort_rows(a, s);
	}
}
