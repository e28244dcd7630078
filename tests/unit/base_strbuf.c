/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/digits.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/strbuf.h"

static void numbers(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_u64(&sb, 0);
	strbuf_addch(&sb, ' ');
	strbuf_add_u64(&sb, UINT64_MAX);
	strbuf_addch(&sb, ' ');
	strbuf_add_u64_width(&sb, 1207, 6, '0');
	strbuf_addch(&sb, ' ');
	strbuf_add_hex_width(&sb, 0xffffffff81000000, 20, ' ');
	assert_string_equal(sb.buf, "0 18446744073709551615 001207     ffffffff81000000");
}

/* The fast path writes what printf writes, ties and their neighbours included. */
static void fixed2(void **state)
{
	static const double hard[] = {
		0,      -0.0, 0.005,   0.015,       0.125, 0.375,          2.675,
		99.995, 100,  1e7,     9999999.999, 1e18,  0.004999999999, 0.00500000001,
		-0.001, -1.5, 1.0 / 3, INFINITY,    NAN
	};
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	char want[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hard) + 20000; i++) {
		double v = i < ARRAY_SIZE(hard) ? hard[i]
						: (double)i * 100.0 / 7919 / (double)(i % 13 + 1);
		int width = (int)(i % 9);

		for (unsigned int digits = 1; digits <= 3; digits++) {
			snprintf(want, sizeof(want), "%*.*f", width, (int)digits, v);
			strbuf_reset(&sb);
			strbuf_add_fixed(&sb, v, width, digits);
			assert_string_equal(sb.buf, want);
		}
	}
}

static void alignment(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_aligned(&sb, "ab", 4);
	strbuf_add_aligned(&sb, "ab", -4);
	strbuf_add_aligned(&sb, "abcdef", 4);
	assert_string_equal(sb.buf, "  abab  abcdef");
}

static void escapes(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_escaped(&sb, "a\033[31m\xc2\x9b\xc3\xa9\n");
	assert_string_equal(sb.buf, "a\\x1b[31m\\x9b\xc3\xa9\\x0a");
	strbuf_reset(&sb);
	strbuf_adds(&sb, "\033\t");
	strbuf_adds(&sb, "plain");
	strbuf_escape(&sb, 2);
	assert_string_equal(sb.buf, "\033\tplain");
	strbuf_escape(&sb, 1);
	assert_string_equal(sb.buf, "\033\\x09plain");
	strbuf_reset(&sb);
	strbuf_add_escaped_lines(&sb, "a\033b\n\tc\r");
	assert_string_equal(sb.buf, "a\\x1bb\n\tc\\x0d");
}

/* C1 controls as UTF-8 and as bytes, and what turns the direction; letters of any language stay. */
static void controls_beyond_ascii(void **state)
{
	static const char odd[] = "\x9b\xc2\x90\xe2\x80\xae\xe2\x81\xa6\xc2",
			  ordinary[] = "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xe9";
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add_escaped(&sb, odd);
	assert_string_equal(sb.buf, "\\x9b\\x90\\u202e\\u2066\xc2");
	strbuf_reset(&sb);
	strbuf_add_escaped(&sb, ordinary);
	assert_string_equal(sb.buf, ordinary);
	strbuf_reset(&sb);
	strbuf_addf(&sb, "\x1b in front%s%s, plain text and\x7f", odd, ordinary);
	strbuf_mask_controls(&sb, 1);
	assert_memory_equal(sb.buf, "\x1b in front??????\?\?\?\xc2", 18);
	assert_string_equal(sb.buf + sb.len - 5, " and?");
	strbuf_reset(&sb);
	strbuf_add_one_line(&sb, "a b\tc\033\nd\r");
	assert_string_equal(sb.buf, "a b\tc\033\\x0ad\\x0d");
}

static void empty_buffers(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *s;

	(void)state;
	assert_string_equal(sb.buf, "");
	s = strbuf_detach(&sb);
	assert_string_equal(s, "");
	free(s);
	strbuf_release(&sb);
}

static void cpu_lists(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr;

	(void)state;
	assert_true(fmt_parse_cpu_list("7,0-2,1", &list, &nr));
	assert_int_equal(nr, 4);
	fmt_cpu_list(&sb, list, nr);
	assert_string_equal(sb.buf, "0-2,7");
	mem_freep(&list);
	assert_true(fmt_parse_cpu_list("3,", &list, &nr));
	assert_int_equal(nr, 1);
	assert_false(fmt_parse_cpu_list(",", &list, &nr));
	assert_false(fmt_parse_cpu_list("3,,", &list, &nr));
	assert_false(fmt_parse_cpu_list("3-1", &list, &nr));
	assert_false(fmt_parse_cpu_list("", &list, &nr));
	assert_false(fmt_parse_cpu_list("1,,2", &list, &nr));
}

static void quantities(void **state)
{
	u64 v;

	(void)state;
	assert_true(fmt_parse_size("4K", &v));
	assert_int_equal(v, 4096);
	assert_false(fmt_parse_size("4KB", &v));
	assert_false(fmt_parse_size("99999999999T", &v));
	assert_true(fmt_parse_time_ns("12.5", &v));
	assert_int_equal(v, 12500000000);
	assert_true(fmt_parse_time_ns(" 3", &v));
	assert_int_equal(v, 3000000000);
	assert_true(fmt_parse_time_ns("18446744069414584", &v));
	assert_int_equal(v, UINT64_MAX);
	assert_true(fmt_parse_time_ns("99999999999999999999999", &v));
	assert_int_equal(v, UINT64_MAX);
	assert_false(fmt_parse_time_ns("12x", &v));
	assert_false(fmt_parse_time_ns(".", &v));
}

static void number_lengths(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char want[64];

	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		for (int d = -1; d <= 1; d++) {
			u64 v = (1ULL << bit) + (u64)d;

			strbuf_reset(&sb);
			strbuf_add_hex_width(&sb, v, 9, ' ');
			snprintf(want, sizeof(want), "%9llx", (unsigned long long)v);
			assert_string_equal(sb.buf, want);
			strbuf_reset(&sb);
			strbuf_add_hex16(&sb, v);
			snprintf(want, sizeof(want), "%016llx", (unsigned long long)v);
			assert_string_equal(sb.buf, want);
		}
	}
	for (u64 power = 1, i = 0; i < 20; i++, power *= 10) {
		for (int d = -1; d <= 1; d++) {
			strbuf_reset(&sb);
			strbuf_add_u64(&sb, power + (u64)d);
			snprintf(want, sizeof(want), "%llu", (unsigned long long)(power + (u64)d));
			assert_string_equal(sb.buf, want);
		}
	}
	strbuf_release(&sb);
}

static void one_number(u64 v)
{
	char text[64];
	char want[64];

	*digits_put(text, v) = '\0';
	snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
	assert_string_equal(text, want);
	*digits_put_hex(text, v) = '\0';
	snprintf(want, sizeof(want), "%llx", (unsigned long long)v);
	assert_string_equal(text, want);
	*digits_put_hex16(text, v) = '\0';
	snprintf(want, sizeof(want), "%16llx", (unsigned long long)v);
	assert_string_equal(text, want);
	*digits_put6(text, (u32)(v % 1000000)) = '\0';
	snprintf(want, sizeof(want), "%06llu", (unsigned long long)(v % 1000000));
	assert_string_equal(text, want);
}

/* Numbers of every length, and those beside where it changes. */
static void digits_as_printf(void **state)
{
	(void)state;
	for (unsigned int bit = 0; bit < 64; bit++)
		for (u64 d = 0; d < 3; d++)
			one_number((1ULL << bit) - 1 + d);
	for (u64 power = 1; power < UINT64_MAX / 10; power *= 10)
		for (u64 d = 0; d < 3; d++)
			one_number(power - 1 + d);
	one_number(UINT64_MAX);
	one_number(0x123456789abcdef0ULL);
	one_number(0xfedcba98ULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_lengths),
		cmocka_unit_test(numbers),
		cmocka_unit_test(fixed2),
		cmocka_unit_test(alignment),
		cmocka_unit_test(controls_beyond_ascii),
		cmocka_unit_test(escapes),
		cmocka_unit_test(empty_buffers),
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(quantities),
		cmocka_unit_test(digits_as_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
