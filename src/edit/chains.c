/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of stacks become callchains, as record does it while recording
 * (capture/stacks/unwinder.h).
 */
#include "base/bits.h"
#include "edit/pass.h"

#define STACK_BITS (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

bool chains_has_stacks(const struct perf_event_attr *attr)
{
	u64 needed = STACK_BITS | PERF_SAMPLE_CALLCHAIN;

	return (attr->sample_type & needed) == needed;
}

void chains_convert_attr(struct perf_event_attr *attr)
{
	if (!chains_has_stacks(attr))
		return;
	/* sample_stack_user stays: it tells how much was copied. */
	attr->sample_type &= ~(u64)STACK_BITS;
	attr->sample_regs_user = 0;
	attr->exclude_callchain_user = 0;
}

void chains_convert(const struct session_record *r, struct strbuf *out)
{
	const struct perf_event_header *h = r->h;
	const u8 *at = (const u8 *)h, *end = at + h->size;
	const u8 *chain, *behind_chain, *regs, *behind_stack;
	struct perf_event_header head = *h;
	struct sample old;
	size_t from = out->len, rest;
	u64 nr;

	if (!chains_has_stacks(&r->event->attr) || !sample_decode(&r->event->layout, h, &old) ||
	    !old.chain) {
		strbuf_add(out, h, h->size);
		return;
	}
	chain = (const u8 *)(old.chain - 1);
	behind_chain = (const u8 *)(old.chain + old.nr_chain);
	regs = old.user_stack - sizeof(u64); /* the size of the copy */
	behind_stack = old.user_stack + bits_u64(old.user_stack - sizeof(u64));
	if (behind_stack > old.user_stack)
		behind_stack += sizeof(u64); /* how much of it was used */
	if (old.user_regs)
		regs = (const u8 *)old.user_regs;
	regs -= sizeof(u64); /* the ABI */
	rest = (size_t)(chain - at) + sizeof(nr) + (size_t)(regs - behind_chain) +
	       (size_t)(end - behind_stack);
	nr = MIN(r->sample->nr_chain, (UINT16_MAX - rest) / sizeof(u64));
	strbuf_add(out, at, (size_t)(chain - at));
	strbuf_add(out, &nr, sizeof(nr));
	strbuf_add(out, r->sample->chain, nr * sizeof(u64));
	strbuf_add(out, behind_chain, (size_t)(regs - behind_chain));
	strbuf_add(out, behind_stack, (size_t)(end - behind_stack));
	head.size = (u16)(out->len - from);
	memcpy(out->buf + from, &head, sizeof(head));
}
