/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over time: nothing is lost when columns become longer, and spans are cut where they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/time_grid.h"

static u64 sum_of(const struct time_grid *g, u32 row)
{
	u64 sum = 0;

	for (u32 i = 0; i < GRID_COLUMNS; i++)
		sum += time_grid_at(g, row, i);
	return sum;
}

static void numbers(void **state)
{
	struct time_grid g;

	(void)state;
	time_grid_init(&g, 2);
	for (u64 i = 0; i < 1000; i++)
		time_grid_add(&g, i & 1, 5000 + i * i * 1000, i);
	assert_int_equal(sum_of(&g, 0), 499 * 500);
	assert_int_equal(sum_of(&g, 1), 500 * 500);
	assert_int_equal(g.start, 5000);
	/* 998 ms in 64 columns */
	assert_int_equal(g.width, 1024 << 14);
	assert_int_equal(g.used, 999 * 999 * 1000ULL / g.width + 1);
	time_grid_add(&g, 0, 1, 7); /* before all */
	assert_int_equal(sum_of(&g, 0), 499 * 500 + 7);
	assert_int_equal(g.start, 5000);
	/* as late as can be */
	time_grid_add(&g, 0, UINT64_MAX, 1);
	assert_int_equal(sum_of(&g, 0), 499 * 500 + 8);
	assert_true(g.used <= GRID_COLUMNS);
	time_grid_release(&g);
}

static void spans(void **state)
{
	struct time_grid g;

	(void)state;
	time_grid_init(&g, 1);
	time_grid_add_span(&g, 0, 10, 10);
	assert_int_equal(g.width, 0);
	time_grid_add_span(&g, 0, 1000, 1000 + 3 * 1024 + 24);
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(time_grid_at(&g, 0, i), 1024);
	assert_int_equal(time_grid_at(&g, 0, 3), 24);
	assert_int_equal(g.used, 4);
	/* from the middle of a column to the middle of another, far away */
	time_grid_add_span(&g, 0, 1500, 9000000);
	assert_int_equal(sum_of(&g, 0), 3 * 1024 + 24 + 9000000 - 1500);
	assert_int_equal(time_grid_at(&g, 0, 1), g.width);
	/* what was before the start is left out */
	time_grid_add_span(&g, 0, 0, 1010);
	assert_int_equal(sum_of(&g, 0), 3 * 1024 + 24 + 9000000 - 1500 + 10);
	time_grid_add_span(&g, 0, 0, 900);
	assert_int_equal(sum_of(&g, 0), 3 * 1024 + 24 + 9000000 - 1500 + 10);
	time_grid_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
