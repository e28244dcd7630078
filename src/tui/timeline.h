/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline: when there were how many samples, as bars; a range that is chosen there is read alone.
 */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include "agg/time_strip.h"
#include "tui/browse.h"
#include "tui/tui.h"

/* strip: of all that can be chosen; is copied. */
void timeline_view_open(struct tui *t, struct browse *b, const struct time_strip *strip);

#endif
