/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/late_close: at the end of a measurement, which of its events to leave to a process of its
 * own for closing (sys/close_later): tracepoints, when there are so many that their closing would
 * be waited for. Not those that probes made: they could not be deleted meanwhile. What is handed
 * over must have been disabled. One thread.
 */
#ifndef CAPTURE_LATE_CLOSE_H
#define CAPTURE_LATE_CLOSE_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "event/event.h"

struct late_close {
	struct strbuf dynamic; /* what probes made, as tracefs lists it */
	VEC(int) fds;
	size_t nr_events;
	bool none; /* is to be handed over */
};

/* all: of the measurement. */
void late_close_begin(struct late_close *l, const struct event_list *all);
/* Is this event one of those? Its descriptors (those below 0 are none) are to be handed over then.
 */
void late_close_add(struct late_close *l, const struct event *ev, const int *fds, size_t nr);
/* Hand over and release. */
void late_close_end(struct late_close *l);
/* Did a probe make the tracepoint? dynamic: text of tracefs' file dynamic_events. */
bool late_close_is_dynamic(const char *dynamic, const char *system, const char *name);

#endif
