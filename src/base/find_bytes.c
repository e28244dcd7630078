/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/find_bytes.h"

#include <string.h>

#include "base/types.h"

enum { LANES = 16, STEP = 4 * LANES };

typedef u8 lanes __attribute__((vector_size(LANES)));

static inline lanes lanes_at(const char *p)
{
	lanes v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline bool any(lanes v)
{
	u64 half[2];

	memcpy(half, &v, sizeof(half));
	return (half[0] | half[1]) != 0;
}

/*
 * STEP places at once are looked at for the first, the middle and the last byte of what is sought;
 * few have all three.
 */
const char *find_bytes(const char *text, size_t len, const char *what, size_t what_len)
{
	const char *at = text, *end = text + len;
	size_t half = what_len / 2, behind = what_len - 1;
	lanes first, middle, last;

	if (!what_len || len < what_len)
		return what_len ? NULL : text;
	memset(&first, what[0], sizeof(first));
	memset(&middle, what[half], sizeof(middle));
	memset(&last, what[behind], sizeof(last));
	for (; (size_t)(end - at) >= STEP + behind; at += STEP) {
		lanes found = { 0 };

		for (size_t i = 0; i < STEP; i += LANES)
			found |= (lanes)((lanes_at(at + i) == first) &
					 (lanes_at(at + half + i) == middle) &
					 (lanes_at(at + behind + i) == last));
		if (!any(found))
			continue;
		for (size_t i = 0; i < STEP; i++)
			if (at[i] == what[0] && !memcmp(at + i, what, what_len))
				return at + i;
	}
	return memmem(at, (size_t)(end - at), what, what_len);
}
