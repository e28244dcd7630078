/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/drain: what the recorder learns from the records while it copies them: how many samples,
 * what was lost or throttled, first and last time, which objects were hit. Only headers and the
 * first words of samples are looked at; nothing is decoded twice. One thread.
 */
#ifndef CAPTURE_DRAIN_H
#define CAPTURE_DRAIN_H

#include "capture/stacks/stacks.h"
#include "capture/touched.h"
#include "sys/ring.h"

struct drain_stats {
	u64 samples;
	u64 lost; /* events, from LOST records */
	u64 lost_records; /* how many LOST records */
	u64 worst_loss; /* events that one ring lost between two looks at it */
	u64 bytes; /* of records looked at */
	u64 throttles;
	u64 first_time, last_time; /* of samples; 0 = none seen */
	u64 bad; /* rings given up on: records of an impossible size */
	u64 aux_full, aux_gaps, aux_collisions; /* AUX records that tell of missing trace */
	struct unwind_stats stacks;
};

/* Where things are in a sample, in words from its header; -1 = not there. */
struct drain_layout {
	s8 ip, tid, time;
};

struct drain {
	struct drain_stats stats;
	struct drain_layout layout;
	const u64 *timeless; /* sorted ids of events without PERF_SAMPLE_TIME: their samples begin
				with IDENTIFIER */
	size_t nr_timeless;
	struct touched *touched; /* NULL = not wanted */
	struct stack_reader reader;
};

/* A sample that comes from elsewhere; time 0 = it has none. */
void drain_note_sample(struct drain *d, u16 cpumode, s32 pid, u64 ip, u64 time);
/* Add what another thread has learned. */
void drain_merge(struct drain *d, const struct drain *from);
/*
 * The size of a ring (a power of two, bytes) that would have held what one of ring_size lost: room
 * for the worst loss on top, in records of the average size, and a quarter more. ring_size if
 * nothing was lost; at most max.
 */
u64 drain_ring_size_wanted(const struct drain_stats *s, u64 ring_size, u64 max);
struct drain_layout drain_layout_of(u64 sample_type);
/* Look at the records in [from, to), but at no more than is needed to get to limit. Returns the
 * position behind the last whole one; from if the size of the first is impossible. */
u64 drain_scan(struct drain *d, const struct ring *r, u64 from, u64 to, u64 limit);

#endif
