/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric: -F metric, ratios of the counters that a sample carries, by how far they went since the
 * sample before (record -e '{cycles,instructions}:S'). One thread, samples in order.
 */
#ifndef CMD_SCRIPT_METRIC_H
#define CMD_SCRIPT_METRIC_H

#include "session/session.h"

struct metric;

struct metric *metric_new(void);
void metric_free(struct metric *m); /* NULL is allowed */
/* A counter of a sample; start: the columns in front of its line. The first of another sample adds
 * the lines of the sample before. */
void metric_add(struct metric *m, const struct session_record *r, const char *start, size_t len,
		struct strbuf *out);
/* The lines of the last sample. */
void metric_flush(struct metric *m, struct strbuf *out);

#endif
