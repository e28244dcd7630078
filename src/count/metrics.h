/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: -M and --topdown: the events that formulas need, and their values beside the counts.
 *
 * The events of a metric form a group, so that they count the same time, unless that would not fit
 * the counters. A metric whose events all are in an earlier group uses that one. Events know the
 * number of their group (event.metric_group), which copies for control groups keep.
 */
#ifndef COUNT_METRICS_H
#define COUNT_METRICS_H

#include "count/measurement.h"
#include "view/counters.h"

struct count_metrics;

enum metrics_result {
	METRICS_OK,
	METRICS_FAILED,
	METRICS_NO_TOPDOWN, /* of this model of CPU no topdown metrics are known */
};

/* Appends the events that the metrics need. told: lines for the user about what is unknown, also
 * where that is no failure; what else fails is in *e. */
enum metrics_result count_metrics_prepare(struct count_opts *o, struct strbuf *told, struct err *e);
/* The machine of a recording. */
struct recorded_machine {
	const char *cpuid; /* "" = unknown */
	/* A level (enum event_tool) of that machine, false = unknown. */
	bool (*level)(void *ctx, u32 tool, double *out);
	void *ctx;
};
/* The same for a recording, whose events are in the list: finds those of each metric among them.
 * What was not counted has no value. recorded must outlive the set. */
enum metrics_result count_metrics_restore(struct count_opts *o,
					  const struct recorded_machine *recorded,
					  struct strbuf *told, struct err *e);
void count_metrics_free(struct count_metrics *set);
/* The count of an event of a group, false = not counted. */
typedef bool (*count_metric_value_fn)(void *ctx, const char *name, u32 group, double *out);
/* The metrics of a group into out, at most room; returns how many. Labels belong to set. */
size_t count_metrics_of(struct count_metrics *set, u32 group, count_metric_value_fn value,
			void *ctx, struct view_ratio *out, size_t room);

#endif
