/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/unwinder: copies of stacks become callchains while they are recorded.
 *
 * For an event with --call-graph dwarf the kernel copies registers and the top of the stack into
 * each sample. Here the callers are found in them, and the sample that goes to the file has an
 * ordinary callchain: what the kernel gave, PERF_CONTEXT_USER, the user frames. Registers (unless
 * the user asked for them) and copy are left out, and the file's attributes say so;
 * sample_stack_user keeps telling how much was copied. A chain that the end of the copy cut short
 * has a second PERF_CONTEXT_USER as its last entry, which means nothing to readers that do not
 * know; one that ended where the kernel found no memory to copy (a large frame of which little is
 * used yet, or it is swapped out) two of them. A second PERF_CONTEXT_USER with addresses behind it
 * says that those are guesses (unwind_job.guessed); such a chain has no mark at its end.
 *
 * Where the kernel followed frame pointers as well (attr.exclude_callchain_user is not set), their
 * callers continue a chain that ends early: proven ones as far as the code of each keeps frame
 * pointers, by its tables.
 *
 * Of an event that --call-graph auto follows by frame pointers (event.copies_top) the first words
 * of the stack are copied: the caller of an innermost function that has no frame (yet) is put into
 * the kernel's chain.
 *
 * struct unwinder, one per recording: the mappings, from the records in the rings and those about
 * the state before, and the objects' rules. struct unwind_lane, one per thread that reads rings.
 * unwinder_gather() takes the mapping records of all rings first, so that a sample is looked up
 * in what was mapped at its time, on whatever CPU that happened. Processes that have ended are
 * forgotten when no sample can be theirs any more: when all that was in the rings then has been
 * made, by whatever lane.
 */
#ifndef CAPTURE_UNWINDER_H
#define CAPTURE_UNWINDER_H

#include "base/err.h"
#include "capture/stacks/chain_evidence.h"
#include "event/event.h"
#include "perfdata/writer.h"
#include "sys/ring.h"
#include "unwind/walk.h"

struct unwinder;
struct unwind_lane;

/* The longest chain of user frames; more is asked for by an event's max-stack. */
enum { UNWINDER_MAX_FRAMES = 1024 };

struct unwinder_opts {
	const struct event_list *events;
	const struct event_list
		*spares; /* numbered behind those, NULL = none: see capture/stacks/spare_events */
	const u32 *stands_for; /* by spare: number of the event whose samples its are */
	const struct event *tracking;
	bool keep_regs; /* the user asked for the registers */
	struct ring *rings; /* those that are read while recording */
	size_t nr_rings;
	bool plain_maps; /* see dso_config */
	const char *buildid_dir; /* likewise */
	bool keep_ended; /* records may be read long after they were seen: those of a flight
			    recorder */
};

/* NULL: no event has copies of stacks that are to become callchains. */
struct unwinder *unwinder_new(const struct unwinder_opts *opts);
void unwinder_free(struct unwinder *u);
/* Samples with this id are of that event; before the first sample. */
void unwinder_add_id(struct unwinder *u, u64 id, u32 event);
/* The attributes as the file has them. */
void unwinder_file_attr(const struct unwinder *u, const struct event *ev,
			struct perf_event_attr *out);

/* Forget all mappings: the state is told anew. No lane is at work. */
void unwinder_restart(struct unwinder *u);
/* A record about the state before recording. */
void unwinder_tell(struct unwinder *u, const struct perf_event_header *h);
/* Which rings a lane reads: numbers, NULL = all. */
struct unwind_rings {
	const size_t *which;
	size_t nr;
};
/*
 * Before the heads of a lane's rings are read. made: how far each ring has been made by now, of
 * which those of this lane count; NULL = all that was there in the last round. A ring that is left
 * alone for some rounds keeps what ended meanwhile from being forgotten: true (once for each time
 * that it does) when that is much.
 */
bool unwinder_begin_round(struct unwinder *u, const u64 *made, struct unwind_rings own);
/* How many threads it knows, with those that have ended and are not forgotten yet. No lane is at
 * work. */
u32 unwinder_nr_threads(const struct unwinder *u);
/* Take the mapping records that are in the rings by now. Any thread. */
void unwinder_gather(struct unwinder *u);
/* The same for [from, to) of a ring that stands still. */
void unwinder_gather_still(struct unwinder *u, const struct ring *r, u64 from, u64 to);

struct unwind_stats {
	u64 stacks;
	u64 cut; /* by the end of the copy */
	u64 full; /* had more frames than are kept */
	u64 mended; /* ended early, and the frame pointers knew more */
	u64 guessed; /* some of their frames are guesses */
	u64 incomplete; /* ended early for another reason */
	u64 absent; /* of these: the copy ended where there was no memory */
	u64 broken; /* samples that made no sense and are left out */
};

struct unwind_lane *unwind_lane_new(struct unwinder *u);
void unwind_lane_free(struct unwind_lane *l);
/*
 * Whole records of a ring, gathered before, into the lane's output, the stacks as chains. Returns
 * how far it came: `patient` stops before a sample in an object that has not been read. The lane is
 * waiting then for unwind_lane_read_object(), by any thread.
 */
u64 unwind_lane_make(struct unwind_lane *l, const struct ring *r, u64 from, u64 to, bool patient);
bool unwind_lane_is_waiting(const struct unwind_lane *l);
/* Bytes of that object's file; 0 = it is in none, UINT64_MAX = not known: removed, or in another
 * root. */
u64 unwind_lane_object_size(const struct unwind_lane *l);
void unwind_lane_read_object(struct unwind_lane *l);
/* The output to the file, and how much there is of it. */
size_t unwind_lane_waiting_bytes(const struct unwind_lane *l);
int unwind_lane_flush(struct unwind_lane *l, struct perfdata_writer *w, struct err *e);
/* Both, with whatever objects that needs. */
int unwind_lane_write(struct unwind_lane *l, const struct ring *r, u64 from, u64 to,
		      struct perfdata_writer *w, struct err *e);
/* The stack of a task that stands still: memory from its stack pointer on. Of this machine's own
 * kind, not 32 bits. */
struct unwind_task {
	u32 pid, tid;
	u64 time; /* now, by the clock of the samples */
	struct unwind_regs regs;
	struct unwind_stack stack;
};
/* Its frames, as in the chains of samples, without guesses, and why there are no more. What is
 * mapped was gathered before. */
size_t unwind_lane_walk_task(struct unwind_lane *l, const struct unwind_task *t, u64 *pcs,
			     size_t max, enum unwind_end *end);
/*
 * Add what it saw of the objects, and of the chains of watched events: those by frame pointers and
 * the unwound ones. The objects are known until unwinder_restart(). Any thread.
 */
void unwind_lane_add_evidence(struct unwind_lane *l, struct chain_evidence *sum);
/* From now on it counts chains of the other kind; any thread. */
void unwind_lane_judge_anew(struct unwind_lane *l, bool of_copies);
/* Look at the records of a ring that stands still, for that alone: nothing goes to the output. */
void unwind_lane_look(struct unwind_lane *l, const struct ring *r, u64 from, u64 to);
/* What it counted since the last call. */
struct unwind_stats unwind_lane_take_stats(struct unwind_lane *l);

#endif
