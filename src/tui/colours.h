/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * colours: what users say of the screen's colours (colors.* of the configuration).
 */
#ifndef TUI_COLOURS_H
#define TUI_COLOURS_H

#include "cli/config.h"
#include "tui/screen.h"

/* Rows for a command's struct S that has struct screen_colours as its member m. */
#define TUI_COLOUR_ROWS(S, m)                                                                      \
	CONFIG_ROW("colors.top", CONFIG_CALL, S, m.of[STYLE_HOT], tui_parse_colour),               \
		CONFIG_ROW("colors.medium", CONFIG_CALL, S, m.of[STYLE_WARM], tui_parse_colour),   \
		CONFIG_ROW("colors.normal", CONFIG_CALL, S, m.of[STYLE_PLAIN], tui_parse_colour),  \
		CONFIG_ROW("colors.selected", CONFIG_CALL, S, m.of[STYLE_SELECTED],                \
			   tui_parse_colour),                                                      \
		CONFIG_ROW("colors.jump_arrows", CONFIG_CALL, S, m.of[STYLE_JUMP],                 \
			   tui_parse_colour),                                                      \
		CONFIG_ROW("colors.addr", CONFIG_CALL, S, m.of[STYLE_ADDRESS], tui_parse_colour),  \
		CONFIG_ROW("colors.root", CONFIG_CALL, S, m.of[STYLE_TITLE], tui_parse_colour)

/* "red, default": of a struct screen_colour. EINVAL: no such colour. */
int tui_parse_colour(const char *value, void *target, struct err *e);

#endif
