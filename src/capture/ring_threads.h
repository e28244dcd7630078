/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/ring_threads: several threads that read rings, each ring into a file of its own (record
 * --threads).
 *
 * The files are data.0, data.1, ... of a perf.data directory, in the order of the rings: records
 * without a header, in the order of their ring's CPU, so without rounds. The recording's own thread
 * keeps everything else. Between ring_threads_start() and ring_threads_stop() the rings and
 * c->rings belong to the threads.
 */
#ifndef CAPTURE_RING_THREADS_H
#define CAPTURE_RING_THREADS_H

#include "base/err.h"
#include "capture/stacks/chain_evidence.h"
#include "capture/layout.h"
#include "perfdata/writer.h"

struct capture;
struct ring_threads;

struct ring_threads_opts {
	const struct layout *layout;
	const char *directory;
	int level; /* of compression, 0 = none */
};

struct ring_threads *ring_threads_new(struct capture *c, const struct ring_threads_opts *opts,
				      struct err *e);
/* Readable when a thread has failed or the recording has become too large. */
int ring_threads_fd(const struct ring_threads *all);
int ring_threads_start(struct ring_threads *all, struct err *e);
/* Each thread reads its rings soon: the kernel may have told another one that they fill. Any
 * thread. */
void ring_threads_look(struct ring_threads *all);
/* Take what the rings still hold, end the threads, add up what they learned. -1: what the first of
 * those that failed says. */
int ring_threads_stop(struct ring_threads *all, struct err *e);
/* What all saw of the chains, with an unwinder: see unwind_lane_add_evidence(),
 * unwind_lane_judge_anew(). */
void ring_threads_add_evidence(struct ring_threads *all, struct chain_evidence *sum);
void ring_threads_judge_anew(struct ring_threads *all, bool of_copies);
/* Bytes written by all, and their compression; after ring_threads_stop(). */
u64 ring_threads_bytes(const struct ring_threads *all);
struct writer_ratio ring_threads_ratio(const struct ring_threads *all);
void ring_threads_free(struct ring_threads *all);

#endif
