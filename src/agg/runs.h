/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs: how often code ran from one branch to the next, by branch records: from where the one led
 * to up to the other, if both are in one function. Memory is proportional to distinct runs.
 *
 * Workers add to tables of their own; runs_finish() puts them together, then rows are constant.
 */
#ifndef AGG_RUNS_H
#define AGG_RUNS_H

#include "base/vec.h"
#include "session/session.h"

struct run_row {
	dso_id dso;
	u32 sym;
	u64 start, end; /* in the dso's address space: the first and the last instruction */
	u64 nr, predicted; /* how often; of these the branch at the end was predicted */
	u64 timed, cycles; /* how often the cycles since the branch before were recorded; all of
			      them */
	u64 least, most; /* of these cycles, once; 0 = none were recorded */
};

struct runs {
	struct session *s;
	struct runs_worker *workers;
	unsigned int nr_workers;
	/* after runs_finish(): by object, function, start, end */
	VEC(struct run_row) rows;
};

struct runs *runs_new(struct session *s);
void runs_free(struct runs *r); /* NULL is allowed */
/* The branches of a sample; by the session's workers. within: those of this frame's function alone,
 * 0 = of all. */
void runs_add(struct runs *r, struct session_worker *w, const struct session_record *rec,
	      frame_id within);
void runs_finish(struct runs *r);
/* Those of a function: how many, from *first on. */
size_t runs_of(const struct runs *r, dso_id dso, u32 sym, size_t *first);

#endif
