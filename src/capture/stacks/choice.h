/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/choice: how the stacks of a recording are found, and changes of that while it
 * goes on: from frame pointers to copies of stacks (--call-graph auto), or from copies to larger
 * ones, and back. A state machine of one thread: whoever reads the rings hands it what was seen of
 * the stacks; it turns events on and off, and keeps what is to be told.
 *
 *	WATCHED -- too many are broken: change --> ON_TRIAL -- no better: change back --> SETTLED
 *	                                               `------------- better ----------------^
 *
 * Larger copies are given up later, too, when the rings lose samples.
 */
#ifndef CAPTURE_STACK_CHOICE_H
#define CAPTURE_STACK_CHOICE_H

#include "capture/stacks/chain_evidence.h"
#include "capture/stacks/spare_events.h"

struct stack_choice_opts {
	const struct event_list *events;
	const struct capture_fds *fds; /* of them, with their rings mapped; borrowed, as are all */
	const struct capture_target *target;
	size_t ring_size;
	const bool *enabled; /* by event: a leader that counts now */
	const char *const *code_notes; /* see capture_opts */
	void (*tell)(void *ctx, const char *text); /* NULL = silent */
	void *tell_ctx;
};

struct stack_outcome {
	bool changed; /* copies took over from frame pointers, at some time */
	u32 took_over; /* bytes of the copies that took over, 0 = none did */
	bool went_back; /* they did no better, or ... */
	bool had_no_room; /* ... the rings were too small for them */
};

/* Zero bytes: nothing is to be chosen. */
struct stack_choice {
	struct stack_choice_opts o;
	struct spare_events spare;
	enum { STACKS_WATCHED, STACKS_ON_TRIAL, STACKS_SETTLED } state;
	unsigned int broken_before; /* percent */
	u64 lost; /* samples, until now */
	u64 lost_before, samples_before; /* when larger copies took over */
	struct stack_outcome outcome;
	VEC(char *) notes; /* for the header */
	size_t of_objects; /* of them at the end, for this file alone */
	VEC(const char *) all; /* with those of before; NULL at the end */
};

/* Open events that may take over; notes of those that none can stand in for. */
void stack_choice_open(struct stack_choice *s, const struct stack_choice_opts *o);
/* Whether something may still change. */
bool stack_choice_is_open(const struct stack_choice *s);
/* lost: samples that the rings had no room for, until now. False: there is nothing to judge. */
bool stack_choice_wants_judging(struct stack_choice *s, u64 lost);
/* After that, by what was seen in all threads. True: it has changed: from now on chains of the
 * other kind are to be looked at (of copies: spare.on). */
bool stack_choice_judge(struct stack_choice *s, const struct chain_evidence *e);
/* Lines for the header, NULL at the end; NULL = none. e: at the end, what was seen of objects; NULL
 * = at the begin. Valid until the next call. */
const char *const *stack_choice_notes(struct stack_choice *s, const struct chain_evidence *e);
/* Those about objects are told anew. */
void stack_choice_next_file(struct stack_choice *s);
void stack_choice_release(struct stack_choice *s);

#endif
