/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swap: records of foreign byte order to native order, in place, by their layout.
 *
 * A record that is too short for its layout is swapped as far as it goes; decoding refuses it
 * later. Contents of RAW fields, of stack copies and of AUX stay as they are: only the tracepoint
 * formats know what is inside.
 */
#include "base/bits.h"
#include "base/mem.h"
#include "perfdata/reader.h"
#include "perfdata/swap.h"
#include "perfdata/tool_records.h"

void swap_header(struct perf_event_header *h)
{
	h->type = __builtin_bswap32(h->type);
	h->misc = __builtin_bswap16(h->misc);
	h->size = __builtin_bswap16(h->size);
}

static u64 left(const struct swap_body *b)
{
	return (u64)(b->end - b->at);
}

static void words64(struct swap_body *b, u64 n)
{
	n = MIN(n, left(b) / 8);
	bits_swap64(b->at, n);
	b->at += n * 8;
}

static void words32(struct swap_body *b, u64 n)
{
	n = MIN(n, left(b) / 4);
	bits_swap32(b->at, n);
	b->at += n * 4;
}

static void words16(struct swap_body *b, u64 n)
{
	n = MIN(n, left(b) / 2);
	bits_swap16(b->at, n);
	b->at += n * 2;
}

static void pass(struct swap_body *b, u64 n)
{
	b->at += MIN(n, left(b));
}

/* Swap a count and return it, at most as many as there are elements of size bytes behind it. */
static u64 count64(struct swap_body *b, u64 size)
{
	u64 n;

	if (left(b) < 8)
		return 0;
	words64(b, 1);
	n = bits_u64(b->at - 8);
	return MIN(n, left(b) / size);
}

static void swap_read(struct swap_body *b, u64 format)
{
	u64 times = (u64) !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 words = 1 + (u64) !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		u64 nr = count64(b, words * 8);

		words64(b, times + nr * words);
	} else {
		words64(b, times + words);
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
	u64 nr = count64(b, sizeof(struct perf_branch_entry));

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		words64(b, 1);
	for (u64 i = 0; i < nr && left(b) >= sizeof(struct perf_branch_entry); i++) {
		u64 flags;

		words64(b, 2);
		flags = swap_branch_flags(bits_u64(b->at));
		memcpy(b->at, &flags, 8);
		b->at += 8;
	}
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS)
		words64(b, nr);
}

static void swap_regs(struct swap_body *b, u64 mask)
{
	if (count64(b, 1) != PERF_SAMPLE_REGS_ABI_NONE)
		words64(b, bits_count(mask));
}

static void swap_raw(struct swap_body *b)
{
	if (left(b) < 4)
		return;
	words32(b, 1);
	pass(b, bits_u32(b->at - 4));
}

static void swap_stack(struct swap_body *b)
{
	u64 size = count64(b, 1);

	if (!size)
		return;
	pass(b, size);
	words64(b, 1);
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
			words32(b, 2);
		else
			words64(b, 1);
	}
}

static void swap_sample(const struct sample_layout *l, struct swap_body *b)
{
	u64 t = l->sample_type;

	swap_fixed(t, sample_order, ARRAY_SIZE(sample_order), b);
	if (t & PERF_SAMPLE_READ)
		swap_read(b, l->read_format);
	if (t & PERF_SAMPLE_CALLCHAIN)
		words64(b, count64(b, 8));
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
		words64(b, 1);
	if (t & PERF_SAMPLE_DATA_SRC)
		words64(b, 1);
	if (t & PERF_SAMPLE_TRANSACTION)
		words64(b, 1);
	if (t & PERF_SAMPLE_REGS_INTR)
		swap_regs(b, l->regs_intr);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		words64(b, 1);
	if (t & PERF_SAMPLE_CGROUP)
		words64(b, 1);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		words64(b, 1);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		words64(b, 1);
	if (t & PERF_SAMPLE_AUX)
		words64(b, 1);
}

/* The trailer of other kernel records; shrinks the body to what lies before it. */
static void swap_trailer(const struct sample_layout *l, struct swap_body *b)
{
	struct swap_body t;

	if (!l->tail_size || left(b) < l->tail_size)
		return;
	t = (struct swap_body){ .at = b->end - l->tail_size, .end = b->end };
	b->end = t.at;
	swap_fixed(l->sample_type, trailer_order, ARRAY_SIZE(trailer_order), &t);
}

void swap_attr(struct swap_body *b, u16 misc UNUSED)
{
	struct perf_event_attr attr = { 0 };
	u32 size;

	if (left(b) < PERF_ATTR_SIZE_VER0) {
		b->at = b->end;
		return;
	}
	size = __builtin_bswap32(bits_u32(b->at + offsetof(struct perf_event_attr, size)));
	if (size < PERF_ATTR_SIZE_VER0 || size > left(b) || size % 8)
		size = PERF_ATTR_SIZE_VER0;
	attr_from_file(&attr, b->at, size, true);
	memcpy(b->at, &attr, MIN(size, sizeof(attr)));
	pass(b, size);
	words64(b, left(b) / 8);
}

void swap_mmap2(struct swap_body *b, u16 misc)
{
	words32(b, 2);
	words64(b, 3);
	if (left(b) >= 24 && perf_mmap2_has_build_id(misc, b->at)) {
		pass(b, 24);
	} else {
		words32(b, 2);
		words64(b, 2);
	}
	words32(b, 2);
}

void swap_cpu_map(struct swap_body *b, u16 misc UNUSED)
{
	enum { MASK = 1, RANGE = 2 };
	u16 kind, nr, word;

	if (left(b) < 6)
		return;
	words16(b, 1);
	kind = bits_u16(b->at - 2);
	if (kind == RANGE) {
		pass(b, 2);
		words16(b, 2);
		return;
	}
	words16(b, 1);
	nr = bits_u16(b->at - 2);
	if (kind != MASK) {
		words16(b, left(b) / 2);
		return;
	}
	words16(b, 1);
	word = bits_u16(b->at - 2);
	if (word == 8) {
		pass(b, 4);
		words64(b, nr);
	} else {
		words32(b, nr);
	}
}

void swap_event_update(struct swap_body *b, u16 misc UNUSED)
{
	u64 type;

	if (left(b) < 16)
		return;
	words64(b, 2);
	type = bits_u64(b->at - 16);
	if (type == UPDATE_SCALE)
		words64(b, 1);
	else if (type == UPDATE_CPUS)
		swap_cpu_map(b, 0);
	else if (type == UPDATE_SYMBOLS && left(b) >= 16)
		words64(b, 2);
}

/* By the letters of record_type.shape. */
static void swap_shape(struct swap_body *b, const char *shape)
{
	const char *list = NULL; /* its elements, to the end of the body */

	for (; shape && *shape && left(b); shape++) {
		switch (*shape) {
		case 'q':
			words64(b, 1);
			break;
		case 'd':
			words32(b, 1);
			break;
		case 'w':
			words16(b, 1);
			break;
		case 'b':
			pass(b, 1);
			break;
		case 'c':
			pass(b, 16);
			break;
		case 'Q':
			words64(b, left(b) / 8);
			break;
		case '(':
			list = shape;
			break;
		case ')':
			shape = left(b) >= 8 ? list : shape;
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
