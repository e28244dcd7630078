/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/resolve: finds the frames of addresses and the numbers of chains.
 */
#ifndef SESSION_RESOLVE_H
#define SESSION_RESOLVE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/map.h"
#include "session/chains.h"
#include "session/dso_frames.h"
#include "session/frames.h"
#include "session/place.h"

#define FRAME_LIST 0x80000000U

struct inlined_frame {
	frame_id frame;
	u64 first; /* of all samples that have it: where it stands in their order */
};

struct resolver {
	const struct model *model;
	struct dso_table *dsos;
	u32 max_stack;
	bool keep_outermost, drop_unresolved, drop_unmapped;
	bool inlines, inlines_of_all, by_address;
	bool large; /* the recording: tables will be used up to the last page */
	u32 slots; /* of each worker's tables of addresses and chains; a power of two */
	bool notes; /* chains have a note behind each frame */
	bool guesses; /* as in struct session_opts */
	VEC(struct chain_note) known_notes; /* the first is all 0; under lock */
	struct map by_note; /* hash -> place in known_notes; under lock */
	frame_id cut_frame; /* under lock; 0 = not needed yet */
	VEC(frame_id) marks; /* session_mark() */
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
/* Frees the tables by which frames and chains are found: those with a number stay, others cannot be
 * added. */
void resolver_close(struct resolver *r);
/* The number of a frame that another resolver has, in this one, with the same objects. former: the
 * symbols that its object had then, NULL = the same. Serial. */
frame_id resolver_adopt(struct resolver *r, const struct frame *f, const struct symtab *former);
/* About how many bytes its tables have, which only grow. */
size_t resolver_size(const struct resolver *r);
/* The number of a note; 0 = all 0. Any thread. */
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
	u32 changes; /* as in struct chain_slot: no mapping was found */
	bool expand; /* with inlined functions */
};

struct chain_slot {
	u64 h1, h2;
	u64 valid_from;
	/* 0 = whatever is mapped, else until mappings change: session_worker.changes then */
	u32 changes;
	chain_id chain; /* 0 = empty */
};

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

/* The frame of an address in three steps, so that other work hides the wait for memory: find it;
 * where it is not known, prefetch, then make it. */
bool worker_find_asked(struct session_worker *w, struct asked_ip *a);
void worker_prefetch_asked(struct session_worker *w, const struct asked_ip *a);
void worker_make_asked(struct session_worker *w, struct asked_ip *a);

/* The frame of an address, and the time from which it holds; *unmapped: only until mappings change.
 * expand: the answer may be a list of frames (FRAME_LIST). */
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
/* Keeps the chain in the worker's cache, by the hash of what was recorded. */
void chain_slot_keep(struct session_worker *w, const struct chain_ahead *c);
/* The frames of a sample's chain; none of a broken one. */
void worker_chain_frames(struct session_worker *w, const struct site *site,
			 const struct sample *smp, struct chain_frames *f);

/* Whether the sample's user frames are wanted with the functions inlined there. */
static inline bool resolver_inlines(const struct resolver *r, const struct sample *smp)
{
	return r->inlines_of_all || (r->inlines && smp->unwound);
}

static inline bool chain_slot_fits(const struct chain_slot *s, const struct site *site, u64 h1,
				   u64 h2)
{
	return s->h1 == h1 && s->h2 == h2 && s->chain && site->time >= s->valid_from &&
	       (!s->changes || s->changes >= site->changed);
}

#endif
