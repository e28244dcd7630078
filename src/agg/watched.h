/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watched: how many samples fall on each address of a few functions, from when they are watched on,
 * for as long as a session goes on: what perf top shows code with. Others cost a comparison.
 *
 * Workers count, each for itself; everything else is for one thread while no worker is at work
 * (session_consumer.round and renew). The session tells frames by function or by address.
 */
#ifndef AGG_WATCHED_H
#define AGG_WATCHED_H

#include "agg/addresses.h"

enum { WATCHED_MAX = 16 };

struct watched;

struct watched *watched_new(struct session *s);
void watched_free(struct watched *w); /* NULL is allowed */
/* From now on; what was watched first is given up for it where there are WATCHED_MAX. */
void watched_add(struct watched *w, dso_id dso, u32 sym);
/* Up to SESSION_AHEAD samples, by a worker. */
void watched_samples(struct watched *w, struct session_worker *sw, unsigned int worker,
		     const struct session_record *r, size_t nr);
/* What was counted until the last watched_sum(); all of it is w's, and goes with it. */
struct addresses *watched_counts(struct watched *w);
void watched_sum(struct watched *w);
/* All counts become num/den of themselves. */
void watched_decay(struct watched *w, u32 num, u32 den);
/* Symbols may have other numbers now. */
void watched_renew(struct watched *w);

#endif
