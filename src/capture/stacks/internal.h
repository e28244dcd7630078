/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwinder_internal: the parts of capture/stacks/unwinder, from the bottom up: place.c finds what
 * is mapped where a sample was taken, evidence.c looks at what stacks tell of the code, lane.c
 * makes chains of copies; unwinder.c has the mappings.
 */
#ifndef CAPTURE_UNWINDER_INTERNAL_H
#define CAPTURE_UNWINDER_INTERNAL_H

#include <pthread.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "capture/stacks/pages.h"
#include "capture/stacks/unwinder.h"
#include "model/model.h"
#include "perfdata/sample.h"
#include "unwind/objects.h"

enum { EPOCHS = 4 };
enum { TOP_FRAMES = 6 };
enum { RECORD_MAX = 1 << 16, RECORD_USABLE = (1 << 16) - 8 };

/* One event, as the kernel writes its samples and as they are stored. */
struct unwound_event {
	struct sample_layout layout;
	bool stacks; /* its samples have copies */
	bool watched; /* chains by frame pointers, of an event that others may stand in for */
	bool spare; /* it is one of these others */
	u32 grows; /* bytes that are copied until larger copies take over, 0 = none do; of both
		      events */
	bool top; /* the copies are for the caller of the innermost function alone */
	bool file_has_regs; /* its samples have registers in the file ... */
	u64 file_regs; /* ... these, of copied_regs; 0 = that there are none */
	u64 copied_regs;
	struct unwind_reg_words regs, regs32;
	u32 max_frames;
	u32 kernel_max; /* frames that the kernel follows by itself */
};

struct id_entry {
	u64 id;
	u32 event;
};

/* A record about mappings that waits for its turn. */
struct pending {
	u64 time;
	size_t offset; /* in bytes */
};

struct unwinder {
	struct unwinder_opts o;
	const struct unwind_abi *abi, *abi32;
	struct sample_layout side; /* of the records about mappings */
	bool timeless; /* they have no time: what comes later is later */
	bool monotonic; /* it is CLOCK_MONOTONIC's */
	struct unwound_event *events;
	size_t nr_events;
	VEC(struct id_entry) ids;
	struct map by_id;
	struct unwind_objects *objects;

	/* the mappings; written by unwinder_gather() under both locks; where there is one lane, its
	 * thread alone gathers, and reads without a lock */
	pthread_rwlock_t model_lock;
	struct dso_table *dsos;
	struct model *model;
	u64 generation; /* counts changes */
	u64 restarts;
	u64 tables; /* of objects, that were begun */
	u64 clock; /* timeless: the time now */
	u32 epoch; /* number of the time from a round on, until all that was there then is made */
	u64 latest; /* time of a record */
	u64 epoch_time[EPOCHS]; /* that at the end of the last epochs */
	u32 nr_lanes;
	pthread_rwlock_t lanes_lock; /* held by each of several lanes while it has numbers of the
					model; for another model */

	pthread_mutex_t gather_lock;
	u64 *seen; /* by ring: gathered up to here */
	u64 *mark; /* where it ended when the epoch began */
	u64 *made; /* what its lane told last */
	bool held_up; /* it was told in this epoch that one keeps too much */
	VEC(struct pending) pending;
	struct strbuf bytes;
};

/* The user part of a chain that the kernel made by frame pointers. */
struct fp_chain {
	const u64 *v;
	u64 nr;
	bool whole; /* it ends where the frame pointers do */
};

/* A sample on its way from the ring to the output. */
struct stack {
	struct unwind_lane *lane;
	const struct unwound_event *ev;
	const struct perf_event_header *h;
	u64 pos; /* in the ring */
	struct sample smp;
	bool broken; /* it makes no sense */
	struct unwind_job *job; /* NULL: there is nothing to be looked for */
	struct fp_chain fp;
	VEC(u64) chain; /* as it will be: what the kernel gave, a mark, the user frames */
	struct model_site site;
	u64 time;
	struct unwind_source source;
	struct unwind_place wanted; /* an object that has to be read first; object NULL: none */
};

/* What is mapped in [start, end) of a space at times [from, until). */
struct known_region {
	u64 start, end, from, until;
	u64 generation; /* in which that holds */
	u32 space;
	struct unwind_place place; /* at the start */
};

enum { REGIONS = 64, REGION_BITS = 20 };

struct unwind_lane {
	struct unwinder *u;
	struct unwind_cache *cache;
	struct known_region regions[REGIONS];
	struct unwind_stats stats;
	struct strbuf out;
	struct stack stacks[UNWIND_SIDE_BY_SIDE]; /* of samples that are unwound side by side */
	struct unwind_job jobs[UNWIND_SIDE_BY_SIDE];
	u64 top[UNWIND_SIDE_BY_SIDE][TOP_FRAMES]; /* of jobs of that kind */
	size_t nr_stacks, nr_jobs;
	struct model_site site; /* of the latest sample */
	u32 pid, tid;
	u64 generation; /* in which the site is valid */
	u64 restarts; /* seen: the cache is of that state */
	u64 tables; /* the evidence is of the objects of that one */
	pthread_mutex_t evidence_lock;
	struct chain_evidence evidence;
	u64 seen; /* stacks that might have been looked at for that */
	struct stack chain_end; /* of a chain that is looked at */
	bool patient; /* it stops before a sample that needs an object that has not been read */
	struct unwind_place wanted; /* which one; object NULL: none */
	u64 record[RECORD_MAX / 8]; /* one that wraps in its ring */
};

static inline struct perf_event_header header_at(const struct ring *r, u64 pos)
{
	u64 w = ring_word(r, pos);
	struct perf_event_header h;

	memcpy(&h, &w, sizeof(h));
	return h;
}

/* All of the first stacks, then a share. */
bool unwind_evidence_is_wanted(struct unwind_lane *l);
/* Whether the stack ends at a program's first function: when a compiler made it, its table tells of
 * a caller, though there is none. */
bool unwind_evidence_ends_at_entry(const struct stack *s);
/* A stack was unwound: whether it came to an end; cut: by what was copied or is kept. A stack that
 * ends with its copy counts for those who would copy more. */
void unwind_evidence_of_stack(struct unwind_lane *l, const struct stack *s, bool ended, bool cut);
/* A chain by frame pointers alone, of a watched event. */
void unwind_evidence_of_chain(struct unwind_lane *l, const struct unwound_event *ev,
			      const struct perf_event_header *h);

/* Of stacks/place.c: what is mapped at an address, for a struct stack whose source is set. */
bool unwind_lane_find_place(void *stack, u64 pc, struct unwind_place *out);
struct fp_chain unwind_lane_fp_chain(const struct sample *smp, u32 max);
void unwind_lane_set_source(struct unwind_lane *l, struct stack *s);

#endif
