/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandwich: who calls a function, and what it calls, all its places in callchains together.
 */
#ifndef TUI_SANDWICH_H
#define TUI_SANDWICH_H

#include "tui/browse.h"
#include "tui/tui.h"

/* frame: of the function; name: as users know it. */
void sandwich_view_open(struct tui *t, struct browse *b, frame_id frame, const char *name);

#endif
