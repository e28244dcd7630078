/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: what is typed while perf top --stdio runs. Only a terminal is read: an input that is closed
 * would be ready for ever and say nothing.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/top/top.h"

enum { SYMBOL_MAX = 1024 };

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

/* A line, as the terminal edits it, without its end. Nothing is refreshed meanwhile. */
static bool ask_line(struct keyboard *k, const char *question, char *line, size_t size)
{
	bool given;

	tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
	printf("\nEnter %s: ", question);
	fflush(stdout);
	given = fgets(line, (int)size, stdin) != NULL;
	if (given)
		line[strcspn(line, "\n")] = '\0';
	set_raw(k);
	return given;
}

static void ask_number(struct keyboard *k, const char *what, u64 *value, u64 least)
{
	char question[128], line[32], *end;
	unsigned long v;

	snprintf(question, sizeof(question), "%s (%llu)", what, (unsigned long long)*value);
	if (!ask_line(k, question, line, sizeof(line)))
		return;
	v = strtoul(line, &end, 10);
	if (end != line && v >= least && v <= INT32_MAX)
		*value = v;
}

static void ask_symbol(struct top *t)
{
	char line[SYMBOL_MAX];

	if (ask_line(&t->keyboard, "details symbol", line, sizeof(line)) && line[0])
		top_code_choose(t->code, line);
}

/* False: to be quit. */
static bool take_key(struct top *t, char c)
{
	struct top_opts *o = t->o;
	bool menu = false;

	switch (c) {
	case 'q':
	case 'Q':
	case 4: /* ^D */
		return false;
	case 'd':
		ask_number(&t->keyboard, "display delay in seconds", &o->choice.delay, 1);
		break;
	case 'e':
		ask_number(&t->keyboard, "display entries (lines), 0 = as many as fit", &o->entries,
			   0);
		break;
	case 'f':
		ask_number(&t->keyboard, "display event count filter", &o->profile.min_samples, 0);
		break;
	case 'F':
		ask_number(&t->keyboard, "details display event filter (percent)", &o->code_percent,
			   0);
		break;
	case 's':
		ask_symbol(t);
		break;
	case 'S':
		top_code_choose(t->code, NULL);
		break;
	case 'E':
		t->event++;
		break;
	case 'K':
		o->choice.hide_kernel = !o->choice.hide_kernel;
		break;
	case 'U':
		o->choice.hide_user = !o->choice.hide_user;
		break;
	case 'z':
		o->choice.zero = !o->choice.zero;
		break;
	default:
		menu = !t->menu;
		break;
	}
	t->menu = menu;
	t->next = 0;
	return true;
}

bool top_take_keys(struct top *t)
{
	char c;

	if (t->keyboard.terminal)
		keyboard_return(&t->keyboard);
	while (t->keyboard.terminal && is_ours() && is_ready()) {
		ssize_t n = read(STDIN_FILENO, &c, 1);

		if (n <= 0) { /* the terminal is gone */
			t->keyboard.terminal = false;
			break;
		}
		if (!take_key(t, c))
			return false;
	}
	return true;
}
