/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask: rows of what is browsed by other keys, with the call graphs of some of them: what flame
 * graphs and sandwiches are made of.
 */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include "tui/browse.h"

struct ask_opts {
	const char *key; /* by which rows are made */
	bool children; /* rows with what they call */
	bool caller_first;
	double min_percent; /* of what is browsed: less is not in the graphs */
};

/* ENOTSUP: there are no call graphs, chains were not recorded. */
int ask_possible(const struct browse *b, struct err *e);
/* The rows of a snapshot of it, to be freed with agg_free(). */
int ask_rows(const struct browse *b, const struct snapshot *s, const struct ask_opts *o,
	     struct agg **out, struct err *e);
/* Of the event that is shown; NULL: there are none. */
const struct agg_section *ask_section(const struct browse *b, struct agg *rows);
/* The call graphs of rows, which are prepared by the first call. */
void ask_prepare(struct agg *rows, const struct agg_section *s, const struct agg_entry *const *v,
		 size_t nr, const struct ask_opts *o);
bool ask_tree(struct agg *rows, const struct agg_section *s, const struct agg_entry *e,
	      const struct ask_opts *o, struct view_tree *out);

#endif
