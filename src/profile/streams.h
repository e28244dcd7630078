/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams: the sequences of branches that samples found most often (diff --stream).
 *
 * A stream is an end of a chain of branch records: what a report of --branch-history shows behind
 * the last fork below the row of the line that was sampled, from half a percent of all samples on.
 * Of each recording the STREAMS_HOT heaviest count, with their shares of all streams; those of two
 * recordings are the same if their functions and lines are.
 *
 * The accumulation is one by STREAMS_SORT with chains of branches (streams_options()). One thread.
 */
#ifndef PROFILE_STREAMS_H
#define PROFILE_STREAMS_H

#include "profile/profile.h"
#include "view/streams.h"

#define STREAMS_SORT "srcline,symbol,dso"
enum { STREAMS_HOT = 5 };

/* What the session and the accumulation must keep. */
void streams_options(struct session_opts *s, struct profile_opts *o);

struct streams;
/* The heaviest of a section. */
struct streams *streams_new(struct agg *a, const struct agg_section *s);
void streams_free(struct streams *s); /* NULL is allowed */

/* Pairs in perf's order; valid as long as both. To be freed. */
struct view_stream_pair *streams_join(const struct streams *base, const struct streams *other,
				      size_t *nr);

#endif
