/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place: addresses to objects and addresses in them, by regions: a direct-mapped table of each worker says
 * for blocks of a space what lies there. It holds within a batch, while the model is frozen.
 */
#include "session/private.h"

#include "base/hash.h"
#include "base/mem.h"

static bool fits(const struct region_slot *r, u32 space, u32 batch, u64 ip, u64 time)
{
	return ip - r->start < r->len && r->space == space && r->batch == batch && time >= r->from &&
	       time < r->until;
}

static void fill(const struct model *m, const struct site *site, u8 cpumode, u64 ip,
		 struct region_slot *r)
{
	struct model_region found;

	model_find_region(m, site->thread, cpumode, ip, site->time, &found);
	r->start = found.start;
	r->len = found.end - found.start;
	r->from = found.from;
	r->until = found.until;
	r->map = found.map;
}

void session_place(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		   struct code_place *out)
{
	bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;
	u32 space = kernel ? 0 : site->space;
	u32 batch = (u32)w->batch;
	struct region_slot *r;

	/* what model_find_map() knows nothing of */
	if (!kernel && (cpumode != PERF_RECORD_MISC_USER || !site->thread)) {
		*out = (struct code_place){ .addr = ip, .until = UINT64_MAX };
		return;
	}
	if (!w->regions)
		w->regions = XNEW_ARRAY(struct region_slot, REGION_SLOTS);
	r = &w->regions[hash_finish((ip >> REGION_SHIFT) ^ ((u64)space << 40)) % REGION_SLOTS];
	if (!fits(r, space, batch, ip, site->time)) {
		fill(w->resolver->model, site, cpumode, ip, r);
		r->space = space;
		r->batch = batch;
	}
	*out = (struct code_place){ .map = r->map, .addr = ip, .from = r->from, .until = r->until };
	if (r->map) {
		out->dso = r->map->dso;
		out->addr = model_map_ip(r->map, ip);
	}
}
