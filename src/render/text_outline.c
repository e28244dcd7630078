/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_outline.h"

#include "base/mem.h"
#include "render/ansi.h"

enum { LEVEL_INDENT = 3, DOTS_MAX = 207 /* as many as perf has */, PIECE = 1 << 16 };

struct outline_text {
	const struct view_outline *v;
	const struct text_table_opts *o;
	const char *sep;
	struct strbuf out;
	struct strbuf cell;
	struct view_marks marks;
	struct view_tree tree;
};

static bool is_number(const struct view_outline *v, size_t column)
{
	return !v->level[column];
}

/* Below the values' headers; separators interrupt the dots, blanks do not. */
static void add_dots(struct outline_text *h, u32 indent)
{
	const struct view_outline *v = h->v;
	bool first = true;

	strbuf_pad(&h->out, '.', indent);
	for (size_t c = 0; c < v->nr_columns; c++) {
		if (!is_number(v, c))
			continue;
		if (!first && h->o->separator)
			strbuf_adds(&h->out, h->sep);
		else if (!first)
			strbuf_pad(&h->out, '.', strlen(h->sep));
		first = false;
		strbuf_pad(&h->out, '.', v->columns[c].width);
	}
}

static void add_number_headers(struct outline_text *h)
{
	const struct view_outline *v = h->v;
	bool first = true;

	for (size_t c = 0; c < v->nr_columns; c++) {
		if (!is_number(v, c))
			continue;
		if (!first)
			strbuf_adds(&h->out, h->sep);
		first = false;
		strbuf_addf(&h->out, "%*s", (int)v->columns[c].width, v->columns[c].header);
	}
}

/* "Command / Shared Object+Symbol"; returns how wide the names may become. */
static size_t add_name_headers(struct outline_text *h)
{
	const struct view_outline *v = h->v;
	size_t from = h->out.len, width = 0;

	for (size_t l = 0; l < v->nr_levels; l++) {
		size_t level_width = l * LEVEL_INDENT;
		bool first = true;

		for (size_t c = 0; c < v->nr_columns; c++) {
			const struct view_column *col = &v->columns[c];

			if (v->level[c] != l + 1)
				continue;
			strbuf_adds(&h->out, !first ? "+" : l ? " / " : "");
			strbuf_adds(&h->out, col->header + strspn(col->header, " "));
			level_width += col->width +
				       !first; /* as perf, which counts the plus sign */
			first = false;
		}
		width = MAX(width, level_width);
	}
	return MAX(width, h->out.len - from);
}

static void add_header(struct outline_text *h)
{
	u32 indent = h->o->separator ? 0 : (u32)(h->v->nr_levels - 1) * LEVEL_INDENT;
	size_t width;

	strbuf_adds(&h->out, "# ");
	strbuf_pad(&h->out, ' ', indent);
	add_number_headers(h);
	strbuf_adds(&h->out, h->sep);
	width = add_name_headers(h);
	strbuf_adds(&h->out, "\n# ");
	add_dots(h, indent);
	strbuf_adds(&h->out, h->sep);
	strbuf_pad(&h->out, '.', MIN(width, (size_t)DOTS_MAX));
	strbuf_adds(&h->out, "\n#\n");
}

/* The indent tells the level: no blanks in front of names. */
static void add_names(struct outline_text *h, const struct view_rows *rows, size_t row)
{
	bool first = true;

	for (size_t c = 0; c < h->v->nr_columns; c++) {
		if (h->v->level[c] != rows->level + 1)
			continue;
		strbuf_reset(&h->cell);
		rows->table.cell(rows->table.ctx, row, c, 0, &h->cell, NULL);
		strbuf_mask_controls(&h->cell, 0); /* names come from files */
		for (size_t i = 0; h->o->separator && i < h->cell.len; i++)
			if (h->cell.buf[i] == *h->o->separator)
				h->cell.buf[i] = '.';
		strbuf_adds(&h->out, first ? "" : h->sep);
		strbuf_adds(&h->out, h->cell.buf + strspn(h->cell.buf, " "));
		first = false;
	}
}

static void add_number(struct outline_text *h, const struct view_rows *rows, size_t row, size_t c)
{
	size_t from = h->out.len;
	u32 width = h->v->columns[c].width;

	if (h->o->coloured && !h->o->separator) {
		strbuf_reset(&h->cell);
		h->marks.nr = 0;
		rows->table.cell(rows->table.ctx, row, c, width, &h->cell, &h->marks);
		ansi_add_marked(&h->out, h->cell.buf, h->cell.len, &h->marks);
	} else {
		rows->table.cell(rows->table.ctx, row, c, width, &h->out, NULL);
	}
	strbuf_pad_from(&h->out, from, width);
}

static void add_row(struct outline_text *h, const struct view_rows *rows, size_t row)
{
	bool first = true;

	strbuf_pad(&h->out, ' ', rows->level * LEVEL_INDENT);
	for (size_t c = 0; c < h->v->nr_columns; c++) {
		if (!is_number(h->v, c))
			continue;
		if (!first || !h->o->separator)
			strbuf_adds(&h->out, h->sep);
		first = false;
		add_number(h, rows, row, c);
	}
	if (!h->o->separator)
		strbuf_pad(&h->out, ' ', (h->v->nr_levels - 1) * LEVEL_INDENT);
	strbuf_adds(&h->out, h->sep);
	add_names(h, rows, row);
	strbuf_addch(&h->out, '\n');
}

static void add_graph(struct outline_text *h, const struct view_rows *rows, size_t row)
{
	view_tree_reset(&h->tree);
	if (rows->table.tree && rows->table.tree(rows->table.ctx, row, &h->tree))
		text_tree_add(&h->out, &h->tree, &h->o->tree);
}

static void add_nothing_left(struct outline_text *h, size_t level)
{
	size_t width = 2 + (h->v->nr_levels - 1) * LEVEL_INDENT + level * LEVEL_INDENT;

	for (size_t c = 0; c < h->v->nr_columns; c++)
		if (is_number(h->v, c))
			width += h->v->columns[c].width + 2;
	strbuf_pad(&h->out, ' ', width);
	strbuf_addf(&h->out, "no entry >= %.2f%%\n", h->v->percent_limit);
}

/* At most as deep as there are columns. */
static void print_level(struct outline_text *h, const struct view_rows *above, size_t above_row)
{
	struct view_rows *rows = h->v->open(h->v->ctx, above, above_row);

	for (size_t i = 0; i < rows->table.nr_rows; i++) {
		add_row(h, rows, i);
		if (rows->level + 1 < h->v->nr_levels)
			print_level(h, rows, i);
		else
			add_graph(h, rows, i);
		if (h->out.len > PIECE) {
			h->o->write(h->o->ctx, h->out.buf, h->out.len);
			strbuf_reset(&h->out);
		}
	}
	if (!rows->table.nr_rows && rows->level)
		add_nothing_left(h, rows->level);
	h->v->close(rows);
}

void text_outline_print(const struct view_outline *v, const struct text_table_opts *o)
{
	struct outline_text h = { .v = v,
				  .o = o,
				  .sep = o->separator ? o->separator : "  ",
				  .out = STRBUF_INIT,
				  .cell = STRBUF_INIT };

	if (!v->nr_levels)
		return;
	if (!o->no_header)
		add_header(&h);
	print_level(&h, NULL, 0);
	o->write(o->ctx, h.out.buf, h.out.len);
	view_tree_release(&h.tree);
	strbuf_release(&h.out);
	strbuf_release(&h.cell);
	vec_free(&h.marks);
}
