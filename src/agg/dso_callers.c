/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_callers: what callees cost, where rows tell no more of code than its object and no call graph
 * is shown. Then a chain is the few objects that it passes: no symbols are looked up, no chains
 * numbered and kept, and a sample is added to all its rows when it is seen.
 */
#include "agg/private.h"

enum { CALLER_SLOTS = 1 << 10 };

static bool fits(const struct agg *a)
{
	const struct agg_config *c = &a->c;

	if (c->again)
		return false;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (c->keys[k]->flags & KEY_CHAIN)
			return false;
	return c->children && !c->graphs && !c->branches && !c->verbose && !c->exclude_other &&
	       !a->needs_frame;
}

/* The same number for all objects that look the same. */
static str_id name_of(struct agg *a, struct agg_worker *aw, dso_id dso)
{
	const char *name;

	while (UNLIKELY(aw->dso_names.nr <= dso))
		*VEC_PUSH(&aw->dso_names) = 0;
	if (UNLIKELY(!aw->dso_names.v[dso])) {
		name = agg_dso_name(a, dso);
		aw->dso_names.v[dso] = agg_text(a, name, strlen(name));
	}
	return aw->dso_names.v[dso];
}

/* Words of the row of an object in the chain of a sample of row from. */
static void caller_words(const struct agg *a, const struct agg_worker *aw, u32 from, dso_id dso,
			 u64 *words)
{
	for (size_t k = 0; k < a->c.nr_keys; k++)
		words[k] = a->c.keys[k]->flags & KEY_OF_CODE ? dso
							     : rows_at(&aw->rows, from)->words[k];
}

static u32 row_of_caller(struct agg *a, struct agg_worker *aw, u32 from, dso_id dso)
{
	u32 event = rows_at(&aw->rows, from)->event;
	u64 words[AGG_MAX_KEYS];
	u64 hash;
	u32 row;

	caller_words(a, aw, from, dso, words);
	hash = rows_hash(&aw->rows, event, words);
	if (!rows_find(&aw->rows, event, words, hash, &row))
		row = rows_add(&aw->rows, event, words, hash);
	return row;
}

static void add_caller(struct agg_sample_ctx *c, u32 number, const struct chain_dso *d, u64 period,
		       bool filtered)
{
	struct agg_worker *aw = agg_worker_of(c);
	struct worker_row *row = rows_at(&aw->rows, number);
	struct row_rest *rest = rows_rest(&aw->rows, number);
	struct agg_code code = { .dso = d->dso,
				 .addr = d->addr,
				 .state = d->dso ? CODE_UNKNOWN : CODE_UNNAMED };

	rows_add_acc(&aw->rows, number, period);
	if (c->agg->c.latency)
		rows_add_latency(&aw->rows, number, 0, c->latency);
	if (c->r->time >= row->first_time)
		return;
	row->first_time = c->r->time;
	row->first_thread = c->r->site.thread;
	rest->filtered = filtered;
	rest->frame = 0;
	rest->level = d->cpumode;
	rows_set_code(&aw->rows, rest, &code);
}

/* Whether one of nr objects looks like that of this name. */
static bool has_name(struct agg *a, struct agg_worker *aw, const struct chain_dso *dsos, size_t nr,
		     str_id name)
{
	for (size_t i = 0; i < nr; i++)
		if (name_of(a, aw, dsos[i].dso) == name)
			return true;
	return false;
}

/* The row of one of the objects, + 1; 0 = it looks like one before, or like that of the sample. */
static u32 row1_of_caller(struct agg *a, struct agg_worker *aw, u32 from, dso_id own,
			  const struct chain_dso *dsos, size_t i)
{
	str_id name = name_of(a, aw, dsos[i].dso);

	if (name == name_of(a, aw, own) || has_name(a, aw, dsos, i, name))
		return 0;
	return row_of_caller(a, aw, from, dsos[i].dso) + 1;
}

static bool slot_is(const struct caller_slot *slot, u32 from, dso_id own,
		    const struct chain_dso *dsos, size_t nr)
{
	if (slot->from != from || slot->own != own || slot->nr != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (slot->dsos[i] != dsos[i].dso)
			return false;
	return true;
}

/* The rows of the callers of a sample of row from, remembered: most chains pass the objects that
 * others did. */
static const struct caller_slot *callers_of(struct agg *a, struct agg_worker *aw, u32 from,
					    dso_id own, const struct chain_dso *dsos, size_t nr)
{
	u64 hash = hash_mix(from, own);
	struct caller_slot *slot;

	if (!aw->callers)
		aw->callers = XNEW_ARRAY(struct caller_slot, CALLER_SLOTS);
	for (size_t i = 0; i < nr; i++)
		hash = hash_mix(hash, dsos[i].dso);
	slot = &aw->callers[hash_finish(hash) % CALLER_SLOTS];
	if (LIKELY(slot_is(slot, from, own, dsos, nr)))
		return slot;
	*slot = (struct caller_slot){ .from = from, .own = own, .nr = (u32)nr };
	for (size_t i = 0; i < nr; i++) {
		slot->dsos[i] = dsos[i].dso;
		slot->rows1[i] = row1_of_caller(a, aw, from, own, dsos, i);
	}
	return slot;
}

/* Adds the period of a sample to its row and to those of its callers. */
static void add_sample(struct agg_sample_ctx *c, u32 row, u64 period, bool filtered)
{
	struct agg *a = c->agg;
	struct agg_worker *aw = agg_worker_of(c);
	const struct session_record *r = c->r;
	const struct caller_slot *known = NULL;
	const struct chain_dso *dsos;
	dso_id own;
	size_t nr;

	rows_add_acc(&aw->rows, row, period);
	if (a->c.latency)
		rows_add_latency(&aw->rows, row, 0, c->latency);
	if (!a->has_dso_key)
		return; /* callers are in the same row */
	own = session_dso(c->w, &r->site, r->sample->cpumode, r->sample->ip);
	nr = session_chain_dsos(c->w, &r->site, r->sample, a->c.caller_first, &dsos);
	if (nr <= CALLERS_MAX)
		known = callers_of(a, aw, row, own, dsos, nr);
	for (size_t i = 0; i < nr; i++) {
		u32 row1 = known ? known->rows1[i] : row1_of_caller(a, aw, row, own, dsos, i);

		if (row1)
			add_caller(c, row1 - 1, &dsos[i], period, filtered);
	}
}

static void take(struct pending_sample *p, size_t nr, u64 of)
{
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			add_sample(&p[i].c, p[i].row, p[i].period, p[i].filtered);
}

const struct caller_ops agg_dso_callers = { .fits = fits, .take = take };
