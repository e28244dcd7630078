/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of work of the kernel: rows as they come from a recording, without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/kwork.c"
#include "session/opened.h"

enum { CPU = 3, OTHER_CPU, NUMBER = 7 };

static void give(struct kwork *k, analyze_take take, u64 time, u32 cpu, u64 id)
{
	union {
		struct analyze_row row;
		u64 room[sizeof(struct analyze_row) / sizeof(u64) + 2];
	} r = { .row = { .size = sizeof(r), .time = time, .cpu = cpu } };

	r.row.values[0] = id;
	r.row.values[1] = 0x50; /* of work: its function */
	take(k, &r.row);
}

static struct kwork machine(bool waits)
{
	static struct session all; /* of all tasks */

	return (struct kwork){ .session = &all,
			       .o = { .classes = { true, true, true }, .waits = waits } };
}

static void end(struct kwork *k)
{
	vec_free(&k->rows);
	map_release(&k->by_key);
	vec_free(&k->wishes);
	map_release(&k->by_wish);
	intern_release(&k->names);
}

static void is_length(const struct kwork_sums *s, u64 nr, u64 total, u64 max, u64 max_end)
{
	assert_int_equal(s->nr, nr);
	assert_int_equal(s->total, total);
	assert_int_equal(s->max, max);
	assert_int_equal(s->max_end, max_end);
	assert_int_equal(s->max_end - s->max_start, max);
}

/* Asked for again before it began: the kernel may have taken the first wish already. */
static void wishes(void **state)
{
	struct kwork k = machine(true);
	const struct kwork_row *row;

	(void)state;
	give(&k, take_softirq_raise, 100, CPU, NUMBER);
	give(&k, take_softirq_raise, 150, CPU, NUMBER);
	give(&k, take_softirq_entry, 200, CPU, NUMBER);
	give(&k, take_softirq_exit, 210, CPU, NUMBER);
	row = k.rows.v;
	is_length(&row->waits, 1, 100, 100, 200);
	/* at once a second time: that was the second wish */
	give(&k, take_softirq_entry, 220, CPU, NUMBER);
	give(&k, take_softirq_exit, 250, CPU, NUMBER);
	is_length(&row->waits, 2, 170, 100, 200);
	is_length(&row->runs, 2, 40, 30, 250);
	assert_int_equal(k.totals.raises + k.totals.entries + k.totals.exits, 0);
	/* nobody asked */
	give(&k, take_softirq_entry, 300, CPU, NUMBER);
	is_length(&row->waits, 2, 170, 100, 200);
	assert_int_equal(k.totals.entries, 1);
	/* of another CPU that is another softirq, and its wish is another one */
	give(&k, take_softirq_raise, 400, CPU, NUMBER);
	give(&k, take_softirq_entry, 410, OTHER_CPU, NUMBER);
	assert_int_equal(k.rows.nr, 2);
	assert_int_equal(k.rows.v[1].waits.nr, 0);
	assert_int_equal(k.rows.v[1].waited, KWORK_UNKNOWN);
	end(&k);
}

/* What asked again in between, and was asked for anew before it began, had no effect. */
static void vain_wishes(void **state)
{
	struct kwork k = machine(true);

	(void)state;
	give(&k, take_softirq_raise, 100, CPU, NUMBER);
	give(&k, take_softirq_raise, 110, CPU, NUMBER);
	give(&k, take_softirq_raise, 120, CPU, NUMBER);
	assert_int_equal(k.totals.raises, 1);
	give(&k, take_softirq_entry, 130, CPU, NUMBER);
	give(&k, take_softirq_exit, 140, CPU, NUMBER);
	give(&k, take_softirq_raise, 200, CPU, NUMBER);
	assert_int_equal(k.totals.raises, 2);
	give(&k, take_softirq_entry, 205, CPU, NUMBER);
	is_length(&k.rows.v[0].waits, 2, 35, 30, 130);
	count_open(&k);
	assert_int_equal(k.totals.raises, 2);
	end(&k);
}

/* Work may be asked for by one CPU and run on another. */
static void work_of_another_cpu(void **state)
{
	struct kwork k = machine(false);

	(void)state;
	give(&k, take_work_raise, 1000, CPU, 0xffff1000);
	give(&k, take_work_entry, 1500, OTHER_CPU, 0xffff1000);
	give(&k, take_work_exit, 1600, OTHER_CPU, 0xffff1000);
	assert_int_equal(k.rows.nr, 1);
	assert_int_equal(k.rows.v[0].cpu, OTHER_CPU);
	assert_int_equal(k.rows.v[0].function, 0x50);
	is_length(&k.rows.v[0].waits, 1, 500, 500, 1500);
	is_length(&k.rows.v[0].runs, 1, 100, 100, 1600);
	end(&k);
}

/* Lost beginnings and ends, times that go backwards, what is outside of --time. */
static void odd_rows(void **state)
{
	struct kwork k = machine(false);

	(void)state;
	give(&k, take_softirq_exit, 100, CPU, NUMBER);
	assert_int_equal(k.totals.exits, 1);
	give(&k, take_softirq_entry, 200, CPU, NUMBER);
	give(&k, take_softirq_entry, 300, CPU, NUMBER);
	assert_int_equal(k.totals.entries, 1);
	give(&k, take_softirq_exit, 250, CPU, NUMBER);
	assert_int_equal(k.totals.exits, 2);
	give(&k, take_softirq_exit, 310, CPU, NUMBER);
	is_length(&k.rows.v[0].runs, 1, 10, 10, 310);
	k.o.from = 1000;
	k.o.until = 2000;
	give(&k, take_softirq_entry, 999, CPU, NUMBER);
	give(&k, take_softirq_exit, 1001, CPU, NUMBER);
	assert_int_equal(k.totals.exits, 3);
	give(&k, take_softirq_entry, 2000, CPU, NUMBER);
	give(&k, take_softirq_exit, 2001, CPU, NUMBER);
	is_length(&k.rows.v[0].runs, 1, 10, 10, 310);
	count_open(&k);
	assert_int_equal(k.totals.entries, 2);
	assert_int_equal(k.totals.first, 100);
	assert_int_equal(k.totals.last, 2000);
	end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wishes),
		cmocka_unit_test(vain_wishes),
		cmocka_unit_test(work_of_another_cpu),
		cmocka_unit_test(odd_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
