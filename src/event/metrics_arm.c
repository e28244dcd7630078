/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of Arm's Neoverse cores, from Arm's telemetry specifications. Codes are the event numbers
 * of the architecture's PMU. N1 counts no slots: its top level is of cycles.
 */
/* clang-format off */
#include "event/metric.h"

#define RATIO(n, g, e, d) { n, g, e, NULL, false, d }
#define SHARE(n, g, e, d) { n, g, e, NULL, true, d }
#define L1 "TopdownL1"
#define PER_1000(event) "1000 * " event " / INST_RETIRED"

#define COMMON                                                                                   \
	RATIO("ipc", "General;Summary", "INST_RETIRED / CPU_CYCLES", "Instructions per cycle"),  \
	SHARE("frontend_stalled_cycles", "Cycle_Accounting", "STALL_FRONTEND / CPU_CYCLES",      \
	      "Cycles stalled for the front end"),                                               \
	SHARE("backend_stalled_cycles", "Cycle_Accounting", "STALL_BACKEND / CPU_CYCLES",        \
	      "Cycles stalled for the back end"),                                                \
	RATIO("branch_mpki", "TopdownL2;Branch_Effectiveness", PER_1000("BR_MIS_PRED_RETIRED"),  \
	      "Mispredicted branches per 1000 instructions"),                                    \
	SHARE("branch_misprediction_ratio", "Branch_Effectiveness",                              \
	      "BR_MIS_PRED_RETIRED / BR_RETIRED", "Branches that were mispredicted"),            \
	RATIO("l1d_cache_mpki", "TopdownL2;L1D_Cache_Effectiveness",                             \
	      PER_1000("L1D_CACHE_REFILL"), "L1 data cache misses per 1000 instructions"),       \
	RATIO("l1i_cache_mpki", "TopdownL2;L1I_Cache_Effectiveness",                             \
	      PER_1000("L1I_CACHE_REFILL"), "L1 instruction cache misses per 1000 instructions"), \
	RATIO("l2_cache_mpki", "TopdownL2;L2_Cache_Effectiveness", PER_1000("L2D_CACHE_REFILL"), \
	      "L2 cache misses per 1000 instructions"),                                          \
	RATIO("ll_cache_read_mpki", "TopdownL2;LL_Cache_Effectiveness",                          \
	      PER_1000("LL_CACHE_MISS_RD"), "Last level cache read misses per 1000 instructions"), \
	RATIO("dtlb_mpki", "TopdownL2;DTLB_Effectiveness", PER_1000("DTLB_WALK"),                \
	      "Data TLB walks per 1000 instructions"),                                           \
	RATIO("itlb_mpki", "TopdownL2;ITLB_Effectiveness", PER_1000("ITLB_WALK"),                \
	      "Instruction TLB walks per 1000 instructions")

#define COMMON_EVENTS                                                                          \
	{ "L1I_CACHE_REFILL", 0x01 }, { "L1D_CACHE_REFILL", 0x03 }, { "INST_RETIRED", 0x08 },  \
	{ "BR_MIS_PRED", 0x10 }, { "CPU_CYCLES", 0x11, true }, { "L2D_CACHE_REFILL", 0x17 },         \
	{ "BR_RETIRED", 0x21 }, { "BR_MIS_PRED_RETIRED", 0x22 }, { "STALL_FRONTEND", 0x23 },   \
	{ "STALL_BACKEND", 0x24 }, { "DTLB_WALK", 0x34 }, { "ITLB_WALK", 0x35 },               \
	{ "LL_CACHE_MISS_RD", 0x37 }
#define SLOT_EVENTS                                                                            \
	{ "OP_RETIRED", 0x3a }, { "OP_SPEC", 0x3b }, { "STALL_SLOT_BACKEND", 0x3d },           \
	{ "STALL_SLOT_FRONTEND", 0x3e }, { "STALL_SLOT", 0x3f }

static const struct metric n1[] = {
	SHARE("frontend_bound", L1, "STALL_FRONTEND / CPU_CYCLES", "Cycles stalled for the front end"),
	SHARE("backend_bound", L1, "STALL_BACKEND / CPU_CYCLES", "Cycles stalled for the back end"),
	COMMON,
};
static const struct metric_event n1_events[] = { COMMON_EVENTS };

/* Slots per cycle; cycles that a mispredicted branch costs in the front and in the back end. */
#define TOPDOWN(slots, front, back)                                                              \
	SHARE("frontend_bound", L1, "max(0, STALL_SLOT_FRONTEND / (CPU_CYCLES * " slots ") - "   \
	      front " * BR_MIS_PRED / CPU_CYCLES)",                                              \
	      "Slots without work because the front end delivered none"),                        \
	SHARE("backend_bound", L1, "max(0, STALL_SLOT_BACKEND / (CPU_CYCLES * " slots ") - "     \
	      back " * BR_MIS_PRED / CPU_CYCLES)",                                               \
	      "Slots without work because the back end had no room"),                            \
	SHARE("bad_speculation", L1, "(1 - OP_RETIRED / OP_SPEC) * (1 - STALL_SLOT / "           \
	      "(CPU_CYCLES * " slots ")) + " front " * BR_MIS_PRED / CPU_CYCLES",                \
	      "Slots of operations that did not retire"),                                        \
	SHARE("retiring", L1, "OP_RETIRED / OP_SPEC * (1 - STALL_SLOT / (CPU_CYCLES * " slots "))", \
	      "Slots of operations that retired")

static const struct metric n2[] = { TOPDOWN("5", "4", "3"), COMMON };
static const struct metric_event n2_events[] = { COMMON_EVENTS, SLOT_EVENTS };
static const struct metric v1[] = { TOPDOWN("8", "4", "0"), COMMON };
static const struct metric_event v1_events[] = { COMMON_EVENTS, SLOT_EVENTS };
static const struct metric v2[] = { TOPDOWN("8", "1", "3"), COMMON };
static const struct metric_event v2_events[] = { COMMON_EVENTS, SLOT_EVENTS };

#define MODEL(part, t) \
	{ "0x*41?f" part "?", NULL, NULL, 6, t, ARRAY_SIZE(t), t##_events, ARRAY_SIZE(t##_events) }

static const struct metric_model models[] = {
	MODEL("d0c", n1),
	MODEL("d49", n2),
	MODEL("d40", v1),
	MODEL("d4f", v2),
};

const struct metric_model *metric_models_arm(size_t *nr)
{
	*nr = ARRAY_SIZE(models);
	return models;
}
