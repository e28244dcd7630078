/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of any machine, from events that the kernel names. Names, groups and units are those that
 * perf lists from version 6.19 on, its "Default" metrics.
 */
/* clang-format off */
#include "event/metric.h"

#define UNIT(n, g, e, u, s, d) { .name = n, .groups = g, .expr = e, .unit = u, .scale = s, .desc = d }
#define LIMIT(n, g, e, t, d) { .name = n, .groups = g, .expr = e, .threshold = t, .desc = d }
#define SHARE(n, g, e, d) \
	{ .name = n, .groups = g, .expr = e, .threshold = n " > 0.05", .percent = true, .desc = d }
#define PER_SECOND(n, event, u, d) UNIT(n, "Default", event " * 1e9 / task\\-clock", u, 1, d)

static const struct metric any[] = {
	UNIT("CPUs_utilized", "Default", "task\\-clock / duration_time", "CPUs", 1, "Average CPU utilization"),
	PER_SECOND("cs_per_second", "context\\-switches", "cs/sec", "Context switches per CPU second"),
	PER_SECOND("migrations_per_second", "cpu\\-migrations", "migrations/sec",
		   "Migrations to a new CPU per CPU second"),
	PER_SECOND("page_faults_per_second", "page\\-faults", "faults/sec", "Page faults per CPU second"),
	{ .name = "insn_per_cycle", .groups = "Default", .expr = "instructions / cpu\\-cycles",
	  .threshold = "insn_per_cycle < 1", .unit = "instructions", .scale = 1, .desc = "Instructions per cycle" },
	UNIT("cycles_frequency", "Default", "cpu\\-cycles / task\\-clock", "GHz", 1, "Cycles per CPU second"),
	UNIT("branch_frequency", "Default", "branches / task\\-clock", "M/sec", 1000, "Branches per CPU second"),
	SHARE("branch_miss_rate", "Default", "branch\\-misses / branches", "Branches that were mispredicted"),
	LIMIT("frontend_cycles_idle", "Default", "stalled\\-cycles\\-frontend / cpu\\-cycles",
	      "frontend_cycles_idle > 0.1", "Frontend stalls per cycle"),
	LIMIT("backend_cycles_idle", "Default", "stalled\\-cycles\\-backend / cpu\\-cycles",
	      "backend_cycles_idle > 0.2", "Backend stalls per cycle"),
	LIMIT("stalled_cycles_per_instruction", "Default",
	      "max(stalled\\-cycles\\-frontend, stalled\\-cycles\\-backend) / instructions", NULL,
	      "Frontend or backend stalls, whichever are more, per instruction"),
	SHARE("l1d_miss_rate", "Default2", "L1\\-dcache\\-load\\-misses / L1\\-dcache\\-loads",
	      "Loads that missed the first data cache"),
	SHARE("llc_miss_rate", "Default2", "LLC\\-load\\-misses / LLC\\-loads", "Loads that missed the last cache"),
	SHARE("l1i_miss_rate", "Default3", "L1\\-icache\\-load\\-misses / L1\\-icache\\-loads",
	      "Fetches that missed the first instruction cache"),
	SHARE("dtlb_miss_rate", "Default3", "dTLB\\-load\\-misses / dTLB\\-loads", "Loads that missed the data TLB"),
	SHARE("itlb_miss_rate", "Default3", "iTLB\\-load\\-misses / iTLB\\-loads",
	      "Fetches that missed the instruction TLB"),
	SHARE("l1_prefetch_miss_rate", "Default4", "L1\\-dcache\\-prefetch\\-misses / L1\\-dcache\\-prefetches",
	      "Prefetches that missed the first data cache"),
};

const struct metric_model *metric_models_any(size_t *nr)
{
	static const struct metric_model model = {
		.cpus = "*", .counters = 4, .metrics = any, .nr_metrics = ARRAY_SIZE(any),
	};

	*nr = 1;
	return &model;
}
