/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: how many records of each type a recording has, and samples of each event: the text of
 * report --stats and the end of report -D. One thread, after session_run().
 */
#ifndef TEXT_STATS_H
#define TEXT_STATS_H

#include "base/strbuf.h"
#include "session/session.h"

/*
 * samples, lost: SAMPLE records and lost samples by event; lost may be NULL. skip_empty: no lines
 * for events and types of records that there are none of.
 */
void stats_add(struct strbuf *out, struct session *s, const u64 *samples, const u64 *lost,
	       bool skip_empty);

#endif
