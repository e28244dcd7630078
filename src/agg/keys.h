/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: sort keys. One row of the table in keys.c each: how a sample gives an integer, how integers
 * compare, how one is shown. To add a key: doc/howto/add-sort-key.md.
 */
#ifndef AGG_KEYS_H
#define AGG_KEYS_H

#include "session/session.h"

struct agg;
struct agg_entry;
struct agg_worker;

/* A sample on its way into the tables, with what keys share. */
struct agg_sample_ctx {
	struct agg *agg;
	struct agg_worker *worker; /* of agg, that of w */
	struct session_worker *w;
	const struct session_record *r;
	frame_id frame; /* 0 = not looked up yet */
	chain_id chain;
	bool cut; /* --ignore-callees shortened the chain: its first frame is the sample's */
	const u64 *branch; /* branch mode: the entry, else NULL */
	u64 latency; /* agg_config.latency */
	u32 parallelism; /* agg.needs_parallelism */
	const struct agg_key *key; /* the one that is asked */
	bool has_event_text; /* agg_worker.event_text is this sample's */
};

enum agg_key_flags {
	KEY_OF_CODE = 1 << 0, /* differs from caller to caller: --children */
	KEY_RIGHT = 1 << 1, /* header at the right edge */
	KEY_SYMBOL = 1 << 2, /* shows symbols: needs symbol tables */
	KEY_BRANCH = 1 << 3, /* only for branch stacks */
	KEY_CHAIN = 1 << 4, /* needs the chain's number */
	KEY_DYNAMIC = 1 << 5, /* a field of a tracepoint: agg/trace_keys.h */
	KEY_MEMORY = 1 << 6, /* only for memory accesses */
	KEY_POWER = 1 << 7, /* only of the Power architecture: nothing elsewhere */
	KEY_FORMATS = 1 << 8, /* reads the formats of tracepoints */
	KEY_ADDRESS = 1 << 9, /* needs session_opts.by_address */
	KEY_HEAD = 1 << 10, /* a sample's head is enough: session_consumer.heads */
	KEY_WORD_IS_TEXT = 1 << 12, /* nothing else of a row decides about its text */
	KEY_OF_EQUAL_SYMBOLS =
		1 << 11, /* of KEY_OF_CODE: the same for all that agg_same_symbol() takes for one */
	KEY_ALWAYS_WIDE = 1 << 14, /* min_width holds without rows, too */
	KEY_PARALLELISM = 1 << 13, /* needs session_consumer.parallelism */
	KEY_SPAN = 1 << 21, /* only for samples with a span: agg_config.wall */
	KEY_SPOT =
		1 << 15, /* the same for samples that are equal as struct session_spot tells them */
	/* what its words are numbers of; 0: they hold as long as the accumulation, see
	 * agg_renew() */
	KEY_OF_NAMES = 1 << 16, /* session_renewed_name() */
	KEY_OF_THREADS = 1 << 17, /* session_renewed_thread() */
	KEY_OF_FRAMES = 1 << 18, /* session_renewed_frame(); above 32 bits whatever it likes */
	KEY_OF_TEXTS = 1 << 19, /* agg_text() */
	KEY_OF_CGROUP_NS = 1 << 20, /* session_renewed_cgroup_ns() */
};

#define KEY_PLACE_SAME (1ULL << 63)

struct agg_key {
	const char *name;
	const char *header;
	u32 flags;
	u32 min_width; /* of the column, where there are rows */
	/* In workers. */
	u64 (*get)(struct agg_sample_ctx *c);
	/* The word of a caller's code; KEY_OF_CODE only. */
	u64 (*of_frame)(struct agg *a, frame_id frame);
	/* Different words that mean the same: the one to use. After all samples; may be NULL. */
	u64 (*canon)(struct agg *a, u64 word);
	int (*compare)(struct agg *a, u64 x, u64 y); /* NULL: smaller first */
	/* width: of the column, 0 = as short as possible */
	void (*text)(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		     struct strbuf *out);
	/* Columns that a row asks for, at least `so_far`; NULL: as many as its text has. */
	u32 (*width)(struct agg *a, const struct agg_entry *e, u64 word, u32 so_far);
	/* Among rows that are equal otherwise; NULL: as compare. */
	int (*compare_before)(struct agg *a, u64 x, u64 y);
	/* A number that tells most of that order, for keys of very many words: where it is smaller
	 * the word comes before, where it is equal compare (before: compare_before) decides; words
	 * of a number from KEY_PLACE_SAME on are the same to compare. */
	u64 (*place)(struct agg *a, u64 word, bool before);
	/* Of words whose place, of the order of compare, tells the first AGG_PLACE_BYTES of names
	 * (below KEY_PLACE_SAME): the next eight behind the first `skip`, which it has. */
	u64 (*place_behind)(struct agg *a, u64 word, size_t skip);
};
enum { AGG_PLACE_BYTES = 7 };

/* The key as it shows for an event's rows: itself, or a field of the event; NULL = not at all. */
const struct agg_key *agg_key_of_event(const struct agg_key *key, u32 event);

/* Not one of the names that can be typed. */
#define AGG_KEY_IPC "symbol ipc"
#define AGG_KEY_CALLERS "call path"

/* By exact name or perf's unique beginning of one; NULL = unknown. */
const struct agg_key *agg_key_find(const char *name, size_t len);
/* The name of the i-th key for help and errors, NULL at the end. */
const char *agg_key_name(size_t i);

#endif
