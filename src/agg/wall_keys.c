/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall_keys: what a thread did in the time that is a sample's weight, and who ended that.
 */
#include "agg/private.h"

u64 agg_get_state(struct agg_sample_ctx *c)
{
	return c->r->span ? c->r->span->state : SPAN_UNKNOWN;
}

void agg_text_state(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
		    struct strbuf *out)
{
	agg_add_left(out, span_state_name((enum span_state)word), width);
}

/* Words are kinds of enum span_waker; those of threads have their names and numbers. */
#define WAKER_IS_THREAD (1ULL << 63)

u64 agg_get_waker(struct agg_sample_ctx *c)
{
	const struct session_span *s = c->r->span;

	if (!s || s->waker != WAKER_THREAD)
		return s ? s->waker : WAKER_UNKNOWN;
	return WAKER_IS_THREAD | (u64)s->waker_comm << 32 | s->waker_tid;
}

static const char *comm_of(struct agg *a, u64 word)
{
	return model_str(session_model(a->s), (str_id)((word & ~WAKER_IS_THREAD) >> 32));
}

int agg_compare_waker(struct agg *a, u64 x, u64 y)
{
	int d;

	if (!(x & y & WAKER_IS_THREAD))
		return (x > y) - (x < y);
	d = strcmp(comm_of(a, x), comm_of(a, y));
	return d ? d : ((u32)x > (u32)y) - ((u32)x < (u32)y);
}

void agg_text_waker(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		    struct strbuf *out)
{
	static const char *const kinds[] = {
		[WAKER_NONE] = "-",
		[WAKER_UNKNOWN] = "[unknown]",
		[WAKER_INTERRUPT] = "[interrupt]",
	};
	size_t from = out->len;

	if (word & WAKER_IS_THREAD)
		strbuf_addf(out, "%s/%u", comm_of(a, word), (u32)word);
	else
		strbuf_adds(out, kinds[word]);
	strbuf_pad_from(out, from, width);
}
