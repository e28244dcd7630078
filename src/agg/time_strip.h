/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_strip: how many samples there were when, in a fixed number of slices that become longer as
 * the recording does. Adding costs an increment and takes no lock: one for each worker.
 */
#ifndef AGG_TIME_STRIP_H
#define AGG_TIME_STRIP_H

#include "base/types.h"

enum { TIME_STRIP_SLICES = 1024 };

/* Zero bytes are an empty one. */
struct time_strip {
	u64 nr[TIME_STRIP_SLICES];
	u64 first; /* number of the first slice: its time >> shift */
	u32 shift; /* a slice is 1 << shift ns */
	bool used;
};

void time_strip_add_slow(struct time_strip *s, u64 time);

static inline void time_strip_add(struct time_strip *s, u64 time)
{
	u64 at = (time >> s->shift) - s->first;

	if (s->used && at < TIME_STRIP_SLICES)
		s->nr[at]++;
	else
		time_strip_add_slow(s, time);
}

/* What another one has, too. */
void time_strip_merge(struct time_strip *to, const struct time_strip *from);
/* The times of a slice: [*from, *until) in ns. */
void time_strip_slice(const struct time_strip *s, u32 slice, u64 *from, u64 *until);
/* Of the slices that have samples, the first and the one behind the last; false: none has. */
bool time_strip_range(const struct time_strip *s, u32 *from, u32 *until);

#endif
