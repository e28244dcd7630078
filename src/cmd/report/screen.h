/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: perf report on a terminal: when that is wanted, and the recording read again as somebody
 * wishes there.
 */
#ifndef CMD_REPORT_SCREEN_H
#define CMD_REPORT_SCREEN_H

#include "cmd/report/report.h"
#include "tui/recording.h"

/* The screen, if the report is shown there; NULL = not. Where that was asked for in vain, it is
 * told why. */
struct report_screen *report_screen_open(const struct report_opts *o);
/* Closes it. Reads and shows until somebody quits. read(): the command's way of reading a recording
 * by options that have o.screen; they are a copy, which is used up. -1 and *e, with o->bad_option
 * where an option's value is wrong, or an exit status. */
int report_on_screen(struct report_screen *s, struct report_opts *o,
		     int (*read)(struct report_opts *o, struct err *e), struct err *e);

/* What the command calls while it reads: agg's configuration is asked again and again. */
void report_screen_settle(struct report_opts *o);
struct report_shown {
	struct agg *agg;
	struct blocks *blocks; /* which are shown in place of rows; NULL = rows are */
	const struct thread_counts *threads; /* NULL = not wanted */
};
void report_screen_begin(struct report_opts *o, struct session *s, struct profile_columns *cols,
			 const struct report_shown *shown);
/* A worker's sample has that time. */
void report_screen_time(struct report_opts *o, unsigned int worker, u64 time);
/* False: reading shall stop. */
bool report_screen_round(struct report_opts *o);
int report_screen_browse(struct report_opts *o, struct err *e);

#endif
