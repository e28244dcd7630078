/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that events get from their attributes when the file does not name them: as perf 6.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perfdata/reader.h"

static void check(const struct perf_event_attr *a, const char *name)
{
	_cleanup_(mem_freep) char *got = event_name_derive(a);

	assert_string_equal(got, name);
}

static void kinds(void **state)
{
	static const struct {
		u32 type;
		u64 config;
		const char *name;
	} rows[] = {
		{ PERF_TYPE_HARDWARE, 0, "cycles" },
		{ PERF_TYPE_HARDWARE, 9, "ref-cycles" },
		{ PERF_TYPE_HARDWARE, 10, "unknown-hardware" },
		{ PERF_TYPE_HARDWARE, 1ULL << 34 | 1, "cpu/instructions/" },
		{ PERF_TYPE_SOFTWARE, 5, "minor-faults" },
		{ PERF_TYPE_SOFTWARE, 9, "dummy" },
		{ PERF_TYPE_SOFTWARE, 99, "unknown-software" },
		{ PERF_TYPE_TRACEPOINT, 1, "unknown tracepoint" },
		{ PERF_TYPE_HW_CACHE, 0, "L1-dcache-loads" },
		{ PERF_TYPE_HW_CACHE, 0x10100, "L1-dcache-store-misses" },
		{ PERF_TYPE_HW_CACHE, 0x10203, "dTLB-prefetch-misses" },
		{ PERF_TYPE_HW_CACHE, 0x201, "L1-icache-prefetches" },
		{ PERF_TYPE_HW_CACHE, 0x101, "invalid-cache" },
		{ PERF_TYPE_HW_CACHE, 0x104, "invalid-cache" },
		{ PERF_TYPE_HW_CACHE, 7, "unknown-ext-hardware-cache-type" },
		{ PERF_TYPE_HW_CACHE, 0x301, "unknown-ext-hardware-cache-op" },
		{ PERF_TYPE_HW_CACHE, 0x20001, "unknown-ext-hardware-cache-result" },
		{ PERF_TYPE_RAW, 0x1b7, "raw 0x1b7" },
		{ PERF_TYPE_RAW, 0, "raw 0x0" },
		{ 8, 1, "unknown attr type: 8" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&(struct perf_event_attr){ .type = rows[i].type,
						 .config = rows[i].config,
						 .exclude_guest = 1 },
		      rows[i].name);
}

static void breakpoints(void **state)
{
	static const char *const names[] = {
		"mem:0x1000:",  "mem:0x1000:r",  "mem:0x1000:w",  "mem:0x1000:rw",
		"mem:0x1000:x", "mem:0x1000:rx", "mem:0x1000:wx", "mem:0x1000:rwx",
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		check(&(struct perf_event_attr){ .type = PERF_TYPE_BREAKPOINT,
						 .bp_type = i,
						 .bp_addr = 0x1000,
						 .exclude_guest = 1 },
		      names[i]);
}

static void modifiers(void **state)
{
	static const struct {
		bool user, kernel, hv, host, guest; /* excluded */
		unsigned int precise;
		const char *name;
	} rows[] = {
		{ 0, 0, 0, 0, 0, 0, "cycles:HG" },    { 0, 0, 0, 0, 1, 0, "cycles" },
		{ 0, 0, 0, 1, 0, 0, "cycles:G" },     { 0, 0, 0, 1, 1, 0, "cycles" },
		{ 0, 0, 0, 0, 0, 1, "cycles:p" },     { 0, 0, 0, 0, 1, 1, "cycles:pH" },
		{ 0, 0, 0, 1, 0, 3, "cycles:pppG" },  { 0, 1, 1, 0, 0, 0, "cycles:u" },
		{ 0, 1, 1, 0, 1, 0, "cycles:uH" },    { 1, 0, 0, 0, 0, 0, "cycles:kh" },
		{ 0, 1, 0, 0, 0, 3, "cycles:uhppp" }, { 1, 1, 1, 0, 0, 0, "cycles" },
		{ 1, 1, 1, 0, 1, 0, "cycles:H" },     { 1, 0, 1, 1, 1, 1, "cycles:kp" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&(struct perf_event_attr){ .exclude_user = rows[i].user,
						 .exclude_kernel = rows[i].kernel,
						 .exclude_hv = rows[i].hv,
						 .exclude_host = rows[i].host,
						 .exclude_guest = rows[i].guest,
						 .precise_ip = rows[i].precise & 3 },
		      rows[i].name);
}

static void broken_tracing_data(void **state)
{
	static const u8 blob[] = "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0"
				 "\xff\xff\xff\xff\xff\xff\xff\xff";

	(void)state;
	for (size_t len = 0; len <= sizeof(blob); len++) {
		u8 *copy = xmalloc(len + 1);
		struct trace_names *t;

		memcpy(copy, blob, len);
		t = trace_names_from_blob(copy, len);
		assert_null(trace_names_find(t, 1));
		trace_names_free(t);
		free(copy);
	}
	assert_null(trace_names_find(NULL, 1));
}

/* What is left: everything but the texts with addresses; of a broken blob nothing. */
static void stripped_tracing_data(void **state)
{
	static const u8 blob[] =
		"\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0\0\0\0\0\0\0\0\0"
		"header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0s\0\x01\0\0\0"
		"\x0e\0\0\0\0\0\0\0name: e\nID: 7\n"
		"\x03\0\0\0fff\x05\0\0\0fffff\x02\0\0\0\0\0\0\0c";
	enum { TEXTS = 3 + 5, BEHIND = 8 + 2 };

	(void)state;
	for (size_t len = 0; len <= sizeof(blob); len++) {
		_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
		u8 *copy = xmalloc(len + 1);

		memcpy(copy, blob, len);
		tracing_data_strip(copy, len, &out);
		free(copy);
		assert_int_equal(out.len, len < sizeof(blob) - BEHIND ? 0 : len - TEXTS);
		assert_null(out.len ? memmem(out.buf, out.len, "ff", 2) : NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(breakpoints),
		cmocka_unit_test(modifiers),
		cmocka_unit_test(broken_tracing_data),
		cmocka_unit_test(stripped_tracing_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
