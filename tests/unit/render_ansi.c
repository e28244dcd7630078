/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "render/ansi.h"

static void classes(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	strbuf_adds(&out, "ab");
	ansi_colour(&out, 1, VIEW_PLAIN);
	assert_string_equal(out.buf, "ab");
	ansi_colour(&out, 1, VIEW_HOT);
	assert_string_equal(out.buf, "a\033[31mb\033[m");
	strbuf_reset(&out);
	ansi_colour(&out, 0, VIEW_WARM);
	assert_string_equal(out.buf, "\033[32m\033[m");
}

static void marks(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct view_mark v[] = { { 1, 2, VIEW_WARM }, { 3, 1, VIEW_HOT } };
	struct view_marks m = { .v = v, .nr = 2 }, none = { 0 };

	(void)state;
	ansi_add_marked(&out, "abcde", 5, &m);
	assert_string_equal(out.buf, "a\033[32mbc\033[m\033[31md\033[me");
	strbuf_reset(&out);
	ansi_add_marked(&out, "abcde", 5, &none);
	assert_string_equal(out.buf, "abcde");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(classes), cmocka_unit_test(marks) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
