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
	bool flat; /* a list of whole chains instead of a tree */
	bool relative; /* min_percent is a share of the row, not of everything */
	double min_percent;
};

/* What is shown and how. */
struct profile_opts {
	struct agg_config agg;
	struct profile_graph graph;
	const char *usual_sort; /* sort keys without -s, NULL = comm,dso,symbol */
	const char *sort, *fields, *widths; /* -s, -F, -w; NULL = not given */
	const char *symbol_filter; /* only rows whose symbol name contains it, NULL = all */
	const char *time; /* the --time range, for the head; NULL = all */
	double percent_limit; /* rows with a smaller share are left out */
	u64 min_samples; /* rows with fewer samples are left out; only with one event and without
			    children */
	size_t max_rows; /* at most so many rows are shown, and columns are made wide enough for
			    these; 0 = all */
	bool children; /* rows include what their functions call */
	bool no_chains; /* children were asked for, but there are no callchains */
	bool show_samples, show_period, show_utilization;
	bool ipc; /* where -s spells out "symbol", a column with instructions per cycle is added */
	bool call_paths; /* the callers of the function are one more key */
	bool hierarchy, skip_empty;
	bool names_left; /* for a screen, which cuts at the right: names of blocks begin at the left
			  */
	bool separated; /* cells are not padded (a separator was given) */
	bool ref_chains;
	bool tracepoints; /* all events of the file are tracepoints */
	const struct view_wall *wall; /* with agg_config.wall: how the time splits */
	bool relative; /* shares are of what filters leave, not of everything */
	bool latency; /* rows are ordered by latency */
	bool latency_recorded; /* recorded for latency, see session_parallelism() */
};

struct profile_column {
	bool is_key;
	u8 index; /* enum agg_value, or the index in agg_config.keys */
	u16 level; /* in a hierarchy; keys inside the same braces have the same level */
	bool told; /* its only value is printed in the head (--comms etc. with a single name) */
	bool elided; /* and therefore the column is hidden, unless no other column is left */
};

enum { PROFILE_MAX_COLUMNS = OUTLINE_MAX_COLUMNS };

struct profile_columns {
	struct profile_column v[PROFILE_MAX_COLUMNS];
	size_t nr;
	bool latency_implied; /* latency columns were added unasked: they are shown only if they
				 differ from overheads */
	struct strbuf order; /* the sort keys as typed, or the usual ones */
	struct agg_trace_keys trace; /* sort keys made of tracepoint fields */
	const char *bad_option; /* the option with an invalid word: "sort" or "fields"; else NULL */
};

/* Makes the columns from -s and -F and fills in o->agg. *out must be released also after an
 * error. */
int profile_columns_make(struct profile_opts *o, struct session *s, struct profile_columns *out,
			 struct err *e);
void profile_columns_release(struct profile_columns *cols);
/* Removes the latency columns, or the columns accumulated over callers. */
void profile_columns_drop_latency(struct profile_columns *cols);
void profile_columns_drop_accumulated(struct profile_columns *cols);
/* The i-th word for --fields (with_values) or --sort; NULL at the end. */
const char *profile_field_name(size_t i, bool with_values);
/* Latency and parallelism need recorded context switches: whether there are some; whether they
 * are needed and missing; the error for that. After profile_columns_make(). */
bool profile_has_switches(struct session *s);
bool profile_lacks_switches(const struct profile_opts *o, struct session *s);
int profile_refuse_latency(struct err *e);
/* --percentage and hist.percentage: relative or absolute. */
int profile_parse_percentage(const char *word, bool *relative, struct err *e);
/* Whether -s or -F has a key that distinguishes addresses within a function. */
bool profile_needs_addresses(const struct profile_opts *o);
/* The keys that filters leave only one value of, at most 3: written to out, the number is
 * returned. */
enum { PROFILE_MAX_ONLY = 3 };
size_t profile_only(const struct profile_opts *o, const struct profile_columns *cols,
		    struct view_only *out);

struct profile;
/* blocks: shown instead of rows, NULL = none. Keeps pointers to all arguments. */
struct profile *profile_new(const struct profile_opts *o, const struct profile_columns *cols,
			    struct session *s, struct agg *a, const struct blocks *blocks);
void profile_free(struct profile *p);
/* Valid until profile_free(). */
const struct view_profile *profile_head(struct profile *p);
/* The same after the last section; it has the branches by kind, too. */
const struct view_profile *profile_tail(struct profile *p);
size_t profile_nr_sections(const struct profile *p);
/* Valid until the next call; NULL: the event has no samples and is not shown. */
const struct view_section *profile_section(struct profile *p, size_t i);
/* The aggregated entry of a row in the section made last; NULL: the row is a block of code. */
const struct agg_entry *profile_row(const struct profile *p, size_t row);
/* The same of a row of an outline: of what it stands for, the first. */
const struct agg_entry *profile_outline_row(const struct view_rows *rows, size_t row);
/* The number of rows of the section made last. */
size_t profile_nr_rows(const struct profile *p);

#endif
