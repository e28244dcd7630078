/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/layout: which of several reading threads reads the rings of which CPUs, and where it runs
 * (record --threads). Pure: the topology is given. Owned by the command.
 *
 * Source: perf-record(1), --threads.
 */
#ifndef CAPTURE_LAYOUT_H
#define CAPTURE_LAYOUT_H

#include "base/err.h"
#include "sys/cpu.h"

struct layout_cpus {
	u32 *v;
	size_t nr;
};

struct layout_thread {
	struct layout_cpus reads; /* rings of these CPUs */
	struct layout_cpus runs_on;
};

struct layout {
	VEC(struct layout_thread) threads;
};

/*
 * spec: NULL or "" or "cpu", "core", "package", "numa", or masks "READS/RUNS_ON:..."; CPUs that are
 * not among the nr measured ones are left out, and threads that nothing is left for. -1: e has
 * perf's line.
 */
int layout_parse(struct layout *l, const char *spec, const struct sys_topology *t, const u32 *cpus,
		 size_t nr, struct err *e);
void layout_release(struct layout *l);
/* The number of the thread that reads this CPU's ring; 0 for CPUs that the user gave to no thread,
 * and for -1. */
size_t layout_reader_of(const struct layout *l, s32 cpu);

#endif
