/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/kmem_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "perfdata/info.h"

/* In every kernel's GFP flags: the memory can be moved, or given back when it is needed. */
enum { GFP_MOVABLE = 0x08, GFP_RECLAIMABLE = 0x10 };

struct page_rows {
	VEC(struct kmem_page_row) v;
	struct map by_key;
};

/* Rows of callers + 1 of neighbouring pages; 0 = it is free, or was allocated unseen. */
enum { BLOCK = 64 };
struct page_block {
	u64 number;
	u32 rows[BLOCK];
};

struct gfp_name {
	u64 mask;
	const char *text; /* in the format */
	u32 len;
};

/* Rows of the table of events. */
enum { EVENT_ALLOC, EVENT_FREE, NR_EVENTS };

/* What is known of a chain. */
struct page_chain {
	bool looked_at;
	frame_id site;
	u64 address;
};

struct kmem_pages {
	struct kmem_pages_opts o;
	struct session *session;
	struct analyze *analyze;
	struct page_rows callers, pages;
	VEC(struct page_block *) blocks;
	struct map by_block;
	VEC(struct page_chain) chains; /* by chain_id */
	VEC(struct gfp_name) names;
	bool named; /* they are read */
	bool known, by_address; /* whether it is known, and what */
	u64 movable[2]; /* movable allocations that have the type of today, and of old kernels */
	struct kmem_page_totals totals;
};

/* ------------------------------------------------------------------ who asked */

/* The allocator's own functions: who calls these has asked. */
static bool is_allocator(const char *name)
{
	static const char *const begin[] = {
		"alloc_pages",         "alloc_page_",
		"alloc_frozen_pages",  "alloc_contig",
		"folio_alloc",         "vma_alloc_",
		"filemap_alloc_folio", "get_free_page",
		"get_zeroed_page",     "get_page_from_freelist",
	};

	name += strspn(name, "_");
	if (!strcmp(name, "alloc_page") || strstr(name, "mm_page_alloc"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(begin); i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

static bool is_frame_of_allocator(const struct kmem_pages *k, const struct frame *f)
{
	const struct symtab *st;

	if (f->sym == SYM_NONE)
		return false;
	st = dso_symtab(dso_table_get(session_dsos(k->session), f->dso));
	return st && is_allocator(symtab_name(st, f->sym));
}

/* Where the allocator's functions end. */
static struct page_chain look_at(const struct kmem_pages *k, chain_id chain)
{
	size_t nr = 0;
	const frame_id *frames = session_chain_frames(k->session, chain, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct frame *f = session_frame_get(k->session, frames[i]);

		if (f->cpumode != PERF_RECORD_MISC_KERNEL)
			break;
		if (!is_frame_of_allocator(k, f))
			return (struct page_chain){ true, frames[i], f->ip };
	}
	return (struct page_chain){ .looked_at = true };
}

static void find_site(struct kmem_pages *k, chain_id chain, struct kmem_page_row *row)
{
	struct page_chain *c;

	if (!chain)
		return;
	while (k->chains.nr <= chain)
		*VEC_PUSH(&k->chains) = (struct page_chain){ .looked_at = false };
	c = &k->chains.v[chain];
	if (!c->looked_at)
		*c = look_at(k, chain);
	row->site = c->site;
	row->address = c->address;
}

/* ------------------------------------------------------------------ rows */

static u32 find_caller(struct page_rows *t, const struct kmem_page_row *want)
{
	u64 hash = hash_u64(hash_u64((u64)want->site << 32 | want->gfp) ^
			    ((u64)want->order << 32 | want->type));
	u32 i;

	for (struct map_probe p = map_first(&t->by_key, hash); map_next(&t->by_key, &p, &i);) {
		const struct kmem_page_row *row = &t->v.v[i];

		if (row->site == want->site && row->gfp == want->gfp && row->order == want->order &&
		    row->type == want->type)
			return i;
	}
	i = (u32)t->v.nr;
	map_add(&t->by_key, hash, i);
	*VEC_PUSH(&t->v) = *want;
	return i;
}

/* Of rows of pages. */
static struct kmem_page_row *find_page(struct page_rows *t, const struct kmem_page_row *caller,
				       u64 page)
{
	u64 hash = hash_u64(page);
	struct kmem_page_row *row;
	u32 i;

	for (struct map_probe p = map_first(&t->by_key, hash); map_next(&t->by_key, &p, &i);) {
		row = &t->v.v[i];
		if (row->page == page && row->site == caller->site && row->gfp == caller->gfp &&
		    row->order == caller->order && row->type == caller->type)
			return row;
	}
	map_add(&t->by_key, hash, (u32)t->v.nr);
	row = VEC_PUSH(&t->v);
	*row = *caller;
	row->page = page;
	row->hits = row->live = 0;
	return row;
}

/* Where it stands who has the page. */
static u32 *find_owner(struct kmem_pages *k, u64 page)
{
	u64 number = page / BLOCK, hash = hash_u64(number);
	struct page_block *b;
	u32 i;

	for (struct map_probe p = map_first(&k->by_block, hash); map_next(&k->by_block, &p, &i);)
		if (k->blocks.v[i]->number == number)
			return &k->blocks.v[i]->rows[page % BLOCK];
	map_add(&k->by_block, hash, (u32)k->blocks.nr);
	b = XNEW(struct page_block);
	b->number = number;
	*VEC_PUSH(&k->blocks) = b;
	return &b->rows[page % BLOCK];
}

/* The row of callers that had the page, or NULL; nobody has it any more. */
static const struct kmem_page_row *give_back(struct kmem_pages *k, u32 *owner, u64 page)
{
	struct kmem_page_row *row;

	if (!*owner)
		return NULL;
	row = &k->callers.v.v[*owner - 1];
	row->live--;
	if (k->o.pages)
		find_page(&k->pages, row, page)->live--;
	*owner = 0;
	return row;
}

static void add(struct kmem_page_sums *s, u64 bytes)
{
	s->nr++;
	s->bytes += bytes;
}

/* ------------------------------------------------------------------ the machine */

enum { FREE_PAGE, FREE_ORDER };
#define PAGE_FIELDS                                                                                \
	[FREE_PAGE] = { .names = { "pfn", "page" } }, [FREE_ORDER] = { .names = { "order" } }
enum { ALLOC_PAGE, ALLOC_ORDER, ALLOC_GFP, ALLOC_TYPE };
static const struct analyze_field alloc_fields[] = {
	PAGE_FIELDS,
	[ALLOC_GFP] = { .names = { "gfp_flags" } },
	[ALLOC_TYPE] = { .names = { "migratetype" } },
	{ .names = { NULL } },
};
static const struct analyze_field free_fields[] = {
	PAGE_FIELDS,
	{ .names = { NULL } },
};

static bool by_address(struct kmem_pages *k, u16 event)
{
	if (!k->known) {
		k->known = true;
		k->by_address = !tracefmt_find_field(analyze_format(k->analyze, event), "pfn");
	}
	return k->by_address;
}

static void note_type(struct kmem_pages *k, const struct kmem_page_row *row)
{
	if ((row->gfp & (GFP_MOVABLE | GFP_RECLAIMABLE)) != GFP_MOVABLE)
		return;
	if (row->type == 1 || row->type == 2)
		k->movable[row->type - 1]++;
}

static void take_alloc(void *ctx, const struct analyze_row *r)
{
	struct kmem_pages *k = ctx;
	struct kmem_page_row want = { .gfp = (u32)r->values[ALLOC_GFP],
				      .order = (u32)MIN(r->values[ALLOC_ORDER], UINT32_MAX),
				      .type = (u32)MIN(r->values[ALLOC_TYPE], UINT32_MAX) };
	u64 page = r->values[ALLOC_PAGE], bytes;
	u32 row, *owner;

	if (want.order >= KMEM_ORDERS) {
		k->totals.odd++;
		return;
	}
	bytes = (u64)KMEM_PAGE_SIZE << want.order;
	add(&k->totals.allocs, bytes);
	if (page == (by_address(k, r->event) ? 0 : UINT64_MAX)) {
		add(&k->totals.failed, bytes);
		return;
	}
	find_site(k, r->chain, &want);
	row = find_caller(&k->callers, &want);
	owner = find_owner(k, page);
	give_back(k, owner, page); /* unseen */
	*owner = row + 1;
	k->callers.v.v[row].hits++;
	k->callers.v.v[row].live++;
	if (k->o.pages) {
		struct kmem_page_row *of_page = find_page(&k->pages, &want, page);

		of_page->hits++;
		of_page->live++;
	}
	note_type(k, &want);
}

static void take_free(void *ctx, const struct analyze_row *r)
{
	struct kmem_pages *k = ctx;
	u64 page = r->values[FREE_PAGE], order = r->values[FREE_ORDER], bytes;
	const struct kmem_page_row *row;

	if (order >= KMEM_ORDERS) {
		k->totals.odd++;
		return;
	}
	bytes = (u64)KMEM_PAGE_SIZE << order;
	row = give_back(k, find_owner(k, page), page);
	if (!row && !session_wants_task(k->session, r->pid, r->tid))
		return;
	add(&k->totals.frees, bytes);
	if (row)
		add(&k->totals.freed, MIN(bytes, (u64)KMEM_PAGE_SIZE << row->order));
	else
		add(&k->totals.free_only, bytes);
}

static const struct analyze_event page_events[NR_EVENTS] = {
	[EVENT_ALLOC] = { .names = { "kmem:mm_page_alloc" },
			  .chain = true,
			  .own = true,
			  .fields = alloc_fields,
			  .take = take_alloc },
	[EVENT_FREE] = { .names = { "kmem:mm_page_free", "kmem:mm_page_free_direct" },
			 .fields = free_fields,
			 .take = take_free },
};
static const struct analyze_machine page_machine = {
	.events = page_events,
	.nr = NR_EVENTS,
};

static int check_events(const struct kmem_pages *k, struct err *e)
{
	if (analyze_has(k->analyze, EVENT_ALLOC) || analyze_has(k->analyze, EVENT_FREE))
		return 0;
	err_set(e, EINVAL, "'%s' has no events of the page allocator",
		perfdata_name(session_file(k->session)));
	err_hint(e, "perf kmem --page record COMMAND records what is needed");
	return -1;
}

int kmem_pages_new(struct kmem_pages **out, struct session *s, const struct kmem_pages_opts *o,
		   struct err *e)
{
	struct kmem_pages *k = XNEW(struct kmem_pages);
	struct analyze_opts ao = { .machine = &page_machine, .ctx = k, .chains = true };

	k->o = *o;
	k->session = s;
	if (analyze_new(&k->analyze, s, &ao, e) ||
	    (!perfdata_is_pipe(session_file(s)) && check_events(k, e))) {
		kmem_pages_free(k);
		return -1;
	}
	*out = k;
	return 0;
}

static void release(struct page_rows *t)
{
	vec_free(&t->v);
	map_release(&t->by_key);
}

void kmem_pages_free(struct kmem_pages *k)
{
	if (!k)
		return;
	analyze_free(k->analyze);
	release(&k->callers);
	release(&k->pages);
	VEC_FOR(&k->blocks, b)
		free(*b);
	vec_free(&k->blocks);
	map_release(&k->by_block);
	vec_free(&k->chains);
	vec_free(&k->names);
	free(k);
}

int kmem_pages_run(struct kmem_pages *k, struct err *e)
{
	return analyze_run(k->analyze, e) || check_events(k, e) ? -1 : 0;
}

/* ------------------------------------------------------------------ results */

struct kmem_page_row *kmem_pages_callers(struct kmem_pages *k, size_t *nr)
{
	*nr = k->callers.v.nr;
	return k->callers.v.v;
}

struct kmem_page_row *kmem_pages_pages(struct kmem_pages *k, size_t *nr)
{
	*nr = k->pages.v.nr;
	return k->pages.v.v;
}

const struct kmem_page_totals *kmem_pages_totals(const struct kmem_pages *k)
{
	return &k->totals;
}

enum kmem_types kmem_pages_types(const struct kmem_pages *k)
{
	return k->movable[1] > k->movable[0] ? KMEM_TYPES_OLD : KMEM_TYPES_TODAY;
}

bool kmem_pages_by_address(const struct kmem_pages *k)
{
	return k->by_address;
}

static void note_flag(void *ctx, const struct tracefmt_names *n)
{
	struct kmem_pages *k = ctx;

	if (n->kind == TRACEFMT_NAMES_VALUE && n->flags && !strcmp(n->field->name, "gfp_flags"))
		*VEC_PUSH(&k->names) = (struct gfp_name){ (u64)n->value, n->text, n->len };
}

void kmem_pages_add_flags(struct kmem_pages *k, u32 gfp, struct strbuf *out)
{
	const struct tracefmt *t = analyze_format(k->analyze, EVENT_ALLOC);
	const char *between = "";

	if (!k->named && t) {
		tracefmt_each_name(t, note_flag, k);
		k->named = true;
	}
	VEC_FOR(&k->names, n) {
		if (!n->mask || (gfp & n->mask) != n->mask)
			continue;
		gfp &= (u32)~n->mask;
		strbuf_adds(out, between);
		between = "|";
		for (u32 i = 0; i < n->len; i++)
			strbuf_addch(out, n->text[i] > ' ' && n->text[i] < 127 ? n->text[i] : '?');
	}
	if (gfp)
		strbuf_addf(out, "%s%#x", between, gfp);
	else if (!*between)
		strbuf_adds(out, "none");
}
