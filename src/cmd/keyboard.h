/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keyboard: what is typed while a command prints one table after the other. Only a terminal is
 * read: an input that is closed would be ready for ever and say nothing. One thread.
 */
#ifndef CMD_KEYBOARD_H
#define CMD_KEYBOARD_H

#include <stddef.h>
#include <termios.h>

#include "base/types.h"

enum { KEYBOARD_END = 4 }; /* ^D */

/* All 0: there is none. */
struct keyboard {
	bool terminal; /* standard input is one, and keys are read from it */
	struct termios before;
};

/* Keys come one by one, and are not shown, until keyboard_close(). */
void keyboard_open(struct keyboard *k);
void keyboard_close(struct keyboard *k);
bool keyboard_is_ours(const struct keyboard *k); /* it is there, and we are not in the background */
/* The next key that was typed; false: there is none. Does not wait. */
bool keyboard_next(struct keyboard *k, char *key);
/* A line, as the terminal edits it, without its end. */
bool keyboard_ask(struct keyboard *k, const char *question, char *line, size_t size);
/* *value stays as it is if the answer is no number from `least` on. */
void keyboard_ask_number(struct keyboard *k, const char *what, u64 *value, u64 least);

#endif
