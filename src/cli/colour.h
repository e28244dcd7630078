/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * colour: ANSI colours for text on a terminal; never in a file or a pipe unless asked for.
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include "base/err.h"
#include "base/strbuf.h"

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
enum colour { COLOUR_NORMAL, COLOUR_RED, COLOUR_GREEN, COLOUR_BLUE, COLOUR_BOLD };

/* "always", "never", "auto"; NULL means always, as in --color without a word. */
int colour_mode_parse(const char *text, enum colour_mode *mode, struct err *e);
/* Whether to colour stdout: AUTO asks for a terminal (or our pager), TERM not dumb, no NO_COLOR. */
bool colour_wanted(enum colour_mode mode);
/* Is this descriptor a terminal that shows colours, and are they wanted (TERM, NO_COLOR)? */
bool colour_terminal(int fd);
/* The colour of a share of the whole, in percent: red from 5, green above 0.5, else normal. */
enum colour colour_of_percent(double percent);
/* Append text, wrapped in escape sequences when on and the colour is not normal. */
void colour_add(struct strbuf *out, bool on, enum colour colour, const char *text);

#endif
