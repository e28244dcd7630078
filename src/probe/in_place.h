/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in_place: points in code that are named as events ("-e uprobe:/bin/x:main") become tracepoints in
 * a group of this process (probe/own.h), each of which goes with its event; what a killed perf has
 * left, the next one takes back.
 *
 * The kernel's PMUs "uprobe" and "kprobe", which leave nothing behind, are of no use here: they
 * read the path again, from the memory of whoever forks, when an event is inherited, so that fork()
 * fails with EFAULT in the program that is measured (seen with Linux 6.1).
 */
#ifndef PROBE_IN_PLACE_H
#define PROBE_IN_PLACE_H

#include "event/event.h"
#include "probe/events.h"

/* How many events one pattern may become. */
enum { PROBE_IN_PLACE_MAX = 128 };

/* An event_probe_fn. Code: EINVAL wrong text; ENOENT nothing of that name; EACCES; ENOTSUP the
 * kernel has none of this kind; E2BIG, ENOSPC. What is no error is told to base/log. */
int probe_in_place(const struct event_env *env, const struct event_probe_ask *ask,
		   struct event_probe_vec *out, struct err *e);

/* What a tracepoint that was made so fetches (probe_event.args), at its only place; out is to be
 * released either way. -1: it has several. */
int probe_in_place_fetches(const struct event_probe *p, struct probe_event *out, struct err *e);

#endif
