/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ahead: samples that are decoded at once are resolved side by side. Each step prefetches what the
 * next one will look at, for all chains that are missing in the worker's cache, so that their waits
 * for memory overlap.
 *
 * Most chains are plain: a frame for each word that is no marker. Of these only the words are
 * looked up that the thread's chain before did not have.
 */
#include "session/ahead.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "session/worker.h"

static u64 nr_markers(const struct sample *smp)
{
	u64 nr = 0;

	for (u64 i = 0; i < smp->nr_chain; i++)
		nr += smp->chain[i] >= PERF_CONTEXT_MAX;
	return nr;
}

/* Whether a chain's frames are those of its words that are no markers. */
static bool is_plain(const struct resolver *r, const struct sample *smp)
{
	return !smp->made && !smp->cut && !smp->guess_at && smp->nr_chain <= FRAMES_MAX &&
	       (smp->nr_chain <= r->max_stack || smp->nr_chain - nr_markers(smp) <= r->max_stack) &&
	       !r->drop_unresolved && !r->drop_unmapped && !resolver_inlines(r, smp);
}

static void prefetch_chain(struct session_worker *w, size_t ahead)
{
	const struct sample *smp = &w->ahead[ahead];
	bool expand = resolver_inlines(w->resolver, smp);
	u8 mode = PERF_RECORD_MISC_USER;

	for (u64 i = 0; i < smp->nr_chain; i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			mode = chain_mode(ip);
		else
			worker_prefetch_ip(w, &w->ahead_rec[ahead].site, mode, ip,
					   expand && mode == PERF_RECORD_MISC_USER);
	}
}

/* ---- plain chains ---- */

/* Finds the frames that a chain shares with the thread's previous one: another of those ahead, or
 * the latest that is kept. */
static void find_shared(struct session_worker *w, size_t at)
{
	struct chain_ahead *c = &w->ahead_chain[at];
	const struct sample *smp = &w->ahead[at];
	const struct site *site = &w->ahead_rec[at].site;

	c->shared = (struct shared_end){ 0 };
	c->before = 0;
	c->latest = NULL;
	for (size_t i = at; i-- > 0;) {
		const struct site *before = &w->ahead_rec[i].site;

		if (before->thread != site->thread || before->space != site->space ||
		    !w->ahead_chain[i].missing || !w->ahead_chain[i].plain)
			continue;
		c->before = (u32)i + 1;
		if (site->time >= w->ahead_chain[i].valid_from)
			c->shared = chains_share(smp->chain, smp->nr_chain, PERF_RECORD_MISC_USER,
						 w->ahead[i].chain, w->ahead[i].nr_chain,
						 PERF_RECORD_MISC_USER);
		return;
	}
	c->latest = latest_find(&w->latest, site->thread, site->space);
	if (c->latest && site->time >= c->latest->valid_from &&
	    (!c->latest->changes || c->latest->changes >= site->changed))
		c->shared = chains_share(smp->chain, smp->nr_chain, PERF_RECORD_MISC_USER,
					 c->latest->words, c->latest->nr, c->latest->mode);
}

/* The time from which on the shared frames are valid. */
static void take_validity(const struct session_worker *w, struct chain_ahead *c)
{
	const struct chain_ahead *before = c->before ? &w->ahead_chain[c->before - 1] : NULL;

	c->valid_from = 0;
	c->unmapped = false;
	if (!c->shared.nr_frames)
		return;
	c->valid_from = before ? before->valid_from : c->latest->valid_from;
	c->unmapped = before ? before->unmapped : c->latest->changes != 0;
}

/* in: the region of the address before, at the same level, or NULL. */
static void ask_ip(struct session_worker *w, const struct site *site, u8 mode, u64 ip,
		   struct chain_ahead *c, const struct region_slot **in)
{
	struct asked_ip *a = VEC_PUSH(&w->asked);

	if (!*in || ip - (*in)->start >= (*in)->len)
		*in = region_at(w, site, mode, ip);
	if (LIKELY(*in && (*in)->key)) {
		c->valid_from = MAX(c->valid_from, (*in)->valid_from);
		c->unmapped |= !(*in)->map;
		ask_in(*in, mode, ip, a);
		dso_frame_prefetch(&w->resolver->dso_frames, a->hash);
		return;
	}
	*a = (struct asked_ip){ .ip = ip,
				.frame = worker_frame(w, site, mode, ip, false, &c->valid_from,
						      &c->unmapped) };
}

/* Ask for the frames that are not shared. */
static void ask_chain(struct session_worker *w, size_t at)
{
	struct chain_ahead *c = &w->ahead_chain[at];
	const struct sample *smp = &w->ahead[at];
	const struct region_slot *in = NULL;
	u8 mode = PERF_RECORD_MISC_USER;
	u64 end;

	find_shared(w, at);
	take_validity(w, c);
	c->asked = (u32)w->asked.nr;
	end = smp->nr_chain - c->shared.nr;
	for (u64 i = 0; i < end; i++) {
		u64 ip = smp->chain[i];

		if (ip < PERF_CONTEXT_MAX) {
			ask_ip(w, &w->ahead_rec[at].site, mode, ip, c, &in);
			continue;
		}
		mode = chain_mode(ip);
		in = NULL;
		if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN) {
			/* an unknown marker: session_chain() will count the chain as broken */
			c->missing = false;
			w->asked.nr = c->asked;
			return;
		}
	}
	c->nr_asked = (u32)w->asked.nr - c->asked;
}

/* New frames are made in a loop of their own: an atomic exchange waits for all earlier loads. */
static void find_asked(struct session_worker *w)
{
	u32 missing = 0;

	VEC_FOR(&w->asked, a)
		if (!a->frame && a->key && !worker_find_asked(w, a)) {
			worker_prefetch_asked(w, a);
			missing++;
		}
	for (struct asked_ip *a = w->asked.v; missing; a++)
		if (!a->frame && a->key) {
			worker_make_asked(w, a);
			missing--;
		}
}

/* The frames of a chain, all of which are known by now: its own, then those that it shares. */
static u32 plain_frames(struct session_worker *w, const struct chain_ahead *c, frame_id *out)
{
	const struct chain_ahead *before = c->before ? &w->ahead_chain[c->before - 1] : NULL;
	const frame_id *end; /* of the other chain's */
	u32 nr = 0;

	for (const struct asked_ip *a = w->asked.v + c->asked; nr < c->nr_asked; a++)
		out[nr++] = a->frame;
	if (!c->shared.nr_frames)
		return nr;
	end = before ? w->frames_ahead + before->from + before->nr
		     : c->latest->frames + c->latest->nr_frames;
	memcpy(out + nr, end - c->shared.nr_frames, c->shared.nr_frames * sizeof(*out));
	return nr + c->shared.nr_frames;
}

/* Of each thread the last of the chains ahead. */
static void keep_latest(struct session_worker *w, size_t nr)
{
	u64 later = 0; /* bit set of chains that another one of the same thread follows */

	for (size_t i = nr; i-- > 0;) {
		const struct chain_ahead *c = &w->ahead_chain[i];
		const struct site *site = &w->ahead_rec[i].site;

		if (!c->missing || !c->plain)
			continue;
		if (c->before)
			later |= 1ULL << (c->before - 1);
		if (later & 1ULL << i)
			continue;
		latest_keep(&w->latest,
			    &(struct latest_chain){ .thread = site->thread,
						    .space = site->space,
						    .valid_from = c->valid_from,
						    .changes = c->unmapped ? w->changes : 0,
						    .nr = (u32)w->ahead[i].nr_chain,
						    .nr_frames = c->nr,
						    .words = (u64 *)(uintptr_t)w->ahead[i].chain,
						    .frames = w->frames_ahead + c->from });
	}
}

/* ---- all ---- */

/* Find the addresses of missing chains, one chain behind the other. */
static void frames_ahead(struct session_worker *w, size_t nr)
{
	u32 used = 0;

	if (!w->frames_ahead)
		w->frames_ahead = xcalloc(AHEAD * FRAMES_MAX, sizeof(*w->frames_ahead));
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];
		struct chain_frames f = { .v = w->frames_ahead + used };

		if (!c->missing)
			continue;
		if (c->plain) {
			f.nr = plain_frames(w, c, f.v);
		} else {
			worker_chain_frames(w, &w->ahead_rec[i].site, &w->ahead[i], &f);
			c->valid_from = f.valid_from;
			c->unmapped = f.unmapped;
		}
		c->missing = f.nr;
		if (!f.nr)
			continue;
		c->from = used;
		c->nr = f.nr;
		c->hash = chain_hash(f.v, f.nr);
		chain_prefetch_slot(&w->resolver->chains, c->hash);
		used += f.nr;
	}
}

/* Put chains that are missing into the cache, where session_chain() will find them. */
static void chains_ahead(struct session_worker *w, size_t nr)
{
	struct chain_table *t = &w->resolver->chains;

	w->asked.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (!c->missing)
			continue;
		c->plain = is_plain(w->resolver, &w->ahead[i]);
		if (c->plain)
			ask_chain(w, i);
		else
			prefetch_chain(w, i);
	}
	find_asked(w);
	frames_ahead(w, nr);
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (c->missing)
			c->chain = chain_offer(t, &w->chain_block, c->hash,
					       w->frames_ahead + c->from, c->nr, &c->check);
	}
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (!c->missing)
			continue;
		if (c->check && !chain_is(t, c->chain, w->frames_ahead + c->from, c->nr))
			c->chain = chain_intern(t, &w->chain_block, w->frames_ahead + c->from,
						c->nr);
		chain_slot_keep(w, c);
	}
	keep_latest(w, nr);
}

/* Nothing is prefetched of tables that the consumer has not used yet. */
void worker_look_ahead(struct session_worker *w, size_t nr)
{
	bool missing = false;

	for (size_t i = 0; i < nr; i++) {
		const struct sample *smp = &w->ahead[i];
		const struct site *site = &w->ahead_rec[i].site;
		struct chain_ahead *c = &w->ahead_chain[i];

		if (w->resolves)
			worker_prefetch_ip(w, site, smp->cpumode, smp->ip, false);
		c->known = w->chains && smp->chain && smp->nr_chain;
		c->missing = false;
		if (!c->known)
			continue;
		hash_words2(smp->chain, smp->nr_chain, site->space, &c->h1, &c->h2);
		__builtin_prefetch(&w->chains[c->h1 & (w->resolver->slots - 1)]);
	}
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (!c->known || !w->resolves)
			continue;
		c->missing = !chain_slot_fits(&w->chains[c->h1 & (w->resolver->slots - 1)],
					      &w->ahead_rec[i].site, c->h1, c->h2);
		missing |= c->missing;
	}
	if (missing)
		chains_ahead(w, nr);
}
