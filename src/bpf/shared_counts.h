/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/shared_counts: counts by CPU, thread and cgroup from counters of whole CPUs, which all who
 * count the same event at the same time share: a program at sched_switch reads them when a CPU goes
 * from one task to another. So there is one counter for each CPU and event, however many threads,
 * cgroups and other perfs there are. Needs root and a kernel with type information. One thread.
 *
 * Who shares finds the counters in a map that is pinned in a BPF file system: the key is the
 * event's attribute, the value the number of a map that holds its descriptors. Counters are closed
 * with the last who uses them; a number that nobody uses stays in the map and is replaced.
 *
 * Source: the kernel's Documentation/bpf/; perf-stat(1) of perf 6.1 (--bpf-attr-map).
 */
#ifndef BPF_SHARED_COUNTS_H
#define BPF_SHARED_COUNTS_H

#include "abi/perf_event.h"
#include "base/err.h"
#include "bpf/shared_counts_program.h"

#define SHARED_COUNTS_ATTR_MAP "/sys/fs/bpf/perf_attr_map"

struct shared_counts_opts {
	const s32 *tids; /* nr_tids 0: everybody */
	size_t nr_tids;
	const u64 *cgroups; /* their ids, each once, in cgroup2 */
	size_t nr_cgroups;
	bool children; /* of the threads, too, for the same owner */
	bool on_exec; /* counting begins with the exec of the first of the threads that does one */
	const char
		*attr_map; /* NULL: SHARED_COUNTS_ATTR_MAP if that can be, else nothing is shared */
};

struct shared_counts;

/* nr: of counters, each of which is put next. */
struct shared_counts *shared_counts_new(const struct shared_counts_opts *o, u32 nr, struct err *e);
void shared_counts_free(struct shared_counts *s);
/* Find the counter or open it. attr: to be opened for whole CPUs, enabled. -1 and *e; e->code is
 * the errno of perf_event_open() if that was the call that failed, on all CPUs. */
int shared_counts_put(struct shared_counts *s, u32 counter, const struct perf_event_attr *attr,
		      struct err *e);
/* When all are put. */
int shared_counts_begin(struct shared_counts *s, struct err *e);
void shared_counts_enable(struct shared_counts *s, bool on);
/* Bring all sums up to now. */
void shared_counts_update(struct shared_counts *s);
/*
 * Sums of a CPU, -1 = of all. owner: the number of a thread in opts, or 0 for everybody and 1 + the
 * number of a cgroup.
 */
struct program_count shared_counts_read(struct shared_counts *s, u32 counter, u32 owner, int cpu);
/* Why nothing is shared; NULL = it is. Valid as long as s. */
const char *shared_counts_alone(const struct shared_counts *s);
/* Threads that were not counted, since there were too many. */
u64 shared_counts_lost(const struct shared_counts *s);

#endif
