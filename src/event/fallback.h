/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/fallback: what to try next when the kernel refuses an event, and what to say when nothing
 * is left to try.
 *
 * Which attribute bits this kernel knows is probed with a dummy event, once, at the first refusal
 * that could come from an unknown bit; so a PMU that refuses for reasons of its own costs the other
 * events nothing. One struct per opener, one thread. Nothing is printed here.
 */
#ifndef EVENT_FALLBACK_H
#define EVENT_FALLBACK_H

#include "base/strbuf.h"
#include "event/event.h"
#include "sys/limits.h"

struct event_fallback {
	bool cpu_wide; /* -a or -C: decides the clock that stands in for cycles */
	bool counting; /* set by the caller: no samples are taken, precise levels mean nothing */
	bool limits_known;
	struct sys_limits limits; /* read at the first refusal */
	u64 missing; /* rows of the feature table that this kernel lacks */
	bool probed;
	bool raised_nofile;
	u64 guest_dropped_type; /* PMU type + 1 for which exclude_guest was given up, 0 = none */
};

enum event_fallback_step {
	EVENT_FALLBACK_NONE, /* nothing to try: event_open_strerror() */
	EVENT_FALLBACK_QUIET, /* try again; text is for -v */
	EVENT_FALLBACK_CHANGED, /* try again; another event than asked for: text is shown without
				   -v, too */
};

void event_fallback_init(struct event_fallback *fb, bool cpu_wide);

/* Once, before the first open of the event: drop the bits known to be missing, and begin at the
 * highest precision where the modifier P leaves the choice to us and samples are taken. */
void event_fallback_prepare(const struct event_fallback *fb, struct event *ev);

/*
 * The kernel refused ev->attr with err (an errno value). Changes *ev (attr, perhaps name and kind)
 * for another try and puts one line without newline into text (replacing it).
 */
enum event_fallback_step event_fallback_next(struct event_fallback *fb, struct event *ev, int err,
					     struct strbuf *text);

/* Final refusal: the lines perf prints below "Error:", each ended by a newline, appended to out. */
void event_open_strerror(struct event_fallback *fb, const struct event *ev, int err,
			 struct strbuf *out);

#endif
