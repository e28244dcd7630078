/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/ahead: resolves several samples side by side. They are decoded together before the
 * consumer gets the first of them: memory that is prefetched for one arrives while others are
 * decoded.
 */
#ifndef SESSION_AHEAD_H
#define SESSION_AHEAD_H

#include "session/latest.h"
#include "session/session.h"

enum { AHEAD = SESSION_AHEAD };

struct chain_ahead {
	u64 h1, h2; /* of the chain as recorded */
	bool known; /* there is a chain, and h1, h2 are set */
	bool missing; /* it is not in the worker's cache */
	bool unmapped; /* as in struct chain_slot: */
	u64 valid_from;
	u32 from, nr; /* its frames in session_worker.frames_ahead */
	u32 asked, nr_asked; /* frames that are not shared, in session_worker.asked */
	bool plain; /* a frame for each word that is no marker */
	const struct latest_chain *latest; /* the thread's latest chain, with which it shares
					      frames; NULL: with none, or with */
	u32 before; /* one of these chains ahead: its number + 1; 0 = none */
	struct shared_end shared;
	u64 hash; /* of its frames */
	chain_id chain;
	bool check; /* chain has the same hash, but may be another one */
};

/* Prefetches what resolving the first nr samples of w->ahead will look at, and makes chains that
 * are missing. */
void worker_look_ahead(struct session_worker *w, size_t nr);

#endif
