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
#include "perfdata/tool_records.h"

void swap_header(struct perf_event_header *h)
{
	h->type = __builtin_bswap32(h->type);
	h->misc = __builtin_bswap16(h->misc);
	h->size = __builtin_bswap16(h->size);
}

struct body {
	u8 *at;
	u8 *end;
};

static u64 left(const struct body *b)
{
	return (u64)(b->end - b->at);
}

static void words64(struct body *b, u64 n)
{
	n = MIN(n, left(b) / 8);
	bits_swap64(b->at, n);
	b->at += n * 8;
}

static void words32(struct body *b, u64 n)
{
	n = MIN(n, left(b) / 4);
	bits_swap32(b->at, n);
	b->at += n * 4;
}

static void words16(struct body *b, u64 n)
{
	n = MIN(n, left(b) / 2);
	bits_swap16(b->at, n);
	b->at += n * 2;
}

static void pass(struct body *b, u64 n)
{
	b->at += MIN(n, left(b));
}

/* Swap a count and return it, at most as many as there are elements of size bytes behind it. */
static u64 count64(struct body *b, u64 size)
{
	u64 n;

	if (left(b) < 8)
		return 0;
	words64(b, 1);
	n = bits_u64(b->at - 8);
	return MIN(n, left(b) / size);
}

static void swap_read(struct body *b, u64 format)
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

static void swap_branches(struct body *b, u64 branch_type)
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

static void swap_regs(struct body *b, u64 mask)
{
	if (count64(b, 1) != PERF_SAMPLE_REGS_ABI_NONE)
		words64(b, bits_count(mask));
}

static void swap_raw(struct body *b)
{
	if (left(b) < 4)
		return;
	words32(b, 1);
	pass(b, bits_u32(b->at - 4));
}

static void swap_stack(struct body *b)
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

static void swap_fixed(u64 type, const u64 *order, size_t nr, struct body *b)
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

static void swap_sample(const struct sample_layout *l, struct body *b)
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
static void swap_trailer(const struct sample_layout *l, struct body *b)
{
	struct body t;

	if (!l->tail_size || left(b) < l->tail_size)
		return;
	t = (struct body){ .at = b->end - l->tail_size, .end = b->end };
	b->end = t.at;
	swap_fixed(l->sample_type, trailer_order, ARRAY_SIZE(trailer_order), &t);
}

static void swap_attr(struct body *b)
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

static void swap_mmap2(struct body *b, u16 misc)
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

static void swap_cpu_map(struct body *b)
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

static void swap_event_update(struct body *b)
{
	u64 type;

	if (left(b) < 16)
		return;
	words64(b, 2);
	type = bits_u64(b->at - 16);
	if (type == UPDATE_SCALE)
		words64(b, 1);
	else if (type == UPDATE_CPUS)
		swap_cpu_map(b);
	else if (type == UPDATE_SYMBOLS && left(b) >= 16)
		words64(b, 2);
}

static void swap_thread_map(struct body *b)
{
	u64 nr = count64(b, 24);

	for (u64 i = 0; i < nr; i++) {
		words64(b, 1);
		pass(b, 16);
	}
}

/* Shapes of bodies: a letter per field, with the rest left alone: q u64, d u32, w u16, Q u64 to the
 * end. Anything else has a function of its own below. */
static const char *const kernel_shapes[PERF_RECORD_MAX] = {
	[PERF_RECORD_MMAP] = "ddqqq",
	[PERF_RECORD_LOST] = "qq",
	[PERF_RECORD_COMM] = "dd",
	[PERF_RECORD_EXIT] = "ddddq",
	[PERF_RECORD_THROTTLE] = "qqq",
	[PERF_RECORD_UNTHROTTLE] = "qqq",
	[PERF_RECORD_FORK] = "ddddq",
	[PERF_RECORD_READ] = "ddQ",
	[PERF_RECORD_AUX] = "qqq",
	[PERF_RECORD_ITRACE_START] = "dd",
	[PERF_RECORD_LOST_SAMPLES] = "q",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "dd",
	[PERF_RECORD_NAMESPACES] = "ddQ",
	[PERF_RECORD_KSYMBOL] = "qdww",
	[PERF_RECORD_BPF_EVENT] = "wwd",
	[PERF_RECORD_CGROUP] = "q",
	[PERF_RECORD_TEXT_POKE] = "qww",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "q",
	[PERF_RECORD_CALLCHAIN_DEFERRED] = "Q",
};

static const char *const user_shapes[PERF_RECORD_HEADER_MAX - PERF_RECORD_USER_TYPE_START] = {
	[PERF_RECORD_HEADER_EVENT_TYPE - 64] = "q",
	[PERF_RECORD_HEADER_TRACING_DATA - 64] = "d",
	[PERF_RECORD_HEADER_BUILD_ID - 64] = "d",
	[PERF_RECORD_ID_INDEX - 64] = "Q",
	[PERF_RECORD_AUXTRACE_INFO - 64] = "ddQ",
	[PERF_RECORD_AUXTRACE - 64] = "qqqdddd",
	[PERF_RECORD_AUXTRACE_ERROR - 64] = "ddddddqq",
	[PERF_RECORD_STAT_CONFIG - 64] = "Q",
	[PERF_RECORD_STAT - 64] = "qddqqq",
	[PERF_RECORD_STAT_ROUND - 64] = "qq",
	[PERF_RECORD_TIME_CONV - 64] = "qqqqq",
	[PERF_RECORD_HEADER_FEATURE - 64] = "q",
	[PERF_RECORD_COMPRESSED2 - 64] = "q",
};

static void swap_shape(struct body *b, const char *shape)
{
	for (; shape && *shape; shape++) {
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
		default:
			words64(b, left(b) / 8);
		}
	}
}

void swap_record(const struct perfdata *f, struct perf_event_header *h)
{
	struct body b = { .at = (u8 *)(h + 1), .end = (u8 *)h + h->size };
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
	if (h->type < PERF_RECORD_USER_TYPE_START) {
		if (first)
			swap_trailer(&first->layout, &b);
		if (h->type == PERF_RECORD_MMAP2)
			swap_mmap2(&b, h->misc);
		else if (h->type < PERF_RECORD_MAX)
			swap_shape(&b, kernel_shapes[h->type]);
		return;
	}
	if (h->type == PERF_RECORD_HEADER_ATTR)
		swap_attr(&b);
	else if (h->type == PERF_RECORD_EVENT_UPDATE)
		swap_event_update(&b);
	else if (h->type == PERF_RECORD_CPU_MAP)
		swap_cpu_map(&b);
	else if (h->type == PERF_RECORD_THREAD_MAP)
		swap_thread_map(&b);
	else if (h->type < PERF_RECORD_HEADER_MAX)
		swap_shape(&b, user_shapes[h->type - PERF_RECORD_USER_TYPE_START]);
}
