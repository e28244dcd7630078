/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/plan: which events can be on the counters at the same time, and in how many passes all of
 * them can be counted without taking turns. One thread.
 *
 * The kernel is asked: a pinned group of the events is opened on this task and read at once. It is
 * either on the counters, all of it, or in error. So limits that no description tells count as
 * well: events that only some counters can count, counters that somebody else holds (the NMI
 * watchdog).
 */
#ifndef CAPTURE_PLAN_H
#define CAPTURE_PLAN_H

#include "event/event.h"

enum { PLAN_EVERY_PASS = -1, PLAN_UNSUPPORTED = -2 };

struct event_plan {
	s32 *pass; /* per event of the list: from 0, or one of the above */
	bool *too_large; /* its group alone does not fit */
	size_t nr_events;
	s32 nr_passes; /* at least 1 */
};

enum plan_fit { PLAN_FITS, PLAN_FULL, PLAN_NEVER };

/* Can these be counted together? PLAN_NEVER: the first one is not supported at all. */
typedef enum plan_fit (*plan_fits_fn)(void *ctx, struct event *const *events, size_t nr);

/* Groups stay together; what needs no counter (software, tracepoints, tool events) is in every
 * pass. First fit, in the order of the list. */
void event_plan_make(struct event_plan *p, const struct event_list *l, plan_fits_fn fits,
		     void *ctx);
void event_plan_release(struct event_plan *p);
/* The kernel's answer; ctx is not used. */
enum plan_fit plan_ask_kernel(void *ctx, struct event *const *events, size_t nr);

#endif
