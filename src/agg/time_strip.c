/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/time_strip.h"

#include <string.h>

enum { FIRST_SHIFT = 16 }; /* 65 us */

/* Slices of twice the length. */
static void coarsen(struct time_strip *s)
{
	u64 nr[TIME_STRIP_SLICES] = { 0 };

	for (u32 i = 0; i < TIME_STRIP_SLICES; i++)
		nr[((s->first + i) >> 1) - (s->first >> 1)] += s->nr[i];
	memcpy(s->nr, nr, sizeof(nr));
	s->first >>= 1;
	s->shift++;
}

/* The same slices with others in front; false: they would not fit. */
static bool begin_earlier(struct time_strip *s, u64 first)
{
	u64 by = s->first - first;
	u32 from, until;

	if (time_strip_range(s, &from, &until) && until + by > TIME_STRIP_SLICES)
		return false;
	memmove(s->nr + by, s->nr, (TIME_STRIP_SLICES - by) * sizeof(*s->nr));
	memset(s->nr, 0, by * sizeof(*s->nr));
	s->first = first;
	return true;
}

/* Room for a time: what it is counted in; there is always some. */
static u64 *slice_of(struct time_strip *s, u64 time)
{
	if (!s->used) {
		s->used = true;
		s->shift = FIRST_SHIFT;
		s->first = time >> s->shift;
	}
	for (;; coarsen(s)) {
		u64 at = time >> s->shift;

		if (at >= s->first && at - s->first < TIME_STRIP_SLICES)
			return &s->nr[at - s->first];
		if (at < s->first && s->first - at < TIME_STRIP_SLICES && begin_earlier(s, at))
			return &s->nr[0];
	}
}

void time_strip_add_slow(struct time_strip *s, u64 time)
{
	++*slice_of(s, time);
}

void time_strip_merge(struct time_strip *to, const struct time_strip *from)
{
	struct time_strip s = *from;

	while (s.used && to->used && s.shift < to->shift)
		coarsen(&s);
	for (u32 i = 0; s.used && i < TIME_STRIP_SLICES; i++)
		if (s.nr[i])
			*slice_of(to, (s.first + i) << s.shift) += s.nr[i];
}

void time_strip_slice(const struct time_strip *s, u32 slice, u64 *from, u64 *until)
{
	*from = (s->first + slice) << s->shift;
	*until = (s->first + slice + 1) << s->shift;
}

bool time_strip_range(const struct time_strip *s, u32 *from, u32 *until)
{
	*from = *until = 0;
	for (u32 i = TIME_STRIP_SLICES; i-- > 0;) {
		if (!s->nr[i])
			continue;
		*from = i;
		*until = *until ? *until : i + 1;
	}
	return *until > 0;
}
