/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of samples: what texts mean, what is wrong with others, and what they let through, judged
 * by the code that runs in the kernel. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "abi/perf_event.h"
#include "bpf/sample_filter.h"

static bool parses(struct sample_filter *f, const char *text)
{
	struct err e = ERR_INIT;

	if (!sample_filter_parse(f, text, &e))
		return true;
	assert_true(e.text[0]);
	return false;
}

static void test_texts(void **state UNUSED)
{
	struct sample_filter f;

	assert_true(parses(&f, " period>=0x10 ,cpu==1||cpu == 2"));
	assert_int_equal(f.nr, 3);
	assert_int_equal(f.conditions[0].op, FILTER_GE);
	assert_int_equal(f.conditions[0].value, 16);
	assert_false(f.conditions[0].or_next);
	assert_true(f.conditions[1].or_next);
	assert_int_equal(f.conditions[1].term, f.conditions[2].term);
	assert_true(parses(&f, "ip < 1 && ip > 2"));
	assert_false(f.conditions[0].or_next);
	assert_true(parses(&f, "mem_op == store"));
	assert_int_equal(f.conditions[0].value, 4);
	assert_true(parses(&f, "mem_op & 3"));
	assert_int_equal(f.conditions[0].op, FILTER_AND);
}

static void test_mistakes(void **state UNUSED)
{
	static const char *const wrong[] = { "", ",", "ip", "ip ==", "ip == x", "ip = 1", "ips == 1", "ip == 1,",
					     "ip == 1 ip == 2", "ip == 1 ||", "ip == -1", "ip == 1x", "mem_op == l1",
					     "ip == 1 && ip == 2 || ip == 3", "ip == 18446744073709551616" };
	char many[SAMPLE_FILTER_CONDITIONS * 8 + 16] = "";
	struct sample_filter f;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(parses(&f, wrong[i]));
	for (size_t i = 0; i < SAMPLE_FILTER_CONDITIONS; i++)
		strcat(many, i ? ",ip==1" : "ip==1");
	assert_true(parses(&f, many));
	assert_false(parses(&f, strcat(many, ",ip==1")));
}

/* A sample of made-up fields; the get of filter_matches(). */
struct fields {
	u64 ip, source, weight;
};

static u64 field_of(void *sample, u8 field)
{
	const struct fields *f = sample;

	switch (field) {
	case FILTER_IP: return f->ip;
	case FILTER_DATA_SRC: return f->source;
	case FILTER_WEIGHT: return f->weight;
	case FILTER_UID: return 5;
	case FILTER_GID: return 7;
	default: fail_msg("field %d", field); return 0;
	}
}

static bool matches_fields(const char *text, u64 extra_type, struct fields fields)
{
	const u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_DATA_SRC | extra_type;
	struct filter_table table;
	struct sample_filter f;

	assert_true(parses(&f, text));
	assert_int_equal(sample_filter_table(&table, &f, type, "event", NULL), 0);
	return filter_matches(&table, field_of, &fields);
}

/* Whether a sample at that address, of an access with that description, matches. */
static bool matches(const char *text, u64 ip, u64 source)
{
	return matches_fields(text, 0, (struct fields){ .ip = ip, .source = source });
}

static void test_programs(void **state UNUSED)
{
	const u64 load_fwd = 2 | 1ULL << 38, store_hit = 4 | 4ULL << 19;

	assert_true(matches("ip == 5", 5, 0));
	assert_false(matches("ip == 5", 6, 0));
	assert_true(matches("ip >= 0xffff000000000000", ~0ULL, 0));
	assert_false(matches("ip >= 0xffff000000000000", 1, 0));
	assert_true(matches("ip > 3, ip < 6", 5, 0));
	assert_false(matches("ip > 3, ip < 6", 7, 0));
	assert_true(matches("ip == 1 || ip == 2, mem_op == load", 2, load_fwd));
	assert_false(matches("ip == 1 || ip == 2, mem_op == load", 3, load_fwd));
	assert_false(matches("ip == 1 || ip == 2, mem_op == load", 1, store_hit));
	assert_true(matches("mem_op == load || mem_op == store", 0, store_hit));
	assert_true(matches("mem_snoop == fwd", 0, load_fwd));
	assert_true(matches("mem_snoop == hit", 0, store_hit));
	assert_false(matches("mem_snoop & miss", 0, store_hit));
	assert_true(matches("uid == 5, gid == 7", 0, 0));
	assert_false(matches("uid != 5", 0, 0));
}

/* The same word has a meaning by what the samples have. */
static void test_weights(void **state UNUSED)
{
	const struct fields w = { .weight = 0x0003000200000001ULL };

	assert_true(matches_fields("weight == 0x0003000200000001", PERF_SAMPLE_WEIGHT, w));
	assert_true(matches_fields("weight == 1, weight1 == 1", PERF_SAMPLE_WEIGHT_STRUCT, w));
	assert_true(matches_fields("weight2 == 2, weight3 == 3", PERF_SAMPLE_WEIGHT_STRUCT, w));
	assert_true(matches_fields("ins_lat < 3, retire_lat >= 3", PERF_SAMPLE_WEIGHT_STRUCT, w));
	assert_false(matches_fields("ins_lat > 2", PERF_SAMPLE_WEIGHT_STRUCT, w));
}

static void test_missing_field(void **state UNUSED)
{
	struct err e = ERR_INIT;
	struct filter_table table;
	struct sample_filter f;

	assert_true(parses(&f, "ip > 1, addr > 1"));
	assert_int_equal(sample_filter_table(&table, &f, PERF_SAMPLE_IP, "event", &e), -1);
	assert_non_null(strstr(e.text, "PERF_SAMPLE_ADDR"));
	assert_string_equal(e.hint, "add -d");
}

/* Of as many conditions as there may be, each with the most lines. */
static void test_longest(void **state UNUSED)
{
	char text[SAMPLE_FILTER_CONDITIONS * 24] = "";

	for (size_t i = 0; i < SAMPLE_FILTER_CONDITIONS; i++)
		strcat(text, i ? ",mem_snoop & hit" : "mem_snoop & hit");
	assert_true(matches(text, 0, 4ULL << 19));
	assert_false(matches(text, 0, 8ULL << 19));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_missing_field),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
