/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of delays: rows as they come from a recording, without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/sched_latency.c"

enum { IDLE = 0, TASK = 50, OTHER = 60, RUNS = 0, SLEEPS = 1, PREEMPTED = 0x100, US = 1000 };

union given {
	struct analyze_row row;
	u64 room[sizeof(struct analyze_row) / sizeof(u64) + 8];
};

static union given row_at(u64 time, u32 cpu)
{
	return (union given){ .row = { .size = sizeof(union given), .time = time, .cpu = cpu } };
}

static void switches(struct sched_latency *l, u64 time, u32 cpu, u32 prev, u64 state, u32 next)
{
	union given g = row_at(time, cpu);

	g.row.values[SWITCH_PREV_PID] = prev;
	g.row.values[SWITCH_PREV_STATE] = state;
	g.row.values[SWITCH_NEXT_PID] = next;
	take_switch(l, &g.row);
}

static void wakes(struct sched_latency *l, u64 time, u32 tid)
{
	union given g = row_at(time, 0);

	g.row.values[WAKEUP_PID] = tid;
	take_waking(l, &g.row);
}

static void moves(struct sched_latency *l, u64 time, u32 tid)
{
	union given g = row_at(time, 0);

	g.row.values[MIGRATE_PID] = tid;
	take_migrate(l, &g.row);
}

static void runs(struct sched_latency *l, u64 time, u32 tid, u64 ns)
{
	union given g = row_at(time, 0);

	g.row.values[RUNTIME_PID] = tid;
	g.row.values[RUNTIME_NS] = ns;
	take_runtime(l, &g.row);
}

static struct sched_latency *new_machine(struct sched_latency_opts o)
{
	struct sched_latency *l = XNEW(struct sched_latency);

	l->o = o;
	if (o.over_time) {
		time_grid_init(&l->delays, SCHED_LATENCY_LENGTHS);
		time_grid_init(&l->queues, SCHED_QUEUE_LENGTHS);
	}
	return l;
}

static struct sched_latency_row row_of(struct sched_latency *l, u32 tid)
{
	return waiting_of(l, tid)->row;
}

/* Woken up at 100 us, got a CPU at 130; preempted at 200, got it back at 260. */
static void delays(void **state)
{
	struct sched_latency *l = new_machine((struct sched_latency_opts){ 0 });
	struct sched_latency_row *rows;

	(void)state;
	switches(l, 50 * US, 0, TASK, SLEEPS, IDLE);
	wakes(l, 100 * US, TASK);
	switches(l, 130 * US, 0, IDLE, RUNS, TASK);
	runs(l, 200 * US, TASK, 70 * US);
	switches(l, 200 * US, 0, TASK, PREEMPTED, OTHER);
	switches(l, 260 * US, 0, OTHER, SLEEPS, TASK);
	assert_int_equal(row_of(l, TASK).switches, 2);
	assert_int_equal(row_of(l, TASK).delay, 90 * US);
	assert_int_equal(row_of(l, TASK).max_delay, 60 * US);
	assert_int_equal(row_of(l, TASK).max_start, 200 * US);
	assert_int_equal(row_of(l, TASK).max_end, 260 * US);
	assert_int_equal(row_of(l, TASK).runtime, 70 * US);
	/* 30 and 60 us lie in the rows from 16 and from 32 us on; OTHER was seen when it got its
	 * CPU */
	assert_int_equal(l->lengths[5], 1);
	assert_int_equal(l->lengths[6], 1);
	assert_int_equal(l->lengths[0], 1);
	assert_int_equal(l->totals.switches, 4);
	assert_int_equal(l->totals.wakeups, 1);
	assert_int_equal(l->totals.switch_bugs, 0);
	/* all but idle, by tid from above */
	assert_int_equal(sched_latency_rows(l, false, &rows), 2);
	assert_int_equal(tasks_find(&l->tasks, OTHER), rows[0].task);
	free(rows);
	sched_latency_free(l);
}

/* A task that is woken up while it waits has run in between, which nobody saw. */
static void woken_twice(void **state)
{
	struct sched_latency *l = new_machine((struct sched_latency_opts){ .over_time = true });

	(void)state;
	switches(l, 10 * US, 0, TASK, SLEEPS, IDLE);
	wakes(l, 20 * US, TASK);
	wakes(l, 520 * US, TASK);
	switches(l, 530 * US, 0, IDLE, RUNS, TASK);
	assert_int_equal(row_of(l, TASK).switches, 1);
	assert_int_equal(row_of(l, TASK).delay, 10 * US);
	assert_int_equal(l->queue, 0);
	assert_int_equal(l->queue_sums.waited, 510 * US);
	assert_int_equal(l->queue_sums.doubtful, 500 * US);
	sched_latency_free(l);
}

/* By default a wait goes on when the task is moved; with --migrations it begins anew. */
static void moved(void **state)
{
	for (int migrations = 0; migrations < 2; migrations++) {
		struct sched_latency *l = new_machine(
			(struct sched_latency_opts){ .migrations = migrations });

		(void)state;
		switches(l, 10 * US, 0, TASK, SLEEPS, IDLE);
		wakes(l, 20 * US, TASK);
		moves(l, 50 * US, TASK);
		switches(l, 60 * US, 0, IDLE, RUNS, TASK);
		assert_int_equal(row_of(l, TASK).delay, migrations ? 10 * US : 40 * US);
		sched_latency_free(l);
	}
}

/* Times that go backwards, a switch from a task that was not there, what lies outside. */
static void odd_rows(void **state)
{
	struct sched_latency *l = new_machine(
		(struct sched_latency_opts){ .from = 10 * US, .until = 1000 * US });

	(void)state;
	switches(l, 5 * US, 0, OTHER, SLEEPS, TASK);
	assert_int_equal(l->totals.switches, 0);
	switches(l, 20 * US, 0, TASK, SLEEPS, IDLE);
	switches(l, 15 * US, 0, IDLE, RUNS, TASK);
	assert_int_equal(l->totals.switches_backwards, 1);
	assert_int_equal(row_of(l, TASK).switches, 0);
	wakes(l, 18 * US, TASK); /* before it slept */
	assert_int_equal(l->totals.unordered, 1);
	switches(l, 30 * US, 0, OTHER, SLEEPS, TASK); /* where idle ran */
	assert_int_equal(l->totals.switch_bugs, 1);
	wakes(l, 2000 * US, OTHER);
	assert_int_equal(l->totals.wakeups, 1);
	sched_latency_free(l);
}

/* Two tasks wait at once; what was lost is not guessed. */
static void queues(void **state)
{
	struct sched_latency *l = new_machine((struct sched_latency_opts){ .over_time = true });
	union given lost = row_at(70 * US, 0);

	(void)state;
	switches(l, 10 * US, 0, TASK, SLEEPS, IDLE);
	switches(l, 10 * US, 1, OTHER, SLEEPS, IDLE);
	wakes(l, 20 * US, TASK);
	wakes(l, 30 * US, OTHER);
	assert_int_equal(l->queue, 2);
	switches(l, 40 * US, 0, IDLE, RUNS, TASK);
	assert_int_equal(l->queue, 1);
	assert_int_equal(l->queue_sums.waited, (10 + 2 * 10) * US);
	lost.row.values[LOST_NUMBER] = 3;
	take_lost(l, &lost.row);
	assert_int_equal(l->queue, 0);
	assert_int_equal(l->queue_sums.waited, (10 + 2 * 10 + 30) * US);
	assert_int_equal(l->totals.lost_events, 3);
	sched_latency_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delays),   cmocka_unit_test(woken_twice), cmocka_unit_test(moved),
		cmocka_unit_test(odd_rows), cmocka_unit_test(queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
