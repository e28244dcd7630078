/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/storm.h"

enum {
	SMALL = 1 << 20, /* bytes; larger ones leave time enough */
	PART = 8, /* of a ring, that a nap may fill */
	FEW = 64, /* a part of a ring that is no storm */
	STORM_NS = 5000000, /* a ring that takes longer to fill by half leaves time enough, too */
	NAP_MIN = 10000,
	NAP_MAX = 500000,
};

u64 storm_nap(struct storm *s, u64 now_ns, u64 fill, u64 size)
{
	u64 since = now_ns - s->looked_ns;

	s->looked_ns = now_ns;
	if (size > SMALL || since > STORM_NS || fill < size / FEW)
		return 0;
	return MIN(MAX(since * (size / PART) / fill, (u64)NAP_MIN), (u64)NAP_MAX);
}
