/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/report_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SEARCH_SLICE = 2048 }; /* rows that are looked at between two keys */

/* ---- following the rows ---- */

size_t report_nr_places(const struct report_view *v)
{
	if (report_is_hierarchy(v))
		return v->levels.lines.nr;
	return v->search.text ? v->search.rows.nr : browse_nr_rows(v->b);
}

bool report_is_hierarchy(const struct report_view *v)
{
	return v->levels.outline != NULL;
}

const struct view_table *report_listed(const struct report_view *v)
{
	return report_is_hierarchy(v) ? &v->levels.table : &v->b->shown.view->table;
}

char report_sign(struct report_view *v, const struct fold_place *p)
{
	char sign = report_is_hierarchy(v) && !p->line ? levels_sign(&v->levels, p->row) : ' ';

	return sign == ' ' ? folds_sign(&v->folds, p) : sign;
}

static void start_search(struct report_view *v)
{
	v->search.rows.nr = 0;
	v->search.looked_at = 0;
}

static void list_again(struct report_view *v)
{
	static const struct view_table none;

	v->unfolding = false;
	folds_reset(&v->folds, v->b->shown.view ? report_listed(v) : &none,
		    v->search.text ? v->search.rows.v : NULL, report_nr_places(v));
}

static bool row_has(struct report_view *v, size_t row, const char *text)
{
	const struct view_table *table = &v->b->shown.view->table;

	for (size_t c = 0; c < table->nr_columns; c++) {
		if (table->columns[c].unit != VIEW_TEXT)
			continue;
		strbuf_reset(&v->text);
		if (table->text(table->ctx, row, c, &v->text) && strstr(v->text.buf, text))
			return true;
	}
	return false;
}

static void look_at_rows(struct report_view *v, size_t to)
{
	for (; v->search.text && v->search.looked_at < to; v->search.looked_at++)
		if (row_has(v, v->search.looked_at, v->search.text))
			*VEC_PUSH(&v->search.rows) = (u32)v->search.looked_at;
}

void report_note_chosen(struct report_view *v)
{
	struct fold_place p;

	if (!v->b->goes_on || !folds_nr_lines(&v->folds))
		return;
	p = folds_at(&v->folds, v->list.cursor);
	v->chosen.row = folds_row_id(&v->folds, p.at);
	v->chosen.below = v->list.cursor - folds_line_of(&v->folds, p.at);
}

/* Where what was chosen is now, on the same line of the screen. The first line stays the first. */
static void follow_chosen(struct report_view *v)
{
	struct list *l = &v->list;
	size_t from = l->cursor - l->top, at, line;

	if (!l->cursor || !folds_find(&v->folds, v->chosen.row, &at))
		return;
	line = folds_line_of(&v->folds, at);
	l->cursor = folds_stay(&v->folds, line + v->chosen.below, at);
	l->top = l->cursor > from ? l->cursor - from : 0;
}

/* Rows are others now: nothing that was remembered of them holds but by their names. */
void report_follow(struct report_view *v)
{
	if (v->generation == v->b->generation)
		return;
	v->generation = v->b->generation;
	levels_reset(&v->levels, v->b->shown.view ? v->b->shown.view->outline : NULL);
	start_search(v);
	if (v->b->goes_on)
		look_at_rows(v, browse_nr_rows(v->b));
	list_again(v);
	if (v->b->goes_on)
		follow_chosen(v);
}

struct fold_place report_place(struct report_view *v)
{
	report_follow(v);
	return folds_at(&v->folds, v->list.cursor);
}

const struct agg_entry *report_row(struct report_view *v)
{
	report_follow(v);
	if (!folds_nr_lines(&v->folds))
		return NULL;
	if (report_is_hierarchy(v)) {
		const struct level_line *line = &v->levels.lines.v[report_place(v).row];

		return profile_outline_row(line->rows, line->row);
	}
	return browse_row(v->b, report_place(v).row);
}

/* A row of a hierarchy stands for any number of values of keys below its level. */
static bool is_told(struct report_view *v, const char *key_name)
{
	const struct view_outline *o = v->levels.outline;
	size_t level = o ? v->levels.lines.v[report_place(v).row].rows->level + 1 : 0;

	for (size_t c = 0; o && c < o->nr_columns; c++)
		if (o->level[c] > level && !strcmp(o->columns[c].name, key_name))
			return false;
	return true;
}

bool report_chosen(struct report_view *v, const char *key_name, const struct agg_key **key,
		   u64 *word)
{
	const struct agg_entry *row = report_row(v);
	u8 place;

	if (!row || !browse_key(v->b, key_name, key, &place) || !is_told(v, key_name))
		return false;
	*word = row->words[place];
	return true;
}

bool report_chosen_symbol(struct report_view *v, const struct agg_key **key, u64 *word)
{
	struct fold_place p;

	if (!report_chosen(v, "symbol", key, word))
		return false;
	p = report_place(v);
	if (p.line) {
		const struct view_node *n = &p.fold->tree.nodes.v[p.line->node];
		u32 code = p.fold->tree.labels.v[n->labels + p.line->label].code;

		*word = code ? code : *word;
	}
	return true;
}

/* ---- search ---- */

static bool search_more(struct tui *t, struct report_view *v)
{
	size_t nr = browse_nr_rows(v->b), found = v->search.rows.nr, to;

	report_follow(v);
	if (!v->search.text || v->search.looked_at >= nr)
		return false;
	to = MIN(v->search.looked_at + SEARCH_SLICE, nr);
	look_at_rows(v, to);
	if (v->search.rows.nr != found || to == nr) {
		list_again(v);
		t->redraw = true;
	}
	return to < nr;
}

void report_search_for(struct tui *t, void *ctx, const char *text)
{
	struct report_view *v = ctx;

	free(v->search.text);
	v->search.text = text && *text ? xstrdup(text) : NULL;
	start_search(v);
	list_again(v);
	v->list.cursor = v->list.top = 0;
	search_more(t, v);
	t->redraw = true;
}

/* ---- lines ---- */

double report_percent(const struct report_view *v, const struct view_node *n)
{
	u64 total = v->b->shown.view->events->total;

	return total ? (double)n->total * 100.0 / (double)total : 0.0;
}

/* "   - 12.34% name" */
void report_add_node(struct report_view *v, const struct fold_place *p, struct strbuf *out)
{
	const struct view_node *n = &p->fold->tree.nodes.v[p->line->node];

	strbuf_pad(out, ' ', REPORT_SIGN_WIDTH);
	folds_add_node(&v->folds, p, report_percent(v, n), out);
}

static void add_row_line(struct report_view *v, const struct fold_place *p, struct strbuf *out)
{
	const struct view_table *table = report_listed(v);

	strbuf_addch(out, report_sign(v, p));
	for (size_t c = 0; c < table->nr_columns; c++) {
		strbuf_adds(out, c ? "  " : " ");
		table->cell(table->ctx, p->row, c, table->columns[c].width, out, NULL);
	}
}

void report_lines(struct report_view *v, struct strbuf *out)
{
	size_t nr = folds_nr_lines(&v->folds);

	for (size_t i = 0; i < nr; i++) {
		struct fold_place p = folds_at(&v->folds, i);

		if (p.line)
			report_add_node(v, &p, out);
		else
			add_row_line(v, &p, out);
		while (out->len && out->buf[out->len - 1] == ' ')
			out->buf[--out->len] = '\0';
		strbuf_addch(out, '\n');
	}
}

/* ---- folds ---- */

static bool unfold_more(struct tui *t, struct report_view *v)
{
	struct fold_place p;

	report_follow(v);
	if (!v->unfolding)
		return false;
	p = folds_at(&v->folds, v->list.cursor);
	v->unfolding = folds_open_some(&v->folds, &v->unfolded);
	v->list.cursor = folds_stay(&v->folds, v->list.cursor, p.at);
	t->redraw = true;
	return v->unfolding;
}

bool report_idle(struct tui *t, void *view)
{
	bool searching = search_more(t, view);

	return unfold_more(t, view) || searching;
}

/* Levels of a hierarchy; false: it is a call graph that is meant. */
static bool fold_levels(struct report_view *v, const struct fold_place *p, enum report_fold how)
{
	size_t line = p->row;

	if (how == FOLD_ALL || how == FOLD_NONE) {
		for (size_t i = v->levels.lines.nr; i-- > 0;) {
			line = MIN(line, v->levels.lines.nr - 1);
			if (i >= v->levels.lines.nr || v->levels.lines.v[i].rows->level)
				continue;
			if (how == FOLD_ALL)
				levels_open(&v->levels, i, true);
			else
				levels_close(&v->levels, i);
		}
		line = 0;
	} else if (p->line || levels_sign(&v->levels, line) == ' ') {
		return false;
	} else if (levels_sign(&v->levels, line) == '-' && how != FOLD_DEEP) {
		levels_close(&v->levels, line);
	} else if (how != FOLD_CLOSE) {
		levels_open(&v->levels, line, how == FOLD_DEEP);
	}
	list_again(v);
	v->list.cursor = line;
	return true;
}

void report_fold(struct tui *t, struct report_view *v, enum report_fold how)
{
	struct fold_place p;
	size_t at;

	report_follow(v);
	v->unfolding = false;
	if (!folds_nr_lines(&v->folds))
		return;
	p = report_place(v);
	at = p.at;
	t->redraw = true;
	if (report_is_hierarchy(v) && fold_levels(v, &p, how))
		return;
	if (how == FOLD_TOGGLE)
		how = folds_sign(&v->folds, &p) == '-' ? FOLD_CLOSE : FOLD_OPEN;
	if (how == FOLD_OPEN || how == FOLD_DEEP)
		folds_open(&v->folds, &p, how == FOLD_DEEP);
	else if (how == FOLD_ALL)
		v->unfolding = true;
	else if (how == FOLD_NONE)
		folds_close_all(&v->folds);
	else
		folds_close(&v->folds, &p);
	v->list.cursor = folds_stay(&v->folds, v->list.cursor, at);
	t->redraw = true;
	if (how == FOLD_ALL) {
		v->unfolded = 0;
		unfold_more(t, v);
	}
}
