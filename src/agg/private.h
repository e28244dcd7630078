/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private: what agg/'s own files share.
 */
#ifndef AGG_PRIVATE_H
#define AGG_PRIVATE_H

#include <pthread.h>
#include <regex.h>

#include "agg/agg.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "types/types.h"

/*
 * A row as a worker has it: what every sample looks at, on lines of the CPU's cache of its own. The
 * rest lies elsewhere.
 */
struct worker_row {
	u64 period, nr;
	u64 first_time;
	u32 first_thread;
	u32 event : 30;
	u32 counted : 1; /* late_chains.c: chains are read in the round of their samples */
	u32 lost : 1; /* late_chains.c: which samples are its is not known any more */
	u64 words[];
};

struct row_rest {
	frame_id frame; /* which tells code and level; 0 = these do */
	u32 code; /* in codes, + 1; 0 = none */
	u32 counted_tag; /* worker_row.counted: what its samples have in session_again.tag */
	u8 level;
	bool filtered;
};

struct level_sums {
	u64 sys, us, guest_sys, guest_us;
};

struct latency_sums {
	u64 own, acc;
};

/* Of a row, or of one of its members: what agg_sums tells but for the levels and the latency. */
struct row_sums {
	u64 period, nr, acc;
};

/*
 * Rows, found by event and words; see rows.c. They never move, and nor does what leads to them: a
 * thread may look at rows that it knows while another one adds some.
 */
enum { ROW_CHUNK_BITS = 10, ROW_CHUNKS = 32 - ROW_CHUNK_BITS };
struct worker_rows {
	u8 *chunks[ROW_CHUNKS]; /* of rows, and behind them what is left of each */
	u32 nr, size; /* rows; bytes of one */
	u32 nr_words;
	struct map by_words;
	VEC(struct agg_code) codes;
	VEC(struct level_sums) levels; /* agg_config.levels, else empty */
	VEC(u64) acc; /* of callers: dso_callers.c, else empty */
	VEC(struct latency_sums) latency; /* agg_config.latency, else empty */
};

/* The chunk of a row: each has as many as all before it have together. */
static inline u32 row_chunk(u32 i)
{
	return i >> ROW_CHUNK_BITS ? 32 - ROW_CHUNK_BITS - (u32)__builtin_clz(i) : 0;
}

static inline u32 row_chunk_size(u32 chunk)
{
	return 1U << (ROW_CHUNK_BITS + (chunk ? chunk - 1 : 0));
}

/* Its place in the chunk. */
static inline u32 row_in_chunk(u32 i, u32 chunk)
{
	return chunk ? i - row_chunk_size(chunk) : i;
}

static inline struct worker_row *rows_at(const struct worker_rows *t, u32 i)
{
	u32 c = row_chunk(i);

	return (struct worker_row *)(void *)(t->chunks[c] + (size_t)t->size * row_in_chunk(i, c));
}

static inline struct row_rest *rows_rest(const struct worker_rows *t, u32 i)
{
	u32 c = row_chunk(i);
	u8 *rests = t->chunks[c] + (size_t)t->size * row_chunk_size(c);

	return (struct row_rest *)(void *)rests + row_in_chunk(i, c);
}

void rows_init(struct worker_rows *t, size_t nr_words);
void rows_release(struct worker_rows *t);
/* No rows, but the memory of as many. */
void rows_clear(struct worker_rows *t);
u64 rows_hash(const struct worker_rows *t, u32 event, const u64 *words);
bool rows_is(const struct worker_rows *t, u32 row, u32 event, const u64 *words);
/* False: there is no such row yet. */
bool rows_find(const struct worker_rows *t, u32 event, const u64 *words, u64 hash, u32 *row);
/* A row without samples: its first time is the latest of all. */
u32 rows_add(struct worker_rows *t, u32 event, const u64 *words, u64 hash);
/* Whether a sample is earlier than the row's first one so far; then that one is noted. */
/* Adds row i of another table; hash: of its words. Returns its number here. */
u32 rows_add_row(struct worker_rows *to, const struct worker_rows *from, u32 i, u64 hash);
bool rows_note_first(struct worker_row *row, u64 time, u32 thread);
void rows_set_code(struct worker_rows *t, struct row_rest *rest, const struct agg_code *code);
void rows_add_acc(struct worker_rows *t, u32 row, u64 period);
void rows_add_latency(struct worker_rows *t, u32 row, u64 own, u64 acc);
/* rows_find() will be called for it soon. */
void rows_prefetch(const struct worker_rows *t, u64 hash);

/* What all workers have seen of a share of the rows. */
enum { ROW_SHARDS = 32 };
struct row_shard {
	pthread_mutex_t lock;
	struct worker_rows rows;
	u32 *slots; /* by row, when they are merged */
};

/* A row and a chain that samples of it had. After merging, row is a slot. */
struct row_chain {
	u32 row;
	chain_id chain;
	u64 period;
	u64 first_time;
	u32 first_thread;
	u32 nr : 31;
	u32 filtered : 1;
};

VEC_TYPE(row_chain_vec, struct row_chain);
VEC_TYPE(again_vec, struct session_again);
VEC_TYPE(weight_vec, u64);

/* Pairs of rows and chains, each once. */
struct row_chains {
	struct row_chain_vec pairs;
	struct weight_vec latency; /* of the same; empty unless it is counted */
	struct map by_chain;
};

u64 row_chain_hash(u32 row, chain_id chain);
/* Adds a pair's counts; latency: of its samples, NULL = not counted. */
void row_chains_add(struct row_chains *t, const struct row_chain *rc, u64 hash, const u64 *latency);
void row_chains_release(struct row_chains *t);
/* The pairs of samples that have a row: bits of `of`. */
struct pending_sample;
void agg_add_chains(struct row_chains *to, struct pending_sample *p, size_t nr, u64 of);

/* Answers kept by number: 0 = not asked yet, 1 = no, 2 = yes. */
VEC_TYPE(memo_vec, u8);

struct event_sums {
	u64 period, nr; /* everything */
	u64 shown_period, shown_nr; /* what passed the filters */
	u64 latency, shown_latency;
};
VEC_TYPE(event_vec, struct event_sums);

/* The rows of the objects in a chain, see dso_callers.c. */
enum { CALLERS_MAX = 12 };
struct caller_slot {
	u32 from; /* the sample's row */
	dso_id own; /* and object */
	u32 nr;
	dso_id dsos[CALLERS_MAX];
	u32 rows1[CALLERS_MAX]; /* + 1, 0 = none */
};

/* Some of agg_worker.late in little memory, see late_chains.c. */
struct packed_notes {
	u8 *bytes;
	size_t len;
};

struct PER_THREAD agg_worker {
	struct worker_rows rows;
	struct row_chains chains;
	struct row_chains moved; /* the same of rows that went to the shards: shard_row() */
	struct again_vec late; /* samples whose chain is not looked at yet, by row */
	size_t late_moved; /* so many of late by row in a shard */
	struct again_vec now; /* those of counted rows in this round */
	VEC(struct packed_notes) packed; /* of late, by row in a shard */
	struct shard_order *order; /* memory of agg_move_rows() */
	u32 last_row;
	struct spots *spots; /* that know its rows: spots.c; NULL = none yet */
	VEC(u32) staged; /* where these are */
	bool parallel; /* there was a sample while more than one thread ran */
	struct memo_vec comms, dsos, symbols, parents, ignored, data;
	VEC(frame_id) unnamed; /* by dso: what stands for its code without a symbol; 0 = none yet */
	struct memo_vec places; /* by dso: 1 = for several frames */
	struct event_vec events; /* by event */
	struct caller_slot *callers;
	VEC(str_id) dso_names; /* by dso, 0 = not asked yet */
	struct strbuf text;
	struct strbuf event_text; /* of a tracepoint's sample */
};

/* Code of callers under one set of other words: code -> entry + 1, in pages made on demand. */
enum { BASE_PAGE = 256 };
struct agg_base {
	u32 **pages;
};

struct member_of {
	u32 section, member;
};

/* A chain as call graphs need it; see children.c for the breaks in it. */
struct graph_chain {
	const frame_id *frames;
	u32 self; /* entry of its samples */
	u32 nr : 31;
	u32 backwards : 1; /* frames run against the order of the graph */
	u32 notes; /* as in struct chain_item */
	u64 weight, count;
};

VEC_TYPE(graph_chain_vec, struct graph_chain);

struct item_ref {
	u32 chain; /* in agg.graph_chains, or a node of agg.graph */
	u32 pos; /* frames skipped, from where the order of the chains begins; 0 of nodes */
};

/* Chains that begin alike share nodes, see graph_trie.c. Zero bytes are an empty trie. */
struct graph_root {
	u64 owner; /* all chains of one begin at its root */
	u32 node, entry;
};

struct graph_trie {
	VEC(struct graph_node) nodes; /* [0] unused; children behind their parents */
	VEC(struct graph_root) roots;
	struct map by_owner, by_frame;
};

/* Where a chain went, as far as it is kept: the next one of the thread mostly begins as it did. */
enum { GRAPH_PATH = 96, GRAPH_PATHS = 128 };
struct graph_path {
	u32 root, nr;
	frame_id frames[GRAPH_PATH];
	u32 nodes[GRAPH_PATH];
};

struct agg_name_list {
	const char **v;
	size_t nr;
	char *text;
};

struct ipc;

enum { PARALLELISM_MAX = 4096 };

struct agg {
	struct session *s;
	struct agg_config c;
	struct agg_worker *workers;
	unsigned int nr_workers;
	size_t nr_events;
	struct member_of *member_of; /* by event */
	VEC(struct agg_section) sections;
	struct agg_name_list comms, dsos, symbols;
	u32 *pids, *tids;
	size_t nr_pids, nr_tids;
	regex_t parent, ignored;
	bool has_parent, has_ignored;
	bool needs_frame, has_dso_key;
	struct ipc *ipc; /* NULL = no column shows it */
	u64 *parallelism; /* of the filter: bit set of PARALLELISM_MAX + 1, NULL = all */
	bool needs_parallelism;
	bool chains_have_latency; /* it is accumulated over callers */
	bool chains_are_lent; /* those of its snapshot, which has the same rows */
	const struct caller_ops *callers;
	struct worker_rows counted; /* their words; and by number in it: */
	VEC(u32) counted_tags; /* session_again.tag */
	bool settled; /* once or more, late_chains.c */
	bool some_lost; /* of the rows: late_chains.c */
	VEC(u32) slots_of_lost; /* merged: where these are */
	const u8 *lost_slots; /* by slot: 1 = samples are looked for a second time */
	bool can_run_again; /* session_run_again() gives the same samples */
	struct row_shard *shards; /* NULL = rows stay with the workers, see row_shards.c */
	_Atomic bool shards_used;
	struct spots *_Atomic spots; /* that know rows in shards: spots.c; NULL = none yet */
	pthread_mutex_t spots_lock; /* while spots change */
	/* texts of trace and other free-form keys, shared by workers */
	pthread_mutex_t text_lock;
	struct intern *texts; /* those of rows of a snapshot are its accumulation's */
	struct intern own_texts;
	/* merged */
	struct arena arena;
	VEC(struct agg_entry) entries;
	struct map by_words;
	VEC(struct row_sums) sums;
	VEC(struct level_sums) levels; /* of the same; agg_config.levels, else empty */
	VEC(struct latency_sums) latency; /* of the same; agg_config.latency, else empty */
	struct row_chains chains;
	VEC(u32) slot_entry;
	VEC(struct agg_base) bases;
	VEC(u32) base_entry; /* an entry of each base */
	struct map by_base;
	u32 nr_frames;
	u32 *code_of; /* by frame; see accumulate.c */
	u32 nr_codes;
	u64 *code_weights; /* by code, of first members' chains; NULL = codes are not those of
			      symbols */
	u64 *caller_words; /* of entries without samples */
	struct memo_vec places; /* by dso: 1 = its code without a symbol has several */
	VEC(u64) equal_symbols; /* words of the symbol key that stand for all equal symbols */
	u32 *same_dso;
	struct map by_equal_symbol;
	struct types *types; /* NULL = not asked yet */
	str_id *type_names, *type_offsets, *type_lines; /* as srclines */
	str_id *srclines, *srcfiles, *offsets; /* by frame, NULL = no such key, 0 = not asked yet */
	/* Frames by address that call graphs show as one function: by frame; NULL = they show
	 * frames. */
	frame_id *function_of;
	/* call graphs */
	struct graph_chain_vec graph_chains; /* whole ones, or else: */
	struct graph_trie graph;
	VEC(struct item_ref) items; /* by entry */
	u32 *item_from; /* by entry: its first item, ~0 = not collected */
	pthread_mutex_t builder_lock;
	VEC(struct calltree_builder *) builders;
};

/*
 * A word of the symbol key is a frame number; with this bit an unresolved frame shows the address
 * as sampled instead of that in the object, which is what perf does for callers.
 */
#define SYMBOL_AS_SAMPLED (1ULL << 32)

static inline u64 agg_symbol_addr(const struct frame *f, u64 word)
{
	return word & SYMBOL_AS_SAMPLED ? f->ip : f->addr;
}

/* The word of a caller. */
static inline u64 agg_caller_symbol(frame_id frame, const struct frame *f)
{
	return f->sym == SYM_NONE && f->ip != f->addr ? frame | SYMBOL_AS_SAMPLED : frame;
}

/* names.c: pieces that keys share */
/* With -v: "0xADDR   LETTER " before a symbol. */
void agg_add_verbose(u64 addr, char letter, struct strbuf *out);
void agg_add_left(struct strbuf *out, const char *s, u32 width);
char agg_level_letter(u8 cpumode);
/* path_key.c: who called the function, the outermost first */
u64 agg_get_callers(struct agg_sample_ctx *c);
void agg_text_callers(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		      struct strbuf *out);

/* Bytes of a kernel mapping; the kernel's own reaches as far as its symbols. 0 = its end is
 * unknown. */
u64 agg_kernel_size(struct agg *a, const struct model_map *map);
void agg_text_page_size(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			struct strbuf *out);

/* mem_keys.c: up to a row without a name */
extern const struct agg_key agg_mem_keys[];

/* wall_keys.c */
u64 agg_get_state(struct agg_sample_ctx *c);
void agg_text_state(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		    struct strbuf *out);
u64 agg_get_waker(struct agg_sample_ctx *c);
int agg_compare_waker(struct agg *a, u64 x, u64 y);
void agg_text_waker(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
		    struct strbuf *out);

/* source_keys.c: texts of frames by address; after all samples */
u64 agg_srcline_of(struct agg *a, u64 frame);
/* Likewise the offset in its symbol, and what is shown of it. */
u64 agg_symbol_offset_of(struct agg *a, u64 frame);
void agg_symbol_offset_text(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			    struct strbuf *out);
u64 agg_srcfile_of(struct agg *a, u64 frame);
u64 agg_type_of(struct agg *a, u64 frame);
u64 agg_type_offset_of(struct agg *a, u64 frame);
u64 agg_type_line_of(struct agg *a, u64 frame);
struct source_frame;
/* The source line of a frame by address; false: not known. */
bool agg_place_of(struct dso *d, const struct frame *f, struct source_frame *place);
/* Makes function_of. */
void agg_join_addresses(struct agg *a);

/* filter.c */
int agg_filter_init(struct agg *a, struct err *e);
void agg_filter_release(struct agg *a);
bool agg_filter_pass(struct agg *a, struct agg_worker *aw, struct agg_sample_ctx *c);
/* Of those that do not, rows show nothing; other filters hide whole rows. */
static inline bool agg_parallelism_passes(const struct agg *a, u32 parallelism)
{
	return LIKELY(!a->parallelism) ||
	       a->parallelism[parallelism / 64] & 1ULL << parallelism % 64;
}

/* sample.c */
/* The answer kept for a number. */
u8 *memo_at(struct memo_vec *m, u32 i);
frame_id agg_parent_of(struct agg *a, struct agg_worker *aw, struct agg_sample_ctx *c);
/* agg_is_data(), remembered. */
bool agg_hits_data(struct agg *a, struct agg_worker *aw, frame_id frame);

/* agg.c */
/* What all that have rows begin with, and end with. */
struct agg *agg_alloc(struct session *s, const struct agg_config *c);
void agg_begin_rows(struct agg *a);
void agg_end_rows(struct agg *a);
frame_id agg_frame_of(struct agg_sample_ctx *c);
struct event_sums *agg_event_sums(struct agg_worker *aw, u32 event);
chain_id agg_chain_of(struct agg_sample_ctx *c);
static inline struct agg_worker *agg_worker_of(const struct agg_sample_ctx *c)
{
	return c->worker;
}

str_id agg_text(struct agg *a, const char *s, size_t len);

/* spots.c */
/* Remembers the row, by its number in the worker's table, of a sample that agg_take_spots() left.
 */
void spots_keep(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row);
/* The worker's rows moved: by their numbers, shard_row(). */
void spots_follow_rows(struct agg *a, struct agg_worker *w, const u32 *numbers);
/* Forgets all spots: rows are others now. While no worker is at work. */
void spots_forget(struct agg *a);

/* row_shards.c */
struct row_shard *row_shards_new(const struct agg *a);
void row_shards_free(struct row_shard *s);
/* When a worker has that many rows, they go to the shards. */
enum { ROWS_OF_WORKER = 1 << 13 };
void agg_move_rows(struct agg *a, struct agg_worker *w);
/* To the shards, however many; while no worker is at work. */
void agg_give_rows(struct agg *a, const struct worker_rows *rows);
/* What a row in a shard is called in session_again.tag. */
static inline u32 shard_row(u32 shard, u32 row)
{
	return row * ROW_SHARDS + shard;
}
static inline struct worker_row *row_in_shard(const struct agg *a, u32 tag)
{
	return rows_at(&a->shards[tag % ROW_SHARDS].rows, tag / ROW_SHARDS);
}

/* There a row that is the worker's still has this bit. */
#define ROW_OF_WORKER (1U << 31)

/* count.c */
/* A sample on its way into the tables. */
struct pending_sample {
	struct agg_sample_ctx c;
	u64 period;
	u64 hash; /* of its row */
	const struct pending_sample *same; /* one of the same row before it; NULL = none is known */
	u64 chain_hash;
	u32 event, row;
	bool filtered;
	u64 words[AGG_MAX_KEYS];
};

/* What row the sample belongs to: its words; false when it counts for none. */
bool agg_find_words(struct pending_sample *p);
/* Whether heads of samples are enough: session_consumer.heads. */
bool agg_wants_heads(const struct agg *a);
/* How many threads run, and what the sample's latency is by that. */
void agg_weigh(struct pending_sample *p);
static inline u64 agg_period_of(const struct agg *a, const struct sample *s)
{
	return a->c.memory ? MAX(s->weight, (u64)1) : s->period;
}

/*
 * What becomes of the callers of samples. The first that fits is taken when an accumulation begins
 * (agg.c): rows of objects in chains (dso_callers.c), nothing (agg.c), chains of the rows that show
 * a call graph (late_chains.c), all chains (row_chains.c). What is NULL is not done.
 */
struct caller_ops {
	bool (*fits)(const struct agg *a);
	bool heads; /* it is enough to look at heads, and spots: session_consumer.heads */
	bool again; /* samples are read again */
	bool in_shards; /* rows may move to the shards: row_shards.c */
	/* A row is new to a worker. */
	void (*add_row)(const struct agg *a, struct worker_rows *t, u32 row, u64 hash);
	/* Samples of a worker that have a row: bits of `of`. */
	void (*take)(struct pending_sample *p, size_t nr, u64 of);
	/* One of which no more is known than its row and where it lies: session_again.unit. */
	void (*take_spot)(struct agg_worker *w, const struct worker_row *row, u32 number, u32 unit);
	/* While no worker is at work. */
	void (*round)(struct agg *a, bool last);
	/* The rows are merged: what is still missing in the workers' chains. */
	void (*finish)(struct agg *a);
};

extern const struct caller_ops agg_dso_callers, agg_late_chains, agg_all_chains;

/* Level of an address that does not say its own: kernel addresses lie in the upper half. */
static inline u8 agg_level_of(u64 ip)
{
	return ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static inline struct agg_code agg_code_of_frame(const struct frame *f)
{
	return (struct agg_code){ .dso = f->dso,
				  .state = f->sym == SYM_NONE ? CODE_UNNAMED : CODE_NAMED };
}

/* merge.c */
/* The rows of all; true: those of one worker alone, none of which fell together. */
bool agg_merge_workers(struct agg *a);
/* Then the chains. apart: the table of one worker can be taken as it is. */
void agg_merge_chains(struct agg *a, bool apart);
/* Where the word of a key is among those of another table. */
struct key_source {
	u32 word;
	bool of_frame; /* the word is a frame, which tells that of the key */
};
/* The rows of a table into those of a; keys: by key of a, NULL = the table's are the same. By row:
 * its slot; to be freed. */
u32 *agg_merge_rows(struct agg *a, const struct worker_rows *t, const struct key_source *keys);
/* Where a row went, by its words; false: there was none. Several threads may ask. */
bool agg_find_slot(struct agg *a, u32 event, const u64 *words, u32 *slot);
void agg_merge_totals(struct agg *a, const struct event_sums *events, size_t nr);
/* equal_symbols.c */
/* agg_same_symbol() will be called for it soon. */
void agg_prefetch_equal_symbol(struct agg *a, u64 word);
/* The one word of the symbol key that stands for all that a row could not tell apart. */
u64 agg_same_symbol(struct agg *a, u64 word);
/*
 * The same for all frames as callers, at once: by frame, a number less than that of words known so
 * far + of frames + 1; to be freed. From then on there are no new words.
 */
u32 *agg_equal_symbols_of_callers(struct agg *a);
u64 agg_word_of_equal_symbol(struct agg *a, u32 number);
/* False: the word is not known. */
bool agg_equal_symbol_of(struct agg *a, u64 word, u32 *number);
dso_id agg_same_dso(struct agg *a, dso_id d);
/* While there are still new ones, as after each use. */
void agg_forget_equal_symbols(struct agg *a);
/* agg_config.join_unnamed: the frame, or the one that stands for it while samples are counted. */
frame_id agg_unnamed_frame(struct agg *a, struct agg_worker *aw, frame_id frame);
/* What the worker has joined is known to agg_has_places(). */
void agg_merge_places(struct agg *a, const struct agg_worker *aw);

/* accumulate.c */
void agg_accumulate(struct agg *a);

/* graph_trie.c */
/* The node where chains of an owner begin; entry: what is kept with it. */
u32 graph_trie_root(struct graph_trie *t, u64 owner, u32 entry);
/* path: of this trie, all 0 at first. */
void graph_trie_add(struct graph_trie *t, struct graph_path *path, u32 root, const frame_id *frames,
		    u32 nr, u64 weight, u64 count);
/* The nodes of another behind those of this, to which none can be added then. Owners may have
 * several roots. */
void graph_trie_append(struct graph_trie *t, const struct graph_trie *from);
/* When all is added: the totals. */
void graph_trie_sum(struct graph_trie *t);
void graph_trie_release(struct graph_trie *t);

/* order.c */
void agg_order(struct agg *a);

const char *agg_dso_name(struct agg *a, dso_id d);
const char *agg_symbol_name(struct agg *a, const struct frame *f);
/* Whether the symbol is a variable, which is shown with an offset. */
bool agg_is_data(struct agg *a, const struct frame *f);
int agg_compare_inlined(const struct frame *f, const struct frame *g);

#endif
