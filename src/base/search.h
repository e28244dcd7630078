/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search: in arrays that are sorted by a number. Thread-safe (no state).
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <string.h>

#include "base/types.h"

/* Elements whose key, the number of `width` bytes (4 or 8) at their start, is at most `last`. */
static inline size_t search_keys(const void *v, size_t nr, size_t size, size_t width, u64 last)
{
	size_t lo = 0;

	for (size_t hi = nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		const u8 *element = (const u8 *)v + mid * size;
		u64 wide;
		u32 narrow;

		if (width == sizeof(wide)) {
			memcpy(&wide, element, sizeof(wide));
		} else {
			memcpy(&narrow, element, sizeof(narrow));
			wide = narrow;
		}
		if (wide <= last)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * How many of the nr elements of `size` bytes have a key of at most `key`. The key is a u64 at the
 * start of an element; the last such element, if any, is at the result less one.
 */
static inline size_t search_up_to(const void *v, size_t nr, size_t size, u64 key)
{
	return search_keys(v, nr, size, sizeof(u64), key);
}

/*
 * How many of the nr elements of `size` bytes have a key below `key`. The key is a u32 at the start
 * of an element; the first with that key or a larger one, if any, is at the result.
 */
static inline size_t search_below_u32(const void *v, size_t nr, size_t size, u32 key)
{
	return key ? search_keys(v, nr, size, sizeof(u32), key - 1) : 0;
}

#endif
