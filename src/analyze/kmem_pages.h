/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmem_pages: what the kernel's page allocator was asked for, by which places in the code, and what
 * of it was given back.
 *
 * An allocation is 2^order pages that begin with one: they are given back when that one is; what
 * is freed apart from it counts as freed only. Where tasks are chosen (session_wants_task()): what
 * they asked for, whoever gives it back, and what they themselves free. Any thread, one at a time.
 */
#ifndef ANALYZE_KMEM_PAGES_H
#define ANALYZE_KMEM_PAGES_H

#include "analyze/analyze.h"

/* Sizes are those of the usual page, which recordings do not tell. */
enum { KMEM_PAGE_SIZE = 4096 };
/* No kernel has larger orders, nor more types. */
enum { KMEM_ORDERS = 32, KMEM_TYPES = 8 };

/* Allocations alike: rows of callers, or of pages. */
struct kmem_page_row {
	u64 page; /* of rows of pages: its number, or in kernels before 4.1 its address */
	frame_id site; /* who asked; 0 = the recording does not tell */
	u64 address; /* of the site, as sampled */
	u32 gfp, order, type;
	u64 hits, live; /* of 2^order pages; live: not given back */
};

struct kmem_page_sums {
	u64 nr, bytes;
};

struct kmem_page_totals {
	struct kmem_page_sums allocs, frees, freed, failed; /* freed: allocs that had a free */
	struct kmem_page_sums free_only; /* allocated before, or unseen */
	u64 odd; /* of orders that there cannot be: not counted */
};

/* What the kernel calls the types of memory, in the order of their numbers. */
enum kmem_types {
	KMEM_TYPES_TODAY, /* unmovable, movable, reclaimable, highatomic, CMA */
	KMEM_TYPES_OLD, /* before 4.4: unmovable, reclaimable, movable, reserve, CMA */
};

struct kmem_pages;

struct kmem_pages_opts {
	bool pages; /* rows of pages are wanted */
};

/* The session is one by address. -1 with *e: a field is missing, or (not in a stream) there are no
 * such events. */
int kmem_pages_new(struct kmem_pages **out, struct session *s, const struct kmem_pages_opts *o,
		   struct err *e);
void kmem_pages_free(struct kmem_pages *k);
int kmem_pages_run(struct kmem_pages *k, struct err *e);
/* After the run. Rows belong to k; the caller may put them into another order. */
struct kmem_page_row *kmem_pages_callers(struct kmem_pages *k, size_t *nr);
struct kmem_page_row *kmem_pages_pages(struct kmem_pages *k, size_t *nr);
const struct kmem_page_totals *kmem_pages_totals(const struct kmem_pages *k);
/* By what the types of movable allocations are. */
enum kmem_types kmem_pages_types(const struct kmem_pages *k);
/* Pages are told by address. */
bool kmem_pages_by_address(const struct kmem_pages *k);
/* "GFP_KERNEL|__GFP_ZERO", as the recorded kernel names the bits. */
void kmem_pages_add_flags(struct kmem_pages *k, u32 gfp, struct strbuf *out);

#endif
