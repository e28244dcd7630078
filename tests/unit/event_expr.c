/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "event/expr.h"

static bool value(void *ctx UNUSED, const char *name, double *out)
{
	*out = !strcmp(name, "A")                        ? 6
	       : !strcmp(name, "B.C")                    ? 3
	       : !strcmp(name, "zero")                   ? 0
	       : !strcmp(name, "cpu/event=0x1,umask=2/") ? 42
							 : -1;
	return *out >= 0;
}

static bool sources(void *ctx UNUSED, const char *name, double *out)
{
	*out = 8;
	return !strcmp(name, "imc");
}

static bool has_event(void *ctx UNUSED, const char *name)
{
	return !strcmp(name, "A");
}

static bool literal(void *ctx UNUSED, const char *name, double *out)
{
	*out = 1;
	return !strcmp(name, "smt_on");
}

static bool is_cpu(void *ctx UNUSED, const char *id)
{
	return !strcmp(id, "0x41");
}

static const struct expr_env env = { NULL, value, sources, has_event, literal, is_cpu };

static void values(void **state UNUSED)
{
	static const struct {
		const char *text;
		double expected;
	} cases[] = {
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "7 - 2 - 1", 4 },
		{ "8 / 2 / 2", 2 },
		{ "7 % 4", 3 },
		{ "-A + 10", 4 },
		{ "- -2", 2 },
		{ "1.5e2", 150 },
		{ ".5", 0.5 },
		{ "A / B.C", 2 },
		{ "1 < 2", 1 },
		{ "2 > 3", 0 },
		{ "6 & 3", 2 },
		{ "6 | 1", 7 },
		{ "6 ^ 3", 5 },
		{ "1 | 2 < 1", 1 },
		{ "min(A, B.C)", 3 },
		{ "max(A, 2 * B.C + 1)", 7 },
		{ "d_ratio(A, zero)", 0 },
		{ "d_ratio(A, B.C)", 2 },
		{ "1 if A > 5 else 2", 1 },
		{ "1 if zero else 2 if 0 else 3", 3 },
		{ "A if #smt_on else none", 6 },
		{ "has_event(A) + has_event(nope)", 1 },
		{ "source_count(imc)", 8 },
		{ "strcmp_cpuid_str(0x41)", 1 },
		{ "cpu@event\\=0x1\\,umask\\=2@ * 2", 84 },
		{ "none if has_event(nope) else 5", 5 },
		{ "100 * (A - B.C) / A", 50 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err e = ERR_INIT;
		struct expr *x = expr_parse(cases[i].text, &e);
		double v = -99;

		if (!x)
			fail_msg("%s: %s", cases[i].text, e.text);
		if (!expr_eval(x, &env, &v) || v != cases[i].expected)
			fail_msg("%s is %g", cases[i].text, v);
		expr_free(x);
	}
}

static void unknown(void **state UNUSED)
{
	static const char *const cases[] = {
		"none",     "A / zero",        "A % zero",         "#nope",
		"1 + none", "source_count(A)", "1 / 0 if A else 2"
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct expr *x = expr_parse(cases[i], NULL);
		double v;

		assert_non_null(x);
		assert_false(expr_eval(x, &env, &v));
		expr_free(x);
	}
}

static void wrong(void **state UNUSED)
{
	static const char *const cases[] = { "",         "1 +",    "(1",          "1)",   "min(1)",
					     "min(1, 2", "1 if 2", "1 2",         "#",    "1x",
					     "a b",      "max(,)", "has_event()", "1..2", "a ! b",
					     "\\" };
	struct strbuf deep = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err e = ERR_INIT;
		struct expr *x = expr_parse(cases[i], &e);

		if (x)
			fail_msg("'%s' was accepted", cases[i]);
		assert_non_null(strstr(e.text, "column"));
	}
	strbuf_pad(&deep, '(', 5000);
	assert_null(expr_parse(deep.buf, NULL));
	strbuf_reset(&deep);
	strbuf_pad(&deep, '-', 5000);
	assert_null(expr_parse(deep.buf, NULL));
	strbuf_release(&deep);
}

static bool note(void *ctx, const char *name)
{
	strbuf_addf(ctx, "%s ", name);
	return true;
}

static void names(void **state UNUSED)
{
	struct strbuf found = STRBUF_INIT, deep = STRBUF_INIT;
	struct expr *x = expr_parse("a + min(b, c) if #smt_on else d - (e if f else g)", NULL);

	expr_names(x, &env, note, &found);
	assert_string_equal(found.buf, "a b c ");
	expr_free(x);
	strbuf_reset(&found);
	x = expr_parse("x if y > 1 else z / source_count(w)", NULL);
	expr_names(x, &env, note, &found);
	assert_string_equal(found.buf, "x y z w ");
	expr_free(x);
	/* Conditions in conditions are looked at once each: this would not end otherwise. */
	strbuf_reset(&found);
	for (int i = 0; i < 60; i++)
		strbuf_adds(&deep, "1 if (");
	strbuf_adds(&deep, "n");
	for (int i = 0; i < 60; i++)
		strbuf_adds(&deep, ") else 2");
	x = expr_parse(deep.buf, NULL);
	assert_non_null(x);
	expr_names(x, &env, note, &found);
	assert_string_equal(found.buf, "n ");
	expr_free(x);
	strbuf_release(&deep);
	strbuf_release(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(unknown),
		cmocka_unit_test(wrong),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
