/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams: the hottest sequences of branches of two recordings beside each other. All strings are
 * borrowed, and not escaped.
 */
#ifndef VIEW_STREAMS_H
#define VIEW_STREAMS_H

#include "base/types.h"

struct view_stream {
	const char *const *frames; /* both ends of each branch, the latest first */
	size_t nr;
	u64 cycles; /* that it took on average */
	u64 period;
	double percent; /* of all streams of its recording */
};

/* One of both may be NULL, where the other recording does not have it among its hottest. */
struct view_stream_pair {
	const struct view_stream *base, *other;
};

struct view_streams {
	const struct view_stream_pair *v;
	size_t nr;
};

#endif
