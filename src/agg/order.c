/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the rows of each section in the order of output.
 */
#include "agg/order.h"

static int compare_rows(const void *p, const void *q, void *arg)
{
	return order_compare(arg, *(const struct agg_entry *const *)p,
			     *(const struct agg_entry *const *)q);
}

static int compare_firsts(const void *p, const void *q, void *arg)
{
	const struct agg_entry *x = *(const struct agg_entry *const *)p;
	const struct agg_entry *y = *(const struct agg_entry *const *)q;
	const struct agg *a = arg;
	u64 v = a->sums.v[x->slot].period, w = a->sums.v[y->slot].period;

	if (v != w)
		return v > w ? -1 : 1;
	if (x->first_time != y->first_time)
		return x->first_time < y->first_time ? -1 : 1;
	return x->first_thread < y->first_thread ? -1 : x->first_thread > y->first_thread;
}

/* Members of a group are compared one by one. */
static void sort_rows(struct agg *a, const struct agg_section *s)
{
	_cleanup_(mem_freep) u32 *order = NULL;
	const struct agg_entry **rows;
	struct row_numbers *n;

	if (a->c.by_first) {
		qsort_r(s->rows, s->nr_rows, sizeof(*s->rows), compare_firsts, a);
		return;
	}
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
