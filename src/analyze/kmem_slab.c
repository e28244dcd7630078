/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/kmem_slab.h"

#include <errno.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "perfdata/info.h"

/* The CPU of a row: it is not known. */
enum { NO_CPU = INT32_MAX };
/* Of rows to come: so many slots of the table are awaited at once. */
enum { SLOTS_AHEAD = 12 };

struct slab_rows {
	VEC(struct kmem_slab_row) v;
	struct map by_key;
};

/* So many allocations on the CPU asked for memory of the node. */
struct wish {
	u32 cpu, node;
	u64 nr;
};

/* Rows of slab_events. */
enum { EVENT_KMALLOC, EVENT_CACHE, EVENT_KMALLOC_NODE, EVENT_CACHE_NODE, EVENT_FREE, NR_EVENTS };

struct kmem_slab {
	struct session *session;
	struct analyze *analyze;
	struct slab_rows callers, objects;
	VEC(struct wish) wishes;
	struct map by_wish;
	u64 coming[SLOTS_AHEAD]; /* hashes of addresses, the oldest at nr_coming % SLOTS_AHEAD */
	u32 nr_coming;
	bool known[NR_EVENTS], has_node[NR_EVENTS]; /* whether it is known, and whether it has */
	struct kmem_slab_totals totals;
};

enum { ALLOC_SITE, ALLOC_PTR, ALLOC_REQUESTED, ALLOC_ALLOCATED, ALLOC_NODE };
static const struct analyze_field alloc_fields[] = {
	[ALLOC_SITE] = { .names = { "call_site" } },
	[ALLOC_PTR] = { .names = { "ptr" } },
	[ALLOC_REQUESTED] = { .names = { "bytes_req" } },
	[ALLOC_ALLOCATED] = { .names = { "bytes_alloc" } },
	/* -1: any; other kernels than today's have it in the events kmalloc_node and
	 * kmem_cache_alloc_node alone */
	[ALLOC_NODE] = { .names = { "node" }, .optional = true },
	{ .names = { NULL } },
};
enum { FREE_PTR };
static const struct analyze_field free_fields[] = {
	[FREE_PTR] = { .names = { "ptr" } },
	{ .names = { NULL } },
};

/* Its slot in the table is prefetched at once, its row when so many others have come. */
static void prefetch_object(struct kmem_slab *k, u64 key)
{
	u64 *oldest = &k->coming[k->nr_coming++ % SLOTS_AHEAD];
	struct map_probe p = map_first(&k->objects.by_key, *oldest);
	u32 i;

	if (map_next(&k->objects.by_key, &p, &i)) {
		const struct kmem_slab_row *row = &k->objects.v.v[i];

		__builtin_prefetch(row);
		__builtin_prefetch((const char *)(row + 1) - 1);
	}
	*oldest = hash_u64(key);
	map_prefetch(&k->objects.by_key, *oldest);
}

static struct kmem_slab_row *find(const struct slab_rows *t, u64 key)
{
	u32 i;

	for (struct map_probe p = map_first(&t->by_key, hash_u64(key));
	     map_next(&t->by_key, &p, &i);)
		if (t->v.v[i].key == key)
			return &t->v.v[i];
	return NULL;
}

static struct kmem_slab_row *find_or_add(struct slab_rows *t, u64 key)
{
	struct kmem_slab_row *row = find(t, key);

	if (row)
		return row;
	map_add(&t->by_key, hash_u64(key), (u32)t->v.nr);
	row = VEC_PUSH(&t->v);
	*row = (struct kmem_slab_row){ .key = key };
	return row;
}

static void count(struct kmem_slab_row *row, const struct analyze_row *r)
{
	row->hits++;
	row->requested += r->values[ALLOC_REQUESTED];
	row->allocated += r->values[ALLOC_ALLOCATED];
}

static bool has_node(struct kmem_slab *k, u16 event)
{
	if (!k->known[event]) {
		k->known[event] = true;
		k->has_node[event] = tracefmt_find_field(analyze_format(k->analyze, event), "node");
	}
	return k->has_node[event];
}

static void count_wish(struct kmem_slab *k, u32 cpu, u32 node)
{
	u64 hash = hash_u64((u64)cpu << 32 | node);
	u32 i;

	for (struct map_probe p = map_first(&k->by_wish, hash); map_next(&k->by_wish, &p, &i);) {
		if (k->wishes.v[i].cpu != cpu || k->wishes.v[i].node != node)
			continue;
		k->wishes.v[i].nr++;
		return;
	}
	map_add(&k->by_wish, hash, (u32)k->wishes.nr);
	*VEC_PUSH(&k->wishes) = (struct wish){ .cpu = cpu, .node = node, .nr = 1 };
}

static void take_alloc(void *ctx, const struct analyze_row *r)
{
	struct kmem_slab *k = ctx;
	struct kmem_slab_row *object = find_or_add(&k->objects, r->values[ALLOC_PTR]);
	struct kmem_slab_row *caller = find_or_add(&k->callers, r->values[ALLOC_SITE]);

	count(object, r);
	object->last_size = r->values[ALLOC_ALLOCATED];
	object->caller = caller->caller = (u32)(caller - k->callers.v.v);
	object->cpu = r->cpu & NO_CPU;
	object->live = true;
	count(caller, r);
	k->totals.hits++;
	k->totals.requested += r->values[ALLOC_REQUESTED];
	k->totals.allocated += r->values[ALLOC_ALLOCATED];
	k->totals.last = r->time;
	if ((u32)r->values[ALLOC_NODE] != (u32)-1 && has_node(k, r->event))
		count_wish(k, r->cpu, (u32)r->values[ALLOC_NODE]);
}

static void soon_alloc(void *ctx, const struct analyze_row *r)
{
	prefetch_object(ctx, r->values[ALLOC_PTR]);
}

static void soon_free(void *ctx, const struct analyze_row *r)
{
	prefetch_object(ctx, r->values[FREE_PTR]);
}

static void take_free(void *ctx, const struct analyze_row *r)
{
	struct kmem_slab *k = ctx;
	struct kmem_slab_row *object = find(&k->objects, r->values[FREE_PTR]);

	/* a second time: what was allocated there in between is not recorded */
	if (!object || !object->live)
		return;
	object->live = false;
	k->totals.freed += object->last_size;
	if (object->cpu == r->cpu || object->cpu == NO_CPU || r->cpu == (u32)-1)
		return;
	object->pingpong++;
	k->callers.v.v[object->caller].pingpong++;
}

#define ALLOC_ROW(name)                                                                            \
	{                                                                                          \
		.names = { name }, .own = true, .fields = alloc_fields, .take = take_alloc,        \
		.soon = soon_alloc                                                                 \
	}
static const struct analyze_event slab_events[NR_EVENTS] = {
	[EVENT_KMALLOC] = ALLOC_ROW("kmem:kmalloc"),
	[EVENT_CACHE] = ALLOC_ROW("kmem:kmem_cache_alloc"),
	[EVENT_KMALLOC_NODE] = ALLOC_ROW("kmem:kmalloc_node"),
	[EVENT_CACHE_NODE] = ALLOC_ROW("kmem:kmem_cache_alloc_node"),
	[EVENT_FREE] = { .names = { "kmem:kfree", "kmem:kmem_cache_free" },
			 .fields = free_fields,
			 .take = take_free,
			 .soon = soon_free },
};
static const struct analyze_machine slab_machine = {
	.events = slab_events,
	.nr = NR_EVENTS,
};

static int check_events(const struct kmem_slab *k, struct err *e)
{
	for (size_t i = 0; i < NR_EVENTS; i++)
		if (analyze_has(k->analyze, i))
			return 0;
	err_set(e, EINVAL, "'%s' has no events of the slab allocator",
		perfdata_name(session_file(k->session)));
	err_hint(e, "perf kmem record COMMAND records what is needed");
	return -1;
}

int kmem_slab_new(struct kmem_slab **out, struct session *s, struct err *e)
{
	struct kmem_slab *k = XNEW(struct kmem_slab);
	struct analyze_opts ao = { .machine = &slab_machine, .ctx = k };

	k->session = s;
	if (analyze_new(&k->analyze, s, &ao, e) ||
	    (!perfdata_is_pipe(session_file(s)) && check_events(k, e))) {
		kmem_slab_free(k);
		return -1;
	}
	*out = k;
	return 0;
}

static void release(struct slab_rows *t)
{
	vec_free(&t->v);
	map_release(&t->by_key);
}

void kmem_slab_free(struct kmem_slab *k)
{
	if (!k)
		return;
	analyze_free(k->analyze);
	release(&k->callers);
	release(&k->objects);
	vec_free(&k->wishes);
	map_release(&k->by_wish);
	free(k);
}

/* ------------------------------------------------------------------ results */

/* The node of a CPU as the recording tells it, -1 = it does not. */
static s64 node_of(const struct perfdata_info *info, u32 cpu)
{
	for (u32 i = 0; i < info->nr_numa; i++) {
		_cleanup_(mem_freep) u32 *cpus = NULL;
		size_t nr = 0;

		if (!info->numa[i].cpus || !fmt_parse_cpu_list(info->numa[i].cpus, &cpus, &nr))
			continue;
		for (size_t c = 0; c < nr; c++)
			if (cpus[c] == cpu)
				return info->numa[i].node;
	}
	return -1;
}

static void count_cross(struct kmem_slab *k)
{
	const struct perfdata_info *info = perfdata_info(session_file(k->session));
	u32 cpu = (u32)-1;
	s64 node = -1;

	VEC_SORT(&k->wishes, by_u32);
	VEC_FOR(&k->wishes, w) {
		if (w->cpu != cpu) {
			cpu = w->cpu;
			node = node_of(info, cpu);
		}
		if (node < 0)
			k->totals.nodeless += w->nr;
		else if (node != w->node)
			k->totals.cross += w->nr;
	}
}

int kmem_slab_run(struct kmem_slab *k, struct err *e)
{
	if (analyze_run(k->analyze, e) || check_events(k, e))
		return -1;
	count_cross(k);
	return 0;
}

struct kmem_slab_totals kmem_slab_totals(const struct kmem_slab *k)
{
	return k->totals;
}

const struct kmem_slab_row *kmem_slab_callers(const struct kmem_slab *k, size_t *nr)
{
	*nr = k->callers.v.nr;
	return k->callers.v.v;
}

const struct kmem_slab_row *kmem_slab_objects(const struct kmem_slab *k, size_t *nr)
{
	*nr = k->objects.v.nr;
	return k->objects.v.v;
}
