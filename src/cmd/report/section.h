/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: one section of a report while it is printed, shared by the flat table and the hierarchy.
 */
#ifndef CMD_REPORT_SECTION_H
#define CMD_REPORT_SECTION_H

#include "cmd/report/report.h"
#include "render/text_table.h"

/* A section on its way to the renderer. */
struct section_view {
	const struct report_opts *o;
	struct agg *a;
	const struct agg_section *s;
	u64 *total, *total_latency; /* by member: what 100 % is */
	const struct agg_entry **rows;
	size_t nr_rows;
	struct report_column cols[REPORT_MAX_COLUMNS]; /* those that are shown */
	struct view_column view[REPORT_MAX_COLUMNS];
	u32 member_width[REPORT_MAX_COLUMNS]; /* values: of each member of a group */
	u64 small[REPORT_MAX_COLUMNS]; /* percentages: below this value all are 0.00 */
	u64 graph_min; /* rows that weigh less have no call graph */
	size_t nr_cols;
	bool hidden_last; /* the last column is one of another event */
};

/* A column's value, of that member of the section. */
void section_add_value(const struct section_view *v, u64 value, u32 member, size_t column,
		       struct strbuf *out);
void section_add_key(const struct section_view *v, const struct agg_entry *e, u8 key, u32 width,
		     struct strbuf *out);
/* False when the row has no chain. */
bool section_make_tree(const struct section_view *v, const struct agg_entry *e,
		       struct view_tree *out);
double section_percent(u64 part, u64 whole);

/* cycles.c: the blocks of an event instead of its rows. */
void cycles_print(const struct report_opts *o, const struct blocks *blocks, u32 event,
		  const struct text_table_opts *topts);

/* hierarchy.c: the rows as a tree with a level for each key. */
void hierarchy_print(const struct section_view *v, const struct text_table_opts *o);

#endif
