/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cli/colour.h"

static void colours(void **state)
{
	enum colour_mode mode;
	struct err e = ERR_INIT;
	(void)state;
	assert_int_equal(colour_mode_parse(NULL, &mode, &e), 0);
	assert_int_equal(mode, COLOUR_ALWAYS);
	assert_int_equal(colour_mode_parse("auto", &mode, &e), 0);
	assert_int_equal(mode, COLOUR_AUTO);
	setenv("NO_COLOR", "1", 1);
	assert_false(colour_wanted(mode));
	assert_true(colour_wanted(COLOUR_ALWAYS));
	assert_int_equal(colour_mode_parse("purple", &mode, &e), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
