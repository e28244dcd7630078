/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_table: the columns and cells that the rows of diff.c are shown in. Private to it. */
#ifndef PROFILE_DIFF_TABLE_H
#define PROFILE_DIFF_TABLE_H

#include "profile/diff_numbers.h"

/* What stands for several names of a row's symbol or object, + 1; 0 = each has one. */
u32 diff_match(const struct diff *d, const struct diff_row *r, bool object);
/* When the rows of the section are chosen, whose widths they have. */
void diff_table_add_columns(struct diff *d);
/* Of the columns, and all rows; valid until these are released. */
struct view_table diff_table(struct diff *d);
void diff_table_release(struct diff *d);

#endif
