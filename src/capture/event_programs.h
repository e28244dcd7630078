/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/event_programs: the BPF programs of events (event.program), when these are open: each
 * judges what its event counts or samples, and gets the descriptors of the events that it writes
 * to. One thread.
 */
#ifndef CAPTURE_EVENT_PROGRAMS_H
#define CAPTURE_EVENT_PROGRAMS_H

#include "capture/target.h"
#include "event/event.h"

/* An event that is open: fds[cpu * nr_tasks + task], -1 where it is not. */
struct event_fds {
	const struct event *event;
	const int *fds;
	const int *cpus; /* of fds, -1 = wherever the tasks run; NULL = the target's */
	size_t nr_cpus, nr_tasks;
};

int event_programs_set(const struct event_fds *all, size_t nr, const struct capture_target *t,
		       struct err *e);

#endif
