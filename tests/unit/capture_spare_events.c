/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How large the copies are that take over from others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/stacks/spare_events.h"

enum { MB = 1 << 20 };

static void what_rings_can_bear(void **state)
{
	(void)state;
	assert_int_equal(spare_events_fitting_copy(8192, 8 * MB, 4000), EVENT_STACK_COPY_MAX);
	assert_int_equal(spare_events_fitting_copy(8192, 8 * MB, 0), EVENT_STACK_COPY_MAX);
	assert_int_equal(spare_events_fitting_copy(8192, 8 * MB, 10000), 32768);
	assert_int_equal(spare_events_fitting_copy(8192, 8 * MB, 20000), 16384);
	assert_int_equal(spare_events_fitting_copy(8192, 8 * MB, 50000), 0);
	/* few samples, slow as they may be */
	assert_int_equal(spare_events_fitting_copy(8192, 2 * MB, 99), 32768);
	assert_int_equal(spare_events_fitting_copy(8192, MB, 0), 16384);
	assert_int_equal(spare_events_fitting_copy(8192, MB / 2, 99), 0);
	assert_int_equal(spare_events_fitting_copy(16384, MB, 99), 0);
	assert_int_equal(spare_events_fitting_copy(EVENT_STACK_COPY_MAX, 64 * MB, 99), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_rings_can_bear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
