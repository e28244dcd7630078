/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose stack a sample has, and what was mapped there at its time.
 */
#include <sys/uio.h>

#include "base/hash.h"
#include "capture/stacks/internal.h"

static void lock_mappings(struct unwinder *u)
{
	if (u->nr_lanes != 1)
		pthread_rwlock_rdlock(&u->model_lock);
}

static void unlock_mappings(struct unwinder *u)
{
	if (u->nr_lanes != 1)
		pthread_rwlock_unlock(&u->model_lock);
}

/* The thread and the mappings of a sample; a thread of which no record has told has those of its
 * process. */
static void find_site(struct unwind_lane *l, u32 pid, u32 tid, u64 time)
{
	struct unwinder *u = l->u;

	if (l->pid == pid && l->tid == tid && time >= l->site.t0 && time < l->site.t1 &&
	    l->generation == __atomic_load_n(&u->generation, __ATOMIC_ACQUIRE))
		return;
	lock_mappings(u);
	model_site_at(u->model, pid, tid, time, &l->site);
	if (!l->site.thread)
		model_site_at(u->model, pid, pid, time, &l->site);
	l->generation = u->generation;
	unlock_mappings(u);
	l->pid = pid;
	l->tid = tid;
}

/* What the model knows around an address; no code there: no object, and end 0. */
static void find_region(struct unwinder *u, const struct stack *s, u64 pc, struct known_region *k)
{
	struct model_region r;

	lock_mappings(u);
	model_find_region(u->model, s->site.thread, PERF_RECORD_MISC_USER, pc, s->time, &r);
	*k = (struct known_region){ .generation = u->generation };
	if (r.map && model_map_is_code(r.map)) {
		k->space = s->site.space;
		k->start = r.start;
		k->end = r.end;
		k->from = r.from;
		k->until = r.until;
		k->place = (struct unwind_place){ .dso = r.map->dso,
						  .object = dso_table_get(u->dsos, r.map->dso),
						  .addr = model_map_ip(r.map, r.start),
						  .start = r.start,
						  .len = r.end - r.start };
	}
	unlock_mappings(u);
}

/* New addresses are many, the regions that they are in few. */
bool unwind_lane_find_place(void *ctx, u64 pc, struct unwind_place *out)
{
	const struct stack *s = ctx;
	struct unwind_lane *l = s->lane;
	struct known_region *k = &l->regions[hash_mix(s->site.space, pc >> REGION_BITS) % REGIONS];

	if (pc < k->start || pc >= k->end || k->space != s->site.space || s->time < k->from ||
	    s->time >= k->until ||
	    k->generation != __atomic_load_n(&l->u->generation, __ATOMIC_ACQUIRE))
		find_region(l->u, s, pc, k);
	*out = k->place;
	out->addr += pc - k->start;
	return k->end != 0;
}

struct fp_chain unwind_lane_fp_chain(const struct sample *smp, u32 max)
{
	struct fp_chain fp = { 0 };

	for (u64 i = 0; i < smp->nr_chain && !fp.v; i++) {
		if (smp->chain[i] == PERF_CONTEXT_USER)
			fp = (struct fp_chain){ .v = smp->chain + i + 1,
						.nr = smp->nr_chain - i - 1 };
	}
	fp.whole = smp->nr_chain < max;
	return fp;
}

/* Of the process that was sampled, as it is now. */
static size_t read_memory(void *ctx, u64 addr, void *into, size_t size)
{
	const struct stack *s = ctx;
	struct iovec here = { .iov_base = into, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)addr, .iov_len = size };
	ssize_t nr = s->smp.pid ? process_vm_readv((pid_t)s->smp.pid, &here, 1, &there, 1, 0) : 0;

	return nr > 0 ? (size_t)nr : 0;
}

void unwind_lane_set_source(struct unwind_lane *l, struct stack *s)
{
	struct unwinder *u = l->u;

	s->time = u->timeless ? __atomic_load_n(&u->clock, __ATOMIC_RELAXED) : s->smp.time;
	find_site(l, s->smp.pid, s->smp.tid, s->time);
	s->site = l->site;
	s->wanted.object = NULL;
	s->source = (struct unwind_source){ .objects = u->objects,
					    .cache = l->cache,
					    .find = unwind_lane_find_place,
					    .ctx = s,
					    .tid = s->smp.tid,
					    .memory = read_memory,
					    .unread = l->patient ? &s->wanted : NULL };
}
