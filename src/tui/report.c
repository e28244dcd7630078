/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/flame.h"
#include "tui/report_rows.h"
#include "tui/report_zoom.h"
#include "tui/timeline.h"

/* ---- drawing ---- */

/* What makes these rows less than all, and of what their percentages are. */
static void add_choices(const struct report_view *v, struct strbuf *out)
{
	const struct browse *b = v->b;
	size_t from = out->len;

	browse_add_scope(b, out);
	if (b->source.opts->percent_limit > 0)
		strbuf_addf(out, "> %g%% or more ", b->source.opts->percent_limit);
	if (v->rows.search.text)
		strbuf_addf(out, "> /%s%s ", v->rows.search.text,
			    row_list_is_searched(&v->rows) ? " ..." : "");
	if (b->source.opts->relative)
		strbuf_adds(out, "> percent of what is shown ");
	if (out->len > from)
		strbuf_adds(out, "| ");
}

static void draw_title(struct tui *t, struct report_view *v)
{
	const struct browse *b = v->b;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char part[64];

	snprintf(part, sizeof(part), "%llu%% read: in part", (unsigned long long)browse_percent(b));
	add_choices(v, &text);
	if (b->shown.view) {
		struct view_event all = view_all_events(b->shown.view);

		strbuf_addf(&text, "Samples: %llu of ", (unsigned long long)all.samples);
		view_add_events(&text, b->shown.view);
		strbuf_addf(&text, ",%s Event count (approx.): %llu", b->note ? b->note : "",
			    (unsigned long long)all.period);
	} else {
		strbuf_addf(&text, "%s%s", b->complete ? "No samples" : "Reading",
			    b->note ? b->note : "");
	}
	row_list_draw_title(t, &v->rows, text.buf, b->complete ? NULL : part);
}

static void draw_report(struct tui *t, void *view)
{
	struct report_view *v = view;

	report_follow(v);
	draw_title(t, v);
	row_list_draw(t, &v->rows);
}

/* ---- what keys do ---- */

static void ask_search(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	report_follow(v);
	row_list_ask_search(t, &v->rows);
}

static void fold_rows(struct tui *t, struct report_view *v, enum row_list_fold how)
{
	report_follow(v);
	row_list_fold(t, &v->rows, how);
}

static void fold(struct tui *t, void *view, const struct key *k)
{
	fold_rows(t, view, k->number);
}

static void enter(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	report_follow(v);
	if (folds_nr_lines(&v->rows.folds) && row_list_place(&v->rows).line)
		fold_rows(t, v, FOLD_TOGGLE);
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
static void go_back(struct tui *t, void *view, const struct key *k)
{
	struct report_view *v = view;

	if (v->rows.search.text)
		row_list_search_for(t, &v->rows, NULL);
	else if (v->b->zooms.nr || v->b->source.time_undoes)
		report_unzoom(t, v);
	else
		tui_go_back(t, k);
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
	for (size_t at = 0; !row_list_is_hierarchy(&v->rows) && at < row_list_nr_places(&v->rows);
	     at++) {
		size_t row = v->rows.search.text ? v->rows.search.rows.v[at] : at;
		const struct agg_entry *e = browse_row(v->b, row);
		u64 own = e ? agg_value(v->b->shown.rows, e, 0, AGG_OVERHEAD) : 0;

		if (e && most_of_later(v->b, e) < most)
			break;
		if (own > most) {
			most = own;
			hottest = at;
		}
	}
	list_go(&v->rows.list, folds_line_of(&v->rows.folds, hottest));
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

	if (v->b->shown.view && browse_nr_events(v->b) < 2) {
		tui_say(t, "there are no other events");
		return;
	}
	look.event = browse_next_event(v->b, k->code == KEY_OF_TAB);
	report_work(t, browse_show(v->b, &look), "looking at the event");
}

/* Rows of a group of events, in the order of one of them. */
static void order_by_member(struct tui *t, void *view, const struct key *k)
{
	struct report_view *v = view;
	struct browse_look look = v->b->shown.look;
	u32 nr = v->b->shown.rows && look.event < agg_nr_sections(v->b->shown.rows)
			 ? agg_section(v->b->shown.rows, look.event)->nr_members
			 : 0;

	look.member = k->code - '0';
	if (nr < 2) {
		tui_say(t, "there is no group of events");
	} else if (look.member >= nr) {
		tui_complain(t, "the group has events 0 to %u", nr - 1);
	} else {
		tui_say(t, "rows are in the order of event %u of the group", look.member);
		report_work(t, browse_show(v->b, &look), "sorting rows");
	}
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

static void show_scripts(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct report_view *v = view;

	scripts_open(t, &v->scripts, v->b->source.session, v->b->source.time);
}

static bool take_report(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct report_view *v = view;

	report_follow(v);
	return list_take(&v->rows.list, k);
}

/* clang-format off */
static const struct key_row report_keys[] = {
	{ { KEY_OF_ENTER, KEY_OF_DOUBLE_CLICK }, "Enter", "menu of a row; unfold a call graph's line", enter },
	{ { 'm' }, "m", "menu", open_menu },
	{ { '+' }, "+", "unfold or fold one level of the call graph", fold, FOLD_TOGGLE },
		{ { 'e' }, "e", "unfold with all below", fold, FOLD_DEEP },
	{ { '-', 'c' }, "- c", "fold with all below", fold, FOLD_CLOSE },
	{ { 'E' }, "E", "unfold all rows", fold, FOLD_ALL },
	{ { 'C' }, "C", "fold all rows", fold, FOLD_NONE },
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
	{ { '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' }, "0 1 2 3 4 5 6 7 8 9", "order rows by that event of a group", order_by_member },
	{ { 'T' }, "T", "when there were samples; a time to be read alone", show_timeline },
	{ { 's' }, "s", "switch to another recording of this folder", switch_file },
	{ { 'r' }, "r", "samples and scripts, by perf script", show_scripts },
	{ .name = NULL },
};
/* clang-format on */

static bool idle_report(struct tui *t, void *view)
{
	struct report_view *v = view;

	report_follow(v);
	return row_list_idle(t, &v->rows);
}

static void report_changed(struct tui *t UNUSED, void *view)
{
	report_follow(view);
}

static void close_report(struct tui *t UNUSED, void *view)
{
	struct report_view *v = view;

	row_list_release(&v->rows);
	scripts_release(&v->scripts);
	free(v);
}

const struct tui_view_ops report_view_ops = {
	.title = "Report",
	.keys = report_keys,
	.more_keys = recording_keys,
	.draw = draw_report,
	.take = take_report,
	.idle = idle_report,
	.changed = report_changed,
	.close = close_report,
};

void report_view_open(struct tui *t, struct browse *b, const struct tui_view_ops *ops)
{
	struct report_view *v = XNEW(struct report_view);

	v->b = b;
	v->rows.text = (struct strbuf)STRBUF_INIT;
	v->rows.folds.remembers = b->goes_on;
	v->generation = UINT64_MAX;
	tui_push(t, ops, v);
	report_follow(v);
}
