/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "base/glyph.h"

static void check(const char *text, u8 len, u32 code, bool wrong)
{
	struct glyph g = glyph_at(text);

	assert_int_equal(g.len, len);
	assert_int_equal(g.code, code);
	assert_int_equal(g.wrong, wrong);
}

static void characters(void **state)
{
	(void)state;
	check("a", 1, 'a', false);
	check("\xc3\xa9", 2, 0xe9, false);
	check("\xe0\xa0\x80", 3, 0x800, false);
	check("\xed\x9f\xbf", 3, 0xd7ff, false);
	check("\xee\x80\x80", 3, 0xe000, false);
	check("\xf0\x90\x80\x80", 4, 0x10000, false);
	check("\xf4\x8f\xbf\xbf", 4, 0x10ffff, false);
}

/* What Unicode forbids stays bytes: readers of UTF-8 refuse the whole text otherwise. */
static void no_characters(void **state)
{
	(void)state;
	check("\x80", 1, 0x80, true);
	check("\xc0\x80", 1, 0xc0, true); /* overlong */
	check("\xe0\x9f\xbf", 1, 0xe0, true);
	check("\xf0\x8f\xbf\xbf", 1, 0xf0, true);
	check("\xed\xa0\x80", 1, 0xed, true); /* surrogates */
	check("\xed\xbf\xbf", 1, 0xed, true);
	check("\xf4\x90\x80\x80", 1, 0xf4, true); /* behind the last */
	check("\xf5\x80\x80\x80", 1, 0xf5, true);
	check("\xff", 1, 0xff, true);
	check("\xe2\x82", 1, 0xe2, true); /* cut */
	check("\xe2", 1, 0xe2, true);
	check("\xf0\x9f\x98", 1, 0xf0, true);
	check("\xe2\x82z", 1, 0xe2, true);
}

static void controls(void **state)
{
	(void)state;
	assert_true(glyph_at("\x1b").control);
	assert_true(glyph_at("\x7f").control);
	assert_true(glyph_at("\x9b").control);
	assert_true(glyph_at("\xc2\x9b").control);
	assert_true(glyph_at("\xe2\x80\xae").control);
	assert_true(glyph_at("\xe2\x81\xa6").control);
	assert_false(glyph_at(" ").control);
	assert_false(glyph_at("\xc2\xa0").control);
	assert_false(glyph_at("\xff").control);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters),
		cmocka_unit_test(no_characters),
		cmocka_unit_test(controls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
