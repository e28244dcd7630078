/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search: in arrays that are sorted by a number. Thread-safe (no state).
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <string.h>

#include "base/types.h"

/*
 * How many of the nr elements of `size` bytes have a key of at most `key`. The key is a u64 at the
 * start of an element; the last such element, if any, is at the result less one.
 */
static inline size_t search_up_to(const void *v, size_t nr, size_t size, u64 key)
{
	size_t lo = 0;

	for (size_t hi = nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		u64 at;

		memcpy(&at, (const u8 *)v + mid * size, sizeof(at));
		if (at <= key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * How many of the nr elements of `size` bytes have a key below `key`. The key is a u32 at the start of
 * an element; the first with that key or a larger one, if any, is at the result.
 */
static inline size_t search_below_u32(const void *v, size_t nr, size_t size, u32 key)
{
	size_t lo = 0;

	for (size_t hi = nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		u32 at;

		memcpy(&at, (const u8 *)v + mid * size, sizeof(at));
		if (at < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

#endif
