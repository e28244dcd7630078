/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_switch: --switch-on EVENT, --switch-off EVENT, --show-on-off-events: which samples count,
 * depending on the samples before them. Options of several commands; the samples must come in order
 * of time, on one thread.
 */
#ifndef RECORDING_EVENT_SWITCH_H
#define RECORDING_EVENT_SWITCH_H

#include "cli/options.h"
#include "event/event.h"
#include "perfdata/perfdata.h"

struct event_switch {
	const char *on, *off; /* names of events, NULL = not asked for; borrowed from argv */
	bool show; /* the switching samples count too */
	bool counting;
};

/* Rows of a table of options; S has the struct event_switch as its member m. */
#define EVENT_SWITCH_NAMES(S, m)                                                                   \
	OPT_STR(0, "switch-on", S, m.on, "event",                                                  \
		"Consider events after the ocurrence of this event"),                              \
		OPT_STR(0, "switch-off", S, m.off, "event",                                        \
			"Stop considering events after the ocurrence of this event")
#define EVENT_SWITCH_SHOW(S, m)                                                                    \
	OPT_BOOL(0, "show-on-off-events", S, m.show,                                               \
		 "Show the on/off switch events, used with --switch-on and --switch-off")

/* Whether samples must be looked at one by one. */
bool event_switch_used(const struct event_switch *s);
/* Before the first sample. -1 when the file has no such event; a stream is taken at its word. */
int event_switch_start(struct event_switch *s, const struct perfdata *file, struct err *e);
/* The same where the events are measured now: -1 when none of the list has that name. */
int event_switch_start_live(struct event_switch *s, const struct event_list *list, struct err *e);
/* Whether this sample is left out. */
bool event_switch_skips(struct event_switch *s, const struct perfdata_event *ev);

#endif
