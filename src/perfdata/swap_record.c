/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swap_record: records of foreign byte order to native order, in place, by their layout.
 *
 * A record that is too short for its layout is swapped as far as it goes; decoding refuses it
 * later. Contents of RAW fields, of stack copies and of AUX stay as they are: only the tracepoint
 * formats know what is inside.
 */
#include "perfdata/reader.h"
#include "perfdata/swap.h"

static void swap_read(struct swap_body *b, u64 format)
{
	u64 times = (u64) !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 words = 1 + (u64) !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		u64 nr = swap_count64(b, words * 8);

		swap_words64(b, times + nr * words);
	} else {
		swap_words64(b, times + words);
	}
}

/* The flags of a branch are a bit field: big-endian writers count its bits from the top. */
static u64 swap_branch_flags(u64 raw)
{
	static const u8 fields[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3 };
	u64 v = __builtin_bswap64(raw);
	u64 out = 0;
	unsigned int top = 64, low = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		top -= fields[i];
		out |= (v >> top & ((1ULL << fields[i]) - 1)) << low;
		low += fields[i];
	}
	return out;
}

static void swap_branches(struct swap_body *b, u64 branch_type)
{
	u64 nr = swap_count64(b, sizeof(struct perf_branch_entry));

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		swap_words64(b, 1);
	for (u64 i = 0; i < nr && swap_left(b) >= sizeof(struct perf_branch_entry); i++) {
		u64 flags;

		swap_words64(b, 2);
		flags = swap_branch_flags(bits_u64(b->at));
		memcpy(b->at, &flags, 8);
		b->at += 8;
	}
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS)
		swap_words64(b, nr);
}

static void swap_regs(struct swap_body *b, u64 mask)
{
	if (swap_count64(b, 1) != PERF_SAMPLE_REGS_ABI_NONE)
		swap_words64(b, bits_count(mask));
}

static void swap_raw(struct swap_body *b)
{
	if (swap_left(b) < 4)
		return;
	swap_words32(b, 1);
	swap_pass(b, bits_u32(b->at - 4));
}

static void swap_stack(struct swap_body *b)
{
	u64 size = swap_count64(b, 1);

	if (!size)
		return;
	swap_pass(b, size);
	swap_words64(b, 1);
}

static const u64 sample_order[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,       PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
};

static const u64 trailer_order[] = {
	PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER,
};

static void swap_fixed(u64 type, const u64 *order, size_t nr, struct swap_body *b)
{
	for (size_t i = 0; i < nr; i++) {
		if (!(type & order[i]))
			continue;
		if (order[i] & (PERF_SAMPLE_TID | PERF_SAMPLE_CPU))
			swap_words32(b, 2);
		else
			swap_words64(b, 1);
	}
}

static void swap_sample(const struct sample_layout *l, struct swap_body *b)
{
	u64 t = l->sample_type;

	swap_fixed(t, sample_order, ARRAY_SIZE(sample_order), b);
	if (t & PERF_SAMPLE_READ)
		swap_read(b, l->read_format);
	if (t & PERF_SAMPLE_CALLCHAIN)
		swap_words64(b, swap_count64(b, 8));
	if (t & PERF_SAMPLE_RAW)
		swap_raw(b);
	if (t & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(b, l->branch_sample_type);
	if (t & PERF_SAMPLE_REGS_USER)
		swap_regs(b, l->regs_user);
	if (t & PERF_SAMPLE_STACK_USER)
		swap_stack(b);
	/* WEIGHT_STRUCT too: {u16 var3, u16 var2, u32 var1} on big-endian machines */
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_DATA_SRC)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_TRANSACTION)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_REGS_INTR)
		swap_regs(b, l->regs_intr);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_CGROUP)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		swap_words64(b, 1);
	if (t & PERF_SAMPLE_AUX)
		swap_words64(b, 1);
}

/* The trailer of other kernel records; shrinks the body to what lies before it. */
static void swap_trailer(const struct sample_layout *l, struct swap_body *b)
{
	struct swap_body t;

	if (!l->tail_size || swap_left(b) < l->tail_size)
		return;
	t = (struct swap_body){ .at = b->end - l->tail_size, .end = b->end };
	b->end = t.at;
	swap_fixed(l->sample_type, trailer_order, ARRAY_SIZE(trailer_order), &t);
}

static void swap_shape(struct swap_body *b, const char *shape)
{
	const char *list = NULL; /* its elements, to the end of the body */

	for (; shape && *shape && swap_left(b); shape++) {
		switch (*shape) {
		case 'q':
			swap_words64(b, 1);
			break;
		case 'd':
			swap_words32(b, 1);
			break;
		case 'w':
			swap_words16(b, 1);
			break;
		case 'b':
			swap_pass(b, 1);
			break;
		case 'c':
			swap_pass(b, 16);
			break;
		case 'Q':
			swap_words64(b, swap_left(b) / 8);
			break;
		case '(':
			list = shape;
			break;
		case ')':
			shape = swap_left(b) >= 8 ? list : shape;
			break;
		default: /* '?': as if it were there; text */
			break;
		}
	}
}

void swap_record(const struct perfdata *f, struct perf_event_header *h)
{
	struct swap_body b = { .at = (u8 *)(h + 1), .end = (u8 *)h + h->size };
	const struct perfdata_event *first = f->events.nr ? &f->events.v[0]->ev : NULL;

	if (h->type == PERF_RECORD_SAMPLE) {
		/* Finding the event needs its id in native order first. */
		const struct perfdata_event *ev = first;
		u16 id_pos = first ? first->layout.id_pos : 0;

		if (f->events.nr > 1 && id_pos && h->size >= id_pos + 8)
			ev = perfdata_event_by_id(f, __builtin_bswap64(bits_u64((u8 *)h + id_pos)));
		if (!ev)
			ev = first;
		if (ev)
			swap_sample(&ev->layout, &b);
		return;
	}
	if (h->type < PERF_RECORD_USER_TYPE_START && first)
		swap_trailer(&first->layout, &b);
	if (h->type >= PERF_RECORD_HEADER_MAX)
		return;
	if (record_types[h->type].swap)
		record_types[h->type].swap(&b, h->misc);
	else
		swap_shape(&b, record_types[h->type].shape);
}
