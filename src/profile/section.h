/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: one section of a profile while it is shown; shared by the files of profile/.
 */
#ifndef PROFILE_SECTION_H
#define PROFILE_SECTION_H

#include "profile/profile.h"

struct cycles;

struct section {
	const struct profile_opts *o;
	struct agg *a;
	const struct agg_section *s;
	struct view_event *events; /* by member of the group */
	const struct agg_entry **rows;
	size_t nr_rows;
	struct profile_column cols[PROFILE_MAX_COLUMNS]; /* the shown ones */
	struct view_column columns[PROFILE_MAX_COLUMNS];
	u32 member_width[PROFILE_MAX_COLUMNS]; /* of a value column: the width for each member of a
						  group */
	u64 small[PROFILE_MAX_COLUMNS]; /* of a percentage column: smaller values print as 0.00 */
	u64 graph_min; /* rows with less weight show no call graph */
	size_t nr_cols;
	bool hidden_last; /* the last column belongs to another event and is not shown */
	struct view_section view;
	struct view_outline outline;
	struct cycles *cycles;
};

/* section.c. The caller has set v->o, v->a and v->s, and everything else to 0. */
void section_open(struct section *v, const struct profile_columns *cols, struct session *s,
		  const struct blocks *blocks);
void section_close(struct section *v);

/* cells.c: how the values of a row are shown. */
struct value_column {
	const char *header;
	u32 width;
	bool percent;
	enum view_unit unit;
};
extern const struct value_column section_values[AGG_NR_VALUES];
/* The value that is 100 % of a column, for one member of the group. */
u64 section_whole(const struct section *v, enum agg_value what, u32 member);
/* Appends a column's value, for that member of the group. */
void section_add_value(const struct section *v, u64 value, u32 member, size_t column,
		       struct strbuf *out, struct view_marks *marks);
/* The same as a number; false: the column has none. */
bool section_number(const struct section *v, u64 value, u32 member, size_t column,
		    struct view_amount *out);
void section_add_key(const struct section *v, const struct agg_entry *e, u8 key, u32 width,
		     struct strbuf *out);
/* False when the row has no chain. */
bool section_make_tree(const struct section *v, const struct agg_entry *e, u64 row_total,
		       struct view_tree *out);
double section_percent(u64 part, u64 whole);

/* columns.c: its word in -F */
const char *profile_value_name(enum agg_value v);

/* cycles.c: the blocks of an event instead of its rows. */
void cycles_open(struct section *v, const struct blocks *blocks);
void cycles_close(struct section *v);

/* hierarchy.c: makes the outline, with a level for each key. */
void hierarchy_open(struct section *v);

#endif
