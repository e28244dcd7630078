/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count/ratios: what classic perf stat computes from pairs of counts: instructions per cycle, miss
 * percentages, clock frequency, rates per second. One const table of rules; pure.
 *
 * A ratio_set holds the values of one row of the result (one CPU, one socket, everything), of one
 * cgroup: counts that are compared with each other come from the same set.
 */
#ifndef COUNT_RATIOS_H
#define COUNT_RATIOS_H

#include "abi/perf_event.h"
#include "count/counts.h"
#include "base/vec.h"
#include "view/counters.h"

/* What other ratios divide by. */
enum ratio_base {
	RATIO_NONE,
	RATIO_CLOCK,
	RATIO_CYCLES,
	RATIO_BRANCHES,
	RATIO_CACHE_REFS,
	RATIO_L1D,
	RATIO_L1I,
	RATIO_LL,
	RATIO_DTLB,
	RATIO_ITLB,
	RATIO_STALLED_FRONT,
	RATIO_STALLED_BACK,
	RATIO_CYCLES_IN_TX,
	RATIO_APERF,
};

struct ratio_value {
	enum ratio_base base;
	u32 context; /* levels and hosts that were counted; clocks have none */
	struct moments mean;
};
struct ratio_set {
	VEC(struct ratio_value) values;
};

/* Remember a count if others are measured against it; several of the same kind are averaged.
 * value: scaled; ns for clocks. name: PMU events are known by it. */
void ratio_set_add(struct ratio_set *s, const struct perf_event_attr *attr, const char *name,
		   double value);
void ratio_set_release(struct ratio_set *s);
/* Whether ratio_set_add() takes the counts of that event. */
bool ratio_is_base(const struct perf_event_attr *attr, const char *name);

/*
 * The ratios of one count, at most VIEW_MAX_RATIOS of them, into out; returns how many. The first
 * may be unknown (only its label is set: what it would have been). seconds: time that the
 * measurement took, for CPUs utilized.
 */
size_t ratio_compute(const struct ratio_set *s, const struct perf_event_attr *attr,
		     const char *name, double value, double seconds, struct view_ratio *out);

bool ratio_is_clock(const struct perf_event_attr *attr);

#endif
