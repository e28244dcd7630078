/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_table.h"

#include "base/mem.h"
#include "render/ansi.h"

/* Rows that are made as one text: few where trees are large, which is at the top. */
enum { FIRST_SLICE = 4, SLICE = 256, GROWS_AFTER = 16, JOBS_PER_WORKER = 4 };

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

/* What makes the cells of some rows. */
struct making {
	const struct text_table_opts *o;
	struct known_cells *known; /* by column, of the cells that are in the text */
	struct strbuf cell; /* scratch */
	struct view_marks marks;
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

static void add_cell(struct strbuf *out, const struct view_table *v, size_t row, size_t c,
		     struct making *m)
{
	size_t from = out->len;
	size_t width = v->columns[c].width;
	const char *sep = m->o->separator;
	size_t len;

	if (m->o->coloured && !sep)
		add_coloured(out, v, row, c, m);
	else
		v->cell(v->ctx, row, c, sep ? 0 : v->columns[c].width, out, NULL);
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

static void add_cells(struct strbuf *out, const struct view_table *v, size_t r, struct making *m)
{
	const char *sep = m->o->separator;

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
		add_cell(out, v, r, c, m);
		if (sign)
			*at = (struct cell_text){ .sign = sign,
						  .from = from,
						  .len = out->len - from };
	}
}

static void add_tree(struct strbuf *out, const struct view_table *v,
		     const struct text_table_opts *o, size_t r, struct view_tree *tree)
{
	if (!v->tree)
		return;
	view_tree_reset(tree);
	if (v->tree(v->ctx, r, tree))
		text_tree_add(out, tree, &o->tree);
}

/* Rows on their way out: made by whoever has time, written in order. */
struct piece {
	size_t from, to;
	struct strbuf text;
	struct making making;
	struct view_tree tree;
};

struct printing {
	const struct view_table *v;
	const struct text_table_opts *o;
	_Atomic bool stopped; /* writing failed */
};

static void make_piece(void *ctx, void *job)
{
	struct printing *p = ctx;
	struct piece *piece = job;

	memset(piece->making.known, 0, p->v->nr_columns * sizeof(*piece->making.known));
	for (size_t r = piece->from; r < piece->to && !p->stopped; r++) {
		add_cells(&piece->text, p->v, r, &piece->making);
		strbuf_addch(&piece->text, '\n');
		add_tree(&piece->text, p->v, p->o, r, &piece->tree);
	}
}

static bool write_out(const struct text_table_opts *o, struct strbuf *out)
{
	bool ok = !out->len || o->write(o->ctx, out->buf, out->len);

	strbuf_reset(out);
	return ok;
}

static void write_piece(void *ctx, void *job)
{
	struct printing *p = ctx;

	if (!p->stopped && !write_out(p->o, &((struct piece *)job)->text))
		p->stopped = true;
}

static void make_rows(struct printing *p, struct par_line *line)
{
	size_t slice = FIRST_SLICE, nr = 0;

	for (size_t from = 0; from < p->v->nr_rows && !p->stopped; from += slice) {
		struct piece *piece = par_line_take(line);

		if (++nr % GROWS_AFTER == 0 && slice < SLICE)
			slice *= 2;
		piece->from = from;
		piece->to = MIN(from + slice, p->v->nr_rows);
		par_line_put(line);
	}
}

bool text_table_print(const struct view_table *v, const struct text_table_opts *o)
{
	const struct par_line_ops ops = { .work = make_piece, .finish = write_piece };
	unsigned int nr_workers = o->par && !v->serial ? par_workers(o->par) : 1;
	size_t nr = (size_t)nr_workers * JOBS_PER_WORKER;
	struct printing p = { .v = v, .o = o };
	struct piece *pieces = XNEW_ARRAY(struct piece, nr);
	void **jobs = xcalloc(nr, sizeof(*jobs));
	struct par_line *line;

	for (size_t i = 0; i < nr; i++) {
		pieces[i].text = (struct strbuf)STRBUF_INIT;
		pieces[i].making = (struct making){ .o = o,
						    .known = XNEW_ARRAY(struct known_cells,
									v->nr_columns),
						    .cell = STRBUF_INIT };
		jobs[i] = &pieces[i];
	}
	if (!o->no_header) {
		add_header(&pieces[0].text, v, o->separator);
		p.stopped = !write_out(o, &pieces[0].text);
	}
	line = par_line_new(nr_workers > 1 ? nr_workers : 0, jobs, nr, &ops, &p);
	make_rows(&p, line);
	par_line_drain(line);
	par_line_free(line);
	for (size_t i = 0; i < nr; i++) {
		strbuf_release(&pieces[i].text);
		free(pieces[i].making.known);
		strbuf_release(&pieces[i].making.cell);
		vec_free(&pieces[i].making.marks);
		view_tree_release(&pieces[i].tree);
	}
	free(pieces);
	free((void *)jobs);
	return !p.stopped;
}
