/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the rows of a profile on the screen, with call graphs that unfold, zooms, search.
 */
#ifndef TUI_REPORT_H
#define TUI_REPORT_H

#include "tui/browse.h"
#include "tui/tui.h"

/* Of a recording: with more_keys for what there is of it alone. */
extern const struct tui_view_ops report_view_ops;

/* b and ops outlive the view. */
void report_view_open(struct tui *t, struct browse *b, const struct tui_view_ops *ops);

#endif
