/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: which of two rows, or of two words of a key, comes first.
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
