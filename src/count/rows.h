/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: the sums of a measurement as rows of a view, with what is computed from them.
 */
#ifndef COUNT_ROWS_H
#define COUNT_ROWS_H

#include "base/arena.h"
#include "count/measurement.h"
#include "view/counters.h"

struct count_rows {
	VEC(struct view_count) v;
	struct arena ratios; /* of the rows */
	VEC(const struct counter *) bases; /* counts that others are measured against */
	bool interval;
};

/* interval: of one, the last too, which may be shorter; else of all runs. rows is zero bytes; what
 * it points into belongs to it and to m. */
void count_rows_make(struct measurement *m, bool interval, struct count_rows *rows);
void count_rows_release(struct count_rows *rows);
/* The unit that is shown behind a count, "" = none. */
const char *count_unit_of(const struct event *ev);

#endif
