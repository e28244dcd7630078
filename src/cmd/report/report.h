/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: what the files of `perf report` share: the options as typed, and the columns made of
 * them.
 */
#ifndef CMD_REPORT_REPORT_H
#define CMD_REPORT_REPORT_H

#include "agg/agg.h"
#include "agg/blocks.h"
#include "agg/trace_keys.h"
#include "cli/config.h"
#include "cli/colour.h"
#include "cli/options.h"
#include "cmd/event_switch.h"
#include "render/text_tree.h"

/* What stands side by side: nothing, the groups of the file, all events where it has no groups. */
enum group_mode { GROUP_NONE, GROUP_RECORDED, GROUP_ALL };

enum graph_order { ORDER_DEFAULT, ORDER_CALLER, ORDER_CALLEE };

/* -g TYPE,MIN,LIMIT,ORDER,KEY,BRANCH,VALUE */
struct graph_opts {
	bool given, off;
	enum text_tree_style style;
	enum text_tree_value value;
	enum graph_order order;
	double min_percent;
	u32 limit;
	bool address; /* key=address: not merged by function */
	bool lines; /* key=srcline: merged by function and source line */
	bool branch; /* branch records are part of the chains */
};

struct report_opts {
	struct session_opts session; /* first: parsers of several fields take it as the whole */
	struct agg_config agg;
	struct graph_opts graph;
	const char *usual_sort; /* report.sort_order of the configuration, instead of the default */
	const char *sort, *fields, *separator, *widths;
	const char *symbol_filter;
	bool filter_word; /* given as a lone word, which could have named a file */
	const char *prefix, *prefix_strip; /* of source files, which a text report shows none of */
	struct event_switch switches;
	int nr_saved; /* --samples: nothing of a text report browses them */
	double percent_limit; /* < 0: not given */
	bool children, no_children_given, children_given;
	bool no_chains; /* to accumulate, though that was wanted */
	bool show_samples, show_period, show_utilization;
	bool header, header_only, header_full;
	bool stats, tasks, mmaps, dump;
	enum group_mode group;
	bool hierarchy, skip_empty, mem_mode;
	bool itrace, total_cycles, branch_history;
	int branch_stack; /* 1, 0, or -1: if the file has any */
	bool quiet, use_stdio, use_tui, use_gtk, threads, inverted;
	bool demangle;
	enum colour_mode colour;
	bool coloured; /* what becomes of it */
	int verbose;
	const char *bad_option; /* whose value was refused after parsing: wrong usage */
	u64 max_stack, group_sort;
	int socket;
	bool tracepoints; /* the file has no other events */
	bool relative; /* --percentage relative */
	bool latency; /* --latency: rows are ordered by it */
	bool latency_recorded; /* recorded for latency, see session_parallelism() */
};

extern const struct opt report_table[];
extern const char *const report_usage[];
extern const struct config_row report_config[];

/* ---- fields.c ---- */

struct report_column {
	bool is_key;
	u8 index; /* enum agg_value, or the place in agg_config.keys */
	u16 level; /* of --hierarchy: keys that stand in braces have one together */
	bool told; /* in the head: --comms etc. with a single name */
	bool elided; /* and therefore not shown, unless nothing else would be */
};

enum { REPORT_MAX_COLUMNS = 80 };

struct report_columns {
	struct report_column v[REPORT_MAX_COLUMNS];
	size_t nr;
	bool latency_implied; /* latencies are among them unasked: shown if they differ from
				 overheads */
	struct strbuf order; /* the sort keys as typed, or the usual ones */
	struct agg_trace_keys trace; /* of the words that are fields of tracepoints */
};

/* For completion: the i-th word for --fields (with_values) or --sort; NULL at the end. */
const char *report_field_name(size_t i, bool with_values);
/* What -g may be followed by, nr words. */
const char *const *report_graph_words(size_t *nr);
/* Sort keys and columns from -s, -F, -n, ...; fills o->agg too. Release *out in any case. */
/* Whether a key is among -s and -F that tells the addresses of a function apart. */
bool report_needs_addresses(const struct report_opts *o);

int report_fields(struct report_opts *o, struct session *s, struct report_columns *out,
		  struct err *e);
void report_columns_release(struct report_columns *cols);

/* ---- print.c ---- */

/* "# comm: NAME" of each key that a filter leaves one value. */
void report_print_elided(const struct report_opts *o, const struct report_columns *cols);
/* All sections on stdout; blocks: of --total-cycles, else NULL. Returns the number of rows. */
size_t report_print(const struct report_opts *o, const struct report_columns *cols,
		    struct session *s, struct agg *a, const struct blocks *blocks);

/* ---- tasks.c ---- */

int report_stats(struct session *s, bool skip_empty, struct err *e);
/* samples, lost: SAMPLE records and lost samples by event; lost may be NULL */
void report_print_stats(struct session *s, const u64 *samples, const u64 *lost, bool skip_empty);
int report_tasks(struct session *s, bool mmaps, struct err *e);

/* ---- threads.c ---- */

struct thread_counts;
struct thread_counts *thread_counts_new(struct session *s);
void thread_counts_free(struct thread_counts *t);
/* Serial; other records than READ are ignored. */
void thread_counts_add(struct thread_counts *t, const struct session_record *r);
void thread_counts_print(const struct thread_counts *t, struct session *s);

/* ---- dump_all.c ---- */

/* branches: the counts at the end are of branches. */
int report_dump(struct session *s, bool branches, struct err *e);

#endif
