/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters: software and hardware events, groups, breakpoints, what the PMUs describe. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/test/test.h"
#include "event/event.h"

enum { SPIN_MS = 20, TOUCHED_PAGES = 64 };

static struct perf_event_attr user_attr(u32 type, u64 config)
{
	return (struct perf_event_attr){
		.type = type, .config = config, .exclude_kernel = 1, .exclude_hv = 1
	};
}

static enum test_result task_clock(struct test *t)
{
	struct perf_event_attr attr = user_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r);
	u64 ns;

	if (fd < 0)
		return r;
	test_spin(SPIN_MS);
	ns = test_count(fd);
	close(fd);
	test_note(t, "%llu ns of %d ms", (unsigned long long)ns, SPIN_MS);
	return ns >= SPIN_MS * 900000ULL ? TEST_OK : test_fail(t, "counts too little");
}

static enum test_result page_faults(struct test *t)
{
	struct perf_event_attr attr = user_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = TOUCHED_PAGES * page;
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r);
	volatile char *area;
	u64 faults;

	if (fd < 0)
		return r;
	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED) {
		close(fd);
		return test_fail(t, "mmap: %s", strerror(errno));
	}
	madvise((void *)area, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page)
		area[i] = 1;
	faults = test_count(fd);
	munmap((void *)area, size);
	close(fd);
	test_note(t, "%llu faults for %d pages", (unsigned long long)faults, TOUCHED_PAGES);
	return faults >= TOUCHED_PAGES ? TEST_OK : test_fail(t, "counts too little");
}

static enum test_result context_switches(struct test *t)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CONTEXT_SWITCHES };
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r);
	u64 n;

	if (fd < 0)
		return r;
	for (int i = 0; i < 3; i++)
		usleep(1000);
	n = test_count(fd);
	close(fd);
	return n >= 3 ? TEST_OK : test_fail(t, "%llu for 3 sleeps", (unsigned long long)n);
}

static const struct self_test software_subs[] = { { "task-clock", task_clock, NULL },
						  { "page-faults", page_faults, NULL },
						  { "context-switches", context_switches, NULL },
						  { NULL, NULL, NULL } };

/* Any hardware event counts something while we run. */
static enum test_result hardware(struct test *t)
{
	struct perf_event_attr attr = *(const struct perf_event_attr *)t->with;
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r);
	u64 n;

	if (fd < 0)
		return r;
	test_spin(SPIN_MS);
	n = test_count(fd);
	close(fd);
	test_note(t, "%llu", (unsigned long long)n);
	return n ? TEST_OK : test_fail(t, "stays 0");
}

#define HARDWARE(kind, number)                                                                     \
	.with = &(const struct perf_event_attr)                                                    \
	{                                                                                          \
		.type = PERF_TYPE_##kind, .config = PERF_COUNT_HW_##number, .exclude_kernel = 1,   \
		.exclude_hv = 1                                                                    \
	}
static const struct self_test hardware_subs[] = {
	{ "cycles", hardware, HARDWARE(HARDWARE, CPU_CYCLES) },
	{ "instructions", hardware, HARDWARE(HARDWARE, INSTRUCTIONS) },
	{ "branches", hardware, HARDWARE(HARDWARE, BRANCH_INSTRUCTIONS) },
	{ "L1-dcache-loads", hardware, HARDWARE(HW_CACHE, CACHE_L1D) },
	{ NULL },
};

/* Two clocks of one group are read at once and have run nearly all the time. */
static enum test_result group(struct test *t)
{
	struct perf_event_attr attr = user_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	enum test_result r = TEST_OK;
	struct {
		u64 nr, enabled, running, value[2];
	} got = { 0 };
	int leader, member;

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	/* Started when it is whole: a member that joins a running group may wait for its turn. */
	attr.disabled = 1;
	leader = test_open(t, &attr, 0, -1, -1, &r);
	if (leader < 0)
		return r;
	attr.disabled = 0;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	member = test_open(t, &attr, 0, -1, leader, &r);
	if (member >= 0) {
		ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
		test_spin(SPIN_MS);
		if (read(leader, &got, sizeof(got)) != (ssize_t)sizeof(got) || got.nr != 2)
			r = test_fail(t, "the group cannot be read");
		else if (!got.value[0] || !got.value[1] || got.running < got.enabled / 10 * 9)
			r = test_fail(
				t, "%llu and %llu ns counted, %llu of %llu ns on",
				(unsigned long long)got.value[0], (unsigned long long)got.value[1],
				(unsigned long long)got.running, (unsigned long long)got.enabled);
		close(member);
	}
	close(leader);
	return r;
}

static enum test_result inherit(struct test *t)
{
	struct perf_event_attr attr = user_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	enum test_result r = TEST_OK;
	u64 before, after;
	pid_t pid;
	int fd;

	attr.inherit = 1;
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd < 0)
		return r;
	before = test_count(fd);
	pid = fork();
	if (!pid) {
		test_spin(SPIN_MS);
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	after = test_count(fd);
	close(fd);
	return after - before >= SPIN_MS * 900000ULL
		       ? TEST_OK
		       : test_fail(t, "a child of %d ms counts %llu ns", SPIN_MS,
				   (unsigned long long)(after - before));
}

/* ---- breakpoints ---- */

static volatile u64 watched;

static enum test_result breakpoint(struct test *t)
{
	u32 kind = *(const u32 *)t->with;
	struct perf_event_attr attr = user_attr(PERF_TYPE_BREAKPOINT, 0);
	enum test_result r = TEST_OK;
	u64 want = kind == HW_BREAKPOINT_R ? 3 : kind == HW_BREAKPOINT_W ? 2 : 5, n;
	int fd;

	attr.bp_type = kind;
	attr.bp_addr = (u64)(uintptr_t)&watched;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	attr.sample_period = 1; /* counts by itself */
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd < 0 && kind == HW_BREAKPOINT_R)
		return test_skip(t, "the processor watches reads only together with writes");
	if (fd < 0)
		return r;
	for (int i = 0; i < 3; i++)
		(void)watched;
	for (u64 i = 0; i < 2; i++)
		watched = i;
	n = test_count(fd);
	close(fd);
	return n == want ? TEST_OK
			 : test_fail(t, "%llu hits instead of %llu", (unsigned long long)n,
				     (unsigned long long)want);
}

static KEPT void executed(void)
{
	__asm__ volatile("");
}

static enum test_result watch_exec(struct test *t)
{
	struct perf_event_attr attr = user_attr(PERF_TYPE_BREAKPOINT, 0);
	enum test_result r = TEST_OK;
	u64 n;
	int fd;

	attr.bp_type = HW_BREAKPOINT_X;
	attr.bp_addr = (u64)(uintptr_t)executed;
	attr.bp_len = sizeof(long);
	attr.sample_period = 1;
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd < 0)
		return r;
	for (int i = 0; i < 4; i++)
		executed();
	n = test_count(fd);
	close(fd);
	return n == 4 ? TEST_OK : test_fail(t, "%llu hits instead of 4", (unsigned long long)n);
}

#define WATCH(kind)                                                                                \
	.with = &(const u32)                                                                       \
	{                                                                                          \
		HW_BREAKPOINT_##kind                                                               \
	}
static const struct self_test breakpoint_subs[] = {
	{ "Read Only Watchpoint", breakpoint, WATCH(R) },
	{ "Write Only Watchpoint", breakpoint, WATCH(W) },
	{ "Read / Write Watchpoint", breakpoint, WATCH(RW) },
	{ "Execution", watch_exec },
	{ NULL },
};

/* ---- the grammar ---- */

static enum test_result parse(struct test *t, const char *text)
{
	struct event_env env = { 0 };
	struct event_error error = { 0 };
	struct event_list l;
	enum test_result r = TEST_OK;

	event_list_init(&l);
	if (event_parse(&l, text, &env, &error))
		r = test_fail(t, "'%s': %s", text, error.text);
	event_list_release(&l);
	return r;
}

static enum test_result grammar(struct test *t)
{
	static const char *const texts[] = {
		"cycles",
		"cycles:u",
		"instructions:ppp",
		"{cycles,instructions}:S",
		"r1a8:k",
		"L1-dcache-load-misses",
		"cpu-clock/period=1000/",
		"mem:0x1000/8:rw",
		"dummy:u",
		"{task-clock,faults}:W",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		test_note(t, "%s", texts[i]);
		if (parse(t, texts[i]) != TEST_OK)
			return TEST_FAIL;
	}
	return TEST_OK;
}

static enum test_result wrong_events(struct test *t)
{
	static const char *const texts[] = { "cyclesx",          "cycles:z", "{cycles",
					     "nosuch/config=1/", "mem:zz",   "" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (parse(t, texts[i]) == TEST_OK)
			return test_fail(t, "'%s' was accepted", texts[i]);
	}
	t->reason[0] = '\0';
	return TEST_OK;
}

static const struct self_test grammar_subs[] = { { "Events", grammar, NULL },
						 { "Wrong events are refused", wrong_events, NULL },
						 { NULL, NULL, NULL } };

const struct self_test checks_counting[] = { { "Software events", NULL, software_subs },
					     { "Hardware events", NULL, hardware_subs },
					     { "Groups are read at once", group, NULL },
					     { "Children are counted", inherit, NULL },
					     { "Watchpoint", NULL, breakpoint_subs },
					     { "Parse event definition strings", NULL,
					       grammar_subs },
					     { NULL, NULL, NULL } };
