/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples counted by time, however long the recording, in whatever order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agg/time_strip.h"

static u64 sum(const struct time_strip *s, u64 from, u64 until)
{
	u64 nr = 0;

	for (u32 i = 0; i < TIME_STRIP_SLICES; i++) {
		u64 a, z;

		time_strip_slice(s, i, &a, &z);
		if (a >= from && z <= until)
			nr += s->nr[i];
	}
	return nr;
}

static void test_empty(void **state)
{
	struct time_strip s = { .used = false };
	u32 from, until;

	(void)state;
	assert_false(time_strip_range(&s, &from, &until));
}

static void test_longer_and_earlier(void **state)
{
	static const u64 second = 1000000000;
	struct time_strip s = { .used = false };
	u32 from, until;

	(void)state;
	for (u64 t = 5000; t < 6000; t++)
		time_strip_add(&s, t * second);
	for (u64 t = 4999; t >= 4000; t--)
		time_strip_add(&s, t * second);
	time_strip_add(&s, 0);
	assert_true(time_strip_range(&s, &from, &until));
	assert_int_equal(from, 0);
	assert_int_equal(sum(&s, 0, UINT64_MAX), 2001);
	assert_true(sum(&s, 3990 * second, 5010 * second) >= 1000);
	assert_int_equal(sum(&s, 100 * second, 3900 * second), 0);
}

static void test_workers_together(void **state)
{
	struct time_strip a = { .used = false }, b = { .used = false }, all = { .used = false };

	(void)state;
	for (u64 t = 0; t < 100; t++)
		time_strip_add(&a, t << 30);
	for (u64 t = 0; t < 50; t++)
		time_strip_add(&b, (t << 10) + 12345);
	time_strip_merge(&all, &a);
	time_strip_merge(&all, &b);
	assert_int_equal(sum(&all, 0, UINT64_MAX), 150);
	assert_int_equal(all.nr[0], 51);
	assert_int_equal(all.shift, a.shift);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_longer_and_earlier),
		cmocka_unit_test(test_workers_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
