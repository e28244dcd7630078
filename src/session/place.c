/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place: addresses to objects and addresses in them, by regions: a direct-mapped table of each
 * worker says for blocks of a space what lies there. It holds until mappings change.
 */
#include "session/place.h"

#include "base/mem.h"
#include "session/worker.h"

/* Whether model_find_map() knows mappings at that level. */
static bool is_mapped_level(const struct site *site, u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL || model_is_guest_level(cpumode) ||
	       (cpumode == PERF_RECORD_MISC_USER && site->thread);
}

u32 worker_other_space(const struct session_worker *w, const struct site *site, u8 cpumode)
{
	u32 space = model_level_space(w->resolver->model, site->thread, cpumode, site->time);

	return space == MODEL_NO_SPACE ? MODEL_NO_SPACE - cpumode : space;
}

static inline struct region_slot *slot_of(const struct session_worker *w, u32 space, u64 ip)
{
	u64 h = ((ip >> REGION_SHIFT) ^ ((u64)space << 40)) * 0x9e3779b97f4a7c15ULL;

	return &w->regions[(h >> 40) % REGION_SLOTS];
}

u64 worker_unmapped_from(const struct session_worker *w, const struct site *site, u8 cpumode)
{
	u64 last = model_last_map_change(w->resolver->model, site->thread, cpumode);

	return site->time >= last ? site->time : UINT64_MAX;
}

/* What is shown of a module's address without a symbol depends on more than where it is in the
 * module. */
static u32 object_of(const struct session_worker *w, const struct region_slot *r, u8 cpumode)
{
	enum { LEVEL_BITS = 3 };

	if (!r->key || r->map->dso >= SESSION_OBJECTS >> LEVEL_BITS)
		return 0;
	if (r->map->identity &&
	    dso_kind(dso_table_get(w->resolver->dsos, r->map->dso)) == DSO_MODULE)
		return 0;
	return r->map->dso << LEVEL_BITS | cpumode;
}

static __attribute__((noinline)) void fill(const struct session_worker *w, const struct site *site,
					   u8 cpumode, u64 ip, struct region_slot *r)
{
	struct model_region found;

	model_find_region(w->resolver->model, site->thread, cpumode, ip, site->time, &found);
	*r = (struct region_slot){ .start = found.start,
				   .len = found.end - found.start,
				   .from = found.from,
				   .until = found.until,
				   .map = found.map,
				   .space = worker_space(w, site, cpumode),
				   .changes = w->changes };
	if (!r->map) {
		r->valid_from = r->until == UINT64_MAX ? r->from
						       : worker_unmapped_from(w, site, cpumode);
		r->key = dso_frame_key_of_none(cpumode);
		r->object = cpumode;
		return;
	}
	r->valid_from = r->map->t0;
	r->shift = model_map_ip(r->map, ip) - ip;
	if (model_is_guest_level(cpumode) && !r->map->kernel)
		return; /* a guest that runs code of its process: the key has no room for the level
			 */
	r->key = dso_frame_key(r->map->dso, cpumode != PERF_RECORD_MISC_USER, r->shift);
	r->object = object_of(w, r, cpumode);
}

const struct region_slot *region_known(const struct session_worker *w, const struct site *site,
				       u8 cpumode, u64 ip)
{
	u32 space = worker_space(w, site, cpumode);
	const struct region_slot *r;

	if (!w->regions || !is_mapped_level(site, cpumode))
		return NULL;
	r = slot_of(w, space, ip);
	return region_fits(r, space, site->changed, ip, site->time) ? r : NULL;
}

static inline const struct region_slot *find(struct session_worker *w, const struct site *site,
					     u8 cpumode, u64 ip)
{
	u32 space = worker_space(w, site, cpumode);
	struct region_slot *r;

	if (!is_mapped_level(site, cpumode))
		return NULL;
	if (!w->regions) {
		w->regions = XNEW_ARRAY(struct region_slot, REGION_SLOTS);
		/* all pages at once: a page fault for each would interrupt other workers */
		mem_populate(w->regions, REGION_SLOTS * sizeof(*w->regions));
	}
	r = slot_of(w, space, ip);
	if (!region_fits(r, space, site->changed, ip, site->time))
		fill(w, site, cpumode, ip, r);
	return r;
}

const struct region_slot *region_at(struct session_worker *w, const struct site *site, u8 cpumode,
				    u64 ip)
{
	return find(w, site, cpumode, ip);
}

void session_place(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		   struct code_place *out)
{
	const struct region_slot *r = find(w, site, cpumode, ip);

	if (!r) {
		*out = (struct code_place){ .len = UINT64_MAX, .until = UINT64_MAX };
		return;
	}
	*out = (struct code_place){ .map = r->map,
				    .shift = r->shift,
				    .start = r->start,
				    .len = r->len,
				    .from = r->from,
				    .until = r->until };
	if (r->map)
		out->dso = r->map->dso;
}

dso_id session_dso(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip)
{
	const struct region_slot *r = region_at(w, site, cpumode, ip);

	return r && r->map ? r->map->dso : 0;
}
