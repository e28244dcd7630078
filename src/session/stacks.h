/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/stacks: callers found in copies of stacks.
 */
#ifndef SESSION_STACKS_H
#define SESSION_STACKS_H

#include "session/session.h"
#include "unwind/objects.h"

/* The unwinding rules of the recorded objects, shared by all workers. */
struct stacks {
	bool some_unwound; /* while recording, of events whose attributes do not say so */
	struct dso_table *dsos;
	const struct unwind_abi *abi, *abi32; /* NULL: none for the recorded machine */
	struct unwind_objects *objects;
};

void stacks_init(struct stacks *st, struct dso_table *dsos);
void stacks_release(struct stacks *st);
/* Before any sample; machine: of the recording, NULL = ours. */
void stacks_prepare(struct stacks *st, const char *machine);
/* addr: in the dso's address space. Whether the call frame information there says that no function
 * calls it: the start of a thread. */
bool stacks_is_outermost(struct stacks *st, dso_id dso, u64 addr);
/* Whether the address has no rule and is just before a function with one: makecontext() sets up
 * stacks that begin so. */
bool stacks_is_planted(struct stacks *st, dso_id dso, u64 addr);
/* Whether signal handlers return to it. */
bool stacks_is_signal_return(struct stacks *st, dso_id dso, u64 addr);
/* Whether there is call frame information for the address. */
bool stacks_has_tables(struct stacks *st, dso_id dso, u64 addr);
/*
 * Append the callers that the sample's copy of its stack gives to its callchain, when stacks_walk()
 * is called: of at most AHEAD samples, several side by side. Until then sample, site and copy must
 * stay; the chain stays until the next one is put off.
 */
void stacks_put_off(struct session_worker *w, const struct sample_layout *l,
		    const struct site *site, struct sample *smp);
void stacks_walk(struct session_worker *w);
void stacks_free_walks(struct session_worker *w);

/*
 * Frame pointers miss the caller of a function that has not set up its frame. Where the sample has
 * the register with the return address, and the function has not changed it, that address becomes
 * the caller.
 */
void stacks_add_leaf_caller(struct session_worker *w, const struct sample_layout *l,
			    const struct site *site, struct sample *smp);

/* The chain of a sample whose stack was unwound while it was recorded; others stay as they are. */
void stacks_take_stored(struct session_worker *w, const struct perfdata_event *ev,
			struct sample *smp);

#endif
