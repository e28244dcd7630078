/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/storm.h"

enum { KB = 1 << 10, US = 1000, MS = 1000 * US };

static void large_or_slow_rings_sleep(void **state)
{
	struct storm s = { 0 };

	(void)state;
	assert_int_equal(storm_nap(&s, 50 * MS, 512 * KB, 512 * KB), 0); /* the first look */
	assert_int_equal(storm_nap(&s, 60 * MS, 256 * KB, 512 * KB), 0); /* 10 ms for half of it */
	assert_int_equal(storm_nap(&s, 61 * MS, 4 * KB, 512 * KB), 0); /* nothing much */
	assert_int_equal(storm_nap(&s, 62 * MS, 1024 * KB, 2048 * KB), 0);
}

/* As long as an eighth takes to fill, within limits. */
static void storms_are_looked_at_again(void **state)
{
	struct storm s = { 0 };

	(void)state;
	storm_nap(&s, 10 * MS, 0, 512 * KB);
	assert_int_equal(storm_nap(&s, 12 * MS, 256 * KB, 512 * KB), 500 * US);
	assert_int_equal(storm_nap(&s, 12 * MS + 500 * US, 128 * KB, 512 * KB), 250 * US);
	assert_int_equal(storm_nap(&s, 12 * MS + 750 * US, 16 * KB, 512 * KB),
			 500 * US); /* 1 ms, but at most */
	assert_int_equal(storm_nap(&s, 12 * MS + 760 * US, 32 * KB, 32 * KB),
			 10 * US); /* 1 us, but at least */
	assert_int_equal(storm_nap(&s, 13 * MS, 7 * KB, 512 * KB), 0); /* it is over */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_or_slow_rings_sleep),
		cmocka_unit_test(storms_are_looked_at_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
