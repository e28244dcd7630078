/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/durations.h"

void durations_add(struct view_durations *d, u64 ns)
{
	if (!d->count++ || ns < d->least)
		d->least = ns;
	if (ns > d->most)
		d->most = ns;
	d->total += ns;
}

u64 ftrace_bucket(const struct ftrace_buckets *b, u64 ns)
{
	u64 value = b->in_ns ? ns : ns / 1000, i;

	if (!b->range)
		i = value ? 64 - (u64)__builtin_clzll(value) : 0;
	else if (!b->least)
		i = value / b->range;
	else
		i = value < b->least ? 0 : (value - b->least) / b->range + 1;
	return MIN(i, b->nr - 1);
}
