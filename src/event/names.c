/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/names.h"

#include <string.h>
#include <strings.h>

#include "abi/perf_event.h"
#include "base/event_names.h"
#include "base/mem.h"

static const struct event_symbol hw_symbols[] = {
	{ "cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend",
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES },
};

static const struct event_symbol sw_symbols[] = {
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", NULL, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", NULL, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, PERF_COUNT_SW_CGROUP_SWITCHES },
};

/* The name perf shows for a cache comes first. */
struct spelling {
	const char *name;
	u8 id;
};

static const struct spelling cache_types[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
	{ "l1-d", PERF_COUNT_HW_CACHE_L1D },
	{ "l1d", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-data", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I },
	{ "l1-i", PERF_COUNT_HW_CACHE_L1I },
	{ "l1i", PERF_COUNT_HW_CACHE_L1I },
	{ "L1-instruction", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },
	{ "LL", PERF_COUNT_HW_CACHE_LL },
	{ "L2", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },
	{ "d-tlb", PERF_COUNT_HW_CACHE_DTLB },
	{ "Data-TLB", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "i-tlb", PERF_COUNT_HW_CACHE_ITLB },
	{ "Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },
	{ "bpu", PERF_COUNT_HW_CACHE_BPU },
	{ "btb", PERF_COUNT_HW_CACHE_BPU },
	{ "bpc", PERF_COUNT_HW_CACHE_BPU },
	{ "node", PERF_COUNT_HW_CACHE_NODE },
};

static const struct spelling cache_ops[] = {
	{ "load", PERF_COUNT_HW_CACHE_OP_READ },
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "read", PERF_COUNT_HW_CACHE_OP_READ },
	{ "store", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "write", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static const struct spelling cache_results[] = {
	{ "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "Reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "access", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "misses", PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "miss", PERF_COUNT_HW_CACHE_RESULT_MISS },
};

const struct event_symbol *event_hw_symbols(size_t *nr)
{
	*nr = ARRAY_SIZE(hw_symbols);
	return hw_symbols;
}

const struct event_symbol *event_sw_symbols(size_t *nr)
{
	*nr = ARRAY_SIZE(sw_symbols);
	return sw_symbols;
}

static bool same(const char *name, const char *s, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, s, len);
}

static bool find_in(const struct event_symbol *t, size_t nr, const char *s, size_t len, u64 *config)
{
	for (size_t i = 0; i < nr; i++) {
		if (same(t[i].name, s, len) || same(t[i].alias, s, len)) {
			*config = t[i].config;
			return true;
		}
	}
	return false;
}

bool event_symbol_find(const char *s, size_t len, u32 *type, u64 *config)
{
	if (find_in(hw_symbols, ARRAY_SIZE(hw_symbols), s, len, config)) {
		*type = PERF_TYPE_HARDWARE;
		return true;
	}
	*type = PERF_TYPE_SOFTWARE;
	return find_in(sw_symbols, ARRAY_SIZE(sw_symbols), s, len, config);
}

static const char *const tool_names[] = {
	[EVENT_TOOL_DURATION] = "duration_time",
	[EVENT_TOOL_USER] = "user_time",
	[EVENT_TOOL_SYSTEM] = "system_time",
	[EVENT_TOOL_NUM_CPUS] = "num_cpus",
	[EVENT_TOOL_NUM_CPUS_ONLINE] = "num_cpus_online",
	[EVENT_TOOL_NUM_CORES] = "num_cores",
	[EVENT_TOOL_NUM_DIES] = "num_dies",
	[EVENT_TOOL_NUM_PACKAGES] = "num_packages",
	[EVENT_TOOL_SMT_ON] = "smt_on",
	[EVENT_TOOL_TSC_FREQ] = "system_tsc_freq",
	[EVENT_TOOL_HAS_PMEM] = "has_pmem",
};

enum event_tool event_tool_find(const char *s, size_t len)
{
	for (size_t i = EVENT_TOOL_NONE + 1; i < ARRAY_SIZE(tool_names); i++) {
		if (same(tool_names[i], s, len))
			return (enum event_tool)i;
	}
	return EVENT_TOOL_NONE;
}

const char *event_tool_name(enum event_tool tool)
{
	return (size_t)tool < ARRAY_SIZE(tool_names) ? tool_names[tool] : NULL;
}

bool event_tool_is_level(enum event_tool tool)
{
	return tool >= EVENT_TOOL_NUM_CPUS;
}

/* The longest spelling that s begins with and that a '-' or the end follows. */
static size_t match(const struct spelling *t, size_t nr, const char *s, size_t len, u8 *id)
{
	size_t best = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t n = strlen(t[i].name);

		if (n <= best || n > len || strncasecmp(t[i].name, s, n) ||
		    (n < len && s[n] != '-'))
			continue;
		best = n;
		*id = t[i].id;
	}
	return best;
}

enum event_cache_parse event_cache_find(const char *s, size_t len, u64 *config, size_t *bad)
{
	u8 type = 0;
	u8 op = PERF_COUNT_HW_CACHE_OP_READ;
	u8 result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	size_t at = match(cache_types, ARRAY_SIZE(cache_types), s, len, &type);

	if (!at)
		return EVENT_CACHE_NO;
	for (int parts = 0; at < len; parts++) {
		const char *rest = s + at + 1;
		size_t n = len - at - 1;
		size_t got = match(cache_ops, ARRAY_SIZE(cache_ops), rest, n, &op);

		if (!got)
			got = match(cache_results, ARRAY_SIZE(cache_results), rest, n, &result);
		if (!got || parts == 2) {
			*bad = at;
			return EVENT_CACHE_BAD_PART;
		}
		at += 1 + got;
	}
	*config = type | (u64)op << 8 | (u64)result << 16;
	return event_cache_op_valid(type, op) ? EVENT_CACHE_OK : EVENT_CACHE_BAD_OP;
}
