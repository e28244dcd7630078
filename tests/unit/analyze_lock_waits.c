/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of waits for locks: rows as they come from a recording, without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/lock_waits.c"

enum { TASK = 50, OTHER = 60, LOCK = 0x1000, SECOND_LOCK = 0x2000 };

static void give(struct lock_waits *w, analyze_take take, u64 time, u32 tid, u64 lock, u64 flags)
{
	union {
		struct analyze_row row;
		u64 room[sizeof(struct analyze_row) / sizeof(u64) + 2];
	} r = { .row = { .size = sizeof(r), .time = time, .pid = tid, .tid = tid } };

	r.row.values[BEGIN_LOCK] = lock;
	r.row.values[BEGIN_FLAGS] = flags;
	take(w, &r.row);
}

static void end(struct lock_waits *w)
{
	tasks_release(&w->tasks);
	vec_free(&w->waits);
	map_release(&w->by_wait);
	vec_free(&w->rows);
	map_release(&w->by_key);
}

/* A mutex spins first, and sleeps then: one wait, of the lock that it is for. */
static void by_lock(void **state)
{
	struct lock_waits w = { .o = { .by = LOCK_BY_LOCK } };

	(void)state;
	give(&w, take_begin, 100, TASK, LOCK, LOCK_MUTEX | LOCK_SPIN);
	give(&w, take_begin, 150, TASK, LOCK, LOCK_MUTEX);
	give(&w, take_begin, 160, OTHER, LOCK, LOCK_MUTEX);
	give(&w, take_begin, 170, OTHER, SECOND_LOCK, LOCK_SPIN);
	give(&w, take_end, 180, OTHER, SECOND_LOCK, 0);
	give(&w, take_end, 400, TASK, LOCK, 0);
	give(&w, take_end, 410, OTHER, LOCK, 0);
	assert_int_equal(w.rows.nr, 2);
	assert_int_equal(w.rows.v[0].contended, 2);
	assert_int_equal(w.rows.v[0].acquired, 2);
	assert_int_equal(w.rows.v[0].total, 300 + 250);
	assert_int_equal(w.rows.v[0].min, 250);
	assert_int_equal(w.rows.v[0].max, 300);
	assert_int_equal(w.rows.v[1].total, 10);
	assert_int_equal(w.unmatched, 0);
	end(&w);
}

static void by_task(void **state)
{
	struct lock_waits w = { .o = { .by = LOCK_BY_TASK } };

	(void)state;
	give(&w, take_begin, 100, TASK, LOCK, 0);
	give(&w, take_end, 130, TASK, LOCK, 0);
	give(&w, take_begin, 200, TASK, SECOND_LOCK, 0);
	give(&w, take_end, 205, TASK, SECOND_LOCK, 0);
	give(&w, take_begin, 300, OTHER, LOCK, 0);
	assert_int_equal(w.rows.nr, 2);
	assert_int_equal(w.rows.v[0].total, 35);
	assert_int_equal(w.rows.v[0].acquired, 2);
	/* it goes on: it began, and has no time */
	assert_int_equal(w.rows.v[1].contended, 1);
	assert_int_equal(w.rows.v[1].acquired, 0);
	end(&w);
}

static bool wants_second(void *ctx, const struct analyze_row *r, u64 lock, u32 flags)
{
	(void)ctx;
	(void)r;
	(void)flags;
	return lock == SECOND_LOCK;
}

/* Lost beginnings and ends, times that go backwards, waits that are not wanted. */
static void odd_rows(void **state)
{
	struct lock_waits w = { .o = { .by = LOCK_BY_LOCK } };

	(void)state;
	give(&w, take_end, 100, TASK, LOCK, 0);
	assert_int_equal(w.unmatched, 1);
	give(&w, take_begin, 200, TASK, LOCK, 0);
	give(&w, take_end, 210, OTHER, LOCK, 0); /* who did not wait */
	assert_int_equal(w.unmatched, 2);
	give(&w, take_end, 190, TASK, LOCK, 0);
	assert_int_equal(w.rows.v[0].contended, 1);
	assert_int_equal(w.rows.v[0].acquired, 0);
	give(&w, take_end, 220, TASK, LOCK, 0);
	assert_int_equal(w.unmatched, 3);
	w.o.wants = wants_second;
	give(&w, take_begin, 300, TASK, LOCK, 0);
	give(&w, take_end, 310, TASK, LOCK, 0);
	give(&w, take_begin, 320, TASK, SECOND_LOCK, 0);
	give(&w, take_end, 350, TASK, SECOND_LOCK, 0);
	assert_int_equal(w.rows.nr, 2);
	assert_int_equal(w.rows.v[0].contended, 1);
	assert_int_equal(w.rows.v[1].total, 30);
	assert_int_equal(w.unmatched, 3);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_lock),
		cmocka_unit_test(by_task),
		cmocka_unit_test(odd_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
