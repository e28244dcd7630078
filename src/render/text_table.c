/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_table.h"

#include "base/mem.h"

enum { SLICE = 64, SLICES_PER_WORKER = 16 };

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

static void add_cell(struct strbuf *out, const struct view_table *v, size_t row, size_t c,
		     const char *sep)
{
	size_t from = out->len;
	size_t width = v->columns[c].width;
	size_t len;

	v->cell(v->ctx, row, c, sep ? 0 : v->columns[c].width, out);
	if (sep) {
		for (size_t i = from; i < out->len; i++)
			if (out->buf[i] == *sep)
				out->buf[i] = '.';
	}
	len = text_width(out->buf + from, out->len - from);
	if ((c + 1 < v->nr_columns || v->padded) && len < width)
		strbuf_pad(out, ' ', width - len);
}

static void add_row(struct strbuf *out, const struct view_table *v,
		    const struct text_table_opts *o, size_t r, struct view_tree *tree)
{
	struct text_tree_opts topts = o->tree;

	for (size_t c = 0; c < v->nr_columns; c++) {
		if (!o->separator)
			strbuf_adds(out, "  ");
		else if (c)
			strbuf_adds(out, o->separator);
		add_cell(out, v, r, c, o->separator);
	}
	strbuf_addch(out, '\n');
	if (!v->tree)
		return;
	view_tree_reset(tree);
	if (o->row_tree)
		o->row_tree(v->ctx, r, &topts);
	if (v->tree(v->ctx, r, tree))
		text_tree_add(out, tree, &topts);
}

/* Rows are made in rounds of a few slices per worker, so that few texts wait to be written. */
struct round {
	const struct view_table *v;
	const struct text_table_opts *o;
	size_t from;
	struct strbuf *texts; /* by slice */
};

static void make_slice(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct round *rd = ctx;
	struct view_tree tree = { 0 };

	for (size_t r = rd->from + from; r < rd->from + to; r++)
		add_row(&rd->texts[from / SLICE], rd->v, rd->o, r, &tree);
	view_tree_release(&tree);
}

static bool write_out(const struct text_table_opts *o, struct strbuf *out)
{
	bool ok = !out->len || o->write(o->ctx, out->buf, out->len);

	strbuf_reset(out);
	return ok;
}

bool text_table_print(const struct view_table *v, const struct text_table_opts *o)
{
	size_t nr_slices = o->par ? SLICES_PER_WORKER * (size_t)par_workers(o->par) : 1;
	struct round rd = { .v = v, .o = o, .texts = XNEW_ARRAY(struct strbuf, nr_slices) };
	bool ok = true;

	for (size_t i = 0; i < nr_slices; i++)
		rd.texts[i] = (struct strbuf)STRBUF_INIT;
	if (!o->no_header) {
		add_header(&rd.texts[0], v, o->separator);
		ok = write_out(o, &rd.texts[0]);
	}
	for (; rd.from < v->nr_rows && ok; rd.from += nr_slices * SLICE) {
		size_t nr = MIN(v->nr_rows - rd.from, nr_slices * SLICE);

		if (o->par)
			par_for(o->par, nr, SLICE, make_slice, &rd);
		else
			make_slice(&rd, 0, 0, nr);
		for (size_t i = 0; i * SLICE < nr && ok; i++)
			ok = write_out(o, &rd.texts[i]);
	}
	for (size_t i = 0; i < nr_slices; i++)
		strbuf_release(&rd.texts[i]);
	free(rd.texts);
	return ok;
}
