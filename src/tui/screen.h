/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the terminal as cells that are drawn and keys that are read.
 *
 * One screen at a time, on the main thread. It takes the terminal when it is opened and gives it
 * back as it was: by screen_close(), at any signal that ends the process (^C, SIGTERM, a crash),
 * and while the process is stopped (^Z).
 *
 * Texts are UTF-8 and may be anything: what could drive the terminal, and bytes that are no UTF-8,
 * are drawn as \xNN. A terminal whose locale is not UTF-8 gets ASCII alone. Columns are those of
 * the terminal; wide characters take two.
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "base/err.h"
#include "base/types.h"

/* How a piece of text looks; which colours these are depends on how many the terminal has. */
enum style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_HEADER,
	STYLE_SELECTED,
	STYLE_STATUS,
	STYLE_DIM,
	STYLE_WARM,
	STYLE_HOT,
	STYLE_JUMP,
	STYLE_ADDRESS,
	STYLE_SOURCE,
	STYLE_MATCH,
	STYLE_FLAME, /* and the FLAMES - 1 behind it */
	FLAMES = 6,
	NR_STYLES = STYLE_FLAME + FLAMES,
};

/* Characters that are drawn, which ASCII has others for. */
enum mark {
	MARK_DOWN, /* a line */
	MARK_FROM_TOP, /* a corner: down and right */
	MARK_FROM_BOTTOM, /* up and right */
	MARK_ARROW_RIGHT,
	MARK_BAR, /* and the seven behind it: bars, from 1/8 to 8/8 of a cell's height */
	NR_MARKS = MARK_BAR + 8,
};

/* Keys: characters by their Unicode, others above it. */
enum key_code {
	KEY_OF_ENTER = '\n',
	KEY_OF_ESCAPE = 27,
	KEY_OF_TAB = '\t',
	KEY_OF_UP = 0x110000,
	KEY_OF_DOWN,
	KEY_OF_LEFT,
	KEY_OF_RIGHT,
	KEY_OF_PAGE_UP,
	KEY_OF_PAGE_DOWN,
	KEY_OF_HOME,
	KEY_OF_END,
	KEY_OF_BACKSPACE,
	KEY_OF_UNTAB,
	KEY_OF_F1,
	KEY_OF_RESIZE, /* the terminal has another size now */
	KEY_OF_CLICK, /* of the mouse, at x, y */
	KEY_OF_DOUBLE_CLICK,
	KEY_OF_WHEEL_UP,
	KEY_OF_WHEEL_DOWN,
	KEY_OF_END_OF_INPUT, /* the terminal is gone */
};

struct key {
	u32 code;
	int x, y;
	u32 number; /* of the row (tui/keys.h) whose function gets it */
};

/* Colours of a terminal of 16; -1 = its own. */
struct screen_colour {
	bool given;
	short fore, back;
};
/* In place of the usual ones, where they are given. */
struct screen_colours {
	struct screen_colour of[NR_STYLES];
};

struct screen;

/* Whether standard input and output are a terminal on which a screen may be opened. */
bool screen_possible(void);
/* Fails without a terminal (keys may come from /dev/tty where standard input is none), or where
 * TERM names none that can be drawn on. */
int screen_open(struct screen **out, const struct screen_colours *colours, struct err *e);
void screen_close(struct screen *s); /* NULL is allowed */

u32 screen_height(const struct screen *s);
u32 screen_width(const struct screen *s);

/* Drawing: nothing is seen before screen_show(). Places outside are not drawn. */
void screen_clear(struct screen *s);
/* Text in at most `width` columns, all of which are given the style. The columns of the text. */
u32 screen_text(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text);
u32 screen_text_n(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
		  size_t len);
void screen_fill(struct screen *s, u32 y, u32 x, u32 width, enum style style);
void screen_mark(struct screen *s, u32 y, u32 x, enum style style, enum mark mark);
/* Columns that a text takes. */
u32 screen_columns(const struct screen *s, const char *text);
void screen_show(struct screen *s);

/* The next key; false: none within so many ms. */
bool screen_key(struct screen *s, int timeout_ms, struct key *out);

#endif
