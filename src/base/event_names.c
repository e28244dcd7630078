/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/event_names.h"

#include <stdio.h>

#include "abi/perf_event.h"
#include "base/bits.h"

/* The names are those perf falls back on. */
const char *event_hw_name(u64 id)
{
	static const char *const names[PERF_COUNT_HW_MAX] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};

	return id < ARRAY_SIZE(names) ? names[id] : NULL;
}

const char *event_sw_name(u64 id)
{
	static const char *const names[PERF_COUNT_SW_MAX] = {
		"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
	};

	return id < ARRAY_SIZE(names) ? names[id] : NULL;
}

bool event_cache_op_valid(u32 cache, u32 op)
{
	/* by PERF_COUNT_HW_CACHE_*: bit 0 read, 1 write, 2 prefetch */
	static const u8 has_op[PERF_COUNT_HW_CACHE_MAX] = { 7, 5, 7, 7, 1, 1, 7 };

	return cache < PERF_COUNT_HW_CACHE_MAX && op < PERF_COUNT_HW_CACHE_OP_MAX &&
	       has_op[cache] >> op & 1;
}

bool event_cache_name(u64 config, char *buf, size_t size)
{
	static const char *const types[PERF_COUNT_HW_CACHE_MAX] = {
		"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
	};
	static const char *const ops[] = { "load", "store", "prefetch" };
	static const char *const many[] = { "loads", "stores", "prefetches" };
	u64 type = config & 0xff;
	u64 op = config >> 8 & 0xff;
	u64 result = config >> 16 & 0xff;

	if (config >> 24 || type >= ARRAY_SIZE(types) || op >= ARRAY_SIZE(ops) || result > 1)
		return false;
	if (result)
		snprintf(buf, size, "%s-%s-misses", types[type], ops[op]);
	else
		snprintf(buf, size, "%s-%s", types[type], many[op]);
	return true;
}
