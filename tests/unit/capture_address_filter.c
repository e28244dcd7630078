/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address filters of hardware traces: what the kernel is given for names in this program itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/address_filter.h"

/* Symbols that only this test has. */
int filter_target_first(int x);
int filter_target_second(int x);

__attribute__((noinline, used)) int filter_target_first(int x)
{
	__asm__ volatile("");
	return x + 1;
}

__attribute__((noinline, used)) int filter_target_second(int x)
{
	__asm__ volatile("");
	return x + 2;
}

static char program[PATH_MAX];

/* Where code is in its file. */
static u64 offset_of(int (*function)(int x))
{
	u64 addr = (u64)(uintptr_t)function, start, end, offset, found = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[PATH_MAX + 100];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) ==
			    3 &&
		    addr >= start && addr < end)
			found = addr - start + offset;
	}
	fclose(f);
	assert_true(found);
	return found;
}

static int setup(void **state UNUSED)
{
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	assert_true(n > 0);
	program[n] = '\0';
	return 0;
}

/* The filter that text stands for, the program's name in place of %s. */
static char *resolve(int nr, const char *text)
{
	struct strbuf out = STRBUF_INIT, in = STRBUF_INIT;
	struct err e = ERR_INIT;
	const char *name;

	for (; (name = strstr(text, "%s")); text = name + 2) {
		strbuf_add(&in, text, (size_t)(name - text));
		strbuf_adds(&in, program);
	}
	strbuf_adds(&in, text);
	assert_int_equal(address_filter_resolve(in.buf, &out, &e), nr);
	strbuf_release(&in);
	if (nr < 0) {
		strbuf_release(&out);
		strbuf_adds(&out, e.text);
	}
	return strbuf_detach(&out);
}

static void expect(const char *text, int nr, const char *want)
{
	char *got = resolve(nr, text);

	if (nr < 0)
		assert_non_null(strstr(got, want));
	else
		assert_string_equal(got, want);
	free(got);
}

static void test_numbers(void **state UNUSED)
{
	char want[2 * PATH_MAX];

	expect("filter 0xffff000008080000/0x100", 1, "filter 0xffff000008080000/0x100");
	expect("tracestop 16 / 010", 1, "stop 0x10/0x8");
	expect(" , start 0x10 ,, stop 0x20,", 2, "start 0x10,stop 0x20");
	expect("filter 0x10", 1, "filter 0x10/0x0");
	expect("start 0x10/4", 1, "start 0x10/0x4");
	expect("", 0, "");
	snprintf(want, sizeof(want), "filter 0x10/0x20@%s,start 0x7@%s", program, program);
	expect("filter 0x10 / 0x20 @ %s, start 7@%s", 2, want);
}

static void test_symbols(void **state UNUSED)
{
	u64 at = offset_of(filter_target_first);
	bool ordered = at < offset_of(filter_target_second);
	char want[PATH_MAX + 100], *first, *second;

	snprintf(want, sizeof(want), "start 0x%" PRIx64 "@%s", at, program);
	expect("start filter_target_first @%s", 1, want);
	expect("start filter_target_first #1 @%s", 1, want);
	expect("start filter_target_first #g @%s", 1, want);
	snprintf(want, sizeof(want), "start 0x%" PRIx64 "/0x5@%s", at, program);
	expect("start filter_target_first / 5 @%s", 1, want);
	/* from one to the end of the other is as far as the other's own end */
	first = resolve(1, ordered ? "filter filter_target_first / filter_target_second @%s"
				   : "filter filter_target_second / filter_target_first @%s");
	second = resolve(1, ordered ? "filter filter_target_second @%s"
				    : "filter filter_target_first @%s");
	assert_int_equal(strtoull(first + 7, NULL, 16) + strtoull(strchr(first, '/') + 1, NULL, 16),
			 strtoull(second + 7, NULL, 16) +
				 strtoull(strchr(second, '/') + 1, NULL, 16));
	assert_true(strtoull(strchr(second, '/') + 1, NULL, 16) > 0);
	free(first);
	free(second);
}

static void test_refusals(void **state UNUSED)
{
	expect("filter no_such_function @%s", -1, "symbol 'no_such_function' not found");
	expect("filter filter_target_first #2 @%s", -1, "so many times");
	expect("filter filter_target_first / test_refusals @/nonexistent", -1,
	       "cannot find '/nonexistent'");
	expect("filter main #x @%s", -1, "cannot understand");
	expect("filter main # @%s", -1, "cannot understand");
	expect("begin 0x10", -1, "cannot understand");
	expect("filter", -1, "cannot understand");
	expect("filter 0x10x", -1, "cannot understand");
	expect("filter 99999999999999999999999", -1, "cannot understand");
	expect("filter 1 @", -1, "cannot understand");
	expect("filter 1 /", -1, "cannot understand");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
