/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall: all the time of all threads as samples whose weight is time, in ns: running, waiting for a
 * CPU, blocked. doc/wall.md explains it to users.
 *
 * What is known of a thread at a time comes from whatever the recording has of: switches
 * (PERF_RECORD_SWITCH, sched:sched_switch, samples of the event context-switches), wake-ups
 * (sched:sched_waking), sums of the time off the CPU (offcpu-time), and samples of one event that
 * is counted while threads run.
 *
 *     running   A sample stands for the time that its thread ran since the sample before it. What
 *               is left behind the last one is "[not sampled]". So the samples of a thread add up
 *               to the time that it ran, which switches tell exactly.
 *     off       A span between two events. Its stack is the one of the switch at its beginning,
 *               without the scheduler's own functions.
 *     unknown   Before a thread's first event, from the last event before a loss to the first one
 *               after it, and where events contradict each other.
 *
 * Of each thread these add up to the time between its first and its last sight; a thread that has
 * not ended is in sight until the recording's end. Idle tasks are no threads.
 *
 * Memory: by threads, with up to 4096 places of samples each, and distinct callchains.
 */
#ifndef ANALYZE_WALL_H
#define ANALYZE_WALL_H

#include "session/session.h"

struct wall;

struct wall_opts {
	/* A sample with a span. False: enough. */
	bool (*take)(void *ctx, struct session_worker *w, const struct session_record *r);
	void *ctx;
};

struct wall_sums {
	u64 ns[SPAN_NR_STATES]; /* as far as --time and -C leave it */
	u64 threads;
	bool wakeups; /* are recorded: else spans that are blocked go on until the thread ran */
	u64 unwoken; /* ns of blocked: their end has no recorded wake-up, though others have */
	bool guessed; /* no switches are recorded: running is by samples' periods */
	u64 contradictions; /* events that do not fit to the one before them */
	u64 backwards; /* earlier than the thread's event before them */
	u64 losses; /* after which all threads' states were unknown */
	u64 idle; /* samples of idle tasks, left out */
	u64 others; /* samples of other events, left out */
};

/* -1 with *e: nothing in the recording tells when threads did not run. (In a stream that is known
 * only when it was read: wall_finish().) */
int wall_new(struct wall **out, struct session *s, const struct wall_opts *o, struct err *e);
void wall_free(struct wall *x);
/* A consumer's record(): ordered, serial, all records; with session_opts.tell_left_out. */
bool wall_record(struct wall *x, struct session_worker *w, const struct session_record *r);
/* After the last record; not after an error. */
int wall_finish(struct wall *x, struct err *e);
const struct wall_sums *wall_sums(const struct wall *x);

#endif
