/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_chains: how often samples of a row had a chain: each pair of them is counted once it is met.
 * For what asks for every chain this is done sample by sample (agg_all_chains).
 */
#include "agg/private.h"

u64 row_chain_hash(u32 row, chain_id chain)
{
	return hash_u64((u64)row << 32 | chain);
}

void row_chains_add(struct row_chains *t, const struct row_chain *rc, u64 hash, const u64 *latency)
{
	u32 i;

	for (struct map_probe at = map_first(&t->by_chain, hash);
	     map_next(&t->by_chain, &at, &i);) {
		struct row_chain *known = &t->pairs.v[i];

		if (known->row != rc->row || known->chain != rc->chain)
			continue;
		known->period += rc->period;
		known->nr += rc->nr;
		if (latency)
			t->latency.v[i] += *latency;
		if (rc->first_time < known->first_time ||
		    (rc->first_time == known->first_time &&
		     rc->first_thread < known->first_thread)) {
			known->first_time = rc->first_time;
			known->first_thread = rc->first_thread;
			known->filtered = rc->filtered;
		}
		return;
	}
	map_add(&t->by_chain, hash, (u32)t->pairs.nr);
	if (latency)
		*VEC_PUSH(&t->latency) = *latency;
	*VEC_PUSH(&t->pairs) = *rc;
}

void row_chains_release(struct row_chains *t)
{
	vec_free(&t->pairs);
	vec_free(&t->latency);
	map_release(&t->by_chain);
}

static void add_chain(struct row_chains *to, const struct pending_sample *p)
{
	const struct agg_sample_ctx *c = &p->c;
	const struct row_chain rc = { .row = p->row,
				      .chain = c->chain,
				      .period = p->period,
				      .first_time = c->r->time,
				      .first_thread = c->r->site.thread,
				      .nr = 1,
				      .filtered = p->filtered };

	row_chains_add(to, &rc, p->chain_hash, c->agg->chains_have_latency ? &c->latency : NULL);
}

static void start_chain(const struct row_chains *to, struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;

	c->chain = agg_chain_of(c);
	p->chain_hash = row_chain_hash(p->row, c->chain);
	map_prefetch(&to->by_chain, p->chain_hash);
}

static void prefetch_row_chain(const struct row_chains *to, const struct pending_sample *p)
{
	struct map_probe at = map_first(&to->by_chain, p->chain_hash);
	u32 i;

	if (map_next(&to->by_chain, &at, &i))
		__builtin_prefetch(&to->pairs.v[i]);
}

void agg_add_chains(struct row_chains *to, struct pending_sample *p, size_t nr, u64 of)
{
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			start_chain(to, &p[i]);
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			prefetch_row_chain(to, &p[i]);
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			add_chain(to, &p[i]);
}

static bool fits(const struct agg *a UNUSED)
{
	return true;
}

static void take(struct pending_sample *p, size_t nr, u64 of)
{
	agg_add_chains(&agg_worker_of(&p->c)->chains, p, nr, of);
}

const struct caller_ops agg_all_chains = { .fits = fits, .take = take };
