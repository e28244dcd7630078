/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/latest: frames that a chain shares with the chain before it of the same thread.
 */
#ifndef SESSION_LATEST_H
#define SESSION_LATEST_H

#include "session/session.h"

/* The chain that a thread had last, as recorded, as far as it is kept: its outermost words. */
struct latest_chain {
	u32 thread, space;
	u64 valid_from; /* the frames hold from then on, for all of the chain */
	u32 changes; /* as in struct chain_slot */
	u8 mode; /* level of the first word */
	u32 nr, nr_frames;
	u64 *words; /* LATEST_WORDS */
	frame_id *frames; /* of the words that are no markers */
};

enum { LATEST_CHAINS = 64, LATEST_WORDS = 128 };

/* Of one worker. Zero bytes are an empty table. */
struct latest_chains {
	struct latest_chain *chains;
	u64 *words;
	frame_id *frames;
};

/* What two chains have in common at their outer ends. */
struct shared_end {
	u32 nr; /* words */
	u32 nr_frames; /* of these */
};

/* Level of addresses behind a marker. */
u8 chain_mode(u64 marker);
/* x_mode, y_mode: levels of the first words. The common words are of the same level. */
struct shared_end chains_share(const u64 *x, u64 nr_x, u8 x_mode, const u64 *y, u64 nr_y,
			       u8 y_mode);
/* NULL: none is kept of the thread in that space. */
const struct latest_chain *latest_find(const struct latest_chains *l, u32 thread, u32 space);
/* A chain that begins at user level; a frame for each word that is no marker. */
void latest_keep(struct latest_chains *l, const struct latest_chain *c);
void latest_release(struct latest_chains *l);

#endif
