/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/place: which object lies at an address, and where in it.
 */
#ifndef SESSION_PLACE_H
#define SESSION_PLACE_H

#include "session/session.h"

/* Addresses of a space that lie in one mapping, or in none. */
struct region_slot {
	u64 start, len; /* addresses */
	u64 from, until;
	const struct model_map *map;
	u32 space;
	u32 changes; /* session_worker.changes then; 0 = empty */
	u64 valid_from; /* what is found here holds from then on */
	u64 shift; /* from addresses to those in the object */
	u64 key; /* for dso_frames.h; 0 = its frames are not kept there */
	u32 object; /* session_spot.object */
};

enum { REGION_SLOTS = 1 << 11, REGION_SHIFT = 18 };

/* The space of addresses of a level that is neither the kernel's nor the user's. */
u32 worker_other_space(const struct session_worker *w, const struct site *site, u8 cpumode);
static inline u32 worker_space(const struct session_worker *w, const struct site *site, u8 cpumode)
{
	if (cpumode == PERF_RECORD_MISC_KERNEL)
		return 0;
	return LIKELY(cpumode == PERF_RECORD_MISC_USER) ? site->space
							: worker_other_space(w, site, cpumode);
}

static inline bool region_fits(const struct region_slot *r, u32 space, u32 changed, u64 ip,
			       u64 time)
{
	return ip - r->start < r->len && r->space == space && r->changes >= changed &&
	       time >= r->from && time < r->until;
}

/* The region of an address, made if it is not known; NULL = the model knows no mappings at that
 * level. */
const struct region_slot *region_at(struct session_worker *w, const struct site *site, u8 cpumode,
				    u64 ip);
/* The same, NULL if it has not been made. */
const struct region_slot *region_known(const struct session_worker *w, const struct site *site,
				       u8 cpumode, u64 ip);

/* The time from which on an address stays unmapped that is so at the site's time; UINT64_MAX:
 * mappings change later. */
u64 worker_unmapped_from(const struct session_worker *w, const struct site *site, u8 cpumode);

#endif
