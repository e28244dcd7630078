/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile as lines of "key;key;caller;callee WEIGHT", which flamegraph.pl and others draw. The
 * weight is that of the samples whose stack it is.
 */
#include <string.h>

#include "base/mem.h"
#include "render/profile.h"

static void nothing(struct profile_out *out UNUSED, const struct view_profile *p UNUSED)
{
}

/* Blanks around texts are the columns'. */
static void add_part(struct strbuf *out, const char *text)
{
	size_t from = out->len;

	strbuf_add_part(out, text + strspn(text, " "), ';');
	while (out->len > from && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

static u64 add_keys(struct strbuf *line, const struct view_table *t, size_t row)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct view_amount n;
	u64 weight = 0;

	for (size_t c = 0; c < t->nr_columns; c++) {
		if (t->columns[c].unit != VIEW_TEXT) {
			if (t->columns[c].share && !weight && t->number(t->ctx, row, c, 0, &n))
				weight = n.value;
			continue;
		}
		strbuf_reset(&text);
		if (!t->text(t->ctx, row, c, &text))
			continue;
		if (line->len)
			strbuf_addch(line, ';');
		add_part(line, text.buf);
	}
	return weight;
}

static void add_line(struct strbuf *out, const struct strbuf *keys, u64 weight)
{
	if (weight)
		strbuf_addf(out, "%s %llu\n", keys->buf, (unsigned long long)weight);
}

static void cut(struct strbuf *line, size_t len)
{
	if (line->len <= len)
		return;
	line->len = len;
	line->buf[len] = '\0';
}

static void add_row(struct strbuf *out, const struct view_table *t, size_t row,
		    struct view_tree *tree)
{
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;
	u64 weight = add_keys(&line, t, row);
	size_t keys = line.len;

	view_tree_reset(tree);
	if (t->tree && t->tree(t->ctx, row, tree) && tree->nodes.nr) {
		for (u32 i = tree->nodes.v[0].child; i; i = tree->nodes.v[i].next) {
			const struct view_node *n = &tree->nodes.v[i];

			cut(&line, keys);
			for (u32 k = 0; k < n->nr_labels; k++) {
				if (line.len)
					strbuf_addch(&line, ';');
				add_part(&line, tree->labels.v[n->labels + k].text);
			}
			add_line(out, &line, n->self);
			weight -= MIN(weight, n->self);
		}
		cut(&line, keys);
	}
	/* samples without a stack */
	add_line(out, &line, weight);
}

static void section_folded(struct profile_out *out, const struct view_section *s)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct view_tree tree = { 0 };

	for (size_t row = 0; row < s->table.nr_rows; row++) {
		add_row(&text, &s->table, row, &tree);
		out->write(out->ctx, text.buf, text.len);
		strbuf_reset(&text);
	}
	view_tree_release(&tree);
}

const struct profile_ops profile_folded_ops = { .begin = nothing,
						.section = section_folded,
						.end = nothing };
