/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/cpu_watch: whether CPUs went offline, if only for a moment. The kernel takes a CPU's events
 * away with it and does not bring them back, and no descriptor hangs up. But it makes the CPU's
 * topology folder in sysfs anew when it comes back, so that the folder's inode number tells.
 */
#ifndef SYS_CPU_WATCH_H
#define SYS_CPU_WATCH_H

#include "base/strbuf.h"

struct cpu_watch {
	struct cpu_watch_row {
		u32 cpu;
		u64 folder; /* inode number; 0 = there is none to look at */
	} * rows;
	size_t nr;
};

/* From now on these are watched. sysfs NULL = /sys. */
void cpu_watch_begin(struct cpu_watch *w, const char *sysfs, const u32 *cpus, size_t nr);
/* The CPUs that were away since, as "1,3", each of them once; false: there are none. One stat() for
 * each CPU. */
bool cpu_watch_lost(struct cpu_watch *w, const char *sysfs, struct strbuf *out);
void cpu_watch_release(struct cpu_watch *w);

#endif
