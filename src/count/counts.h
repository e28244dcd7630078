/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count/counts: what counters said, summed up: over CPUs and threads to rows, over runs to means.
 * Pure arithmetic; threads do not matter here.
 */
#ifndef COUNT_COUNTS_H
#define COUNT_COUNTS_H

#include "base/types.h"

/* A count as read, or a sum of such. */
struct count {
	double value;
	u64 enabled, running; /* ns */
};

/* The value that would have been counted had the event been on the counter all the time. */
double count_scale(u64 value, u64 enabled, u64 running);
/* later - earlier, for intervals; a counter that went back gives 0. */
u64 count_delta(u64 later, u64 earlier);

/* Mean and spread of repeated measurements (Welford's method); zero bytes = none yet. */
struct moments {
	u64 n;
	double mean, m2;
};

void moments_add(struct moments *m, double value);
/* Standard deviation of the mean. 0 for fewer than two. */
double moments_deviation(const struct moments *m);
/* The same in percent of the mean; 0 when the mean is. */
double moments_percent(const struct moments *m);

/* What rows stand for. */
enum count_aggr {
	COUNT_GLOBAL, /* one row */
	COUNT_CPU,
	COUNT_SOCKET,
	COUNT_DIE,
	COUNT_CLUSTER,
	COUNT_CACHE,
	COUNT_CORE,
	COUNT_NODE,
	COUNT_THREAD,
};

/* Where a CPU belongs; -1 = unknown or meaningless. */
struct count_place {
	s32 cpu, core, die, socket, node, cluster;
	s32 cache; /* its first CPU */
};

/* The place with everything finer than the aggregation set to -1: CPUs with equal ones share a row.
 */
struct count_place count_place_of(const struct count_place *cpu, enum count_aggr aggr);
/* Order of rows: socket, die, cluster, cache, core, node, cpu. <0, 0, >0. */
int count_place_compare(const struct count_place *a, const struct count_place *b);

#endif
