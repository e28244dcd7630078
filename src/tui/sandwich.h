/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandwich: who calls a function, and what it calls, all its places in callchains together.
 */
#ifndef TUI_SANDWICH_H
#define TUI_SANDWICH_H

#include "tui/browse.h"
#include "tui/tui.h"

/* The function by a word of its key; name: as users know it. */
void sandwich_view_open(struct tui *t, struct browse *b, const struct snapshot_condition *c,
			const char *name);

#endif
