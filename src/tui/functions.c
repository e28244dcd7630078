/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/list.h"

enum {
	FIRST_ROW = 2, /* lines above: title, headers */
	NUMBERS_WIDTH = 20,
	OBJECT_WIDTH = 20,
};

struct tui_functions {
	struct tui tui;
	const struct functions_source *source; /* NULL while it is read */
	struct hot_functions all; /* of the event that is shown */
	VEC(u32) shown; /* numbers among them */
	size_t event; /* which of the source's */
	struct list list;
	char *search; /* NULL = all are shown */
	u64 done, total; /* bytes read, of all */
	struct strbuf text;
};

/* ---- what is shown ---- */

static const struct code_events *events_of(const struct tui_functions *f)
{
	return &f->source->events[f->event];
}

static struct address_total total_of(const struct tui_functions *f)
{
	const struct addresses *counts = f->source->code->counts;
	u32 first = events_of(f)->first;

	return first < counts->totals.nr ? counts->totals.v[first] : (struct address_total){ 0 };
}

static double percent_of(const struct tui_functions *f, const struct hot_function *hot)
{
	u64 total = total_of(f).period;

	return total ? 100.0 * (double)hot->period / (double)total : 0.0;
}

static void list_again(struct tui_functions *f)
{
	f->shown.nr = 0;
	for (u32 i = 0; i < f->all.nr; i++)
		if (!f->search || strstr(f->all.v[i].name, f->search))
			*VEC_PUSH(&f->shown) = i;
	f->list.cursor = f->list.top = 0;
}

static void take_event(struct tui_functions *f, size_t event)
{
	f->event = event;
	f->all.nr = 0;
	addresses_hot(f->source->code->counts, events_of(f)->first, &f->all);
	while (f->all.nr && percent_of(f, VEC_LAST(&f->all)) < f->source->percent_limit)
		f->all.nr--;
	list_again(f);
}

/* ---- drawing ---- */

static void draw_title(struct tui *t, struct tui_functions *f)
{
	struct strbuf *text = &f->text;
	char place[64];

	strbuf_reset(text);
	if (!f->source) {
		u64 percent = f->total ? f->done * 100 / f->total : 0;

		strbuf_addf(text, "Reading: %llu%%", (unsigned long long)MIN(percent, 100));
		screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, text->buf);
		return;
	}
	list_place(&f->list, place, sizeof(place));
	strbuf_addf(
		text, "Functions with samples of '%s'",
		perfdata_event(session_file(f->source->code->session), events_of(f)->first)->name);
	if (f->search)
		strbuf_addf(text, " > /%s", f->search);
	strbuf_addf(text, "  %s", place);
	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, text->buf);
	strbuf_reset(text);
	strbuf_addf(text, "Overhead     Samples  %-*s  %s", OBJECT_WIDTH, "Shared Object",
		    "Symbol");
	screen_text(t->screen, 1, 0, UINT32_MAX, STYLE_HEADER, text->buf);
}

static void draw_row(struct tui *t, struct tui_functions *f, u32 y, size_t place)
{
	const struct hot_function *hot = &f->all.v[f->shown.v[place]];
	struct dso_table *dsos = session_dsos(f->source->code->session);
	double percent = percent_of(f, hot);
	bool chosen = place == f->list.cursor;
	enum style plain = chosen ? STYLE_SELECTED : STYLE_PLAIN;
	u32 x = NUMBERS_WIDTH + 2;

	screen_fill(t->screen, y, 0, UINT32_MAX, plain);
	strbuf_reset(&f->text);
	strbuf_addf(&f->text, "%7.2f%%  %10llu", percent, (unsigned long long)hot->nr);
	screen_text(t->screen, y, 0, NUMBERS_WIDTH,
		    chosen ? STYLE_SELECTED : code_style_of(percent), f->text.buf);
	screen_text(t->screen, y, x, OBJECT_WIDTH, plain,
		    dso_short_name(dso_table_get(dsos, hot->function->dso)));
	screen_text(t->screen, y, x + OBJECT_WIDTH + 2, UINT32_MAX, plain,
		    list_shifted(&f->list, hot->name));
}

static void draw_functions(struct tui *t, void *view)
{
	struct tui_functions *f = view;
	u32 height = screen_height(t->screen) - FIRST_ROW - 1;

	list_fit(&f->list, f->shown.nr, FIRST_ROW, height);
	draw_title(t, f);
	for (u32 i = 0; i < height && f->list.top + i < f->list.nr; i++)
		draw_row(t, f, FIRST_ROW + i, f->list.top + i);
}

/* ---- what keys do ---- */

static void open_code(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_functions *f = view;

	if (f->shown.nr)
		code_view_open(t, f->source->code, f->all.v[f->shown.v[f->list.cursor]].function,
			       *events_of(f));
}

static void search_for(struct tui *t, void *ctx, const char *answer)
{
	struct tui_functions *f = ctx;

	free(f->search);
	f->search = answer && *answer ? xstrdup(answer) : NULL;
	list_again(f);
	t->redraw = true;
}

static void ask_search(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_functions *f = view;
	struct tui_question q = { .text = "Only functions with: ",
				  .answer = f->search,
				  .changed = search_for,
				  .done = search_for,
				  .ctx = f };

	tui_ask(t, &q);
}

static void next_event(struct tui *t, void *view, const struct key *k)
{
	struct tui_functions *f = view;
	size_t nr = f->source ? f->source->nr_events : 0;

	if (nr < 2)
		tui_say(t, "there are no other events");
	else
		take_event(f, (f->event + (k->code == KEY_OF_TAB ? 1 : nr - 1)) % nr);
}

static void go_back(struct tui *t, void *view, const struct key *k)
{
	struct tui_functions *f = view;

	if (f->search)
		search_for(t, f, NULL);
	else
		tui_go_back(t, k);
}

static bool take_functions(struct tui *t UNUSED, void *view, const struct key *k)
{
	return list_take(&((struct tui_functions *)view)->list, k);
}

/* clang-format off */
static const struct key_row functions_keys[] = {
	{ { KEY_OF_ENTER, 'a', KEY_OF_DOUBLE_CLICK }, "Enter a", "the function's code, with its samples", open_code },
	{ { '/' }, "/", "show functions with a text in their names only", ask_search },
	{ { KEY_OF_TAB, KEY_OF_UNTAB }, "TAB", "next event (with Shift: the one before)", next_event },
	{ { KEY_OF_ESCAPE, KEY_OF_LEFT }, "ESC LEFT", "end the search, leave perf", go_back },
	{ .name = NULL },
};
/* clang-format on */

/* It is the tui's owner, who frees it. */
static void close_functions(struct tui *t UNUSED, void *view UNUSED)
{
}

static const struct tui_view_ops functions_ops = {
	.title = "Functions",
	.keys = functions_keys,
	.draw = draw_functions,
	.take = take_functions,
	.close = close_functions,
};

/* ---- as the command uses it ---- */

int tui_functions_open(struct tui_functions **out, const struct screen_colours *colours,
		       struct err *e)
{
	struct tui_functions *f = XNEW(struct tui_functions);

	if (tui_open(&f->tui, colours, e) < 0) {
		free(f);
		return -1;
	}
	f->text = (struct strbuf)STRBUF_INIT;
	tui_push(&f->tui, &functions_ops, f);
	tui_step(&f->tui);
	*out = f;
	return 0;
}

void tui_functions_close(struct tui_functions *f)
{
	if (!f)
		return;
	tui_close(&f->tui);
	vec_free(&f->all);
	vec_free(&f->shown);
	strbuf_release(&f->text);
	free(f->search);
	free(f);
}

void tui_functions_progress(void *functions, u64 done, u64 total)
{
	struct tui_functions *f = functions;
	u64 before = f->total ? f->done * 100 / f->total : 0;

	f->done = done;
	f->total = total;
	f->tui.redraw |= total && done * 100 / total != before;
}

bool tui_functions_round(struct tui_functions *f)
{
	return tui_step(&f->tui) == TUI_GOES_ON;
}

void tui_functions_browse(struct tui_functions *f, const struct functions_source *s)
{
	if (f->tui.end != TUI_GOES_ON)
		return;
	f->source = s;
	take_event(f, 0);
	tui_changed(&f->tui);
	open_code(&f->tui, f, NULL);
	f->tui.front = f->tui.layers.nr;
	tui_run(&f->tui);
}
