// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/parallelism.h"

enum { IN = 0, OUT = PERF_RECORD_MISC_SWITCH_OUT };

static void note(struct parallelism *p, u32 type, u16 misc, u64 time, u64 pos)
{
	const struct perf_event_header h = { .type = type, .misc = misc, .size = sizeof(h) };

	parallelism_note(p, &h, time, pos);
}

static void note_switch(struct parallelism *p, u16 misc, u64 time)
{
	note(p, PERF_RECORD_SWITCH, misc, time, time);
}

static u32 at(const struct parallelism *p, u64 time)
{
	size_t last = 0;

	return parallelism_at(p, time, time, &last);
}

static void counts_up_and_down(void **state UNUSED)
{
	struct parallelism p;

	parallelism_init(&p);
	parallelism_begin(&p, 8, false);
	assert_int_equal(at(&p, 5), 1); /* the thread that did exec */
	note_switch(&p, IN, 10);
	note(&p, PERF_RECORD_SWITCH_CPU_WIDE, IN, 20, 20);
	note_switch(&p, OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, 30);
	note(&p, PERF_RECORD_COMM, 0, 35, 35);
	note(&p, PERF_RECORD_FORK, 0, 36, 36);
	note(&p, PERF_RECORD_EXIT, 0, 40, 40);
	assert_int_equal(p.steps.nr, 4);
	assert_int_equal(at(&p, 9), 1);
	assert_int_equal(at(&p, 11), 2);
	assert_int_equal(at(&p, 25), 3);
	assert_int_equal(at(&p, 39), 2);
	assert_int_equal(at(&p, 1000), 1);
	parallelism_release(&p);
}

/* What is missing or said twice does not make less than one thread or more than there are CPUs. */
static void stays_in_bounds(void **state UNUSED)
{
	struct parallelism p;

	parallelism_init(&p);
	parallelism_begin(&p, 2, false);
	for (u64 t = 10; t < 13; t++)
		note_switch(&p, OUT, t);
	assert_int_equal(at(&p, 15), 1);
	for (u64 t = 20; t < 23; t++)
		note_switch(&p, IN, t);
	assert_int_equal(at(&p, 25), 1); /* 1 - 3 + 3 */
	for (u64 t = 30; t < 35; t++)
		note_switch(&p, IN, t);
	assert_int_equal(at(&p, 35), 2);
	note_switch(&p, OUT, 40);
	assert_int_equal(at(&p, 45), 2); /* 6 - 1 */
	parallelism_release(&p);
}

static void batches_follow_each_other(void **state UNUSED)
{
	struct parallelism p;

	parallelism_init(&p);
	parallelism_begin(&p, 0, false);
	note_switch(&p, IN, 10);
	note_switch(&p, IN, 20);
	parallelism_begin(&p, 0, false);
	assert_int_equal(at(&p, 30), 3);
	note_switch(&p, OUT, 40);
	assert_int_equal(at(&p, 15), 3); /* late: what is known is how the batch begins */
	assert_int_equal(at(&p, 50), 2);
	parallelism_release(&p);
}

/* At one time the place in the file decides. */
static void ties(void **state UNUSED)
{
	struct parallelism p;
	size_t last = 7;

	parallelism_init(&p);
	parallelism_begin(&p, 8, false);
	note(&p, PERF_RECORD_SWITCH, IN, 10, 100);
	note(&p, PERF_RECORD_SWITCH, IN, 10, 300);
	assert_int_equal(parallelism_at(&p, 10, 50, &last), 1);
	assert_int_equal(parallelism_at(&p, 10, 200, &last), 2);
	assert_int_equal(parallelism_at(&p, 10, 200, &last), 2);
	assert_int_equal(parallelism_at(&p, 10, 400, &last), 3);
	assert_int_equal(parallelism_at(&p, 9, 400, &last), 1);
	parallelism_begin(&p, 8, true); /* places alone */
	note(&p, PERF_RECORD_SWITCH, OUT, 1, 500);
	assert_int_equal(parallelism_at(&p, 0, 450, &last), 3);
	assert_int_equal(parallelism_at(&p, 0, 550, &last), 2);
	parallelism_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_up_and_down),
		cmocka_unit_test(stays_in_bounds),
		cmocka_unit_test(batches_follow_each_other),
		cmocka_unit_test(ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
