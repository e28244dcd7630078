/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: the rows of each section in the order of output.
 */
#include "agg/private.h"

/* Among rows of equal weight of one thread the caller stands above the callee. */
static int compare_depth(const struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	int d;

	if (!a->c.chains || !a->c.children || x->first_thread != y->first_thread)
		return 0;
	d = x->max_depth == y->max_depth ? 0 : x->max_depth > y->max_depth ? -1 : 1;
	return a->c.caller_first ? d : -d;
}

static int compare_value(const struct agg *a, const struct agg_entry *x,
			 const struct agg_entry *y, enum agg_value v)
{
	const struct agg_section *s = &a->sections.v[x->section];
	u32 first = a->c.group_sort < s->nr_members ? a->c.group_sort : 0;

	for (u32 i = 0; i < s->nr_members; i++) {
		u32 m = i == 0 ? first : i <= first ? i - 1 : i;
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

static int compare_rows(const void *p, const void *q, void *arg)
{
	struct agg *a = arg;
	const struct agg_entry *x = *(const struct agg_entry *const *)p;
	const struct agg_entry *y = *(const struct agg_entry *const *)q;
	int d;

	for (size_t i = 0; i < a->c.nr_sort; i++) {
		struct agg_sort s = a->c.sort[i];

		d = s.is_key ? compare_key(a, x, y, s.index) : compare_value(a, x, y, s.index);
		if (d)
			return d;
	}
	for (u8 k = 0; k < a->c.nr_keys; k++) {
		d = compare_key(a, x, y, k);
		if (d)
			return d;
	}
	return 0;
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
	VEC_FOR(&a->sections, s)
		qsort_r(s->rows, s->nr_rows, sizeof(*s->rows), compare_rows, a);
}
