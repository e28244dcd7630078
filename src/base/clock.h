/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the time that passes.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

#include "base/types.h"

/* CLOCK_MONOTONIC, in nanoseconds. */
static inline u64 clock_now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

#endif
