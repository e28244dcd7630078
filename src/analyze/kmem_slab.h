/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmem_slab: what the kernel's slab allocator was asked for, by which places in the code, and which
 * objects were freed on another CPU than they were allocated on. Where tasks are chosen
 * (session_wants_task()): of what they asked for, whoever frees it. Any thread, one at a time.
 */
#ifndef ANALYZE_KMEM_SLAB_H
#define ANALYZE_KMEM_SLAB_H

#include "analyze/analyze.h"

/* All allocations at an address, or by a call site. Bytes. */
struct kmem_slab_row {
	u64 key; /* the object's address, or the call site */
	u64 requested, allocated;
	u32 hits;
	u32 pingpong; /* freed on another CPU */
	u64 last_size; /* of rows of addresses, as what follows: the last allocation */
	u32 caller; /* its row of call sites; of these, their own */
	u32 cpu : 31; /* all bits = not told */
	u32 live : 1; /* not freed */
};

struct kmem_slab_totals {
	u64 hits, requested, allocated, freed;
	u64 cross; /* asked for memory of another NUMA node than the CPU's */
	u64 nodeless; /* named a node, but it is not recorded which one the CPU belongs to */
	u64 last; /* time of the last event, ns */
};

struct kmem_slab;

/* -1 with *e: a field is missing, or (not in a stream) there are no such events. */
int kmem_slab_new(struct kmem_slab **out, struct session *s, struct err *e);
void kmem_slab_free(struct kmem_slab *k);
int kmem_slab_run(struct kmem_slab *k, struct err *e);
struct kmem_slab_totals kmem_slab_totals(const struct kmem_slab *k);
/* After kmem_slab_run(): rows of call sites, or of addresses, in no order. */
const struct kmem_slab_row *kmem_slab_callers(const struct kmem_slab *k, size_t *nr);
const struct kmem_slab_row *kmem_slab_objects(const struct kmem_slab *k, size_t *nr);

#endif
