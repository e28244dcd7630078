/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/stacks: what a recording does about the callers of its samples. It owns
 *
 * - the unwinder, which knows what is mapped and the rules of the objects; NULL where copies of
 *   stacks stay as they are;
 * - the choice of how stacks are found, a state machine (choice.h), with the events that may take
 *   over;
 * - newcomers: the events that tell of programs in another root, and how long to look at those;
 * - the timers of looks at what is sampled.
 *
 * A thread that reads rings has a stack_reader. The order of calls:
 *
 *	capture_stacks_open()          events are open, their rings mapped
 *	  capture_stacks_begin_file()  for each file: what was mapped before is told anew
 *	    capture_stacks_begin_round(), then the heads of the rings are read, then
 *	    capture_stacks_gather()    for each round, by each thread that reads rings
 *	capture_stacks_release()       all readers were released before
 *
 * One thread, unless it says otherwise.
 */
#ifndef CAPTURE_STACKS_H
#define CAPTURE_STACKS_H

#include "capture/rings.h"
#include "capture/stacks/backlog.h"
#include "capture/stacks/choice.h"
#include "capture/stacks/newcomers.h"

/* Zero bytes and capture_stacks_init() make one that does nothing. */
struct capture_stacks {
	struct unwinder *unwinder;
	struct stack_choice choice;
	struct newcomers newcomers;
	int newcomers_fd; /* timer of looks at what they map, -1 = there is none */
	u32 newcomers_looks; /* it went off so often since the latest came */
	int look_fd; /* timer, while capture_stacks_look_again() */
	u64 *looked; /* by ring of the flight recorder: how far it was looked at, for the choice */
};

struct capture_stacks_opts {
	struct stack_choice_opts choice;
	const u64 *ids; /* of the events, in the grid of choice.fds */
	struct unwinder_opts unwinder; /* without spares, which are chosen here */
	bool keeps_files; /* of objects: newcomers are wanted without an unwinder, too */
	bool inherit;
	size_t nr_flight; /* rings of the flight recorder */
};

void capture_stacks_init(struct capture_stacks *s);
/* What cannot be opened is done without: the choice tells of it. opts' pointers are borrowed. */
void capture_stacks_open(struct capture_stacks *s, const struct capture_stacks_opts *opts);
void capture_stacks_release(struct capture_stacks *s);

/* Another file begins: what follows is told anew, and what the header says of objects, too. */
void capture_stacks_begin_file(struct capture_stacks *s);
/* Forget all mappings: they are told anew. No reader is at work. */
void capture_stacks_restart(struct capture_stacks *s);
/* A record about the state before recording. */
void capture_stacks_tell(struct capture_stacks *s, const struct perf_event_header *h);
/* The attributes as the file has them: copies that are unwound are not in it. */
void capture_stacks_file_attr(const struct capture_stacks *s, const struct event *ev,
			      struct perf_event_attr *attr);
/* Ids of what may take over from an event, at most per_event: their samples are that event's. */
size_t capture_stacks_spare_ids(const struct capture_stacks *s, u32 event, u64 *ids);
/* Whether chains are judged, or copies of stacks may end at pages that are to be mapped. */
bool capture_stacks_look_again(const struct capture_stacks *s);

/* Of one thread that reads rings. Zero bytes: copies of stacks stay as they are. */
struct stack_reader {
	struct unwind_lane *lane;
	struct backlog *backlog; /* with a lane */
};

/* which: rings that it reads, borrowed; NULL = all. Nothing without an unwinder. */
void stack_reader_open(struct stack_reader *r, const struct capture_stacks *s,
		       const struct capture_rings *rings, struct unwind_rings which);
void stack_reader_release(struct stack_reader *r);

/* Before the heads of these rings are read: which samples are still to come. True: other threads
 * should read theirs, too, which keep too much in memory. Any thread. */
bool capture_stacks_begin_round(const struct capture_stacks *s, const struct stack_reader *r,
				struct capture_rings *rings, struct unwind_rings which);
/* After that: what was mapped before a sample that lies before a head is in the rings. Any thread.
 */
void capture_stacks_gather(const struct capture_stacks *s);

#endif
