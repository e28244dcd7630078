/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: what perf list can show, as items, and the three ways of showing them; shared by the files
 * of this directory.
 */
#ifndef CMD_LIST_LIST_H
#define CMD_LIST_LIST_H

#include "base/json.h"
#include "event/metric.h"
#include "event/pmu.h"

struct list_opts {
	bool desc, long_desc, details, raw, json, deprecated, debug;
	const char *cputype; /* "core": of a machine with several kinds of cores only cpu_core's */
	const char *unit; /* only the PMU of this name */
	const char *output; /* NULL = standard output */
	bool pager; /* a person reads it: headings and empty lines between the parts */
};

/* One event. All strings are borrowed; NULL = none. */
struct list_item {
	const char *name;
	const char *alias; /* another name for it, "NAME OR ALIAS" */
	const char *raw_name; /* with --raw-dump, NULL = the name */
	const char *type; /* "Hardware event" */
	const char *unit; /* the PMU */
	const char *topic;
	const char *desc, *long_desc, *encoding, *scale_unit;
	bool deprecated;
};

struct list_metric {
	const char *name, *group, *desc, *expr, *threshold, *scale_unit;
};

/* Where it goes. */
struct list_out {
	FILE *f;
	const struct list_opts *opts;
	u64 nr; /* items so far */
	u64 section; /* of these before the present part */
	char *topic; /* of the item before */
	struct json json; /* into text */
	struct strbuf text;
};

void list_begin(struct list_out *out);
void list_end(struct list_out *out);
void list_item(struct list_out *out, const struct list_item *item);
void list_metric(struct list_out *out, const struct list_metric *m);
/* "Metrics:", "Metric Groups:" */
void list_heading(struct list_out *out, const char *title);
/* The name of a group; alone: its metrics do not follow. */
void list_group(struct list_out *out, const char *name, bool alone);
/* A part is complete. */
void list_section(struct list_out *out);

/* What to show of a kind: glob NULL = everything. Globs are matched as perf matches them. */
struct list_query {
	const char *buildid_dir; /* see dso_config */
	const char *debugfs_dir; /* see sys_tracefs_find() */
	struct list_out *out;
	struct pmu_catalog pmus;
	const char *glob;
	const struct metric_model *models[METRIC_MODELS_MAX]; /* of this CPU */
	size_t nr_models;
};

void list_hardware(struct list_query *q);
void list_software(struct list_query *q);
void list_tools(struct list_query *q);
/* Only those that measure times; perf has had them long enough to show them with "sw". */
void list_tool_times(struct list_query *q);
/* What /sys/class/hwmon measures. */
void list_sensors(struct list_query *q);
void list_caches(struct list_query *q);
void list_pmus(struct list_query *q);
/* rNNN and the like: how to write what has no name. */
void list_descriptors(struct list_query *q);
/* system and event are globs, NULL = all. */
void list_tracepoints(struct list_query *q, const char *system, const char *event);
/* Events by the vendor's names; countable: only where there is a core PMU to count them. */
void list_vendor(struct list_query *q);
void list_vendor_countable(struct list_query *q);
/* Metrics that the glob fits; names_only: groups without theirs. */
void list_metrics(struct list_query *q);
void list_metric_groups(struct list_query *q, bool names_only);
void list_sdt(struct list_query *q, const char *group, const char *event);

#endif
