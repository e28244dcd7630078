/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metric: -F metric, ratios of the counters that a sample carries, by how far they went since the
 * sample before (record -e '{cycles,instructions}:S'). One thread, samples in order.
 */
#ifndef CMD_SCRIPT_METRIC_H
#define CMD_SCRIPT_METRIC_H

#include "base/json.h"
#include "session/session.h"

struct script_metric;

struct script_metric *metric_new(bool json);
void metric_free(struct script_metric *m); /* NULL is allowed */
/* A counter of a sample; start: the columns in front of its line, or the object that open has begun
 * (sample_text_add_front()). The first of another sample adds the lines of the sample before. */
void metric_add(struct script_metric *m, const struct session_record *r, const struct strbuf *start,
		const struct json *open, struct strbuf *out);
/* The lines of the last sample, or one object. */
void metric_flush(struct script_metric *m, struct strbuf *out);

#endif
