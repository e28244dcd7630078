/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: a recording of counts (`recorder`) becomes a measurement again, whose values come from
 * records instead of counters.
 */
#ifndef COUNT_REPLAY_H
#define COUNT_REPLAY_H

#include "count/measurement.h"
#include "perfdata/perfdata.h"

struct replay_ops {
	/* The words of the recording's command line, which alone tell its metrics: into m->o. */
	void (*options)(void *ctx, const char *const *words, size_t nr);
	/* The cells have the counts of an interval; final: of all. */
	void (*round)(void *ctx, bool final);
	void (*tell)(void *ctx, const char *line);
	void *ctx;
};

struct replayed {
	bool any; /* round */
	u64 skipped; /* values of no event, CPU or task of the file */
	size_t nr_extra; /* maps of tasks and CPUs behind the first */
};

/* m: released by the caller, as its options; aggr_given: m->o->aggr counts, not the recorded one.
 * What m computes of metrics is known during the call. */
int count_replay(struct perfdata *f, struct measurement *m, bool aggr_given,
		 const struct replay_ops *ops, struct replayed *out, struct err *e);

#endif
