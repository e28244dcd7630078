/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of records of foreign byte order to native order, in place. */
#include "perfdata/swap.h"

#include "base/bits.h"
#include "base/mem.h"
#include "perfdata/reader.h"
#include "perfdata/tool_records.h"

void swap_header(struct perf_event_header *h)
{
	h->type = __builtin_bswap32(h->type);
	h->misc = __builtin_bswap16(h->misc);
	h->size = __builtin_bswap16(h->size);
}

static u64 swap_bits_per_byte(u64 v)
{
	v = (v >> 1 & 0x5555555555555555ULL) | (v & 0x5555555555555555ULL) << 1;
	v = (v >> 2 & 0x3333333333333333ULL) | (v & 0x3333333333333333ULL) << 2;
	return (v >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (v & 0x0f0f0f0f0f0f0f0fULL) << 4;
}

/* Big-endian writers number the bits of a bit field from the other end of each byte. */
static u64 swap_flags(u64 raw)
{
	u64 v = swap_bits_per_byte(raw);
	u64 precise = v >> 15 & 3;

	/* the only field of two bits came out with them exchanged */
	v &= ~(3ULL << 15);
	return v | ((precise >> 1 | (precise & 1) << 1) << 15);
}

/* Words of one size that follow each other in an attribute; behind type, size and flags. */
static const struct attr_words {
	size_t offset, size, nr;
} attr_words[] = {
	{ offsetof(struct perf_event_attr, config), 8, 4 },
	{ offsetof(struct perf_event_attr, wakeup_events), 4, 2 },
	{ offsetof(struct perf_event_attr, bp_addr), 8, 4 },
	{ offsetof(struct perf_event_attr, sample_stack_user), 4, 2 },
	{ offsetof(struct perf_event_attr, sample_regs_intr), 8, 1 },
	{ offsetof(struct perf_event_attr, aux_watermark), 4, 1 },
	{ offsetof(struct perf_event_attr, sample_max_stack), 2, 2 },
	{ offsetof(struct perf_event_attr, aux_sample_size), 4, 2 },
	{ offsetof(struct perf_event_attr, sig_data), 8, 3 },
};

void attr_from_file(struct perf_event_attr *out, const void *raw, u32 size, bool swap)
{
	memset(out, 0, sizeof(*out));
	memcpy(out, raw, MIN(size, sizeof(*out)));
	if (!swap)
		return;
	bits_swap32(out, 2);
	out->flags = swap_flags(out->flags);
	for (size_t i = 0; i < ARRAY_SIZE(attr_words); i++) {
		const struct attr_words *w = &attr_words[i];
		u8 *first = (u8 *)out + w->offset;

		if (w->size == 8)
			bits_swap64(first, w->nr);
		else if (w->size == 4)
			bits_swap32(first, w->nr);
		else
			bits_swap16(first, w->nr);
	}
}

void swap_attr(struct swap_body *b, u16 misc UNUSED)
{
	struct perf_event_attr attr = { 0 };
	u32 size;

	if (swap_left(b) < PERF_ATTR_SIZE_VER0) {
		b->at = b->end;
		return;
	}
	size = __builtin_bswap32(bits_u32(b->at + offsetof(struct perf_event_attr, size)));
	if (size < PERF_ATTR_SIZE_VER0 || size > swap_left(b) || size % 8)
		size = PERF_ATTR_SIZE_VER0;
	attr_from_file(&attr, b->at, size, true);
	memcpy(b->at, &attr, MIN(size, sizeof(attr)));
	swap_pass(b, size);
	swap_words64(b, swap_left(b) / 8);
}

void swap_mmap2(struct swap_body *b, u16 misc)
{
	swap_words32(b, 2);
	swap_words64(b, 3);
	if (swap_left(b) >= 24 && perf_mmap2_has_build_id(misc, b->at)) {
		swap_pass(b, 24);
	} else {
		swap_words32(b, 2);
		swap_words64(b, 2);
	}
	swap_words32(b, 2);
}

void swap_cpu_map(struct swap_body *b, u16 misc UNUSED)
{
	enum { MASK = 1, RANGE = 2 };
	u16 kind, nr, word;

	if (swap_left(b) < 6)
		return;
	swap_words16(b, 1);
	kind = bits_u16(b->at - 2);
	if (kind == RANGE) {
		swap_pass(b, 2);
		swap_words16(b, 2);
		return;
	}
	swap_words16(b, 1);
	nr = bits_u16(b->at - 2);
	if (kind != MASK) {
		swap_words16(b, swap_left(b) / 2);
		return;
	}
	swap_words16(b, 1);
	word = bits_u16(b->at - 2);
	if (word == 8) {
		swap_pass(b, 4);
		swap_words64(b, nr);
	} else {
		swap_words32(b, nr);
	}
}

void swap_event_update(struct swap_body *b, u16 misc UNUSED)
{
	u64 type;

	if (swap_left(b) < 16)
		return;
	swap_words64(b, 2);
	type = bits_u64(b->at - 16);
	if (type == UPDATE_SCALE)
		swap_words64(b, 1);
	else if (type == UPDATE_CPUS)
		swap_cpu_map(b, 0);
	else if (type == UPDATE_SYMBOLS && swap_left(b) >= 16)
		swap_words64(b, 2);
}

/* By the letters of record_type.shape. */
