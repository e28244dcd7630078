/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_table.h"

#include <stdlib.h>

#include "base/mem.h"
#include "render/ansi.h"
#include "render/pieces.h"

/* Where the text of a cell lies, with what fills the column. */
struct cell_text {
	u64 sign;
	size_t from, len;
};

/* Those that were made last, by column and sign. */
enum { KNOWN_BITS = 5, KNOWN = 1 << KNOWN_BITS };
struct known_cells {
	struct cell_text text[KNOWN];
};

/* What makes some rows. */
struct making {
	struct known_cells *known; /* by column, of the cells that are in the text */
	struct strbuf cell;
	struct view_marks marks;
	struct view_tree tree;
};

struct printing {
	const struct view_table *v;
	const struct text_table_opts *o;
};

static void add_header(struct strbuf *out, const struct view_table *v, const char *sep)
{
	strbuf_adds(out, "# ");
	for (size_t c = 0; c < v->nr_columns; c++) {
		const struct view_column *col = &v->columns[c];

		if (c)
			strbuf_adds(out, sep ? sep : "  ");
		strbuf_addf(out, col->right ? "%*.*s" : "%-*.*s", (int)col->width, (int)col->width,
			    col->header);
	}
	strbuf_addch(out, '\n');
	if (sep)
		return;
	strbuf_adds(out, "# ");
	for (size_t c = 0; c < v->nr_columns; c++) {
		if (c)
			strbuf_adds(out, "  ");
		strbuf_pad(out, '.', v->columns[c].width);
	}
	strbuf_adds(out, "\n#\n");
}

/* Characters on the screen: bytes that do not continue a UTF-8 sequence. */
static size_t text_width(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((u8)s[i] & 0xc0) != 0x80;
	return n;
}

/* With colours a cell is made beside, since they come between its pieces. */
static void add_coloured(struct strbuf *out, const struct view_table *v, size_t row, size_t c,
			 struct making *m)
{
	strbuf_reset(&m->cell);
	m->marks.nr = 0;
	v->cell(v->ctx, row, c, v->columns[c].width, &m->cell, &m->marks);
	ansi_add_marked(out, m->cell.buf, m->cell.len, &m->marks);
}

static void add_cell(struct strbuf *out, const struct printing *p, size_t row, size_t c,
		     struct making *m)
{
	const struct view_table *v = p->v;
	const char *sep = p->o->separator;
	size_t from = out->len;
	size_t width = v->columns[c].width;
	size_t len;

	if (p->o->coloured && !sep && v->columns[c].number)
		add_coloured(out, v, row, c, m);
	else
		v->cell(v->ctx, row, c, sep ? 0 : v->columns[c].width, out, NULL);
	if (!v->columns[c].number)
		strbuf_mask_controls(out, from); /* names come from files */
	if (sep && !v->columns[c].number) {
		for (size_t i = from; i < out->len; i++)
			if (out->buf[i] == *sep)
				out->buf[i] = '.';
	}
	if (c + 1 == v->nr_columns && !v->padded)
		return;
	len = text_width(out->buf + from, out->len - from);
	if (len < width)
		strbuf_pad(out, ' ', width - len);
}

static struct cell_text *known_cell(struct known_cells *known, u64 sign)
{
	return &known->text[sign * 0x9e3779b97f4a7c15ULL >> (64 - KNOWN_BITS)];
}

static void add_cells(struct strbuf *out, const struct printing *p, size_t r, struct making *m)
{
	const struct view_table *v = p->v;
	const char *sep = p->o->separator;

	for (size_t c = 0; c < v->nr_columns; c++) {
		u64 sign = v->sign ? v->sign(v->ctx, r, c) : 0;
		struct cell_text *at = known_cell(&m->known[c], sign);
		size_t from;

		if (!sep)
			strbuf_add(out, "  ", 2);
		else if (c)
			strbuf_adds(out, sep);
		if (sign && at->sign == sign) {
			strbuf_grow(out, at->len);
			strbuf_add(out, out->buf + at->from, at->len);
			continue;
		}
		from = out->len;
		add_cell(out, p, r, c, m);
		if (sign)
			*at = (struct cell_text){ .sign = sign,
						  .from = from,
						  .len = out->len - from };
	}
}

static void make_rows(void *ctx, void *scratch, size_t from, size_t to, struct strbuf *out)
{
	const struct printing *p = ctx;
	const struct view_table *v = p->v;
	struct making *m = scratch;

	if (!m->known) {
		m->known = XNEW_ARRAY(struct known_cells, v->nr_columns);
		m->cell = (struct strbuf)STRBUF_INIT;
	}
	memset(m->known, 0, v->nr_columns * sizeof(*m->known));
	for (size_t r = from; r < to; r++) {
		add_cells(out, p, r, m);
		strbuf_addch(out, '\n');
		if (!v->tree)
			continue;
		view_tree_reset(&m->tree);
		if (v->tree(v->ctx, r, &m->tree))
			text_tree_add(out, &m->tree, &p->o->tree);
	}
}

static void release_making(void *scratch)
{
	struct making *m = scratch;

	if (m->known)
		strbuf_release(&m->cell);
	free(m->known);
	vec_free(&m->marks);
	view_tree_release(&m->tree);
}

bool text_table_print(const struct view_table *v, const struct text_table_opts *o)
{
	struct printing p = { .v = v, .o = o };
	struct pieces pieces = { .nr_rows = v->nr_rows,
				 .par = v->serial ? NULL : o->par,
				 .write = o->write,
				 .write_ctx = o->ctx,
				 .ctx = &p,
				 .make = make_rows,
				 .scratch_size = sizeof(struct making),
				 .release = release_making };
	_cleanup_(strbuf_releasep) struct strbuf header = STRBUF_INIT;

	if (!o->no_header)
		add_header(&header, v, o->separator);
	if (header.len && !o->write(o->ctx, header.buf, header.len))
		return false;
	return pieces_write(&pieces);
}
