/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/counters: samples that carry values of counters become a sample for each counter.
 */
#ifndef SESSION_COUNTERS_H
#define SESSION_COUNTERS_H

#include "base/map.h"
#include "session/batch.h"

enum { COUNTER_MEMBERS_MAX = (1 << 24) - (1 << 14) };

struct counter_value {
	u64 id, value;
};

/* One counter's part in a sample. */
struct counter_member {
	const struct perfdata_event *event; /* NULL: no counter of the sample moved */
	u64 id, period;
	bool again; /* not the first member of its record */
};

struct counters {
	struct map by_id;
	VEC(struct counter_value) values;
	VEC(struct counter_member) members; /* of the current batch */
	struct index_vec due;
};

bool counters_present(const struct perfdata *f);
/* Replace the samples in b->due (in order of time) by their members. Serial. */
void counters_expand(struct counters *c, const struct perfdata *f, struct batch *b);
void counters_release(struct counters *c);

#endif
