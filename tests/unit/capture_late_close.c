/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/late_close.h"

static void finds_events_of_probes(void **state)
{
	static const char text[] = "p:probe/foo do_sys_open dfd=%di\n"
				   "r4:probe/foo__return do_sys_open\n"
				   "p:own/last /bin/x:0x10\n"
				   "s:delay u64 lat;\n"
				   "garbage\n"
				   "\n"
				   "p:own/end";

	(void)state;
	assert_true(late_close_is_dynamic(text, "probe", "foo"));
	assert_true(late_close_is_dynamic(text, "probe", "foo__return"));
	assert_true(late_close_is_dynamic(text, "own", "last"));
	assert_true(late_close_is_dynamic(text, "own", "end"));
	assert_true(late_close_is_dynamic(text, "synthetic", "delay"));
	assert_false(late_close_is_dynamic(text, "probe", "fo"));
	assert_false(late_close_is_dynamic(text, "pro", "foo"));
	assert_false(late_close_is_dynamic(text, "probe", "last"));
	assert_false(late_close_is_dynamic(text, "synthetic", "del"));
	assert_false(late_close_is_dynamic("", "sched", "sched_switch"));
}

/* Few of them, and what is no tracepoint, are closed as ever. */
static void leaves_few_alone(void **state)
{
	struct event_list list;
	struct late_close late;
	int fd = 0;

	(void)state;
	event_list_init(&list);
	event_list_add(&list, "cycles", PERF_TYPE_HARDWARE, 0);
	late_close_begin(&late, &list);
	assert_true(late.none);
	late_close_add(&late, list.events.v[0], &fd, 1);
	assert_int_equal(late.fds.nr, 0);
	late_close_end(&late);
	event_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_events_of_probes),
		cmocka_unit_test(leaves_few_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
