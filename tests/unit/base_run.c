/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "base/mem.h"
#include "base/run.h"

static int run(const char *command, const struct run_opts *o, struct strbuf *out)
{
	const char *const argv[] = { "/bin/sh", "-c", command, NULL };

	strbuf_reset(out);
	return run_for_output(argv, o, out);
}

static void output_and_status(void **state)
{
	const struct run_opts usual = { .max = 100 }, errors = { .max = 100, .with_errors = true };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(run("echo a; echo b >&2; exit 7", &usual, &out), 7);
	assert_string_equal(out.buf, "a\n");
	assert_int_equal(run("echo a; echo b >&2", &errors, &out), 0);
	assert_string_equal(out.buf, "a\nb\n");
	assert_int_equal(run("kill -9 $$", &usual, &out), 128 + 9);
}

static void no_more_than_max(void **state)
{
	const struct run_opts all = { .max = 3 }, first = { .max = 3, .ends_at_max = true };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(run("echo 1234; echo 5", &all, &out), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(out.buf, "123");
	/* it would not end by itself */
	assert_int_equal(run("while :; do echo 12345; done", &first, &out), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(out.buf, "123");
}

static void unwanted(void **state)
{
	bool yes = true, no = false;
	struct run_opts o = { .max = 100, .unwanted = &yes };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(run("exec sleep 1000", &o, &out), 128 + 9);
	o.unwanted = &no;
	assert_int_equal(run("sleep 0.1; echo a", &o, &out), 0);
	assert_string_equal(out.buf, "a\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_status),
		cmocka_unit_test(no_more_than_max),
		cmocka_unit_test(unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
