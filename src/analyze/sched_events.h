/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_events: the scheduler's events as rows of a machine's table: which fields there are, by
 * which names.
 */
#ifndef ANALYZE_SCHED_EVENTS_H
#define ANALYZE_SCHED_EVENTS_H

#include "analyze/analyze.h"

enum sched_switch_field {
	SWITCH_PREV_PID,
	SWITCH_PREV_STATE,
	SWITCH_NEXT_PID, /* the last of brief ones */
	SWITCH_PREV_PRIO,
	SWITCH_NEXT_COMM,
};
extern const struct analyze_field sched_switch_fields[], sched_switch_brief_fields[];

/* The letters of prev_state by the names that the recorded kernel gives them, which differ from
 * kernel to kernel; where it gives none, those that no kernel has changed. */
enum { SCHED_MAX_STATES = 32 };
struct sched_states {
	size_t nr;
	struct {
		u64 bit;
		char letter;
	} v[SCHED_MAX_STATES];
};
/* format: of sched_switch, or NULL. */
void sched_states_init(struct sched_states *s, const struct tracefmt *format);
char sched_state_letter(const struct sched_states *s, u64 state);

/* Of sched_waking, sched_wakeup and sched_wakeup_new. */
enum sched_wakeup_field { WAKEUP_PID, WAKEUP_FLAGS };
/* In WAKEUP_FLAGS: an interrupt woke the task up (hard, soft, NMI: common_flags of each event), and
 * the sample's task is whom it interrupted. */
enum { SCHED_BY_INTERRUPT = 0x08 | 0x10 | 0x40 };
extern const struct analyze_field sched_wakeup_fields[];
/* That a task may run: sched_wakeup tells once more of what sched_waking has told of, later and
 * maybe on another CPU. */
#define SCHED_WAKING_ROWS(fn) SCHED_WAKING_CHAIN_ROWS(fn, false)
/* The same; chains: callchains are wanted. */
#define SCHED_WAKING_CHAIN_ROWS(fn, chains)                                                        \
	SCHED_WOKEN_ROWS(fn, chains), SCHED_NEW_TASK_ROW(fn, chains)
/* Wake-ups of tasks that existed before. */
#define SCHED_WOKEN_ROWS(fn, chains)                                                               \
	{ .names = { "sched:sched_waking" },                                                       \
	  .chain = (chains),                                                                       \
	  .fields = sched_wakeup_fields,                                                           \
	  .take = (fn) },                                                                          \
	{                                                                                          \
		.names = { "sched:sched_wakeup" }, .instead = true, .chain = (chains),             \
		.fields = sched_wakeup_fields, .take = (fn)                                        \
	}
/* The first wake-up of a new task. */
#define SCHED_NEW_TASK_ROW(fn, chains)                                                             \
	{                                                                                          \
		.names = { "sched:sched_wakeup_new" }, .chain = (chains),                          \
		.fields = sched_wakeup_fields, .take = (fn)                                        \
	}

enum sched_runtime_field { RUNTIME_PID, RUNTIME_NS };
extern const struct analyze_field sched_runtime_fields[];

enum sched_migrate_field { MIGRATE_PID, MIGRATE_FROM, MIGRATE_TO };
extern const struct analyze_field sched_migrate_fields[];

/* No kernel has more; what says so is broken. */
enum { SCHED_MAX_CPUS = 8192 };

extern const char sched_record_hint[];

#endif
