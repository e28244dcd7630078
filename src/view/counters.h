/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/counters: what perf stat prints, as data. Renderers (render/counters.h) decide how it looks.
 * All strings are borrowed from the maker, who keeps them until the view has been printed.
 */
#ifndef VIEW_COUNTERS_H
#define VIEW_COUNTERS_H

#include "base/types.h"

enum { VIEW_MAX_RATIOS = 64 };

enum view_number {
	VIEW_FIXED3, /*    1.234 */
	VIEW_FIXED2, /*    1.23 and a blank */
	VIEW_PERCENT2, /*   12.34% */
	VIEW_PERCENT3, /*   12.345 % */
	VIEW_PERCENT1, /*     12.3% */
	VIEW_WHOLE8, /*     1234, 8 columns */
	VIEW_WHOLE4, /* 1234, 4 columns */
	VIEW_METRIC1, /*     12.3 */
	VIEW_METRIC2, /*    12.34 */
};

/* Is the number worth a look? */
enum view_alarm { VIEW_ALARM_NONE, VIEW_ALARM_LOW, VIEW_ALARM_HIGH, VIEW_ALARM_BAD };

/* A number derived from a count. */
struct view_ratio {
	bool known; /* false: nothing to show but, in JSON, the label */
	bool same_line; /* as the ratio before it */
	bool rate; /* per second: varies with the load, not shown by --metric-only */
	enum view_number form;
	enum view_alarm alarm;
	double value;
	const char *label; /* "GHz", "of all branches"; NULL = none */
	const char *threshold; /* "good", "bad": of a metric that says from where on, NULL = none */
};

enum view_count_state { VIEW_COUNTED, VIEW_NOT_COUNTED, VIEW_NOT_SUPPORTED };

/* Whose count it is; decides the leading columns. */
enum view_owner {
	VIEW_OWNER_ALL,
	VIEW_OWNER_CPU,
	VIEW_OWNER_SOCKET,
	VIEW_OWNER_DIE,
	VIEW_OWNER_CLUSTER,
	VIEW_OWNER_CACHE,
	VIEW_OWNER_CORE,
	VIEW_OWNER_NODE,
	VIEW_OWNER_THREAD,
	VIEW_OWNER_PORT, /* with ratios_only alone */
};

struct view_count {
	const char *owner; /* "S0-D0-C1", "0" for CPU 0, "bash" for a thread; NULL = all */
	bool whole_core; /* among rows of CPUs: of all threads of a core */
	s32 owner_id; /* thread id */
	u32 nr_cpus; /* that were summed up */
	u32 group; /* rows of one owner have the same, in --metric-only */
	const char *name;
	const char *unit; /* "" = none */
	const char *cgroup; /* NULL = none */
	enum view_count_state state;
	double value;
	bool fraction; /* two digits behind the point */
	u64 running; /* ns on the counter */
	double percent; /* of the enabled time on the counter */
	bool multiplexed; /* that is not all of it */
	double variance; /* percent, with repeated runs */
	const struct view_ratio *ratios; /* at most VIEW_MAX_RATIOS */
	size_t nr_ratios;
};

struct view_counters {
	const struct view_count *rows;
	size_t nr_rows;
	enum view_owner owner;
	bool has_cgroups;
	u32 unit_width; /* of the longest unit, at least 4 */
	u32 runs; /* 1 = not repeated */
	bool has_interval;
	u64 interval_ns; /* since the start */
	u64 interval_number; /* 0, 1, 2 ... */
	bool clear_screen; /* between intervals */
	bool is_summary; /* behind the last interval */
	bool ratios_only; /* --metric-only */
	bool no_rows; /* -n: not even a blank line in their place */
	const char *title; /* "'sleep 1'", "'system wide'", "process id '1'" */
	double seconds, seconds_deviation; /* elapsed: mean and deviation of the mean */
	bool has_usage;
	double user_seconds, system_seconds;
	const double *each_run; /* elapsed seconds of each run for --table, NULL = not wanted */
};

#endif
