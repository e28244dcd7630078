/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of tracing buffers, durations in buckets, names of functions, pairs of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ftrace/calls.h"
#include "ftrace/instance.h"
#include "render/latency.h"

enum { PAGE = 256, FRONT = 16 };

struct built {
	u8 bytes[PAGE];
	size_t at;
};

static void put(struct built *b, const void *data, size_t size)
{
	memcpy(b->bytes + b->at, data, size);
	b->at += size;
}

static void put_word(struct built *b, u32 v)
{
	put(b, &v, sizeof(v));
}

static void begin(struct built *b, u64 time)
{
	memset(b, 0, sizeof(*b));
	put(b, &time, sizeof(time));
	b->at = FRONT;
}

/* What the word behind the time says. */
static void end(struct built *b, u32 flags)
{
	u32 commit = (u32)(b->at - FRONT) | flags;

	memcpy(b->bytes + 8, &commit, sizeof(commit));
}

static struct ftrace_page open_page(const struct built *b)
{
	struct ftrace_page p;

	assert_true(ftrace_page_begin(&p, b->bytes, PAGE, FRONT));
	return p;
}

static void reads_records(void **state __attribute__((unused)))
{
	struct ftrace_record r;
	struct ftrace_page p;
	struct built b;

	begin(&b, 1000);
	put_word(&b, 5 << 5 | 2); /* 8 bytes, 5 ns later */
	put(&b, "12345678", 8);
	put_word(&b, 3 << 5 | 30); /* a long time: 2^27 + 3 */
	put_word(&b, 1);
	put_word(&b, 7 << 5 | 29); /* discarded, 12 bytes */
	put_word(&b, 8);
	put(&b, "....", 4);
	put_word(&b, 1 << 5); /* a long record of 4 + 5 bytes, which takes 12 */
	put_word(&b, 4 + 5);
	put(&b, "abcde...", 8);
	put_word(&b, 9 << 5 | 31); /* the time itself */
	put_word(&b, 100);
	put_word(&b, 1);
	put(&b, "last", 4);
	put_word(&b, 29); /* nothing behind it */
	put_word(&b, 0);
	end(&b, 0);
	p = open_page(&b);
	assert_int_equal(p.lost, 0);
	assert_true(ftrace_page_next(&p, &r));
	assert_int_equal(r.time, 1005);
	assert_int_equal(r.size, 8);
	assert_memory_equal(r.data, "12345678", 8);
	assert_true(ftrace_page_next(&p, &r));
	assert_int_equal(r.time, 1005 + (1 << 27) + 3 + 7 + 1);
	assert_int_equal(r.size, 5);
	assert_memory_equal(r.data, "abcde", 5);
	assert_true(ftrace_page_next(&p, &r));
	assert_int_equal(r.time, (100ULL << 27) + 9);
	assert_memory_equal(r.data, "last", 4);
	assert_false(ftrace_page_next(&p, &r));
	assert_false(ftrace_page_next(&p, &r));
}

static void counts_losses(void **state __attribute__((unused)))
{
	const u64 lost = 77;
	struct built b;

	begin(&b, 0);
	end(&b, 1U << 31);
	assert_int_equal(open_page(&b).lost, 1);
	end(&b, 3U << 30);
	memcpy(b.bytes + b.at, &lost, sizeof(lost));
	assert_int_equal(open_page(&b).lost, 77);
	/* without the room for it */
	b.at = PAGE - 4;
	end(&b, 3U << 30);
	assert_int_equal(open_page(&b).lost, 1);
}

static void refuses_broken_pages(void **state __attribute__((unused)))
{
	struct ftrace_record r;
	struct ftrace_page p;
	struct built b;
	u32 size = 0xfffff;

	begin(&b, 0);
	assert_false(ftrace_page_begin(&p, b.bytes, 8, FRONT));
	assert_false(ftrace_page_begin(&p, b.bytes, PAGE, 4));
	/* more than the page has: its end counts; zeros are long records of no size */
	memcpy(b.bytes + 8, &size, sizeof(size));
	p = open_page(&b);
	assert_ptr_equal(p.end, b.bytes + PAGE);
	assert_false(ftrace_page_next(&p, &r));
	/* a record that goes on behind the end, and a hole */
	put_word(&b, 28);
	end(&b, 0);
	p = open_page(&b);
	assert_false(ftrace_page_next(&p, &r));
	begin(&b, 0);
	put_word(&b, 1 << 5 | 29);
	put_word(&b, 0xffffffff);
	end(&b, 0);
	p = open_page(&b);
	assert_false(ftrace_page_next(&p, &r));
}

static void finds_buckets(void **state __attribute__((unused)))
{
	struct ftrace_buckets b = { .nr = FTRACE_BUCKETS };
	static const struct {
		u64 ns, us_bucket, ns_bucket;
	} rows[] = {
		{ 0, 0, 0 },
		{ 1, 0, 1 },
		{ 2, 0, 2 },
		{ 999, 0, 10 },
		{ 1000, 1, 10 },
		{ 1999, 1, 11 },
		{ 2000, 2, 11 },
		{ 4095, 3, 12 },
		{ 10000000, 14, 21 },
		{ 1000000000, 20, 21 },
		{ UINT64_MAX, 21, 21 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		b.in_ns = false;
		assert_int_equal(ftrace_bucket(&b, rows[i].ns), rows[i].us_bucket);
		b.in_ns = true;
		assert_int_equal(ftrace_bucket(&b, rows[i].ns), rows[i].ns_bucket);
	}
	b = (struct ftrace_buckets){ .range = 2, .nr = 11 };
	assert_int_equal(ftrace_bucket(&b, 17999), 8);
	assert_int_equal(ftrace_bucket(&b, 20000), 10);
	assert_int_equal(ftrace_bucket(&b, 59000), 10);
	b = (struct ftrace_buckets){ .in_ns = true, .range = 3000, .least = 1000, .nr = 5 };
	assert_int_equal(ftrace_bucket(&b, 999), 0);
	assert_int_equal(ftrace_bucket(&b, 1000), 1);
	assert_int_equal(ftrace_bucket(&b, 4000), 2);
	assert_int_equal(ftrace_bucket(&b, 10000), 4);
}

static void names_functions(void **state __attribute__((unused)))
{
	struct ftrace_functions f = { .by_addr = { 0 } };

	ftrace_functions_add(&f, 0x3004, 7);
	ftrace_functions_add(&f, 0x1000, 5);
	ftrace_functions_add(&f, 0x3004, 3);
	ftrace_functions_add(&f, 0x9000, 1);
	ftrace_functions_name(&f, "0000000000003000 T far\n0000000000001000 t first\n"
				  "0000000000001000 t second\n0000000000003002 d data\n"
				  "0000000000003004 t near\t[mod]\nnonsense\n"
				  "0000000000008000 t too_far");
	assert_int_equal(f.all.nr, 3);
	assert_string_equal(f.all.v[0].name, "first");
	assert_string_equal(f.all.v[1].name, "near [mod]");
	assert_string_equal(f.all.v[2].name, "0x9000");
	assert_int_equal(f.all.v[1].calls.count, 2);
	assert_int_equal(f.all.v[1].calls.total, 10);
	assert_int_equal(f.all.v[1].calls.least, 3);
	assert_int_equal(f.all.v[1].calls.most, 7);
	ftrace_functions_release(&f);
}

static const char format[] =
	"name: %s\nID: %d\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

static void take(struct ftrace_pairs *p, size_t cpu, u64 time, u16 id, u32 tid)
{
	u32 data[2] = { id, tid };
	struct ftrace_record r = { .time = time, .data = (const u8 *)data, .size = sizeof(data) };

	ftrace_pairs_take(p, cpu, &r);
}

static void add_up(void *ctx, u64 ns)
{
	durations_add(ctx, ns);
}

static void finds_pairs(void **state __attribute__((unused)))
{
	struct ftrace_pairs p = { .formats = tracefmt_set_new(), .ids = { 1, 2 } };
	struct view_durations d = { 0 };
	char text[sizeof(format) + 16];
	const struct tracefmt *t;
	struct err e = ERR_INIT;

	snprintf(text, sizeof(text), format, "a", 1);
	assert_int_equal(tracefmt_set_add(p.formats, "s", text, strlen(text), &e), 0);
	t = tracefmt_by_name(p.formats, "s", "a");
	p.type = tracefmt_find_field(t, "common_type");
	p.pid = tracefmt_find_field(t, "common_pid");
	/* from CPU to CPU, read in another order; idle tasks are one for each CPU */
	take(&p, 1, 30, 2, 7);
	take(&p, 1, 35, 2, 0);
	take(&p, 0, 10, 1, 7);
	take(&p, 0, 12, 1, 8);
	take(&p, 0, 20, 1, 0);
	take(&p, 0, 90, 2, 8);
	take(&p, 0, 91, 3, 8);
	ftrace_pairs_tell(&p, 50, add_up, &d);
	assert_int_equal(d.count, 1);
	assert_int_equal(d.total, 20);
	/* the second one is seen once */
	take(&p, 0, 95, 2, 8);
	ftrace_pairs_tell(&p, UINT64_MAX, add_up, &d);
	assert_int_equal(d.count, 2);
	assert_int_equal(d.total, 20 + 78);
	ftrace_pairs_close(&p);
}

static void draws_histograms(void **state __attribute__((unused)))
{
	const u64 counts[] = { 5, 0, 1 };
	struct view_histogram h = {
		.range = 500,
		.counts = counts,
		.nr = 3,
		.all = { .count = 6, .total = 9300000, .least = 1500, .most = 9000400 },
	};
	struct strbuf out = STRBUF_INIT;

	render_histogram(&h, &out);
	assert_string_equal(
		out.buf,
		"#   DURATION     |      COUNT | GRAPH                                          |\n"
		"     0 -  500 us |          5 | ######################################         |\n"
		"   500 - 1000 us |          0 |                                                |\n"
		"  1.00 - ...  ms |          1 | #######                                        |\n"
		"\n# statistics  (in usec)\n"
		"  total time:                 9300\n"
		"    avg time:                 1550\n"
		"    max time:                 9000\n"
		"    min time:                    1\n"
		"       count:                    6\n");
	strbuf_reset(&out);
	h = (struct view_histogram){
		.in_ns = true, .range = 300000, .counts = counts, .nr = 3, .hide_empty = true
	};
	render_histogram(&h, &out);
	assert_string_equal(
		out.buf,
		"#   DURATION       |      COUNT | GRAPH                                          |\n"
		"     0 - 300000 ns |          5 | ######################################         |\n"
		"600.00 - ...    us |          1 | #######                                        |\n");
	strbuf_release(&out);
}

/* A tracer that somebody else uses in the only place where it works is not written to at all. */
static void leaves_others_alone(void **state)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{ "available_tracers", "function_graph function nop\n" },
		{ "current_tracer", "function\n" },
		{ "tracing_on", "1\n" },
	};
	static const struct timespec past[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char root[] = "/tmp/perf-tracefs-XXXXXX", path[128];
	struct ftrace_instance t;
	struct err e = ERR_INIT;
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", root, files[i].name);
		f = fopen(path, "we");
		assert_non_null(f);
		assert_true(fputs(files[i].text, f) >= 0);
		assert_int_equal(fclose(f), 0);
		assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
	}
	assert_int_equal(ftrace_instance_open(&t, root, "function_graph", &e), -1);
	assert_int_equal(e.code, EBUSY);
	assert_int_equal(ftrace_instance_close(&t, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, files[i].name);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mtim.tv_sec, 1000);
		unlink(path);
	}
	assert_int_equal(rmdir(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_records),        cmocka_unit_test(counts_losses),
		cmocka_unit_test(refuses_broken_pages), cmocka_unit_test(finds_buckets),
		cmocka_unit_test(names_functions),      cmocka_unit_test(finds_pairs),
		cmocka_unit_test(draws_histograms),     cmocka_unit_test(leaves_others_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
