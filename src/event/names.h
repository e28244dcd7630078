/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/names: the fixed event names: hardware, software, cache and tool events.
 *
 * Source: perf-list(1), perf_event_open(2).
 */
#ifndef EVENT_NAMES_H
#define EVENT_NAMES_H

#include "base/similar.h"

struct event_symbol {
	const char *name;
	const char *alias; /* NULL = none */
	u32 config;
};

/* Events that no counter is needed for. */
enum event_tool {
	EVENT_TOOL_NONE,
	EVENT_TOOL_DURATION, /* ns that the measurement took */
	EVENT_TOOL_USER, /* ns of processor time of the workload */
	EVENT_TOOL_SYSTEM,
	/* what the machine has; levels, not sums */
	EVENT_TOOL_NUM_CPUS, /* that can be */
	EVENT_TOOL_NUM_CPUS_ONLINE,
	EVENT_TOOL_NUM_CORES,
	EVENT_TOOL_NUM_DIES,
	EVENT_TOOL_NUM_PACKAGES,
	EVENT_TOOL_SMT_ON,
	EVENT_TOOL_TSC_FREQ, /* Hz */
	EVENT_TOOL_HAS_PMEM,
	EVENT_TOOL_SENSOR, /* what the file event.sensor says; has no fixed name */
};

/* Tables by PERF_COUNT_HW_*, PERF_COUNT_SW_*; nr entries. */
const struct event_symbol *event_hw_symbols(size_t *nr);
const struct event_symbol *event_sw_symbols(size_t *nr);

/* type and config of a hardware or software name (or alias) of len bytes. */
bool event_symbol_find(const char *s, size_t len, u32 *type, u64 *config);
enum event_tool event_tool_find(const char *s, size_t len);
/* A level of the machine, as opposed to a time. */
bool event_tool_is_level(enum event_tool tool);
/* NULL: no such. */
const char *event_tool_name(enum event_tool tool);

enum event_cache_parse { EVENT_CACHE_NO, EVENT_CACHE_OK, EVENT_CACHE_BAD_PART, EVENT_CACHE_BAD_OP };
/*
 * A cache name in any spelling perf knows: TYPE[-OP][-RESULT]. BAD_PART: starts as a cache name,
 * *bad is the offset of the first part that is none; BAD_OP: no such operation on that cache.
 */
enum event_cache_parse event_cache_find(const char *s, size_t len, u64 *config, size_t *bad);
/*
 * Offer the names of events that this machine knows, or of its tracepoints alone (SYSTEM:NAME);
 * tracefs: where it is mounted, NULL or empty = nowhere.
 */
struct pmu_catalog;
void event_offer_names(struct similar *near, struct pmu_catalog *pmus, const char *tracefs);
void event_offer_tracepoints(struct similar *near, const char *tracefs);

#endif
