/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agg: samples summed up by sort keys, the heart of report.
 *
 * Life: agg_new(); hand agg_samples() to session_run() as the consumer's samples(); agg_finish()
 * merges what the workers have, accumulates over callers if asked, and orders the rows; then read
 * the sections. While samples run, every worker only touches its own
 * tables: an open-addressing table from a key of fixed-width integers to sums, and one from (row,
 * chain) to weights. Names are looked up when rows are ordered and printed, never per sample.
 *
 * The result does not depend on the number of workers: all sums are integers, and "first" means the
 * earliest sample by time.
 */
#ifndef AGG_AGG_H
#define AGG_AGG_H

/*
 * Latency is what a sample adds to the time until the work is done: its period divided by the
 * number of threads that run at its time. It is counted in units of a period's LATENCY_UNIT-th,
 * rounded down, as in perf.
 */
#include "agg/calltree.h"
#include "agg/keys.h"

enum { AGG_MAX_KEYS = 64, AGG_MAX_SORT = 80, LATENCY_UNIT = 1000 };

struct agg_sums {
	u64 period, nr;
	u64 sys, us, guest_sys, guest_us; /* period by level */
	u64 acc; /* period with callees: --children */
	u64 latency, latency_acc; /* the same for the latency: agg_config.latency */
};

/* Code that a row's earliest sample hit, as far as it is known. */
struct agg_code {
	dso_id dso;
	enum { CODE_UNKNOWN, CODE_NAMED, CODE_UNNAMED } state : 2;
	u32 kinds : 30; /* branch_kinds() of a branch */
	u64 addr; /* in the dso; with agg_config.verbose of callers and branches: as sampled */
	u64 from, to; /* agg_config.verbose: the ends of a branch, in their dsos */
};

/* A row. Its words are the integer keys, in the order of the config's keys. */
struct agg_entry {
	u32 section;
	u32 slot; /* sums of its first member event; see agg_sums_of() */
	const u64 *words;
	u64 first_time; /* of the earliest sample of its first member that has any: */
	u32 first_thread;
	u32 first_member;
	u32 max_depth; /* of its chains */
	u32 nr_items; /* chains, for the call graph */
	struct agg_code code;
	u8 level; /* PERF_RECORD_MISC_* of the code, for keys that show it */
	bool filtered; /* the earliest sample was outside the filters: not shown */
	u32 base; /* number of its words that do not depend on the code */
};

enum agg_value {
	AGG_OVERHEAD,
	AGG_OVERHEAD_CHILDREN,
	AGG_OVERHEAD_SYS,
	AGG_OVERHEAD_US,
	AGG_OVERHEAD_GUEST_SYS,
	AGG_OVERHEAD_GUEST_US,
	AGG_SAMPLES,
	AGG_PERIOD,
	AGG_LATENCY,
	AGG_LATENCY_CHILDREN,
	AGG_NR_VALUES,
};

/* One step of the order of rows: a value (larger first) or a key (its own order). */
struct agg_sort {
	bool is_key;
	u8 index; /* enum agg_value, or the key's place in the config */
};

struct agg_config {
	const struct agg_key *keys[AGG_MAX_KEYS];
	size_t nr_keys;
	struct agg_sort sort[AGG_MAX_SORT];
	size_t nr_sort;
	bool branches; /* taken branches instead of samples */
	bool wall; /* one section, of samples with a span (session_record.span) */
	bool memory; /* memory accesses: samples count by their weight */
	bool levels; /* AGG_OVERHEAD_SYS to AGG_OVERHEAD_GUEST_US are asked for */
	bool latency; /* AGG_LATENCY and AGG_LATENCY_CHILDREN are: session_consumer.parallelism */
	bool chains; /* chains are kept: for call graphs or children */
	bool again; /* snapshots will be asked for callers and call graphs: every chain is kept */
	bool graphs; /* call graphs are shown */
	double graph_min; /* percent of the whole; rows below show no call graph */
	size_t late_max; /* samples that wait for their chains as they are; 0 = three
			  * million */
	double caller_min; /* percent of the whole: lighter rows of callers without samples are left
			    * out; 0 = none are */
	bool join_addresses; /* in them, frames by address are shown as functions */
	bool join_unnamed; /* an object's code without a symbol is one in the key symbol: see
			    * agg_has_places() */
	bool join_lines; /* with join_addresses: as functions with a source line */
	bool notes; /* with session_opts.branch_notes: branches are shown with what is known */
	bool children; /* accumulate over callers */
	bool caller_first; /* chains run from the outermost caller down */
	bool callees; /* with that, children and graphs: a row's graph begins at its outermost frame
		       * in chains of its own samples, too, not at their outermost caller */
	bool hide_unresolved; /* samples and rows without a symbol are dropped */
	bool raw_trace;
	bool plain_widths; /* columns no wider than their texts */
	bool verbose; /* objects with their paths, symbols with addresses: callers' only with
		       * session_opts.by_address */
	bool ns; /* times with nanoseconds */
	bool short_kernel; /* it is called [kernel], as perf top does */
	bool full_source_path; /* source files with their directories */
	bool exclude_other; /* only samples with a parent */
	bool group; /* one section per event group */
	bool one_group; /* one section for all events, unless the file has groups */
	u32 group_sort; /* member whose values order the rows */
	bool by_first; /* rows are in order of their period and first samples, whatever sort says:
			* where that is not seen, names need not be compared */
	u64 time_quantum; /* ns */
	const char *parent; /* regular expression, NULL = perf's default */
	const char *ignore_callees; /* regular expression: what these functions call is theirs */
	/* lists separated by commas, NULL = all */
	const char *comms, *dsos, *symbols, *pids, *tids;
	const char *parallelism; /* "1-2,4": only samples with so many threads running */
	s64 socket; /* only this processor socket, -1 = all */
};

/* What is printed together: an event, or the events of a group. */
struct agg_section {
	u32 event; /* the first */
	u32 nr_members;
	u64 *period; /* by member: sum of all samples, filtered ones too */
	u64 *nr;
	u64 *latency;
	/* by member: what passed the filters; with children and one member, of the rows that are
	 * shown */
	u64 *shown_period, *shown_nr, *shown_latency;
	const struct agg_entry **rows; /* in order of output */
	size_t nr_rows;
};

struct agg;

int agg_new(struct agg **out, struct session *s, const struct agg_config *c, struct err *e);
void agg_free(struct agg *a);
/* At most SESSION_AHEAD. */
bool agg_samples(void *agg, struct session_worker *w, unsigned int worker,
		 const struct session_record *r, size_t nr);
/* A consumer's round(): where many samples wait for their chains, memory follows rows and chains.
 */
bool agg_round(void *agg, const struct session_round *r);
/* A consumer's spots(). */
u64 agg_take_spots(void *agg, struct session_worker *w, const struct session_spot *v, size_t nr);
/* What a consumer that is agg alone, or hands all to it, has to ask of the session; its order is
 * set. spots is agg_take_spots(). */
void agg_set_consumer(struct agg *a, struct session_consumer *c);
/* The session can resolve no samples any more: session_forget_addresses(). */
void agg_finish(struct agg *a);
/* After agg_finish(): whether more than one thread ran at the time of a sample. */
bool agg_is_parallel(const struct agg *a);
/* Whether a value is of a row with what it calls. */
static inline bool agg_is_accumulated(enum agg_value v)
{
	return v == AGG_OVERHEAD_CHILDREN || v == AGG_LATENCY_CHILDREN;
}

size_t agg_nr_sections(const struct agg *a);
const struct agg_section *agg_section(const struct agg *a, size_t i);
struct agg_sums agg_sums_of(const struct agg *a, const struct agg_entry *e, u32 member);
/* One of them. */
u64 agg_value(const struct agg *a, const struct agg_entry *e, u32 member, enum agg_value v);
/* The row will be looked at soon. */
void agg_prefetch(const struct agg *a, const struct agg_entry *e);
/* And after that, its code. */
void agg_prefetch_code(const struct agg *a, const struct agg_entry *e);
/* The order of two words of a key, as that of rows which have nothing else. */
int agg_compare_words(struct agg *a, size_t key, u64 x, u64 y);
/* Whether the earliest sample of a row is outside all symbols; may load a symbol table. */
bool agg_is_unresolved(const struct agg *a, const struct agg_entry *e);
/* With agg_config.join_unnamed: whether a row's key stands for code at several places. */
bool agg_has_places(struct agg *a, size_t key, const struct agg_entry *e);
/* Accumulate nothing after all: a stream turned out to have no chains. Before agg_finish(). */
void agg_forget_children(struct agg *a);
u64 agg_value_of(const struct agg_sums *s, enum agg_value v);
/* Everything but acc and latency_acc, which count a chain once for all rows it passes. */
void agg_sums_add(struct agg_sums *to, const struct agg_sums *from);

/* Prepare the call graphs of rows[0..nr); only these may be asked for afterwards. Nodes below min
 * (a period) will not be shown, whatever their parents; 0 = that depends on the parents. */
void agg_collect_chains(struct agg *a, const struct agg_entry *const *rows, size_t nr, u64 min);
/* False when the row has no chain. Any number of threads at once. */
bool agg_calltree(struct agg *a, const struct agg_entry *e, const struct calltree_opts *o,
		  struct view_tree *out);

#endif
