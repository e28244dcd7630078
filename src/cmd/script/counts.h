/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts: the counts of a file of `perf stat record`, a line for each event, task and CPU whenever
 * the recorder had read them all. One thread.
 */
#ifndef CMD_SCRIPT_COUNTS_H
#define CMD_SCRIPT_COUNTS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "perfdata/perfdata.h"

struct counts;

/*
 * Takes any record, in the order of the file; *counts is made when the first that matters comes. 1:
 * it says that the counts of a time are complete, *time. -1 with *e: the file claims too many.
 */
int counts_take(struct counts **counts, const struct perfdata *f, const struct perf_event_header *h,
		u64 *time, struct err *e);
/* The complete counts as text; terminal: names are escaped. */
void counts_add_text(struct counts *c, const struct perfdata *f, u64 time, bool terminal,
		     struct strbuf *out);
/*
 * What was counted since the last complete counts (with final: in all), until fn returns something
 * else than 0, which is returned: for each event one sum, or for each task or CPU where the
 * measurement told these apart.
 */
struct count_row {
	const char *event;
	s32 task, cpu; /* -1 = all */
	u64 value, enabled, running;
};
int counts_each_row(struct counts *c, const struct perfdata *f,
		    int (*fn)(void *ctx, const struct count_row *row), void *ctx);
void counts_free(struct counts *c);

#endif
