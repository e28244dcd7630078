/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measurement: what is counted, where, and how it is summed up; and what came of it. The parts of
 * this directory, from the bottom up: `counters` (what the kernel counts), `tools` (what is known
 * without it), `cells` (sums by CPU, socket, thread, ...), `metrics` and `ratios` (what is computed
 * from sums), `ports`, `rows` (all of that as a view), `measure` (one run from its beginning to its
 * end), `recorder` and `replay` (the values in a file, and from it). One thread.
 */
#ifndef COUNT_MEASUREMENT_H
#define COUNT_MEASUREMENT_H

#include "capture/workload.h"
#include "count/counters.h"
#include "count/counts.h"
#include "sys/cpu.h"
#include "sys/cpu_watch.h"

struct count_opts {
	struct event_list events;
	struct event_env env;
	struct counting_config counting;
	/* where: lists as typed, NULL = none; with neither CPUs nor tasks the command */
	const char *pids, *tids, *cpus;
	bool system_wide, per_thread;
	const char *const *command; /* the workload's words, NULL = none */
	/* when; 0 = not. delay_ms < 0: enabled from outside */
	int interval_ms, interval_count, timeout_ms, delay_ms;
	/* sums */
	enum count_aggr aggr;
	u32 cache_level; /* of COUNT_CACHE; 0 = the last */
	bool scale; /* to the time that a counter was enabled */
	bool percore_show_thread; /* the term percore: each thread of a core has a row */
	/* rows */
	bool no_merge; /* units that count the same are rows of their own */
	bool hide_zero;
	bool metric_only;
	/* metrics */
	const char *metrics; /* names with commas, NULL = none */
	bool topdown, metric_no_group, metric_no_merge, metric_no_threshold;
	int td_level; /* of topdown; 0 = all */
	struct count_metrics *metric_set; /* NULL = none */
	const char *attr_map; /* of events that BPF counts: counting_share() */
	struct count_ports *ports; /* NULL = none; those shown */
};

/* Whose count a row shows. */
struct count_owner {
	struct count_place place;
	size_t task; /* in the target, with COUNT_THREAD */
	char name[64];
	struct count_place core; /* with COUNT_CPU: of the CPU, for the term percore */
	char core_name[64];
};

/* One count of the result, over all runs. */
struct count_cell {
	struct moments value, enabled, running;
	u32 nr_cpus;
};

struct measurement {
	struct count_opts *o;
	struct capture_target target;
	struct workload workload;
	struct counting counters;
	struct counting last_counters; /* of the run before, until those of this one are open */
	struct sys_topology topology;
	struct cpu_watch cpu_watch; /* those of cpu_wide, in this run */
	sys_caches caches; /* read with COUNT_CACHE */
	VEC(struct count_owner) owners;
	u32 *cpu_owners; /* by CPU: its row + 1, 0 = none */
	size_t nr_cpu_owners;
	struct count_cell *cells; /* [event * owners + owner] */
	struct count_value **previous; /* per event, for intervals; NULL entries until the first */
	u64 start_ns, interval_start_ns, end_ns;
	u64 intervals; /* so far */
	VEC(double) seconds; /* elapsed of each run */
	double user_seconds, system_seconds;
	bool timed_out;
	bool stopped; /* from outside: measure_ops.control */
	bool has_cgroups; /* at least one event belongs to one */
	char (*comms)[16]; /* the values are a file's: of its tasks; else NULL */
};

#endif
