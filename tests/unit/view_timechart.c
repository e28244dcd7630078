/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/timechart.h"

enum { MANY = 300000, TASKS = 7 };

static struct timechart_shape span(u64 from, u64 until, enum timechart_way way, u32 value)
{
	struct timechart_shape s = { .from = from, .until = until, .value = value };

	s.times[way] = until - from;
	return s;
}

/* However many spans there are: shapes are few, in order, no longer than the resolution if they are
 * made of several, and nothing of the time is lost. */
static void sums_stay(void **state)
{
	struct timechart c = { 0 };
	u64 ran = 0, waited = 0, sum_ran = 0, sum_waited = 0, spans = 0;

	(void)state;
	for (u32 i = 0; i < TASKS; i++)
		assert_int_equal(timechart_add_task(&c, "task", 1, i + 1), i);
	for (u64 i = 0; i < MANY; i++) {
		u64 at = i * 1000, length = 100 + i * 7 % 500;
		enum timechart_way way = i % 3 ? TIMECHART_RUNNING : TIMECHART_WAITING;
		struct timechart_shape s = span(at, at + length, way, (u32)(i % 2));

		timechart_add_of_task(&c, (u32)(i % TASKS), TIMECHART_TASK, &s);
		*(i % 3 ? &ran : &waited) += length;
	}
	assert_true(c.nr_shapes <= TIMECHART_SHAPES);
	assert_true(c.nr_shapes > TIMECHART_SHAPES / 4);
	assert_int_equal(c.nr_spans, MANY);
	assert_true(c.resolution > 0);
	VEC_FOR(&c.tasks, row) {
		u64 behind = 0;

		VEC_FOR(&row->lanes[TIMECHART_TASK], s) {
			assert_true(s->from >= behind && s->until >= s->from);
			assert_true(s->nr == 1 || s->until - s->from <= c.resolution);
			behind = s->until;
			sum_ran += s->times[TIMECHART_RUNNING];
			sum_waited += s->times[TIMECHART_WAITING];
			spans += s->nr;
		}
	}
	assert_int_equal(sum_ran, ran);
	assert_int_equal(sum_waited, waited);
	assert_int_equal(spans, MANY);
	timechart_release(&c);
}

/* One that is long stays one of its own; frequencies become their mean. */
static void long_and_mean(void **state)
{
	struct timechart c = { 0 };
	u64 found = 0;

	(void)state;
	for (u64 i = 0; i < MANY; i++) {
		u64 at = i * 1000;
		struct timechart_shape s = span(at, at + 1000, 0, i % 2 ? 1000000 : 3000000);

		timechart_add_of_cpu(&c, 3, TIMECHART_CPU_FREQUENCY, &s);
		if (i % 1000 == 0) {
			s = span(at, at + 900000, 0, 1);
			timechart_add_of_cpu(&c, 0, TIMECHART_CPU_RUNNING, &s);
		}
	}
	assert_int_equal(c.cpus.nr, 4);
	VEC_FOR(&c.cpus.v[0].lanes[TIMECHART_CPU_RUNNING], s)
		found += s->nr == 1;
	assert_int_equal(found, MANY / 1000);
	VEC_FOR(&c.cpus.v[3].lanes[TIMECHART_CPU_FREQUENCY], s)
		if (s->nr > 1 && s->nr % 2 == 0)
			assert_in_range(s->value, 1990000, 2010000);
	timechart_release(&c);
}

/* Calls of the same file that are near to each other are one; others are not. */
static void calls(void **state)
{
	struct timechart c = { .io = true, .merge_gap = 10, .min_time = 100 };
	struct timechart_shape s;

	(void)state;
	timechart_add_task(&c, "task", 1, 1);
	for (u64 i = 0; i < 5; i++) {
		s = span(1000 + i * 110, 1010 + i * 110, 0, 3);
		s.bytes = 4;
		timechart_add_of_task(&c, 0, TIMECHART_IO_READ, &s);
	}
	s = span(1600, 1610, 0, 4);
	timechart_add_of_task(&c, 0, TIMECHART_IO_READ, &s);
	s = span(1900, 1910, 0, 4);
	timechart_add_of_task(&c, 0, TIMECHART_IO_READ, &s);
	assert_int_equal(c.tasks.v[0].lanes[TIMECHART_IO_READ].nr, 3);
	assert_int_equal(c.tasks.v[0].lanes[TIMECHART_IO_READ].v[0].bytes, 20);
	assert_int_equal(c.tasks.v[0].lanes[TIMECHART_IO_READ].v[0].times[0], 50);
	assert_int_equal(timechart_end(&c, &c.tasks.v[0].lanes[TIMECHART_IO_READ].v[0]), 1540);
	timechart_release(&c);
}

/* Wake-ups: the same; with more pairs of tasks than there is room for, some are left out. */
static void wakes(void **state)
{
	struct timechart c = { 0 };
	u64 nr = 0, before = 0;

	(void)state;
	for (u32 i = 0; i < MANY; i++)
		timechart_add_wake(
			&c, &(struct timechart_wake){
				    .time = i * 1000ULL, .by = i % 5, .row = i % 3, .nr = 1 });
	timechart_settle_wakes(&c);
	assert_true(c.wakes.nr <= TIMECHART_WAKES && c.wakes.nr > TIMECHART_WAKES / 4);
	VEC_FOR(&c.wakes, w) {
		assert_true(w->time >= before);
		before = w->time;
		nr += w->nr;
	}
	assert_int_equal(nr, MANY);
	assert_int_equal(c.wakes_left_out, 0);
	timechart_release(&c);

	c = (struct timechart){ 0 };
	for (u32 i = 0; i < 2 * TIMECHART_WAKES; i++)
		timechart_add_wake(
			&c, &(struct timechart_wake){ .time = i, .by = i, .row = i + 1, .nr = 1 });
	assert_int_equal(c.wakes.nr, TIMECHART_WAKES);
	assert_int_equal(c.wakes_left_out, TIMECHART_WAKES);
	timechart_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_stay),
		cmocka_unit_test(long_and_mean),
		cmocka_unit_test(calls),
		cmocka_unit_test(wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
