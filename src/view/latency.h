/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/latency: how long something took, as a histogram, and as a table of functions. Renderers
 * (render/latency.h) decide how it looks. All is borrowed.
 */
#ifndef VIEW_LATENCY_H
#define VIEW_LATENCY_H

#include "base/types.h"

struct view_durations {
	u64 count, total, least, most; /* ns; least: only if there are any */
};

struct view_histogram {
	bool in_ns; /* bounds are ns, else us */
	bool powers; /* of two: bucket i > 0 begins at 2^(i - 1) */
	u64 first, range; /* else: bucket 0 ends at first, or at range if that is 0; each other one
			     is as wide as range */
	const u64 *counts;
	size_t nr; /* buckets; the last one has no end */
	bool hide_empty;
	struct view_durations all;
};

struct view_function_time {
	const char *name;
	struct view_durations calls;
};

#endif
