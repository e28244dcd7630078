/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/report_rows.h"

#include <string.h>

/* Rows are others now: nothing that was remembered of them holds but by their names. */
void report_follow(struct report_view *v)
{
	if (v->generation == v->b->generation)
		return;
	v->generation = v->b->generation;
	v->rows.goes_on = v->b->goes_on;
	row_list_show(&v->rows, v->b->shown.view);
}

const struct agg_entry *report_row(struct report_view *v)
{
	report_follow(v);
	if (!folds_nr_lines(&v->rows.folds))
		return NULL;
	if (row_list_is_hierarchy(&v->rows)) {
		const struct level_line *line =
			&v->rows.levels.lines.v[row_list_place(&v->rows).row];

		return profile_outline_row(line->rows, line->row);
	}
	return browse_row(v->b, row_list_place(&v->rows).row);
}

/* A row of a hierarchy stands for any number of values of keys below its level. */
static bool is_told(struct report_view *v, const char *key_name)
{
	const struct view_outline *o = v->rows.levels.outline;
	size_t level = o ? v->rows.levels.lines.v[row_list_place(&v->rows).row].rows->level + 1 : 0;

	for (size_t c = 0; o && c < o->nr_columns; c++)
		if (o->level[c] > level && !strcmp(o->columns[c].name, key_name))
			return false;
	return true;
}

bool report_chosen(struct report_view *v, const char *key_name, const struct agg_key **key,
		   u64 *word)
{
	const struct agg_entry *row = report_row(v);
	u8 place;

	if (!row || !browse_key(v->b, key_name, key, &place) || !is_told(v, key_name))
		return false;
	*word = row->words[place];
	return true;
}

bool report_chosen_symbol(struct report_view *v, const struct agg_key **key, u64 *word)
{
	struct fold_place p;

	if (!report_chosen(v, "symbol", key, word))
		return false;
	p = row_list_place(&v->rows);
	if (p.line) {
		const struct view_node *n = &p.fold->tree.nodes.v[p.line->node];
		u32 code = p.fold->tree.labels.v[n->labels + p.line->label].code;

		*word = code ? code : *word;
	}
	return true;
}
