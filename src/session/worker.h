/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/worker: what a thread that resolves samples keeps: its caches, its part of the file,
 * its counts.
 */
#ifndef SESSION_WORKER_H
#define SESSION_WORKER_H

#include "base/limits.h"
#include "base/mem.h"
#include "session/ahead.h"
#include "session/events.h"
#include "session/order.h"
#include "session/parallelism.h"
#include "session/resolve.h"
#include "session/session.h"
#include "session/stacks.h"
#include "unwind/objects.h"

struct site_slot {
	u64 key; /* pid, tid */
	u64 batch; /* 0 = empty */
	struct model_site site;
};

enum { SITE_SLOTS = 1 << 10 };

enum { FRAMES_MAX = LIMIT_CHAIN / sizeof(u64) };

/* Chains that are made here: for each of the samples decoded together, its own and one more. */
VEC_TYPE(joined, u64);
enum { JOINED = 2 * AHEAD };

struct PER_THREAD session_worker {
	struct resolver *resolver;
	struct stacks *stacks;
	struct unwind_cache *code;
	struct unwind_reg_words reg_words; /* of the latest stack */
	struct stack_walk *walks; /* AHEAD of them */
	size_t nr_walks;
	VEC(u64) chain; /* with branches, of the current sample */
	VEC(u32) notes; /* by word of chain */
	struct lbr_stacks *lbr; /* of the session; stacks are stitched together, else NULL */
	u64 unwound[UNWIND_NR_ENDS]; /* stacks by how they ended */
	struct joined joined[JOINED];
	u32 next_joined;
	u64 deferred, deferred_missing; /* as in session_stats */
	unsigned int number;
	u64 batch;
	u32 changes; /* of mappings up to this batch: model_map_changes() */
	bool resolves; /* the consumer has asked for a frame */
	struct ip_slot *ips;
	struct chain_slot *chains;
	struct site_slot *sites, *site; /* the one used last */
	struct region_slot *regions;
	struct index_vec
		put_off; /* samples of the batch for which the kernel's symbols are awaited */
	struct known_events events;
	u64 bad_samples, unknown_id;
	u64 bad_pos; /* as in session_stats */
	u32 bad_size;
	struct strbuf text;
	/* part of the file with samples that were left there */
	u8 *window;
	u64 window_pos; /* place in the file of what was read last, */
	size_t window_from, window_len; /* its place in the window, its length */
	u16 longest; /* sample that was read so far */
	struct file_block *blocks; /* for ordered consumers instead: parts at several places */
	struct file_block *block, *block_before; /* used last; NULL = none */
	u32 nr_blocks;
	u32 block_clock; /* counts changes of block */
	struct sample ahead[AHEAD];
	bool ahead_is_bare; /* samples of which only heads were kept */
	struct session_record ahead_rec[AHEAD];
	struct chain_ahead ahead_chain[AHEAD];
	VEC(struct asked_ip) asked;
	frame_id *frames_ahead; /* room for the longest chains */
	struct frame_block frame_block; /* what it makes goes there */
	struct chain_block chain_block;
	struct latest_chains latest;
	VEC(struct chain_dso) chain_dsos;
	const struct parallelism *parallelism; /* NULL = not counted */
	size_t last_step;
	void *ips_memory, *chains_memory; /* where ips and chains, aligned, lie in */
};

enum {
	WINDOW_SIZE = 1 << 17,
	WINDOW_GAP = 1 << 12, /* what lies between samples is read with them, if it is not more */
	BLOCK_SIZE = 1 << 16,
	BLOCK_TAIL = 1 << 10, /* for the last record of a block */
	NR_BLOCKS = 16,
	BLOCK_AHEAD = 1 << 10, /* records that are looked at to see what will be wanted */
};

/*
 * What is due for an ordered consumer lies at several places of the file, one for each recorded
 * CPU: a block holds a part at one such place. The block that was used longest ago is replaced.
 */
struct file_block {
	u64 pos; /* in the file */
	u32 len; /* 0 = empty */
	u32 use;
	u8 bytes[BLOCK_SIZE + BLOCK_TAIL] __attribute__((aligned(8)));
};

void worker_init(struct session_worker *w, struct resolver *r, struct stacks *st,
		 unsigned int number);
void worker_release(struct session_worker *w);
/* A batch begins: the model has changed. */
void worker_begin(struct session_worker *w, u64 batch);
/* All numbers (threads, spaces, frames, chains) are others from now on: empties the caches. Counts
 * stay. */
void worker_renew(struct session_worker *w, struct resolver *r);
/* After the last sample: frees its caches, sets its counts to 0. */
void worker_forget(struct session_worker *w);
void worker_site(struct session_worker *w, u32 pid, u32 tid, u64 time, struct site *out);
/* That of a sample, whose task may run a guest (model_guest_comm()). */
void worker_sample_site(struct session_worker *w, const struct sample *smp, u64 time,
			struct site *out);

/* Memory for a chain of nr words, which stays for the samples decoded together. */
struct joined *worker_joined(struct session_worker *w, u64 nr);

#endif
