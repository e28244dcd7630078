/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes as perf 6.1 opens them for the same command line (seen with record -vv). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "capture/attr.h"
#include "perfdata/attr_text.h"

#define SIDE "mmap2: 1, comm_exec: 1, ksymbol: 1, bpf_event: 1"
#define TASK_HEAD "disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, "
#define IDS "sample_id_all: 1, "

static struct event_list list;
static struct capture_config cfg;
static struct capture_target target;

static int setup(void **state)
{
	(void)state;
	event_list_init(&list);
	cfg = (struct capture_config){ .freq = CAPTURE_DEFAULT_FREQ };
	target = (struct capture_target){ .workload = true };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	event_list_release(&list);
	return 0;
}

static void add(const char *text)
{
	struct event_error ee;

	assert_int_equal(event_parse(&list, text, &(struct event_env){ 0 }, &ee), 0);
}

static void add_tracepoint(void)
{
	struct event *ev = event_list_add(&list, "sched:sched_switch", PERF_TYPE_TRACEPOINT, 0x174);

	ev->kind = EVENT_TRACEPOINT;
	ev->attr.exclude_guest = 1;
}

static void expect(size_t index, const char *want)
{
	struct strbuf sb = STRBUF_INIT;
	struct perf_event_attr attr = list.events.v[index]->attr;

	attr.size = 0;
	attr_text_line(&sb, &attr, ": ");
	assert_string_equal(strstr(sb.buf, "{ sample_period") ? strstr(sb.buf, "{ sample_period")
							      : strstr(sb.buf, "sample_type"),
			    want);
	strbuf_release(&sb);
}

static void one_event(void **state)
{
	(void)state;
	add("cpu-clock");
	assert_ptr_equal(capture_configure(&list, &cfg, &target), list.events.v[0]);
	expect(0, "{ sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD, "
		  "read_format: ID|LOST, " TASK_HEAD IDS "exclude_guest: 1, " SIDE);
}

static void system_wide_has_dummy(void **state)
{
	struct event *tracking;

	(void)state;
	target = (struct capture_target){ .cpu_wide = true };
	cfg.freq = 99;
	cfg.rate_given = true;
	cfg.callgraph.mode = EVENT_CG_FP;
	add("cpu-clock");
	tracking = capture_configure(&list, &cfg, &target);
	assert_int_equal(list.events.nr, 2);
	assert_ptr_equal(tracking, list.events.v[1]);
	assert_true(tracking->is_dummy_sideband);
	expect(0, "{ sample_period, sample_freq }: 99, sample_type: "
		  "IP|TID|TIME|CALLCHAIN|ID|CPU|PERIOD, read_format: ID|LOST, disabled: 1, "
		  "inherit: 1, freq: 1, " IDS "exclude_guest: 1");
	expect(1, "{ sample_period, sample_freq }: 99, sample_type: "
		  "IP|TID|TIME|CALLCHAIN|ID|CPU|PERIOD, read_format: ID|LOST, inherit: 1, mmap: 1, "
		  "comm: 1, freq: 1, task: 1, " IDS SIDE);
}

/* Its own event would not see what happens on the other CPUs. */
static void kind_of_core_has_dummy(void **state)
{
	struct event *tracking;

	(void)state;
	add("cpu-clock/cpu=0/");
	tracking = capture_configure(&list, &cfg, &target);
	assert_int_equal(list.events.nr, 2);
	assert_true(tracking->is_dummy_sideband && !tracking->nr_cpus);
	assert_true(tracking->attr.mmap && tracking->attr.comm && tracking->attr.task);
	assert_false(list.events.v[0]->attr.mmap);
}

static void different_samples_need_identifier(void **state)
{
	(void)state;
	target = (struct capture_target){ .cpu_wide = true };
	add("cpu-clock,cs");
	capture_configure(&list, &cfg, &target);
	expect(1,
	       "{ sample_period, sample_freq }: 4000, sample_type: "
	       "IP|TID|TIME|CPU|PERIOD|IDENTIFIER, read_format: ID|LOST, disabled: 1, inherit: 1, "
	       "freq: 1, " IDS "exclude_guest: 1");
	expect(2, "{ sample_period, sample_freq }: 1, sample_type: IP|TID|TIME|CPU|IDENTIFIER, "
		  "read_format: ID|LOST, inherit: 1, mmap: 1, comm: 1, task: 1, " IDS SIDE);
}

static void leader_sampling(void **state)
{
	(void)state;
	add("{cpu-clock,cs}:S");
	capture_configure(&list, &cfg, &target);
	expect(0, "{ sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|READ|ID|PERIOD, "
		  "read_format: ID|GROUP|LOST, disabled: 1, mmap: 1, comm: 1, freq: 1, "
		  "enable_on_exec: 1, task: 1, " IDS "exclude_guest: 1, " SIDE);
	expect(1, "sample_type: IP|TID|TIME|READ|ID|PERIOD, read_format: ID|GROUP|LOST, " IDS
		  "exclude_guest: 1");
}

static void tracepoints_one_by_one(void **state)
{
	(void)state;
	add_tracepoint();
	capture_configure(&list, &cfg, &target);
	expect(0, "{ sample_period, sample_freq }: 1, sample_type: IP|TID|TIME|CPU|PERIOD|RAW, "
		  "read_format: ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, "
		  "enable_on_exec: 1, task: 1, " IDS "exclude_guest: 1, " SIDE);
}

static void expect_copies(bool raw)
{
	const struct event *ev;

	cfg.callgraph =
		(struct event_stacks){ .mode = EVENT_CG_DWARF, .stack_size = 16384, .raw = raw };
	add("cpu-clock");
	capture_configure(&list, &cfg, &target);
	ev = list.events.v[0];
	assert_int_equal(ev->attr.sample_regs_user, capture_all_user_regs());
	assert_int_equal(ev->attr.sample_stack_user, 16384);
	assert_true(ev->attr.mmap_data);
	assert_true(ev->attr.exclude_callchain_user);
	assert_true(ev->attr.sample_type & PERF_SAMPLE_ADDR);
	assert_int_equal(ev->keeps_copies, raw);
}

static void dwarf_unwinds_copies(void **state)
{
	(void)state;
	expect_copies(false);
}

static void dwarf_raw_keeps_copies(void **state)
{
	(void)state;
	expect_copies(true);
}

static void terms_win(void **state)
{
	(void)state;
	cfg.callgraph.mode = EVENT_CG_FP;
	add("cpu-clock/call-graph=no,period=1000000/,cs/max-stack=5,freq=50/");
	capture_configure(&list, &cfg, &target);
	expect(0, "{ sample_period, sample_freq }: 1000000, sample_type: IP|TID|TIME|IDENTIFIER, "
		  "read_format: ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, "
		  "enable_on_exec: 1, task: 1, " IDS "exclude_guest: 1, " SIDE);
	assert_int_equal(list.events.v[1]->attr.sample_max_stack, 5);
	assert_int_equal(list.events.v[1]->attr.sample_freq, 50);
	assert_true(list.events.v[1]->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
}

static void terms_about_stacks(void **state)
{
	const struct perf_event_attr *fp, *raw, *small;

	(void)state;
	cfg.callgraph = (struct event_stacks){ .mode = EVENT_CG_DWARF, .stack_size = 16384 };
	add("cpu-clock/call-graph=fp,defer/,cs/call-graph='dwarf,4096',raw/,faults/stack-size=1001/");
	capture_configure(&list, &cfg, &target);
	fp = &list.events.v[0]->attr;
	raw = &list.events.v[1]->attr;
	small = &list.events.v[2]->attr;
	assert_true(fp->defer_callchain && !fp->sample_stack_user && !fp->exclude_callchain_user);
	assert_int_equal(raw->sample_stack_user, 4096);
	assert_true(list.events.v[1]->keeps_copies && !raw->defer_callchain);
	assert_int_equal(small->sample_stack_user, 1008);
	assert_false(list.events.v[2]->keeps_copies);
}

/* Larger copies may take over where nobody said how large they are; the samples stay as they are.
 */
static void copies_that_grow(void **state)
{
	(void)state;
	cfg.callgraph =
		(struct event_stacks){ .mode = EVENT_CG_DWARF, .stack_size = 8192, .grows = true };
	add("cpu-clock,cs/stack-size=4096/,faults/call-graph='dwarf,4096'/,cs/call-graph=dwarf,raw/");
	capture_configure(&list, &cfg, &target);
	assert_int_equal(list.events.v[0]->watched, EVENT_STACK_COPY_MAX);
	assert_int_equal(list.events.v[0]->attr.sample_stack_user, 8192);
	assert_true(list.events.v[0]->fits_copies);
	for (size_t i = 1; i < 4; i++)
		assert_int_equal(list.events.v[i]->watched, 0);
	assert_false(list.events.v[0]->attr.sample_type & PERF_SAMPLE_IDENTIFIER);
}

static void delay_starts_later(void **state)
{
	(void)state;
	cfg.delay_ms = 10;
	add("cpu-clock");
	capture_configure(&list, &cfg, &target);
	assert_true(list.events.v[0]->attr.disabled);
	assert_false(list.events.v[0]->attr.enable_on_exec);
	assert_true(list.events.v[1]->attr.enable_on_exec);
}

static void streams_carry_ids(void **state)
{
	(void)state;
	cfg.to_pipe = true;
	add("cpu-clock");
	capture_configure(&list, &cfg, &target);
	assert_true(list.events.v[0]->attr.sample_type & PERF_SAMPLE_ID);
}

static void text_poke_has_a_dummy_of_all_tasks(void **state)
{
	(void)state;
	cfg.text_poke = true;
	cfg.callgraph.mode = EVENT_CG_FP;
	add("cpu-clock");
	assert_ptr_equal(capture_configure(&list, &cfg, &target), list.events.v[0]);
	assert_true(list.events.v[1]->system_wide);
	expect(0, "{ sample_period, sample_freq }: 4000, sample_type: "
		  "IP|TID|TIME|CALLCHAIN|PERIOD|IDENTIFIER, read_format: ID|LOST, " TASK_HEAD IDS
		  "exclude_guest: 1, mmap2: 1, comm_exec: 1, bpf_event: 1");
	expect(1, "{ sample_period, sample_freq }: 1, sample_type: IP|TID|TIME|IDENTIFIER, "
		  "read_format: ID|LOST, inherit: 1, exclude_kernel: 1, exclude_hv: 1, " IDS
		  "exclude_guest: 1, ksymbol: 1, text_poke: 1");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(one_event),
		T(system_wide_has_dummy),
		T(kind_of_core_has_dummy),
		T(different_samples_need_identifier),
		T(leader_sampling),
		T(tracepoints_one_by_one),
		T(dwarf_unwinds_copies),
		T(dwarf_raw_keeps_copies),
		T(copies_that_grow),
		T(terms_win),
		T(terms_about_stacks),
		T(delay_starts_later),
		T(streams_carry_ids),
		T(text_poke_has_a_dummy_of_all_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
