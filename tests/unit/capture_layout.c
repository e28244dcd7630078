/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts of reading threads on a made-up machine: 2 sockets of 2 cores of 2 CPUs; CPU 7 is
 * offline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "capture/layout.h"

static const u32 online[] = { 0, 1, 2, 3, 4, 5, 6 };

static void machine(struct sys_topology *t)
{
	*t = (struct sys_topology){ .nr_present = 8, .nr_online = 7 };
	for (u32 i = 0; i < 8; i++)
		*VEC_PUSH(&t->cpus) = (struct sys_cpu){ .cpu = i,
							.online = i < 7,
							.core = (s32)(i / 2 % 2),
							.socket = (s32)(i / 4),
							.node = (s32)(i / 4) };
}

static int parse(struct layout *l, const char *spec, struct err *e)
{
	struct sys_topology t;
	int r;

	machine(&t);
	r = layout_parse(l, spec, &t, online, ARRAY_SIZE(online), e);
	vec_free(&t.cpus);
	return r;
}

static void test_named(void **state UNUSED)
{
	static const struct {
		const char *spec;
		size_t threads;
		size_t reader_of_5;
	} cases[] = { { NULL, 7, 5 },   { "", 7, 5 },        { "cpu", 7, 5 },
		      { "core", 4, 2 }, { "package", 2, 1 }, { "numa", 2, 1 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err e = ERR_INIT;
		struct layout l;

		assert_int_equal(parse(&l, cases[i].spec, &e), 0);
		assert_int_equal(l.threads.nr, cases[i].threads);
		assert_int_equal(layout_reader_of(&l, 5), cases[i].reader_of_5);
		assert_int_equal(layout_reader_of(&l, -1), 0);
		layout_release(&l);
	}
}

static void test_masks(void **state UNUSED)
{
	struct err e = ERR_INIT;
	struct layout l;

	assert_int_equal(parse(&l, "0,2-3,99/1:4-7/4-6", &e), 0);
	assert_int_equal(l.threads.nr, 2);
	assert_int_equal(l.threads.v[0].reads.nr, 3);
	assert_int_equal(l.threads.v[0].runs_on.v[0], 1);
	assert_int_equal(l.threads.v[1].reads.nr, 3); /* not the offline one */
	assert_int_equal(layout_reader_of(&l, 5), 1);
	assert_int_equal(layout_reader_of(&l, 1), 0); /* nobody's */
	layout_release(&l);
}

static void test_wrong(void **state UNUSED)
{
	static const struct {
		const char *spec, *text;
	} cases[] = {
		{ "abc", "Invalid thread maps or affinity specs" },
		{ "0", "Invalid thread maps or affinity specs" },
		{ "0/", "Invalid thread maps or affinity specs" },
		{ "/0", "Invalid thread maps or affinity specs" },
		{ "0/0:", "Invalid thread maps or affinity specs" },
		{ "x/0", "Failed to initialize maps thread mask" },
		{ "0/x", "Failed to initialize affinity thread mask" },
		{ "99/0", "Empty maps mask: 99" },
		{ "0/7", "Empty affinity mask: 7" },
		{ "0/0:0/1", "Intersecting maps mask: 0" },
		{ "0/0:1/0", "Intersecting affinity mask: 0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err e = ERR_INIT;
		struct layout l;

		assert_int_equal(parse(&l, cases[i].spec, &e), -1);
		assert_string_equal(e.text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
