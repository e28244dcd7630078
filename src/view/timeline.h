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
	u32 cpu; /* of TIMELINE_RUNNING, and that waits end on; TIMELINE_NOBODY = not told */
	u32 by; /* of TIMELINE_WOKEN: the task that did it */
	u32 stack; /* where it gave up the CPU (that it had, or before it waited), or where it was
		    * woken up; 0 = not told */
	bool goes_on; /* it had not ended when the recording, or what was asked for, did */
};

enum timeline_power {
	TIMELINE_IDLE, /* value: the number of the state, 1 = the lightest sleep, 0 = it polls */
	TIMELINE_FREQUENCY, /* value: kHz */
	TIMELINE_POWERS,
};

/* The same of a CPU. */
struct timeline_power_span {
	u64 from, until; /* ns */
	enum timeline_power power;
	u32 cpu, value;
	bool goes_on;
};

struct timeline_task {
	const char *comm; /* its name at that time */
	u32 pid, tid;
};

/* What is told at the end. */
struct timeline_end {
	u64 from, until; /* ns: what was asked for, or first and last event */
	u32 nr_cpus;
	const char *recording; /* its name */
	u64 lost; /* events, while recording */
};

#endif
