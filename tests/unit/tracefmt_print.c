/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print formats over one fabricated record; expected texts are those of the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "tracefmt/program.h"

static const char fields[] = "name: ev\n"
			     "ID: 7\n"
			     "format:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
			     "\n"
			     "\tfield:u32 a;\toffset:8;\tsize:4;\tsigned:0;\n"
			     "\tfield:int b;\toffset:12;\tsize:4;\tsigned:1;\n"
			     "\tfield:u64 c;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:char str[8];\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:__data_loc char[] dyn;\toffset:32;\tsize:4;\tsigned:0;\n"
			     "\tfield:u8 mac[6];\toffset:36;\tsize:6;\tsigned:0;\n"
			     "\tfield:short s16;\toffset:42;\tsize:2;\tsigned:1;\n"
			     "\tfield:unsigned long ul;\toffset:48;\tsize:8;\tsigned:0;\n"
			     "\tfield:u8 ip6[16];\toffset:56;\tsize:16;\tsigned:0;\n"
			     "\n"
			     "print fmt: ";

static const unsigned char raw[] = {
	7,    0,    0,    0,    9,    0,    0,    0, /* common */
	5,    0,    0,    0,    0xfd, 0xff, 0xff, 0xff, /* a = 5, b = -3 */
	0x40, 0x42, 0x0f, 0,    0,    0,    0,    0, /* c = 1000000 */
	'h',  'i',  0,    'x',  0,    0,    0,    0, /* str */
	72,   0,    4,    0, /* dyn at 72, 4 bytes */
	1,    2,    3,    4,    5,    0xff, 0xfe, 0xff, /* mac, s16 = -2 */
	0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, /* ul = 0 */
	0x20, 1,    0xd,  0xb8, 0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 1, 'a', 'b', 'c', 0,
};

static const struct {
	const char *print, *text;
} cases[] = {
	{ "\"%d %u %d %llx\", REC->a, REC->a, REC->b, REC->c", "5 5 -3 f4240" },
	{ "\"%lld\", REC->b", "4294967293" },
	{ "\"%5d|%-5d|%05d|%#x|%.3x|\", REC->a, REC->a, REC->b, REC->a, REC->a",
	  "    5|5    |-0003|0x5|005|" },
	{ "\"%s %s|%5s|%.1s|\", REC->str, __get_str(dyn), __get_str(dyn), REC->str",
	  "hi abc|  abc|h|" },
	{ "\"%s\", __print_symbolic(REC->a, {1, \"one\"}, {5, \"fi\" \"ve\"})", "five" },
	{ "\"%s\", __print_symbolic(REC->a, {1, \"one\"}, {NAME, \"n\"})", "0x5" },
	{ "\"%s\", __print_flags(REC->a, \"|\", {1, \"A\"}, {(1 << 2), \"C\"})", "A|C" },
	{ "\"%s\", __print_flags(REC->a, \"|\", {1, \"A\"}, {2, \"B\"})", "A|0x4" },
	{ "\"%pM %pI6c %p %p\", REC->mac, REC->ip6, REC->c, REC->ul",
	  "01:02:03:04:05:ff 2001:db8::1 0xf4240 (nil)" },
	{ "\"%s %s\", __print_hex(REC->mac, 3), __print_hex_str(REC->mac, 3)", "01 02 03 010203" },
	{ "\"%s\", __print_array(REC->mac, 3, 1)", "1 2 3" },
	{ "\"%s\", REC->a > 4 ? \"big\" : \"small\"", "big" },
	{ "\"%d,%d\", ((unsigned int) ((REC->c) >> 4)), ((unsigned int) ((REC->c) & ((1U << 4) - 1)))",
	  "62500,0" },
	{ "\"%d\", (u8)REC->c", "64" },
	{ "\"%d\", 100 - 10 - 5", "95" },
	{ "\"%d\", REC->a & (2 | 8)", "8" },
	{ "\"%d\", __get_dynamic_array_len(dyn)", "4" },
	{ "\"a\\tb%% %d\" \"|%d\", REC->a, REC->a", "a\tb% 5|5" },
	{ "\"%d\", sizeof(u64)",
	  "[FAILED TO PARSE] a=5 b=-3 c=1000000 str=ARRAY[68, 69, 00, 78, 00, 00, 00, 00] dyn=abc "
	  "mac=ARRAY[01, 02, 03, 04, 05, ff] s16=-2 ul=0x0 "
	  "ip6=ARRAY[20, 01, 0d, b8, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 01]" },
};

static char *print_with(const char *print, size_t size)
{
	struct tracefmt_set *s = tracefmt_set_new();
	struct strbuf text = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	struct err e = ERR_INIT;

	strbuf_adds(&text, fields);
	strbuf_adds(&text, print);
	assert_int_equal(tracefmt_set_add(s, "sys", text.buf, text.len, &e), 0);
	tracefmt_print(tracefmt_by_id(s, 7), raw, size, NULL, &out);
	tracefmt_set_free(s);
	strbuf_release(&text);
	return strbuf_detach(&out);
}

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(mem_freep) char *text = print_with(cases[i].print, sizeof(raw));

		assert_string_equal(text, cases[i].text);
	}
}

static void test_plain(void **state)
{
	static const struct {
		const char *print;
		bool plain;
	} formats[] = {
		{ "\"a=%u b=%d c=%llx\", REC->a, REC->b, REC->c\n", true },
		{ "\"nothing\"\n", true },
		{ "\"a=%u\\tb=%d\", REC->a, REC->b\n", false },
		{ "\"a=%u\\n\", REC->a\n", false },
		{ "\"\xc3\xa4=%u\", REC->a\n", false },
		{ "\"a=%u %s\", REC->a, REC->str\n", false },
		{ "\"a=%u\", unknown(REC->a)\n", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct tracefmt_set *s = tracefmt_set_new();
		struct strbuf text = STRBUF_INIT;
		struct err e = ERR_INIT;

		strbuf_adds(&text, fields);
		strbuf_adds(&text, formats[i].print);
		assert_int_equal(tracefmt_set_add(s, "sys", text.buf, text.len, &e), 0);
		assert_int_equal(tracefmt_is_plain(tracefmt_by_id(s, 7)), formats[i].plain);
		tracefmt_set_free(s);
		strbuf_release(&text);
	}
}

/* dyn is "abc": 0x00636261 */
static void test_bits(void **state)
{
	static const char print[] = "\"%s\", __get_cpumask(dyn)\n";
	const struct tracefmt_print_ctx lists = { .bit_lists = true };
	struct tracefmt_set *s = tracefmt_set_new();
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const struct tracefmt *t;
	struct err e = ERR_INIT;

	(void)state;
	strbuf_adds(&text, fields);
	strbuf_adds(&text, print);
	assert_int_equal(tracefmt_set_add(s, "sys", text.buf, text.len, &e), 0);
	t = tracefmt_by_id(s, 7);
	tracefmt_print(t, raw, sizeof(raw), NULL, &out);
	assert_string_equal(out.buf, "00636261");
	strbuf_reset(&out);
	tracefmt_print(t, raw, sizeof(raw), &lists, &out);
	assert_string_equal(out.buf, "0,5-6,9,13-14,16-17,21-22");
	strbuf_reset(&out);
	assert_true(
		tracefmt_print_bit_list(t, tracefmt_find_field(t, "dyn"), raw, sizeof(raw), &out));
	assert_string_equal(out.buf, "0,5-6,9,13-14,16-17,21-22");
	strbuf_reset(&out);
	assert_true(tracefmt_print_bit_list(t, tracefmt_find_field(t, "dyn"), raw, 74, &out));
	assert_false(
		tracefmt_print_bit_list(t, tracefmt_find_field(t, "mac"), raw, sizeof(raw), &out));
	assert_string_equal(out.buf, "");
	tracefmt_set_free(s);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* ip6 as two longs of a machine that has the higher byte first: 0x20010db800000000 and 1 */
static void test_bits_of_big_endian(void **state)
{
	const struct tracefmt_print_ctx lists = { .bit_lists = true };
	struct tracefmt_set *s = tracefmt_set_new();
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	strbuf_adds(&text, fields);
	strbuf_adds(&text, "\"%s\", __get_bitmask(ip6)\n");
	assert_int_equal(tracefmt_set_add(s, "sys", text.buf, text.len, &e), 0);
	s->swap = __BYTE_ORDER == __LITTLE_ENDIAN;
	tracefmt_print(tracefmt_by_id(s, 7), raw, sizeof(raw), &lists, &out);
	assert_string_equal(out.buf, "35-37,39-40,42-43,48,61,64");
	strbuf_reset(&out);
	tracefmt_print(tracefmt_by_id(s, 7), raw, sizeof(raw), NULL, &out);
	assert_string_equal(out.buf, "00000000,00000001,20010db8,00000000");
	tracefmt_set_free(s);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* Every cut of the record prints without reading behind it (the sanitizers watch). */
static void test_short_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t size = 0; size < sizeof(raw); size += 3)
			free(print_with(cases[i].print, size));
}

static void test_fields(void **state)
{
	struct tracefmt_set *s = tracefmt_set_new();
	struct err e = ERR_INIT;
	const char *data;
	size_t len;
	u64 v;

	(void)state;
	assert_int_equal(tracefmt_set_add(s, "sys", fields, sizeof(fields) - 1, &e), 0);
	const struct tracefmt *t = tracefmt_by_name(s, "sys", "ev");

	assert_non_null(t);
	assert_true(tracefmt_u64(tracefmt_find_field(t, "b"), raw, sizeof(raw), &v));
	assert_int_equal((s64)v, -3);
	assert_false(tracefmt_u64(tracefmt_find_field(t, "c"), raw, 20, &v));
	assert_true(tracefmt_bytes(tracefmt_find_field(t, "dyn"), raw, sizeof(raw), &data, &len));
	assert_int_equal(len, 4);
	assert_string_equal(data, "abc");
	assert_false(tracefmt_bytes(tracefmt_find_field(t, "dyn"), raw, 74, &data, &len));
	assert_null(tracefmt_find_field(t, "nosuch"));
	tracefmt_set_free(s);
}

static void test_bad_blobs(void **state)
{
	static const char good_start[] = "\x17\x08\x44tracing"
					 "0.6\0\0\x08\0\x10\0\0header_page";
	struct tracefmt_set *s = NULL;
	struct err e = ERR_INIT;

	(void)state;
	for (size_t n = 0; n < sizeof(good_start); n++)
		assert_int_equal(tracefmt_set_from_blob(&s, good_start, n, &e), -1);
	assert_string_equal(e.text, "tracing data is cut short");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_short_records),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_bad_blobs),
		cmocka_unit_test(test_bits_of_big_endian),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
