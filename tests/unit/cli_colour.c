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
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	enum colour_mode mode;
	struct err e = ERR_INIT;
	(void)state;
	assert_int_equal(colour_of_percent(5.0), COLOUR_RED);
	assert_int_equal(colour_of_percent(0.51), COLOUR_GREEN);
	assert_int_equal(colour_of_percent(0.5), COLOUR_NORMAL);
	colour_add(&sb, true, COLOUR_RED, "a");
	colour_add(&sb, false, COLOUR_RED, "b");
	colour_add(&sb, true, COLOUR_NORMAL, "c");
	assert_string_equal(sb.buf, "\033[31ma\033[mbc");
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
