/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest: what could stand behind -e on this machine, for "did you mean".
 */
#include <string.h>

#include "base/event_names.h"
#include "base/similar.h"
#include "event/names.h"
#include "event/parser.h"
#include "sys/tracefs.h"

static void offer_symbols(struct similar *near, const struct event_symbol *t, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		similar_offer(near, t[i].name);
		if (t[i].alias)
			similar_offer(near, t[i].alias);
	}
}

static void offer_caches(struct similar *near)
{
	char name[64];

	for (u32 kind = 0; kind < PERF_COUNT_HW_CACHE_RESULT_MAX << 16; kind += 1 << 8) {
		u32 op = kind >> 8 & 0xff;

		for (u32 cache = 0;
		     op < PERF_COUNT_HW_CACHE_OP_MAX && cache < PERF_COUNT_HW_CACHE_MAX; cache++)
			if (event_cache_op_valid(cache, op) &&
			    event_cache_name(kind | cache, name, sizeof(name)))
				similar_offer(near, name);
	}
}

static void offer_pmu_events(struct similar *near, struct pmu_catalog *pmus)
{
	pmu_catalog_scan(pmus);
	VEC_FOR(&pmus->pmus, it) {
		similar_offer(near, (*it)->name);
		pmu_load(pmus, *it);
		VEC_FOR(&(*it)->events, event)
			similar_offer(near, event->name);
	}
}

/* A name without its system ("sched_switch") suggests the whole one. */
void event_offer_tracepoints(struct similar *near, const char *tracefs)
{
	sys_names systems = { 0 };
	bool whole = strchr(near->typed, ':') != NULL;

	if (sys_tracefs_list(tracefs, NULL, &systems)) {
		sys_names_release(&systems);
		return;
	}
	VEC_FOR(&systems, system) {
		sys_names names = { 0 };

		sys_tracefs_list(tracefs, *system, &names);
		VEC_FOR(&names, name) {
			_cleanup_(mem_freep) char *full = xasprintf("%s:%s", *system, *name);

			similar_offer_as(near, whole ? full : *name, full);
		}
		sys_names_release(&names);
	}
	sys_names_release(&systems);
}

void event_offer_names(struct similar *near, struct pmu_catalog *pmus, const char *tracefs)
{
	size_t nr;
	const struct event_symbol *t = event_hw_symbols(&nr);

	offer_symbols(near, t, nr);
	t = event_sw_symbols(&nr);
	offer_symbols(near, t, nr);
	for (int tool = EVENT_TOOL_NONE + 1; tool < EVENT_TOOL_SENSOR; tool++)
		similar_offer(near, event_tool_name((enum event_tool)tool));
	offer_caches(near);
	offer_pmu_events(near, pmus);
	if (tracefs && tracefs[0])
		event_offer_tracepoints(near, tracefs);
}
