/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flame: a flame graph of what is browsed: commands, below them what they call, as wide as their
 * share of the samples.
 */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include "tui/browse.h"
#include "tui/tui.h"

void flame_view_open(struct tui *t, struct browse *b);

#endif
