/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/batch: cuts the record stream into pieces that are safe to hand out: no record that
 * comes later belongs in front of one that is in them.
 */
#ifndef SESSION_BATCH_H
#define SESSION_BATCH_H

#include <stdatomic.h>

#include "session/events.h"
#include "session/extracts.h"
#include "session/heads.h"
#include "session/session.h"
#include "session/source.h"

/* A record in the batch's own bytes. */
struct kept_record {
	u64 pos; /* in the file, shown by -D */
	u32 off; /* in the bytes */
	u32 type;
};

struct batch {
	u8 *bytes; /* 8-byte aligned */
	size_t len, cap;
	VEC(struct kept_record) kept;
	struct index_vec side; /* due records that are no samples, ordered by (time, pos) */
	struct index_vec due; /* due samples (unordered) or all due records (ordered) */
	struct done_extracts done_extracts;
	VEC(struct due_heads) heads; /* due, too, for a consumer that needs no more of samples */
	const struct rec_index
		*later; /* not yet safe: carried into the next batch, which ends them here */
	size_t nr_later;
	u64 limit; /* records up to this time are due */
	bool last;
	bool timeless; /* times are places in the file */
	VEC(u64) threads; /* pid << 32 | tid of samples left in the file; a thread may come twice */
};

struct thread_slot {
	u64 key;
	u32 number; /* in the batch's threads */
	u32 batch; /* 0 = empty */
};

struct waiting_heads {
	struct head_block *block;
	u64 after;
};

struct batcher {
	struct source *source;
	const struct perfdata *file; /* its tables */
	struct session_stats *stats;
	bool ordered; /* due holds everything, sorted */
	bool sorted; /* due holds samples only, but sorted */
	/*
	 * Samples are left in the file: which of them are due is found in the order of the file,
	 * and workers read that part once more. Cheaper than to keep what is not due in memory,
	 * which may be a hundred MB on a machine with many CPUs.
	 */
	bool leave;
	bool all_records; /* else only what the model and callchains need is kept */
	bool switches; /* and records of context switches */
	/*
	 * And of those whose fixed fields are all that is wanted, these are kept: the file is read
	 * once. Which events have such samples.
	 */
	bool *heads; /* by event, NULL = not wanted */
	bool fronts; /* of long samples only these are read */
	struct head_pool pool;
	struct head_writer writer;
	bool full; /* no more of them in this batch */
	/* blocks with samples that are not due yet: later ones than `after` */
	VEC(struct waiting_heads) waiting_heads;
	/* of the event of last_id: where its samples have heads, NULL = it has none; its number in
	 * them */
	const struct sample_layout *head_layout;
	u16 head_misc;
	u64 last_id;
	/* session_consumer.extract, NULL = samples stay whole */
	const struct session_consumer *extracting;
	struct extracts extracts;
	struct known_events events;
	u8 *window; /* leave: what is being indexed */
	struct index_vec spare; /* memory for sorting */
	struct index_vec waiting; /* the last batch's later, where they do not stand behind due */
	struct thread_slot *threads; /* leave: threads of this batch, direct-mapped */
	struct thread_slot last_thread;
	u32 number; /* of the batch being filled */
	size_t target;
	u64 max_time; /* newest record so far */
	u64 round_max; /* newest record at the previous FINISHED_ROUND */
	u64 limit; /* everything up to here is due */
	bool timeless; /* no event has times: a record's place among all of them is taken for one */
	const struct sample_layout
		*layout; /* &common where all events place their time alike, else NULL */
	struct sample_layout common;
	bool eof;
	u64 bytes; /* read so far */
};

void batcher_init(struct batcher *b, struct source *source, struct session_stats *stats,
		  const struct session_consumer *c);
/* Fill out with what prev left over and new records; prev may be NULL. 1, 0 at the end, -1. */
int batcher_next(struct batcher *b, struct batch *prev, struct batch *out, struct err *e);
void batcher_release(struct batcher *b);
void batch_release(struct batch *b);
/* Gives the batch's blocks of heads back to the pool. */
void batch_return_heads(struct batcher *b, struct batch *done);

/* Reads and indexes a batch while workers have the one before. */
struct reader {
	struct batcher *batcher;
	struct batch *prev;
	struct batch *out;
	struct err err;
	int got;
	_Atomic bool begun;
};

void reader_next(void *reader);
/* The same unless a thread has begun with it; NULL: nothing is to be read. */
void reader_begin(struct reader *rd);

/* Of a kept record. */
static inline const struct perf_event_header *batch_record(const struct batch *b,
							   const struct rec_index *i)
{
	return (const struct perf_event_header *)(const void *)(b->bytes + b->kept.v[i->at].off);
}

/* What the consumer took from a sample. */
static inline bool batch_is_extract(const struct rec_index *i)
{
	return i->kept && i->member == MEMBER_EXTRACT;
}

static inline bool batch_is_sample(const struct batch *b, const struct rec_index *i)
{
	return !i->kept || i->member == MEMBER_EXTRACT ||
	       b->kept.v[i->at].type == PERF_RECORD_SAMPLE;
}

static inline u64 batch_pos(const struct batch *b, const struct rec_index *i)
{
	return i->kept ? b->kept.v[i->at].pos : i->at;
}

#endif
