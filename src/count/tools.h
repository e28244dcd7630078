/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tools: tool events: what is known without a counter.
 */
#ifndef COUNT_TOOLS_H
#define COUNT_TOOLS_H

#include "count/measurement.h"
#include "event/names.h"

/* The value, with the times for which it holds. end_ns is set. */
struct count_value count_tool_value(const struct measurement *m, const struct event *ev);
/* That of one that is a property of the machine. */
u64 count_tool_level(enum event_tool tool);

#endif
