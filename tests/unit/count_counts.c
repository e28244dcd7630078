/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums, means and ratios of counters; the ratios are those that perf 6.1 shows for such counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "count/counts.h"
#include "count/ratios.h"
#include "render/counters.h"

static void test_scale(void **state)
{
	(void)state;
	assert_true(count_scale(100, 10, 10) == 100);
	assert_true(count_scale(100, 1000, 300) == 333);
	assert_true(count_scale(100, 10, 0) == 0);
	assert_int_equal(count_delta(5, 3), 2);
	assert_int_equal(count_delta(3, 5), 0);
}

static void test_moments(void **state)
{
	struct moments m = { 0 };

	(void)state;
	assert_true(moments_percent(&m) == 0);
	moments_add(&m, 2);
	assert_true(moments_deviation(&m) == 0);
	moments_add(&m, 4);
	assert_true(m.mean == 3);
	assert_true(fabs(moments_deviation(&m) - 1) < 1e-12);
	assert_true(fabs(moments_percent(&m) - 100.0 / 3) < 1e-9);
}

static void test_places(void **state)
{
	struct count_place a = { .cpu = 3, .core = 1, .die = 0, .socket = 1, .node = 0 };
	struct count_place b = { .cpu = 1, .core = 1, .die = 0, .socket = 0, .node = 0 };
	struct count_place x, y;

	(void)state;
	x = count_place_of(&a, COUNT_SOCKET);
	y = count_place_of(&b, COUNT_SOCKET);
	assert_true(count_place_compare(&x, &y) > 0);
	x = count_place_of(&a, COUNT_NODE);
	y = count_place_of(&b, COUNT_NODE);
	assert_true(count_place_compare(&x, &y) == 0);
	x = count_place_of(&a, COUNT_CPU);
	y = count_place_of(&b, COUNT_CPU);
	assert_true(count_place_compare(&x, &y) > 0);
}

static struct perf_event_attr hw(u64 config)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_HARDWARE, .config = config };
}

static const char *text_of(const struct view_ratio *r)
{
	static struct strbuf out = STRBUF_INIT;

	strbuf_release(&out);
	counters_number(&out, r);
	strbuf_addf(&out, "|%s", r->label);
	return out.buf;
}

static void test_ratios(void **state)
{
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_TASK_CLOCK };
	struct perf_event_attr cycles = hw(PERF_COUNT_HW_CPU_CYCLES);
	struct perf_event_attr insn = hw(PERF_COUNT_HW_INSTRUCTIONS);
	struct perf_event_attr back = hw(PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
	struct perf_event_attr user = cycles;
	struct perf_event_attr faults = { .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_PAGE_FAULTS };
	struct view_ratio r[VIEW_MAX_RATIOS];
	struct ratio_set s = { 0 };

	(void)state;
	assert_int_equal(ratio_compute(&s, &cycles, NULL, 6e6, 1, r), 1);
	assert_false(r[0].known);
	ratio_set_add(&s, &clock, NULL, 2e6);
	ratio_set_add(&s, &cycles, NULL, 6e6);
	ratio_set_add(&s, &back, NULL, 9e5);
	ratio_compute(&s, &cycles, NULL, 6e6, 1, r);
	assert_string_equal(text_of(&r[0]), "   3.000|GHz");
	assert_int_equal(ratio_compute(&s, &insn, NULL, 12e6, 1, r), 2);
	assert_string_equal(text_of(&r[0]), "   2.00 |insn per cycle");
	assert_string_equal(text_of(&r[1]), "   0.07 |stalled cycles per insn");
	ratio_compute(&s, &back, NULL, 9e5, 1, r);
	assert_string_equal(text_of(&r[0]), "  15.00%|backend cycles idle");
	ratio_compute(&s, &clock, NULL, 2e6, 0.001, r);
	assert_string_equal(text_of(&r[0]), "   2.000|CPUs utilized");
	ratio_compute(&s, &faults, NULL, 2, 1, r);
	assert_string_equal(text_of(&r[0]), "1000.000|/sec");
	ratio_compute(&s, &faults, NULL, 5, 1, r);
	assert_string_equal(text_of(&r[0]), "   2.500|K/sec");
	/* user instructions are not held against all cycles */
	insn.exclude_kernel = 1;
	ratio_compute(&s, &insn, NULL, 12e6, 1, r);
	assert_false(r[0].known);
	user.exclude_kernel = 1;
	ratio_set_add(&s, &user, NULL, 3e6);
	ratio_compute(&s, &insn, NULL, 12e6, 1, r);
	assert_string_equal(text_of(&r[0]), "   4.00 |insn per cycle");
	ratio_set_release(&s);
}

/* What is told of a count whose base is missing, is zero, or when it is zero itself. */
static void test_zero_ratios(void **state)
{
	struct perf_event_attr cycles = hw(PERF_COUNT_HW_CPU_CYCLES);
	struct perf_event_attr insn = hw(PERF_COUNT_HW_INSTRUCTIONS);
	struct perf_event_attr branches = hw(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	struct perf_event_attr misses = hw(PERF_COUNT_HW_BRANCH_MISSES);
	struct perf_event_attr front = hw(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	struct perf_event_attr back = hw(PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
	struct view_ratio r[VIEW_MAX_RATIOS];
	struct ratio_set s = { 0 };

	(void)state;
	ratio_compute(&s, &misses, NULL, 7, 1, r);
	assert_false(r[0].known);
	ratio_set_add(&s, &branches, NULL, 0);
	ratio_compute(&s, &misses, NULL, 7, 1, r);
	assert_true(r[0].known);
	assert_string_equal(text_of(&r[0]), "   0.00%|of all branches");
	ratio_set_add(&s, &cycles, NULL, 0);
	ratio_compute(&s, &insn, NULL, 7, 1, r);
	assert_false(r[0].known);
	ratio_compute(&s, &front, NULL, 7, 1, r);
	assert_false(r[0].known);
	ratio_compute(&s, &back, NULL, 7, 1, r);
	assert_string_equal(text_of(&r[0]), "   0.00%|backend cycles idle");
	ratio_set_add(&s, &cycles, NULL, 100);
	ratio_compute(&s, &front, NULL, 0, 1, r);
	assert_false(r[0].known);
	ratio_compute(&s, &back, NULL, 0, 1, r);
	assert_true(r[0].known);
	ratio_set_release(&s);
}

/* 7 of 8 APERF cycles were counted by the core; half of the cycles were in transactions. */
static void test_named_ratios(void **state)
{
	struct perf_event_attr cycles = hw(PERF_COUNT_HW_CPU_CYCLES);
	struct perf_event_attr pmu = { .type = 77 };
	struct view_ratio r[VIEW_MAX_RATIOS];
	struct ratio_set s = { 0 };

	(void)state;
	assert_int_equal(ratio_compute(&s, &pmu, "msr/smi/", 3, 1, r), 1);
	assert_false(r[0].known);
	ratio_set_add(&s, &cycles, "cycles", 7e6);
	ratio_set_add(&s, &pmu, "msr/aperf/", 8e6);
	ratio_set_add(&s, &pmu, "cpu/cycles-t/", 3.5e6);
	assert_int_equal(ratio_compute(&s, &pmu, "msr/smi/", 3, 1, r), 2);
	assert_string_equal(text_of(&r[0]), "    12.5%|SMI cycles%");
	assert_string_equal(text_of(&r[1]), "   3|SMI#");
	assert_true(r[1].same_line);
	ratio_compute(&s, &pmu, "cpu/cycles-t/u", 3.5e6, 1, r);
	assert_string_equal(text_of(&r[0]), "  50.00%|transactional cycles");
	ratio_compute(&s, &pmu, "cpu/cycles-ct/", 2.8e6, 1, r);
	assert_string_equal(text_of(&r[0]), "  10.00%|aborted cycles");
	ratio_compute(&s, &pmu, "cpu/el-start/", 1000, 1, r);
	assert_string_equal(text_of(&r[0]), "    3500|cycles / elision");
	ratio_set_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),       cmocka_unit_test(test_moments),
		cmocka_unit_test(test_places),      cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_zero_ratios), cmocka_unit_test(test_named_ratios),
	};

	return cmocka_run_group_tests_name("agg_counts", tests, NULL, NULL);
}
