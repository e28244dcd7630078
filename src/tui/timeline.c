/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/timeline.h"

#include <stdlib.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "tui/export.h"

enum { FIRST_LINE = 1, LINES_BELOW = 3, EIGHTHS = 8 };

struct timeline {
	struct browse *b;
	struct time_strip strip;
	bool in_part; /* there were more to come */
	u32 from, until; /* slices that have samples, and those between */
	u32 cursor; /* a column */
	u32 other; /* where the range begins or ends */
	bool marked; /* other is one */
	struct strbuf text;
};

/* Slices of a column: there may be less of them than columns, or more. */
static void column_slices(const struct timeline *v, u32 column, u32 width, u32 *from, u32 *until)
{
	u64 nr = v->until - v->from;

	*from = v->from + (u32)(nr * column / width);
	*until = MAX(v->from + (u32)(nr * (column + 1) / width), *from + 1);
}

/* For each slice of time: a column that is wider than a slice adds up some of them. */
static double density(const struct timeline *v, u32 column, u32 width)
{
	u32 from, until;
	u64 nr = 0;

	column_slices(v, column, width, &from, &until);
	for (u32 i = from; i < until; i++)
		nr += v->strip.nr[i];
	return (double)nr / (until - from);
}

static bool is_chosen(const struct timeline *v, u32 column)
{
	u32 a = v->marked ? MIN(v->other, v->cursor) : v->cursor;
	u32 z = v->marked ? MAX(v->other, v->cursor) : v->cursor;

	return column >= a && column <= z;
}

static void draw_bar(struct tui *t, const struct timeline *v, u32 column, u32 height, double part)
{
	enum style style = is_chosen(v, column) ? STYLE_MATCH : STYLE_WARM;
	u32 eighths = (u32)(part * height * EIGHTHS + 0.999);

	for (u32 i = 0; i < height; i++) {
		u32 here = MIN(eighths, EIGHTHS), y = FIRST_LINE + height - 1 - i;

		eighths -= here;
		if (here)
			screen_mark(t->screen, y, column, style, MARK_BAR + (enum mark)(here - 1));
		else if (is_chosen(v, column))
			screen_fill(t->screen, y, column, 1, STYLE_MATCH);
	}
}

/* The range that is chosen, in ns. */
static void chosen_range(const struct tui *t, const struct timeline *v, u64 *from, u64 *until)
{
	u32 width = screen_width(t->screen), first, last;
	u32 a = MIN(v->marked ? v->other : v->cursor, v->cursor);
	u32 z = MAX(v->marked ? v->other : v->cursor, v->cursor);
	u64 ignored;

	column_slices(v, a, width, &first, &last);
	time_strip_slice(&v->strip, first, from, &ignored);
	column_slices(v, z, width, &first, &last);
	time_strip_slice(&v->strip, last - 1, &ignored, until);
}

/* "12.345678901,13.000000000" */
static void add_range(struct strbuf *out, u64 from, u64 until)
{
	fmt_time(out, from, 9);
	strbuf_addch(out, ',');
	fmt_time(out, until, 9);
}

static void draw_timeline(struct tui *t, void *view)
{
	struct timeline *v = view;
	u32 width = screen_width(t->screen);
	u32 height = screen_height(t->screen) - FIRST_LINE - LINES_BELOW;
	double most = 0;
	u64 from, until;

	v->cursor = MIN(v->cursor, width - 1);
	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE,
		    v->in_part ? "Samples in time (as far as it had been read)"
			       : "Samples in time");
	for (u32 c = 0; c < width; c++)
		most = MAX(most, density(v, c, width));
	for (u32 c = 0; c < width && most > 0; c++)
		draw_bar(t, v, c, height, density(v, c, width) / most);
	chosen_range(t, v, &from, &until);
	strbuf_reset(&v->text);
	strbuf_adds(&v->text, v->marked ? "range: " : "at: ");
	add_range(&v->text, from, until);
	strbuf_addf(&v->text, " (%.6f s)", (double)(until - from) / 1e9);
	screen_text(t->screen, FIRST_LINE + height, 0, UINT32_MAX, STYLE_HEADER, v->text.buf);
	screen_text(t->screen, FIRST_LINE + height + 1, 0, UINT32_MAX, STYLE_DIM,
		    "SPACE marks an end of a range, Enter reads it alone, a all of the recording");
}

static void mark(struct tui *t UNUSED, void *view, const struct key *k UNUSED)
{
	struct timeline *v = view;

	v->marked = !v->marked;
	v->other = v->cursor;
}

static void wish(struct tui *t, struct timeline *v, const char *time)
{
	struct err e = ERR_INIT;

	if (browse_may_read_again(v->b, &e) < 0) {
		tui_complain_err(t, &e);
		return;
	}
	free(v->b->wish.time);
	v->b->wish.time = xstrdup(time);
	t->end = TUI_AGAIN;
}

static void choose(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct timeline *v = view;
	u64 from, until;

	chosen_range(t, v, &from, &until);
	strbuf_reset(&v->text);
	add_range(&v->text, from, until);
	wish(t, v, v->text.buf);
}

static void choose_all(struct tui *t, void *view, const struct key *k UNUSED)
{
	wish(t, view, "");
}

/* Each slice of time that can be told from others: where it begins, and its samples. */
static void export_timeline(struct tui *t, void *view, const struct key *k UNUSED)
{
	_cleanup_(strbuf_releasep) struct strbuf lines = STRBUF_INIT;
	struct timeline *v = view;

	for (u32 i = v->from; i < v->until; i++) {
		u64 from, until;

		time_strip_slice(&v->strip, i, &from, &until);
		fmt_time(&lines, from, 9);
		strbuf_addf(&lines, " %llu\n", (unsigned long long)v->strip.nr[i]);
	}
	tui_export(t, "perf.timeline", lines.buf);
}

static bool take_timeline(struct tui *t, void *view, const struct key *k)
{
	struct timeline *v = view;
	u32 last = screen_width(t->screen) - 1;

	if (k->code == KEY_OF_LEFT)
		v->cursor -= v->cursor > 0;
	else if (k->code == KEY_OF_RIGHT)
		v->cursor += v->cursor < last;
	else if (k->code == KEY_OF_PAGE_UP)
		v->cursor -= MIN(v->cursor, 10);
	else if (k->code == KEY_OF_PAGE_DOWN)
		v->cursor = MIN(v->cursor + 10, last);
	else if (k->code == KEY_OF_HOME)
		v->cursor = 0;
	else if (k->code == KEY_OF_END)
		v->cursor = last;
	else if (k->code == KEY_OF_CLICK)
		v->cursor = MIN((u32)MAX(k->x, 0), last);
	else
		return false;
	return true;
}

static const struct key_row timeline_keys[] = {
	{ { ' ' }, "SPACE", "here a range begins or ends; the cursor is its other end", mark },
	{ { KEY_OF_ENTER }, "Enter", "read this time alone", choose },
	{ { 'a' }, "a", "read all of the recording", choose_all },
	{ { 'P' }, "P", "write times and their samples to perf.timeline.N", export_timeline },
	{ .name = NULL },
};

static void close_timeline(struct tui *t UNUSED, void *view)
{
	struct timeline *v = view;

	strbuf_release(&v->text);
	free(v);
}

static const struct tui_view_ops timeline_ops = {
	.title = "Timeline",
	.keys = timeline_keys,
	.draw = draw_timeline,
	.take = take_timeline,
	.close = close_timeline,
};

void timeline_view_open(struct tui *t, struct browse *b, const struct time_strip *strip)
{
	struct timeline *v = XNEW(struct timeline);

	v->b = b;
	v->strip = *strip;
	v->in_part = !b->complete;
	v->text = (struct strbuf)STRBUF_INIT;
	if (!time_strip_range(&v->strip, &v->from, &v->until)) {
		tui_say(t, "samples of this recording have no time");
		close_timeline(t, v);
		return;
	}
	tui_push(t, &timeline_ops, v);
}
