/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live: the running machine as a source of records (session/source.h). A capture reads its rings in
 * a thread of its own and writes a stream, as into a pipe; but that goes to the session through
 * memory. So what a consumer sees live is what it would see in a recording of the same time.
 *
 * Delay: a round ends every capture_config.round_ms, or earlier where rings fill, and what was
 * recorded before a round is handed over when the next one ends: two rounds at most.
 *
 * Memory is bounded: while a slow consumer has a full backlog the capture waits, rings overflow,
 * and the kernel's LOST records say how much was lost.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "capture/capture.h"
#include "session/source.h"

struct live_opts {
	struct capture *capture; /* prepared, with config.to_pipe and .round_ms; stays the caller's,
				  * who leaves it alone until live_wait() or source_close() */
	size_t backlog; /* bytes that may wait for the session, 0 = 16 MB */
	int tee_fd; /* a copy of the stream goes there, -1 = nowhere */
};

/*
 * The capture begins. Signals that end it (see capture/capture.h) arrive in its thread: from here
 * to source_close() they are blocked in the caller's, and in those that it starts; others must
 * block them themselves. The source ends when the capture does: its workload or the tasks have
 * ended, a signal came, or capture_stop(). -1: what the capture says.
 */
int live_open(struct source **out, const struct live_opts *opts, struct err *e);
/*
 * For consumers that do something else between rounds (session_consumer.round): waits until the
 * session has something to read, or this descriptor (-1 = none), or so many ms have passed (-1 =
 * for ever). True: the session has.
 */
bool live_wait_round(struct source *s, int fd, int ms);
/* After session_run(): the capture ends, if it has not yet. -1: why it ended early. */
int live_wait(struct source *s, struct err *e);

#endif
