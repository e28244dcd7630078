/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples and trailers encoded by hand: every field, and every length that does not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perfdata/sample.h"

struct record {
	u64 words[64]; /* the first is the header */
	size_t nr;
};

static void put(struct record *r, u64 word)
{
	assert_true(r->nr < 64);
	r->words[r->nr++] = word;
}

static void put_u32s(struct record *r, u32 low, u32 high)
{
	put(r, low | (u64)high << 32);
}

static void put_all(struct record *r, const u64 *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put(r, words[i]);
}

#define PUT(r, ...)                                                                                \
	put_all(r, (const u64[]){ __VA_ARGS__ }, sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

static struct record new_record(void)
{
	return (struct record){ .nr = 1 };
}

static struct perf_event_header *finish(struct record *r, u32 type, u16 misc)
{
	struct perf_event_header *h = (void *)r->words;

	*h = (struct perf_event_header){ type, misc, (u16)(r->nr * 8) };
	return h;
}

#define FIXED                                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD)

static void put_fixed(struct record *r)
{
	put(r, 100); /* IDENTIFIER */
	put(r, 0xffffffff81000000);
	put_u32s(r, 7, 8);
	put(r, 123456789);
	put(r, 0xabc); /* ADDR */
	put(r, 100); /* ID */
	put(r, 55); /* STREAM_ID */
	put_u32s(r, 3, 0);
	put(r, 4000);
}

static struct sample_layout layout_of(const struct perf_event_attr *a)
{
	struct sample_layout l;

	sample_layout_init(&l, a);
	return l;
}

/* The sample is right as it is and refused with every shorter size. */
static void check_cuts(const struct sample_layout *l, struct perf_event_header *h)
{
	struct sample s;
	u16 size = h->size;

	for (u16 cut = sizeof(*h); cut < size; cut++) {
		/* a heap copy of just that size lets sanitizers see reads behind it */
		struct perf_event_header *copy = xmalloc(cut);

		memcpy(copy, h, cut);
		copy->size = cut;
		assert_false(sample_decode(l, copy, &s));
		free(copy);
	}
	assert_true(sample_decode(l, h, &s));
}

static void fixed_fields(void **state)
{
	struct perf_event_attr a = { .sample_type = FIXED, .sample_period = 77 };
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample s;

	(void)state;
	put_fixed(&r);
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);
	check_cuts(&l, h);
	assert_true(sample_decode(&l, h, &s));
	assert_int_equal(s.ip, 0xffffffff81000000);
	assert_int_equal(s.pid, 7);
	assert_int_equal(s.tid, 8);
	assert_int_equal(s.time, 123456789);
	assert_int_equal(s.addr, 0xabc);
	assert_int_equal(s.id, 100);
	assert_int_equal(s.stream_id, 55);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.period, 4000);
	assert_int_equal(s.cpumode, PERF_RECORD_MISC_KERNEL);
	assert_null(s.chain);
	assert_int_equal(sample_record_time(&l, h), 123456789);
}

static void absent_fields(void **state)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IP, .sample_period = 77 };
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample s;

	(void)state;
	put(&r, 0x1234);
	h = finish(&r, PERF_RECORD_SAMPLE, 0);
	assert_true(sample_decode(&l, h, &s));
	assert_int_equal(s.ip, 0x1234);
	assert_int_equal(s.period, 77);
	assert_int_equal(s.cpu, (u32)-1);
	assert_int_equal(s.pid, (u32)-1);
	assert_int_equal(s.id, (u64)-1);
	assert_int_equal(s.branch_hw_idx, (u64)-1);
	assert_int_equal(sample_record_time(&l, h), 0);
}

/* Of a callchain a head tells no more than that it fits. */
static void heads(void **state)
{
	struct perf_event_attr a = { .sample_type = FIXED | PERF_SAMPLE_CALLCHAIN };
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample_head head;
	struct sample s;

	(void)state;
	put_fixed(&r);
	PUT(&r, 2, PERF_CONTEXT_USER, 0x1234);
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	assert_true(sample_layout_is_plain(&l));
	for (u16 size = sizeof(*h); size < r.nr * 8; size++) {
		h->size = size;
		assert_false(sample_head_decode(&l, h, h->size, &head));
	}
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	assert_true(sample_head_decode(&l, h, h->size, &head));
	assert_int_equal(head.ip, 0xffffffff81000000);
	assert_int_equal(head.cpu, 3);
	assert_int_equal(head.period, 4000);
	assert_int_equal(head.misc, PERF_RECORD_MISC_KERNEL);
	sample_of_nothing(&s);
	assert_int_equal(s.id, (u64)-1);
	assert_int_equal(s.tid, (u32)-1);
	assert_null(s.chain);
	r.words[10] = ~0ULL / 8 + 1; /* times 8 it is nothing */
	assert_false(sample_head_decode(&l, h, h->size, &head));
	a.sample_type |= PERF_SAMPLE_RAW;
	l = layout_of(&a);
	assert_false(sample_layout_is_plain(&l));
	a = (struct perf_event_attr){ .sample_type = PERF_SAMPLE_TID, .sample_period = 77 };
	l = layout_of(&a);
	assert_true(sample_layout_is_plain(&l));
	assert_true(sample_head_decode(&l, h, h->size, &head));
	assert_int_equal(head.period, 77);
	assert_int_equal(head.cpu, (u32)-1);
	assert_int_equal(head.ip, 0);
}

/* Of a copy of the stack its size is enough, where that can be seen. */
static void heads_of_stacks(void **state)
{
	struct perf_event_attr a = { .sample_type = FIXED | PERF_SAMPLE_CALLCHAIN |
						    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
				     .sample_regs_user = 0x180 };
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample_head head;
	struct sample s;
	size_t front;

	(void)state;
	put_fixed(&r);
	PUT(&r, 1, PERF_CONTEXT_USER, PERF_SAMPLE_REGS_ABI_64, 0x7000, 0x1234, 16);
	front = r.nr * 8;
	PUT(&r, 1, 2, 16);
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	assert_true(sample_layout_is_plain(&l));
	assert_true(sample_decode(&l, h, &s));
	assert_true(sample_head_decode(&l, h, front, &head));
	assert_int_equal(head.ip, 0xffffffff81000000);
	assert_false(sample_head_decode(&l, h, front - 1, &head));
	assert_false(sample_head_decode(&l, h, front - 9, &head));
	for (h->size -= 8; h->size >= sizeof(*h); h->size -= 8) {
		assert_false(sample_decode(&l, h, &s));
		assert_false(sample_head_decode(&l, h, h->size, &head));
	}
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	r.words[front / 8 - 1] = 12; /* what follows would not be on a word */
	assert_false(sample_decode(&l, h, &s));
	assert_false(sample_head_decode(&l, h, h->size, &head));
	r.words[front / 8 - 1] = 0;
	assert_true(sample_decode(&l, h, &s));
	assert_true(sample_head_decode(&l, h, front, &head));
}

static void variable_fields(void **state)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT_STRUCT |
			       PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
			       PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE |
			       PERF_SAMPLE_AUX,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
			       PERF_FORMAT_TOTAL_TIME_ENABLED,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_COUNTERS,
		.sample_regs_user = 5,
		.sample_regs_intr = 1,
	};
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample s;

	(void)state;
	put(&r, 0x1234);
	for (u64 i = 0; i < 8; i++) /* nr 2, enabled, 2 x {value, id, lost} */
		put(&r, i ? i : 2);
	PUT(&r, 2, 0x10, 0x20);
	put_u32s(&r, 12, 0x64636261);
	put(&r, 0x6c6b6a6968676665);
	PUT(&r, 1, 9, 0xf, 0x70, 2, 0xc);
	PUT(&r, PERF_SAMPLE_REGS_ABI_64, 0xa, 0xb);
	PUT(&r, 16, 1, 2, 8);
	put(&r, 7 | 8ULL << 32 | 9ULL << 48);
	PUT(&r, 0xd5, 0x7a);
	put(&r, PERF_SAMPLE_REGS_ABI_NONE);
	PUT(&r, 0x9a, 0xc6, 4096, 2 << 20);
	PUT(&r, 8, 0xa1);
	h = finish(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	check_cuts(&l, h);
	assert_true(sample_decode(&l, h, &s));
	assert_int_equal(s.nr_read, 2);
	assert_int_equal(s.time_enabled, 1);
	assert_int_equal(sample_read_at(&l, &s, 1).value, 5);
	assert_int_equal(sample_read_at(&l, &s, 1).id, 6);
	assert_int_equal(sample_read_at(&l, &s, 1).lost, 7);
	assert_int_equal(sample_read_at(&l, &s, 2).value, 0);
	assert_int_equal(s.nr_chain, 2);
	assert_int_equal(s.chain[1], 0x20);
	assert_int_equal(s.raw_size, 12);
	assert_memory_equal(s.raw, "abcdefghijkl", 12);
	assert_int_equal(s.nr_branch, 1);
	assert_int_equal(s.branch_hw_idx, 9);
	assert_int_equal(s.branch[1], 0x70);
	assert_int_equal(s.branch_counters[0], 0xc);
	assert_int_equal(s.user_regs[1], 0xb);
	assert_int_equal(s.user_stack_size, 8);
	assert_int_equal(s.weight, 7);
	assert_int_equal(s.ins_lat, 8);
	assert_int_equal(s.p_stage_cyc, 9);
	assert_int_equal(s.data_src, 0xd5);
	assert_int_equal(s.transaction, 0x7a);
	assert_null(s.intr_regs);
	assert_int_equal(s.phys_addr, 0x9a);
	assert_int_equal(s.cgroup, 0xc6);
	assert_int_equal(s.data_page_size, 4096);
	assert_int_equal(s.code_page_size, 2 << 20);
	assert_int_equal(s.aux_size, 8);
	assert_int_equal(s.aux[0], 0xa1);
}

static void single_read(void **state)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample s;

	(void)state;
	for (u64 i = 1; i <= 5; i++)
		put(&r, i);
	h = finish(&r, PERF_RECORD_SAMPLE, 0);
	check_cuts(&l, h);
	assert_true(sample_decode(&l, h, &s));
	assert_int_equal(s.time_enabled, 2);
	assert_int_equal(s.time_running, 3);
	assert_int_equal(sample_read_at(&l, &s, 0).value, 1);
	assert_int_equal(sample_read_at(&l, &s, 0).id, 4);
	assert_int_equal(sample_read_at(&l, &s, 0).lost, 5);
}

/* Counts whose product overflows must not pass. */
static void huge_counts(void **state)
{
	static const u64 types[] = { PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
				     PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX, PERF_SAMPLE_READ };
	static const u64 counts[] = { 3, 1ULL << 61, 1ULL << 63, ~0ULL, ~0ULL / 24 + 1 };

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		struct perf_event_attr a = { .sample_type = types[t],
					     .read_format = PERF_FORMAT_GROUP };
		struct sample_layout l = layout_of(&a);

		for (size_t c = 0; c < ARRAY_SIZE(counts); c++) {
			struct record r = new_record();
			struct sample s;

			put(&r, counts[c]);
			if (types[t] == PERF_SAMPLE_AUX && counts[c] == 3)
				continue; /* bytes: three would fit */
			assert_false(sample_decode(&l, finish(&r, PERF_RECORD_SAMPLE, 0), &s));
		}
	}
}

static void trailer(void **state)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1,
	};
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample_id id;

	(void)state;
	put(&r, 0xbeef); /* body */
	put_u32s(&r, 7, 8);
	put(&r, 123);
	put(&r, 55);
	put_u32s(&r, 3, 0);
	put(&r, 100);
	h = finish(&r, PERF_RECORD_LOST_SAMPLES, 0);
	assert_int_equal(l.tail_size, 40);
	assert_true(sample_id_decode(&l, h, &id));
	assert_int_equal(id.pid, 7);
	assert_int_equal(id.tid, 8);
	assert_int_equal(id.time, 123);
	assert_int_equal(id.stream_id, 55);
	assert_int_equal(id.cpu, 3);
	assert_int_equal(id.id, 100);
	assert_int_equal(sample_record_time(&l, h), 123);
	h->size = 40;
	assert_false(sample_id_decode(&l, h, &id));
	assert_int_equal(sample_record_time(&l, h), 0);
	h->size = 56;
	h->type = PERF_RECORD_ID_INDEX; /* the tool's records have none */
	assert_false(sample_id_decode(&l, h, &id));
	a.sample_id_all = 0;
	l = layout_of(&a);
	h->type = PERF_RECORD_LOST_SAMPLES;
	assert_false(sample_id_decode(&l, h, &id));
}

/* A KSYMBOL that a kernel had given to another recording before: it is longer than what was
 * written. */
static void trailer_before_the_end(void **state)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_CPU,
		.sample_id_all = 1,
	};
	struct sample_layout l = layout_of(&a);
	struct record r = new_record();
	struct perf_event_header *h;
	struct sample_id id;

	(void)state;
	put(&r, 0xffffffffc0028200); /* address */
	put_u32s(&r, 0x17, 1); /* length; type and flags */
	put(&r, 0x6f72705f667062); /* "bpf_pro" and its end */
	put_u32s(&r, 7, 8);
	put(&r, 123);
	put(&r, 100);
	put_u32s(&r, 3, 0);
	for (int i = 0; i < 4; i++)
		put(&r, (u64)-2);
	h = finish(&r, PERF_RECORD_KSYMBOL, 0);
	for (int longer = 0; longer < 2; longer++) {
		assert_true(sample_id_decode(&l, h, &id));
		assert_int_equal(id.time, 123);
		assert_int_equal(id.id, 100);
		assert_int_equal(id.tid, 8);
		assert_int_equal(sample_record_time(&l, h), 123);
		h->size -= 32;
	}
	/* no room for both: what is at the end is taken, and nothing behind it is read */
	h->size = 56;
	assert_true(sample_id_decode(&l, h, &id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_fields),
		cmocka_unit_test(absent_fields),
		cmocka_unit_test(variable_fields),
		cmocka_unit_test(single_read),
		cmocka_unit_test(trailer_before_the_end),
		cmocka_unit_test(huge_counts),
		cmocka_unit_test(trailer),
		cmocka_unit_test(heads),
		cmocka_unit_test(heads_of_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
