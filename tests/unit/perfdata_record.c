/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views of records made by hand: whole, cut anywhere, and with more promised than there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perfdata/record.h"

enum { ROOM = 256 };

struct made {
	union {
		struct perf_event_header h;
		u8 bytes[ROOM];
	};
	size_t len;
};

static struct made begin(u32 type, u16 misc)
{
	struct made m = { .h = { .type = type, .misc = misc }, .len = sizeof(m.h) };

	m.h.size = (u16)m.len;
	return m;
}

static void add(struct made *m, const void *p, size_t len)
{
	assert_true(m->len + len <= ROOM);
	memcpy(m->bytes + m->len, p, len);
	m->len += len;
	m->h.size = (u16)m->len;
}

static void add32(struct made *m, u32 v)
{
	add(m, &v, sizeof(v));
}

static void add64(struct made *m, u64 v)
{
	add(m, &v, sizeof(v));
}

static struct made make_mmap2(void)
{
	struct made m = begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

	add32(&m, 7);
	add32(&m, 8);
	add64(&m, 0x1000);
	add64(&m, 0x2000);
	add64(&m, 0x3000);
	add32(&m, 8);
	add32(&m, 1);
	add64(&m, 42);
	add64(&m, 43);
	add32(&m, 5);
	add32(&m, 2);
	add(&m, "/bin/x\0", 8);
	return m;
}

static void a_mapping(void **state UNUSED)
{
	struct made m = make_mmap2();
	union record_view v;

	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.mmap.pid, 7);
	assert_int_equal(v.mmap.tid, 8);
	assert_int_equal(v.mmap.start, 0x1000);
	assert_int_equal(v.mmap.len, 0x2000);
	assert_int_equal(v.mmap.pgoff, 0x3000);
	assert_null(v.mmap.build_id);
	assert_int_equal(v.mmap.ino, 42);
	assert_int_equal(v.mmap.ino_generation, 43);
	assert_int_equal(v.mmap.prot, 5);
	assert_int_equal(v.mmap.flags, 2);
	assert_string_equal(v.mmap.name.text, "/bin/x");
	assert_int_equal(v.mmap.name.len, 6);
}

static void its_build_id(void **state UNUSED)
{
	struct made m = make_mmap2();
	union record_view v;
	u8 *id = m.bytes + sizeof(m.h) + 32;

	m.h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	memset(id, 0, 24);
	id[0] = 20;
	memset(id + 4, 0xab, 20);
	assert_true(record_view(&m.h, 0, &v));
	assert_ptr_equal(v.mmap.build_id, id + 4);
	assert_int_equal(v.mmap.build_id_size, 20);
	assert_int_equal(v.mmap.ino, 0);
	assert_int_equal(v.mmap.prot, 5);
}

/* Wherever a record ends: never whole, no field of what is not there. */
static void cut_records(void **state UNUSED)
{
	struct made m = make_mmap2();
	size_t whole = m.len - 1; /* the NUL and one more */
	union record_view v;

	for (size_t len = sizeof(m.h); len < whole; len++) {
		m.h.size = (u16)len;
		assert_false(record_view(&m.h, 0, &v));
		if (len < sizeof(m.h) + 32)
			assert_int_equal(v.mmap.pgoff, 0);
		if (len <= sizeof(m.h) + 64)
			assert_null(v.mmap.name.text);
		else
			assert_int_equal(v.mmap.name.len, len - sizeof(m.h) - 64);
		assert_false(v.mmap.name.terminated);
	}
	m.h.size = (u16)whole;
	assert_true(record_view(&m.h, 0, &v));
	/* an empty name is its NUL alone */
	assert_int_equal(record_least_size(&m.h), sizeof(m.h) + 64 + 1);
}

/* What stands behind the body is none of the name; a tail longer than the record is none. */
static void tails(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_COMM, 0);
	union record_view v;

	add32(&m, 1);
	add32(&m, 2);
	add(&m, "sh\0\0\0\0\0", 8);
	add64(&m, 0x4141414141414141);
	assert_true(record_view(&m.h, 8, &v));
	assert_string_equal(v.comm.name.text, "sh");
	assert_false(record_view(&m.h, 16, &v));
	assert_null(v.comm.name.text);
	assert_true(record_view(&m.h, 1000, &v));
}

static void more_promised_than_there(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_NAMESPACES, 0);
	struct made d = begin(PERF_RECORD_CALLCHAIN_DEFERRED, 0);
	union record_view v;

	add32(&m, 1);
	add32(&m, 2);
	add64(&m, UINT64_MAX);
	add64(&m, 3);
	add64(&m, 4);
	add32(&m, 5);
	assert_false(record_view(&m.h, 0, &v));
	assert_int_equal(v.namespaces.nr_there, 1);
	assert_true(v.namespaces.nr == UINT64_MAX);
	add64(&d, 9);
	add64(&d, 2);
	add64(&d, 1);
	assert_false(record_view(&d.h, 0, &v));
	assert_int_equal(v.deferred.nr_there, 1);
	add64(&d, 1);
	assert_true(record_view(&d.h, 0, &v));
}

/* Words alone: each is at its place, one that is cut is zero. */
static void words(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_STAT, 0);
	union record_view v;

	add64(&m, 1);
	add32(&m, 2);
	add32(&m, 3);
	add64(&m, 4);
	add64(&m, 5);
	assert_false(record_view(&m.h, 0, &v));
	assert_int_equal(v.stat.enabled, 5);
	assert_int_equal(v.stat.running, 0);
	add64(&m, 6);
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.stat.id, 1);
	assert_int_equal(v.stat.cpu, 2);
	assert_int_equal(v.stat.thread, 3);
	assert_int_equal(v.stat.value, 4);
	assert_int_equal(v.stat.running, 6);
	assert_int_equal(record_least_size(&m.h), m.h.size);
	m.h.type = PERF_RECORD_AUX;
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.aux.flags, 4);
	m.h.type = PERF_RECORD_LOST_SAMPLES;
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.lost_samples, 1);
}

/* Lists: those elements that are there, and what may follow them. */
static void lists(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_ID_INDEX, 0);
	struct made t = begin(PERF_RECORD_THREAD_MAP, 0);
	union record_view v;

	add64(&m, 2);
	for (u64 i = 1; i <= 8; i++)
		add64(&m, i);
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.id_index.nr_there, 2);
	assert_int_equal(v.id_index.v[1].id, 5);
	assert_int_equal(v.id_index.v[1].tid, 8);
	assert_false(v.id_index.has_guests);
	for (u64 i = 9; i <= 12; i++)
		add64(&m, i);
	assert_true(record_view(&m.h, 0, &v));
	assert_true(v.id_index.has_guests);
	assert_int_equal(v.id_index.guests[1].pid, 11);
	assert_int_equal(v.id_index.guests[1].vcpu, 12);
	assert_int_equal(record_least_size(&m.h), sizeof(m.h) + 8);
	m.h.size -= 8;
	assert_true(record_view(&m.h, 0, &v));
	assert_false(v.id_index.has_guests);
	m.h.type = PERF_RECORD_STAT_CONFIG;
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.stat_config.nr_there, 2);
	assert_int_equal(v.stat_config.v[1].tag, 3);
	assert_int_equal(v.stat_config.v[1].value, 4);

	add64(&t, 2);
	add64(&t, 77);
	add(&t, "sleeping beauty\0", 16);
	add64(&t, 78);
	assert_false(record_view(&t.h, 0, &v));
	assert_int_equal(v.thread_map.nr, 2);
	assert_int_equal(v.thread_map.nr_there, 1);
	assert_int_equal(v.thread_map.v[0].tid, 77);
	assert_string_equal(v.thread_map.v[0].comm, "sleeping beauty");
}

/* The rest of a record, and words in it. */
static void rests(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_EVENT_UPDATE, 0);
	struct made r = begin(PERF_RECORD_READ, 0);
	union record_view v;

	add64(&m, UPDATE_NAME);
	add64(&m, 5);
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.event_update.body.len, 0);
	add(&m, "cycles\0", 8);
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.event_update.id, 5);
	assert_string_equal((const char *)v.event_update.body.at, "cycles");
	assert_int_equal(v.event_update.body.len, 8);
	m.h.type = PERF_RECORD_HEADER_FEATURE;
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.feature.feature, UPDATE_NAME);
	assert_int_equal(v.feature.body.len, 16);
	m.h.type = PERF_RECORD_CPU_MAP;
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.bytes.len, 24);
	m.h.size = sizeof(m.h) + 4;
	m.h.type = PERF_RECORD_COMPRESSED2;
	assert_false(record_view(&m.h, 0, &v));
	assert_int_equal(v.compressed2.data.len, 0);

	add32(&r, 1);
	add32(&r, 2);
	add64(&r, 3);
	add64(&r, 4);
	add64(&r, 5);
	assert_true(record_view(&r.h, 8, &v));
	assert_int_equal(v.read.tid, 2);
	assert_int_equal(record_word(&v.read.counts, 1), 4);
	assert_int_equal(record_word(&v.read.counts, 2), 0);
	r.h.type = PERF_RECORD_AUXTRACE_INFO;
	assert_true(record_view(&r.h, 0, &v));
	assert_int_equal(v.auxtrace_info.type, 1);
	assert_int_equal(record_word(&v.auxtrace_info.words, 2), 5);
}

/* What newer writers add: without it the record is whole. */
static void what_may_be_missing(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_TIME_CONV, 0);
	struct made a = begin(PERF_RECORD_AUXTRACE_ERROR, 0);
	union record_view v;

	for (u64 i = 1; i <= 3; i++)
		add64(&m, i);
	assert_true(record_view(&m.h, 0, &v));
	assert_int_equal(v.time_conv.zero, 3);
	assert_false(v.time_conv.has_cycles);
	add64(&m, 4);
	add64(&m, 5);
	add(&m, "\1\0\0\0\0\0\0", 8);
	assert_true(record_view(&m.h, 0, &v));
	assert_true(v.time_conv.has_cycles);
	assert_int_equal(v.time_conv.mask, 5);
	assert_int_equal(v.time_conv.cap_time_zero, 1);
	assert_int_equal(v.time_conv.cap_time_short, 0);

	for (u32 i = 1; i <= 6; i++)
		add32(&a, i);
	add64(&a, 7);
	assert_false(record_view(&a.h, 0, &v));
	add64(&a, 8);
	add(&a, "no room\0", 8);
	assert_true(record_view(&a.h, 0, &v));
	assert_int_equal(v.auxtrace_error.cpu, 3);
	assert_int_equal(v.auxtrace_error.format, 6);
	assert_int_equal(v.auxtrace_error.time, 8);
	assert_string_equal(v.auxtrace_error.message, "no room");
	assert_false(v.auxtrace_error.has_machine);
	for (int i = 0; i < 7; i++)
		add64(&a, 0);
	add32(&a, 9);
	add32(&a, 10);
	assert_true(record_view(&a.h, 0, &v));
	assert_true(v.auxtrace_error.has_machine);
	assert_string_equal(v.auxtrace_error.message, "no room");
	assert_int_equal(v.auxtrace_error.machine_pid, 9);
	assert_int_equal(v.auxtrace_error.vcpu, 10);
}

/* A shape that is larger than all views would be written behind them. */
static void shapes_fit_the_views(void **state UNUSED)
{
	struct {
		union record_view v;
		u8 behind[ROOM];
	} to;
	u8 untouched[ROOM];
	struct made m = begin(PERF_RECORD_MMAP, 0);

	memset(untouched, 0xa5, sizeof(untouched));
	while (m.len < ROOM)
		add64(&m, 0);
	for (u32 type = 0; type < PERF_RECORD_HEADER_MAX; type++) {
		memcpy(to.behind, untouched, ROOM);
		m.h.type = type;
		record_view(&m.h, 0, &to.v);
		assert_memory_equal(to.behind, untouched, ROOM);
	}
}

/* The table: types with fields have names, and those about tasks and mappings have fields. */
static void the_table(void **state UNUSED)
{
	struct made m = begin(PERF_RECORD_SWITCH, 0);
	union record_view v;

	for (u32 i = 0; i < PERF_RECORD_HEADER_MAX; i++) {
		const struct record_type *t = &record_types[i];

		assert_true(!t->shape || t->name);
		assert_true(!t->sideband || t->shape);
		assert_false((t->take || t->swap) && !t->shape);
	}
	assert_false(record_view(&m.h, 0, &v));
	m.h.type = 12345;
	assert_false(record_view(&m.h, 0, &v));
	assert_null(record_type_name(12345));
	assert_string_equal(record_type_name(PERF_RECORD_MMAP2), "MMAP2");
	assert_true(record_is_sideband(PERF_RECORD_COMM));
	assert_false(record_is_sideband(PERF_RECORD_SAMPLE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapping),
		cmocka_unit_test(its_build_id),
		cmocka_unit_test(cut_records),
		cmocka_unit_test(tails),
		cmocka_unit_test(more_promised_than_there),
		cmocka_unit_test(words),
		cmocka_unit_test(lists),
		cmocka_unit_test(rests),
		cmocka_unit_test(what_may_be_missing),
		cmocka_unit_test(shapes_fit_the_views),
		cmocka_unit_test(the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
