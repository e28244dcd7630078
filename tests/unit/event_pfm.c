/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vendors' names, of a model that this machine need not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "event/event.h"
#include "event/pfm.h"

static bool can(void)
{
#if defined(__x86_64__)
	return pfm_available() && !access("/sys/bus/event_source", F_OK);
#else
	return false;
#endif
}

static void codes(void **state UNUSED)
{
	static const struct {
		const char *name;
		u64 config;
		bool user_only;
	} cases[] = {
		{ "INST_RETIRED:ANY_P", 0xc0, false },
		{ "inst_retired:any_p", 0xc0, false },
		{ "skx::UOPS_ISSUED:ANY:u", 0x10e, true },
		{ "UOPS_ISSUED:STALL_CYCLES", 0x180010e, false },
		{ "UOPS_ISSUED:ANY:c=2", 0x200010e, false },
	};

	if (!can())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pfm_code code;
		struct err e = ERR_INIT;

		if (pfm_encode(cases[i].name, &code, &e))
			fail_msg("%s", e.text);
		assert_int_equal(code.type, PERF_TYPE_RAW);
		assert_int_equal(code.config, cases[i].config);
		assert_int_equal(code.exclude_kernel, cases[i].user_only);
	}
}

static void lists(void **state UNUSED)
{
	static const char *const wrong[] = { "",
					     "nosuch",
					     "{",
					     "}",
					     "{}",
					     "UOPS_ISSUED:ANY}",
					     "{UOPS_ISSUED:ANY",
					     "{{UOPS_ISSUED:ANY}}",
					     "UOPS_ISSUED:ANY{UOPS_ISSUED:ANY}",
					     "UOPS_ISSUED:ANY,,UOPS_ISSUED:ANY" };
	struct event_list l;

	if (!can())
		skip();
	event_list_init(&l);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct err e = ERR_INIT;

		if (!event_parse_pfm(&l, wrong[i], &e))
			fail_msg("'%s' was accepted", wrong[i]);
		assert_true(e.text[0] && !l.events.nr);
	}
	assert_int_equal(event_parse_pfm(&l,
					 "INST_RETIRED:ANY_P,{UOPS_ISSUED:ANY,INST_RETIRED:ANY_P},"
					 "UOPS_ISSUED:ANY",
					 NULL),
			 0);
	assert_int_equal(l.events.nr, 4);
	assert_ptr_equal(l.events.v[2]->leader, l.events.v[1]);
	assert_int_equal(l.events.v[1]->nr_members, 2);
	assert_ptr_equal(l.events.v[3]->leader, l.events.v[3]);
	event_list_release(&l);
}

/* What belongs to the opening of the event, not to its code. */
static void attributes(void **state UNUSED)
{
	struct event_list l;
	const struct event *ev;

	if (!can())
		skip();
	event_list_init(&l);
	assert_int_equal(event_parse_pfm(&l,
					 "INST_RETIRED:ANY_P:period=77777:u:pinned,"
					 "INST_RETIRED:ANY_P:freq=99:mg:excl:cpu=1:precise=2,"
					 "INST_RETIRED:ANY_P",
					 NULL),
			 0);
	ev = l.events.v[0];
	assert_true(ev->terms.has_period && !ev->terms.has_freq);
	assert_int_equal(ev->terms.period, 77777);
	assert_true(ev->attr.pinned && ev->attr.exclude_guest && ev->attr.exclude_kernel);
	ev = l.events.v[1];
	assert_true(ev->terms.has_freq && !ev->terms.has_period);
	assert_int_equal(ev->terms.freq, 99);
	assert_true(ev->attr.exclusive && ev->attr.exclude_host && !ev->attr.exclude_guest);
	assert_int_equal(ev->attr.precise_ip, 2);
	assert_int_equal(ev->nr_cpus, 1);
	assert_int_equal(ev->cpus[0], 1);
	ev = l.events.v[2];
	assert_true(!ev->terms.has_period && !ev->terms.has_freq && !ev->nr_cpus);
	assert_true(ev->attr.exclude_guest && !ev->attr.exclude_host && !ev->attr.pinned);
	event_list_release(&l);
}

static void words(void **state UNUSED)
{
	struct event_list l;
	struct event_error ee;

	if (!can())
		skip();
	event_list_init(&l);
	assert_int_equal(event_parse(&l, "inst_retired.any_p:u,UOPS_ISSUED.ANY", NULL, &ee), 0);
	assert_int_equal(l.events.nr, 2);
	assert_string_equal(l.events.v[0]->name, "inst_retired.any_p:u");
	assert_int_equal(l.events.v[0]->attr.config, 0xc0);
	assert_int_equal(l.events.v[0]->attr.exclude_kernel, 1);
	assert_int_equal(l.events.v[1]->attr.config, 0x10e);
	assert_int_equal(event_parse(&l, "inst_retired.nosuch", NULL, &ee), -1);
	event_list_release(&l);
}

static void note(void *ctx, const struct pfm_event *ev)
{
	*(bool *)ctx = *(bool *)ctx || (!strcmp(ev->name, "UOPS_ISSUED:ANY") && ev->desc[0]);
}

static void names(void **state UNUSED)
{
	bool found = false;

	if (!can())
		skip();
	pfm_each(note, &found);
	assert_true(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes), cmocka_unit_test(lists), cmocka_unit_test(attributes),
		cmocka_unit_test(words), cmocka_unit_test(names),
	};

	setenv("PERF_CPUID", "GenuineIntel-6-55-4", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
