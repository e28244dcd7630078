/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/perf_clock: what time it is on the clock that the kernel stamps samples with, which no other
 * call tells: a page fault of our own is sampled. One thread, the one that opened it.
 */
#ifndef SYS_PERF_CLOCK_H
#define SYS_PERF_CLOCK_H

#include "sys/ring.h"

struct perf_clock {
	int fd;
	struct ring ring;
	volatile u8 *page; /* that is not there until it is touched */
	size_t page_size;
};

/* clockid NULL = the default clock of events. 0 or -errno. */
int perf_clock_open(struct perf_clock *c, const s32 *clockid);
/* How far it is ahead of CLOCK_MONOTONIC, in ns, at this moment. false: it could not be read. */
bool perf_clock_ahead(struct perf_clock *c, s64 *ns);
void perf_clock_close(struct perf_clock *c);

#endif
