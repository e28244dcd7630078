/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: what is found out about a sample, when it is first asked for: its frame, its chain, its
 * parent.
 */
#include "agg/private.h"

u8 *memo_at(struct memo_vec *m, u32 i)
{
	while (m->nr <= i) {
		VEC_GROW(m, i + 1 - m->nr);
		memset(m->v + m->nr, 0, m->cap - m->nr);
		m->nr = m->cap;
	}
	return &m->v[i];
}

static bool matches(struct agg *a, struct memo_vec *memos, const regex_t *r, frame_id frame)
{
	u8 *memo = memo_at(memos, frame);

	if (!*memo) {
		const struct frame *f = session_frame_get(a->s, frame);

		*memo = 1 + (f->sym != SYM_NONE && !regexec(r, agg_symbol_name(a, f), 0, NULL, 0));
	}
	return *memo == 2;
}

/* Frames of the chain, from the innermost, that --ignore-callees cuts off. */
static size_t ignored_of(struct agg *a, struct agg_worker *aw, chain_id chain)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, chain, &nr);

	while (nr-- > 1)
		if (matches(a, &aw->ignored, &a->ignored, frames[nr]))
			return nr;
	return 0;
}

chain_id agg_chain_of(struct agg_sample_ctx *c)
{
	size_t skip;

	if (c->chain)
		return c->chain;
	c->chain = c->r->span ? c->r->span->chain : session_chain(c->w, &c->r->site, c->r->sample);
	if (!c->chain || !c->agg->has_ignored)
		return c->chain;
	skip = ignored_of(c->agg, agg_worker_of(c), c->chain);
	if (skip) {
		c->chain = session_chain_tail(c->agg->s, c->w, c->chain, skip);
		c->cut = true;
	}
	return c->chain;
}

frame_id agg_frame_of(struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;
	size_t nr;

	if (!c->frame && c->branch)
		c->frame = session_frame(c->w, &c->r->site, agg_level_of(c->branch[1]),
					 c->branch[1]);
	else if (!c->frame && c->agg->has_ignored && agg_chain_of(c) && c->cut)
		c->frame = *session_chain_frames(c->agg->s, c->chain, &nr);
	else if (!c->frame && c->r->span)
		c->frame = c->r->span->frame;
	else if (!c->frame)
		c->frame = session_frame(c->w, &c->r->site, s->cpumode, s->ip);
	return c->frame;
}

/* The first function of the chain that the parent expression fits, 0 = none. */
frame_id agg_parent_of(struct agg *a, struct agg_worker *aw, struct agg_sample_ctx *c)
{
	const frame_id *frames;
	frame_id found = 0;
	size_t nr;

	if (!agg_chain_of(c))
		return 0;
	frames = session_chain_frames(a->s, c->chain, &nr);
	for (size_t i = 0; i < nr && !found; i++) {
		frame_id f = frames[a->c.caller_first ? nr - 1 - i : i];

		if (matches(a, &aw->parents, &a->parent, f))
			found = f;
	}
	return found;
}

bool agg_hits_data(struct agg *a, struct agg_worker *aw, frame_id frame)
{
	u8 *memo = memo_at(&aw->data, frame);

	if (!*memo)
		*memo = 1 + agg_is_data(a, session_frame_get(a->s, frame));
	return *memo == 2;
}
