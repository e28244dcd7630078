/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/rings: the ring buffers of one recording: one per CPU, or per task with per_thread. All
 * events of a CPU write into the same ring.
 */
#ifndef CAPTURE_RINGS_H
#define CAPTURE_RINGS_H

#include "base/err.h"
#include "capture/open.h"
#include "sys/ring.h"

struct capture_rings {
	struct ring *ring;
	int *fd; /* the event whose mapping it is; belongs to capture_fds */
	int *aux_fd; /* one that fills an AUX area, -1 = none; the same */
	s32 *cpu; /* whose it is, -1 = of a task */
	u64 *head; /* how far each is to be read; its reader's */
	u64 *made; /* how far each was, when its last round began; its reader's */
	size_t nr;
	size_t data_size; /* bytes of each */
};

struct rings_opts {
	u32 pages; /* of data, 0 = chosen here */
	bool per_thread; /* a ring per task */
	bool large_samples; /* with copies of stacks */
	bool deep; /* a reader that waits for a CPU is to lose little of many samples */
	const struct event *aux; /* that fills AUX areas, NULL = none */
	const u32 *cpus; /* those of the fds, NULL = not by CPU */
};

enum rings_of { RINGS_FORWARD, RINGS_BACKWARD };

/*
 * Rings of the events without (with) attr.write_backward; nr is 0 if there are none.
 * Map rings of pages data pages (a power of two), 0 = as much as is useful and allowed. -1: EPERM
 * when the mlock budget is too small.
 */
int capture_rings_map(struct capture_rings *r, const struct capture_fds *f,
		      const struct event_list *events, enum rings_of which,
		      const struct rings_opts *opts, struct err *e);
void capture_rings_unmap(struct capture_rings *r);

#endif
