/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot: what has been counted so far, kept to be asked, as often as one likes.
 *
 *     accumulate                   snapshot                            rows
 *     agg_new(), agg_samples() ->  snapshot_take(), snapshot_zoom() -> snapshot_rows(), row_join()
 *
 * Samples are accumulated by the keys of the accumulation's configuration (struct agg): one row for
 * each set of their words, and, with agg_config.again, one pair for each (row, chain) that
 * occurred. A snapshot is a copy of these, so it costs as much as there are distinct rows and
 * pairs, however many samples they stand for, and never changes: accumulation goes on beside it.
 * Its rows are asked for by a configuration of their own, which decides about
 *
 *     the keys             any of the accumulated ones, in any order; of keys of code (KEY_OF_CODE)
 *                          also those that were not, where the symbol was: dso, symbol_size, ...
 *     the order            agg_config.sort
 *     callers              agg_config.children, with what a row calls
 *     call graphs          agg_config.graphs, caller_first: below a row of code with children,
 *                          caller_first shows what it calls, and without caller_first who calls it
 *     groups, hide_unresolved, join_addresses, ...
 *
 * They are a struct agg like that of agg_finish(), for agg_section(), agg_value(),
 * agg_collect_chains(), agg_calltree(); to be freed with agg_free().
 *
 * What must be kept for that: the keys by which will be asked, before the first sample (a view by
 * thread needs tid or pid among them, one by CPU cpu); agg_config.again for callers, call graphs
 * and zooms into chains; agg_config.latency and levels, each for their values. What chooses samples
 * while they are accumulated (agg_config.comms, time, parallelism, ignore_callees, ...) is over.
 *
 * Threads: one, while no worker is in agg_samples(): between the rounds of a live source
 * (session/source.h), or after session_run(). Lifetime: the accumulation outlives its snapshots,
 * and these the rows that were asked of them; all refer to the session for names. On the running
 * machine numbers change now and then: agg_renew().
 */
#ifndef AGG_SNAPSHOT_H
#define AGG_SNAPSHOT_H

#include "agg/agg.h"
#include "base/intern.h"

struct snapshot;

/* Of an accumulation with agg_config.again, or without chains. */
struct snapshot *snapshot_take(const struct agg *a);
/* The same without a copy: nothing of it stays in the accumulation. For the last snapshot that is
 * taken of it, while no worker is at work. */
struct snapshot *snapshot_take_over(struct agg *a);
void snapshot_free(struct snapshot *s); /* NULL is allowed */

/* Rows and pairs of rows and chains: what a snapshot costs. */
struct snapshot_size {
	u32 rows, pairs;
};
struct snapshot_size snapshot_size(const struct snapshot *s);

/*
 * The same in less memory: light pairs of a row stand for each other, as agg_decay() does it, so
 * that there are not many more than `pairs`; sums of rows stay exact. Rows that were asked of it
 * before can only be freed.
 */
void snapshot_thin(struct snapshot *s, u32 pairs);

/*
 * What samples have to have. Of a snapshot's rows those whose key has the word (from
 * agg_entry.words, of rows of the same accumulation), or with text the name that agg_add_name()
 * tells; with `callers` also those samples of others whose chain passes such code.
 */
struct snapshot_condition {
	const struct agg_key *key; /* as of snapshot_rows() */
	u64 word;
	const char *text; /* NULL = by word */
	bool part; /* text is a part of the name */
	bool callers; /* key: of code */
	bool but; /* samples that do not have it */
};

/*
 * A snapshot of the samples that fulfil all conditions; shares are still of all (the sections'
 * period), or of these (shown_period). What a row shows of one sample is that of its earliest.
 * Undo is to go back to the snapshot that was zoomed. After conditions with `callers`,
 * agg_config.levels cannot be asked for: pairs do not tell levels.
 */
int snapshot_zoom(struct snapshot **out, const struct snapshot *s,
		  const struct snapshot_condition *conditions, size_t nr, struct err *e);

/* The rows by a configuration. EINVAL: what it asks for was not accumulated; the text says what. */
int snapshot_rows(struct agg **out, const struct snapshot *s, const struct agg_config *c,
		  struct err *e);

/*
 * Ages what has been accumulated: all counts become num/den of themselves, rounded down. Of an
 * event's rows with less than a 131,072nd of the period (0.0008 percent) some stand for the others,
 * with their counts, so that sums stay. Snapshots stay as they are. perf top's are 7 and 8 a
 * refresh. Of accumulations as for snapshot_take().
 *
 * Chains that occur once or twice would stay for minutes. So of a row's pairs that are too light
 * for AGG_AGED_PAIRS in all, some stand for the others, with their counts, as if fewer samples had
 * been taken: the sums of rows stay exact, and a chain with more than an 8,192th of all is left as
 * it is.
 */
enum { AGG_AGED_PAIRS = 1 << 14 };
void agg_decay(struct agg *a, u32 num, u32 den);
/* What has been accumulated so far; a pair that several workers have counts for each. */
struct snapshot_size agg_size(const struct agg *a);

/*
 * For session_consumer.renew: what has been accumulated, and the snapshots that are to be kept,
 * have the new numbers; as much memory is used as they need. Snapshots that are not named can only
 * be freed, and so can all rows that were asked of snapshots. Threads that have ended are one from
 * then on in keys that tell threads. Of accumulations as for snapshot_take().
 */
void agg_renew(struct agg *a, struct session_renewal *r, struct snapshot *const *snapshots,
	       size_t nr);

/* A key's word, as a condition has it; 0 = what it was is gone. Of keys whose words are texts they
 * stay what they are. */
u64 agg_renewed_word(struct session_renewal *r, const struct agg_key *key, u64 word);

/* ---- rows of several recordings side by side ---- */

/*
 * A row's key as another recording may have it, too: a symbol, an object by its name, ...; nothing
 * for code without a symbol, whose addresses are those of one build.
 */
void agg_add_name(struct agg *a, size_t key, const struct agg_entry *e, struct strbuf *out);

/* Rows that have the same names, of each input any number. */
struct joined_row {
	const char *name; /* the keys' names, a line each */
	const u32 *from; /* by input: joined.entries[from[i] .. from[i + 1]) */
};

struct joined {
	struct joined_row *rows;
	size_t nr;
	const struct agg_entry **entries;
	u32 *from; /* what rows point to */
	u32 *row_of_name; /* by number of a name - 1, where rows were joined once more; or NULL */
	struct intern names;
};

/*
 * Rows of one section each, joined by the names of their keys, which are the same in all inputs:
 * those of the first in their order, then those that only the second has, ... To be released with
 * joined_release().
 */
struct join_input {
	struct agg *a;
	const struct agg_section *section;
};
void row_join(struct joined *out, const struct join_input *inputs, size_t nr);
void joined_release(struct joined *j);

#endif
