/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/text_table.h"

#include "base/mem.h"

enum { FLUSH_SIZE = 1 << 16 };

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
	if (c + 1 < v->nr_columns && len < width)
		strbuf_pad(out, ' ', width - len);
}

static bool flush(const struct text_table_opts *o, struct strbuf *out)
{
	bool ok = !out->len || o->write(o->ctx, out->buf, out->len);

	strbuf_reset(out);
	return ok;
}

bool text_table_print(const struct view_table *v, const struct text_table_opts *o)
{
	struct view_tree tree = { 0 };
	struct strbuf out = STRBUF_INIT;
	bool ok = true;

	if (!o->no_header)
		add_header(&out, v, o->separator);
	for (size_t r = 0; r < v->nr_rows && ok; r++) {
		struct text_tree_opts topts = o->tree;

		for (size_t c = 0; c < v->nr_columns; c++) {
			if (!o->separator)
				strbuf_adds(&out, "  ");
			else if (c)
				strbuf_adds(&out, o->separator);
			add_cell(&out, v, r, c, o->separator);
		}
		strbuf_addch(&out, '\n');
		if (v->tree) {
			view_tree_reset(&tree);
			if (o->row_tree)
				o->row_tree(v->ctx, r, &topts);
			if (v->tree(v->ctx, r, &tree))
				text_tree_add(&out, &tree, &topts);
		}
		if (out.len >= FLUSH_SIZE)
			ok = flush(o, &out);
	}
	if (ok)
		ok = flush(o, &out);
	view_tree_release(&tree);
	strbuf_release(&out);
	return ok;
}
