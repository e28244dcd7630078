/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/timeline: what tasks did when: for each a row of spans that do not overlap. They come one by
 * one, a task's in order of time, each when it ends; what is not known (before a task is seen
 * first, after events were lost) is a gap. Strings are borrowed from the maker and not escaped.
 */
#ifndef VIEW_TIMELINE_H
#define VIEW_TIMELINE_H

#include "base/types.h"

enum timeline_state {
	TIMELINE_RUNNING, /* has a CPU */
	TIMELINE_WOKEN, /* was woken up and waits for a CPU */
	TIMELINE_PREEMPTED, /* lost its CPU and waits for one */
	TIMELINE_SLEEPING, /* waits for something that may take long: S, and I of kernel threads */
	TIMELINE_BLOCKED, /* waits without being interruptible: D: disks, page faults, locks */
	TIMELINE_STOPPED, /* by a signal or a debugger: T, t */
	TIMELINE_STATES,
};

/* No task: an interrupt; not known. */
#define TIMELINE_NOBODY UINT32_MAX

struct timeline_span {
	u64 from, until; /* ns */
	enum timeline_state state;
	u32 task;
	u32 cpu; /* of TIMELINE_RUNNING */
	u32 by; /* of TIMELINE_WOKEN: the task that did it */
	bool goes_on; /* it had not ended when the recording, or what was asked for, did */
};

struct timeline_task {
	const char *comm; /* its name at that time */
	u32 pid, tid;
};

/* What is told at the end. */
struct timeline_end {
	u64 from, until; /* ns: what was asked for, or first and last switch */
	u32 nr_cpus;
	const char *recording; /* its name */
	u64 lost; /* events, while recording */
};

#endif
