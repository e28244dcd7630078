/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/list.h"

#include <stdio.h>

#include "base/glyph.h"

enum { WHEEL_LINES = 3 };

static void show_cursor(struct list *l)
{
	size_t most = l->nr > l->height ? l->nr - l->height : 0;

	if (l->cursor >= l->nr)
		l->cursor = l->nr ? l->nr - 1 : 0;
	if (l->cursor < l->top)
		l->top = l->cursor;
	if (l->height && l->cursor >= l->top + l->height)
		l->top = l->cursor - l->height + 1;
	l->top = MIN(l->top, most);
}

void list_fit(struct list *l, size_t nr, u32 y, u32 height)
{
	l->nr = nr;
	l->y = y;
	l->height = height;
	show_cursor(l);
}

void list_go(struct list *l, size_t line)
{
	l->cursor = line;
	show_cursor(l);
}

void list_go_middle(struct list *l, size_t line)
{
	if (line < l->top || line >= l->top + l->height)
		l->top = line > l->height / 2 ? line - l->height / 2 : 0;
	list_go(l, line);
}

static void list_move(struct list *l, size_t by, bool down)
{
	if (down)
		list_go(l, l->cursor + by);
	else
		list_go(l, l->cursor > by ? l->cursor - by : 0);
}

static bool click(struct list *l, const struct key *k)
{
	if (k->y < (int)l->y || k->y >= (int)(l->y + l->height))
		return false;
	if (l->top + (size_t)k->y - l->y >= l->nr)
		return false;
	list_go(l, l->top + (size_t)k->y - l->y);
	return true;
}

bool list_moves(const struct key *k)
{
	static const u32 codes[] = {
		KEY_OF_UP,  KEY_OF_DOWN,     KEY_OF_PAGE_UP,    KEY_OF_PAGE_DOWN, KEY_OF_HOME,
		KEY_OF_END, KEY_OF_WHEEL_UP, KEY_OF_WHEEL_DOWN, KEY_OF_RIGHT,     KEY_OF_CLICK,
		' '
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i] == k->code)
			return true;
	return false;
}

static bool move_back(struct list *l)
{
	bool moves = l->shift > 0;

	l->shift -= moves ? LIST_SHIFT : 0;
	return moves;
}

bool list_take(struct list *l, const struct key *k)
{
	size_t page = MAX(l->height, 2) - 1;

	switch (k->code) {
	case KEY_OF_LEFT:
		return move_back(l);
	case KEY_OF_RIGHT:
		l->shift += LIST_SHIFT;
		return true;
	case KEY_OF_UP:
		list_move(l, 1, false);
		return true;
	case KEY_OF_DOWN:
		list_move(l, 1, true);
		return true;
	case KEY_OF_PAGE_UP:
		list_move(l, page, false);
		return true;
	case KEY_OF_PAGE_DOWN:
	case ' ':
		list_move(l, page, true);
		return true;
	case KEY_OF_WHEEL_UP:
		list_move(l, WHEEL_LINES, false);
		return true;
	case KEY_OF_WHEEL_DOWN:
		list_move(l, WHEEL_LINES, true);
		return true;
	case KEY_OF_HOME:
		list_go(l, 0);
		return true;
	case KEY_OF_END:
		list_go(l, l->nr ? l->nr - 1 : 0);
		return true;
	case KEY_OF_CLICK:
		return click(l, k);
	default:
		return false;
	}
}

const char *list_shifted(const struct list *l, const char *text)
{
	for (size_t i = 0; i < l->shift && *text; i++)
		text += glyph_at(text).len;
	return text;
}

void list_place(const struct list *l, char *out, size_t size)
{
	size_t last = MIN(l->top + l->height, l->nr);

	snprintf(out, size, "%zu-%zu/%zu", l->nr ? l->top + 1 : 0, last, l->nr);
}
