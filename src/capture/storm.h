/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/storm: how soon small rings are to be looked at again while they fill.
 *
 * The kernel wakes a reader when half of a ring is full, on a CPU of its choice, often the busy one
 * that fills it: the other half of 512 KB is full two milliseconds later. A reader that naps stays
 * on its own CPU, and comes back before an eighth is full. One thread; no errors.
 */
#ifndef CAPTURE_STORM_H
#define CAPTURE_STORM_H

#include "base/types.h"

struct storm {
	u64 looked_ns; /* when the rings were looked at last, of any clock; 0 = never */
};

/*
 * The rings, of size bytes each, were looked at now, and the fullest had fill bytes. How long to
 * sleep until they are looked at again, ns; 0: until the kernel wakes us.
 */
u64 storm_nap(struct storm *s, u64 now_ns, u64 fill, u64 size);

#endif
