/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: what is typed while perf top --stdio runs. Nothing is refreshed while a line is asked for.
 */
#include "cmd/top/top.h"

enum { SYMBOL_MAX = 1024 };

static void ask_symbol(struct top *t)
{
	char line[SYMBOL_MAX];

	if (keyboard_ask(&t->keyboard, "details symbol", line, sizeof(line)) && line[0])
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
	case KEYBOARD_END:
		return false;
	case 'd':
		keyboard_ask_number(&t->keyboard, "display delay in seconds", &o->choice.delay, 1);
		break;
	case 'e':
		keyboard_ask_number(&t->keyboard, "display entries (lines), 0 = as many as fit",
				    &o->entries, 0);
		break;
	case 'f':
		keyboard_ask_number(&t->keyboard, "display event count filter",
				    &o->profile.min_samples, 0);
		break;
	case 'F':
		keyboard_ask_number(&t->keyboard, "details display event filter (percent)",
				    &o->code_percent, 0);
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
	char key;

	while (keyboard_next(&t->keyboard, &key))
		if (!take_key(t, key))
			return false;
	return true;
}
