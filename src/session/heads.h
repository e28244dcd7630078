/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heads: fixed fields of samples on their way from the reader to the workers, in blocks of memory.
 * How they are packed: heads.c.
 *
 * The reader takes blocks from the pool and fills them; when they are due it hands them to the
 * workers, who read them and return them. A block belongs to one of these at a time, but one that
 * is due in part is also kept by the reader, who does not change it any more. The pool is any
 * thread's.
 */
#ifndef SESSION_HEADS_H
#define SESSION_HEADS_H

#include <pthread.h>

#include "base/vec.h"
#include "perfdata/sample.h"

enum { HEAD_BLOCK_SIZE = 1 << 14 };

/* What samples in a row share, and the bases of their times and places. */
struct head_run {
	u64 thread; /* pid << 32 | tid */
	u64 time; /* of the first, which is the earliest */
	u32 unit; /* of the first: position in the file, in units of SESSION_UNIT */
	u32 cpu;
	u32 nr; /* samples */
	u32 unused;
};

struct kept_head {
	u32 ip[2];
	u32 time; /* since run.time */
	u32 period;
	u16 unit; /* from run.unit */
	u16 misc; /* HEAD_MISC of it, and the event's number in the other bits */
};

/* The other bits of misc mean nothing in samples. */
enum { HEAD_MISC = 0xf007, HEAD_EVENT_SHIFT = 3, HEAD_EVENTS = 1 << 9 };

static inline u16 kept_head_misc(const struct kept_head *k)
{
	return k->misc & HEAD_MISC;
}

static inline u32 kept_head_event(const struct kept_head *k)
{
	return (k->misc & ~(u32)HEAD_MISC) >> HEAD_EVENT_SHIFT;
}

struct head_block {
	u64 first, last; /* earliest and latest time */
	u32 nr, nr_runs; /* samples, runs */
	u8 bytes[HEAD_BLOCK_SIZE - 24];
};

static inline struct kept_head *head_block_samples(struct head_block *b)
{
	return (struct kept_head *)(void *)b->bytes;
}

static inline struct head_run *head_block_run(struct head_block *b, u32 i)
{
	return (struct head_run *)(void *)(b->bytes + sizeof(b->bytes)) - 1 - i;
}

static inline u64 kept_head_ip(const struct kept_head *k)
{
	return (u64)k->ip[1] << 32 | k->ip[0];
}

/* A block of which the samples later than `after`, up to `until`, are due. */
struct due_heads {
	struct head_block *block; /* NULL = returned */
	u64 after, until;
	bool last; /* no sample of it is due later: it is to be returned then */
};

static inline bool due_heads_have(const struct due_heads *d, u64 time)
{
	return time > d->after && time <= d->until;
}

/* Memory of blocks. */
struct head_pool {
	pthread_mutex_t lock;
	pthread_cond_t returned;
	VEC(struct head_block *) chunks, spare;
	u32 max; /* blocks in use */
	u32 used;
	u32 due; /* blocks in use that head_pool_expect() told */
};

void head_pool_init(struct head_pool *p, u32 max);
void head_pool_release(struct head_pool *p);
/* An empty block. When `max` are in use, waits until one that is due is returned; NULL: none is
 * due. */
struct head_block *head_pool_take(struct head_pool *p);
/* nr blocks in use are due for the last time: workers will return them in any case. */
void head_pool_expect(struct head_pool *p, u32 nr);
void head_pool_return(struct head_pool *p, struct head_block *b);

/*
 * A reader on its way through samples. Zero bytes are one without a block. What the block says of
 * itself is written by head_writer_close().
 */
struct head_writer {
	struct head_block *block;
	struct head_run *run; /* the latest, and a copy of what it says */
	u64 thread, time;
	u32 unit, cpu;
	struct kept_head *at, *end; /* the next sample; where there is no room any more */
	u64 last; /* latest time of the block */
};

/* Begin with an empty block. */
void head_writer_open(struct head_writer *w, struct head_block *b);
/* Begin a new run of no samples; false: there is no room for it and a sample. */
bool head_writer_start_run(struct head_writer *w, u64 thread, u32 cpu, u64 time, u32 unit);
/* The block is complete; the writer has none. */
void head_writer_close(struct head_writer *w);

/* Whether a sample of these can be in the latest run, and there is room. */
static inline bool head_writer_fits(const struct head_writer *w, u64 thread, u32 cpu, u64 time,
				    u32 unit)
{
	return w->at < w->end && w->thread == thread && w->cpu == cpu &&
	       time - w->time <= UINT32_MAX && unit - w->unit <= UINT16_MAX;
}

/* Add to the latest run a sample that fits; event: its bits of kept_head.misc. */
static inline void head_writer_add(struct head_writer *w, const struct sample_head *head, u64 time,
				   u32 unit, u16 event)
{
	*w->at++ = (struct kept_head){ .ip = { (u32)head->ip, (u32)(head->ip >> 32) },
				       .time = (u32)(time - w->time),
				       .period = (u32)head->period,
				       .unit = (u16)(unit - w->unit),
				       .misc = head->misc | event };
	w->last = MAX(w->last, time);
}

#endif
