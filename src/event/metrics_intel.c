/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of Intel's cores. raw codes: event | umask << 8 | edge << 18 | any thread << 21 |
 * inv << 23 | cmask << 24.
 */
/* clang-format off */
#include "event/metric.h"

#define RATIO(n, g, e, d) { n, g, e, NULL, false, d }
#define SHARE(n, g, e, t, d) { n, g, e, t, true, d }

/* What the four categories of the top level and their halves mean, whatever they are computed from. */
#define L1_FRONTEND(e) SHARE("tma_frontend_bound", "TopdownL1;tma_L1_group", e, \
	"tma_frontend_bound > 0.15", "Slots in which the front end delivered too few uops")
#define L1_BAD(e) SHARE("tma_bad_speculation", "TopdownL1;tma_L1_group", e, \
	"tma_bad_speculation > 0.15", "Slots wasted by wrong speculation")
#define L1_BACKEND(e) SHARE("tma_backend_bound", "TopdownL1;tma_L1_group", e, \
	"tma_backend_bound > 0.2", "Slots without uops because the back end had no room for them")
#define L1_RETIRING(e) SHARE("tma_retiring", "TopdownL1;tma_L1_group", e, \
	"tma_retiring > 0.7", "Slots used by uops that retired")
#define L2_FETCH_LATENCY(e) SHARE("tma_fetch_latency", "TopdownL2;tma_L2_group", e, \
	"tma_fetch_latency > 0.1", "Slots in which the front end delivered nothing: latency")
#define L2_FETCH_BANDWIDTH(e) SHARE("tma_fetch_bandwidth", "TopdownL2;tma_L2_group", e, \
	"tma_fetch_bandwidth > 0.2", "Slots in which the front end delivered less than it could")
#define L2_MISPREDICTS(e) SHARE("tma_branch_mispredicts", "TopdownL2;tma_L2_group", e, \
	"tma_branch_mispredicts > 0.1", "Slots wasted by mispredicted branches")
#define L2_CLEARS(e) SHARE("tma_machine_clears", "TopdownL2;tma_L2_group", e, \
	"tma_machine_clears > 0.1", "Slots wasted by machine clears")
#define L2_MEMORY(e) SHARE("tma_memory_bound", "TopdownL2;tma_L2_group", e, \
	"tma_memory_bound > 0.2", "Slots lost to waiting for loads and stores")
#define L2_CORE(e) SHARE("tma_core_bound", "TopdownL2;tma_L2_group", e, \
	"tma_core_bound > 0.1", "Slots lost to other resources of the back end")
#define L2_HEAVY(e) SHARE("tma_heavy_operations", "TopdownL2;tma_L2_group", e, \
	"tma_heavy_operations > 0.1", "Slots that retired uops of instructions of several uops")
#define L2_LIGHT(e) SHARE("tma_light_operations", "TopdownL2;tma_L2_group", e, \
	"tma_light_operations > 0.6", "Slots that retired uops of simple instructions")
#define L2_REST \
	L2_FETCH_BANDWIDTH("max(0, tma_frontend_bound - tma_fetch_latency)"), \
	L2_CLEARS("max(0, tma_bad_speculation - tma_branch_mispredicts)"), \
	L2_CORE("max(0, tma_backend_bound - tma_memory_bound)"), \
	L2_LIGHT("max(0, tma_retiring - tma_heavy_operations)")

#define COMMON \
	RATIO("IPC", "Summary", "INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD", \
	      "Instructions per cycle"), \
	RATIO("CPI", "Summary", "CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY", \
	      "Cycles per instruction"), \
	RATIO("IpBranch", "Branches", "INST_RETIRED.ANY / BR_INST_RETIRED.ALL_BRANCHES", \
	      "Instructions per branch"), \
	RATIO("IpMispredict", "Branches;BrMispredicts", \
	      "INST_RETIRED.ANY / BR_MISP_RETIRED.ALL_BRANCHES", \
	      "Instructions per mispredicted branch"), \
	RATIO("CPU_Utilization", "Summary", \
	      "CPU_CLK_UNHALTED.REF_TSC / #system_tsc_freq / duration_time * 1e9" \
	      " / #num_cpus_online", "Share of the time that CPUs were not halted")

#define COMMON_EVENTS \
	{ "INST_RETIRED.ANY", 0x00c0, true }, \
	{ "CPU_CLK_UNHALTED.THREAD", 0x003c, true }, \
	{ "CPU_CLK_UNHALTED.REF_TSC", 0x0300, true }, \
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0x00c4 }, \
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0x00c5 }

#define SKL_SLOTS "(4 * (CPU_CLK_UNHALTED.THREAD_ANY / 2 if #smt_on else CPU_CLK_UNHALTED.THREAD))"
#define SKL_RECOVERY "(INT_MISC.RECOVERY_CYCLES_ANY / 2 if #smt_on else INT_MISC.RECOVERY_CYCLES)"
#define MISPREDICT_SHARE                                                               \
	"BR_MISP_RETIRED.ALL_BRANCHES / (BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT)" \
	" * tma_bad_speculation"
#define MEMORY_SHARE                                                                          \
	"(CYCLE_ACTIVITY.STALLS_MEM_ANY + EXE_ACTIVITY.BOUND_ON_STORES) / "                   \
	"(CYCLE_ACTIVITY.STALLS_TOTAL + EXE_ACTIVITY.1_PORTS_UTIL + "                         \
	"tma_retiring * EXE_ACTIVITY.2_PORTS_UTIL + EXE_ACTIVITY.BOUND_ON_STORES)"            \
	" * tma_backend_bound"

/* Four slots per cycle of a core, that its threads share. */
static const struct metric skylake[] = {
	L1_FRONTEND("IDQ_UOPS_NOT_DELIVERED.CORE / " SKL_SLOTS),
	L1_BAD("(UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + 4 * " SKL_RECOVERY ") / " SKL_SLOTS),
	L1_BACKEND("1 - tma_frontend_bound - (UOPS_ISSUED.ANY + 4 * " SKL_RECOVERY ") / " SKL_SLOTS),
	L1_RETIRING("UOPS_RETIRED.RETIRE_SLOTS / " SKL_SLOTS),
	L2_FETCH_LATENCY("4 * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE / " SKL_SLOTS),
	L2_MISPREDICTS(MISPREDICT_SHARE),
	L2_MEMORY(MEMORY_SHARE),
	L2_HEAVY("(UOPS_RETIRED.RETIRE_SLOTS + UOPS_RETIRED.MACRO_FUSED - INST_RETIRED.ANY) / "
		 SKL_SLOTS),
	L2_REST,
	COMMON,
};

static const struct metric_event skylake_events[] = {
	COMMON_EVENTS,
	{ "CPU_CLK_UNHALTED.THREAD_ANY", 0x20003c },
	{ "UOPS_ISSUED.ANY", 0x010e },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 0x02c2 },
	{ "UOPS_RETIRED.MACRO_FUSED", 0x04c2 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 0x019c },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x0400019c },
	{ "INT_MISC.RECOVERY_CYCLES", 0x010d },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", 0x20010d },
	{ "MACHINE_CLEARS.COUNT", 0x010401c3 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", 0x040004a3 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x140014a3 },
	{ "EXE_ACTIVITY.BOUND_ON_STORES", 0x40a6 },
	{ "EXE_ACTIVITY.1_PORTS_UTIL", 0x02a6 },
	{ "EXE_ACTIVITY.2_PORTS_UTIL", 0x04a6 },
};

/* The counter of slots and the shares that the PMU itself computes. */
#define PERF_METRICS_SUM \
	"(topdown\\-retiring + topdown\\-bad\\-spec + topdown\\-fe\\-bound + topdown\\-be\\-bound)"
#define PERF_METRICS_EVENTS \
	{ "slots", 0x0400, true }, \
	{ "topdown-retiring", 0x8000, true }, \
	{ "topdown-bad-spec", 0x8100, true }, \
	{ "topdown-fe-bound", 0x8200, true }, \
	{ "topdown-be-bound", 0x8300, true }

static const struct metric icelake[] = {
	L1_FRONTEND("topdown\\-fe\\-bound / " PERF_METRICS_SUM " - INT_MISC.UOP_DROPPING / slots"),
	L1_BAD("max(1 - (tma_frontend_bound + tma_backend_bound + tma_retiring), 0)"),
	L1_BACKEND("topdown\\-be\\-bound / " PERF_METRICS_SUM " + 5 * INT_MISC.CLEARS_COUNT / slots"),
	L1_RETIRING("topdown\\-retiring / " PERF_METRICS_SUM),
	L2_FETCH_LATENCY("(5 * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE - "
			 "INT_MISC.UOP_DROPPING) / slots"),
	L2_MISPREDICTS(MISPREDICT_SHARE),
	L2_MEMORY(MEMORY_SHARE),
	L2_HEAVY("tma_retiring * IDQ.MS_UOPS / UOPS_ISSUED.ANY + tma_retiring * "
		 "(UOPS_DECODED.DEC0 - UOPS_DECODED.DEC0_ALONE) / IDQ.MITE_UOPS"),
	L2_REST,
	COMMON,
};

static const struct metric_event icelake_events[] = {
	COMMON_EVENTS,
	PERF_METRICS_EVENTS,
	{ "INT_MISC.UOP_DROPPING", 0x100d },
	{ "INT_MISC.CLEARS_COUNT", 0x0104010d },
	{ "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x0500019c },
	{ "MACHINE_CLEARS.COUNT", 0x010401c3 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", 0x040004a3 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x140014a3 },
	{ "EXE_ACTIVITY.BOUND_ON_STORES", 0x40a6 },
	{ "EXE_ACTIVITY.1_PORTS_UTIL", 0x02a6 },
	{ "EXE_ACTIVITY.2_PORTS_UTIL", 0x04a6 },
	{ "UOPS_ISSUED.ANY", 0x010e },
	{ "IDQ.MITE_UOPS", 0x0479 },
	{ "IDQ.MS_UOPS", 0x3079 },
	{ "UOPS_DECODED.DEC0", 0x0156 },
	{ "UOPS_DECODED.DEC0_ALONE", 0x01000156 },
};

/* Six slots; the PMU computes both levels. */
static const struct metric golden_cove[] = {
	L1_FRONTEND("topdown\\-fe\\-bound / " PERF_METRICS_SUM " - INT_MISC.UOP_DROPPING / slots"),
	L1_BAD("max(1 - (tma_frontend_bound + tma_backend_bound + tma_retiring), 0)"),
	L1_BACKEND("topdown\\-be\\-bound / " PERF_METRICS_SUM),
	L1_RETIRING("topdown\\-retiring / " PERF_METRICS_SUM),
	L2_FETCH_LATENCY("topdown\\-fetch\\-lat / " PERF_METRICS_SUM " - INT_MISC.UOP_DROPPING / slots"),
	L2_MISPREDICTS("topdown\\-br\\-mispredict / " PERF_METRICS_SUM),
	L2_MEMORY("topdown\\-mem\\-bound / " PERF_METRICS_SUM),
	L2_HEAVY("topdown\\-heavy\\-ops / " PERF_METRICS_SUM),
	L2_REST,
	COMMON,
};

static const struct metric_event golden_cove_events[] = {
	COMMON_EVENTS,
	PERF_METRICS_EVENTS,
	{ "topdown-heavy-ops", 0x8400, true },
	{ "topdown-br-mispredict", 0x8500, true },
	{ "topdown-fetch-lat", 0x8600, true },
	{ "topdown-mem-bound", 0x8700, true },
	{ "INT_MISC.UOP_DROPPING", 0x10ad },
};

/* Five slots per cycle. */
#define GRACEMONT_SLOTS "(5 * CPU_CLK_UNHALTED.CORE)"
static const struct metric gracemont[] = {
	L1_FRONTEND("TOPDOWN_FE_BOUND.ALL / " GRACEMONT_SLOTS),
	L1_BAD("max(0, 1 - tma_frontend_bound - tma_backend_bound - tma_retiring)"),
	L1_BACKEND("TOPDOWN_BE_BOUND.ALL / " GRACEMONT_SLOTS),
	L1_RETIRING("TOPDOWN_RETIRING.ALL / " GRACEMONT_SLOTS),
	L2_FETCH_LATENCY("TOPDOWN_FE_BOUND.FRONTEND_LATENCY / " GRACEMONT_SLOTS),
	L2_FETCH_BANDWIDTH("TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH / " GRACEMONT_SLOTS),
	L2_MISPREDICTS("TOPDOWN_BAD_SPECULATION.MISPREDICT / " GRACEMONT_SLOTS),
	L2_CLEARS("max(0, tma_bad_speculation - tma_branch_mispredicts)"),
	RATIO("IPC", "Summary", "INST_RETIRED.ANY / CPU_CLK_UNHALTED.CORE", "Instructions per cycle"),
	RATIO("CPI", "Summary", "CPU_CLK_UNHALTED.CORE / INST_RETIRED.ANY", "Cycles per instruction"),
};

static const struct metric_event gracemont_events[] = {
	{ "INST_RETIRED.ANY", 0x00c0, true },
	{ "CPU_CLK_UNHALTED.CORE", 0x003c, true },
	{ "TOPDOWN_FE_BOUND.ALL", 0x0071 },
	{ "TOPDOWN_FE_BOUND.FRONTEND_LATENCY", 0x7271 },
	{ "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH", 0x8d71 },
	{ "TOPDOWN_BAD_SPECULATION.MISPREDICT", 0x0473 },
	{ "TOPDOWN_BE_BOUND.ALL", 0x0074 },
	{ "TOPDOWN_RETIRING.ALL", 0x00c2 },
};

#define MODEL(c, p, l, k, t) { c, p, l, k, t, ARRAY_SIZE(t), t##_events, ARRAY_SIZE(t##_events) }
#define ID(model) "GenuineIntel-6-" model "-*"
#define HYBRID ID("97") "|" ID("9A") "|" ID("B7") "|" ID("BA") "|" ID("BF")

static const struct metric_model models[] = {
	MODEL(ID("4E") "|" ID("5E") "|" ID("55") "|" ID("8E") "|" ID("9E") "|" ID("A5") "|" ID("A6"),
	      NULL, NULL, 4, skylake),
	MODEL(ID("6A") "|" ID("6C") "|" ID("7D") "|" ID("7E") "|" ID("8C") "|" ID("8D") "|" ID("A7"),
	      NULL, "slots", 8, icelake),
	MODEL(ID("8F") "|" ID("CF"), NULL, "slots", 8, golden_cove),
	MODEL(HYBRID, "cpu_core", "slots", 8, golden_cove),
	MODEL(HYBRID, "cpu_atom", NULL, 6, gracemont),
};

const struct metric_model *metric_models_intel(size_t *nr)
{
	*nr = ARRAY_SIZE(models);
	return models;
}
