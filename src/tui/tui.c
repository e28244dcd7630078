/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop that draws views and gives them keys. */
#include "tui/tui.h"

#include <string.h>

#include "base/log.h"
#include "tui/list.h"

enum { IDLE_MS = 1000, WORK_MS = 5, MESSAGE_LINES = 4 };

static const char COMMON[] = "In all views"; /* on the help page, above keys that all have */

/* ---- drawing ---- */

static void draw_last_line(struct tui *t)
{
	u32 y = screen_height(t->screen) - 1;

	if (tui_work_text(t))
		screen_text(t->screen, y, 0, UINT32_MAX, STYLE_STATUS, tui_work_text(t));
	else if (t->message.len)
		screen_text(t->screen, y, 0, UINT32_MAX,
			    t->message_is_wrong ? STYLE_HOT : STYLE_STATUS, t->message.buf);
	else
		screen_text(t->screen, y, 0, UINT32_MAX, STYLE_STATUS,
			    t->layers.nr > t->front
				    ? "h: help   Enter: menu   /: search   ESC q: back"
				    : "h: help   Enter: menu   /: search   ESC: back   q: quit");
}

/* The bytes that make a line of the screen: whole words, where one fits. */
static size_t line_of(const struct tui *t, const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;
	size_t len = 0;

	while (text[len]) {
		size_t word = strspn(text + len, " ");

		word += strcspn(text + len + word, " ");
		strbuf_add(&line, text + len, word);
		if (len && screen_columns(t->screen, line.buf) > screen_width(t->screen))
			break;
		len += word;
	}
	return len;
}

/* A message that the last line has no room for, over the lines above it. */
static void draw_long_message(struct tui *t)
{
	const char *text = t->message.buf, *lines[MESSAGE_LINES];
	size_t lens[MESSAGE_LINES], nr = 0;

	if (tui_work_text(t) || VEC_LAST(&t->layers)->ops->over ||
	    screen_columns(t->screen, text) <= screen_width(t->screen))
		return;
	while (*text && nr < MIN((u32)MESSAGE_LINES, screen_height(t->screen) - 1)) {
		text += strspn(text, " ");
		lines[nr] = text;
		lens[nr] = line_of(t, text);
		text += lens[nr++];
	}
	for (size_t i = 0; i < nr; i++)
		screen_text_n(t->screen, screen_height(t->screen) - (u32)(nr - i), 0, UINT32_MAX,
			      t->message_is_wrong ? STYLE_HOT : STYLE_STATUS, lines[i], lens[i]);
}

static bool is_too_small(const struct tui *t)
{
	return screen_height(t->screen) < TUI_MIN_HEIGHT || screen_width(t->screen) < TUI_MIN_WIDTH;
}

static void draw(struct tui *t)
{
	size_t first = t->layers.nr - 1;

	screen_clear(t->screen);
	if (is_too_small(t)) {
		screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_PLAIN, "too small");
	} else {
		while (first && t->layers.v[first].ops->over)
			first--;
		draw_last_line(t);
		for (size_t i = first; i < t->layers.nr; i++)
			t->layers.v[i].ops->draw(t, t->layers.v[i].view);
		if (t->message.len)
			draw_long_message(t);
	}
	screen_show(t->screen);
	t->redraw = false;
}

/* ---- keys that all views have ---- */

static void show_help(struct tui *t, void *view, const struct key *k);

static void go_back(struct tui *t, void *view UNUSED, const struct key *k)
{
	tui_go_back(t, k);
}

static void quit(struct tui *t, void *view UNUSED, const struct key *k UNUSED)
{
	if (t->layers.nr > t->front)
		tui_pop(t);
	else
		t->end = TUI_QUIT;
}

static const struct key_row common_keys[] = {
	{ { 'h', '?', KEY_OF_F1 }, "h ? F1", "this page (in code ? finds a text)", show_help },
	{ { KEY_OF_ESCAPE, KEY_OF_LEFT }, "ESC LEFT", "back to where you came from", go_back },
	{ { 'q' }, "q", "close what was opened last; leave perf", quit },
	{ .name = NULL },
};

static void show_help(struct tui *t, void *view UNUSED, const struct key *k UNUSED)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct tui_view_ops *top = VEC_LAST(&t->layers)->ops;

	if (top->keys) {
		strbuf_addf(&text, "%s\n\n", top->title);
		keys_help(top->keys, &text);
		if (top->more_keys)
			keys_help(top->more_keys, &text);
		strbuf_addch(&text, '\n');
	}
	keys_tell(COMMON, common_keys);
	strbuf_addf(&text, "%s\n\n", COMMON);
	keys_help(common_keys, &text);
	strbuf_adds(&text,
		    "  UP DOWN PGUP PGDN HOME END SPACE, mouse: move; a double click is Enter\n"
		    "  RIGHT           columns and text that have no room; LEFT goes back\n"
		    "  ^Z              stop, as any program; ^C quits\n");
	tui_page(t, "Keys", text.buf);
}

/* --debug tui-keys */
static void tell_key(const char *title, const struct key_row *row, u32 code)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (!log_shows(LOG_KEYS))
		return;
	keys_add_name(row, code, &name);
	log_subject(LOG_KEYS, "pressed %s: %s", title, name.buf);
}

static void act_on(struct tui *t, const struct key *k)
{
	struct tui_layer top = *VEC_LAST(&t->layers);
	const struct key_row *row;
	bool own;

	strbuf_reset(&t->message);
	t->redraw = true;
	if (k->code == KEY_OF_END_OF_INPUT)
		t->end = TUI_TERMINAL_GONE;
	if (k->code == KEY_OF_RESIZE || k->code == KEY_OF_END_OF_INPUT)
		return;
	if (top.ops->take && top.ops->take(t, top.view, k))
		return;
	row = top.ops->keys ? keys_find(top.ops->keys, k->code) : NULL;
	if (!row && top.ops->more_keys)
		row = keys_find(top.ops->more_keys, k->code);
	own = row != NULL;
	if (!row)
		row = keys_find(common_keys, k->code);
	if (!row)
		return;
	tell_key(own ? top.ops->title : COMMON, row, k->code);
	row->act(t, top.view, &(struct key){ k->code, k->x, k->y, row->number });
}

bool tui_idle(struct tui *t)
{
	bool more = false;

	for (size_t i = 0; i < t->layers.nr; i++)
		if (t->layers.v[i].ops->idle)
			more |= t->layers.v[i].ops->idle(t, t->layers.v[i].view);
	return more;
}

/* While there is work: false, it has to wait. */
static bool stops_work(struct tui *t, const struct key *k)
{
	if (k->code == 'q')
		t->end = TUI_QUIT;
	return k->code == 'q' ||
	       ((k->code == KEY_OF_ESCAPE || k->code == KEY_OF_LEFT || k->code == 'u') &&
		tui_work_give_up(t));
}

/* The first of those that wait; false: it still has to. */
static bool take_later(struct tui *t)
{
	struct key k;

	if (!t->later.nr || (t->job && !stops_work(t, t->later.v)))
		return false;
	k = t->later.v[0];
	memmove(t->later.v, t->later.v + 1, --t->later.nr * sizeof(k));
	t->redraw = true;
	if (!t->job)
		act_on(t, &k);
	return true;
}

/* What is to be done by keys is done in their order; but those that move do so at once. */
static void take_key(struct tui *t, const struct key *k)
{
	bool waits = (t->job || t->later.nr) && !list_moves(k) && k->code != KEY_OF_RESIZE &&
		     k->code != KEY_OF_END_OF_INPUT;

	if (waits)
		*VEC_PUSH(&t->later) = *k;
	else
		act_on(t, k);
}

/* One key, if there is one within so many ms. */
static bool wait_key(struct tui *t, int ms)
{
	struct key k;

	if (take_later(t))
		return true;
	if (!screen_key(t->screen, ms, &k))
		return false;
	take_key(t, &k);
	return true;
}

enum tui_end tui_step(struct tui *t)
{
	bool more = true;

	while (!t->end && t->layers.nr && (more || t->redraw)) {
		if (t->redraw)
			draw(t);
		more = wait_key(t, 0);
	}
	return t->end;
}

enum tui_end tui_run(struct tui *t)
{
	bool working = true;

	while (!t->end && t->layers.nr) {
		if (t->redraw)
			draw(t);
		if (wait_key(t, working ? 0 : t->job ? WORK_MS : IDLE_MS))
			working = true;
		else if (tui_work_ended(t))
			working = tui_idle(t);
		else
			working = false;
	}
	tui_work_give_up(t);
	tui_work_wait(t);
	return t->end;
}
