/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/code.h"
#include "tui/row_list.h"

enum { OTHER_ENTRIES = 4 };

struct tui_sections {
	struct tui tui;
	const struct sections_source *source; /* NULL while it is read */
	struct row_list rows;
	size_t shown; /* number of the section */
	char *ordered; /* header of the column that orders the rows, NULL = as they are */
};

/* ---- drawing ---- */

static void add_title(const struct tui_sections *s, struct strbuf *out)
{
	double limit;

	if (!s->source) {
		strbuf_adds(out, "Reading");
		return;
	}
	limit = s->source->limit(s->source->ctx, NULL);
	if (limit > 0)
		strbuf_addf(out, "> %g points or more ", limit);
	if (s->rows.only.text)
		strbuf_addf(out, "> %s ", s->rows.only.text);
	if (s->rows.search.text)
		strbuf_addf(out, "> /%s%s ", s->rows.search.text,
			    row_list_is_searched(&s->rows) ? " ..." : "");
	if (s->ordered)
		strbuf_addf(out, "> by %s ", s->ordered);
	if (out->len)
		strbuf_adds(out, "| ");
	strbuf_addf(out, "'%s' of %s", s->source->event(s->source->ctx, s->shown),
		    s->source->files);
}

static void draw_sections(struct tui *t, void *view)
{
	struct tui_sections *s = view;
	_cleanup_(strbuf_releasep) struct strbuf title = STRBUF_INIT;

	add_title(s, &title);
	row_list_draw_title(t, &s->rows, title.buf, s->source ? NULL : "");
	row_list_draw(t, &s->rows);
}

/* ---- other rows ---- */

static void show_section(struct tui_sections *s, size_t i)
{
	const struct sections_source *from = s->source;
	_cleanup_(strbuf_releasep) struct strbuf note = STRBUF_INIT;

	/* (what is listed is gone before the next is made) */
	row_list_show(&s->rows, NULL);
	free(s->ordered);
	s->ordered = NULL;
	if (i != s->shown)
		s->rows.list.cursor = s->rows.list.top = 0;
	s->shown = i;
	row_list_show(&s->rows, from->section(from->ctx, i));
	s->tui.redraw = true;
	from->add_note(from->ctx, &note);
	if (note.len)
		tui_complain(&s->tui, "%s", note.buf);
}

static void next_section(struct tui *t, void *view, const struct key *k)
{
	struct tui_sections *s = view;
	size_t nr = s->source ? s->source->nr : 0;

	if (nr < 2)
		tui_say(t, "there are no other events");
	else
		show_section(s, (s->shown + (k->code == KEY_OF_TAB ? 1 : nr - 1)) % nr);
}

static void section_chosen(struct tui *t UNUSED, void *ctx, size_t number)
{
	show_section(ctx, number);
}

static void choose_section(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	size_t nr = s->source ? s->source->nr : 0;
	struct menu_entry *entries = XNEW_ARRAY(struct menu_entry, nr + 1);

	for (size_t i = 0; i < nr; i++)
		entries[i] = (struct menu_entry){ s->source->event(s->source->ctx, i),
						  section_chosen, i };
	tui_menu(t, "Events", entries, nr, s);
	free(entries);
}

static void limit_is(struct tui *t, void *ctx, const char *answer)
{
	struct tui_sections *s = ctx;
	char *end = NULL;
	double limit = answer ? strtod(answer, &end) : 0;

	if (!answer)
		return;
	if (end == answer || *end || !(limit >= 0 && limit <= 100)) {
		tui_complain(t, "'%s' are no percentage points from 0 to 100", answer);
		return;
	}
	s->source->limit(s->source->ctx, &limit);
	show_section(s, s->shown);
}

static void ask_limit(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	struct tui_question q = { .text = "Only rows that differ by so many points at least: ",
				  .done = limit_is,
				  .ctx = s };

	if (s->source)
		tui_ask(t, &q);
}

static void column_chosen(struct tui *t, void *ctx, size_t number)
{
	struct tui_sections *s = ctx;

	free(s->ordered);
	s->ordered = xstrdup(s->rows.section->table.columns[number].header);
	row_list_order_by(t, &s->rows, number);
}

static void choose_order(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	const struct view_table *table = s->rows.section ? &s->rows.section->table : NULL;
	struct menu_entry *entries;

	if (!table || row_list_is_hierarchy(&s->rows)) {
		tui_say(t, "rows of a hierarchy have an order of their own");
		return;
	}
	entries = XNEW_ARRAY(struct menu_entry, table->nr_columns + 1);
	for (size_t c = 0; c < table->nr_columns; c++)
		entries[c] = (struct menu_entry){ table->columns[c].header, column_chosen, c };
	tui_menu(t, "Order rows by", entries, table->nr_columns, s);
	free(entries);
}

/* ---- of the chosen row ---- */

/* False: there are no rows. level: NULL = of the section's table. */
static bool chosen_row(const struct tui_sections *s, const struct view_rows **level, size_t *row)
{
	if (!s->rows.section || !row_list_nr_places(&s->rows))
		return false;
	*row = row_list_place(&s->rows).row;
	*level = NULL;
	if (row_list_is_hierarchy(&s->rows)) {
		const struct level_line *line = &s->rows.levels.lines.v[*row];

		*level = line->rows;
		*row = line->row;
	}
	return true;
}

static void show_object(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	const struct view_table *table = s->rows.section ? &s->rows.section->table : NULL;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	const struct view_rows *level;
	size_t row, c = 0;

	if (!chosen_row(s, &level, &row) || level) {
		tui_say(t, "rows of a hierarchy are not searched");
		return;
	}
	while (c < table->nr_columns && strcmp(table->columns[c].name, "dso") != 0)
		c++;
	if (c == table->nr_columns || !table->text(table->ctx, row, c, &name)) {
		tui_complain(t, "rows do not tell their dso: use -s dso,symbol");
		return;
	}
	row_list_show_only(t, &s->rows, c, name.buf);
}

/* The code of the chosen row in the n-th recording. */
static void show_code_of(struct tui *t, void *ctx, size_t n)
{
	struct tui_sections *s = ctx;
	const struct sections_source *from = s->source;
	const struct code_source *code;
	const struct view_rows *level;
	struct section_code f;
	struct err e = ERR_INIT;
	size_t row;

	if (!chosen_row(s, &level, &row) || !from->function(from->ctx, n, level, row, &f)) {
		tui_complain(t, "the row is no function there");
		return;
	}
	code = from->code(from->ctx, n, &e);
	if (!code)
		tui_complain_err(t, &e);
	else
		code_view_open_named(t, code, f.dso, f.symbol,
				     (struct code_events){ f.event, f.nr_events });
}

/* An entry for each recording that has the function. */
static void add_codes(struct tui_sections *s, struct menu_maker *m)
{
	const struct sections_source *from = s->source;
	const struct view_rows *level;
	struct section_code f;
	size_t row;

	if (!from || !chosen_row(s, &level, &row))
		return;
	for (size_t n = 0; n < from->nr_codes && m->nr + OTHER_ENTRIES < MENU_MAX; n++)
		if (from->function(from->ctx, n, level, row, &f))
			menu_add(m, xasprintf("Code of %s in %s", f.symbol, from->codes[n]),
				 show_code_of, n);
}

static void choose_code(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct menu_maker m = { .nr = 0 };

	add_codes(view, &m);
	if (!m.nr)
		tui_complain(t, "the row is no function: its address has no symbol");
	menu_show(t, "What next?", &m, view);
}

static void menu_fold(struct tui *t, void *ctx, size_t number UNUSED)
{
	row_list_fold(t, &((struct tui_sections *)ctx)->rows, FOLD_TOGGLE);
}

static void menu_object(struct tui *t, void *ctx, size_t number UNUSED)
{
	show_object(t, ctx, NULL);
}

static void menu_export(struct tui *t, void *ctx, size_t number UNUSED)
{
	row_list_export(t, &((struct tui_sections *)ctx)->rows, "");
}

static void open_menu(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	struct menu_maker m = { .nr = 0 };

	if (row_list_is_hierarchy(&s->rows))
		menu_add(&m, xstrdup("Fold or unfold the call paths"), menu_fold, 0);
	add_codes(s, &m);
	if (s->rows.section && !row_list_is_hierarchy(&s->rows))
		menu_add(&m, xstrdup("Only rows of this object"), menu_object, 0);
	menu_add(&m, xstrdup("Write the rows to a file"), menu_export, 0);
	menu_show(t, "What next?", &m, s);
}

/* ---- keys ---- */

static void fold(struct tui *t, void *view, const struct key *k)
{
	row_list_fold(t, &((struct tui_sections *)view)->rows, k->number);
}

static void ask_search(struct tui *t, void *view, const struct key *k UNUSED)
{
	row_list_ask_search(t, &((struct tui_sections *)view)->rows);
}

static void export_lines(struct tui *t, void *view, const struct key *k UNUSED)
{
	row_list_export(t, &((struct tui_sections *)view)->rows, "");
}

static void show_header(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_sections *s = view;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (s->source)
		s->source->add_header(s->source->ctx, &text);
	tui_page(t, "Headers of the recordings", text.buf);
}

static void go_back(struct tui *t, void *view, const struct key *k)
{
	struct tui_sections *s = view;

	if (s->rows.search.text)
		row_list_search_for(t, &s->rows, NULL);
	else if (s->rows.only.text)
		row_list_show_only(t, &s->rows, 0, NULL);
	else if (s->ordered)
		show_section(s, s->shown);
	else
		tui_go_back(t, k);
}

static bool take_sections(struct tui *t UNUSED, void *view, const struct key *k)
{
	return list_take(&((struct tui_sections *)view)->rows.list, k);
}

static bool idle_sections(struct tui *t, void *view)
{
	return row_list_idle(t, &((struct tui_sections *)view)->rows);
}

/* clang-format off */
static const struct key_row sections_keys[] = {
	{ { KEY_OF_ENTER, KEY_OF_DOUBLE_CLICK, 'm' }, "Enter m", "menu of a row", open_menu },
	{ { '+' }, "+", "unfold or fold the call paths of a function (with -g)", fold, FOLD_TOGGLE },
	{ { '-', 'c' }, "- c", "fold them", fold, FOLD_CLOSE },
	{ { 'E' }, "E", "unfold all rows", fold, FOLD_ALL },
	{ { 'C' }, "C", "fold all rows", fold, FOLD_NONE },
	{ { 'a' }, "a", "code of the row's function, in one of the recordings", choose_code },
	{ { 'd' }, "d", "only rows of the row's object", show_object },
	{ { '/' }, "/", "show rows with a text in their names only", ask_search },
	{ { 'L' }, "L", "show rows that differ by some percentage points only", ask_limit },
	{ { 'o' }, "o", "order rows by a column", choose_order },
	{ { KEY_OF_ESCAPE, KEY_OF_LEFT }, "ESC LEFT", "end the search, show all objects, the usual order; leave perf", go_back },
	{ { KEY_OF_TAB, KEY_OF_UNTAB }, "TAB", "next event (with Shift: the one before)", next_section },
	{ { 'v' }, "v", "choose an event", choose_section },
	{ { 'P' }, "P", "write the rows as they are to perf.hist.N", export_lines },
	{ { 'i' }, "i", "headers of the recordings", show_header },
	{ .name = NULL },
};
/* clang-format on */

/* It is the tui's owner, who frees it. */
static void close_sections(struct tui *t UNUSED, void *view UNUSED)
{
}

static const struct tui_view_ops sections_ops = {
	.title = "Differences",
	.keys = sections_keys,
	.draw = draw_sections,
	.take = take_sections,
	.idle = idle_sections,
	.close = close_sections,
};

/* ---- as the command uses it ---- */

int tui_sections_open(struct tui_sections **out, const struct screen_colours *colours,
		      struct err *e)
{
	struct tui_sections *s = XNEW(struct tui_sections);

	if (tui_open(&s->tui, colours, e) < 0) {
		free(s);
		return -1;
	}
	s->rows.text = (struct strbuf)STRBUF_INIT;
	row_list_show(&s->rows, NULL);
	tui_push(&s->tui, &sections_ops, s);
	*out = s;
	return 0;
}

void tui_sections_close(struct tui_sections *s)
{
	if (!s)
		return;
	tui_close(&s->tui);
	row_list_release(&s->rows);
	free(s->ordered);
	free(s);
}

struct section_reading {
	void (*read)(void *ctx, const bool *unwanted);
	void *ctx;
	bool done;
};

static void run_reading(void *reading, const bool *unwanted)
{
	struct section_reading *r = reading;

	r->read(r->ctx, unwanted);
}

/* (the loop is left in either case: there is nothing else to be shown) */
static void reading_done(struct tui *t, void *reading, bool wanted)
{
	((struct section_reading *)reading)->done = wanted && t->end == TUI_GOES_ON;
	if (t->end == TUI_GOES_ON)
		t->end = wanted ? TUI_AGAIN : TUI_QUIT;
}

bool tui_sections_read(struct tui_sections *s, void (*read)(void *ctx, const bool *unwanted),
		       void *ctx)
{
	struct section_reading reading = { .read = read, .ctx = ctx };
	struct tui_work work = {
		.what = "reading", .run = run_reading, .done = reading_done, .ctx = &reading
	};

	tui_work(&s->tui, &work);
	tui_run(&s->tui);
	if (reading.done)
		s->tui.end = TUI_GOES_ON;
	return reading.done;
}

void tui_sections_browse(struct tui_sections *s, const struct sections_source *source)
{
	if (s->tui.end != TUI_GOES_ON)
		return;
	s->source = source;
	show_section(s, 0);
	tui_run(&s->tui);
}
