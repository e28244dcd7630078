/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycles: the table of report --total-cycles, code between taken branches by the cycles that it
 * took.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/section.h"

enum { SAMPLED_SHARE, SAMPLED, AVERAGE_SHARE, AVERAGE, RANGE, OBJECT, NR_COLUMNS };

struct cycles {
	const struct blocks *blocks;
	struct block_section s;
	struct view_column columns[NR_COLUMNS];
};

static const struct view_column columns[NR_COLUMNS] = {
	[SAMPLED_SHARE] = { .name = "sampled_cycles_share",
			    .header = "Sampled Cycles%",
			    .width = 15,
			    .share = true,
			    .unit = VIEW_CYCLES },
	[SAMPLED] = { .name = "sampled_cycles",
		      .header = "Sampled Cycles",
		      .width = 14,
		      .unit = VIEW_CYCLES },
	[AVERAGE_SHARE] = { .name = "average_cycles_share",
			    .header = "Avg Cycles%",
			    .width = 11,
			    .share = true,
			    .unit = VIEW_CYCLES },
	[AVERAGE] = { .name = "average_cycles",
		      .header = "Avg Cycles",
		      .width = 10,
		      .unit = VIEW_CYCLES },
	[RANGE] = { .name = "range", .header = "[Program Block Range]", .width = 70 },
	[OBJECT] = { .name = "dso", .header = "Shared Object", .width = 20 },
};

/* 1234 as "1.2K" */
static void add_short(u64 n, struct strbuf *out)
{
	if (n < 1000)
		strbuf_addf(out, "%llu", (unsigned long long)n);
	else if (n < 1000000)
		strbuf_addf(out, "%.1fK", (double)n / 1000.0);
	else
		strbuf_addf(out, "%.1fM", (double)n / 1000000.0);
}

static void add_share(double part, double whole, struct strbuf *out)
{
	strbuf_addf(out, "%.2f%%", whole > 0 ? 100.0 * part / whole : 0.0);
}

static void add_text(const struct cycles *v, const struct block *row, size_t column,
		     struct strbuf *out)
{
	u64 average = row->cycles / row->nr;

	switch (column) {
	case SAMPLED_SHARE:
		add_share((double)row->cycles, (double)v->s.cycles, out);
		return;
	case SAMPLED:
		add_short(row->cycles, out);
		return;
	case AVERAGE_SHARE:
		add_share((double)average, v->s.average, out);
		return;
	case AVERAGE:
		add_short(average, out);
		return;
	case RANGE:
		blocks_add_range(v->blocks, row, out);
		return;
	default:
		strbuf_adds(out, blocks_object(v->blocks, row));
	}
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		     struct view_marks *marks UNUSED)
{
	const struct cycles *v = ctx;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	add_text(v, &v->s.rows[row], column, &text);
	strbuf_addf(out, "%*s", v->columns[column].right ? (int)width : 0, text.buf);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct cycles *v = ctx;

	add_text(v, &v->s.rows[row], column, out);
	return true;
}

static bool number_of_cell(void *ctx, size_t row, size_t column, u32 member UNUSED,
			   struct view_amount *out)
{
	const struct cycles *v = ctx;
	const struct block *b = &v->s.rows[row];
	bool average = column == AVERAGE || column == AVERAGE_SHARE;
	double all = average ? v->s.average : (double)v->s.cycles;

	if (columns[column].unit == VIEW_TEXT)
		return false;
	out->value = average ? b->cycles / b->nr : b->cycles;
	out->percent = all > 0 ? 100.0 * (double)out->value / all : 0.0;
	return true;
}

void cycles_open(struct section *v, const struct blocks *blocks)
{
	struct cycles *c = XNEW(struct cycles);
	size_t nr = 0;

	v->cycles = c;
	c->blocks = blocks;
	memcpy(c->columns, columns, sizeof(columns));
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		c->columns[i].right = !v->o->names_left || columns[i].unit != VIEW_TEXT;
		if (v->o->separated)
			c->columns[i].width = (u32)strlen(columns[i].header);
	}
	blocks_section(blocks, v->s->event, &c->s);
	while (nr < c->s.nr_rows &&
	       section_percent(c->s.rows[nr].cycles, c->s.cycles) >= v->o->percent_limit)
		nr++;
	v->nr_rows = v->s->nr_rows; /* all rows of the event, which the blocks are made of */
	v->view.blocks = true;
	/* serial, since one thread at a time reads source lines */
	v->view.table = (struct view_table){ .columns = c->columns,
					     .nr_columns = NR_COLUMNS,
					     .nr_rows = nr,
					     .nr_members = 1,
					     .serial = true,
					     .ctx = c,
					     .cell = add_cell,
					     .text = text_of_cell,
					     .number = number_of_cell };
}

void cycles_close(struct section *v)
{
	free(v->cycles);
}
