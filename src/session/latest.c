/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latest: what a chain shares with the one before. A thread's stack has most of its callers in
 * common with the stack that it had a moment ago, so their frames are taken from there instead of
 * being looked up.
 */
#include "session/latest.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

u8 chain_mode(u64 marker)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
}

/* Level of what stands behind the first nr words. */
static u8 mode_behind(const u64 *words, u64 nr, u8 first_mode)
{
	while (nr-- > 0)
		if (words[nr] >= PERF_CONTEXT_MAX)
			return chain_mode(words[nr]);
	return first_mode;
}

struct shared_end chains_share(const u64 *x, u64 nr_x, u8 x_mode, const u64 *y, u64 nr_y, u8 y_mode)
{
	struct shared_end end = { 0 };

	while (end.nr < nr_x && end.nr < nr_y && x[nr_x - 1 - end.nr] == y[nr_y - 1 - end.nr]) {
		end.nr_frames += x[nr_x - 1 - end.nr] < PERF_CONTEXT_MAX;
		end.nr++;
	}
	if (end.nr_frames &&
	    mode_behind(x, nr_x - end.nr, x_mode) != mode_behind(y, nr_y - end.nr, y_mode))
		return (struct shared_end){ 0 };
	return end;
}

static u32 slot_of(u32 thread)
{
	return (u32)(hash_u64(thread) % LATEST_CHAINS);
}

const struct latest_chain *latest_find(const struct latest_chains *l, u32 thread, u32 space)
{
	const struct latest_chain *c;

	if (!l->chains)
		return NULL;
	c = &l->chains[slot_of(thread)];
	return c->nr && c->thread == thread && c->space == space ? c : NULL;
}

void latest_keep(struct latest_chains *l, const struct latest_chain *c)
{
	struct latest_chain *to;
	u32 at = slot_of(c->thread);
	u32 left = c->nr > LATEST_WORDS ? c->nr - LATEST_WORDS : 0;
	u32 frames_left = 0;

	if (!l->chains) {
		l->chains = XNEW_ARRAY(struct latest_chain, LATEST_CHAINS);
		l->words = XNEW_ARRAY(u64, LATEST_CHAINS * LATEST_WORDS);
		l->frames = XNEW_ARRAY(frame_id, LATEST_CHAINS * LATEST_WORDS);
	}
	for (u32 i = 0; i < left; i++)
		frames_left += c->words[i] < PERF_CONTEXT_MAX;
	to = &l->chains[at];
	*to = *c;
	to->mode = mode_behind(c->words, left, PERF_RECORD_MISC_USER);
	to->nr -= left;
	to->nr_frames -= frames_left;
	to->words = l->words + (size_t)at * LATEST_WORDS;
	to->frames = l->frames + (size_t)at * LATEST_WORDS;
	memcpy(to->words, c->words + left, to->nr * sizeof(*to->words));
	memcpy(to->frames, c->frames + frames_left, to->nr_frames * sizeof(*to->frames));
}

void latest_release(struct latest_chains *l)
{
	free(l->chains);
	free(l->words);
	free(l->frames);
	*l = (struct latest_chains){ 0 };
}
