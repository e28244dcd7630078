/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycles: the table of report --total-cycles, code between taken branches by the cycles that it
 * took.
 */
#include <string.h>

#include "cmd/report/section.h"

struct cycles_view {
	const struct blocks *blocks;
	struct block_section s;
};

enum { SAMPLED_SHARE, SAMPLED, AVERAGE_SHARE, AVERAGE, RANGE, OBJECT, NR_COLUMNS };

static const struct view_column columns[NR_COLUMNS] = {
	[SAMPLED_SHARE] = { "Sampled Cycles%", 15, true },
	[SAMPLED] = { "Sampled Cycles", 14, true },
	[AVERAGE_SHARE] = { "Avg Cycles%", 11, true },
	[AVERAGE] = { "Avg Cycles", 10, true },
	[RANGE] = { "[Program Block Range]", 70, true },
	[OBJECT] = { "Shared Object", 20, true },
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

static void add_text(const struct cycles_view *v, const struct block *row, size_t column,
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

static void add_cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out)
{
	const struct cycles_view *v = ctx;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	add_text(v, &v->s.rows[row], column, &text);
	strbuf_mask_controls(&text, 0); /* names come from files */
	strbuf_addf(out, "%*s", (int)width, text.buf);
}

void cycles_print(const struct report_opts *o, const struct blocks *blocks, u32 event,
		  const struct text_table_opts *topts)
{
	struct cycles_view v = { .blocks = blocks };
	struct text_table_opts serial = *topts;
	struct view_column shown[NR_COLUMNS];
	struct view_table table = {
		.columns = shown, .nr_columns = NR_COLUMNS, .cell = add_cell, .ctx = &v
	};

	serial.par = NULL; /* source lines are read by one at a time */
	memcpy(shown, columns, sizeof(shown));
	for (size_t i = 0; o->separator && i < NR_COLUMNS; i++)
		shown[i].width = (u32)strlen(shown[i].header);
	blocks_section(blocks, event, &v.s);
	while (table.nr_rows < v.s.nr_rows &&
	       section_percent(v.s.rows[table.nr_rows].cycles, v.s.cycles) >= o->percent_limit)
		table.nr_rows++;
	text_table_print(&table, &serial);
}
