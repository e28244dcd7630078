/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms a recording may have: byte orders, streams, directories, compression, odd sizes. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"
#include "perfdata/writer.h"

enum { BUF = 128 << 10 };

/* A file in memory with these bytes; the path stays good until the process ends. */
static char *memory_file(const void *data, size_t len)
{
	int fd = memfd_create("perf.data", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	return xasprintf("/proc/self/fd/%d", fd);
}

static struct perfdata *open_path(const char *path)
{
	struct perfdata_opts o = { .path = path, .force = true };
	struct err e = ERR_INIT;
	struct perfdata *f = NULL;

	if (perfdata_open(&f, &o, &e))
		fail_msg("%s: %s", path, e.text);
	return f;
}

struct counts {
	u64 records, samples, bad;
	u64 nr_type[PERF_RECORD_HEADER_MAX];
	u32 last_stream;
};

static void count_records(struct perfdata *f, struct counts *n)
{
	_cleanup_(mem_freep) u8 *buf = aligned_alloc(8, BUF);
	struct perfdata_chunk c;
	struct err e = ERR_INIT;
	int r;

	*n = (struct counts){ 0 };
	while ((r = perfdata_read(f, buf, BUF, &c, &e)) > 0) {
		n->last_stream = c.stream;
		for (size_t off = 0; off < c.len;) {
			struct perf_event_header *h = (void *)(buf + off);
			const struct perfdata_event *ev = perfdata_event_of(f, h);
			struct sample s;

			assert_true(h->size >= sizeof(*h) && h->size <= c.len - off);
			assert_int_equal((uintptr_t)h % 8, 0);
			n->records++;
			if (h->type < ARRAY_SIZE(n->nr_type))
				n->nr_type[h->type]++;
			if (h->type == PERF_RECORD_SAMPLE) {
				n->samples++;
				n->bad += !ev || !sample_decode(&ev->layout, h, &s);
			}
			off += h->size;
		}
	}
	assert_int_equal(r, 0);
}

static char *data_path(const char *name)
{
	return xasprintf("%s/perfdata/%s", getenv("TEST_DATA"), name);
}

static void sample_files(void **state)
{
	static const struct {
		const char *name, *event;
		u64 events, records, samples;
	} files[] = {
		{ "autofdo-ro_sample.perf", "cycles:u", 1, 24, 13 },
		{ "quipper-perf.data.armv7-3.4", "cycles", 6, 5554, 3893 },
		{ "quipper-perf.data.callgraph-3.8", "cycles", 1, 3798, 1768 },
		{ "quipper-perf.data.raw-3.4", "cycles", 1, 2317, 441 },
		{ "quipper-perf.data.branch-4.14", "cycles:ppp", 1, 50, 13 },
		{ "quipper-perf.data.group_desc-4.14", "cache-references", 2, 50, 13 },
		{ "quipper-perf.data.hybrid_topology", "cpu_core/cycles:ppp/", 3, 124, 7 },
		{ "quipper-perf.data.piped.target.throttled-3.4", "cycles", 1, 807, 228 },
		{ "quipper-perf.data.piped.header_features-4.16", "cpu-clock", 1, 57, 2 },
		{ "simpleperf-perf_with_two_event_types.data", "cycles:HG", 2, 168, 10 },
		{ "simpleperf-perf_etm.data", "unknown attr type: 8", 1, 70, 0 },
		{ "linux-perf-data-sleep.compressed.data", "cycles:P", 1, 96, 8 },
		{ "linux-perf-data-sleep.compressed.pipe.data", "cycles:P", 1, 119, 8 },
		{ "linux-perf-data-sleep.compressed2.data", "cycles:Pu", 1, 21, 7 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(mem_freep) char *path = data_path(files[i].name);
		struct perfdata *f = open_path(path);
		struct counts n;

		count_records(f, &n);
		if (strstr(perfdata_damage(f)->first, "without zstd")) {
			perfdata_close(f);
			continue;
		}
		assert_int_equal(perfdata_nr_events(f), files[i].events);
		assert_string_equal(perfdata_event(f, 0)->name, files[i].event);
		assert_int_equal(n.records, files[i].records);
		assert_int_equal(n.samples, files[i].samples);
		assert_int_equal(n.bad, 0);
		assert_string_equal(perfdata_damage(f)->first, "");
		perfdata_close(f);
	}
}

static void tracepoint_names(void **state)
{
	_cleanup_(mem_freep) char *path = data_path("linuxtracepoints-pipe.data");
	struct perfdata *f = open_path(path);
	const void *blob;
	struct counts n;
	size_t size;

	(void)state;
	count_records(f, &n);
	assert_int_equal(perfdata_nr_events(f), 11);
	assert_string_equal(perfdata_event(f, 9)->name, "sched:sched_switch");
	perfdata_tracing_data(f, &blob, &size);
	assert_non_null(blob);
	assert_memory_equal(blob, "\x17\x08\x44tracing", 10);
	assert_int_equal(n.samples, 551);
	assert_int_equal(n.bad, 0);
	perfdata_close(f);
}

/* Big-endian encoding */

static void be(struct strbuf *out, u64 v, int bytes)
{
	while (bytes--)
		strbuf_addch(out, (char)(v >> (8 * bytes)));
}

static void be_header(struct strbuf *out, u32 type, u16 misc, u16 size)
{
	be(out, type, 4);
	be(out, misc, 2);
	be(out, size, 2);
}

static void be_stream(struct strbuf *out)
{
	const u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			 PERF_SAMPLE_CALLCHAIN;

	be(out, 0x32454c4946524550, 8); /* "PERFILE2" read on little-endian machines */
	be(out, 16, 8);
	be_header(out, PERF_RECORD_HEADER_ATTR, 0, 8 + 64 + 8);
	be(out, PERF_TYPE_SOFTWARE, 4);
	be(out, 64, 4);
	be(out, PERF_COUNT_SW_TASK_CLOCK, 8);
	be(out, 4000, 8);
	be(out, type, 8);
	be(out, 0, 8);
	/* disabled, precise_ip 2, sample_id_all: bit n is the n-th from the top */
	be(out, 1ULL << 63 | 1ULL << (63 - 15) | 1ULL << (63 - 18), 8);
	be(out, 0, 16 - 8);
	be(out, 0, 8);
	be(out, 100, 8);
	be_header(out, PERF_RECORD_COMM, 0, 8 + 8 + 8 + 16);
	be(out, 7, 4);
	be(out, 8, 4);
	strbuf_add(out, "abc\0\0\0\0", 8);
	be(out, 7, 4);
	be(out, 8, 4);
	be(out, 5, 8);
	be_header(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 24 + 24);
	be(out, 0x1234, 8);
	be(out, 7, 4);
	be(out, 8, 4);
	be(out, 6, 8);
	be(out, 2, 8);
	be(out, 0x1234, 8);
	be(out, 0x5678, 8);
}

static void foreign_endian(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf bytes = STRBUF_INIT;
	_cleanup_(mem_freep) u8 *buf = aligned_alloc(8, BUF);
	_cleanup_(mem_freep) char *path = NULL;
	const struct perf_event_header *h;
	const struct perfdata_event *ev;
	struct perfdata_chunk c;
	struct sample_id id;
	struct perfdata *f;
	struct sample s;

	(void)state;
	be_stream(&bytes);
	path = memory_file(bytes.buf, bytes.len);
	f = open_path(path);
	assert_true(perfdata_is_foreign_endian(f));
	assert_int_equal(perfdata_read(f, buf, BUF, &c, NULL), 1);
	ev = perfdata_event(f, 0);
	assert_non_null(ev);
	assert_string_equal(ev->name, "task-clock:pp");
	assert_int_equal(ev->ids[0], 100);
	assert_int_equal(ev->attr.precise_ip, 2);
	assert_true(ev->attr.disabled && ev->attr.sample_id_all && !ev->attr.inherit);
	h = (void *)(buf + 80);
	assert_int_equal(h->type, PERF_RECORD_COMM);
	assert_string_equal((const char *)(h + 1) + 8, "abc");
	assert_true(sample_id_decode(&ev->layout, h, &id));
	assert_int_equal(id.tid, 8);
	assert_int_equal(id.time, 5);
	h = (void *)(buf + 120);
	assert_true(sample_decode(&ev->layout, h, &s));
	assert_int_equal(s.ip, 0x1234);
	assert_int_equal(s.pid, 7);
	assert_int_equal(s.time, 6);
	assert_int_equal(s.nr_chain, 2);
	assert_int_equal(s.chain[1], 0x5678);
	perfdata_close(f);
}

static const struct perf_event_attr plain_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP,
	.sample_period = 1,
};

static void write_samples(struct perfdata_writer *w, u16 size, u32 nr)
{
	u64 words[32] = { 0 };
	struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, size };

	memcpy(words, &h, sizeof(h));
	for (u32 i = 0; i < nr; i++)
		assert_int_equal(writer_append(w, words, size, NULL), 0);
}

static struct perfdata_writer *new_file(const char *path)
{
	struct perfdata_writer_opts o = { .path = path, .fd = -1 };
	struct perfdata_writer *w;

	assert_int_equal(perfdata_writer_open(&w, &o, NULL), 0);
	writer_add_event(w, &plain_attr, "x", NULL, 0);
	assert_int_equal(writer_begin(w, NULL), 0);
	return w;
}

/* So many records of odd size that the reader changes its way. */
static void odd_sizes(void **state)
{
	char name[] = "/tmp/perfdata-odd-XXXXXX";
	struct perfdata_writer *w;
	struct perfdata *f;
	struct counts n;

	(void)state;
	close(mkstemp(name));
	w = new_file(name);
	write_samples(w, 16, 3);
	write_samples(w, 17, 2000);
	write_samples(w, 24, 3);
	write_samples(w, 21, 5);
	assert_int_equal(writer_finish(w, NULL), 0);
	f = open_path(name);
	for (int i = 0; i < 2; i++) {
		count_records(f, &n);
		assert_int_equal(n.samples, 2011);
		assert_int_equal(n.bad, 0);
		assert_true(perfdata_rewind(f));
	}
	perfdata_close(f);
	unlink(name);
}

/* The payload behind AUXTRACE is passed over, also where it is said to be longer than the file. */
static void aux_payload(void **state)
{
	char name[] = "/tmp/perfdata-aux-XXXXXX";

	(void)state;
	close(mkstemp(name));
	for (int cut = 0; cut < 2; cut++) {
		struct perfdata_writer *w = new_file(name);
		u64 aux[6] = { 0 };
		struct perf_event_header h = { PERF_RECORD_AUXTRACE, 0, sizeof(aux) };
		struct perfdata *f;
		struct counts n;

		memcpy(aux, &h, sizeof(h));
		aux[1] = cut ? 1ULL << 40 : 1000;
		write_samples(w, 16, 1);
		writer_append(w, aux, sizeof(aux), NULL);
		if (!cut) {
			u8 junk[1000];

			memset(junk, 0xff, sizeof(junk));
			writer_append(w, junk, sizeof(junk), NULL);
			write_samples(w, 16, 1);
		}
		assert_int_equal(writer_finish(w, NULL), 0);
		f = open_path(name);
		count_records(f, &n);
		assert_int_equal(n.samples, cut ? 1 : 2);
		assert_int_equal(n.nr_type[PERF_RECORD_AUXTRACE], 1);
		assert_int_equal(perfdata_damage(f)->truncated_bytes, cut ? 1ULL << 40 : 0);
		perfdata_close(f);
	}
	unlink(name);
}

static void directory(void **state)
{
	char dir[] = "/tmp/perfdata-dir-XXXXXX";
	_cleanup_(mem_freep) char *data = NULL;
	_cleanup_(mem_freep) char *member = NULL;
	u64 sample[2] = { 0 };
	struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, sizeof(sample) };
	struct perfdata_writer *w;
	struct perfdata *f;
	struct counts n;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	data = xasprintf("%s/data", dir);
	member = xasprintf("%s/data.0", dir);
	w = new_file(data);
	write_samples(w, 16, 2);
	assert_int_equal(writer_finish(w, NULL), 0);
	fd = open(member, O_CREAT | O_WRONLY, 0600);
	memcpy(sample, &h, sizeof(h));
	assert_int_equal(write(fd, sample, sizeof(sample)), sizeof(sample));
	close(fd);
	f = open_path(dir);
	for (int i = 0; i < 2; i++) {
		count_records(f, &n);
		assert_int_equal(n.samples, 3);
		assert_int_equal(n.last_stream, 1);
		assert_true(perfdata_rewind(f));
	}
	perfdata_close(f);
	unlink(member);
	unlink(data);
	rmdir(dir);
}

/* A record of impossible size ends the reading, with a word about it. */
static void broken_record(void **state)
{
	char name[] = "/tmp/perfdata-bad-XXXXXX";
	u64 zero[4] = { 0 };
	struct perfdata_writer *w;
	struct perfdata *f;
	struct counts n;

	(void)state;
	close(mkstemp(name));
	w = new_file(name);
	write_samples(w, 16, 4);
	writer_append(w, zero, sizeof(zero), NULL);
	write_samples(w, 16, 4);
	assert_int_equal(writer_finish(w, NULL), 0);
	f = open_path(name);
	count_records(f, &n);
	assert_int_equal(n.samples, 4);
	assert_int_equal(perfdata_damage(f)->skipped_records, 1);
	assert_int_equal(perfdata_damage(f)->truncated_bytes, 32 + 64);
	assert_string_not_equal(perfdata_damage(f)->first, "");
	perfdata_close(f);
	unlink(name);
}

static void malformed(void **state)
{
	static const char *const names[] = {
		"clusterfuzz-4883679740166144", "poc-15c4696aab8d4750", "poc-1d0e6544b4addbad",
		"poc-3be2b745d86f9b6e",         "poc-4a52fdd4e9d5adcd", "poc-7bef7f895afc2ab0",
		"poc-8b38b630443e3d51",         "poc-c895bf2ccfcc61dd", "poc-cea30a3a2372cd39",
		"poc-eebb35632622f4e6",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(mem_freep) char *file = xasprintf("malformed/%s", names[i]);
		_cleanup_(mem_freep) char *path = data_path(file);
		struct perfdata_opts o = { .path = path, .force = true };
		struct err e = ERR_INIT;
		struct perfdata *f;
		struct counts n;

		if (perfdata_open(&f, &o, &e)) {
			assert_string_not_equal(e.text, "");
			assert_int_not_equal(e.code, ENOENT);
			continue;
		}
		count_records(f, &n);
		perfdata_close(f);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *text;
	} files[] = {
		{ "", 0, "zero-sized" },
		{ "hello, world, this is no recording", 34, "no perf.data file" },
		{ "PERFILE2\x68\0\0\0\0\0\0\0", 16, "too short" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(mem_freep) char *path = memory_file(files[i].bytes, files[i].len);
		struct perfdata_opts o = { .path = path, .force = true };
		struct err e = ERR_INIT;
		struct perfdata *f;

		assert_int_equal(perfdata_open(&f, &o, &e), -1);
		assert_non_null(strstr(e.text, files[i].text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample_files),   cmocka_unit_test(tracepoint_names),
		cmocka_unit_test(foreign_endian), cmocka_unit_test(odd_sizes),
		cmocka_unit_test(aux_payload),    cmocka_unit_test(directory),
		cmocka_unit_test(broken_record),  cmocka_unit_test(malformed),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
