/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: elements of arrays by what they begin with, the smallest first, for qsort(), VEC_SORT()
 * and bsearch().
 */
#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H

#include <string.h>

#include "base/types.h"

static inline int by_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static inline int by_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static inline int by_s32(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return (x > y) - (x < y);
}

/* Pointers to them. */
static inline int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

#endif
