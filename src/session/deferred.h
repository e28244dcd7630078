/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/deferred: user callchains that stand in records of their own (CALLCHAIN_DEFERRED).
 */
#ifndef SESSION_DEFERRED_H
#define SESSION_DEFERRED_H

#include "base/arena.h"
#include "base/map.h"
#include "session/session.h"
#include "session/source.h"

struct deferred_chain {
	u64 cookie;
	u32 tid, nr;
	const u64 *ips;
};

/* Zero bytes are an empty one. Read by any thread while nothing is added. */
struct deferred {
	VEC(struct deferred_chain) chains;
	struct map by_cookie;
	struct arena arena;
	u64 bytes;
};

void deferred_release(struct deferred *d);
/* All such records of a source that can be read again, which is rewound afterwards; of other
 * sources nothing. */
int deferred_read(struct deferred *d, struct source *source, struct err *e);
/* Adds the chain of a record of that type; ignores others. */
void deferred_add(struct deferred *d, const struct perfdata *file,
		  const struct perf_event_header *h);
/* Whether the user part of a sample's chain is in another record. */
static inline bool deferred_waits(const struct sample *smp)
{
	return smp->nr_chain >= 2 && smp->chain[smp->nr_chain - 2] == PERF_CONTEXT_USER_DEFERRED;
}
/* Put the user part into the chain of a sample that waits for one. */
void deferred_join(struct session_worker *w, const struct deferred *d, bool keep_apart,
		   struct sample *smp);

#endif
