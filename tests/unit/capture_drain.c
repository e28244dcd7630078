/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings by hand: wrapping, counting, damage; touched objects; records; build ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "capture/drain.h"
#include "capture/note_id.h"
#include "capture/records.h"

enum { RING_BYTES = 4096 };

static u64 memory[RING_BYTES / 8];
static struct perf_event_mmap_page page;
static struct ring ring;

static void start(u64 at)
{
	page = (struct perf_event_mmap_page){ .data_head = at, .data_tail = at };
	ring = (struct ring){
		.page = &page, .data = (const u8 *)memory, .mask = RING_BYTES - 1, .tail = at
	};
}

static void put(const void *data, size_t len)
{
	const u8 *from = data;
	u8 *to = (u8 *)memory;

	for (size_t i = 0; i < len; i++)
		to[(page.data_head + i) & ring.mask] = from[i];
	page.data_head += len;
}

static void put_sample(u64 ip, u32 pid, u64 time)
{
	struct {
		struct perf_event_header h;
		u64 ip;
		u32 pid, tid;
		u64 time;
	} s = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) }, ip, pid, pid, time };

	put(&s, sizeof(s));
}

static void put_map_of(const char *name, s32 pid, u64 addr, u8 id0)
{
	const u8 id[20] = { id0, 0xcd };
	struct records r = { .out = STRBUF_INIT };
	struct records_map m = { .pid = pid,
				 .tid = pid,
				 .addr = addr,
				 .len = 0x2000,
				 .cpumode = PERF_RECORD_MISC_USER,
				 .name = name,
				 .build_id = id,
				 .build_id_size = 20 };

	records_mmap2(&r, &m);
	put(r.out.buf, r.out.len);
	strbuf_release(&r.out);
}

static void put_map(const char *name, s32 pid, u64 addr)
{
	put_map_of(name, pid, addr, 0xab);
}

static void counts_across_the_wrap(void **state)
{
	struct drain d = { .layout = drain_layout_of(PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						     PERF_SAMPLE_TIME) };
	struct {
		struct perf_event_header h;
		u64 id, lost;
	} lost = { { PERF_RECORD_LOST, 0, sizeof(lost) }, 1, 42 };
	struct iovec iov[2];

	(void)state;
	start(RING_BYTES - 40);
	put_sample(0x1000, 7, 300);
	put_sample(0x1000, 7, 100);
	put(&lost, sizeof(lost));
	assert_int_equal(drain_scan(&d, &ring, ring.tail, ring_head(&ring), ~0ULL),
			 ring_head(&ring));
	assert_int_equal(d.stats.samples, 2);
	assert_int_equal(d.stats.first_time, 100);
	assert_int_equal(d.stats.last_time, 300);
	assert_int_equal(d.stats.lost, 42);
	assert_int_equal(ring_pieces(&ring, ring.tail, ring_head(&ring), iov), 2);
	assert_int_equal(iov[0].iov_len, 40);
	assert_int_equal(iov[1].iov_len, 32 * 2 + 24 - 40);
	ring_consume(&ring, ring_head(&ring));
	assert_int_equal(page.data_tail, page.data_head);
}

/* Word 4 of the samples of event 7 is something else than a time. */
static void times_of_some_events(void **state)
{
	static const u64 timeless[] = { 7, 9 };
	struct drain d = { .layout = drain_layout_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						     PERF_SAMPLE_TID | PERF_SAMPLE_TIME),
			   .timeless = timeless,
			   .nr_timeless = 2 };
	struct {
		struct perf_event_header h;
		u64 id, ip;
		u32 pid, tid;
		u64 time_or_period;
	} s = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) }, 7, 0x1000, 1, 1, 250000 };

	(void)state;
	start(0);
	put(&s, sizeof(s));
	s.id = 8;
	s.time_or_period = 1000000;
	put(&s, sizeof(s));
	s.time_or_period = 2000000;
	put(&s, sizeof(s));
	s.id = 9;
	s.time_or_period = 250000000;
	put(&s, sizeof(s));
	drain_scan(&d, &ring, 0, ring_head(&ring), ~0ULL);
	assert_int_equal(d.stats.samples, 4);
	assert_int_equal(d.stats.first_time, 1000000);
	assert_int_equal(d.stats.last_time, 2000000);
}

static void stops_at_limit_and_damage(void **state)
{
	struct drain d = { .layout = drain_layout_of(PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						     PERF_SAMPLE_TIME) };
	struct perf_event_header bad = { PERF_RECORD_SAMPLE, 0, 4 };
	u64 from;

	(void)state;
	start(0);
	put_sample(1, 1, 1);
	put_sample(2, 1, 2);
	from = page.data_head;
	put(&bad, sizeof(bad));
	assert_int_equal(drain_scan(&d, &ring, 0, ring_head(&ring), 8), 32);
	assert_int_equal(drain_scan(&d, &ring, 32, ring_head(&ring), ~0ULL), from);
	assert_int_equal(d.stats.bad, 1);
}

static void objects_with_samples(void **state)
{
	struct touched t = { 0 };
	struct drain d = { .layout = drain_layout_of(PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						     PERF_SAMPLE_TIME),
			   .touched = &t };

	(void)state;
	start(64);
	put_map("/bin/hit", 7, 0x10000);
	put_map("/bin/missed", 7, 0x20000);
	put_map("//anon", 7, 0x30000);
	put_sample(0x10010, 7, 1);
	put_sample(0x30010, 7, 1);
	touched_add_fork(&t, 8, 7);
	drain_scan(&d, &ring, ring.tail, ring_head(&ring), ~0ULL);
	touched_resolve(&t, false);
	assert_int_equal(t.objects.nr, 2);
	assert_true(t.objects.v[0].hit);
	assert_false(t.objects.v[1].hit);
	assert_int_equal(t.objects.v[0].build_id_size, 20);
	assert_int_equal(t.objects.v[0].build_id[0], 0xab);
	/* a child runs its parent's code without map records of its own */
	touched_add_sample(&t, PERF_RECORD_MISC_USER, 8, 0x20008);
	touched_resolve(&t, false);
	assert_true(t.objects.v[1].hit);
	touched_release(&t);
}

/* As in containers. */
static void objects_of_the_same_name(void **state)
{
	struct touched all = { 0 }, t = { 0 };
	struct drain d = { .layout = drain_layout_of(PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						     PERF_SAMPLE_TIME),
			   .touched = &t };

	(void)state;
	start(64);
	put_map_of("/lib/x", 7, 0x10000, 1);
	put_map_of("/lib/y", 7, 0x20000, 1);
	put_map_of("/lib/x", 8, 0x10000, 2);
	put_map_of("/lib/x", 9, 0x10000, 1);
	put_sample(0x10010, 8, 1);
	drain_scan(&d, &ring, ring.tail, ring_head(&ring), ~0ULL);
	touched_merge(&all, &t);
	touched_resolve(&all, false);
	assert_int_equal(all.objects.nr, 3);
	assert_int_equal(all.objects.v[0].build_id[0], 1);
	assert_false(all.objects.v[0].hit);
	assert_int_equal(all.objects.v[2].build_id[0], 2);
	assert_true(all.objects.v[2].hit);
	touched_release(&t);
	touched_release(&all);
}

static void trailers_and_padding(void **state)
{
	struct records r = { .out = STRBUF_INIT,
			     .trailer = records_trailer_size(PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU) };
	struct perf_event_header h;

	(void)state;
	assert_int_equal(r.trailer, 24);
	records_comm(&r, 1, 2, "name");
	memcpy(&h, r.out.buf, sizeof(h));
	assert_int_equal(h.type, PERF_RECORD_COMM);
	assert_int_equal(h.size, 8 + 8 + 8 + 24);
	assert_int_equal(r.out.len, h.size);
	strbuf_reset(&r.out);
	records_lost_samples(&r, 0, PERF_SAMPLE_TID | PERF_SAMPLE_ID, 9, 5);
	assert_int_equal(bits_u64(r.out.buf + 8), 5);
	assert_int_equal(bits_u64(r.out.buf + 24), 9);
	strbuf_release(&r.out);
}

static void note_ids(void **state)
{
	u8 notes[64] = { 4,   0,   0,   0, 8, 0, 0, 0, 3, 0, 0, 0,
			 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct note_id id;

	(void)state;
	assert_true(note_id_from_notes(notes, 24, 4, &id));
	assert_int_equal(id.size, 8);
	assert_int_equal(id.data[7], 8);
	/* cut short, or with impossible sizes */
	for (size_t len = 0; len < 24; len++)
		assert_false(note_id_from_notes(notes, len, 4, &id));
	memset(notes, 0xff, 12);
	assert_false(note_id_from_notes(notes, sizeof(notes), 4, &id));
	assert_false(note_id_from_path("/dev/null", 0, 0, &id));
	assert_false(note_id_from_path("relative", 0, 0, &id));
}

static void ring_sizes(void **state UNUSED)
{
	static const struct {
		u64 samples, bytes, worst, ring, want;
	} cases[] = {
		{ 1000, 48000, 0, 4096, 4096 }, /* no loss is known */
		{ 1000, 48000, 10, 4096, 8192 }, /* 4096 + 600 */
		{ 1000, 48000, 1000, 4096, 65536 }, /* 4096 + 60000 */
		{ 0, 0, 1000, 4096, 16384 }, /* nothing but losses: 8 bytes each */
		{ 1000, 48000, 1ULL << 60, 4096, 1 << 30 },
		{ 1000, 48000, 1ULL << 62, 4096, 1 << 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drain_stats s = { .samples = cases[i].samples,
					 .bytes = cases[i].bytes,
					 .worst_loss = cases[i].worst };

		assert_int_equal(drain_ring_size_wanted(&s, cases[i].ring, 1 << 30), cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_across_the_wrap),
		cmocka_unit_test(times_of_some_events),
		cmocka_unit_test(stops_at_limit_and_damage),
		cmocka_unit_test(ring_sizes),
		cmocka_unit_test(objects_with_samples),
		cmocka_unit_test(objects_of_the_same_name),
		cmocka_unit_test(trailers_and_padding),
		cmocka_unit_test(note_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
