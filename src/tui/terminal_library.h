/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal_library: ncurses' functions, loaded when a screen is opened: starting perf does not pay
 * for them. Inside of screen.c.
 */
#ifndef TUI_TERMINAL_LIBRARY_H
#define TUI_TERMINAL_LIBRARY_H

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

#include "base/err.h"

/* The library's functions by name. */
/* clang-format off */
#define CURSES_FUNCTIONS(X) \
	X(newterm) X(delscreen) X(endwin) X(wrefresh) X(werase) X(wmove) X(waddnwstr) X(wattr_set) \
	X(wget_wch) X(wtimeout) X(keypad) X(noecho) X(cbreak) X(curs_set) X(start_color) X(has_colors) \
	X(use_default_colors) X(init_pair) X(mousemask) X(getmouse) X(mouseinterval) X(set_escdelay) \
	X(tigetstr) X(use_tioctl) X(getmaxx) X(getmaxy)
/* clang-format on */

struct curses {
#define CURSES_POINTER(name) __typeof__(name) *name;
	CURSES_FUNCTIONS(CURSES_POINTER)
#undef CURSES_POINTER
	WINDOW **window; /* stdscr, which newterm() makes */
	int *nr_colours;
};

/* NULL and *e: this perf was built without ncurses, or it is not installed. */
const struct curses *curses_load(struct err *e);

#endif
