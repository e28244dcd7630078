/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing behind: order, compression that each record undoes by itself, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "base/par.h"
#include "base/rw.h"
#include "perfdata/inflate.h"
#include "perfdata/outbox.h"

enum { TOTAL = 3 << 20, JOBS = 500 };

static u8 *pattern(u32 noise)
{
	u8 *p = xmalloc(TOTAL);
	u32 x = 1;

	for (size_t i = 0; i < TOTAL; i++) {
		x = x * 1103515245 + 12345;
		p[i] = noise ? (u8)(x >> 16) : (u8)(i / 100);
	}
	return p;
}

static int temp_file(void)
{
	char name[] = "/tmp/perf-outbox-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	return fd;
}

/* Every record decoded alone, one behind the other, is what went in. */
static void check_inflates(int fd, const u8 *want)
{
	static u8 rec[1 << 16];
	u8 *out = xmalloc(OUTBOX_BLOCK + 1);
	struct perf_event_header h;
	size_t at = 0;
	u64 pos = 0;

	while (rw_pread_full(fd, &h, sizeof(h), pos) == sizeof(h)) {
		struct zstd_stream *z = zstd_stream_new();
		ssize_t n;

		assert_int_equal(h.type, PERF_RECORD_COMPRESSED);
		assert_int_equal(rw_pread_full(fd, rec, h.size, pos), h.size);
		zstd_stream_feed(z, rec + sizeof(h), h.size - sizeof(h));
		n = zstd_stream_read(z, out, OUTBOX_BLOCK + 1);
		assert_true(n >= 1 && n <= OUTBOX_BLOCK);
		assert_true(at + (size_t)n <= TOTAL);
		assert_memory_equal(out, want + at, (size_t)n);
		at += (size_t)n;
		pos += h.size;
		zstd_stream_free(z);
	}
	assert_int_equal(at, TOTAL);
	free(out);
}

static void squeeze_all(unsigned int workers, u32 noise)
{
	struct outbox_opts opts = {
		.fd = temp_file(), .level = 1, .workers = workers, .blocks = 2 * workers
	};
	u8 *data = pattern(noise);
	struct outbox *o = outbox_new(&opts);
	u64 original, compressed;

	for (size_t at = 0, n = 1; at < TOTAL; at += n) {
		struct iovec iov = { data + at, 0 };

		n = MIN((size_t)TOTAL - at, n * 3 % 200000 + 8);
		iov.iov_len = n;
		assert_int_equal(outbox_add(o, &iov, 1, true), 0);
	}
	assert_int_equal(outbox_drain(o), 0);
	outbox_ratio(o, &original, &compressed);
	assert_int_equal(original, TOTAL);
	assert_int_equal(compressed, outbox_written(o));
	assert_true(noise ? compressed < TOTAL + TOTAL / 50 : compressed < TOTAL / 50);
	check_inflates(opts.fd, data);
	outbox_free(o);
	close(opts.fd);
	free(data);
}

static void test_compressed(void **state UNUSED)
{
	struct zstd_stream *z = zstd_stream_new();

	if (!z)
		skip();
	zstd_stream_free(z);
	for (unsigned int workers = 0; workers < 4; workers += 3) {
		squeeze_all(workers, 0);
		squeeze_all(workers, 1);
	}
}

static void test_plain_in_order(void **state UNUSED)
{
	struct outbox_opts opts = { .fd = temp_file(), .workers = 2, .blocks = 3 };
	struct outbox *o = outbox_new(&opts);
	u32 word, n = 300000;

	for (u32 i = 0; i < n; i++) {
		struct iovec iov = { &i, sizeof(i) };

		assert_int_equal(outbox_add(o, &iov, 1, i % 3 != 0), 0);
		if (i % 1000 == 0)
			outbox_send(o);
	}
	assert_int_equal(outbox_drain(o), 0);
	assert_int_equal(outbox_written(o), n * sizeof(word));
	lseek(opts.fd, 0, SEEK_SET);
	for (u32 i = 0; i < n; i += 997) {
		assert_int_equal(rw_pread_full(opts.fd, &word, sizeof(word), i * sizeof(word)),
				 sizeof(word));
		assert_int_equal(word, i);
	}
	outbox_free(o);
	close(opts.fd);
}

static void test_full_disk(void **state UNUSED)
{
	struct outbox_opts opts = { .fd = open("/dev/full", O_WRONLY), .workers = 1, .blocks = 2 };
	u8 *data = pattern(1);
	struct iovec iov = { data, TOTAL };
	struct outbox *o;

	if (opts.fd < 0)
		skip();
	o = outbox_new(&opts);
	outbox_add(o, &iov, 1, true);
	assert_int_equal(outbox_drain(o), ENOSPC);
	assert_int_equal(outbox_add(o, &iov, 1, true), ENOSPC);
	assert_int_equal(outbox_written(o), 0);
	outbox_free(o);
	close(opts.fd);
	free(data);
}

static void double_it(void *ctx UNUSED, void *job)
{
	*(u64 *)job *= 2;
}

static void append(void *ctx, void *job)
{
	u64 *seen = ctx;

	assert_int_equal(*(u64 *)job, *seen * 2);
	*seen += 1;
}

static void test_line_order(void **state UNUSED)
{
	static const struct par_line_ops ops = { .work = double_it, .finish = append };
	u64 values[7], seen;
	void *jobs[7];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		jobs[i] = &values[i];
	for (unsigned int workers = 0; workers < 5; workers++) {
		struct par_line *l;

		seen = 0;
		l = par_line_new(workers, jobs, ARRAY_SIZE(jobs), &ops, &seen);
		for (u64 i = 0; i < JOBS; i++) {
			*(u64 *)par_line_take(l) = i;
			par_line_put(l);
		}
		par_line_drain(l);
		assert_int_equal(seen, JOBS);
		par_line_free(l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_order),
		cmocka_unit_test(test_plain_in_order),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
