/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/spare_events: for each event whose chains are followed by frame pointers since
 * --call-graph auto judged the code to keep them (event.watched), a second one that copies stacks,
 * opened beside it and disabled; a group has one as a whole. When the chains of the first prove
 * broken the second takes over: its samples go into the same rings and, unwound, to the file as
 * those of the first. Filters and cgroups are the same.
 *
 * Where there is no such event, the same is done for those that copy stacks and were given no size:
 * a second one copies as much as the rings can bear. Where the kernel finds no more stack it copies
 * no more, so what a larger copy costs a program with short stacks is room in the rings. One
 * thread.
 */
#ifndef CAPTURE_SPARE_EVENTS_H
#define CAPTURE_SPARE_EVENTS_H

#include "capture/filters.h"
#include "capture/open.h"

struct spare_events {
	struct event_list list;
	struct capture_fds fds; /* the same CPUs and tasks */
	struct capture_filters filters;
	u64 *ids; /* by fd */
	u32 *stands_for; /* by event: number of that in the main list */
	bool larger; /* those that they stand for copy stacks, too */
	u32 copy_size; /* the largest, bytes */
	bool on; /* they have taken over */
};

/*
 * main_fds: of the events, with their rings (of ring_size bytes) mapped. False: there is none to be
 * opened (e is left alone), or it cannot be; nothing is left open then.
 */
struct spare_opts {
	const struct event_list *events;
	const struct capture_fds *main_fds;
	const struct capture_target *target;
	size_t ring_size;
};
bool spare_events_open(struct spare_events *s, const struct spare_opts *o, struct err *e);
/*
 * The largest copy, more than `from` bytes, that a ring can bear at a rate of samples (Hz, 0 = not
 * known): some dozens of samples, and as much time as a recorder may have to wait for a CPU. 0 =
 * there is none.
 */
u32 spare_events_fitting_copy(u32 from, size_t ring_size, u64 freq);
void spare_events_release(struct spare_events *s);
/* The one that stands for an event, -1 = none does. */
long spare_events_find(const struct spare_events *s, u32 event);
/* The ids of their samples: no main event has one between these; 0 and 0 = there are none. */
void spare_events_id_range(const struct spare_events *s, u64 *first, u64 *last);

#endif
