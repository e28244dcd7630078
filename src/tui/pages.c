/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views that have nothing to do with profiles: a page of text, a question, a menu. */
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/mem.h"
#include "tui/list.h"
#include "tui/tui.h"

/* ---- pages ---- */

struct text_page {
	char *title, *text;
	VEC(const char *) lines; /* in text, which has NUL at their ends */
	struct list list;
};

static void draw_page(struct tui *t, void *view)
{
	struct text_page *p = view;
	u32 height = screen_height(t->screen) - 2;

	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, p->title);
	list_fit(&p->list, p->lines.nr, 1, height);
	for (u32 i = 0; i < height && p->list.top + i < p->lines.nr; i++) {
		const char *line = list_shifted(&p->list, p->lines.v[p->list.top + i]);

		screen_text(t->screen, 1 + i, 0, UINT32_MAX, STYLE_PLAIN, line);
	}
}

/* There is no chosen line: keys move the page. */
static bool take_page(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct text_page *p = view;
	struct list *l = &p->list;
	size_t last = l->nr > l->height ? l->nr - l->height : 0;

	if (k->code == KEY_OF_DOWN && l->top + l->height < l->nr)
		list_go(l, l->top + l->height);
	else if (k->code == KEY_OF_UP && l->top)
		list_go(l, l->top - 1);
	else if (!list_take(l, k))
		return false;
	l->top = MIN(l->top, last);
	return true;
}

static void close_page(struct tui *t UNUSED, void *view)
{
	struct text_page *p = view;

	vec_free(&p->lines);
	free(p->title);
	free(p->text);
	free(p);
}

static const struct tui_view_ops page_ops = {
	.draw = draw_page,
	.take = take_page,
	.close = close_page,
};

void tui_page(struct tui *t, const char *title, const char *text)
{
	struct text_page *p = XNEW(struct text_page);

	p->title = xstrdup(title);
	p->text = xstrdup(text);
	for (char *line = p->text; *line;) {
		size_t len = strcspn(line, "\n");
		bool last = !line[len];

		line[len] = '\0';
		*VEC_PUSH(&p->lines) = line;
		line += len + !last;
	}
	tui_push(t, &page_ops, p);
}

/* ---- questions ---- */

enum { ANSWER_ROOM = 20 }; /* columns, whatever the question */

struct asked {
	struct tui_question q;
	char *text;
	struct strbuf answer;
};

static void draw_question(struct tui *t, void *view)
{
	struct asked *a = view;
	u32 y = screen_height(t->screen) - 1, width = screen_width(t->screen);
	u32 x = screen_text(t->screen, y, 0, width - MIN(width / 2, ANSWER_ROOM), STYLE_STATUS,
			    a->text);
	u32 room = width > x + 2 ? width - x - 2 : 0;
	const char *from = a->answer.buf;

	/* the end of a long answer is what is being typed */
	while (*from && screen_columns(t->screen, from) > room)
		from += glyph_at(from).len;
	x += screen_text(t->screen, y, x, width, STYLE_STATUS, from);
	screen_fill(t->screen, y, x, 1, STYLE_SELECTED);
}

static void answer_changed(struct tui *t, struct asked *a)
{
	if (a->q.changed)
		a->q.changed(t, a->q.ctx, a->answer.buf);
}

static void drop_character(struct asked *a)
{
	size_t len = a->answer.len;

	while (len && ((u8)a->answer.buf[len - 1] & 0xc0) == 0x80)
		len--;
	if (!len)
		return;
	a->answer.len = len - 1;
	a->answer.buf[len - 1] = '\0';
}

static void add_character(struct asked *a, u32 code)
{
	if (code < 0x80) {
		strbuf_addch(&a->answer, (char)code);
		return;
	}
	if (code < 0x800) {
		strbuf_addch(&a->answer, (char)(0xc0 | code >> 6));
	} else if (code < 0x10000) {
		strbuf_addch(&a->answer, (char)(0xe0 | code >> 12));
		strbuf_addch(&a->answer, (char)(0x80 | (code >> 6 & 0x3f)));
	} else {
		strbuf_addch(&a->answer, (char)(0xf0 | code >> 18));
		strbuf_addch(&a->answer, (char)(0x80 | (code >> 12 & 0x3f)));
		strbuf_addch(&a->answer, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	strbuf_addch(&a->answer, (char)(0x80 | (code & 0x3f)));
}

static void answer(struct tui *t, struct asked *a, bool given)
{
	struct tui_question q = a->q;
	char *text = xstrdup(a->answer.buf);

	tui_pop(t);
	if (q.done)
		q.done(t, q.ctx, given ? text : NULL);
	free(text);
}

static bool take_answer(struct tui *t, void *view, const struct key *k)
{
	struct asked *a = view;

	if (k->code == KEY_OF_ENTER || k->code == KEY_OF_ESCAPE) {
		answer(t, a, k->code == KEY_OF_ENTER);
	} else if (k->code == KEY_OF_BACKSPACE) {
		drop_character(a);
		answer_changed(t, a);
	} else if (k->code == 'u' - 'a' + 1) { /* ^U */
		strbuf_reset(&a->answer);
		answer_changed(t, a);
	} else if (k->code >= ' ' && k->code < KEY_OF_UP) {
		add_character(a, k->code);
		answer_changed(t, a);
	}
	return true;
}

static void close_question(struct tui *t UNUSED, void *view)
{
	struct asked *a = view;

	strbuf_release(&a->answer);
	free(a->text);
	free(a);
}

static const struct tui_view_ops question_ops = {
	.draw = draw_question,
	.take = take_answer,
	.close = close_question,
	.over = true,
};

void tui_ask(struct tui *t, const struct tui_question *q)
{
	struct asked *a = XNEW(struct asked);

	a->q = *q;
	a->text = xstrdup(q->text);
	a->answer = (struct strbuf)STRBUF_INIT;
	if (q->answer)
		strbuf_adds(&a->answer, q->answer);
	tui_push(t, &question_ops, a);
}

/* ---- menus ---- */

struct menu {
	char *title;
	VEC(struct menu_entry) entries;
	struct list list;
	void *ctx;
};

static u32 menu_width(const struct tui *t, const struct menu *m)
{
	u32 width = screen_columns(t->screen, m->title);

	VEC_FOR(&m->entries, e)
		width = MAX(width, screen_columns(t->screen, e->text));
	return MIN(width + 4, screen_width(t->screen));
}

static void draw_menu(struct tui *t, void *view)
{
	struct menu *m = view;
	u32 width = menu_width(t, m), room = screen_height(t->screen) - 3;
	u32 height = (u32)MIN(m->entries.nr, room);
	u32 x = (screen_width(t->screen) - width) / 2;
	u32 y = (screen_height(t->screen) - 2 - height) / 2;

	screen_fill(t->screen, y, x, width, STYLE_TITLE);
	screen_text(t->screen, y, x + 1, width - 2, STYLE_TITLE, m->title);
	list_fit(&m->list, m->entries.nr, y + 1, height);
	for (u32 i = 0; i < height; i++) {
		enum style style = m->list.top + i == m->list.cursor ? STYLE_SELECTED
								     : STYLE_STATUS;

		screen_fill(t->screen, y + 1 + i, x, width, style);
		screen_text(t->screen, y + 1 + i, x + 2, width - 2, style,
			    m->entries.v[m->list.top + i].text);
	}
}

static void choose_entry(struct tui *t, struct menu *m)
{
	struct menu_entry e = m->entries.v[m->list.cursor];
	void *ctx = m->ctx;

	tui_pop(t);
	e.chosen(t, ctx, e.number);
}

static bool take_menu(struct tui *t, void *view, const struct key *k)
{
	struct menu *m = view;

	if (k->code == KEY_OF_ENTER || k->code == KEY_OF_RIGHT || k->code == KEY_OF_DOUBLE_CLICK)
		choose_entry(t, m);
	else if (!list_take(&m->list, k))
		return false;
	return true;
}

static void close_menu(struct tui *t UNUSED, void *view)
{
	struct menu *m = view;

	VEC_FOR(&m->entries, e)
		free((char *)e->text);
	vec_free(&m->entries);
	free(m->title);
	free(m);
}

static const struct tui_view_ops menu_ops = {
	.draw = draw_menu,
	.take = take_menu,
	.close = close_menu,
	.over = true,
};

void tui_menu(struct tui *t, const char *title, const struct menu_entry *entries, size_t nr,
	      void *ctx)
{
	struct menu *m = XNEW(struct menu);

	if (!nr) {
		free(m);
		return;
	}
	m->title = xstrdup(title);
	m->ctx = ctx;
	for (size_t i = 0; i < nr; i++) {
		*VEC_PUSH(&m->entries) = entries[i];
		VEC_LAST(&m->entries)->text = xstrdup(entries[i].text);
	}
	tui_push(t, &menu_ops, m);
}

void menu_add(struct menu_maker *m, char *text,
	      void (*chosen)(struct tui *t, void *ctx, size_t number), size_t number)
{
	if (m->nr == MENU_MAX)
		free(text);
	else
		m->entries[m->nr++] = (struct menu_entry){ text, chosen, number };
}

void menu_show(struct tui *t, const char *title, struct menu_maker *m, void *ctx)
{
	tui_menu(t, title, m->entries, m->nr, ctx);
	for (size_t i = 0; i < m->nr; i++)
		free((char *)m->entries[i].text);
	m->nr = 0;
}
