/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "event/fallback.h"
#include "sys/perf_open.h"

static struct event_list list;
static struct event_fallback fb;
static struct strbuf text = STRBUF_INIT;

static int setup(void **state)
{
	(void)state;
	event_list_init(&list);
	fb = (struct event_fallback){
		.limits_known = true,
		.limits = { .paranoid = 2, .max_sample_rate = 100000, .max_stack = 127 },
		.probed = true
	};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	event_list_release(&list);
	strbuf_release(&text);
	return 0;
}

static struct event *parse(const char *s)
{
	struct event_error ee;

	assert_int_equal(event_parse(&list, s, NULL, &ee), 0);
	return list.events.v[list.events.nr - 1];
}

static void user_only(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{ "cpu-clock", "cpu-clock:u" },
		{ "cpu-clock:p", "cpu-clock:pu" },
		{ "cpu-clock/period=3/", "cpu-clock/period=3/u" },
		{ "cpu-clock/name=foo/", "foo:u" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event *ev = parse(cases[i].text);

		assert_int_equal(event_fallback_next(&fb, ev, EACCES, &text), EVENT_FALLBACK_QUIET);
		assert_string_equal(ev->name, cases[i].name);
		assert_true(ev->attr.exclude_kernel && ev->attr.exclude_hv);
		assert_non_null(strstr(text.buf, "perf_event_paranoid=2"));
		/* Not a second time. */
		assert_int_equal(event_fallback_next(&fb, ev, EACCES, &text), EVENT_FALLBACK_NONE);
	}
	/* Asked for kernel code only: no sense in measuring user code. */
	assert_int_equal(event_fallback_next(&fb, parse("cpu-clock:k"), EACCES, &text),
			 EVENT_FALLBACK_NONE);
	fb.limits.paranoid = 1;
	assert_int_equal(event_fallback_next(&fb, parse("cpu-clock"), EACCES, &text),
			 EVENT_FALLBACK_NONE);
}

/* Precise levels are about samples: counting begins with what p asks for, and P lowers that. */
static void counts_are_not_precise(void **state)
{
	struct event *ev = parse("cycles:P");

	(void)state;
	fb.counting = true;
	event_fallback_prepare(&fb, ev);
	assert_int_equal(ev->attr.precise_ip, 0);
	ev = parse("cycles:pP");
	event_fallback_prepare(&fb, ev);
	assert_int_equal(ev->attr.precise_ip, 1);
	assert_int_equal(event_fallback_next(&fb, ev, EOPNOTSUPP, &text), EVENT_FALLBACK_QUIET);
	assert_int_equal(ev->attr.precise_ip, 0);
	assert_int_equal(event_fallback_next(&fb, ev, EOPNOTSUPP, &text), EVENT_FALLBACK_NONE);
}

static void clock_for_cycles(void **state)
{
	struct event *ev = parse("cycles:P");

	(void)state;
	event_fallback_prepare(&fb, ev);
	assert_int_equal(ev->attr.precise_ip, 3);
	assert_int_equal(event_fallback_next(&fb, ev, ENOENT, &text), EVENT_FALLBACK_QUIET);
	assert_string_equal(text.buf, "decreasing precise_ip by one (2)");
	assert_int_equal(event_fallback_next(&fb, ev, ENOENT, &text), EVENT_FALLBACK_QUIET);
	assert_int_equal(event_fallback_next(&fb, ev, ENOENT, &text), EVENT_FALLBACK_QUIET);
	assert_int_equal(ev->attr.precise_ip, 0);
	ev->attr.exclude_guest = 1;
	assert_int_equal(event_fallback_next(&fb, ev, ENOENT, &text), EVENT_FALLBACK_CHANGED);
	assert_string_equal(ev->name, "task-clock");
	assert_int_equal(ev->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(ev->attr.config, PERF_COUNT_SW_TASK_CLOCK);
	assert_string_equal(text.buf, "The cycles:P event is not supported, trying to fall back to "
				      "task-clock");
	fb.cpu_wide = true;
	ev = parse("cycles:u");
	assert_int_equal(event_fallback_next(&fb, ev, ENOENT, &text), EVENT_FALLBACK_CHANGED);
	assert_string_equal(ev->name, "cpu-clock:uH");
	assert_int_equal(event_fallback_next(&fb, parse("instructions"), ENOENT, &text),
			 EVENT_FALLBACK_NONE);
}

static void unknown_bits(void **state)
{
	struct event *ev = parse("cpu-clock");
	size_t given_up = 0;

	(void)state;
	/* A kernel that knows none of the optional bits. */
	fb.missing = ~0ULL;
	ev->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	ev->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT_STRUCT |
			       PERF_SAMPLE_CODE_PAGE_SIZE;
	ev->attr.ksymbol = ev->attr.bpf_event = ev->attr.build_id = 1;
	ev->attr.use_clockid = 1;
	ev->attr.clockid = 1;
	assert_int_equal(event_fallback_next(&fb, ev, EINVAL, &text), EVENT_FALLBACK_QUIET);
	assert_string_equal(text.buf, "switching off PERF_FORMAT_LOST support, weight struct "
				      "support, build_id, code page size, bpf_event, ksymbol, "
				      "use_clockid");
	assert_int_equal(ev->attr.read_format, PERF_FORMAT_ID);
	assert_int_equal(ev->attr.sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT);
	assert_false(ev->attr.ksymbol || ev->attr.bpf_event || ev->attr.build_id);
	assert_int_equal(ev->attr.clockid, 0);
	/* Then the guest bits of this PMU; then nothing is left. */
	while (event_fallback_next(&fb, ev, EINVAL, &text) == EVENT_FALLBACK_QUIET)
		given_up++;
	assert_int_equal(given_up, 1);
	assert_false(ev->attr.exclude_guest);
	/* The next event of that PMU is spared the attempt. */
	ev = parse("cpu-clock");
	ev->attr.build_id = 1;
	event_fallback_prepare(&fb, ev);
	assert_false(ev->attr.build_id || ev->attr.exclude_guest);
}

/* The real kernel: probing must find that old features are there. */
static void real_probe(void **state)
{
	struct event *ev = parse("cpu-clock");
	struct perf_event_attr attr = ev->attr;
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	(void)state;
	if (fd < 0)
		skip();
	close(fd);
	event_fallback_init(&fb, false);
	ev->attr.mmap2 = 1;
	ev->attr.exclude_guest = 0;
	assert_int_equal(event_fallback_next(&fb, ev, EINVAL, &text), EVENT_FALLBACK_NONE);
	assert_true(fb.probed);
	assert_true(ev->attr.mmap2);
}

static const char *refusal(struct event *ev, int err)
{
	strbuf_reset(&text);
	event_open_strerror(&fb, ev, err, &text);
	return text.buf;
}

/* With the kernel: no limit is that high. */
static void lower_frequency(void **state)
{
	struct event *ev = parse("cpu-clock:u");
	u64 asked = 1ULL << 40;

	(void)state;
	ev->attr.freq = 1;
	ev->attr.sample_freq = 1;
	ev->attr.exclude_kernel = ev->attr.exclude_hv = 1;
	ev->attr.exclude_guest = ev->attr.exclude_host = 0;
	int fd = sys_perf_event_open(&ev->attr, 0, -1, -1, 0);
	if (fd < 0)
		skip();
	close(fd);
	/* what the kernel takes is not lowered */
	assert_int_equal(event_fallback_next(&fb, ev, EINVAL, &text), EVENT_FALLBACK_NONE);
	ev->attr.sample_freq = asked;
	ev->keeps_rate = true;
	assert_int_equal(event_fallback_next(&fb, ev, EINVAL, &text), EVENT_FALLBACK_NONE);
	assert_true(ev->attr.sample_freq == asked);
	ev->keeps_rate = false;
	assert_int_equal(event_fallback_next(&fb, ev, EINVAL, &text), EVENT_FALLBACK_CHANGED);
	assert_true(ev->attr.sample_freq >= 1 && ev->attr.sample_freq < asked);
	fd = sys_perf_event_open(&ev->attr, 0, -1, -1, 0);
	assert_true(fd >= 0);
	close(fd);
}

static void refusals(void **state)
{
	struct event *ev = parse("cpu-clock");

	(void)state;
	assert_string_equal(refusal(ev, ENOENT), "The cpu-clock event is not supported.\n");
	assert_non_null(strstr(refusal(ev, EACCES), "perf_event_paranoid setting is 2:\n"));
	assert_null(strstr(refusal(ev, EACCES), "No permission to enable"));
	assert_non_null(strstr(refusal(ev, EPERM), "No permission to enable cpu-clock event."));
	assert_non_null(strstr(refusal(ev, EMFILE), "'ulimit -n <limit>'"));
	assert_string_equal(refusal(ev, EINVAL), "Invalid event (cpu-clock) in per-thread mode, "
						 "enable system wide with '-a'.\n");
	fb.cpu_wide = true;
	assert_non_null(strstr(refusal(ev, EINVAL), "returned with 22 (Invalid argument) for event "
						    "(cpu-clock)."));
	ev->attr.freq = 1;
	ev->attr.sample_freq = 200000;
	assert_non_null(strstr(refusal(ev, EINVAL), "200000 Hz is above the maximum of 100000 Hz"));
	assert_string_equal(refusal(ev, EOPNOTSUPP),
			    "cpu-clock: PMU Hardware doesn't support sampling/overflow-interrupts. "
			    "Try 'perf stat'\n");
	ev->attr.precise_ip = 1;
	assert_non_null(strstr(refusal(ev, EOPNOTSUPP), "Try removing 'p' modifier."));
	ev->attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	assert_non_null(strstr(refusal(ev, EOPNOTSUPP), "branch stack sampling"));
	ev->attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	assert_non_null(strstr(refusal(ev, ENOMEM), "perf_event_max_stack"));
	ev->attr.sample_max_stack = 200;
	assert_non_null(strstr(refusal(ev, EOVERFLOW), "200 is above"));
	assert_non_null(strstr(refusal(ev, ENODEV), "out-of-range"));
	assert_non_null(strstr(refusal(ev, EBUSY), "returned with 16"));
	ev = parse("cycles");
	ev->attr.use_clockid = 1;
	ev->attr.clockid = 11;
	assert_non_null(strstr(refusal(ev, EINVAL), "wrong clockid (11).\ncycles: hardware takes"));
	ev->attr.clockid = 1;
	assert_null(strstr(refusal(ev, EINVAL), "clockid"));
	assert_non_null(strstr(refusal(parse("mem:0x1000:w"), ENOSPC), "breakpoint registers"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(user_only, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_are_not_precise, setup, teardown),
		cmocka_unit_test_setup_teardown(clock_for_cycles, setup, teardown),
		cmocka_unit_test_setup_teardown(unknown_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(real_probe, setup, teardown),
		cmocka_unit_test_setup_teardown(lower_frequency, setup, teardown),
		cmocka_unit_test_setup_teardown(refusals, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
