/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of very many light rows some stand for the others when counts age: sums stay, and so do heavy
 * rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "agg/private.h"
#include "agg/snapshot.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

enum { PLACES = 20000, LIGHT = 10, HEAVY = 4000000, PID = 5, FIRST = 0x10000 };
/* A light row is one with no more than a 131,072nd of all, which is 32 here: four make one. */
enum { TOGETHER = 4 };

static void add_record(struct strbuf *sb, u32 type, u16 misc, const void *body, size_t len)
{
	struct perf_event_header h = { .type = type, .misc = misc, .size = (u16)(sizeof(h) + len) };

	strbuf_add(sb, &h, sizeof(h));
	strbuf_add(sb, body, len);
}

/* A stream: each place of the code of one process is hit once, the first of them heavily. */
static void write_stream(const char *path)
{
	static const u64 head[2] = { 0x32454c4946524550ULL, 16 };
	struct {
		struct perf_event_attr attr;
		u64 id;
	} attr = { .attr = { .type = PERF_TYPE_SOFTWARE,
			     .size = sizeof(attr.attr),
			     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					    PERF_SAMPLE_PERIOD },
		   .id = 1 };
	struct strbuf sb = STRBUF_INIT;
	int fd = open(path, O_WRONLY);

	strbuf_add(&sb, head, sizeof(head));
	add_record(&sb, PERF_RECORD_HEADER_ATTR, 0, &attr, sizeof(attr));
	for (u64 i = 0; i <= PLACES; i++) {
		u64 sample[] = { FIRST + i, (u64)PID << 32 | PID, 1000 + i, i ? LIGHT : HEAVY };

		add_record(&sb, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sample, sizeof(sample));
	}
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, sb.buf, sb.len), 0);
	close(fd);
	strbuf_release(&sb);
}

static bool count(void *ctx, struct session_worker *w, unsigned int worker,
		  const struct session_record *r, size_t nr)
{
	return agg_samples(ctx, w, worker, r, nr);
}

static void light_rows_stand_for_others(void **state UNUSED)
{
	char path[] = "/tmp/perf-unit-XXXXXX";
	_cleanup_(mem_closep) int fd = mkstemp(path);
	struct session_opts o = { .input = { .path = path }, .workers = 1 };
	struct agg_config c = { .socket = -1, .nr_keys = 1, .nr_sort = 1 };
	struct session_consumer consumer = { .samples = count };
	struct err e = ERR_INIT;
	struct snapshot *s;
	struct session *session;
	struct agg *a, *rows;
	u64 period = 0;

	assert_true(fd >= 0);
	c.keys[0] = agg_key_find("symbol", 6);
	write_stream(path);
	assert_int_equal(session_open(&session, &o, &e), 0);
	assert_int_equal(agg_new(&a, session, &c, &e), 0);
	consumer.ctx = a;
	assert_int_equal(session_run(session, &consumer, &e), 0);
	unlink(path);

	assert_int_equal(agg_size(a).rows, PLACES + 1);
	agg_decay(a, 1, 1);
	assert_int_equal(agg_size(a).rows, PLACES / TOGETHER + 1);
	s = snapshot_take(a);
	assert_int_equal(snapshot_rows(&rows, s, &c, &e), 0);
	for (size_t i = 0; i < agg_section(rows, 0)->nr_rows; i++) {
		u64 own = agg_sums_of(rows, agg_section(rows, 0)->rows[i], 0).period;

		assert_true(own == HEAVY || own == (u64)TOGETHER * LIGHT);
		period += own;
	}
	assert_int_equal(period, HEAVY + PLACES * LIGHT);
	agg_free(rows);
	snapshot_free(s);
	agg_free(a);
	session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(light_rows_stand_for_others) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
