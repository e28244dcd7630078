/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_chains: callers for events that were recorded without callchains, from another event's
 * samples. Samples of one thread that lie near each other in time mostly have the same callers, so
 * a sample without a chain gets those of the thread's latest sample that has one: the sampled
 * address, then the chain behind its first address at that level. A sample in the user's code has
 * no callers in the kernel. Other programs that the thread ran before have no part in it.
 */
#include "session/ref_chains.h"

#include <string.h>

#include "base/hash.h"
#include "session/worker.h"

struct ref_chain {
	u32 thread, space;
	VEC(u64) words; /* as in the sample, with context markers */
};

struct ref_chains {
	struct map by_thread;
	VEC(struct ref_chain) chains;
	VEC(u64) made; /* of the latest sample that got one */
};

struct ref_chains *ref_chains_new(void)
{
	return XNEW(struct ref_chains);
}

void ref_chains_free(struct ref_chains *c)
{
	if (!c)
		return;
	VEC_FOR(&c->chains, r)
		vec_free(&r->words);
	vec_free(&c->chains);
	vec_free(&c->made);
	map_release(&c->by_thread);
	free(c);
}

static struct ref_chain *chain_of(struct ref_chains *c, u32 thread, bool add)
{
	u64 hash = hash_u64(thread);
	struct ref_chain *r;
	u32 i;

	for (struct map_probe p = map_first(&c->by_thread, hash); map_next(&c->by_thread, &p, &i);)
		if (c->chains.v[i].thread == thread)
			return &c->chains.v[i];
	if (!add)
		return NULL;
	map_add(&c->by_thread, hash, (u32)c->chains.nr);
	r = VEC_PUSH(&c->chains);
	*r = (struct ref_chain){ .thread = thread };
	return r;
}

static void keep(struct ref_chains *c, const struct site *site, const struct sample *smp)
{
	struct ref_chain *r = chain_of(c, site->thread, true);
	/* without guesses */
	size_t nr = (size_t)MIN(smp->guess_at ? smp->guess_at : smp->nr_chain, (u64)FRAMES_MAX);

	r->space = site->space;
	r->words.nr = 0;
	VEC_GROW(&r->words, nr);
	memcpy(r->words.v, smp->chain, nr * sizeof(*smp->chain));
	r->words.nr = nr;
}

/* The marker of the level that a sample was taken at. */
static u64 marker_of(const struct sample *smp)
{
	switch (smp->cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return PERF_CONTEXT_KERNEL;
	case PERF_RECORD_MISC_USER:
		return PERF_CONTEXT_USER;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return PERF_CONTEXT_GUEST_KERNEL;
	case PERF_RECORD_MISC_GUEST_USER:
		return PERF_CONTEXT_GUEST_USER;
	default:
		return 0;
	}
}

void ref_chains_take(struct ref_chains *c, const struct perfdata_event *ev, const struct site *site,
		     struct sample *smp)
{
	const struct ref_chain *r;
	u64 marker = marker_of(smp);
	size_t at = 0;

	if (ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (smp->nr_chain)
			keep(c, site, smp);
		return;
	}
	r = chain_of(c, site->thread, false);
	if (!r || r->space != site->space || !marker)
		return;
	while (at < r->words.nr && r->words.v[at] != marker)
		at++;
	c->made.nr = 0;
	*VEC_PUSH(&c->made) = marker;
	*VEC_PUSH(&c->made) = smp->ip;
	if (at < r->words.nr)
		at += 2; /* the marker and what was sampled there */
	else if (marker == PERF_CONTEXT_KERNEL)
		at = 0; /* all of the chain is user code: callers of this kernel code */
	for (; at < r->words.nr; at++)
		*VEC_PUSH(&c->made) = r->words.v[at];
	smp->chain = c->made.v;
	smp->nr_chain = c->made.nr;
}
