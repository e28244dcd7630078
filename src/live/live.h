/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live: the running machine as a source of records (session/source.h). A capture in a thread of its
 * own writes the stream that it would write into a pipe, and the session reads it from memory: a
 * consumer sees live what it would see in a recording.
 *
 * Delay: a round ends every capture_config.round_ms; where rings fill, earlier, but not within 5 ms
 * of the one before. What was recorded in a round is handed over when the next one ends, after two
 * rounds at most.
 *
 * Memory is bounded: while the backlog is full the capture waits, rings overflow, and the kernel's
 * LOST records say how much was lost.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "capture/capture.h"
#include "session/source.h"

struct live_opts {
	struct capture *capture; /* prepared, with config.to_pipe and .round_ms; stays the caller's,
				  * who leaves it alone until live_wait() or source_close() */
	size_t backlog; /* bytes that may wait for the session, 0 = 16 MB */
	int tee_fd; /* gets a copy of the stream; -1 = none */
};

/*
 * Starts the capture. The signals that end it (capture/capture.h) must reach its thread: until
 * source_close() they are blocked in the calling thread and those that it starts; other threads
 * must block them themselves. The source ends with the capture: when its workload or tasks have
 * ended, at a signal, or by capture_stop(). -1: the error of the capture.
 */
int live_open(struct source **out, const struct live_opts *opts, struct err *e);
/*
 * For consumers that do something else between rounds (session_consumer.round): waits until the
 * session has something to read, fd can be read (-1 = none), or ms have passed (-1 = for ever).
 * True: the session has something.
 */
bool live_wait_round(struct source *s, int fd, int ms);
/* After session_run(): ends the capture, if it still runs. -1: the error that ended it. */
int live_wait(struct source *s, struct err *e);

#endif
