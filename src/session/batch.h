/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/batch: cuts the record stream into batches: no record that comes later belongs before one
 * that is due in a batch.
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
	VEC(struct due_heads)
	heads; /* samples that are due, for a consumer that needs no more than their heads */
	const struct rec_index *later; /* not due yet: the next batch takes them over, and then they
					  are gone from here */
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
	 * By event: heads of its samples are kept, since the consumer wants no more of them; so the
	 * file is read once. NULL = of no event.
	 */
	bool *heads; /* by event, NULL = not wanted */
	bool fronts; /* of long samples only the beginnings are read */
	struct head_pool pool;
	struct head_writer writer;
	bool full; /* no memory for more heads in this batch */
	/* blocks with samples later than `after`, which are not due yet */
	VEC(struct waiting_heads) waiting_heads;
	/* layout of the event of last_id, NULL = its samples have no heads; and the event's bits of
	 * kept_head.misc */
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
	bool timeless; /* no event has times: the number of a record among all of them is taken for
			  one */
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

/* Reads and indexes the next batch while workers have this one. */
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

/* The bytes of a kept record. */
static inline const struct perf_event_header *batch_record(const struct batch *b,
							   const struct rec_index *i)
{
	return (const struct perf_event_header *)(const void *)(b->bytes + b->kept.v[i->at].off);
}

/* Whether the entry is what the consumer took from a sample. */
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
