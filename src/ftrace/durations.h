/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/durations: times summed up, and counted in buckets. In ns. One thread.
 */
#ifndef FTRACE_DURATIONS_H
#define FTRACE_DURATIONS_H

#include "view/latency.h"

enum { FTRACE_BUCKETS = 22 /* unless more are asked for */, FTRACE_MAX_BUCKETS = 1 << 16 };

/* How buckets are laid out; units are us, or ns. */
struct ftrace_buckets {
	bool in_ns;
	u64 range; /* each is that wide; 0 = powers of two */
	u64 least; /* the first one ends there; 0 = it is as wide as the others */
	u64 nr; /* the last one has no end */
};

void durations_add(struct view_durations *d, u64 ns);
/* Which bucket a time belongs to. */
u64 ftrace_bucket(const struct ftrace_buckets *b, u64 ns);

#endif
