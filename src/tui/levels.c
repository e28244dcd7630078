/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/levels.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

static const struct level_line *line_of(const void *ctx, size_t row)
{
	return &((const struct levels *)ctx)->lines.v[row];
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		     struct view_marks *marks)
{
	const struct level_line *line = line_of(ctx, row);
	const struct view_table *t = &line->rows->table;

	t->cell(t->ctx, line->row, column, width, out, marks);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct level_line *line = line_of(ctx, row);
	const struct view_table *t = &line->rows->table;

	return t->text(t->ctx, line->row, column, out);
}

static bool make_tree(void *ctx, size_t row, struct view_tree *out)
{
	const struct level_line *line = line_of(ctx, row);
	const struct view_table *t = &line->rows->table;

	return t->tree && t->tree(t->ctx, line->row, out);
}

static void add_lines(struct levels *l, size_t at, struct view_rows *rows)
{
	size_t nr = rows->table.nr_rows;

	VEC_GROW(&l->lines, nr);
	memmove(l->lines.v + at + nr, l->lines.v + at, (l->lines.nr - at) * sizeof(*l->lines.v));
	for (size_t i = 0; i < nr; i++)
		l->lines.v[at + i] = (struct level_line){ .rows = rows, .row = i };
	l->lines.nr += nr;
	l->table.nr_rows = l->lines.nr;
}

/* The line behind those below a line. */
static size_t end_of(const struct levels *l, size_t line)
{
	size_t end = line + 1;

	while (end < l->lines.nr && l->lines.v[end].rows->level > l->lines.v[line].rows->level)
		end++;
	return end;
}

void levels_close(struct levels *l, size_t line)
{
	size_t end = end_of(l, line);

	if (!l->lines.v[line].below)
		return;
	/* (those below first) */
	for (size_t i = end; i-- > line;)
		if (l->lines.v[i].below)
			l->close(l->lines.v[i].below);
	l->lines.v[line].below = NULL;
	memmove(l->lines.v + line + 1, l->lines.v + end, (l->lines.nr - end) * sizeof(*l->lines.v));
	l->lines.nr -= end - line - 1;
	l->table.nr_rows = l->lines.nr;
}

void levels_reset(struct levels *l, const struct view_outline *o)
{
	for (size_t i = l->lines.nr; i-- > 0;)
		if (l->lines.v[i].below)
			l->close(l->lines.v[i].below);
	if (l->top)
		l->close(l->top);
	vec_free(&l->lines);
	*l = (struct levels){ .outline = o, .close = o ? o->close : NULL };
	if (!o)
		return;
	l->table = (struct view_table){ .columns = o->columns,
					.nr_columns = o->nr_columns,
					.ctx = l,
					.cell = add_cell,
					.text = text_of_cell,
					.tree = make_tree };
	l->top = o->open(o->ctx, NULL, 0);
	add_lines(l, 0, l->top);
}

char levels_sign(const struct levels *l, size_t line)
{
	const struct level_line *at = &l->lines.v[line];

	if (at->rows->level + 1 >= l->outline->nr_levels)
		return ' ';
	return at->below ? '-' : '+';
}

void levels_open(struct levels *l, size_t line, bool deep)
{
	size_t end;

	if (levels_sign(l, line) == '+') {
		struct level_line *at = &l->lines.v[line];
		struct view_rows *below = l->outline->open(l->outline->ctx, at->rows, at->row);

		at->below = below;
		add_lines(l, line + 1, below);
	}
	if (!deep || !l->lines.v[line].below)
		return;
	/* from the last one on, so that the others stay where they are */
	end = end_of(l, line);
	while (--end > line)
		if (l->lines.v[end].rows == l->lines.v[line].below)
			levels_open(l, end, true);
}

/* above: of the rows on each level that a line is below. */
static u64 id_of(const struct levels *l, size_t line, u64 *above)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t level = l->lines.v[line].rows->level;

	for (size_t c = 0; c < l->table.nr_columns; c++)
		if (l->table.columns[c].unit == VIEW_TEXT &&
		    text_of_cell((void *)l, line, c, &text))
			strbuf_addch(&text, '\n');
	above[level] = hash_bytes(text.buf, text.len, level ? above[level - 1] : 0);
	return above[level];
}

void levels_remember(const struct levels *l, struct level_memory *m)
{
	u64 above[OUTLINE_MAX_COLUMNS];

	m->nr = 0;
	for (size_t i = 0; i < l->lines.nr; i++)
		if (l->lines.v[i].below)
			*VEC_PUSH(m) = id_of(l, i, above);
}

static bool has_id(const struct level_memory *m, u64 id)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->v[i] == id)
			return true;
	return false;
}

void levels_recall(struct levels *l, const struct level_memory *m)
{
	u64 above[OUTLINE_MAX_COLUMNS];

	for (size_t i = 0; m->nr && i < l->lines.nr; i++)
		if (levels_sign(l, i) == '+' && has_id(m, id_of(l, i, above)))
			levels_open(l, i, false);
}
