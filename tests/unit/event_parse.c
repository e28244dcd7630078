/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event/event.h"
#include "event/names.h"
#include "sysfs_tree.h"

static struct event_list list;
static struct event_error ee;
static struct event_env env;
static char *root;

static int setup(void **state)
{
	(void)state;
	event_list_init(&list);
	root = tree_unpack(NULL);
	env = (struct event_env){ .sysfs = root, .tracefs = root };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	event_list_release(&list);
	tree_remove(root);
	return 0;
}

static struct event *parse_one(const char *text)
{
	size_t before = list.events.nr;

	if (event_parse(&list, text, &env, &ee))
		fail_msg("'%s': %s", text, ee.text);
	assert_int_equal(list.events.nr, before + 1);
	return list.events.v[before];
}

/* text, type, config: fixed names in all their spellings */
static void symbols(void **state)
{
	static const struct { const char *text; u32 type; u64 config; } cases[] = {
		{ "cycles", 0, 0 }, { "cpu-cycles", 0, 0 }, { "instructions", 0, 1 },
		{ "cache-references", 0, 2 }, { "cache-misses", 0, 3 }, { "branches", 0, 4 },
		{ "branch-instructions", 0, 4 }, { "branch-misses", 0, 5 }, { "bus-cycles", 0, 6 },
		{ "idle-cycles-frontend", 0, 7 }, { "stalled-cycles-frontend", 0, 7 },
		{ "idle-cycles-backend", 0, 8 }, { "stalled-cycles-backend", 0, 8 },
		{ "ref-cycles", 0, 9 }, { "cpu-clock", 1, 0 }, { "task-clock", 1, 1 },
		{ "page-faults", 1, 2 }, { "faults", 1, 2 }, { "context-switches", 1, 3 },
		{ "cs", 1, 3 }, { "cpu-migrations", 1, 4 }, { "migrations", 1, 4 },
		{ "minor-faults", 1, 5 }, { "major-faults", 1, 6 }, { "alignment-faults", 1, 7 },
		{ "emulation-faults", 1, 8 }, { "dummy", 1, 9 }, { "bpf-output", 1, 10 },
		{ "cgroup-switches", 1, 11 }, { "duration_time", 1, 9 },
		{ "tool/num_cpus/", 1, 9 },
		{ "L1-dcache-loads", 3, 0 }, { "L1-dcache-load-misses", 3, 0x10000 },
		{ "L1-dcache-load-miss", 3, 0x10000 }, { "l1d", 3, 0 }, { "L1-d", 3, 0 },
		{ "L1D-loads", 3, 0 }, { "L1-data", 3, 0 }, { "l1d-read", 3, 0 },
		{ "l1d-store", 3, 0x100 }, { "l1d-write", 3, 0x100 }, { "l1d-prefetches", 3, 0x200 },
		{ "l1d-speculative-read", 3, 0x200 }, { "l1d-misses", 3, 0x10000 },
		{ "l1d-load-refs", 3, 0 }, { "L1-icache-load-misses", 3, 0x10001 },
		{ "l1-i", 3, 1 }, { "L1-instruction", 3, 1 }, { "LLC", 3, 2 }, { "LL-loads", 3, 2 },
		{ "L2", 3, 2 }, { "LLC-prefetch-misses", 3, 0x10202 },
		{ "LLC-store-misses", 3, 0x10102 }, { "dTLB-loads", 3, 3 }, { "d-tlb", 3, 3 },
		{ "Data-TLB-store-misses", 3, 0x10103 }, { "iTLB-load-misses", 3, 0x10004 },
		{ "Instruction-TLB", 3, 4 }, { "branch-loads", 3, 5 },
		{ "branch-load-misses", 3, 0x10005 }, { "bpu", 3, 5 }, { "btb", 3, 5 },
		{ "bpc", 3, 5 }, { "node-stores", 3, 0x106 }, { "node-prefetch-misses", 3, 0x10206 },
		{ "r1a8", 4, 0x1a8 }, { "r0", 4, 0 }, { "r003c", 4, 0x3c },
		{ "rABCDEF0123456789", 4, 0xabcdef0123456789 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event *ev = parse_one(cases[i].text);

		assert_string_equal(ev->name, cases[i].text);
		assert_int_equal(ev->attr.type, cases[i].type);
		assert_true(ev->attr.config == cases[i].config);
		assert_int_equal(ev->attr.exclude_guest, 1);
		assert_ptr_equal(ev->leader, ev);
		assert_int_equal(ev->index, i);
	}
}

enum { XU = 1, XK = 2, XH = 4, XI = 8, XHOST = 16, XGUEST = 32 };

static unsigned int excluded(const struct perf_event_attr *a)
{
	return (a->exclude_user ? XU : 0U) | (a->exclude_kernel ? XK : 0U) |
	       (a->exclude_hv ? XH : 0U) | (a->exclude_idle ? XI : 0U) |
	       (a->exclude_host ? XHOST : 0U) | (a->exclude_guest ? XGUEST : 0U);
}

static void modifiers(void **state)
{
	static const struct { const char *text; unsigned int excluded; unsigned int precise; } cases[] = {
		{ "cycles:u", XK | XH | XGUEST, 0 }, { "cycles:k", XU | XH, 0 },
		{ "cycles:h", XU | XK, 0 }, { "cycles:uk", XH | XGUEST, 0 },
		{ "cycles:kh", XU, 0 }, { "cycles:I", XI, 0 }, { "cycles:G", XHOST, 0 },
		{ "cycles:H", XGUEST, 0 }, { "cycles:GH", 0, 0 }, { "cycles:p", XGUEST, 1 },
		{ "cycles:ppp", XGUEST, 3 }, { "cycles:upp", XK | XH | XGUEST, 2 },
		{ "cycles:P", 0, 0 }, { "cycles:uG", XK | XH | XHOST, 0 },
		{ "cycles:kpH", XU | XH | XGUEST, 1 }, { "cycles:", XGUEST, 0 },
		{ "cycles//u", XK | XH | XGUEST, 0 }, { "r1a8:k", XU | XH, 0 },
		{ "cpu-clock/period=1/uk", XH | XGUEST, 0 }, { "mem:0x1000:u", XK | XH | XGUEST, 0 },
		{ "cpu-clock:ukhIGHpppDSe", XI, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event *ev = parse_one(cases[i].text);

		assert_string_equal(ev->name, cases[i].text);
		if (excluded(&ev->attr) != cases[i].excluded)
			fail_msg("%s: %#x", cases[i].text, excluded(&ev->attr));
		assert_int_equal(ev->attr.precise_ip, cases[i].precise);
	}
	assert_true(parse_one("cycles:P")->precise_max);
	assert_true(parse_one("cycles:D")->attr.pinned);
	assert_true(parse_one("cycles:e")->attr.exclusive);
	assert_true(parse_one("cycles:S")->sample_read);
	assert_true(parse_one("cycles:W")->weak_group);
	assert_true(parse_one("cycles:b")->bpf_counter);
	assert_true(parse_one("cycles:u")->attr.exclude_kernel);
	assert_false(parse_one("cycles:p")->attr.exclude_kernel);
}

static void terms(void **state)
{
	struct event *ev = parse_one("cpu-clock/period=1000,max-stack=2,call-graph=dwarf,"
				     "stack-size=4096,time=0,no-inherit,name=foo/k");

	(void)state;
	assert_string_equal(ev->name, "foo");
	assert_true(ev->attr.exclude_user);
	assert_true(ev->terms.has_period && ev->terms.period == 1000);
	assert_true(ev->terms.has_max_stack && ev->terms.max_stack == 2);
	assert_int_equal(ev->terms.stacks.mode, EVENT_CG_DWARF);
	assert_true(ev->terms.has_stack_size && ev->terms.stack_size == 4096);
	assert_true(ev->terms.has_time && !ev->terms.time);
	assert_true(ev->terms.has_inherit && !ev->terms.inherit);

	ev = parse_one("cpu-clock/call-graph=fp,defer/");
	assert_true(ev->terms.stacks.mode == EVENT_CG_FP && ev->terms.stacks.defer);
	ev = parse_one("cpu-clock/call-graph='fp,10,defer'/");
	assert_true(ev->terms.stacks.max_stack == 10 && ev->terms.stacks.defer);
	ev = parse_one("cpu-clock/call-graph='auto,4001'/");
	assert_true(ev->terms.stacks.mode == EVENT_CG_AUTO && ev->terms.stacks.stack_size == 4008);
	ev = parse_one("cpu-clock/call-graph='dwarf,1024',raw/");
	assert_true(ev->terms.stacks.mode == EVENT_CG_DWARF && ev->terms.stacks.raw);
	assert_int_equal(ev->terms.stacks.stack_size, 1024);

	ev = parse_one("bpf-output/no-inherit,name=evt/");
	assert_string_equal(ev->name, "evt");
	assert_int_equal(ev->attr.config, PERF_COUNT_SW_BPF_OUTPUT);
	ev = parse_one("cycles/freq=0x63,config1=5,config2=6,config3=7/");
	assert_true(ev->terms.has_freq && ev->terms.freq == 99);
	assert_true(ev->attr.config1 == 5 && ev->attr.config2 == 6 && ev->attr.config3 == 7);
	ev = parse_one("cpu-clock/ overwrite , nr = 7 , percore, aux-output/");
	assert_true(ev->terms.has_overwrite && ev->terms.overwrite);
	assert_true(ev->terms.nr == 7);
	assert_true(ev->terms.percore && ev->attr.aux_output);
	ev = parse_one("cpu-clock/no-overwrite,inherit,call-graph=no,aux-action=pause/");
	assert_true(ev->terms.has_overwrite && !ev->terms.overwrite);
	assert_true(ev->terms.inherit);
	assert_int_equal(ev->terms.stacks.mode, EVENT_CG_NONE);
	assert_int_equal(ev->attr.aux_action, 2);
	ev = parse_one("cpu-clock/name='a, b/c'/u");
	assert_string_equal(ev->name, "a, b/c");
	assert_true(ev->attr.exclude_kernel);
	ev = parse_one("cpu-clock/cpu=2-4/");
	assert_int_equal(ev->nr_cpus, 3);
	assert_int_equal(ev->cpus[2], 4);
	ev = parse_one("cpu-clock/branch_type=any_call/");
	assert_true(ev->terms.has_branch_type);
	assert_true(ev->terms.branch_type == PERF_SAMPLE_BRANCH_ANY_CALL);
}

static void branch_filters(void **state)
{
	struct err e = ERR_INIT;
	u64 mask;

	(void)state;
	assert_true(event_branch_filter_parse("any,u", &mask, NULL));
	assert_true(mask == (PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER));
	assert_true(event_branch_filter_parse("k", &mask, NULL));
	assert_true(mask == (PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL));
	assert_false(event_branch_filter_parse("any,ind_cal", &mask, &e));
	assert_non_null(strstr(e.hint, "did you mean 'ind_call'? known are u, k, "));
	assert_false(event_branch_filter_parse("", &mask, NULL));
}

static void breakpoints(void **state)
{
	static const struct { const char *text, *name; u64 addr; u32 type; u64 len; } cases[] = {
		{ "mem:0x1000", "mem:0x1000", 0x1000, 3, 4 },
		{ "mem:0x1000:r", "mem:0x1000:r", 0x1000, 1, 4 },
		{ "mem:0x1000:w:k", "mem:0x1000:w:k", 0x1000, 2, 4 },
		{ "mem:0x1000:x", "mem:0x1000:x", 0x1000, 4, 8 },
		{ "mem:4096:rwx", "mem:4096:rwx", 4096, 7, 4 },
		{ "mem:0x1000/1", "mem:0x1000", 0x1000, 3, 1 },
		{ "mem:0x1000/8:w:u", "mem:0x1000", 0x1000, 2, 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event *ev = parse_one(cases[i].text);

		assert_int_equal(ev->kind, EVENT_BREAKPOINT);
		assert_string_equal(ev->name, cases[i].name);
		assert_true(ev->attr.bp_addr == cases[i].addr);
		assert_int_equal(ev->attr.bp_type, cases[i].type);
		assert_true(ev->attr.bp_len == cases[i].len);
	}
}

static void groups(void **state)
{
	struct event **v;

	(void)state;
	assert_int_equal(event_parse(&list, "cs,grp{cycles:u,instructions:k}:ppD,{faults}, cpu-clock",
				     &env, &ee), 0);
	assert_int_equal(list.events.nr, 5);
	v = list.events.v;
	assert_ptr_equal(v[1]->leader, v[1]);
	assert_ptr_equal(v[2]->leader, v[1]);
	assert_int_equal(v[1]->nr_members, 2);
	assert_string_equal(v[1]->group_name, "grp");
	assert_true(v[1]->attr.pinned && !v[2]->attr.pinned);
	assert_int_equal(v[2]->attr.precise_ip, 2);
	assert_string_equal(v[2]->name, "instructions:k");
	assert_true(v[2]->attr.exclude_user && v[1]->attr.exclude_kernel);
	assert_int_equal(v[3]->nr_members, 1);
	assert_null(v[3]->group_name);
	assert_string_equal(v[4]->name, " cpu-clock");
	/* Levels of the group are added to those of the member. */
	assert_int_equal(event_parse(&list, "{cs:k,cs}:u", &env, &ee), 0);
	v = list.events.v;
	assert_int_equal(excluded(&v[5]->attr), XH | XGUEST);
	assert_int_equal(excluded(&v[6]->attr), XK | XH | XGUEST);
	assert_int_equal(event_parse(&list, "{cs,faults}:S", &env, &ee), 0);
	v = list.events.v;
	assert_true(v[7]->sample_read && v[8]->sample_read);
}

static void tracepoints(void **state)
{
	struct event *ev;

	(void)state;
	tree_write(root, "events/sched/sched_switch/id", "314");
	tree_write(root, "events/sched/sched_swap/id", "315");
	tree_write(root, "events/sched/enable", "0");
	tree_write(root, "events/skb/kfree_skb/id", "11");
	tree_write(root, "events/ftrace/function/format", "none");
	ev = parse_one("sched:sched_switch");
	assert_int_equal(ev->attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(ev->attr.config, 314);
	assert_string_equal(ev->tp_system, "sched");
	assert_string_equal(ev->tp_name, "sched_switch");
	ev = parse_one("sched:sched_switch:u");
	assert_string_equal(ev->name, "sched:sched_switch");
	assert_true(ev->attr.exclude_kernel);
	ev = parse_one("sched:sched_switch/max-stack=3,call-graph=fp/");
	assert_int_equal(ev->terms.max_stack, 3);
	ev = parse_one("*:*_switch");
	assert_string_equal(ev->name, "sched:sched_switch");
	ev = parse_one("s?b:kfree*");
	assert_string_equal(ev->name, "skb:kfree_skb");

	size_t before = list.events.nr;

	assert_int_equal(event_parse(&list, "s*:*", &env, &ee), 0);
	assert_int_equal(list.events.nr, before + 3);
	assert_int_equal(event_parse(&list, "{sched:sched_sw*}", &env, &ee), 0);
	assert_int_equal(list.events.v[before + 3]->nr_members, 2);

	before = list.events.nr;
	assert_int_equal(event_parse(&list, "cycles,sched:nosuch", &env, &ee), -1);
	assert_int_equal(list.events.nr, before);
	assert_int_equal(ee.column, 7);
	assert_string_equal(ee.text, "unknown tracepoint");
	assert_non_null(strstr(ee.help, "/events/sched/nosuch not found.\nHint:\tPerhaps"));
	assert_int_equal(event_parse(&list, "sdt_foo:bar", &env, &ee), -1);
	assert_non_null(strstr(ee.help, "'perf probe sdt_foo:bar'"));
	assert_int_equal(event_parse(&list, "nosuch*:x", &env, &ee), -1);
	assert_int_equal(event_parse(&list, "sched:sched_switch/period=3/", &env, &ee), -1);
	assert_string_equal(ee.text, "unknown term");
	assert_int_equal(event_parse(&list, "ftrace:function", &env, &ee), -1);
}

static void attr_names(void **state)
{
	static const struct { struct perf_event_attr attr; const char *name; } cases[] = {
		{ { .type = 0, .exclude_guest = 1 }, "cycles" },
		{ { .type = 0 }, "cycles:HG" },
		{ { .type = 0, .exclude_host = 1 }, "cycles:G" },
		{ { .type = 1, .exclude_kernel = 1, .exclude_hv = 1, .exclude_guest = 1 },
		  "cpu-clock:uH" },
		{ { .type = 1, .exclude_user = 1, .exclude_hv = 1 }, "cpu-clock:k" },
		{ { .type = 1, .exclude_hv = 1, .exclude_guest = 1 }, "cpu-clock:kuH" },
		{ { .type = 1, .config = 1, .precise_ip = 2, .exclude_guest = 1 }, "task-clock:ppH" },
		{ { .type = 3, .config = 0x10000, .exclude_guest = 1 }, "L1-dcache-load-misses" },
		{ { .type = 3, .config = 0x202, .exclude_guest = 1 }, "LLC-prefetches" },
		{ { .type = 4, .config = 0x1a8, .exclude_guest = 1 }, "raw 0x1a8" },
		{ { .type = 5, .bp_addr = 0x1000, .bp_type = 3, .exclude_guest = 1 },
		  "mem:0x1000:rw" },
		{ { .type = 2, .config = 3 }, "unknown tracepoint" },
		{ { .type = 0, .config = 0xa00000001, .exclude_guest = 1 }, "instructions" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

		event_attr_name(&cases[i].attr, &sb);
		assert_string_equal(sb.buf, cases[i].name);
	}
}

/* Columns are perf's: mostly that of the token before the one that does not fit. */
static const struct {
	const char *text;
	long column; /* of the caret */
	const char *message;
} wrong[] = {
	{ "foo", 0, "parser error" },
	{ "nosuch,cycles", 0, "parser error" },
	{ "cycles,nosuch", 7, "parser error" },
	{ "cycles:z", 6, "parser error" },
	{ "cycles:uz", 6, "parser error" },
	{ "cycles,", 0, "parser error" },
	{ ",cycles", 1, "parser error" },
	{ "", 1, "parser error" },
	{ "cycles instructions", 6, "parser error" },
	{ "tool/nosuch/", 5, "unknown tool event" },
	{ "tool/num_cpus=1/", 5, "unknown tool event" },
	{ "tool//", 0, "unknown tool event" },
	{ "cpu/foo=1/", 0, "Cannot find PMU `cpu'. Missing kernel support?" },
	{ "a/b/c/d", 0, "Cannot find PMU `a'. Missing kernel support?" },
	{ "cycles/foo/", 7, "unknown term" },
	{ "cycles/period=abc/", 14, "expected numeric value" },
	{ "cycles/call-graph=xx/", 18, "callchain: Unknown --call-graph option value: xx" },
	{ "cycles/call-graph='dwarf,70000'/", 18, "callchain: Incorrect stack dump size (max 65528): 70000" },
	{ "cycles/call-graph='auto,raw'/", 18, "callchain: auto unwinds while recording: not with raw" },
	{ "cycles/call-graph=dwarf,defer/", 24, "'defer' stands behind call-graph=fp" },
	{ "cycles/call-graph=fp,raw/", 21, "'raw' stands behind call-graph=dwarf" },
	{ "cycles/defer/", 7, "'defer' stands behind call-graph=fp" },
	{ "cycles/time=2/", 12, "expected 0 or 1" },
	{ "cycles/name/", 0, "expected string value" },
	{ "cycles/freq=0x/", 12, "parser error" },
	{ "cycles/period=-1/", 13, "parser error" },
	{ "{cycles,instructions", 0, "missing '}'" },
	{ "cycles}", 0, "parser error" },
	{ "{cycles}:z", 8, "parser error" },
	{ "{}", 0, "parser error" },
	{ "{cycles,{instructions}}", 8, "parser error" },
	{ "{cycles,}", 7, "parser error" },
	{ "{{cpu-clock}}", 1, "parser error" },
	{ "{cpu-clock:ppp,cs}:p", 19, "Bad modifier" },
	{ "rXYZ", 0, "parser error" },
	{ "r", 0, "parser error" },
	{ "r1z", 0, "parser error" },
	{ "r12345678901234567", 0, "parser error" },
	{ "mem:", 0, "parser error" },
	{ "mem:xyz", 0, "parser error" },
	{ "mem:0x1000:q", 11, "parser error" },
	{ "mem:0x1000/4:rwxr", 13, "parser error" },
	{ "mem:0x1000:rwxrw", 11, "parser error" },
	{ "mem:0xffffffffffffffffff:w", 0, "parser error" },
	{ "L1-dcache-foo", 9, "parser error" },
	{ "L1-dcache-loads-foo", 15, "parser error" },
	{ "LLC-", 0, "parser error" },
	{ "iTLB-stores", 0, "no such operation on this cache" },
	{ "foo.c", 0, "files of BPF programs are no events here" },
	{ "./kca_from.c/map:channel.event=evt/", 0, "files of BPF programs are no events here" },
	{ "cycles:ppppp", 7, "Bad modifier" },
	{ "cycles:uu", 7, "Bad modifier" },
	{ "cycles:R", 7, "modifier R (retirement latency) is not supported yet" },
	{ "cycles:u:k", 7, "parser error" },
	{ "cycles/config=0x1ffffffffffffffff/", 13, "parser error" },
	{ "cpu-clock/period=99999999999999999999/", 16, "parser error" },
	{ "cpu-clock/max-stack=70000/", 20, "value too big, maximum is 65535" },
	{ "cpu-clock/name=a b/", 16, "parser error" },
	{ "cpu-clock/name=/", 14, "parser error" },
	{ "cpu-clock/call-graph/", 0, "expected string value" },
	{ "cpu-clock/percore=7/", 18, "expected 0 or 1" },
	{ "cpu-clock/branch_type=foo/", 22, "invalid branch sample type" },
	{ "cpu-clock/cpu/", 10, "expected a CPU number or range" },
	{ "cpu-clock/aux-action=stop/", 21, "aux-action is start-paused, pause or resume" },
	{ "foo@bar", 3, "parser error" },
	{ "cpu-clock@x", 9, "parser error" },
	{ "foo:u", 3, "parser error" },
	{ "*", 0, "parser error" },
	{ "%", 0, "parser error" },
	{ "cycles--", 0, "parser error" },
	{ "cpu-clock/u", 9, "parser error" },
	{ "cpu-clock/period=1/:u", 18, "parser error" },
	{ "cpu-clock/period=1,/", 18, "parser error" },
	{ "cpu-clock/,period=1/", 9, "parser error" },
	{ "cycles//z", 7, "parser error" },
};

static void errors(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (!event_parse(&list, wrong[i].text, &env, &ee))
			fail_msg("'%s' was taken", wrong[i].text);
		assert_int_equal(list.events.nr, 0);
		assert_string_equal(ee.text, wrong[i].message);
		if (ee.column != wrong[i].column)
			fail_msg("'%s': column %ld", wrong[i].text, ee.column);
	}
}

static const char *message(const char *text, struct strbuf *sb)
{
	strbuf_reset(sb);
	assert_int_equal(event_parse(&list, text, &env, &ee), -1);
	event_error_print(text, &ee, sb);
	return sb->buf;
}

static void error_texts(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	(void)state;
	assert_string_equal(message("cycles:z", &sb),
			    "event syntax error: 'cycles:z'\n"
			    "                           \\___ parser error\n"
			    "Run 'perf list' for a list of valid events\n");
	assert_string_equal(message("", &sb),
			    "event syntax error: ''\n"
			    "                      \\___ parser error\n"
			    "Run 'perf list' for a list of valid events\n");
	assert_string_equal(message("cycles/period=abc/", &sb),
			    "event syntax error: '..les/period=abc/'\n"
			    "                                  \\___ expected numeric value\n"
			    "Run 'perf list' for a list of valid events\n");
	/* Long texts are cut on both sides. */
	assert_string_equal(message("cpu-clock,cpu-clock,foo,cycles,cycles,cycles,cycles,cycles,cycles,"
				    "cycles,cycles,cycles", &sb),
			    "event syntax error: '..,cpu-clock,foo,cycles,cycles,cycles,cycles,cycles,"
			    "cycl..'\n"
			    "                                  \\___ parser error\n"
			    "Run 'perf list' for a list of valid events\n");
	env.counting_command = "perf stat";
	assert_string_equal(message("cpu-clock/max-stack=2/", &sb),
			    "event syntax error: 'cpu-clock/max-stack=2/'\n"
			    "                    \\___ 'max-stack' is not usable in 'perf stat'\n"
			    "Run 'perf list' for a list of valid events\n");
	assert_non_null(strstr(message("cycles/foo/", &sb), "unknown term\n\nvalid terms: config,"));
	assert_null(strstr(sb.buf, "call-graph"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(symbols, setup, teardown),
		cmocka_unit_test_setup_teardown(modifiers, setup, teardown),
		cmocka_unit_test_setup_teardown(terms, setup, teardown),
		cmocka_unit_test_setup_teardown(branch_filters, setup, teardown),
		cmocka_unit_test_setup_teardown(breakpoints, setup, teardown),
		cmocka_unit_test_setup_teardown(groups, setup, teardown),
		cmocka_unit_test_setup_teardown(tracepoints, setup, teardown),
		cmocka_unit_test_setup_teardown(attr_names, setup, teardown),
		cmocka_unit_test_setup_teardown(errors, setup, teardown),
		cmocka_unit_test_setup_teardown(error_texts, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
