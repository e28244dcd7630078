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
 * Takes any record, in the order of the file; *counts is made when the first that matters comes.
 * terminal: names are escaped. -1 with *e: the file claims too many.
 */
int counts_record(struct counts **counts, const struct perfdata *f,
		  const struct perf_event_header *h, bool terminal, struct strbuf *out, struct err *e);
void counts_free(struct counts *c);

#endif
