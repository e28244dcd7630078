/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorder: the counts go into a perf.data file as well, value by value, so that they can be summed
 * up in any way later. Format: doc/format/perf.data.md.
 */
#ifndef COUNT_RECORDER_H
#define COUNT_RECORDER_H

#include "count/measurement.h"

struct count_recorder;

struct count_recorder_opts {
	const char *path; /* "-" = stdout */
	const char *version; /* of this program, for the header */
	const char **line; /* the whole command line, likewise */
};

/* When the counters are open: creates the file and describes them. NULL: *e. o must outlive it. */
struct count_recorder *count_recorder_begin(struct measurement *m,
					    const struct count_recorder_opts *o, struct err *e);
/* Writes the values just read. -1: nothing more will be written; the file keeps what it has. */
int count_recorder_round(struct count_recorder *rec, struct measurement *m, bool final,
			 struct err *e);
/* Completes the file and frees. -1: *e; 1: it failed, as a round before has said. */
int count_recorder_end(struct count_recorder *rec, struct measurement *m, struct err *e);

/* Ids of what is no counter of the kernel, far above those that it gives. */
#define COUNT_TOOL_ID_BASE ((u64)1 << 62)
/* The number of an aggregation in the file. false: unknown or none. */
bool count_aggr_from_file(u64 number, enum count_aggr *aggr);

#endif
