/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
/*
 * Metrics of AMD's Zen cores. Raw codes: event bits 0-7 | umask << 8 | cmask << 24 | event bits 8-11
 * << 32. Slots are counted from Zen 4 on (PPR of family 19h models 10h and later, "pipeline
 * utilization"); older cores have no top-down events. Names are those of perf's lists, which differ
 * between Zen 4 and 5.
 */
#include "event/metric.h"

#define RATIO(n, g, e, d) { n, g, e, NULL, false, d }
#define SHARE(n, g, e, d) { n, g, e, NULL, true, d }

/* branch: name of the metric of mispredicted branches */
#define COMMON(branch)                                                                           \
	RATIO("IPC", "Summary", "ex_ret_instr / ls_not_halted_cyc", "Instructions per cycle"),   \
	RATIO("CPI", "Summary", "ls_not_halted_cyc / ex_ret_instr", "Cycles per instruction"),   \
	SHARE(branch, "branch_prediction",                                                       \
	      "d_ratio(ex_ret_brn_misp, ex_ret_brn)",                                            \
	      "Retired branches that were mispredicted"),                                        \
	RATIO("macro_ops_per_instruction", "decoder", "ex_ret_ops / ex_ret_instr",               \
	      "Retired macro-ops per instruction")

#define COMMON_EVENTS                   \
	{ "ls_not_halted_cyc", 0x0076 }, \
	{ "ex_ret_instr", 0x00c0 },     \
	{ "ex_ret_ops", 0x00c1 },       \
	{ "ex_ret_brn", 0x00c2 },       \
	{ "ex_ret_brn_misp", 0x00c3 }

static const struct metric zen[] = { COMMON("branch_misprediction_ratio") };
static const struct metric_event zen_events[] = { COMMON_EVENTS };

#define L1 "TopdownL1;PipelineL1"
#define L2 "TopdownL2;PipelineL2;"
#define FRONT L2 "frontend_bound_group"
#define BACK L2 "backend_bound_group"
#define BAD L2 "bad_speculation_group"
#define RETIRED L2 "retiring_group"
/* S: slots; BY, FROM: words in the names of level 2 */
#define PIPELINE(S, BY, FROM)                                                                    \
	SHARE("frontend_bound", L1, "de_no_dispatch_per_slot.no_ops_from_frontend / " S,         \
	      "Slots unused because the front end delivered too few ops"),                       \
	SHARE("bad_speculation", L1, "(de_src_op_disp.all - ex_ret_ops) / " S,                   \
	      "Slots of ops that were dispatched and did not retire"),                           \
	SHARE("backend_bound", L1, "de_no_dispatch_per_slot.backend_stalls / " S,                \
	      "Slots unused because of stalls of the back end"),                                 \
	SHARE("smt_contention", L1, "de_no_dispatch_per_slot.smt_contention / " S,               \
	      "Slots unused because the other thread was chosen"),                               \
	SHARE("retiring", L1, "ex_ret_ops / " S, "Slots of ops that retired"),                   \
	SHARE("frontend_bound_" BY "latency", FRONT,                                             \
	      "frontend_latency_cycles / ls_not_halted_cyc",                                     \
	      "Slots unused because the front end delivered nothing"),                           \
	SHARE("frontend_bound_" BY "bandwidth", FRONT,                                           \
	      "max(0, frontend_bound - frontend_bound_" BY "latency)",                           \
	      "Slots unused because the front end delivered less than a full group"),            \
	SHARE("bad_speculation_" FROM "mispredicts", BAD,                                        \
	      "bad_speculation * d_ratio(ex_ret_brn_misp, ex_ret_brn_misp + bp_redirects.resync)", \
	      "Slots of ops flushed for mispredicted branches"),                                 \
	SHARE("bad_speculation_" FROM "pipeline_restarts", BAD,                                  \
	      "max(0, bad_speculation - bad_speculation_" FROM "mispredicts)",                   \
	      "Slots of ops flushed for restarts of the pipeline"),                              \
	SHARE("backend_bound_" BY "memory", BACK,                                                \
	      "backend_bound * d_ratio(ex_no_retire.load_not_complete, ex_no_retire.not_complete)", \
	      "Slots unused because of the memory subsystem"),                                   \
	SHARE("backend_bound_" BY "cpu", BACK,                                                   \
	      "max(0, backend_bound - backend_bound_" BY "memory)",                              \
	      "Slots unused because of stalls that are not the memory subsystem's"),             \
	SHARE("retiring_" FROM "fastpath", RETIRED,                                              \
	      "retiring * (1 - d_ratio(ex_ret_ucode_ops, ex_ret_ops))",                          \
	      "Slots of fastpath ops that retired"),                                             \
	SHARE("retiring_" FROM "microcode", RETIRED,                                             \
	      "retiring * d_ratio(ex_ret_ucode_ops, ex_ret_ops)",                                \
	      "Slots of microcode ops that retired"),                                            \
	RATIO("macro_ops_dispatched", "decoder", "de_src_op_disp.all", "Macro-ops dispatched"),  \
	RATIO("macro_ops_retired", "macro_ops_retired", "ex_ret_ops", "Macro-ops retired")

#define PIPELINE_EVENTS(width)                                              \
	{ "de_no_dispatch_per_slot.no_ops_from_frontend", 0x1000001a0 },    \
	{ "frontend_latency_cycles", 0x1000001a0 | (u64)(width) << 24 },    \
	{ "de_no_dispatch_per_slot.backend_stalls", 0x100001ea0 },          \
	{ "de_no_dispatch_per_slot.smt_contention", 0x1000060a0 },          \
	{ "de_src_op_disp.all", 0x07aa },                                   \
	{ "bp_redirects.resync", 0x0096 },                                  \
	{ "ex_no_retire.load_not_complete", 0xa2d6 },                       \
	{ "ex_no_retire.not_complete", 0x02d6 },                            \
	{ "ex_ret_ucode_ops", 0x1000000c1 }

static const struct metric zen4[] = { PIPELINE("(6 * ls_not_halted_cyc)", "", ""),
				      COMMON("branch_misprediction_ratio") };
static const struct metric_event zen4_events[] = { PIPELINE_EVENTS(6), COMMON_EVENTS };
static const struct metric zen5[] = { PIPELINE("(8 * ls_not_halted_cyc)", "by_", "from_"),
				      COMMON("branch_misprediction_rate") };
static const struct metric_event zen5_events[] = { PIPELINE_EVENTS(8), COMMON_EVENTS };

#define MODEL(c, t) { c, NULL, NULL, 6, t, ARRAY_SIZE(t), t##_events, ARRAY_SIZE(t##_events) }

/* Models are hexadecimal, a digit when below 10h. */
static const struct metric_model models[] = {
	MODEL("AuthenticAMD-23-*", zen),
	MODEL("AuthenticAMD-25-?-*|AuthenticAMD-25-[245]?-*", zen),
	MODEL("AuthenticAMD-25-[167A]?-*", zen4),
	MODEL("AuthenticAMD-26-*", zen5),
};

const struct metric_model *metric_models_amd(size_t *nr)
{
	*nr = ARRAY_SIZE(models);
	return models;
}
