/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_chains: chains only of rows that show a call graph. Without callers' rows, chains are for
 * call graphs alone, and only rows above a percentage of the whole show one: a few rows, with a
 * small part of the samples. So samples that can be read again are noted by their row at first;
 * when the rows are added up, those of the rows that matter are read once more, for their chains.
 */
#include "agg/private.h"

bool agg_can_wait_for_chains(const struct agg *a)
{
	return a->c.chains && a->c.graphs && !a->c.children && !a->c.join_addresses &&
	       a->c.graph_min > 0;
}

/* By slot: whether its row may show a call graph. That is of the first event's chains. */
static u8 *shown_slots(const struct agg *a)
{
	u8 *shown = XNEW_ARRAY(u8, a->sums.nr + 1);

	VEC_FOR(&a->entries, e) {
		const struct agg_section *s = &a->sections.v[e->section];
		/* what is a hundred percent depends on the columns: the least of what it can be */
		u64 whole = MIN(s->period[0], s->shown_period[0]);
		u64 min = (u64)((double)whole * (a->c.graph_min / 100.0));

		shown[e->slot] = a->sums.v[e->slot].period >= min;
	}
	return shown;
}

void agg_read_late_chains(struct agg *a, late_chains_fn *samples)
{
	_cleanup_(mem_freep) u8 *shown = shown_slots(a);
	_cleanup_(mem_freep) struct session_again_list *lists = XNEW_ARRAY(
		struct session_again_list, a->nr_workers);
	const struct session_consumer c = { .order = SESSION_UNORDERED,
					    .samples = samples,
					    .ctx = a };

	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];
		size_t kept = 0;

		VEC_FOR(&w->late, l)
			if (shown[l->tag])
				w->late.v[kept++] = *l;
		w->late.v = xrealloc_array(w->late.v, kept,
					   sizeof(*w->late.v)); /* most are left out */
		w->late.nr = w->late.cap = kept;
		lists[i] = (struct session_again_list){ w->late.v, kept };
	}
	session_read_again(a->s, &c, lists, a->nr_workers);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		vec_free(&a->workers[i].late);
}
