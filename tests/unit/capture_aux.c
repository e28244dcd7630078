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
#include "capture/aux_coresight.h"
#include "capture/drain.h"
#include "sys/limits.h"
#include "sysfs_tree.h"

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

	a->ev.pmu_name = (char *)(uintptr_t) "arm_spe_0";
	a->cfg.aux_mode = mode;
	a->area = (struct aux_area){
		.page = &a->page, .base = a->trace, .fd = -1, .cpu = 3, .tid = -1
	};
	a->areas = (struct aux_areas){ .cfg = &a->cfg,
				       .kind = aux_kind_of(&a->ev),
				       .area = &a->area,
				       .nr = 1,
				       .size = SIZE,
				       .index = STRBUF_INIT };
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
	const u64 flags[] = { 0, PERF_AUX_FLAG_TRUNCATED,
			      PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED,
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

/* Descriptions as perf for arm64 writes them with these trees, 6.1 and (kernel 7.3) 7.3. */
struct description {
	const char *tree, *pmu;
	u32 kernel;
	u64 config;
	u32 cpu, nr_cpus; /* the first, and how many */
	bool snapshots;
	u32 type;
	size_t nr;
	u64 words[32];
};

#define ETM4 0x4040404040404040ULL
#define ETE 0x5050505050505050ULL
#define ETM3 0x3030303030303030ULL
#define SPE 0x1010101010101010ULL
#define NONE (~0ULL)
#define WORDS(...)                                                                                 \
	.nr = sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64), .words = { __VA_ARGS__ }

static const struct description descriptions[] = {
	{ "aux-arm", "cs_etm", SYS_KERNEL(6, 1), 0x10005000, 0, 2, false, 3,
	  WORDS(1, 0xb00000002, 0, ETM4, 0, 7, 0x850, 0x10, 0x28000ea1, 0x4100f424, 0x20001088,
		0x17, 0xcc, ETE, 1, 8, 0x850, 0x12, 0x28000ea2, 0x4100f425, 0x20001089, 0x18, 0xcd,
		0x47705a13) },
	{ "aux-arm", "cs_etm", SYS_KERNEL(7, 3), 0x10005000, 0, 2, false, 3,
	  WORDS(2, 0xb00000002, 0, ETM4, 0, 8, 0x850, 0x10, 0x28000ea1, 0x4100f424, 0x20001088,
		0x17, 0xcc, NONE, ETE, 1, 9, 0x850, 0x12, 0x28000ea2, 0x4100f425, 0x20001089, 0x18,
		0xcd, 0x47705a13, 1) },
	{ "aux-arm", "cs_etm", SYS_KERNEL(6, 1), 0x10004000, 1, 1, true, 3,
	  WORDS(1, 0xb00000001, 1, ETE, 1, 8, 0x840, 0x12, 0x28000ea2, 0x4100f425, 0x20001089, 0x18,
		0xcd, 0x47705a13) },
	{ "aux-etm3", "cs_etm", SYS_KERNEL(6, 1), 0, 0, 2, false, 3,
	  WORDS(1, 0xb00000002, 0, ETM3, 0, 4, 0, 0x10, 0x34c01ac0, 0x411cf310, ETM3, 1, 4, 0, 0x12,
		0x34c01ac1, 0x411cf311) },
	{ "aux-etm3", "cs_etm", SYS_KERNEL(7, 3), 0x20000000, 0, 2, false, 3,
	  WORDS(2, 0xb00000002, 0, ETM3, 0, 4, 0x20000000, 0x10, 0x34c01ac0, 0x411cf310, ETM3, 1, 4,
		0x20000000, 0x12, 0x34c01ac1, 0x411cf311) },
	{ "aux-arm", "arm_spe_0", SYS_KERNEL(6, 1), 1, 0, 2, false, 4, WORDS(10, 0) },
	{ "aux-arm", "arm_spe_0", SYS_KERNEL(7, 3), 1, 0, 2, false, 4,
	  WORDS(2, 4, 10, 2, SPE, 0, 4, 0x410fd0c1, 10, 1024, 0xfffe, SPE, 1, 4, 0x410fd0c2, 10,
		1024, 0xfffe) },
	{ "aux-arm", "arm_spe_1", SYS_KERNEL(7, 3), 1, 0, 2, false, 4,
	  WORDS(2, 4, 13, 2, SPE, 0, 4, 0x410fd0c1, NONE, 0, 0, SPE, 1, 4, 0x410fd0c2, 13, 256,
		0) },
	{ "aux-arm", "hisi_ptt0_2", SYS_KERNEL(6, 1), 0, 0, 2, false, 6, WORDS(12) },
};

static void expect_description(const struct description *d)
{
	char *root = tree_unpack(d->tree);
	struct event ev = { .pmu_name = (char *)(uintptr_t)d->pmu,
			    .attr = { .config = d->config } };
	const u32 cpus[] = { d->cpu, d->cpu + 1 };
	struct pmu_catalog pmus;
	struct aux_facts f = { .pmus = &pmus,
			       .ev = &ev,
			       .cpus = cpus,
			       .nr_cpus = d->nr_cpus,
			       .sysfs = root,
			       .kernel = d->kernel,
			       .snapshots = d->snapshots,
			       .per_cpu = true };
	struct strbuf words = STRBUF_INIT;
	struct pmu *pmu;
	u32 type = 0;

	tree_write(root, "devices/system/cpu/cpu0/regs/identification/midr_el1",
		   "0x00000000410fd0c1");
	tree_write(root, "devices/system/cpu/cpu1/regs/identification/midr_el1",
		   "0x00000000410fd0c2");
	pmu_catalog_init(&pmus, root);
	pmu = pmu_find(&pmus, d->pmu);
	assert_non_null(pmu);
	pmu_load(&pmus, pmu);
	f.pmu = pmu;
	assert_int_equal(aux_describe(aux_kind_of(&ev), &f, &type, &words, NULL), 0);
	assert_int_equal(type, d->type);
	assert_int_equal(words.len, d->nr * sizeof(u64));
	assert_memory_equal(words.buf, d->words, words.len);
	strbuf_release(&words);
	pmu_catalog_release(&pmus);
	tree_remove(root);
}

static void test_descriptions(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(descriptions); i++)
		expect_description(&descriptions[i]);
}

/* What a unit of CoreSight must be able to do; CPU 0 of the tree can all of it. */
static const char *refusal(const char *file, const char *content, u64 config)
{
	static char text[512];
	char *root = tree_unpack("aux-arm");
	struct event ev = { .pmu_name = (char *)(uintptr_t) "cs_etm",
			    .attr = { .config = config } };
	const u32 cpu = 0;
	struct pmu_catalog pmus;
	struct aux_facts f = { .pmus = &pmus, .ev = &ev, .cpus = &cpu, .nr_cpus = 1 };
	struct err e = ERR_INIT;
	char path[256];

	snprintf(path, sizeof(path), "bus/event_source/devices/cs_etm/cpu0/trcidr/%s", file);
	tree_write(root, path, content);
	pmu_catalog_init(&pmus, root);
	f.pmu = pmu_find(&pmus, "cs_etm");
	text[0] = '\0';
	if (coresight_check(&f, &e) < 0)
		snprintf(text, sizeof(text), "%s", e.text);
	pmu_catalog_release(&pmus);
	tree_remove(root);
	return text;
}

static void test_units(void **state UNUSED)
{
	enum { CONTEXT1 = 1 << 14, CONTEXT2 = 1 << 15, TIMESTAMP = 1 << 28 };

	assert_string_equal(refusal("trcidr2", "0x20001088", CONTEXT1 | CONTEXT2 | TIMESTAMP), "");
	assert_non_null(strstr(refusal("trcidr2", "0x20001008", CONTEXT1),
			       "disable with cs_etm/contextid1=0/"));
	assert_string_equal(refusal("trcidr2", "0x20001008", CONTEXT2), "");
	assert_non_null(strstr(refusal("trcidr2", "0x1088", CONTEXT2),
			       "disable with cs_etm/contextid2=0/"));
	assert_non_null(strstr(refusal("trcidr2", "0x20000888", CONTEXT2),
			       "disable with cs_etm/contextid2=0/"));
	assert_non_null(strstr(refusal("trcidr0", "0x20000ea1", TIMESTAMP),
			       "disable with cs_etm/timestamp=0/"));
	assert_string_equal(refusal("trcidr0", "0x20000ea1", CONTEXT1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_snapshots),
		cmocka_unit_test(test_snapshot_of_a_position),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_descriptions),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
