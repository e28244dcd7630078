/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/parallelism: how many threads of the recording run at a time.
 */
#ifndef SESSION_PARALLELISM_H
#define SESSION_PARALLELISM_H

#include "base/vec.h"
#include "perfdata/perfdata.h"

struct parallel_step {
	u64 time, pos; /* of the record; timeless: all times are 0 */
	u32 running; /* from there on */
};

struct parallelism {
	VEC(struct parallel_step) steps; /* of the batch, in order */
	s64 count; /* of all records so far */
	u32 before; /* the value before the first step */
	u32 max;
	bool timeless;
};

void parallelism_init(struct parallelism *p);
void parallelism_release(struct parallelism *p);
/* A batch begins. cpus: that the recorded machine can have, 0 = unknown. */
void parallelism_begin(struct parallelism *p, u32 cpus, bool timeless);
/* In order; records that tell nothing of it are ignored. */
void parallelism_note(struct parallelism *p, const struct perf_event_header *h, u64 time, u64 pos);
/* How many ran at that place of the order, 1 .. cpus. *last: the caller's, any number at first, to
 * find the next place near the last. Workers. */
u32 parallelism_at(const struct parallelism *p, u64 time, u64 pos, size_t *last);

#endif
