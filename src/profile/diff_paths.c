/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/diff_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct path_level {
	struct view_rows rows; /* first, since those who show it have a pointer to it */
	const struct diff_paths *of;
	const u32 *v; /* rows of the table */
};

static bool is_shown(const struct path_level *l, size_t column)
{
	u16 level = l->of->outline.level[column];

	return !level || level == l->rows.level + 1;
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		     struct view_marks *marks)
{
	const struct path_level *l = ctx;
	const struct view_table *t = l->of->table;

	if (is_shown(l, column))
		t->cell(t->ctx, l->v[row], column, width, out, marks);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct path_level *l = ctx;
	const struct view_table *t = l->of->table;

	return is_shown(l, column) && t->text(t->ctx, l->v[row], column, out);
}

static bool number_of_cell(void *ctx, size_t row, size_t column, u32 member,
			   struct view_amount *out)
{
	const struct path_level *l = ctx;
	const struct view_table *t = l->of->table;

	return t->number(t->ctx, l->v[row], column, member, out);
}

static struct view_rows *open_level(void *ctx, const struct view_rows *above, size_t row)
{
	const struct diff_paths *p = ctx;
	struct path_level *l = XNEW(struct path_level);

	l->of = p;
	l->rows.level = above != NULL;
	l->v = above ? p->paths + p->first[row] : p->functions;
	l->rows.table = *p->table;
	l->rows.table.nr_rows = above ? p->first[row + 1] - p->first[row] : p->nr;
	l->rows.table.ctx = l;
	l->rows.table.cell = add_cell;
	l->rows.table.text = text_of_cell;
	l->rows.table.number = number_of_cell;
	return &l->rows;
}

static void close_level(struct view_rows *rows)
{
	free(rows);
}

static u32 function_of(const struct joined_row *r, size_t line, struct intern *names,
		       struct strbuf *text)
{
	size_t k = 0;

	strbuf_reset(text);
	for (const char *c = r->name; *c; k++) {
		size_t len = strcspn(c, "\n");

		if (k != line)
			strbuf_add(text, c, len);
		strbuf_addch(text, '\n');
		c += len + (c[len] == '\n');
	}
	return intern_adds(names, text->buf) - 1;
}

u32 *diff_paths_functions(const struct joined *j, size_t line, size_t *nr)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u32 *group = XNEW_ARRAY(u32, j->nr + 1);
	struct intern names = { 0 };

	*nr = 0;
	for (size_t i = 0; i < j->nr; i++) {
		group[i] = function_of(&j->rows[i], line, &names, &text);
		*nr = MAX(*nr, (size_t)group[i] + 1);
	}
	intern_release(&names);
	return group;
}

u32 *diff_paths_divide(const u32 *group, size_t nr, size_t nr_groups, u32 *first)
{
	u32 *out = XNEW_ARRAY(u32, nr + 1), *next = XNEW_ARRAY(u32, nr_groups + 1);

	for (size_t i = 0; i < nr; i++)
		first[group[i] + 1]++;
	for (size_t g = 0; g < nr_groups; g++) {
		next[g] = first[g];
		first[g + 1] += first[g];
	}
	for (size_t i = 0; i < nr; i++)
		out[next[group[i]]++] = (u32)i;
	free(next);
	return out;
}

void diff_paths_fill(struct diff_paths *p, const u32 *function, size_t nr_paths)
{
	p->functions = XNEW_ARRAY(u32, p->nr + 1);
	for (size_t i = 0; i < p->nr; i++)
		p->functions[i] = (u32)(nr_paths + i);
	p->first = xcalloc(p->nr + 2, sizeof(*p->first));
	p->paths = diff_paths_divide(function, nr_paths, p->nr, p->first);
}

const struct view_outline *diff_paths_open(struct diff_paths *p, const struct view_table *table)
{
	p->table = table;
	p->outline = (struct view_outline){ .columns = table->columns,
					    .nr_columns = table->nr_columns,
					    .nr_levels = 2,
					    .ctx = p,
					    .open = open_level,
					    .close = close_level };
	for (size_t c = 0; c < table->nr_columns; c++)
		if (table->columns[c].unit == VIEW_TEXT)
			p->outline.level[c] = strcmp(table->columns[c].name, "call_path") ? 1 : 2;
	return &p->outline;
}

void diff_paths_close(struct diff_paths *p)
{
	free(p->functions);
	free(p->first);
	free(p->paths);
	*p = (struct diff_paths){ .table = NULL };
}

const u32 *diff_paths_below(const struct view_rows *level, size_t row, size_t *nr)
{
	const struct path_level *l = (const struct path_level *)(const void *)level;

	if (level->level) {
		*nr = 1;
		return l->v + row;
	}
	*nr = l->of->first[row + 1] - l->of->first[row];
	return l->of->paths + l->of->first[row];
}
