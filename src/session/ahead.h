/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/ahead: several chains at a time. Samples are decoded a few at a time before the
 * consumer gets the first of them: what is prefetched for one arrives while the others are
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
	u32 from, nr; /* its frames, in frames_ahead */
	u32 asked, nr_asked; /* those that are not shared: in asked */
	bool plain; /* a frame for each word that is no marker */
	const struct latest_chain *latest; /* which it shares frames with, or else with */
	u32 before; /* one of those ahead, + 1; 0 = none */
	struct shared_end shared;
	u64 hash; /* of its frames */
	chain_id chain;
	bool check;
};

/* Prefetches what resolving the first nr samples of w->ahead will look at, and makes chains that
 * are missing. */
void worker_look_ahead(struct session_worker *w, size_t nr);

#endif
