/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters: what perf stat prints: the text for people, separated values, JSON objects. One table
 * of functions each; they append to a buffer that the caller writes where it belongs.
 */
#ifndef RENDER_COUNTERS_H
#define RENDER_COUNTERS_H

#include "base/strbuf.h"
#include "view/counters.h"

struct counters_style {
	const char *separator; /* of separated values */
	const char *thousands; /* between groups of three digits; "" = none */
	bool no_summary_column; /* --no-csv-summary */
	bool coloured; /* numbers worth a look, in the text */
};

struct counters_ops {
	/* One measurement or interval, with everything around it. */
	void (*print)(const struct view_counters *v, const struct counters_style *style,
		      struct strbuf *out);
};

extern const struct counters_ops counters_text_ops;
extern const struct counters_ops counters_csv_ops;
extern const struct counters_ops counters_json_ops;

/* A ratio's number alone, aligned as in the text. */
void counters_number(struct strbuf *out, const struct view_ratio *r);
/* The same without blanks and percent sign. */
void counters_bare_number(struct strbuf *out, const struct view_ratio *r);
/* Does --metric-only show it? Rates do not compare between runs. */
bool counters_in_ratios_only(const struct view_ratio *r);
/* Heading of a ratio in --metric-only: "GHz", "branch-misses of all branches". */
void counters_heading(struct strbuf *out, const struct view_count *row, const struct view_ratio *r);

#endif
