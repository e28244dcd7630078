/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile: what agg has summed up, as views (view/profile.h): sections with columns, rows, rows
 * below rows, call graphs, totals.
 *
 * Life: profile_columns_make() turns what users type (-s, -F ...) into columns, and completes the
 * agg_config; agg does its work; profile_new() after agg_finish(), then each section once, in
 * order. One thread; what a view's own functions allow is said there.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "agg/agg.h"
#include "agg/blocks.h"
#include "agg/trace_keys.h"
#include "view/profile.h"

struct profile_graph {
	bool off;
	bool flat; /* one chain for each caller's end, instead of a tree */
	bool relative; /* the threshold is a share of the row */
	double min_percent;
};

/* What is shown. */
struct profile_opts {
	struct agg_config agg;
	struct profile_graph graph;
	const char *usual_sort; /* instead of the default, NULL = that */
	const char *sort, *fields, *widths; /* -s, -F, -w; NULL = not given */
	const char *symbol_filter; /* rows whose symbol has it in its name, NULL = all */
	const char *time; /* that was chosen, to be told; NULL = all */
	double percent_limit; /* rows below are left out */
	u64 min_samples; /* and those with less; of one event, without what rows call */
	size_t max_rows; /* so many are shown, 0 = all; columns are as wide as these ask for */
	bool children; /* rows with what they call */
	bool no_chains; /* to accumulate, though that was wanted */
	bool show_samples, show_period, show_utilization;
	bool call_paths; /* the callers of the function are one more key */
	bool hierarchy, skip_empty;
	bool separated; /* cells are as short as possible */
	bool ref_chains;
	bool tracepoints; /* the file has no other events */
	bool relative; /* shares of what the filters leave */
	bool latency; /* rows are ordered by it */
	bool latency_recorded; /* recorded for latency, see session_parallelism() */
};

struct profile_column {
	bool is_key;
	u8 index; /* enum agg_value, or the place in agg_config.keys */
	u16 level; /* of a hierarchy: keys that stand in braces have one together */
	bool told; /* in the head: --comms etc. with a single name */
	bool elided; /* and therefore not shown, unless nothing else would be */
};

enum { PROFILE_MAX_COLUMNS = OUTLINE_MAX_COLUMNS };

struct profile_columns {
	struct profile_column v[PROFILE_MAX_COLUMNS];
	size_t nr;
	bool latency_implied; /* latencies are among them unasked: shown if they differ from
				 overheads */
	struct strbuf order; /* the sort keys as typed, or the usual ones */
	struct agg_trace_keys trace; /* of the words that are fields of tracepoints */
	const char *bad_option; /* whose words were refused: "sort", "fields"; else NULL */
};

/* Fills o->agg too. Release *out in any case. */
int profile_columns_make(struct profile_opts *o, struct session *s, struct profile_columns *out,
			 struct err *e);
void profile_columns_release(struct profile_columns *cols);
/* Takes away the latencies, or what is accumulated over callers. */
void profile_columns_drop_latency(struct profile_columns *cols);
void profile_columns_drop_accumulated(struct profile_columns *cols);
/* The i-th word for --fields (with_values) or --sort; NULL at the end. */
const char *profile_field_name(size_t i, bool with_values);
/* Whether context switches were recorded, or latency or parallelism is asked for where they were
 * not; what is wrong with that. After profile_columns_make(). */
bool profile_has_switches(struct session *s);
bool profile_lacks_switches(const struct profile_opts *o, struct session *s);
int profile_refuse_latency(struct err *e);
/* --percentage and hist.percentage: relative or absolute. */
int profile_parse_percentage(const char *word, bool *relative, struct err *e);
/* Whether a key is among -s and -F that tells the addresses of a function apart. */
bool profile_needs_addresses(const struct profile_opts *o);
/* What filters leave one value of: at most 3. */
enum { PROFILE_MAX_ONLY = 3 };
size_t profile_only(const struct profile_opts *o, const struct profile_columns *cols,
		    struct view_only *out);

struct profile;
/* blocks: instead of rows, NULL = none. All of it is borrowed. */
struct profile *profile_new(const struct profile_opts *o, const struct profile_columns *cols,
			    struct session *s, struct agg *a, const struct blocks *blocks);
void profile_free(struct profile *p);
/* Valid until profile_free(). */
const struct view_profile *profile_head(struct profile *p);
/* The same behind all sections: branches by kind, too. */
const struct view_profile *profile_tail(struct profile *p);
size_t profile_nr_sections(const struct profile *p);
/* Valid until the next one is asked for; NULL: an event without samples, which is not shown. */
const struct view_section *profile_section(struct profile *p, size_t i);
/* What stands behind a row of the section that was asked for last; NULL: a block of code. */
const struct agg_entry *profile_row(const struct profile *p, size_t row);
/* Rows of a section with all that was shown of it. */
size_t profile_nr_rows(const struct profile *p);

#endif
