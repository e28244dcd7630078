/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_map: which task each CPU has, switch by switch. Tasks have letters: A0, B0, ... Z9, then
 * from the beginning again.
 */
#ifndef ANALYZE_SCHED_MAP_H
#define ANALYZE_SCHED_MAP_H

#include "analyze/sched_events.h"
#include "analyze/tasks.h"

enum { MAP_UNKNOWN = -1, MAP_IDLE = -2 }; /* in place of a task */

struct map_switch {
	u64 time;
	u32 cpu;
	s64 prev, next; /* tasks; MAP_IDLE */
	bool new_cpu; /* the CPU's first switch */
};

struct sched_map_opts {
	bool (*wants)(void *ctx, s64 task); /* which tasks get letters; NULL = all */
	void (*on_switch)(void *ctx, const struct map_switch *s);
	void *ctx;
};

struct sched_map;

int sched_map_new(struct sched_map **out, struct session *s, const struct sched_map_opts *o,
		  struct err *e);
void sched_map_free(struct sched_map *m);
int sched_map_run(struct sched_map *m, struct err *e);
const struct tasks *sched_map_tasks(const struct sched_map *m);
/* Whether a task is to be introduced that has just got a CPU: its letters are new, or it was given
 * a name since. */
bool sched_map_introduce(struct sched_map *m, s64 task);
/* The task that a CPU has now; MAP_UNKNOWN, MAP_IDLE. */
s64 sched_map_current(const struct sched_map *m, u32 cpu);
/* CPUs in order of their first switches. */
const u32 *sched_map_seen(const struct sched_map *m, size_t *nr);
/* Switches on CPUs of numbers that no kernel has: left out. */
u64 sched_map_odd(const struct sched_map *m);
/* Two letters of a task; ". " of an idle CPU; blanks where it has none. */
void sched_map_letters(const struct sched_map *m, s64 task, char out[3]);

#endif
