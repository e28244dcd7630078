/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/metric: numbers that mean something, as formulas over counts, by CPU model. Const tables;
 * one file per vendor.
 *
 * Sources: Intel's "Top-down Microarchitecture Analysis" (Optimization Reference Manual, appendix
 * B) and the events of Intel's SDM volume 3B; AMD's Processor Programming References, "Performance
 * Monitor Counters"; Arm's telemetry specifications of the Neoverse cores.
 */
#ifndef EVENT_METRIC_H
#define EVENT_METRIC_H

#include "event/event.h"
#include "event/expr.h"

struct metric {
	const char *name;
	const char *groups; /* "TopdownL1;Summary" */
	const char *expr; /* names are those of the model's events and metrics, or perf events */
	const char *
		threshold; /* a formula that is not 0 when the value is worth a look, NULL = none */
	bool percent; /* shown times 100 with a "%" */
	const char *desc;
	const char *unit; /* shown behind the value times scale; NULL = none */
	double scale;
};

/* A raw event of the model. */
struct metric_event {
	char name[48];
	u64 config;
	bool fixed; /* on a counter of its own */
};

struct metric_model {
	const char *cpus; /* globs of CPU ids separated by '|': "GenuineIntel-6-8F-*" */
	const char
		*pmu; /* glob of the core PMU's name, NULL = any; hybrid CPUs have a row for each */
	const char *leader; /* event that must lead a group with PMU-computed events, NULL = none */
	u32 counters; /* for other than fixed events: what a group may have */
	const struct metric *metrics;
	size_t nr_metrics;
	const struct metric_event *events;
	size_t nr_events;
};

/* Tables of the vendors, nr of them. */
const struct metric_model *metric_models_intel(size_t *nr);
const struct metric_model *metric_models_amd(size_t *nr);
const struct metric_model *metric_models_arm(size_t *nr);
const struct metric_model *metric_models_any(
	size_t *nr); /* of every CPU, also of one that has no id */

enum { METRIC_MODELS_MAX = 4 };
/* The models of a CPU id (sys_cpu_id()), at most METRIC_MODELS_MAX; one per kind of core. */
size_t metric_models_of(const char *cpuid, const struct metric_model **out);
const struct metric *metric_find(const struct metric_model *m, const char *name);
const struct metric_event *metric_event_find(const struct metric_model *m, const char *name);
/* Is group one of "A;B;C"? In any case of letters. */
bool metric_in_group(const struct metric *m, const char *group);
/* The distinct groups of models, sorted; the caller frees each and the array. */
size_t metric_groups(const struct metric_model *const *models, size_t nr, char ***out);

/* Does the id fit one of the globs "A|B"? */
bool metric_cpu_matches(const char *globs, const char *cpuid);

#endif
