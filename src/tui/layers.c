/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/tui.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

int tui_open(struct tui *t, const struct screen_colours *colours, struct err *e)
{
	*t = (struct tui){ .redraw = true, .front = 1, .message = STRBUF_INIT };
	return screen_open(&t->screen, colours, e);
}

static void drop_top(struct tui *t)
{
	struct tui_layer top = *VEC_LAST(&t->layers);

	t->layers.nr--;
	top.ops->close(t, top.view);
}

void tui_close(struct tui *t)
{
	tui_work_give_up(t);
	tui_work_wait(t);
	while (t->layers.nr)
		drop_top(t);
	vec_free(&t->layers);
	vec_free(&t->later);
	screen_close(t->screen);
	strbuf_release(&t->message);
	t->screen = NULL;
}

void tui_push(struct tui *t, const struct tui_view_ops *ops, void *view)
{
	keys_tell(ops->title, ops->keys);
	keys_tell(ops->title, ops->more_keys);
	*VEC_PUSH(&t->layers) = (struct tui_layer){ ops, view };
	t->redraw = true;
}

void tui_pop(struct tui *t)
{
	drop_top(t);
	t->redraw = true;
	if (!t->layers.nr)
		t->end = TUI_QUIT;
}

void tui_go_back(struct tui *t, const struct key *k)
{
	if (k->code == KEY_OF_LEFT && t->layers.nr == 1)
		tui_say(t, "q leaves perf");
	else
		tui_pop(t);
}

void tui_changed(struct tui *t)
{
	for (size_t i = 0; i < t->layers.nr; i++)
		if (t->layers.v[i].ops->changed)
			t->layers.v[i].ops->changed(t, t->layers.v[i].view);
	t->redraw = true;
}

/* ---- messages ---- */

static void PRINTF_LIKE(3, 0) say(struct tui *t, bool wrong, const char *fmt, va_list ap)
{
	strbuf_reset(&t->message);
	strbuf_vaddf(&t->message, fmt, ap);
	t->message_is_wrong = wrong;
	t->redraw = true;
}

void tui_say(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, false, fmt, ap);
	va_end(ap);
}

void tui_complain(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, true, fmt, ap);
	va_end(ap);
}

void tui_complain_err(struct tui *t, const struct err *e)
{
	tui_complain(t, "%s%s%s", e->text, e->hint[0] ? ": " : "", e->hint);
}
