/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stack_rest: what lies on a stack above the copy that the kernel made: the frames of those who called long
 * ago, which as a rule are still there when the sample is read. They are taken for those of the sample if the
 * outermost function that was found in the copy still waits for something that it called, at the same place of the
 * stack: then it, and all who wait for it, have not returned (or were called again as before). Of that function an
 * address near the old one tells, with the same unwind rule. Where the sampled function alone was found, with a frame
 * larger than the copy, it is its caller that tells: by a call that leads to it.
 *
 * Of what lies far above, behind a frame of hundreds of kilobytes, only the part that the walk needs is read.
 *
 * To read them has a second use: where the copy ended at a page that is not in memory (of a large frame that the
 * program has not used, or swapped out) the kernel maps it thereby, to the page of zeros if nothing was ever in
 * it, and the next copies of that stack go on behind it. One thread.
 */
#ifndef CAPTURE_STACK_REST_H
#define CAPTURE_STACK_REST_H

#include "unwind/objects.h"

struct stack_rest {
	u8 *bytes;
	size_t room;
	u8 *windows; /* what is read farther up */
};

/* Bytes of a stack that are read in one piece with the copy, and how far up its callers may be. */
enum { STACK_REST_MAX = 256 << 10, STACK_REST_FAR = 1 << 30 };

/*
 * Goes on with a walk that the end of the copy has ended. job: with a struct unwind_source for ctx; it stays as it is
 * if the process is gone or may not be read, if the function is not there any more, or if that leads nowhere. Else it
 * has more frames, and the end that was found; stack is the copy again. UNWIND_BROKEN: nothing is above the copy, the
 * walk was led astray.
 */
void stack_rest_walk(struct stack_rest *r, struct unwind_job *job, u32 pid);
void stack_rest_release(struct stack_rest *r);

#endif
