/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.data written and read again: plain, cut, unfinished, as a stream. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rw.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"
#include "perfdata/tool_records.h"
#include "perfdata/writer.h"

enum { BUF = 1 << 20, SAMPLES = 1000 };

struct sample_record {
	struct perf_event_header h;
	u64 id, ip;
	u32 pid, tid;
	u64 time;
};

static const struct perf_event_attr attr_a = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 4000,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.sample_id_all = 1,
};

static char *new_path(void)
{
	char name[] = "/tmp/perfdata-test-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	close(fd);
	unlink(name);
	return xstrdup(name);
}

static void add_samples(struct perfdata_writer *w, u32 from, u32 to)
{
	struct err e = ERR_INIT;

	for (u32 i = from; i < to; i++) {
		struct sample_record r = {
			.h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(r) },
			.id = 10 + i % 2,
			.ip = 0x1000 + i,
			.pid = 7,
			.tid = 8,
			.time = i + 1,
		};

		assert_int_equal(writer_append(w, &r, sizeof(r), &e), 0);
	}
}

static struct perfdata_writer *open_writer(const struct perfdata_writer_opts *o)
{
	struct perfdata_writer *w;
	struct err e = ERR_INIT;
	struct perf_event_attr attr_b = attr_a;
	u64 ids[] = { 10, 11 };

	attr_b.config = PERF_COUNT_SW_PAGE_FAULTS;
	assert_int_equal(perfdata_writer_open(&w, o, &e), 0);
	writer_add_event(w, &attr_a, "cpu-clock", &ids[0], 1);
	writer_add_event(w, &attr_b, "faults-of-mine", &ids[1], 1);
	assert_int_equal(writer_begin(w, &e), 0);
	return w;
}

static void add_features(struct perfdata_writer *w)
{
	struct strbuf body = STRBUF_INIT;
	struct err e = ERR_INIT;
	u8 id[20] = { 0xab };

	feature_add_string(&body, "box");
	assert_int_equal(writer_feature(w, FEAT_HOSTNAME, body.buf, body.len, &e), 0);
	strbuf_reset(&body);
	writer_event_desc(w, &body);
	assert_int_equal(writer_feature(w, FEAT_EVENT_DESC, body.buf, body.len, &e), 0);
	strbuf_reset(&body);
	feature_add_build_id(&body, PERF_RECORD_MISC_USER, -1, id, 20, "/bin/true");
	assert_int_equal(writer_feature(w, FEAT_BUILD_ID, body.buf, body.len, &e), 0);
	strbuf_release(&body);
}

static void write_file(const char *path, bool features)
{
	struct perfdata_writer *w = open_writer(
		&(struct perfdata_writer_opts){ .path = path, .fd = -1 });
	struct err e = ERR_INIT;

	add_samples(w, 0, SAMPLES);
	if (features)
		add_features(w);
	assert_int_equal(writer_finish(w, &e), 0);
}

/* Number of samples, each checked. */
static u32 read_all(struct perfdata *f, u8 *buf)
{
	struct perfdata_chunk c;
	struct err e = ERR_INIT;
	u32 n = 0;
	int r;

	while ((r = perfdata_read(f, buf, BUF, &c, &e)) > 0) {
		for (size_t off = 0; off < c.len;) {
			struct perf_event_header *h = (void *)(buf + off);
			const struct perfdata_event *ev;
			struct sample s;

			off += h->size;
			if (h->type != PERF_RECORD_SAMPLE)
				continue;
			ev = perfdata_event_of(f, h);
			assert_non_null(ev);
			assert_int_equal(ev->index, n % 2);
			assert_true(sample_decode(&ev->layout, h, &s));
			assert_int_equal(s.ip, 0x1000 + n);
			assert_int_equal(s.pid, 7);
			assert_int_equal(s.tid, 8);
			assert_int_equal(s.time, n + 1);
			assert_int_equal(sample_record_time(&ev->layout, h), n + 1);
			assert_int_equal(s.id, 10 + n % 2);
			assert_int_equal(s.cpu, (u32)-1);
			assert_int_equal(s.period, 4000);
			n++;
		}
	}
	assert_int_equal(r, 0);
	return n;
}

static u32 count_file(const char *path, struct perfdata_damage *damage)
{
	struct perfdata_opts o = { .path = path };
	struct err e = ERR_INIT;
	_cleanup_(mem_freep) u8 *buf = aligned_alloc(8, BUF);
	struct perfdata *f;
	u32 n;

	assert_int_equal(perfdata_open(&f, &o, &e), 0);
	n = read_all(f, buf);
	if (perfdata_rewind(f))
		assert_int_equal(read_all(f, buf), n);
	*damage = *perfdata_damage(f);
	perfdata_close(f);
	return n;
}

static void round_trip(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	_cleanup_(mem_freep) u8 *buf = aligned_alloc(8, BUF);
	struct perfdata_opts o = { .path = path };
	const struct perfdata_info *info;
	struct err e = ERR_INIT;
	struct perfdata *f;

	(void)state;
	write_file(path, true);
	assert_int_equal(perfdata_open(&f, &o, &e), 0);
	assert_int_equal(perfdata_nr_events(f), 2);
	assert_string_equal(perfdata_event(f, 0)->name, "cpu-clock");
	assert_string_equal(perfdata_event(f, 1)->name, "faults-of-mine");
	assert_int_equal(perfdata_event(f, 1)->ids[0], 11);
	assert_null(perfdata_event_by_id(f, 12));
	info = perfdata_info(f);
	assert_string_equal(info->hostname, "box");
	assert_int_equal(info->nr_events, 2);
	assert_int_equal(info->nr_build_ids, 1);
	assert_string_equal(info->build_ids[0].path, "/bin/true");
	assert_int_equal(info->build_ids[0].id[0], 0xab);
	assert_false(info_has(info, FEAT_OSRELEASE));
	assert_int_equal(read_all(f, buf), SAMPLES);
	assert_int_equal(perfdata_damage(f)->truncated_bytes, 0);
	perfdata_close(f);
	unlink(path);
}

/* Samples of all lengths among other records; those that are long carry their number at their end,
 * too. */
static void write_lengths(const char *path)
{
	static const u16 lengths[] = { 8400, 8400, 8400, 40, 3072, 512, 3064, 65528, 24, 8400, 48 };
	_cleanup_(mem_freep) u8 *bytes = aligned_alloc(8, 1 << 16);
	struct perfdata_writer *w = open_writer(
		&(struct perfdata_writer_opts){ .path = path, .fd = -1 });
	struct err e = ERR_INIT;

	for (u64 i = 0; i < SAMPLES; i++) {
		u16 size = i % 400 < 100 ? 40 : lengths[i % ARRAY_SIZE(lengths)];
		struct perf_event_header h = { size < 100 ? PERF_RECORD_LOST_SAMPLES
							  : PERF_RECORD_SAMPLE,
					       0, size };

		memset(bytes, (int)i, size);
		memcpy(bytes, &h, sizeof(h));
		memcpy(bytes + size - 8, &i, 8);
		assert_int_equal(writer_append(w, bytes, size, &e), 0);
	}
	assert_int_equal(writer_finish(w, &e), 0);
}

/* What the fronts tell is what the whole file tells. Returns the bytes that were read. */
static u64 compare_fronts(const char *path)
{
	struct perfdata_opts o = { .path = path };
	_cleanup_(mem_freep) u8 *all = aligned_alloc(8, 16 << 20), *buf = aligned_alloc(8, BUF);
	struct perfdata_chunk c = { 0 };
	struct perfdata_damage damage;
	struct err e = ERR_INIT;
	struct perfdata *f;
	u64 begin = 0, len = 0, read = 0, at = 0;
	int r;

	assert_int_equal(perfdata_open(&f, &o, &e), 0);
	while ((r = perfdata_read(f, all + len, (16 << 20) - len, &c, &e)) > 0) {
		assert_false(c.fronts);
		begin = len ? begin : c.pos;
		len += c.len;
	}
	assert_int_equal(r, 0);
	damage = *perfdata_damage(f);
	assert_true(perfdata_rewind(f));
	while ((r = perfdata_read_fronts(f, buf, 128 << 10, &c, &e)) > 0) {
		assert_true(c.fronts);
		assert_int_equal(c.pos, begin + at);
		for (size_t off = 0; off < c.len;) {
			const struct perf_event_header *h = (void *)(buf + off);
			bool sample = h->type == PERF_RECORD_SAMPLE;

			assert_memory_equal(h, all + at, sizeof(*h));
			assert_memory_equal(h, all + at,
					    sample ? MIN(h->size, PERFDATA_FRONT) : h->size);
			off += h->size;
			at += h->size;
		}
		read += c.read;
	}
	assert_int_equal(r, 0);
	assert_int_equal(at, len);
	assert_memory_equal(&damage, perfdata_damage(f), sizeof(damage));
	perfdata_close(f);
	return read;
}

static void fronts(void **state UNUSED)
{
	_cleanup_(mem_freep) char *path = new_path();
	struct stat st;

	write_lengths(path);
	assert_int_equal(stat(path, &st), 0);
	assert_true(compare_fronts(path) < (u64)st.st_size / 2);
	/* cut in the middle of everything */
	for (off_t cut = 8; cut < 300000; cut = cut * 3 / 2 / 8 * 8 + 8) {
		assert_int_equal(truncate(path, st.st_size - cut), 0);
		compare_fronts(path);
	}
	unlink(path);
}

static void derived_names(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	struct perfdata_opts o = { .path = path };
	struct err e = ERR_INIT;
	struct perfdata *f;

	(void)state;
	write_file(path, false);
	assert_int_equal(perfdata_open(&f, &o, &e), 0);
	assert_string_equal(perfdata_event(f, 1)->name, "page-faults:HG");
	perfdata_close(f);
	unlink(path);
}

static void cut_file(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	struct perfdata_damage d;
	struct stat st;

	(void)state;
	write_file(path, false);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - 30), 0);
	assert_int_equal(count_file(path, &d), SAMPLES - 1);
	assert_int_not_equal(d.truncated_bytes, 0);
	assert_string_not_equal(d.first, "");
	unlink(path);
}

static void unfinished_file(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	struct perfdata_writer *w = open_writer(
		&(struct perfdata_writer_opts){ .path = path, .fd = -1 });
	struct perfdata_damage d;
	struct err e = ERR_INIT;

	(void)state;
	add_samples(w, 0, SAMPLES);
	assert_int_equal(writer_flush(w, &e), 0);
	writer_discard(w);
	assert_int_equal(count_file(path, &d), SAMPLES);
	assert_true(d.unfinished);
	unlink(path);
}

static void stream_in_file(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	struct perfdata_writer *w = open_writer(&(struct perfdata_writer_opts){ .fd = fd });
	struct perfdata_damage d;
	struct err e = ERR_INIT;

	(void)state;
	assert_true(writer_is_pipe(w));
	add_features(w);
	add_samples(w, 0, SAMPLES);
	assert_int_equal(writer_finish(w, &e), 0);
	assert_int_equal(count_file(path, &d), SAMPLES);
	assert_int_equal(d.truncated_bytes + d.skipped_records, 0);
	close(fd);
	unlink(path);
}

static void old_is_kept(void **state)
{
	_cleanup_(mem_freep) char *path = new_path();
	_cleanup_(mem_freep) char *old = xasprintf("%s.old", path);
	struct perfdata_writer_opts o = { .path = path, .fd = -1, .keep_old = true };
	struct perfdata_damage d;
	struct stat st;

	(void)state;
	write_file(path, false);
	writer_discard(open_writer(&o));
	assert_int_equal(count_file(old, &d), SAMPLES);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	unlink(path);
	unlink(old);
}

static void disk_full(void **state)
{
	struct perfdata_writer_opts o = { .path = "/dev/full", .fd = -1 };
	struct perfdata_writer *w;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(perfdata_writer_open(&w, &o, &e), 0);
	writer_add_event(w, &attr_a, "x", NULL, 0);
	assert_int_equal(writer_begin(w, &e), -1);
	assert_int_equal(e.code, ENOSPC);
	writer_discard(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),      cmocka_unit_test(derived_names),
		cmocka_unit_test(fronts),          cmocka_unit_test(cut_file),
		cmocka_unit_test(unfinished_file), cmocka_unit_test(stream_in_file),
		cmocka_unit_test(old_is_kept),     cmocka_unit_test(disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
