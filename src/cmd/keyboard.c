/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/keyboard.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In the background the terminal is not ours to change. */
static bool is_ours(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Keys come one by one, and are not shown. */
static void set_raw(const struct keyboard *k)
{
	struct termios raw = k->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void keyboard_open(struct keyboard *k)
{
	k->terminal = isatty(STDIN_FILENO) && !tcgetattr(STDIN_FILENO, &k->before);
	if (k->terminal && is_ours())
		set_raw(k);
}

/* A shell has given us the terminal (back), as it was before. */
static void keyboard_return(const struct keyboard *k)
{
	struct termios now;

	if (is_ours() && !tcgetattr(STDIN_FILENO, &now) && now.c_lflag & ICANON)
		set_raw(k);
}

void keyboard_close(struct keyboard *k)
{
	if (k->terminal && is_ours())
		tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
	k->terminal = false;
}

bool keyboard_is_ours(const struct keyboard *k)
{
	return k->terminal && is_ours();
}

static bool is_ready(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

/* One character at a time: what was typed behind the line are keys again. */
static bool read_line(char *line, size_t size)
{
	size_t len = 0;
	char c;

	while (read(STDIN_FILENO, &c, 1) == 1) {
		if (c == '\n') {
			line[len] = '\0';
			return true;
		}
		if (len + 1 < size)
			line[len++] = c;
	}
	return false;
}

bool keyboard_ask(struct keyboard *k, const char *question, char *line, size_t size)
{
	bool given;

	tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
	printf("\nEnter %s: ", question);
	fflush(stdout);
	given = read_line(line, size);
	set_raw(k);
	return given;
}

void keyboard_ask_number(struct keyboard *k, const char *what, u64 *value, u64 least)
{
	char question[128], line[32], *end;
	unsigned long v;

	snprintf(question, sizeof(question), "%s (%llu)", what, (unsigned long long)*value);
	if (!keyboard_ask(k, question, line, sizeof(line)))
		return;
	v = strtoul(line, &end, 10);
	if (end != line && v >= least && v <= INT32_MAX)
		*value = v;
}

bool keyboard_next(struct keyboard *k, char *key)
{
	if (k->terminal)
		keyboard_return(k);
	if (!keyboard_is_ours(k) || !is_ready())
		return false;
	if (read(STDIN_FILENO, key, 1) == 1)
		return true;
	k->terminal = false; /* the terminal is gone */
	return false;
}
