/* SPDX-License-Identifier: GPL-2.0-or-later */
/* screen: perf annotate on a terminal: when that is wanted, and what is shown there. */
#ifndef CMD_ANNOTATE_SCREEN_H
#define CMD_ANNOTATE_SCREEN_H

#include "cmd/annotate/options.h"
#include "tui/functions.h"

/* Opens o->screen, if functions are shown there; false: they are not. Where that was asked for in
 * vain, it is told why. Reading will tell it how far it is. */
bool annotate_screen_open(struct annotate_cmd *o);
/* Nothing where there is none. */
void annotate_screen_close(struct annotate_cmd *o);

#endif
