/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/flame.h"
#include "tui/report_rows.h"
#include "tui/report_zoom.h"
#include "tui/timeline.h"

enum {
	FIRST_ROW = 2, /* lines above: title, headers */
	MIN_COLUMN = 16,
};

/* ---- drawing ---- */

/* What makes these rows less than all, and of what their percentages are. */
static void add_choices(const struct report_view *v, struct strbuf *out)
{
	const struct browse *b = v->b;
	size_t from = out->len;

	browse_add_scope(b, out);
	if (b->source.opts->percent_limit > 0)
		strbuf_addf(out, "> %g%% or more ", b->source.opts->percent_limit);
	if (v->search.text)
		strbuf_addf(out, "> /%s%s ", v->search.text,
			    v->search.looked_at < browse_nr_rows(b) ? " ..." : "");
	if (b->source.opts->relative)
		strbuf_adds(out, "> percent of what is shown ");
	if (out->len > from)
		strbuf_adds(out, "| ");
}

static void draw_title(struct tui *t, struct report_view *v)
{
	const struct browse *b = v->b;
	struct strbuf *text = &v->text;
	u32 width = screen_width(t->screen), room = width;
	char place[64];

	strbuf_reset(text);
	if (!b->complete) {
		strbuf_addf(text, " %llu%% read: in part", (unsigned long long)browse_percent(b));
	} else {
		list_place(&v->list, place, sizeof(place));
		strbuf_addf(text, " %s%s", place, v->unfolding ? " ..." : "");
	}
	if (text->len < width)
		room = width - (u32)text->len;
	screen_fill(t->screen, 0, 0, width, STYLE_TITLE);
	screen_text(t->screen, 0, room, UINT32_MAX, STYLE_TITLE, text->buf);
	strbuf_reset(text);
	add_choices(v, text);
	if (b->shown.view)
		strbuf_addf(text, "Samples: %llu of event '%s',%s Event count (approx.): %llu",
			    (unsigned long long)b->shown.view->events->samples,
			    b->shown.view->events->name, b->note ? b->note : "",
			    (unsigned long long)b->shown.view->events->period);
	else
		strbuf_addf(text, "%s%s", b->complete ? "No samples" : "Reading",
			    b->note ? b->note : "");
	screen_text(t->screen, 0, 0, room, STYLE_TITLE, text->buf);
}

/* Columns that a cell gets: a name of 64 KiB may not hide those behind it. */
static u32 cell_width(const struct tui *t, const struct view_table *table, size_t c)
{
	u32 most = MAX(screen_width(t->screen) / 4, MIN_COLUMN);
	u32 width = table->columns[c].width;

	return c + 1 == table->nr_columns || table->columns[c].unit != VIEW_TEXT ? width
										 : MIN(width, most);
}

static void draw_headers(struct tui *t, const struct view_table *table)
{
	u32 x = REPORT_SIGN_WIDTH;

	screen_fill(t->screen, 1, 0, UINT32_MAX, STYLE_HEADER);
	for (size_t c = 0; c < table->nr_columns; c++) {
		const struct view_column *col = &table->columns[c];
		u32 width = cell_width(t, table, c), len = (u32)strlen(col->header);

		screen_text(t->screen, 1, x + (col->right && len < width ? width - len : 0),
			    col->right ? len : width, STYLE_HEADER, col->header);
		x += width + 2;
	}
}

static enum style style_of(enum view_class class)
{
	return class == VIEW_HOT ? STYLE_HOT : class == VIEW_WARM ? STYLE_WARM : STYLE_PLAIN;
}

static void draw_cell(struct tui *t, struct report_view *v, u32 y, u32 x, size_t row, size_t c,
		      enum style style)
{
	const struct view_table *table = report_listed(v);
	bool last = c + 1 == table->nr_columns;
	u32 width = last ? UINT32_MAX : cell_width(t, table, c);

	strbuf_reset(&v->text);
	v->marks.nr = 0;
	table->cell(table->ctx, row, c, table->columns[c].width, &v->text, &v->marks);
	screen_text(t->screen, y, x, width, style,
		    last ? list_shifted(&v->list, v->text.buf) : v->text.buf);
	for (size_t i = 0; style == STYLE_PLAIN && i < v->marks.nr; i++) {
		struct view_mark m = v->marks.v[i];

		screen_text_n(t->screen, y, x + (u32)m.from, (u32)m.len, style_of(m.class),
			      v->text.buf + m.from, m.len);
	}
}

static void draw_row(struct tui *t, struct report_view *v, u32 y, const struct fold_place *p,
		     bool chosen)
{
	const struct view_table *table = report_listed(v);
	enum style style = chosen ? STYLE_SELECTED : STYLE_PLAIN;
	char sign[2] = { report_sign(v, p), '\0' };
	u32 x = REPORT_SIGN_WIDTH;

	screen_fill(t->screen, y, 0, UINT32_MAX, style);
	screen_text(t->screen, y, 0, 1, style, sign);
	for (size_t c = 0; c < table->nr_columns && x < screen_width(t->screen); c++) {
		draw_cell(t, v, y, x, p->row, c, style);
		x += cell_width(t, table, c) + 2;
	}
}

static void draw_node(struct tui *t, struct report_view *v, u32 y, const struct fold_place *p,
		      bool chosen)
{
	const struct view_tree *tree = &p->fold->tree;
	double percent = report_percent(v, &tree->nodes.v[p->line->node]);
	enum style style = chosen           ? STYLE_SELECTED
			   : p->line->label ? STYLE_PLAIN
					    : style_of(view_class_of(percent));

	strbuf_reset(&v->text);
	report_add_node(v, p, &v->text);
	screen_text(t->screen, y, 0, UINT32_MAX, style, list_shifted(&v->list, v->text.buf));
}

static void draw_report(struct tui *t, void *view)
{
	struct report_view *v = view;
	u32 height = screen_height(t->screen) - FIRST_ROW - 1;

	report_follow(v);
	list_fit(&v->list, folds_nr_lines(&v->folds), FIRST_ROW, height);
	draw_title(t, v);
	if (!v->b->shown.view)
		return;
	draw_headers(t, report_listed(v));
	for (u32 i = 0; i < height && v->list.top + i < v->list.nr; i++) {
		struct fold_place p = folds_at(&v->folds, v->list.top + i);
		bool chosen = v->list.top + i == v->list.cursor;

		if (p.line)
			draw_node(t, v, FIRST_ROW + i, &p, chosen);
		else
			draw_row(t, v, FIRST_ROW + i, &p, chosen);
	}
	report_note_chosen(v);
}

/* ---- what keys do ---- */

static void ask_search(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;
	struct tui_question q = { .text = "Only rows with: ",
				  .answer = v->search.text,
				  .changed = report_search_for,
				  .done = report_search_for,
				  .ctx = v };

	report_follow(v);
	if (report_is_hierarchy(v))
		tui_say(t, "rows of a hierarchy are not searched");
	else
		tui_ask(t, &q);
}

static void toggle(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_fold(t, view, FOLD_TOGGLE);
}

static void fold(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_fold(t, view, FOLD_CLOSE);
}

static void unfold_deep(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_fold(t, view, FOLD_DEEP);
}

static void unfold_all(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_fold(t, view, FOLD_ALL);
}

static void fold_all(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_fold(t, view, FOLD_NONE);
}

static void enter(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	report_follow(v);
	if (folds_nr_lines(&v->folds) && report_place(v).line)
		report_fold(t, v, FOLD_TOGGLE);
	else
		report_menu_open(t, v);
}

static void open_menu(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_menu_open(t, view);
}

static void zoom_thread(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_zoom_thread(t, view);
}

static void zoom_dso(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_zoom(t, view, "dso");
}

static void zoom_socket(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_zoom(t, view, "socket");
}

static void zoom_kernel(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_zoom_kernel(t, view);
}

/* The search, then the zooms, then the view itself. */
static void go_back(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	if (v->search.text)
		report_search_for(t, v, NULL);
	else if (v->b->zooms.nr || v->b->source.time_undoes)
		report_unzoom(t, v);
	else
		tui_pop(t);
}

static void undo(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_unzoom(t, view);
}

/* What rows are ordered by, where that is at least their own share: no later row has more. */
static u64 most_of_later(const struct browse *b, const struct agg_entry *e)
{
	const struct agg_sort *first = b->source.opts->agg.sort;
	bool by_weight = b->source.opts->agg.nr_sort && !first->is_key &&
			 (first->index == AGG_OVERHEAD || first->index == AGG_OVERHEAD_CHILDREN) &&
			 !b->source.opts->agg.group_sort;

	return by_weight ? agg_value(b->shown.rows, e, 0, first->index) : UINT64_MAX;
}

/* The row with the largest share of its own. */
static void go_hottest(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;
	size_t hottest = 0;
	u64 most = 0;

	report_follow(v);
	for (size_t at = 0; !report_is_hierarchy(v) && at < report_nr_places(v); at++) {
		size_t row = v->search.text ? v->search.rows.v[at] : at;
		const struct agg_entry *e = browse_row(v->b, row);
		u64 own = e ? agg_value(v->b->shown.rows, e, 0, AGG_OVERHEAD) : 0;

		if (e && most_of_later(v->b, e) < most)
			break;
		if (own > most) {
			most = own;
			hottest = at;
		}
	}
	list_go(&v->list, folds_line_of(&v->folds, hottest));
	t->redraw = true;
}

static void limit_is(struct tui *t, void *ctx, const char *answer)
{
	struct report_view *v = ctx;
	char *end = NULL;
	double limit = answer ? strtod(answer, &end) : 0;
	struct browse_look look = v->b->shown.look;

	if (!answer)
		return;
	if (end == answer || *end || !(limit >= 0)) {
		tui_complain(t, "'%s' is not a percentage", answer);
		return;
	}
	look.percent_limit = limit;
	report_work(t, browse_show(v->b, &look), "choosing rows");
}

static void ask_limit(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_question q = {
		.text = "Only rows of so many percent at least: ", .done = limit_is, .ctx = view
	};

	tui_ask(t, &q);
}

static void toggle_relative(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;
	struct browse_look look = v->b->shown.look;

	look.relative = !look.relative;
	tui_say(t, look.relative ? "percentages are of what is shown"
				 : "percentages are of all samples");
	report_work(t, browse_show(v->b, &look), "counting percentages");
}

static void next_event(struct tui *t, void *view, const struct key *k)
{
	struct report_view *v = view;

	struct browse_look look = v->b->shown.look;

	look.event = browse_next_event(v->b, k->code == KEY_OF_TAB);
	report_work(t, browse_show(v->b, &look), "looking at the event");
}

static void choose_event(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_choose_event(t, ((struct report_view *)view)->b);
}

static void export_lines(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_follow(view);
	report_export(t, view);
}

static void show_code(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_annotate(t, view);
}

static void show_flame(struct tui *t, void *view, const struct key *k UNUSED)
{
	flame_view_open(t, ((struct report_view *)view)->b);
}

static void show_sandwich(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_sandwich(t, view);
}

static void show_timeline(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct browse *b = ((struct report_view *)view)->b;
	struct time_strip strip = { .used = false };

	b->source.strip(b->source.ctx, &strip);
	timeline_view_open(t, b, &strip);
}

static void show_header(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	v->b->source.add_header(v->b->source.ctx, &text);
	tui_page(t, "Header of the recording", text.buf);
}

static void sort_is(struct tui *t, void *ctx, const char *answer)
{
	struct report_view *v = ctx;

	if (!answer || !*answer || !report_may_read_again(t, v->b))
		return;
	free(v->b->wish.sort);
	v->b->wish.sort = xstrdup(answer);
	t->end = TUI_AGAIN;
}

static void ask_sort(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;
	struct tui_question q = { .text = "Sort by (as -s): ",
				  .answer = v->b->source.opts->sort,
				  .done = sort_is,
				  .ctx = v };

	tui_ask(t, &q);
}

static void toggle_verbose(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	if (!report_may_read_again(t, v->b))
		return;
	v->b->wish.verbose = true;
	t->end = TUI_AGAIN;
}

static void switch_file(struct tui *t, void *view, const struct key *k UNUSED)
{
	report_switch_file(t, view);
}

static bool take_report(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct report_view *v = view;

	report_follow(v);
	return list_take(&v->list, k);
}

/* clang-format off */
static const struct key_row report_keys[] = {
	{ { KEY_OF_ENTER, KEY_OF_DOUBLE_CLICK }, "Enter", "menu of a row; unfold a call graph's line", enter },
	{ { 'm' }, "m", "menu", open_menu },
	{ { '+' }, "+", "unfold or fold one level of the call graph", toggle },
		{ { 'e' }, "e", "unfold with all below", unfold_deep },
	{ { '-', 'c' }, "- c", "fold with all below", fold },
	{ { 'E' }, "E", "unfold all rows", unfold_all },
	{ { 'C' }, "C", "fold all rows", fold_all },
	{ { 'a' }, "a", "code of the line's function, with its samples", show_code },
	{ { 'f' }, "f", "flame graph of what is zoomed into", show_flame },
	{ { 'w' }, "w", "who calls the line's function, and what it calls", show_sandwich },
	{ { 'H' }, "H", "go to the row with the most samples of its own", go_hottest },
	{ { 't' }, "t", "zoom into the row's thread (command)", zoom_thread },
	{ { 'd' }, "d", "zoom into the row's object", zoom_dso },
	{ { 'k' }, "k", "zoom into the kernel", zoom_kernel },
	{ { 'S' }, "S", "zoom into the row's processor socket (with -s socket)", zoom_socket },
	{ { 'u' }, "u", "undo the last zoom", undo },
	{ { KEY_OF_ESCAPE, KEY_OF_LEFT }, "ESC LEFT", "end the search, undo the last zoom, go back", go_back },
	{ { '/' }, "/", "show rows with a text in their names only", ask_search },
	{ { 'L' }, "L", "show rows above a percentage only", ask_limit },
	{ { 'F' }, "F", "percentages of all samples, or of those that are shown", toggle_relative },
	{ { 'o' }, "o", "sort by other keys", ask_sort },
	{ { KEY_OF_TAB, KEY_OF_UNTAB }, "TAB", "next event (with Shift: the one before)", next_event },
	{ { 'v' }, "v", "choose an event", choose_event },
	{ { 'P' }, "P", "write the rows as they are to perf.hist.N", export_lines },
	{ { 'i' }, "i", "header of the recording", show_header },
	{ { 'V' }, "V", "paths and addresses, or names alone", toggle_verbose },
	{ .name = NULL },
};

static const struct key_row recording_keys[] = {
	{ { 'T' }, "T", "when there were samples; a time to be read alone", show_timeline },
	{ { 's' }, "s", "switch to another recording of this folder", switch_file },
	{ .name = NULL },
};
/* clang-format on */

static void close_report(struct tui *t UNUSED, void *view)
{
	struct report_view *v = view;

	folds_release(&v->folds);
	levels_reset(&v->levels, NULL);
	vec_free(&v->search.rows);
	vec_free(&v->marks);
	free(v->search.text);
	strbuf_release(&v->text);
	free(v);
}

const struct tui_view_ops report_view_ops = {
	.title = "Report",
	.keys = report_keys,
	.more_keys = recording_keys,
	.draw = draw_report,
	.take = take_report,
	.idle = report_idle,
	.close = close_report,
};

void report_view_open(struct tui *t, struct browse *b, const struct tui_view_ops *ops)
{
	struct report_view *v = XNEW(struct report_view);

	v->b = b;
	v->text = (struct strbuf)STRBUF_INIT;
	v->folds.remembers = b->goes_on;
	v->generation = UINT64_MAX;
	tui_push(t, ops, v);
	report_follow(v);
}
