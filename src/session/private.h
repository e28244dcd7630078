/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private: what session/'s own files share: batches, filters, the resolver's tables.
 */
#ifndef SESSION_PRIVATE_H
#define SESSION_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/par.h"
#include "base/shared_map.h"
#include "base/vec.h"
#include "session/heads.h"
#include "session/session.h"
#include "session/source.h"
#include "unwind/objects.h"

/* ---- batch.c: cutting the record stream into time-safe pieces ---- */

/* A record of the order: a sample that was left in the file, or any record that was kept. */
struct rec_index {
	u64 time; /* first: searched by it. Key of the order: the record's time, or that of the last
		     safe point */
	u64 at : 39; /* position in the file; kept: number in the batch's kept */
	u64 kept : 1;
	u64 member : 24; /* of threads; kept: of counters.members, + 1; 0 = the record as it is;
			  * MEMBER_EXTRACT: `at` is the place of an extract */
};

enum { MEMBERS_MAX = (1 << 24) - 1, MEMBER_EXTRACT = MEMBERS_MAX };
#define AT_MAX ((1ULL << 39) - 1)

VEC_TYPE(index_vec, struct rec_index);

/* A record in the batch's own bytes. */
struct kept_record {
	u64 pos; /* in the file, shown by -D */
	u32 off; /* in the bytes */
	u32 type;
};

/* ---- extracts.c: memory of what a consumer takes from samples ---- */

enum {
	EXTRACT_BLOCK = 1 << 16,
	EXTRACT_BLOCKS = 96, /* then samples are left in the file */
};

/* Zero bytes are an empty one. */
struct extracts {
	u8 *blocks[EXTRACT_BLOCKS];
	u32 nr;
	bool open[EXTRACT_BLOCKS]; /* it has extracts that are not due yet, or is being filled */
	u8 spare[EXTRACT_BLOCKS]; /* numbers of blocks */
	u32 nr_spare;
	u32 block; /* being filled */
	u32 len; /* of it */
	u8 *at; /* where its next extract goes, NULL = there is none */
};

/* Blocks whose last extracts are due in a batch. */
struct done_extracts {
	u8 v[EXTRACT_BLOCKS];
	u32 nr;
};

void extracts_release(struct extracts *x);
/* SESSION_EXTRACT_MAX bytes; NULL: there is no more memory for extracts in this batch. */
u8 *extracts_room(struct extracts *x);
/* What was written to the room, as an entry of the order. */
struct rec_index extracts_add(struct extracts *x, u64 time);
/* Any thread, until its block is returned. */
const void *extracts_get(const struct extracts *x, const struct rec_index *i);
/* Which blocks nothing that is due later than the batch lies in. */
struct batch;
void extracts_close(struct extracts *x, const struct batch *b, struct done_extracts *done);
/* They may be filled again. */
void extracts_return(struct extracts *x, struct done_extracts *done);

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

struct event_slot {
	u64 id;
	const struct perfdata_event *event; /* NULL = empty */
};
enum { EVENT_SLOTS = 64 };

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
	struct event_slot event_slots[EVENT_SLOTS]; /* of those met last */
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
int batcher_next(struct batcher *b, const struct batch *prev, struct batch *out, struct err *e);
void batcher_release(struct batcher *b);
void batch_release(struct batch *b);
/* Gives the batch's blocks of heads back to the pool. */
void batch_return_heads(struct batcher *b, struct batch *done);

/* Reads and indexes a batch while workers have the one before. */
struct reader {
	struct batcher *batcher;
	const struct batch *prev;
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

/* ---- counters.c: samples that carry counter values ---- */

enum { COUNTER_MEMBERS_MAX = (1 << 24) - (1 << 14) };

struct counter_value {
	u64 id, value;
};

/* One counter's part in a sample. */
struct counter_member {
	const struct perfdata_event *event; /* NULL: no counter of the sample moved */
	u64 id, period;
	bool again; /* not the first member of its record */
};

struct counters {
	struct map by_id;
	VEC(struct counter_value) values;
	VEC(struct counter_member) members; /* of the current batch */
	struct index_vec due;
};

bool counters_present(const struct perfdata *f);
/* Replace the samples in b->due (in order of time) by their members. Serial. */
void counters_expand(struct counters *c, const struct perfdata *f, struct batch *b);
void counters_release(struct counters *c);

/* ---- parallelism.c: how many threads run at a time ---- */

struct parallel_step {
	u64 time, pos; /* of the record; timeless: all times are 0 */
	u32 running; /* from there on */
};

struct parallelism {
	VEC(struct parallel_step) steps; /* of the batch, in order */
	s64 count; /* of all records so far */
	u32 before; /* the first step */
	u32 max;
	bool timeless;
};

void parallelism_init(struct parallelism *p);
void parallelism_release(struct parallelism *p);
/* A batch begins. cpus: that the recorded machine can have, 0 = unknown. */
void parallelism_begin(struct parallelism *p, u32 cpus, bool timeless);
/* In order; records that tell nothing of it are ignored. */
void parallelism_note(struct parallelism *p, const struct perf_event_header *h, u64 time, u64 pos);
/* 1 .. cpus. *last: where the caller was before, any number at first. Workers. */
u32 parallelism_at(const struct parallelism *p, u64 time, u64 pos, size_t *last);

/* ---- filter.c: --time and -C ---- */

struct time_range {
	u64 from, to; /* ns, both included */
};

struct filter {
	VEC(struct time_range) times; /* none = all */
	u64 *cpus; /* bit set, NULL = all */
	size_t nr_cpus;
};

int filter_init(struct filter *f, const struct session_opts *o, struct source *source,
		struct err *e);
void filter_release(struct filter *f);
static inline bool filter_is_empty(const struct filter *f)
{
	return !f->times.nr && !f->cpus;
}
enum session_left_out filter_judge(const struct filter *f, u64 time, u32 cpu);

/* ---- chains.c: callchains and their numbers ---- */

enum { CHAIN_CHUNK_BITS = 16, CHAIN_CHUNKS = 1 << 16, CHAIN_BLOCK = 1 << 11 };

/* Memory that one thread puts chains into, in units of 8 bytes. Zero bytes: none. */
struct chain_block {
	u32 next, end;
};

/* Shared by all workers. Chains lie one after the other in chunks: number of frames, frames. Zero
 * bytes and chains_init() make an empty one. */
struct chain_table {
	struct shared_map numbers;
	_Atomic(u32) used; /* units given out in blocks */
	pthread_mutex_t lock; /* while a chunk is made */
	u64 *_Atomic chunks[CHAIN_CHUNKS];
};

/* expected: how many there may be. */
void chains_init(struct chain_table *t, u32 expected);
void chains_release(struct chain_table *t);
/* While no other thread uses it: room for chains to come. */
void chains_make_room(struct chain_table *t);
/* The number of a chain, the same for equal ones; 0 = too many chains. Any thread, with its own
 * block. */
chain_id chain_intern(struct chain_table *t, struct chain_block *b, const frame_id *frames, u32 nr);
/* Number of frames, then the frames. Any thread. */
const u32 *chain_words(const struct chain_table *t, chain_id chain);
/*
 * The same as chain_intern() in three steps, with time for the memory in between: ask for the slot,
 * then for a number; *check: it is that of a chain of the same hash, to be compared in the end.
 */
u64 chain_hash(const frame_id *frames, u32 nr);
void chain_prefetch_slot(const struct chain_table *t, u64 hash);
chain_id chain_offer(struct chain_table *t, struct chain_block *b, u64 hash, const frame_id *frames,
		     u32 nr, bool *check);
bool chain_is(const struct chain_table *t, chain_id chain, const frame_id *frames, u32 nr);

/* ---- dso_frames.c: frames of addresses in objects ---- */

/* Shared by all workers; any thread, except where it says so. */
struct dso_frames {
	pthread_mutex_t lock; /* while it is made larger */
	_Atomic(u32) thrown_out; /* of the table as it is now */
	u8 apart[60]; /* what changes is in another cache line */
	struct frame_sets *_Atomic now;
};

void dso_frames_init(struct dso_frames *p);
/* The key of frames in an object whose addresses in the process are its own less shift; 0 = they
 * cannot be kept. */
u64 dso_frame_key(dso_id dso, bool kernel, u64 shift);
/* The key of frames of addresses that lie in no object, by level. */
u64 dso_frame_key_of_none(u8 cpumode);
/* These bits of a key, for frames that are the same wherever the object lies. */
enum { DSO_FRAME_SHIFT_BITS = 40 };
#define DSO_FRAME_ANY_SHIFT ((1ULL << DSO_FRAME_SHIFT_BITS) - 1)
/* Hash of a key and an address in the object, for the functions below. */
static inline u32 dso_frame_hash(u64 key, u64 addr)
{
	return (u32)hash_finish(addr ^ (key | DSO_FRAME_ANY_SHIFT));
}
/* 0 = not known, or being added. *nameless: it is known that the address has no symbol, from
 * another place of the object in memory. */
frame_id dso_frame_find(const struct dso_frames *p, u32 hash, u64 key, u64 addr, bool *nameless);
void dso_frame_prefetch(const struct dso_frames *p, u32 hash);
/* named: it has a symbol, so the frame is the same wherever the object lies. */
void dso_frame_add(struct dso_frames *p, u64 key, u64 addr, bool named, frame_id frame);
/* While no other thread uses it: smaller tables that it grew out of. */
void dso_frames_drop_old(struct dso_frames *p);
void dso_frames_release(struct dso_frames *p);

/* ---- frames.c: frames and their numbers ---- */

enum { FRAME_CHUNK_BITS = 14, FRAME_CHUNKS = 1 << 16, FRAME_BLOCK = 64 };

/* Numbers that one thread gives to frames, so that these touch nothing that others write to. Zero
 * bytes: none. */
struct frame_block {
	frame_id next, end;
};

/* Shared by all workers. Append-only chunks, read without lock. Zero bytes and frame_table_init()
 * make one. */
struct frame_table {
	struct shared_map addresses; /* of frames that are one for each address */
	_Atomic(u32) nr; /* numbers given out in blocks, with 0, which is none */
	pthread_mutex_t lock; /* while a chunk is made */
	struct frame *_Atomic chunks[FRAME_CHUNKS];
};

/* addresses: how many of them may be expected. */
void frame_table_init(struct frame_table *t, u32 addresses);
void frame_table_release(struct frame_table *t);
/* A new number, of the thread's block; 0 = there are too many. Numbers of a block that are not used
 * yet are frames of nothing. Any thread. */
frame_id frame_add(struct frame_table *t, struct frame_block *b, const struct frame *f);
/* The number of a frame that differs from others in object, ip, at, addr or level. Any thread. */
frame_id frame_of_address(struct frame_table *t, struct frame_block *b, const struct frame *want);
/* Prefetches what frame_of_address() will look at. */
void frame_prefetch_address(const struct frame_table *t, const struct frame *want);
/* While no other thread uses it: room for frames to come. */
void frame_table_make_room(struct frame_table *t);
/* While no other thread uses it: frame_of_address() will not be asked for what it was asked for
 * before. */
void frame_table_forget_addresses(struct frame_table *t);

static inline struct frame *frame_at(const struct frame_table *t, frame_id id)
{
	struct frame *chunk = atomic_load_explicit(&t->chunks[id >> FRAME_CHUNK_BITS],
						   memory_order_acquire);

	return &chunk[id & ((1U << FRAME_CHUNK_BITS) - 1)];
}

/* ---- resolve.c: addresses to frames, chains to numbers ---- */

#define FRAME_LIST 0x80000000U

struct inlined_frame {
	frame_id frame;
	u64 first; /* of all samples that have it: where it stands in their order */
};

struct resolver {
	const struct model *model;
	struct dso_table *dsos;
	u32 max_stack;
	bool keep_outermost, drop_unresolved;
	bool inlines, inlines_of_all, by_address;
	bool large; /* the recording: tables will be used up to the last page */
	u32 slots; /* of each worker's tables of addresses and chains; a power of two */
	bool notes; /* chains have a note behind each frame */
	bool guesses; /* as in struct session_opts */
	VEC(struct chain_note) known_notes; /* the first is all 0; under lock */
	struct map by_note; /* hash -> place in known_notes; under lock */
	frame_id cut_frame; /* under lock; 0 = not needed yet */
	pthread_mutex_t lock;
	struct frame_table frames;
	struct frame_block block; /* of frames made under lock */
	struct map inlined; /* (dso, symbol, name) -> place in: */
	VEC(struct inlined_frame) inlined_frames; /* under lock */
	struct arena names; /* of inlined functions; under lock */
	/* per dso: frame of each symbol, 0 = not yet; made under lock, read without */
	_Atomic(u32) *_Atomic *sym_frames;
	u32 nr_sym_frames; /* dsos covered; grown in the serial part */
	struct chain_table chains;
	struct dso_frames dso_frames;
};

/* Each worker must take its samples in the order of the file, since what is shown depends on which
 * is the first. */
static inline bool resolver_needs_order(const struct resolver *r)
{
	return r->by_address && (r->inlines || r->inlines_of_all);
}

/* bytes: of the recording, 0 = not known; only for how large tables are at first. */
void resolver_init(struct resolver *r, const struct model *model, struct dso_table *dsos,
		   u32 max_stack, u64 bytes);
void resolver_release(struct resolver *r);
/* The number of a frame that another resolver has, in this one, with the same objects. Serial. */
frame_id resolver_adopt(struct resolver *r, const struct frame *f);
/* Bytes, about, of what only ever grows. */
size_t resolver_size(const struct resolver *r);
/* The number of what is known of a frame; 0 = all 0. Any thread. */
u32 resolver_note(struct resolver *r, const struct chain_note *note);
/* Serial part of each batch: room for the dsos added since. */
void resolver_prepare(struct resolver *r);
/* After the last sample: frees what only makes looking up faster. */
void resolver_forget(struct resolver *r);

struct ip_slot {
	u64 ip;
	u64 valid_from;
	u32 space;
	frame_id frame; /* 0 = empty; FRAME_LIST | chain: several frames at one address */
	u32 batch; /* 0 = any batch, else only in this one: no mapping was found */
	bool expand; /* with inlined functions */
};

/* Addresses of a space that lie in one mapping, or in none. */
struct region_slot {
	u64 start, len; /* addresses */
	u64 from, until;
	const struct model_map *map;
	u32 space;
	u32 batch; /* 0 = empty */
	u64 valid_from; /* what is found here holds from then on */
	u64 shift; /* from addresses to those in the object */
	u64 key; /* of its frames, 0 = these are not kept */
	u64 object; /* session_spot.object */
};

struct chain_slot {
	u64 h1, h2;
	u64 valid_from;
	u32 batch; /* 0 = any batch, else only in this one */
	chain_id chain; /* 0 = empty */
};

struct site_slot {
	u64 key; /* pid, tid */
	u64 batch; /* 0 = empty */
	struct model_site site;
};

enum { SITE_SLOTS = 1 << 10, REGION_SLOTS = 1 << 11, REGION_SHIFT = 18 };

/* ---- place.c: what lies at an address ---- */

/* The space that addresses of a level belong to, of other levels one that is no process's. */
u32 worker_other_space(const struct session_worker *w, const struct site *site, u8 cpumode);
static inline u32 worker_space(const struct session_worker *w, const struct site *site, u8 cpumode)
{
	if (cpumode == PERF_RECORD_MISC_KERNEL)
		return 0;
	return LIKELY(cpumode == PERF_RECORD_MISC_USER) ? site->space
							: worker_other_space(w, site, cpumode);
}

static inline bool region_fits(const struct region_slot *r, u32 space, u32 batch, u64 ip, u64 time)
{
	return ip - r->start < r->len && r->space == space && r->batch == batch &&
	       time >= r->from && time < r->until;
}

/* The region of an address, made if it is not known; NULL = the model knows of none at that level.
 */
const struct region_slot *region_at(struct session_worker *w, const struct site *site, u8 cpumode,
				    u64 ip);
/* The same, NULL when it is not known. */
const struct region_slot *region_known(const struct session_worker *w, const struct site *site,
				       u8 cpumode, u64 ip);

/* From when on an address stays unmapped that is so at the site's time: UINT64_MAX where mappings
 * change later. */
u64 worker_unmapped_from(const struct session_worker *w, const struct site *site, u8 cpumode);

/* An address in a region whose frames are kept, on its way to its frame. */
struct asked_ip {
	u64 ip, addr, key; /* addr: in the object */
	const struct model_map *map; /* NULL = it lies in none */
	u32 hash; /* in dso_frames */
	frame_id frame; /* 0 = not known yet */
	u32 sym; /* where it is not */
	u8 cpumode;
};

/* Field by field: the CPU stalls on a copy of a struct whose fields have just been written. */
static inline void ask_in(const struct region_slot *in, u8 cpumode, u64 ip, struct asked_ip *a)
{
	a->ip = ip;
	a->addr = ip + in->shift;
	a->key = in->key;
	a->map = in->map;
	a->hash = dso_frame_hash(in->key, ip + in->shift);
	a->frame = 0;
	a->cpumode = cpumode;
}

/* Three steps, with time for the memory in between. False: the frame is not known; then the others.
 */
bool worker_find_asked(struct session_worker *w, struct asked_ip *a);
void worker_prefetch_asked(struct session_worker *w, const struct asked_ip *a);
void worker_make_asked(struct session_worker *w, struct asked_ip *a);

/* Frame of an address, and from when on that holds; *unmapped when only in this batch. expand: or a
 * list of frames. */
frame_id worker_frame(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		      bool expand, u64 *valid_from, bool *unmapped);
/* Prefetches what worker_frame() will look at. */
void worker_prefetch_ip(struct session_worker *w, const struct site *site, u8 mode, u64 ip,
			bool expand);

/* Frames of a chain while it is put together. */
struct chain_frames {
	frame_id *v; /* FRAMES_MAX */
	u32 *notes; /* the same, NULL = none are wanted */
	u32 nr;
	u32 note; /* of the frame that comes next */
	u64 valid_from;
	bool unmapped;
};

struct chain_ahead;
/* The worker finds the chain again under what it was recorded as. */
void chain_slot_keep(struct session_worker *w, const struct chain_ahead *c);
/* What the chain's addresses are; nothing of a broken one. */
void worker_chain_frames(struct session_worker *w, const struct site *site,
			 const struct sample *smp, struct chain_frames *f);

/* Whether functions that were inlined are wanted of the sample's user frames. */
static inline bool resolver_inlines(const struct resolver *r, const struct sample *smp)
{
	return r->inlines_of_all || (r->inlines && smp->unwound);
}

static inline bool chain_slot_fits(const struct chain_slot *s, const struct site *site, u64 batch,
				   u64 h1, u64 h2)
{
	return s->h1 == h1 && s->h2 == h2 && s->chain && site->time >= s->valid_from &&
	       (!s->batch || s->batch == (u32)batch);
}

/* ---- latest.c: frames that a chain shares with the one before ---- */

/* The chain that a thread had last, as recorded, as far as it is kept: its outermost words. */
struct latest_chain {
	u32 thread, space;
	u64 valid_from; /* the frames hold from then on, for all of the chain */
	u32 batch; /* 0 = in any batch, else only in this one */
	u8 mode; /* level of the first word */
	u32 nr, nr_frames;
	u64 *words; /* LATEST_WORDS */
	frame_id *frames; /* of the words that are no markers */
};

enum { LATEST_CHAINS = 64, LATEST_WORDS = 128 };

/* Of one worker. Zero bytes are an empty table. */
struct latest_chains {
	struct latest_chain *chains;
	u64 *words;
	frame_id *frames;
};

/* What two chains have in common at their outer ends. */
struct shared_end {
	u32 nr; /* words */
	u32 nr_frames; /* of these */
};

/* Level of addresses behind a marker. */
u8 chain_mode(u64 marker);
/* x_mode, y_mode: levels of the first words. The common words are of the same level. */
struct shared_end chains_share(const u64 *x, u64 nr_x, u8 x_mode, const u64 *y, u64 nr_y,
			       u8 y_mode);
/* NULL: none is kept of the thread in that space. */
const struct latest_chain *latest_find(const struct latest_chains *l, u32 thread, u32 space);
/* A chain that begins at user level; a frame for each word that is no marker. */
void latest_keep(struct latest_chains *l, const struct latest_chain *c);
void latest_release(struct latest_chains *l);

/* ---- branches.c: branch records in callchains ---- */

enum { BRANCHES_MAX = 127 }; /* no CPU has more; what claims more is broken */

/* Puts the sample's branch records into its callchain, which is memory of the worker then. */
void branches_add_to_chain(struct session_worker *w, struct sample *smp);

/* ---- ref_chains.c: callers of samples without a callchain, from those of the same thread ---- */

struct ref_chains;

struct ref_chains *ref_chains_new(void);
void ref_chains_free(struct ref_chains *c); /* NULL is allowed */
/* In order of time: keeps the sample's chain, or gives it one, which is valid until the next call.
 */
void ref_chains_take(struct ref_chains *c, const struct perfdata_event *ev, const struct site *site,
		     struct sample *smp);

/* ---- lbr.c: callchains from branch records of the call stack ---- */

struct lbr_stacks;
struct perfdata_info;
struct lbr_stacks *lbr_stacks_new(const struct perfdata_info *info);
void lbr_stacks_free(struct lbr_stacks *l);
/* Puts the sample's records in place of the user part of its callchain, which is memory of the
 * worker then. */
void lbr_take_stack(struct session_worker *w, const struct site *site, struct sample *smp);

/* ---- deferred.c: user callchains in records of their own ---- */

struct deferred_chain {
	u64 cookie;
	u32 tid, nr;
	const u64 *ips;
};

/* Zero bytes are an empty one. Read by any thread while nothing is added. */
struct deferred {
	VEC(struct deferred_chain) chains;
	struct map by_cookie;
	struct arena arena;
	u64 bytes;
};

void deferred_release(struct deferred *d);
/* All of a source that can be read again, which is at its beginning then; of others nothing. */
int deferred_read(struct deferred *d, struct source *source, struct err *e);
/* One that was read; others stay as they are. */
void deferred_add(struct deferred *d, const struct perfdata *file,
		  const struct perf_event_header *h);
/* Put the user part into the chain of a sample that waits for one. */
void deferred_join(struct session_worker *w, const struct deferred *d, bool keep_apart,
		   struct sample *smp);

/* The next of the worker's chains, with room for nr words. */
struct joined *worker_joined(struct session_worker *w, u64 nr);

/* ---- stacks.c: callers from copies of stacks ---- */

/* The unwinding rules of the recorded objects, shared by all workers. */
struct stacks {
	bool some_unwound; /* while recording, of events whose attributes do not say so */
	const struct model *model;
	struct dso_table *dsos;
	const struct unwind_abi *abi, *abi32; /* NULL: none for the recorded machine */
	struct unwind_objects *objects;
};

void stacks_init(struct stacks *st, const struct model *model, struct dso_table *dsos);
void stacks_release(struct stacks *st);
/* Before any sample; machine: of the recording, NULL = ours. */
void stacks_prepare(struct stacks *st, const char *machine);
/* addr: in the dso's address space. Whether the call frame information there says that no function
 * calls it: the start of a thread. */
bool stacks_is_outermost(struct stacks *st, dso_id dso, u64 addr);
/* Whether it has no rule and is in front of a function with one: makecontext() set up a stack to
 * begin there. */
bool stacks_is_planted(struct stacks *st, dso_id dso, u64 addr);
/* Whether signal handlers return to it. */
bool stacks_is_signal_return(struct stacks *st, dso_id dso, u64 addr);
/* Whether there is call frame information for the address. */
bool stacks_has_tables(struct stacks *st, dso_id dso, u64 addr);
/*
 * Append the callers that the sample's copy of its stack gives to its callchain, when stacks_walk()
 * is called: of at most AHEAD samples, several side by side. Until then sample, site and copy must
 * stay; the chain stays until the next one is put off.
 */
void stacks_put_off(struct session_worker *w, const struct sample_layout *l,
		    const struct site *site, struct sample *smp);
void stacks_walk(struct session_worker *w);
void stacks_free_walks(struct session_worker *w);

/*
 * Frame pointers miss the caller of a function that has not set up its frame. Where the sample has
 * the register with the return address, and the function has not changed it, that address becomes
 * the caller.
 */
void stacks_add_leaf_caller(struct session_worker *w, const struct sample_layout *l,
			    const struct site *site, struct sample *smp);

/* The chain of a sample whose stack was unwound while it was recorded; others stay as they are. */
void stacks_take_stored(struct session_worker *w, const struct perfdata_event *ev,
			struct sample *smp);

/*
 * Samples are decoded a few at a time before the consumer gets the first of them: what is
 * prefetched for one arrives while the others are decoded.
 */
enum { AHEAD = SESSION_AHEAD };

struct chain_ahead {
	u64 h1, h2; /* of the chain as recorded */
	bool known; /* there is a chain, and h1, h2 are set */
	bool missing; /* it is not in the worker's cache */
	bool unmapped; /* as in struct chain_slot: */
	u64 valid_from;
	u32 from, nr; /* its frames, in frames_ahead */
	u32 asked, nr_asked; /* those that are not shared: in asked */
	bool plain; /* a frame for each word that is no marker */
	const struct latest_chain *latest; /* which it shares frames with, or else with */
	u32 before; /* one of those ahead, + 1; 0 = none */
	struct shared_end shared;
	u64 hash; /* of its frames */
	chain_id chain;
	bool check;
};

enum { FRAMES_MAX = LIMIT_CHAIN / sizeof(u64) };

/* Chains that are put together: for each of the samples that are decoded at once, its own and one
 * more. */
VEC_TYPE(joined, u64);
enum { JOINED = 2 * AHEAD };

struct session_worker {
	struct resolver *resolver;
	struct stacks *stacks;
	struct unwind_cache *code;
	struct stack_walk *walks; /* AHEAD of them */
	size_t nr_walks;
	VEC(u64) chain; /* of the sample that has branches in it */
	VEC(u32) notes; /* by word of chain */
	struct lbr_stacks *lbr; /* of the session; stacks are stitched together, else NULL */
	u64 unwound[UNWIND_NR_ENDS]; /* stacks by how they ended */
	struct joined joined[JOINED];
	u32 next_joined;
	u64 deferred, deferred_missing; /* samples that waited for such a part */
	unsigned int number;
	u64 batch;
	bool resolves; /* the consumer has asked for a frame */
	struct ip_slot *ips;
	struct chain_slot *chains;
	struct site_slot *sites, *site; /* the one used last */
	struct region_slot *regions;
	struct index_vec
		put_off; /* samples of the batch for which the kernel's symbols are awaited */
	u64 bad_samples, unknown_id;
	u64 bad_pos; /* as in session_stats */
	u32 bad_size;
	struct strbuf text;
	/* part of the file with samples that were left there */
	u8 *window;
	u64 window_pos;
	size_t window_len;
	u16 longest; /* sample that was read so far */
	struct file_block *blocks; /* the same for ordered consumers */
	struct file_block *block; /* used last; NULL = none */
	u32 nr_blocks;
	u32 block_clock; /* counts changes of block */
	struct sample ahead[AHEAD];
	bool ahead_is_bare; /* these have no more than heads */
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
 * What goes to an ordered consumer is spread over the file, one place for each recorded CPU: a
 * block is what a worker wants of one such place. The one that was used longest ago is replaced.
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
/* All numbers (threads, spaces, frames, chains) are others from now on: empties the caches. Counts
 * stay. */
void worker_renew(struct session_worker *w, struct resolver *r);
/* After the last sample: frees its caches, sets its counts to 0. */
void worker_forget(struct session_worker *w);
void worker_site(struct session_worker *w, u32 pid, u32 tid, u64 time, struct site *out);

/* ---- ahead.c: several chains at a time ---- */

/* Prefetches what resolving the first nr samples of w->ahead will look at, and makes chains that
 * are missing. */
void worker_look_ahead(struct session_worker *w, size_t nr);

/* ---- run_samples.c, run_heads.c, ordered.c, run.c: from a batch to the consumer ---- */

/* Texts of an ordered consumer on their way out, see ordered.c. */
struct text_line;

/* How large things were when what is not needed was forgotten last, see renew.c. */
struct renewed {
	size_t model, resolver; /* bytes */
};

/* Which samples of a batch workers take. */
enum run_pass { PASS_ALL, PASS_USER, PASS_KERNEL };

enum { TOUCH_SLOTS = 4096 };

struct run {
	struct session *s;
	const struct session_consumer *c;
	struct batcher batcher;
	struct batch batches[2];
	struct batch *now;
	const struct rec_index *due; /* of it, as workers take them */
	enum run_pass pass;
	struct par_task *kernel_task; /* loads the kernel's symbols, NULL = none */
	_Atomic bool kernel_begun;
	struct counters counters;
	struct parallelism parallelism;
	struct perfdata_malformed malformed; /* side-band records, for perfdata_damage() */
	u64 number; /* of the batch, from 1 */
	bool again; /* session_read_again(): the time of an index entry is the tag */
	u64 *touched; /* (pid, tid) + 1 known to the model, direct-mapped */
	VEC(bool) seen; /* of the batch's threads: looked at */
	bool stop; /* a consumer had enough */
	struct text_line *line;
	struct reader
		*reader; /* of the next batch, for the first worker that has time; NULL = none */
	struct renewed renewed;
};

/*
 * A sample that was left in the file, in the worker's window; those up to end are wanted next. NULL
 * when it is not there any more.
 */
const struct perf_event_header *run_load_sample(const struct run *r, struct session_worker *w,
						const struct rec_index *i,
						const struct rec_index *end);
/* Decode what lies at an index entry; false when the consumer must not see it. */
bool run_prepare(struct run *r, struct session_worker *w, const struct perf_event_header *h,
		 const struct rec_index *i, struct session_record *rec, struct sample *smp);
/* Give the consumer the first samples of the worker's; false: it had enough. */
bool run_hand_over(struct run *r, struct session_worker *w, size_t nr);
/* Whether a sample of that kind is one of this pass. */
bool run_takes(struct run *r, u16 misc);
/* For par_for(), arg: the run. Hand samples to the consumer: those from .. to of run.due; those of
 * which heads were kept. */
void run_sample_slice(void *arg, unsigned int worker, size_t from, size_t to);
void run_heads_slice(void *arg, unsigned int worker, size_t from, size_t to);
/* Hand the due records of r->now to an ordered consumer. */
void run_ordered(struct run *r, const struct batch *b);
struct text_line *text_line_new(unsigned int workers);
void text_line_free(struct text_line *l);

/* ---- renew.c: what is not needed any more is forgotten ---- */

/* Before the first record of a source without end, and serial after each batch of it. */
void run_renew_begin(struct run *r);
void run_renew(struct run *r, const struct batch *b);

struct session;
/* A resolver as the session's options want it. */
struct resolver *session_new_resolver(struct session *s, u64 bytes);
/* Take over what the header tells (in a pipe: has told by now): build ids, tracepoint formats. */
void session_learn(struct session *s);

struct session {
	struct session_opts opts;
	struct source *source;
	struct perfdata *file; /* its tables */
	char *recorded_kallsyms; /* beside the data, NULL = none */
	struct dso_table *dsos;
	struct model *model;
	struct resolver *resolver;
	struct stacks stacks;
	struct lbr_stacks *lbr; /* NULL = none are stitched together */
	struct ref_chains *ref_chains; /* NULL = samples without a chain have none */
	struct par *par;
	struct session_worker *workers;
	unsigned int nr_workers;
	struct tracefmt_set *formats;
	bool formats_tried;
	bool embedded_tried;
	struct err embedded_error; /* code 0 = none */
	u32 nr_build_ids; /* of the header's, known to the dso table */
	struct session_stats stats;
	struct filter filter;
	struct deferred deferred;
	bool running; /* workers may be adding chains */
	bool had_heads; /* the run that was last kept heads of samples */
};

#endif
