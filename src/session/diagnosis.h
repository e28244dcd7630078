/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis: what a recording lacks: stacks that do not reach their thread's start, names, samples
 * that were lost. Runs the session once; nothing is printed.
 *
 * A stack is complete when its outermost frame is where a thread starts (_start, clone3, a function
 * of the C library that calls the program, the kernel's entry), or its unwind table says that
 * nobody called it, or that is in front of a function (makecontext()); or it is the function that
 * the program's file begins in. Others were truncated (the copy of the stack was too small), cut
 * (more frames than are kept) or are broken: code without frame pointer or unwind table lost the
 * trail.
 */
#ifndef SESSION_DIAGNOSIS_H
#define SESSION_DIAGNOSIS_H

#include "base/vec.h"
#include "session/session.h"

/* What is missing in one object. Samples count once in each. */
struct diagnosis_object {
	dso_id dso;
	u64 leaves; /* samples whose own address has no name */
	u64 frames; /* samples with a frame that has no name */
	u64 breaks; /* broken stacks whose last trace is in it */
};

/* Stacks that the kernel followed by frame pointers, and others. */
enum { DIAGNOSIS_FRAME_POINTERS, DIAGNOSIS_COPIES, DIAGNOSIS_NR_WAYS };
struct diagnosis_way {
	u64 stacks, complete, broken;
};

/* Stacks with which tasks went to sleep (record --off-cpu): few, and each of much time. */
struct diagnosis_asleep {
	u64 stacks, complete;
	bool unwound; /* by copies; else the kernel followed frame pointers */
};

/* Lost events by where they were lost. */
struct diagnosis_loss {
	const struct perfdata_event *event; /* NULL = not told */
	u32 cpu; /* (u32)-1 = not told */
	u64 lost, records;
};

struct diagnosis {
	u64 samples;
	u64 bytes; /* of samples */
	u64 stacks; /* samples that carry one, of a task that ran; the next five add up to it */
	u64 complete, truncated, cut, broken, guessed; /* the last: with callers that are guesses */
	struct diagnosis_way
		by[DIAGNOSIS_NR_WAYS]; /* the same, where both are in the recording; else 0 */
	struct diagnosis_asleep
		asleep; /* in none of the numbers of stacks here, nor in objects' breaks */
	u64 absent; /* truncated ones whose rest was not in memory */
	u64 elsewhere; /* broken ones that go on on another stack than the one that was copied:
			  behind a signal handler */
	u64 cut_limit; /* frames that were kept of the stacks that were cut */
	u64 unresolved; /* samples whose own address has no name; with unmapped */
	u64 unmapped; /* those whose address is in no known mapping */
	u64 timeless; /* samples without a time */
	u64 lost; /* events, by all kinds of records that tell of them */
	u64 worst_loss; /* the most that one record tells of */
	bool stopped; /* at max_samples: numbers are of these */
	VEC(struct diagnosis_object) objects; /* those with something to say, the worst first */
	VEC(struct diagnosis_loss) losses; /* the worst first */
};

/* s: fresh, opened with unwind and a max_stack beyond what was recorded. max_samples: stop
 * somewhere behind that many, 0 = look at all. */
int session_diagnose(struct session *s, u64 max_samples, struct diagnosis *out, struct err *e);
void diagnosis_release(struct diagnosis *d);
/* Whether its samples are of tasks that went to sleep. */
bool diagnosis_is_asleep(const struct perfdata_event *event);

#endif
