/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/backlog: what a reading thread that unwinds copies out of its rings while it must
 * wait.
 *
 * Samples are unwound in the rings themselves, of which a walk touches a small part. That takes
 * less time than copying them, but for the first sample in an object: its call frame information
 * must be read, which takes as long as a disk wants. If the object is large, or has no name here
 * and is looked for by way of its process, another thread does it (of a small one two threads that
 * wait for a CPU in turn would take longer). Meanwhile the one that reads rings copies out those of
 * which more than half is waiting, so that the kernel has the room again. The copies are worked off
 * like the rings, before what is in them. They are bounded (BACKLOG_MAX bytes, whose memory is kept
 * for the next time), since a recorder that gets too little of the CPU would do nothing but copy;
 * beyond that records stay in their ring, and what finds no room is counted by the kernel and told
 * as lost.
 *
 * One struct backlog per reading thread; positions are those of the rings.
 */
#ifndef CAPTURE_BACKLOG_H
#define CAPTURE_BACKLOG_H

#include "capture/stacks/unwinder.h"
#include "sys/ring.h"

enum { BACKLOG_MAX = 32 << 20, BACKLOG_LARGE_FILE = 8 << 20 };

struct backlog;

/* Of rings[which[0..nr_which)]; which is borrowed, NULL = all of the nr rings. large_file: from so
 * many bytes on another thread reads an object. */
struct backlog *backlog_new(struct ring *rings, size_t nr, const size_t *which, size_t nr_which,
			    u64 large_file);
void backlog_free(struct backlog *b);

/* Where the records of a ring begin that have not been worked off; b NULL: in the ring. */
u64 backlog_at(const struct backlog *b, const struct ring *rings, size_t ring);
/* Where those are, a ring or a copy; *to is made smaller where that ends before. */
const struct ring *backlog_source(const struct backlog *b, const struct ring *rings, size_t ring,
				  u64 *to);
/* What comes before a position is worked off. */
void backlog_consume(struct backlog *b, struct ring *rings, size_t ring, u64 to);
/* Read the object that the lane has stopped at, and keep the rings from filling. */
void backlog_wait(struct backlog *b, struct unwinder *u, struct unwind_lane *l);

#endif
