/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after those that it needs */
#include <cmocka.h>

#include "base/json.h"

static void quoted(const char *text, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	json_quote(&out, text);
	assert_string_equal(out.buf, expected);
	strbuf_release(&out);
}

static void texts(void **state)
{
	(void)state;
	quoted("", "\"\"");
	quoted("plain ~", "\"plain ~\"");
	quoted("\"\\/\n\t\r", "\"\\\"\\\\/\\n\\u0009\\u000d\"");
	quoted("\x1b[31m\x7f", "\"\\u001b[31m\\u007f\"");
	quoted("\x9b\xc2\x9b\xe2\x80\xae", "\"\\u009b\\u009b\\u202e\"");
	quoted("\xc3\xa9\xe9 \xf0\x9f\x98\x80", "\"\xc3\xa9\\u00e9 \xf0\x9f\x98\x80\"");
	/* what looks like UTF-8, but is not */
	quoted("\xed\xa0\x80\xc0\xaf", "\"\\u00ed\\u00a0\\u0080\\u00c0\\u00af\"");
}

static void numbers(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &out);
	json_array(&j, NULL, JSON_TIGHT);
	json_u64(&j, NULL, UINT64_MAX);
	json_s64(&j, NULL, INT64_MIN);
	json_s64(&j, NULL, -1);
	json_decimal(&j, NULL, 1002000, 6);
	json_decimal(&j, NULL, 7, 0);
	json_decimal(&j, NULL, 1, 9);
	json_fixed(&j, NULL, 12.345, 2);
	json_double(&j, NULL, 0.1);
	json_double(&j, NULL, 1e300);
	json_fixed(&j, NULL, NAN, 2);
	json_double(&j, NULL, -INFINITY);
	json_bool(&j, NULL, true);
	json_bool(&j, NULL, false);
	json_null(&j, NULL);
	json_string(&j, NULL, NULL);
	json_end(&j);
	assert_string_equal(out.buf, "[18446744073709551615,-9223372036854775808,-1,1.002000,7,"
				     "0.000000001,12.35,0.1,1e+300,null,null,true,false,null,"
				     "null]");
	strbuf_release(&out);
}

static void nesting(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &out);
	json_object(&j, NULL, JSON_LINES);
	json_u64(&j, "version", 1);
	json_object(&j, "none", JSON_LINES);
	json_end(&j);
	json_array(&j, "rows", JSON_LINES);
	for (u64 i = 0; i < 2; i++) {
		json_object(&j, NULL, JSON_SPACED);
		json_u64(&j, "a", i);
		json_array(&j, "b\n", JSON_WIDE);
		json_end(&j);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	assert_string_equal(out.buf, "{\n\t\"version\": 1,\n\t\"none\": {},\n\t\"rows\": [\n"
				     "\t\t{\"a\": 0, \"b\\n\": []},\n\t\t{\"a\": 1, \"b\\n\": []}\n"
				     "\t]\n}");
	strbuf_release(&out);
}

/* Values one after the other, as in a file of lines. */
static void several(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &out);
	for (u64 i = 0; i < 2; i++) {
		json_object(&j, NULL, JSON_WIDE);
		json_u64(&j, "a", i);
		json_u64(&j, "b", i);
		json_end(&j);
		strbuf_addch(&out, '\n');
	}
	assert_string_equal(out.buf, "{\"a\" : 0, \"b\" : 0}\n{\"a\" : 1, \"b\" : 1}\n");
	strbuf_release(&out);
}

/* The buffer is emptied meanwhile, and members come from elsewhere. */
static void parts(void **state)
{
	struct strbuf out = STRBUF_INIT, all = STRBUF_INIT, piece = STRBUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &out);
	json_array(&j, NULL, JSON_LINES);
	strbuf_add(&all, out.buf, out.len);
	strbuf_reset(&out);
	for (u64 i = 0; i < 2; i++) {
		struct json part = json_part(&j, &piece, !i);

		json_u64(&part, NULL, i);
	}
	strbuf_add(&all, piece.buf, piece.len);
	json_parts(&j, true);
	json_end(&j);
	strbuf_add(&all, out.buf, out.len);
	assert_string_equal(all.buf, "[\n\t0,\n\t1\n]");
	strbuf_release(&out);
	strbuf_release(&all);
	strbuf_release(&piece);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),   cmocka_unit_test(numbers), cmocka_unit_test(nesting),
		cmocka_unit_test(several), cmocka_unit_test(parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
