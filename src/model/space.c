/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space: the mappings of a process over time. Live mappings never overlap and are kept sorted; what
 * a new mapping covers is closed at its time and the uncovered ends live on as mappings of their
 * own.
 */
#include <stdio.h>

#include "model/private.h"

struct proc *model_proc_new(struct model *m, u32 pid, u32 *index)
{
	struct proc *p;

	*index = (u32)m->procs.nr;
	p = VEC_PUSH(&m->procs);
	*p = (struct proc){ .pid = pid };
	if (m->guest_code) {
		char name[sizeof("[guest/4294967295]")];

		snprintf(name, sizeof(name), "[guest/%u]", pid);
		p->guest_comm = intern_adds(&m->strs, name);
	}
	*VEC_PUSH(&p->spaces) = (struct space_change){ .time = 0, .space = m->nr_spaces++ };
	return p;
}

void proc_release(struct proc *p)
{
	vec_free(&p->live);
	vec_free(&p->dead);
	vec_free(&p->dead_max);
	vec_free(&p->spaces);
}

static void new_space(struct model *m, struct proc *p, u64 time)
{
	struct space_change *last = VEC_LAST(&p->spaces);

	if (time <= last->time) {
		last->space = m->nr_spaces++;
		return;
	}
	*VEC_PUSH(&p->spaces) = (struct space_change){ .time = time, .space = m->nr_spaces++ };
}

u32 proc_space_at(const struct proc *p, u64 time, u64 *t0, u64 *t1)
{
	size_t lo = 1;
	size_t hi = p->spaces.nr;

	while (lo < hi) { /* first change after time */
		size_t mid = (lo + hi) / 2;

		if (p->spaces.v[mid].time <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	*t1 = lo < p->spaces.nr ? p->spaces.v[lo].time : UINT64_MAX;
	*t0 = p->spaces.v[lo - 1].time;
	return p->spaces.v[lo - 1].space;
}

size_t proc_live_from(const struct proc *p, u64 addr)
{
	size_t lo = 0;
	size_t hi = p->live.nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (p->live.v[mid]->end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void live_insert(struct proc *p, size_t at, struct model_map *map)
{
	VEC_PUSH(&p->live);
	memmove(&p->live.v[at + 1], &p->live.v[at], (p->live.nr - 1 - at) * sizeof(*p->live.v));
	p->live.v[at] = map;
}

static void bury(struct proc *p, struct model_map *map, u64 time)
{
	map->t1 = time;
	if (map->t1 <= map->t0)
		return; /* never visible */
	*VEC_PUSH(&p->dead) = map;
	p->dead_dirty = true;
}

/* The part [start, end) of an old mapping that a new one leaves, as a mapping from time on. */
static struct model_map *remnant(struct model *m, const struct model_map *old, u64 start, u64 end,
				 u64 time)
{
	struct model_map *r = arena_dup(&m->arena, old, sizeof(*old));

	r->pgoff = old->pgoff + (start - old->start);
	r->start = start;
	r->end = end;
	r->t0 = time;
	r->t1 = UINT64_MAX;
	return r;
}

/* Close what overlaps [start, end) at time; returns where a mapping at start belongs. */
static size_t carve(struct model *m, struct proc *p, u64 start, u64 end, u64 time, bool *carved)
{
	size_t at = proc_live_from(p, start);
	size_t last = at;
	struct model_map *before = NULL;
	struct model_map *after = NULL;

	while (last < p->live.nr && p->live.v[last]->start < end)
		last++;
	*carved = last > at;
	if (!*carved)
		return at;
	if (p->live.v[at]->start < start)
		before = remnant(m, p->live.v[at], p->live.v[at]->start, start, time);
	if (p->live.v[last - 1]->end > end)
		after = remnant(m, p->live.v[last - 1], end, p->live.v[last - 1]->end, time);
	for (size_t i = at; i < last; i++)
		bury(p, p->live.v[i], time);
	memmove(&p->live.v[at], &p->live.v[last], (p->live.nr - last) * sizeof(*p->live.v));
	p->live.nr -= last - at;
	if (after)
		live_insert(p, at, after);
	if (before)
		live_insert(p, at++, before);
	return at;
}

/* Does a mapping that p inherited lie in [start, end)? Closed ones count: they may have been live.
 */
static bool covers_inherited(const struct model *m, const struct proc *p, u64 start, u64 end)
{
	while (p->parent) {
		size_t at;

		p = &m->procs.v[p->parent];
		at = proc_live_from(p, start);
		if (at < p->live.nr && p->live.v[at]->start < end)
			return true;
		VEC_FOR(&p->dead, d)
			if ((*d)->start < end && (*d)->end > start)
				return true;
	}
	return false;
}

void proc_add_map(struct model *m, struct proc *p, const struct model_map *map)
{
	bool carved;
	size_t at = proc_live_from(p, map->start);
	struct model_map *have = at < p->live.nr ? p->live.v[at] : NULL;

	/* The same mapping told again (synthesised and then seen) changes at most what it permits.
	 */
	if (have && have->start == map->start && have->end == map->end && have->dso == map->dso &&
	    have->pgoff == map->pgoff) {
		have->prot = map->prot;
		have->flags = map->flags;
		return;
	}
	at = carve(m, p, map->start, map->end, map->t0, &carved);
	live_insert(p, at, arena_dup(&m->arena, map, sizeof(*map)));
	p->last_change = MAX(p->last_change, map->t0);
	p->changed = ++m->map_changes;
	if (carved || covers_inherited(m, p, map->start, map->end))
		new_space(m, p, map->t0);
}

void proc_remove_map(struct model *m, struct proc *p, u64 start, u64 end, u64 time)
{
	bool carved;

	carve(m, p, start, end, time, &carved);
	if (!carved)
		return;
	p->last_change = MAX(p->last_change, time);
	p->changed = ++m->map_changes;
	new_space(m, p, time);
}

/* Index of the first closed mapping that starts above ip. */
static size_t dead_above(const struct proc *p, u64 ip)
{
	size_t lo = 0;
	size_t hi = p->dead.nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (p->dead.v[mid]->start <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool was_at(const struct model_map *map, u64 ip, u64 time)
{
	return ip >= map->start && ip < map->end && time >= map->t0 && time < map->t1;
}

/* Between two records, before model_freeze() has sorted what they closed. */
static const struct model_map *find_unsorted_dead(const struct proc *p, u64 ip, u64 time)
{
	for (size_t i = p->dead.nr; i; i--)
		if (was_at(p->dead.v[i - 1], ip, time))
			return p->dead.v[i - 1];
	return NULL;
}

static const struct model_map *find_dead(const struct proc *p, u64 ip, u64 time)
{
	size_t lo;

	if (UNLIKELY(p->dead_dirty))
		return find_unsorted_dead(p, ip, time);
	lo = dead_above(p, ip);

	while (lo && p->dead_max.v[lo - 1] > ip) {
		const struct model_map *map = p->dead.v[--lo];

		if (was_at(map, ip, time))
			return map;
	}
	return NULL;
}

const struct model_map *proc_find_map(const struct model *m, u32 proc, u64 ip, u64 time)
{
	for (;;) {
		const struct proc *p = &m->procs.v[proc];
		size_t at = proc_live_from(p, ip);
		const struct model_map *map = at < p->live.nr ? p->live.v[at] : NULL;

		if (map && map->start <= ip && time >= map->t0)
			return map;
		if (p->dead.nr) {
			map = find_dead(p, ip, time);
			if (map)
				return map;
		}
		if (!p->parent)
			return NULL;
		proc = p->parent;
		time = p->fork_time;
	}
}

const struct model_map *proc_find_now(const struct model *m, u32 proc, u64 ip, u64 time)
{
	const struct proc *p = &m->procs.v[proc];
	size_t at = proc_live_from(p, ip);
	const struct model_map *map = at < p->live.nr ? p->live.v[at] : NULL;

	if (map && map->start <= ip && time >= map->t0)
		return map;
	return p->parent ? proc_find_map(m, p->parent, ip, p->fork_time) : NULL;
}

/* The widest range around ip without a live mapping of the process, which has none at ip. */
static void narrow_to_live_gap(const struct proc *p, size_t at, struct model_region *r)
{
	if (at)
		r->start = MAX(r->start, p->live.v[at - 1]->end);
	if (at < p->live.nr)
		r->end = MIN(r->end, p->live.v[at]->start);
}

/* The same for closed mappings; false: one lay at ip at another time. */
static bool narrow_to_dead_gap(const struct proc *p, u64 ip, struct model_region *r)
{
	size_t lo = dead_above(p, ip);

	if (lo && p->dead_max.v[lo - 1] > ip)
		return false;
	if (lo)
		r->start = MAX(r->start, p->dead_max.v[lo - 1]);
	if (lo < p->dead.nr)
		r->end = MIN(r->end, p->dead.v[lo]->start);
	return true;
}

/* As proc_find_map() goes, from the process to its ancestors. */
void proc_find_region(const struct model *m, u32 proc, u64 ip, u64 time, struct model_region *out)
{
	const struct model_region once = {
		.start = ip, .end = ip + 1, .from = time, .until = time + 1
	};
	bool own = true;
	u64 now = time;

	*out = (struct model_region){ .end = UINT64_MAX, .until = UINT64_MAX };
	for (;;) {
		const struct proc *p = &m->procs.v[proc];
		size_t at = proc_live_from(p, ip);
		const struct model_map *map = at < p->live.nr ? p->live.v[at] : NULL;

		if (map && map->start <= ip && now >= map->t0) {
			out->map = map;
			out->start = MAX(out->start, map->start);
			out->end = MIN(out->end, map->end);
			if (own)
				out->from = map->t0;
			return;
		}
		if ((map && map->start <= ip) || !narrow_to_dead_gap(p, ip, out))
			break;
		narrow_to_live_gap(p, at, out);
		if (!p->parent)
			return;
		proc = p->parent;
		now = p->fork_time;
		own = false;
	}
	/* something lay there at another time */
	*out = once;
	out->map = proc_find_map(m, proc, ip, now);
}

static int cmp_start(const void *a, const void *b)
{
	const struct model_map *x = *(struct model_map *const *)a;
	const struct model_map *y = *(struct model_map *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

void model_freeze(struct model *m)
{
	VEC_FOR(&m->procs, p) {
		u64 max = 0;

		if (!p->dead_dirty)
			continue;
		VEC_SORT(&p->dead, cmp_start);
		p->dead_max.nr = 0;
		VEC_FOR(&p->dead, d) {
			max = MAX(max, (*d)->end);
			*VEC_PUSH(&p->dead_max) = max;
		}
		p->dead_dirty = false;
	}
}
