/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_events.h"

#define SWITCH_BRIEF                                                                               \
	[SWITCH_PREV_PID] = { .names = { "prev_pid" } },                                           \
	[SWITCH_PREV_STATE] = { .names = { "prev_state" }, .optional = true },                     \
	[SWITCH_NEXT_PID] = { .names = { "next_pid" } }

const struct analyze_field sched_switch_brief_fields[] = {
	SWITCH_BRIEF,
	{ .names = { NULL } },
};

const struct analyze_field sched_switch_fields[] = {
	SWITCH_BRIEF,
	[SWITCH_PREV_PRIO] = { .names = { "prev_prio" }, .optional = true },
	[SWITCH_NEXT_COMM] = { .names = { "next_comm" }, .kind = ANALYZE_STRING, .optional = true },
	{ .names = { NULL } },
};

const struct analyze_field sched_wakeup_fields[] = {
	[WAKEUP_PID] = { .names = { "pid" } },
	{ .names = { NULL } },
};

const struct analyze_field sched_runtime_fields[] = {
	[RUNTIME_PID] = { .names = { "pid" } },
	[RUNTIME_NS] = { .names = { "runtime" } },
	{ .names = { NULL } },
};

const struct analyze_field sched_migrate_fields[] = {
	[MIGRATE_PID] = { .names = { "pid" } },
	[MIGRATE_FROM] = { .names = { "orig_cpu" }, .optional = true },
	[MIGRATE_TO] = { .names = { "dest_cpu" }, .optional = true },
	{ .names = { NULL } },
};

const char sched_record_hint[] = "perf sched record COMMAND records what is needed";
