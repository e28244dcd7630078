/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/crew: several threads that read rings, each ring into a file of its own (record
 * --threads).
 *
 * The files are data.0, data.1, ... of a perf.data directory, in the order of the rings: records
 * without a header, in the order of their ring's CPU, so without rounds. The recording's own thread
 * keeps everything else. Between crew_start() and crew_stop() the rings and c->rings belong to the
 * crew.
 */
#ifndef CAPTURE_CREW_H
#define CAPTURE_CREW_H

#include "base/err.h"
#include "capture/stacks/chain_evidence.h"
#include "capture/layout.h"
#include "perfdata/writer.h"

struct capture;
struct crew;

struct crew_opts {
	const struct layout *layout;
	const char *directory;
	int level; /* of compression, 0 = none */
};

struct crew *crew_new(struct capture *c, const struct crew_opts *opts, struct err *e);
/* Readable when a thread has failed or the recording has become too large. */
int crew_fd(const struct crew *crew);
int crew_start(struct crew *crew, struct err *e);
/* Everyone reads its rings soon: somebody else was told that one fills. Any thread. */
void crew_look(struct crew *crew);
/* Take what the rings still hold, end the threads, add up what they learned. -1: what the first of
 * those that failed says. */
int crew_stop(struct crew *crew, struct err *e);
/* What all saw of the chains, with an unwinder: see unwind_lane_add_evidence(),
 * unwind_lane_judge_anew(). */
void crew_add_evidence(struct crew *crew, struct chain_evidence *sum);
void crew_judge_anew(struct crew *crew, bool of_copies);
/* Bytes written by all, and their compression; after crew_stop(). */
u64 crew_bytes(const struct crew *crew);
struct writer_ratio crew_ratio(const struct crew *crew);
void crew_free(struct crew *crew);

#endif
