/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state machine of all time of all threads: rows as they come from a recording, without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "session/session.h"

/* What the machine asks of a session: there is no choice of times and CPUs, and no code. */
enum { MARK = 1, CODE = 2 };

static chain_id fake_mark(struct session *s, struct session_worker *w, const char *text,
			  frame_id *frame)
{
	(void)s;
	(void)w;
	(void)text;
	*frame = MARK;
	return MARK;
}

static bool fake_wants(struct session *s, u32 cpu)
{
	(void)s;
	(void)cpu;
	return true;
}

static u64 fake_within(struct session *s, u64 from, u64 until)
{
	(void)s;
	return until > from ? until - from : 0;
}
#define session_mark fake_mark
#define session_wants_cpu fake_wants
#define session_time_within fake_within
#define session_chain(w, site, smp) 0
#define session_frame(w, site, cpumode, ip) CODE
static const struct perfdata_event fake_event;
#define perfdata_event(file, i) (&fake_event)
#include "analyze/wall_account.c"
#include "analyze/wall.c"

enum op {
	SWITCH, /* sched_switch: tid leaves in state a, b gets its CPU */
	WAKE, /* tid wakes up a; b: flags */
	OUT, /* PERF_RECORD_SWITCH: tid leaves; a: preempted */
	IN,
	FORK, /* tid, of process a */
	EXIT,
	EXEC,
	LOSE, /* a records */
	SAMPLE, /* tid runs */
	END, /* of the recording */
};

enum { RUNS = 0, SLEEPS = 1, WAITS = 2, DEAD = 16, PREEMPTED = 0x100, CPU0 = 0, CPU1 = 1 };
enum { A = 10, B = 20, C = 30, IDLE = 0, TIDS = 64 };

struct step {
	enum op op;
	u64 time;
	u32 cpu, tid;
	u64 a, b;
};

/* Time of a thread in a state. */
struct part {
	u32 tid;
	enum span_state state;
	u64 ns;
};

struct seen {
	u64 ns[TIDS][SPAN_NR_STATES];
	u64 by[TIDS]; /* of which a thread of that number woke them up */
	u64 by_interrupt, by_unknown;
};

static bool take(void *ctx, struct session_worker *w, const struct session_record *r)
{
	struct seen *seen = ctx;

	(void)w;
	assert_in_range(r->sample->tid, 1, TIDS - 1);
	seen->ns[r->sample->tid][r->span->state] += r->sample->period;
	if (r->span->waker == WAKER_THREAD)
		seen->by[r->span->waker_tid] += r->sample->period;
	seen->by_interrupt += r->span->waker == WAKER_INTERRUPT ? r->sample->period : 0;
	seen->by_unknown += r->span->waker == WAKER_UNKNOWN ? r->sample->period : 0;
	return true;
}

union given {
	struct analyze_row row;
	u64 room[sizeof(struct analyze_row) / sizeof(u64) + 8];
};

static void hand_over(struct wall *x, const struct step *s, struct analyze_row *r)
{
	switch (s->op) {
	case SWITCH:
		r->values[SWITCH_PREV_PID] = s->tid;
		r->values[SWITCH_PREV_STATE] = s->a;
		r->values[SWITCH_NEXT_PID] = s->b;
		take_sched_switch(x, r);
		break;
	case WAKE:
		r->values[WAKEUP_PID] = s->a;
		r->values[WAKEUP_FLAGS] = s->b;
		take_waking(x, r);
		break;
	case OUT:
	case IN:
		r->values[SWITCH_OUT] = s->op == OUT;
		r->values[SWITCH_PREEMPTED] = s->a;
		take_switch_record(x, r);
		break;
	case FORK:
		take_fork(x, r);
		break;
	case EXIT:
		take_exit(x, r);
		break;
	case EXEC:
		r->values[COMM_EXEC] = 1;
		take_comm(x, r);
		break;
	case LOSE:
		r->values[LOST_NUMBER] = s->a;
		take_lost(x, r);
		break;
	case SAMPLE:
		take_running(x, x->r);
		break;
	case END:
		break;
	}
}

static void play(struct wall *x, const struct step *s)
{
	/* (threads of C's process, which are those above it, have its number) */
	u32 pid = s->op == FORK && s->a ? (u32)s->a : s->tid > C ? C : s->tid;
	union given g = { .row = { .size = sizeof(g),
				   .time = s->time,
				   .cpu = s->cpu,
				   .pid = pid,
				   .tid = s->tid } };
	struct sample smp = { .pid = pid, .tid = s->tid, .cpu = s->cpu, .period = 1 };
	struct session_record r = { .time = s->time,
				    .sample = &smp,
				    .site = { .thread = s->tid, .comm = s->tid } };

	x->r = &r;
	x->start = x->start ? x->start : s->time;
	x->end = MAX(x->end, s->time);
	hand_over(x, s, &g.row);
}

static struct wall *new_machine(struct seen *seen, bool records)
{
	struct wall *x = XNEW(struct wall);

	memset(seen, 0, sizeof(*seen));
	x->a.o = (struct wall_opts){ .take = take, .ctx = seen };
	sched_states_init(&x->states, NULL);
	x->states.v[x->states.nr].bit = DEAD;
	x->states.v[x->states.nr++].letter = 'X';
	x->has_states = true;
	x->records = records;
	x->tracepoints = x->wakeups = !records;
	return x;
}

/* What the steps make: the parts that are told, and no others. They add up to all time in which
 * the thread was in sight, `total`. */
static const struct wall_sums *check(struct wall *x, const struct step *steps, size_t nr,
				     const struct part *parts, u64 total)
{
	struct seen *seen = x->a.o.ctx;
	struct err e = ERR_INIT;
	u64 sum = 0;

	for (size_t i = 0; i < nr; i++)
		play(x, &steps[i]);
	assert_int_equal(wall_finish(x, &e), 0);
	for (const struct part *p = parts; p->tid; p++) {
		assert_int_equal(seen->ns[p->tid][p->state], p->ns);
		seen->ns[p->tid][p->state] = 0;
		sum += p->ns;
	}
	for (u32 tid = 0; tid < TIDS; tid++)
		for (u32 state = 0; state < SPAN_NR_STATES; state++)
			assert_int_equal(seen->ns[tid][state], 0);
	assert_int_equal(sum, total);
	return wall_sums(x);
}
#define CHECK(x, total, parts, ...)                                                                \
	check(x, (const struct step[]){ __VA_ARGS__ },                                             \
	      ARRAY_SIZE(((const struct step[]){ __VA_ARGS__ })), parts, total)
#define PARTS(...)                                                                                 \
	(const struct part[])                                                                      \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* A new thread waits for its CPU, runs, is preempted, sleeps, is woken up by B, waits for a disk.
 */
static void all_states(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 100,
		     PARTS({ A, SPAN_NEW, 10 }, { A, SPAN_RUNNING, 20 + 5 + 10 },
			   { A, SPAN_PREEMPTED, 5 }, { A, SPAN_SLEEPING, 30 },
			   { A, SPAN_WOKEN, 10 }, { A, SPAN_UNINTERRUPTIBLE, 10 }),
		     { FORK, 100, CPU0, A, A }, { SWITCH, 110, CPU0, IDLE, RUNS, A },
		     { SWITCH, 130, CPU0, A, PREEMPTED, IDLE },
		     { SWITCH, 135, CPU0, IDLE, RUNS, A }, { SWITCH, 140, CPU0, A, SLEEPS, IDLE },
		     { WAKE, 170, CPU1, B, A }, { SWITCH, 180, CPU0, IDLE, RUNS, A },
		     { SWITCH, 190, CPU0, A, WAITS, IDLE }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->contradictions, 0);
	assert_int_equal(sums->backwards, 0);
	assert_int_equal(sums->threads, 1);
	assert_int_equal(seen.by[B], 40); /* asleep, and on its way */
	assert_int_equal(seen.by_unknown, 0);
	wall_free(x);
}

/* Nobody tells what a thread did before its first event. It is woken up by an interrupt, and once
 * by somebody who was not recorded. */
static void there_before(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);

	(void)state;
	CHECK(x, 100,
	      PARTS({ A, SPAN_UNKNOWN, 40 }, { A, SPAN_SLEEPING, 10 + 20 }, { A, SPAN_WOKEN, 5 },
		    { A, SPAN_RUNNING, 15 + 10 }),
	      { SWITCH, 100, CPU0, IDLE, RUNS, IDLE }, { SWITCH, 140, CPU0, A, SLEEPS, IDLE },
	      { WAKE, 150, CPU0, B, A, SCHED_BY_INTERRUPT & 0x08 },
	      { SWITCH, 155, CPU0, IDLE, RUNS, A }, { SWITCH, 170, CPU0, A, SLEEPS, IDLE },
	      { SWITCH, 190, CPU0, IDLE, RUNS, A }, { END, 200, CPU0, IDLE });
	assert_int_equal(seen.by_interrupt, 15);
	assert_int_equal(seen.by_unknown, 20);
	wall_free(x);
}

/* Samples share the time that a thread ran; one where it does not run is a contradiction, and what
 * was before it is not known. */
static void samples_and_contradictions(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 200,
		     PARTS({ A, SPAN_RUNNING, 50 + 20 }, { A, SPAN_UNKNOWN, 30 },
			   { B, SPAN_RUNNING, 40 }, { B, SPAN_UNKNOWN, 60 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { SAMPLE, 120, CPU0, A },
		     { SAMPLE, 140, CPU0, A }, { SWITCH, 150, CPU0, A, SLEEPS, IDLE },
		     { SAMPLE, 180, CPU0, A }, { SWITCH, 160, CPU1, B, RUNS, IDLE },
		     { SWITCH, 160, CPU1, IDLE, RUNS, B }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->contradictions, 1);
	wall_free(x);
}

/* That A left is not recorded: it did not run any more when B got its CPU. */
static void leaves_unseen(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 130,
		     PARTS({ A, SPAN_RUNNING, 20 + 20 }, { A, SPAN_SLEEPING, 10 },
			   { A, SPAN_UNKNOWN, 30 + 20 }, { B, SPAN_NEW, 10 },
			   { B, SPAN_RUNNING, 20 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { SWITCH, 120, CPU0, A, SLEEPS, IDLE },
		     { SWITCH, 130, CPU0, IDLE, RUNS, A }, { FORK, 150, CPU1, B, B },
		     { SWITCH, 160, CPU0, IDLE, RUNS, B }, { SWITCH, 180, CPU0, B, DEAD, A },
		     { EXIT, 180, CPU0, B }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->contradictions, 1);
	wall_free(x);
}

/* From the last event before a loss to the first one after it nothing is known of anybody. */
static void lost_records(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 200,
		     PARTS({ A, SPAN_RUNNING, 10 }, { A, SPAN_UNKNOWN, 50 },
			   { A, SPAN_SLEEPING, 40 }, { B, SPAN_UNKNOWN, 50 + 50 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { SWITCH, 110, CPU0, A, SLEEPS, IDLE },
		     { SWITCH, 150, CPU1, B, SLEEPS, IDLE }, { LOSE, 155, CPU0, IDLE, 3 },
		     { WAKE, 158, CPU1, B, A }, { SWITCH, 160, CPU0, A, SLEEPS, IDLE },
		     { LOSE, 170, CPU0, IDLE, 0 }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->losses, 1);
	assert_int_equal(sums->contradictions, 0);
	wall_free(x);
}

/* An event that is earlier than the one before it takes no time back. */
static void time_goes_back(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 100, PARTS({ A, SPAN_RUNNING, 50 }, { A, SPAN_SLEEPING, 50 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { SWITCH, 150, CPU0, A, WAITS, IDLE },
		     { SWITCH, 120, CPU0, IDLE, RUNS, A }, { SWITCH, 130, CPU0, A, SLEEPS, IDLE },
		     { END, 200, CPU0, IDLE });
	assert_int_equal(sums->backwards, 2);
	wall_free(x);
}

/* A thread is in sight until it leaves its CPU for ever; its number may be another one's then. */
static void ends_and_another(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 40 + 50,
		     PARTS({ A, SPAN_RUNNING, 20 + 5 + 30 }, { A, SPAN_PREEMPTED, 10 },
			   { A, SPAN_NEW, 20 }, { A, SPAN_RUNNING, 0 }, { A, SPAN_SLEEPING, 5 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { EXIT, 120, CPU0, A },
		     { SWITCH, 120, CPU0, A, PREEMPTED, IDLE },
		     { SWITCH, 130, CPU0, IDLE, RUNS, A }, { SWITCH, 135, CPU0, A, DEAD, IDLE },
		     { FORK, 145, CPU1, A, A }, { SWITCH, 165, CPU1, IDLE, RUNS, A },
		     { SWITCH, 195, CPU1, A, SLEEPS, IDLE }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->threads, 2);
	wall_free(x);
}

/* exec() tells that a thread runs of which nothing was known. */
static void exec_alone(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);

	(void)state;
	CHECK(x, 100,
	      PARTS({ A, SPAN_UNKNOWN, 20 }, { A, SPAN_RUNNING, 30 + 25 },
		    { A, SPAN_SLEEPING, 25 }),
	      { END, 100, CPU0, IDLE }, { EXEC, 120, CPU0, A },
	      { SWITCH, 150, CPU0, A, SLEEPS, IDLE }, { SWITCH, 175, CPU0, IDLE, RUNS, A },
	      { END, 200, CPU0, IDLE });
	wall_free(x);
}

/* The thread that calls exec() gets the number of its process, whose first thread has ended. */
static void exec_in_a_thread(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 50 + 100,
		     PARTS({ C, SPAN_RUNNING, 10 + 20 + 20 }, { C, SPAN_SLEEPING, 20 + 30 },
			   { C + 1, SPAN_NEW, 5 }, { C + 1, SPAN_RUNNING, 45 }),
		     { SWITCH, 100, CPU1, IDLE, RUNS, C }, { FORK, 105, CPU1, C + 1, C },
		     { SWITCH, 110, CPU0, IDLE, RUNS, C + 1 },
		     { SWITCH, 110, CPU1, C, SLEEPS, IDLE }, { SWITCH, 130, CPU1, IDLE, RUNS, C },
		     { EXIT, 140, CPU1, C }, { SWITCH, 150, CPU1, C, DEAD, IDLE },
		     { EXEC, 155, CPU0, C }, { SWITCH, 175, CPU0, C, SLEEPS, IDLE },
		     { END, 205, CPU0, IDLE });
	assert_int_equal(sums->contradictions, 0);
	wall_free(x);
}

/* PERF_RECORD_SWITCH tells no reason, but whether the thread was preempted. */
static void switch_records(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, true);

	(void)state;
	CHECK(x, 100,
	      PARTS({ A, SPAN_RUNNING, 30 + 10 }, { A, SPAN_PREEMPTED, 15 },
		    { A, SPAN_BLOCKED, 45 }),
	      { IN, 100, CPU0, A }, { OUT, 130, CPU0, A, true }, { IN, 145, CPU0, A },
	      { OUT, 155, CPU0, A, false }, { END, 200, CPU0, IDLE });
	assert_int_equal(seen.by_unknown, 0); /* who would wake it up has not come */
	wall_free(x);
}

/* One switch by two records is one. */
static void both_kinds(void **state)
{
	struct seen seen;
	struct wall *x = new_machine(&seen, false);
	const struct wall_sums *sums;

	(void)state;
	sums = CHECK(x, 100,
		     PARTS({ A, SPAN_RUNNING, 30 + 20 }, { A, SPAN_SLEEPING, 20 },
			   { A, SPAN_WOKEN, 30 }),
		     { SWITCH, 100, CPU0, IDLE, RUNS, A }, { IN, 101, CPU0, A },
		     { SWITCH, 130, CPU0, A, SLEEPS, IDLE }, { OUT, 131, CPU0, A, false },
		     { WAKE, 150, CPU1, B, A }, { SWITCH, 180, CPU0, IDLE, RUNS, A },
		     { IN, 181, CPU0, A }, { END, 200, CPU0, IDLE });
	assert_int_equal(sums->contradictions, 0);
	wall_free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_states),
		cmocka_unit_test(there_before),
		cmocka_unit_test(samples_and_contradictions),
		cmocka_unit_test(leaves_unseen),
		cmocka_unit_test(lost_records),
		cmocka_unit_test(time_goes_back),
		cmocka_unit_test(ends_and_another),
		cmocka_unit_test(exec_alone),
		cmocka_unit_test(exec_in_a_thread),
		cmocka_unit_test(switch_records),
		cmocka_unit_test(both_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
