/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timechart: options of perf timechart, and what its files have in common. */
#ifndef CMD_TIMECHART_TIMECHART_H
#define CMD_TIMECHART_TIMECHART_H

#include "base/vec.h"
#include "cli/command.h"
#include "recording/recording.h"
#include "view/timechart.h"

enum { TIMECHART_FAILED = 255 };

struct timechart_opts {
	struct recording rec;
	const char *output; /* NULL: output.svg, or standard output for JSON and rows */
	const char *separator; /* -x */
	const char *recording; /* record -o; NULL: perf.data */
	bool power_only, tasks_only, io, callchain;
	bool topology, json, skip_eagain;
	int width, at_least; /* pixels; tasks */
	u64 merge_dist, min_time; /* ns */
	VEC(const char *) processes; /* -p: numbers or names */
	const char *time; /* --time: */
	u64 from, until; /* ns; until 0 = to the end */
	const char *marked_name; /* --highlight, or */
	u64 marked_time; /* ns; 0 = neither */
};

/* record.c: argv[0] is the word "record". */
int timechart_record_main(const struct config *config, struct timechart_opts *o, int argc,
			  const char **argv);
/* Tells, and returns false, where both -P and -T were given. */
bool timechart_one_of_both(const struct timechart_opts *o);

/* fill.c: the rows and shapes of what the recording tells; o->rec is open. */
int timechart_fill(struct timechart *c, struct timechart_opts *o, bool stacks, struct err *e);

/* choose.c: which tasks are shown, in which order, and the order of the CPUs. */
void timechart_choose(struct timechart *c, const struct timechart_opts *o);

#endif
