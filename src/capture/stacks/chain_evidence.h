/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/chain_evidence: what the stacks that are sampled tell of the code that they are
 * in, object by object: whether chains of frame pointers end there before the thread's start,
 * whether frame pointers find the callers that unwind tables find, and where neither way leads on.
 * For
 * --call-graph auto, which judged the code by itself before. One thread; memory is allocated once
 * for an object.
 */
#ifndef CAPTURE_CHAIN_EVIDENCE_H
#define CAPTURE_CHAIN_EVIDENCE_H

#include "base/vec.h"
#include "dso/dso.h"

/* Places in a file. */
struct evidence_range {
	u64 from, to;
};

struct object_evidence {
	struct dso *object; /* NULL = nothing is known of it */
	u64 entry; /* in its file, where a program begins; 0 = nowhere */
	bool starts_read;
	VEC(struct evidence_range)
	starts; /* functions that have no caller, as Go's own table tells */
	u64 breaks; /* chains of frame pointers that end there, of those looked at */
	u64 callers, agree; /* found by tables, looked at; of them found by frame pointers, too */
	u64 ends; /* chains that end there both ways */
};

struct chain_evidence {
	VEC(struct object_evidence) objects; /* by dso_id */
	bool of_copies; /* chains of those that took over are counted, else those of watched events
			 */
	u64 looked, broken; /* chains (copies that were too short count as broken ones); halved now
			       and then */
	u64 samples; /* that went by */
};

void chain_evidence_release(struct chain_evidence *e);
/* The objects have other numbers now; how many chains were looked at stays. */
void chain_evidence_forget_objects(struct chain_evidence *e);
/* From now on chains of the other kind are counted. */
void chain_evidence_begin_anew(struct chain_evidence *e, bool of_copies);
struct object_evidence *chain_evidence_of(struct chain_evidence *e, dso_id dso, struct dso *object);
/* A place in the function that a program begins in, as far as its file tells. */
bool chain_evidence_is_entry(const struct object_evidence *o, u64 addr);
/* A place in a function that Go's runtime begins a stack with. Reads the object's file, once. */
bool chain_evidence_is_start(struct object_evidence *o, u64 addr);
/* A chain was looked at. What is long ago counts less. */
void chain_evidence_count(struct chain_evidence *e, bool broken);
/* What another thread saw, of the same objects. */
void chain_evidence_merge(struct chain_evidence *e, const struct chain_evidence *from);

#endif
