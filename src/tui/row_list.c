/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/row_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/export.h"

enum {
	SEARCH_SLICE = 2048, /* rows that are looked at between two keys */
	FIRST_ROW = 2, /* lines above: title, headers */
	MIN_COLUMN = 8,
	LAST_ROOM = 20, /* columns that the last one has on narrow screens */
};

/* ---- which rows, in which order ---- */

static size_t nr_all(const struct row_list *r)
{
	return r->section ? r->section->table.nr_rows : 0;
}

static bool is_filtered(const struct row_list *r)
{
	return r->search.text || r->only.text;
}

size_t row_list_nr_places(const struct row_list *r)
{
	if (row_list_is_hierarchy(r))
		return r->levels.lines.nr;
	return is_filtered(r) ? r->search.rows.nr : nr_all(r);
}

bool row_list_is_searched(const struct row_list *r)
{
	return is_filtered(r) && r->search.looked_at < nr_all(r);
}

bool row_list_is_hierarchy(const struct row_list *r)
{
	return r->levels.outline != NULL;
}

const struct view_table *row_list_listed(const struct row_list *r)
{
	return row_list_is_hierarchy(r) ? &r->levels.table : &r->section->table;
}

static char sign_of(struct row_list *r, const struct fold_place *p)
{
	char sign = row_list_is_hierarchy(r) && !p->line ? levels_sign(&r->levels, p->row) : ' ';

	return sign == ' ' ? folds_sign(&r->folds, p) : sign;
}

static void start_search(struct row_list *r)
{
	r->search.rows.nr = 0;
	r->search.looked_at = 0;
}

static void list_again(struct row_list *r)
{
	static const struct view_table none;

	r->unfolding = false;
	folds_reset(&r->folds, r->section ? row_list_listed(r) : &none,
		    is_filtered(r) ? r->search.rows.v : r->order, row_list_nr_places(r));
}

static bool cell_has(struct row_list *r, size_t row, size_t c, const char *text, bool whole)
{
	const struct view_table *table = &r->section->table;

	strbuf_reset(&r->text);
	return table->text(table->ctx, row, c, &r->text) &&
	       (whole ? !strcmp(r->text.buf, text) : strstr(r->text.buf, text) != NULL);
}

static bool row_has(struct row_list *r, size_t row)
{
	const struct view_table *table = &r->section->table;

	if (r->only.text && !cell_has(r, row, r->only.column, r->only.text, true))
		return false;
	for (size_t c = 0; r->search.text && c < table->nr_columns; c++)
		if (table->columns[c].unit == VIEW_TEXT &&
		    cell_has(r, row, c, r->search.text, false))
			return true;
	return !r->search.text;
}

static void look_at_rows(struct row_list *r, size_t to)
{
	for (; is_filtered(r) && r->search.looked_at < to; r->search.looked_at++) {
		size_t row = r->order ? r->order[r->search.looked_at] : r->search.looked_at;

		if (row_has(r, row))
			*VEC_PUSH(&r->search.rows) = (u32)row;
	}
}

/* What is chosen now stays so when rows are others. */
static void note_chosen(struct row_list *r)
{
	struct fold_place p;

	if (!r->goes_on || !folds_nr_lines(&r->folds))
		return;
	if (row_list_is_hierarchy(r))
		levels_remember(&r->levels, &r->unfolded_levels);
	p = folds_at(&r->folds, r->list.cursor);
	r->chosen.row = folds_row_id(&r->folds, p.at);
	r->chosen.below = r->list.cursor - folds_line_of(&r->folds, p.at);
}

/* Where what was chosen is now, on the same line of the screen. The first line stays the first. */
static void follow_chosen(struct row_list *r)
{
	struct list *l = &r->list;
	size_t from = l->cursor - l->top, at, line;

	if (!l->cursor || !folds_find(&r->folds, r->chosen.row, &at))
		return;
	line = folds_line_of(&r->folds, at);
	l->cursor = folds_stay(&r->folds, line + r->chosen.below, at);
	l->top = l->cursor > from ? l->cursor - from : 0;
}

/* Nothing that was remembered of the rows before holds but by their names. */
void row_list_show(struct row_list *r, const struct view_section *s)
{
	r->section = s;
	levels_reset(&r->levels, s ? s->outline : NULL);
	if (r->goes_on && r->levels.outline)
		levels_recall(&r->levels, &r->unfolded_levels);
	free(r->order);
	r->order = NULL;
	start_search(r);
	if (r->goes_on)
		look_at_rows(r, nr_all(r));
	list_again(r);
	if (r->goes_on)
		follow_chosen(r);
}

struct fold_place row_list_place(const struct row_list *r)
{
	return folds_at(&r->folds, r->list.cursor);
}

/* ---- search ---- */

static bool search_more(struct tui *t, struct row_list *r)
{
	size_t nr = nr_all(r), found = r->search.rows.nr, to;

	if (!row_list_is_searched(r))
		return false;
	to = MIN(r->search.looked_at + SEARCH_SLICE, nr);
	look_at_rows(r, to);
	if (r->search.rows.nr != found || to == nr) {
		list_again(r);
		t->redraw = true;
	}
	return to < nr;
}

static void search_again(struct tui *t, struct row_list *r)
{
	start_search(r);
	list_again(r);
	r->list.cursor = r->list.top = 0;
	search_more(t, r);
	t->redraw = true;
}

void row_list_search_for(struct tui *t, void *rows, const char *text)
{
	struct row_list *r = rows;

	free(r->search.text);
	r->search.text = text && *text ? xstrdup(text) : NULL;
	search_again(t, r);
}

void row_list_ask_search(struct tui *t, struct row_list *r)
{
	struct tui_question q = { .text = "Only rows with: ",
				  .answer = r->search.text,
				  .changed = row_list_search_for,
				  .done = row_list_search_for,
				  .ctx = r };

	if (row_list_is_hierarchy(r))
		tui_say(t, "rows of a hierarchy are not searched");
	else
		tui_ask(t, &q);
}

void row_list_show_only(struct tui *t, struct row_list *r, size_t column, const char *text)
{
	free(r->only.text);
	r->only.text = text ? xstrdup(text) : NULL;
	r->only.column = column;
	search_again(t, r);
}

/* ---- order ---- */

struct order_key {
	u32 row;
	bool there;
	double number;
	char *text; /* of columns without numbers */
};

static double number_of(const struct view_column *c, const struct view_amount *a)
{
	switch (c->unit) {
	case VIEW_POINTS:
	case VIEW_RATIO:
		return a->real;
	case VIEW_WEIGHTED:
	case VIEW_MORE_CYCLES:
		return (double)(s64)a->value;
	default:
		return (double)a->value;
	}
}

/* The largest number first, texts by their letters; rows without any last. */
static int compare_keys(const void *a, const void *b)
{
	const struct order_key *x = a, *y = b;
	int by_text;

	if (x->there != y->there)
		return x->there ? -1 : 1;
	if (x->number > y->number || x->number < y->number)
		return x->number > y->number ? -1 : 1;
	by_text = x->text && y->text ? strcmp(x->text, y->text) : 0;
	return by_text ? by_text : x->row < y->row ? -1 : x->row > y->row;
}

static void make_key(const struct view_table *table, size_t column, struct order_key *k)
{
	struct strbuf text = STRBUF_INIT;
	struct view_amount a = { 0 };

	if (table->columns[column].unit == VIEW_TEXT) {
		k->there = table->text(table->ctx, k->row, column, &text);
		k->text = strbuf_detach(&text);
		return;
	}
	k->there = table->number(table->ctx, k->row, column, 0, &a);
	k->number = k->there ? number_of(&table->columns[column], &a) : 0;
}

void row_list_order_by(struct tui *t, struct row_list *r, size_t column)
{
	size_t nr = nr_all(r);
	struct order_key *keys = xcalloc(nr + 1, sizeof(*keys));

	free(r->order);
	r->order = XNEW_ARRAY(u32, nr + 1);
	for (size_t i = 0; i < nr; i++) {
		keys[i].row = (u32)i;
		make_key(&r->section->table, column, &keys[i]);
	}
	qsort(keys, nr, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < nr; i++) {
		r->order[i] = keys[i].row;
		free(keys[i].text);
	}
	free(keys);
	search_again(t, r);
}

/* ---- lines ---- */

static double percent_of(const struct row_list *r, const struct view_node *n)
{
	u64 total = r->section->events->total;

	return total ? (double)n->total * 100.0 / (double)total : 0.0;
}

/* "   - 12.34% name" */
static void add_node(struct row_list *r, const struct fold_place *p, struct strbuf *out)
{
	const struct view_node *n = &p->fold->tree.nodes.v[p->line->node];

	strbuf_pad(out, ' ', ROW_LIST_SIGN_WIDTH);
	folds_add_node(&r->folds, p, percent_of(r, n), out);
}

static void add_row_line(struct row_list *r, const struct fold_place *p, struct strbuf *out)
{
	const struct view_table *table = row_list_listed(r);

	strbuf_addch(out, sign_of(r, p));
	for (size_t c = 0; c < table->nr_columns; c++) {
		strbuf_adds(out, c ? "  " : " ");
		table->cell(table->ctx, p->row, c, table->columns[c].width, out, NULL);
	}
}

static void add_lines(struct row_list *r, struct strbuf *out)
{
	size_t nr = folds_nr_lines(&r->folds);

	for (size_t i = 0; i < nr; i++) {
		struct fold_place p = folds_at(&r->folds, i);

		if (p.line)
			add_node(r, &p, out);
		else
			add_row_line(r, &p, out);
		while (out->len && out->buf[out->len - 1] == ' ')
			out->buf[--out->len] = '\0';
		strbuf_addch(out, '\n');
	}
}

void row_list_export(struct tui *t, struct row_list *r, const char *first)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, first);
	add_lines(r, &text);
	tui_export(t, "perf.hist", text.buf);
}

/* ---- folds ---- */

static bool unfold_more(struct tui *t, struct row_list *r)
{
	struct fold_place p;

	if (!r->unfolding)
		return false;
	p = folds_at(&r->folds, r->list.cursor);
	r->unfolding = folds_open_some(&r->folds, &r->unfolded);
	r->list.cursor = folds_stay(&r->folds, r->list.cursor, p.at);
	t->redraw = true;
	return r->unfolding;
}

bool row_list_idle(struct tui *t, struct row_list *r)
{
	bool searching = search_more(t, r);

	return unfold_more(t, r) || searching;
}

/* Levels of a hierarchy; false: it is a call graph that is meant. */
static bool fold_levels(struct row_list *r, const struct fold_place *p, enum row_list_fold how)
{
	size_t line = p->row;

	if (how == FOLD_ALL || how == FOLD_NONE) {
		for (size_t i = r->levels.lines.nr; i-- > 0;) {
			line = MIN(line, r->levels.lines.nr - 1);
			if (i >= r->levels.lines.nr || r->levels.lines.v[i].rows->level)
				continue;
			if (how == FOLD_ALL)
				levels_open(&r->levels, i, true);
			else
				levels_close(&r->levels, i);
		}
		line = 0;
	} else if (p->line || levels_sign(&r->levels, line) == ' ') {
		return false;
	} else if (levels_sign(&r->levels, line) == '-' && how != FOLD_DEEP) {
		levels_close(&r->levels, line);
	} else if (how != FOLD_CLOSE) {
		levels_open(&r->levels, line, how == FOLD_DEEP);
	}
	list_again(r);
	r->list.cursor = line;
	return true;
}

void row_list_fold(struct tui *t, struct row_list *r, enum row_list_fold how)
{
	struct fold_place p;
	size_t at;

	r->unfolding = false;
	if (!folds_nr_lines(&r->folds))
		return;
	p = row_list_place(r);
	at = p.at;
	t->redraw = true;
	if (row_list_is_hierarchy(r) && fold_levels(r, &p, how))
		return;
	if (how == FOLD_TOGGLE)
		how = folds_sign(&r->folds, &p) == '-' ? FOLD_CLOSE : FOLD_OPEN;
	if (how == FOLD_OPEN || how == FOLD_DEEP)
		folds_open(&r->folds, &p, how == FOLD_DEEP);
	else if (how == FOLD_ALL)
		r->unfolding = true;
	else if (how == FOLD_NONE)
		folds_close_all(&r->folds);
	else
		folds_close(&r->folds, &p);
	r->list.cursor = folds_stay(&r->folds, r->list.cursor, at);
	t->redraw = true;
	if (how == FOLD_ALL) {
		r->unfolded = 0;
		unfold_more(t, r);
	}
}

/* ---- drawing ---- */

static void fit_list(const struct tui *t, struct row_list *r)
{
	list_fit(&r->list, folds_nr_lines(&r->folds), FIRST_ROW,
		 screen_height(t->screen) - FIRST_ROW - 1);
}

/* Columns that a cell gets: a name of 64 KiB may not hide those behind it. */
static u32 cell_width(const struct tui *t, const struct view_table *table, size_t c)
{
	u32 most = MAX(screen_width(t->screen) / 4, MIN_COLUMN);
	u32 width = table->columns[c].width;

	return c + 1 == table->nr_columns || table->columns[c].unit != VIEW_TEXT ? width
										 : MIN(width, most);
}

/* The first that is drawn: where the last has no room, RIGHT takes away one after the other, and
 * then shifts what the last one has. */
static size_t first_column(const struct tui *t, const struct row_list *r)
{
	const struct view_table *table = row_list_listed(r);
	u32 x = ROW_LIST_SIGN_WIDTH, room = MIN(screen_width(t->screen), LAST_ROOM);
	size_t first = 0, most = r->list.shift / LIST_SHIFT;

	for (size_t c = 0; c + 1 < table->nr_columns; c++)
		x += cell_width(t, table, c) + 2;
	while (first < most && first + 1 < table->nr_columns && x + room > screen_width(t->screen))
		x -= cell_width(t, table, first++) + 2;
	return first;
}

static void draw_headers(struct tui *t, const struct row_list *r)
{
	const struct view_table *table = row_list_listed(r);
	u32 x = ROW_LIST_SIGN_WIDTH;

	screen_fill(t->screen, 1, 0, UINT32_MAX, STYLE_HEADER);
	for (size_t c = first_column(t, r); c < table->nr_columns; c++) {
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

static void draw_cell(struct tui *t, struct row_list *r, u32 y, u32 x, size_t row, size_t c,
		      enum style style)
{
	const struct view_table *table = row_list_listed(r);
	bool last = c + 1 == table->nr_columns;
	u32 width = last ? UINT32_MAX : cell_width(t, table, c);
	struct list shifted = { .shift = r->list.shift - first_column(t, r) * LIST_SHIFT };

	strbuf_reset(&r->text);
	r->marks.nr = 0;
	table->cell(table->ctx, row, c, table->columns[c].width, &r->text, &r->marks);
	screen_text(t->screen, y, x, width, style,
		    last ? list_shifted(&shifted, r->text.buf) : r->text.buf);
	for (size_t i = 0; style == STYLE_PLAIN && i < r->marks.nr; i++) {
		struct view_mark m = r->marks.v[i];

		screen_text_n(t->screen, y, x + (u32)m.from, (u32)m.len, style_of(m.class),
			      r->text.buf + m.from, m.len);
	}
}

static void draw_row(struct tui *t, struct row_list *r, u32 y, const struct fold_place *p,
		     bool chosen)
{
	const struct view_table *table = row_list_listed(r);
	enum style style = chosen ? STYLE_SELECTED : STYLE_PLAIN;
	char sign[2] = { sign_of(r, p), '\0' };
	u32 x = ROW_LIST_SIGN_WIDTH;

	screen_fill(t->screen, y, 0, UINT32_MAX, style);
	screen_text(t->screen, y, 0, 1, style, sign);
	for (size_t c = first_column(t, r); c < table->nr_columns && x < screen_width(t->screen);
	     c++) {
		draw_cell(t, r, y, x, p->row, c, style);
		x += cell_width(t, table, c) + 2;
	}
}

static void draw_node(struct tui *t, struct row_list *r, u32 y, const struct fold_place *p,
		      bool chosen)
{
	const struct view_tree *tree = &p->fold->tree;
	double percent = percent_of(r, &tree->nodes.v[p->line->node]);
	enum style style = chosen           ? STYLE_SELECTED
			   : p->line->label ? STYLE_PLAIN
					    : style_of(view_class_of(percent));

	strbuf_reset(&r->text);
	add_node(r, p, &r->text);
	screen_text(t->screen, y, 0, UINT32_MAX, style, list_shifted(&r->list, r->text.buf));
}

void row_list_draw(struct tui *t, struct row_list *r)
{
	struct list *l = &r->list;

	fit_list(t, r);
	if (!r->section)
		return;
	draw_headers(t, r);
	for (u32 i = 0; i < l->height && l->top + i < l->nr; i++) {
		struct fold_place p = folds_at(&r->folds, l->top + i);
		bool chosen = l->top + i == l->cursor;

		if (p.line)
			draw_node(t, r, FIRST_ROW + i, &p, chosen);
		else
			draw_row(t, r, FIRST_ROW + i, &p, chosen);
	}
	note_chosen(r);
}

void row_list_draw_title(struct tui *t, struct row_list *r, const char *title, const char *place)
{
	char lines[64];
	_cleanup_(strbuf_releasep) struct strbuf right = STRBUF_INIT;
	u32 width = screen_width(t->screen), room = width;

	fit_list(t, r);
	list_place(&r->list, lines, sizeof(lines));
	strbuf_addf(&right, " %s", place ? place : lines);
	if (!place && r->unfolding)
		strbuf_adds(&right, " ...");
	if (right.len < width)
		room = width - (u32)right.len;
	screen_fill(t->screen, 0, 0, width, STYLE_TITLE);
	screen_text(t->screen, 0, room, UINT32_MAX, STYLE_TITLE, right.buf);
	screen_text(t->screen, 0, 0, room, STYLE_TITLE, title);
}

void row_list_release(struct row_list *r)
{
	folds_release(&r->folds);
	levels_reset(&r->levels, NULL);
	vec_free(&r->unfolded_levels);
	vec_free(&r->search.rows);
	vec_free(&r->marks);
	free(r->search.text);
	free(r->only.text);
	free(r->order);
	strbuf_release(&r->text);
}
