/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX areas that are made up: what of them goes to a file, and where the index says that it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/rw.h"
#include "capture/aux_areas.h"
#include "capture/drain.h"

enum { SIZE = 4096, RECORD = 48 };

struct aux {
	struct event ev;
	struct capture_config cfg;
	struct perf_event_mmap_page page;
	struct aux_area area;
	struct aux_areas areas;
	u8 trace[SIZE];
	char path[64];
	struct perfdata_writer *w;
	struct strbuf file;
};

static struct aux *begin(enum capture_aux mode)
{
	struct aux *a = XNEW(struct aux);
	struct perfdata_writer_opts opts = { .path = a->path, .fd = -1 };
	int fd;

	a->ev.pmu_name = (char *)(uintptr_t)"arm_spe_0";
	a->cfg.aux_mode = mode;
	a->area = (struct aux_area){ .page = &a->page, .base = a->trace, .fd = -1, .cpu = 3, .tid = -1 };
	a->areas = (struct aux_areas){ .cfg = &a->cfg, .kind = aux_kind_of(&a->ev), .area = &a->area, .nr = 1,
				       .size = SIZE, .index = STRBUF_INIT };
	a->file = (struct strbuf)STRBUF_INIT;
	snprintf(a->path, sizeof(a->path), "/tmp/capture-aux-XXXXXX");
	fd = mkstemp(a->path);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(perfdata_writer_open(&a->w, &opts, NULL), 0);
	assert_int_equal(writer_begin(a->w, NULL), 0);
	return a;
}

/* The hardware writes bytes that tell their own place. */
static void hardware(struct aux *a, u64 len)
{
	for (u64 i = 0; i < len; i++, a->page.aux_head++)
		a->trace[a->page.aux_head % SIZE] = (u8)(a->page.aux_head * 31 % 251 + 1);
}

static void finish(struct aux *a)
{
	assert_int_equal(writer_finish(a->w, NULL), 0);
	assert_int_equal(rw_slurp(a->path, &a->file, NULL), 0);
	unlink(a->path);
}

static void end(struct aux *a)
{
	strbuf_release(&a->file);
	strbuf_release(&a->areas.index);
	free(a);
}

static u64 word(const struct aux *a, size_t at)
{
	u64 w;

	memcpy(&w, a->file.buf + at, sizeof(w));
	return w;
}

/* Record n of the index: len bytes of the trace from position `from` on. */
static void expect(const struct aux *a, size_t n, u64 from, u64 len)
{
	u64 place[2];
	size_t at;

	assert_true(a->areas.index.len >= (n + 1) * sizeof(place));
	memcpy(place, a->areas.index.buf + n * sizeof(place), sizeof(place));
	assert_int_equal(place[1], RECORD);
	at = place[0];
	assert_int_equal((u32)word(a, at), PERF_RECORD_AUXTRACE);
	assert_int_equal(word(a, at) >> 48, RECORD);
	assert_int_equal(word(a, at + 8), ALIGN_UP(len, 8));
	assert_int_equal(word(a, at + 16), from);
	assert_int_equal(word(a, at + 32), (u64)UINT32_MAX << 32); /* idx 0, tid -1 */
	assert_int_equal((u32)word(a, at + 40), 3);
	for (u64 i = 0; i < len; i++)
		assert_int_equal((u8)a->file.buf[at + RECORD + i], (u8)((from + i) * 31 % 251 + 1));
	for (u64 i = len; i < ALIGN_UP(len, 8); i++)
		assert_int_equal(a->file.buf[at + RECORD + i], 0);
}

static void test_whole(void **state UNUSED)
{
	struct aux *a = begin(AUX_WHOLE);
	bool any = false;

	assert_int_equal(aux_areas_read(&a->areas, 0, false, a->w, &any, NULL), 0);
	assert_false(any);
	hardware(a, 3001);
	assert_int_equal(aux_areas_read(&a->areas, 0, false, a->w, &any, NULL), 0);
	assert_true(any);
	assert_int_equal(a->page.aux_tail, 3001);
	hardware(a, 4000); /* over the end */
	assert_int_equal(aux_areas_read(&a->areas, 0, false, a->w, &any, NULL), 0);
	assert_int_equal(a->page.aux_tail, 7001);
	assert_int_equal(a->areas.bytes, 7001);
	finish(a);
	expect(a, 0, 0, 3001);
	expect(a, 1, 3001, 4000);
	assert_int_equal(a->areas.index.len, 32);
	end(a);
}

static void test_snapshots(void **state UNUSED)
{
	struct aux *a = begin(AUX_SNAPSHOTS);

	assert_int_equal(aux_areas_snapshot(&a->areas, a->w, NULL), 0); /* nothing there yet */
	hardware(a, 1000);
	assert_int_equal(aux_areas_snapshot(&a->areas, a->w, NULL), 0);
	a->cfg.aux_snapshot_size = 512;
	assert_int_equal(aux_areas_snapshot(&a->areas, a->w, NULL), 0);
	hardware(a, 2 * SIZE);
	assert_int_equal(aux_areas_snapshot(&a->areas, a->w, NULL), 0);
	finish(a);
	expect(a, 0, 0, 1000);
	expect(a, 1, 1000 - 512, 512);
	assert_int_equal(a->areas.index.len, 48);
	end(a);
}

/* A head that is a position in the area: only its contents tell that it went round. */
static void test_snapshot_of_a_position(void **state UNUSED)
{
	struct aux *a = begin(AUX_SNAPSHOTS);
	u64 at;

	hardware(a, SIZE + 100);
	a->page.aux_head = 100;
	assert_int_equal(aux_areas_snapshot(&a->areas, a->w, NULL), 0);
	assert_int_equal(a->areas.bytes, SIZE);
	finish(a);
	memcpy(&at, a->areas.index.buf, sizeof(at));
	assert_memory_equal(a->file.buf + at + RECORD, a->trace + 100, SIZE - 100);
	assert_memory_equal(a->file.buf + at + RECORD + SIZE - 100, a->trace, 100);
	end(a);
}

static void test_losses(void **state UNUSED)
{
	static u64 words[512];
	struct ring r = { .data = (const u8 *)words, .mask = sizeof(words) - 1 };
	const u64 flags[] = { 0, PERF_AUX_FLAG_TRUNCATED, PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED,
			      PERF_AUX_FLAG_COLLISION };
	struct drain d = { .layout = { .ip = -1, .tid = -1, .time = -1 } };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		struct perf_event_header h = { .type = PERF_RECORD_AUX, .size = 32 };

		memcpy(&words[i * 4], &h, sizeof(h));
		words[i * 4 + 3] = flags[i];
	}
	assert_int_equal(drain_scan(&d, &r, 0, 128, 128), 128);
	assert_int_equal(d.stats.aux_full, 2);
	assert_int_equal(d.stats.aux_gaps, 1);
	assert_int_equal(d.stats.aux_collisions, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_snapshots),
		cmocka_unit_test(test_snapshot_of_a_position),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
