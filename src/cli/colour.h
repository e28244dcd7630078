/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * colour: whether text is to be coloured: never in a file or a pipe unless asked for. The colours
 * themselves: render/ansi.h.
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include "base/err.h"
#include "base/types.h"

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* "always", "never", "auto"; NULL means always, as in --color without a word. */
int colour_mode_parse(const char *text, enum colour_mode *mode, struct err *e);
/* Whether to colour stdout: AUTO asks for a terminal (or our pager), TERM not dumb, no NO_COLOR. */
bool colour_wanted(enum colour_mode mode);
/* Is this descriptor a terminal that shows colours, and are they wanted (TERM, NO_COLOR)? */
bool colour_terminal(int fd);

#endif
