/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes for events that do not fit on the counters together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/plan.h"

/* A machine with so many counters; raw event 0xff is not there. */
static enum plan_fit fits_some(void *ctx, struct event *const *events, size_t nr)
{
	const size_t *counters = ctx;
	size_t used = 0;

	if (events[0]->attr.type == PERF_TYPE_RAW && events[0]->attr.config == 0xff)
		return PLAN_NEVER;
	for (size_t i = 0; i < nr; i++)
		used += events[i]->kind != EVENT_SOFTWARE;
	return used <= *counters ? PLAN_FITS : PLAN_FULL;
}

static void make(struct event_plan *p, struct event_list *l, const char *text, size_t counters)
{
	static const struct event_env env = { .sysfs = "/nonexistent", .tracefs = "/nonexistent" };
	struct event_error ee = { 0 };

	event_list_init(l);
	assert_int_equal(event_parse(l, text, &env, &ee), 0);
	event_plan_make(p, l, fits_some, &counters);
}

static void check(const char *text, size_t counters, s32 passes, const s32 *expected)
{
	struct event_plan p;
	struct event_list l;

	make(&p, &l, text, counters);
	assert_int_equal(p.nr_passes, passes);
	for (size_t i = 0; i < p.nr_events; i++)
		assert_int_equal(p.pass[i], expected[i]);
	event_plan_release(&p);
	event_list_release(&l);
}

static void test_all_fit(void **state)
{
	(void)state;
	check("cycles,instructions,faults", 2, 1, (s32[]){ 0, 0, PLAN_EVERY_PASS });
	check("cs,duration_time", 0, 1, (s32[]){ PLAN_EVERY_PASS, PLAN_EVERY_PASS });
}

static void test_several_passes(void **state)
{
	(void)state;
	check("cycles,instructions,r1,r2,r3", 2, 3, (s32[]){ 0, 0, 1, 1, 2 });
	/* groups stay together; what fits behind them goes into an earlier pass */
	check("cycles,{r1,r2},r3", 2, 2, (s32[]){ 0, 1, 1, 0 });
	check("rff,cycles", 1, 1, (s32[]){ PLAN_UNSUPPORTED, 0 });
	/* a software event comes along with its group */
	check("{cs,r1},r2", 1, 2, (s32[]){ 0, 0, 1 });
}

static void test_too_large(void **state)
{
	struct event_plan p;
	struct event_list l;

	(void)state;
	make(&p, &l, "cycles,{r1,r2,r3}", 2);
	assert_int_equal(p.nr_passes, 2);
	assert_false(p.too_large[0]);
	assert_true(p.too_large[1] && p.too_large[3]);
	event_plan_release(&p);
	event_list_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fit),
		cmocka_unit_test(test_several_passes),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests_name("capture_plan", tests, NULL, NULL);
}
