/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * children: the chains of the rows that print, for their call graphs.
 */
#include "agg/private.h"
#include "base/hash.h"

/* The row of a frame in a chain of row `from`; agg_accumulate() has met it. */
static u32 caller_of(const struct agg *a, u32 from, frame_id frame)
{
	const struct agg_base *b = &a->bases.v[a->entries.v[from].base];
	u32 code = a->code_of[frame];

	return b->pages[code / BASE_PAGE][code % BASE_PAGE] - 1;
}

/* True the first time entry is seen with this stamp. */
static bool stamp(struct agg *a, u32 entry, u64 number)
{
	if (a->stamps[entry] == number)
		return false;
	a->stamps[entry] = number;
	return true;
}

/* Chains lie all over memory: ask for one well before it is walked. */
enum { PREFETCH = 8 };

static void prefetch_chain(const struct agg *a, size_t chain)
{
	if (chain < a->chains.nr)
		session_chain_prefetch(a->s, a->chains.v[chain].chain);
}

/*
 * A node of a call graph weighs no more than all the chains with its frame, so with an absolute
 * threshold a frame lighter than that can neither be shown nor have a shown node behind it. Such
 * frames become breaks; the chains that are the same then, nearly all of them, fall together. Where
 * rows hold several frames (no key by symbol), the first frame of a row in a chain stays: there the
 * row's part of the chain begins, however light the frame is.
 */
struct heavy {
	struct agg *a;
	u64 *weights; /* by frame */
	u64 min;
	bool by_symbol; /* a row for each frame */
	struct map by_chain;
	VEC(frame_id) scratch;
};

/* What the graph shows of a frame. */
static frame_id shown_frame(const struct agg *a, frame_id f)
{
	return a->function_of ? a->function_of[f] : f;
}

static void weigh_frames(struct heavy *h)
{
	struct agg *a = h->a;

	_cleanup_(mem_freep) u32 *seen = XNEW_ARRAY(u32, a->nr_frames + 1);

	h->weights = XNEW_ARRAY(u64, a->nr_frames + 1);
	for (u32 c = 0; c < a->chains.nr; c++) {
		const struct row_chain *rc = &a->chains.v[c];
		size_t nr;
		const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);

		prefetch_chain(a, c + PREFETCH);
		for (size_t i = 0; i < nr; i++) {
			frame_id f = shown_frame(a, frames[i]);

			if (seen[f] != c + 1) /* recursion weighs once */
				h->weights[f] += rc->period;
			seen[f] = c + 1;
		}
	}
}

/* Whether a row that prints begins here in the chain of that number. */
static bool begins_row(struct heavy *h, u32 self, frame_id f, u64 number)
{
	u32 entry;

	if (h->by_symbol || !h->a->c.children)
		return false;
	entry = caller_of(h->a, self, f);
	return stamp(h->a, entry, number) && h->a->item_from[entry] != UINT32_MAX;
}

/* Into scratch, in the order of the call graph. */
static void strip_light(struct heavy *h, u32 self, const struct row_chain *rc)
{
	u64 number = ++h->a->visits;
	size_t nr;
	const frame_id *frames = session_chain_frames(h->a->s, rc->chain, &nr);

	h->scratch.nr = 0;
	VEC_GROW(&h->scratch, nr);
	for (size_t i = 0; i < nr; i++) {
		frame_id f = frames[h->a->c.caller_first ? nr - 1 - i : i];

		if (begins_row(h, self, f, number) ||
		    h->weights[shown_frame(h->a, f)] >= h->min)
			h->scratch.v[h->scratch.nr++] = f;
		else if (!h->scratch.nr || h->scratch.v[h->scratch.nr - 1] != CHAIN_BREAK)
			h->scratch.v[h->scratch.nr++] = CHAIN_BREAK;
	}
}

/* Rows with the same other words share their callers; only a row that prints must stay apart. */
static u64 owner_of(const struct agg *a, u32 self)
{
	return a->item_from[self] != UINT32_MAX ? (u64)self << 1 | 1 :
						  (u64)a->entries.v[self].base << 1;
}

static void add_stripped(struct heavy *h, u32 self, const struct row_chain *rc)
{
	struct agg *a = h->a;
	size_t nr = h->scratch.nr;
	u64 owner = owner_of(a, self);
	u64 hash = hash_bytes(h->scratch.v, nr * sizeof(frame_id), owner);
	struct graph_chain *g;
	u32 i;

	for (struct map_probe p = map_first(&h->by_chain, hash);
	     map_next(&h->by_chain, &p, &i);) {
		g = &a->graph_chains.v[i];
		if (owner_of(a, g->self) == owner && g->nr == nr &&
		    !memcmp(g->frames, h->scratch.v, nr * sizeof(frame_id))) {
			g->weight += rc->period;
			g->count += rc->nr;
			return;
		}
	}
	map_add(&h->by_chain, hash, (u32)a->graph_chains.nr);
	*VEC_PUSH(&a->graph_chains) = (struct graph_chain){
		.self = self, .nr = (u32)nr, .weight = rc->period, .count = rc->nr,
		.frames = arena_dup(&a->graph_arena, h->scratch.v, nr * sizeof(frame_id)) };
}

static void add_whole(struct agg *a, u32 self, const struct row_chain *rc)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);

	*VEC_PUSH(&a->graph_chains) = (struct graph_chain){
		.self = self, .nr = (u32)nr, .weight = rc->period, .count = rc->nr,
		.frames = frames, .backwards = a->c.caller_first,
		.notes = a->c.notes ? (u32)nr : 0 };
}

/* The chains that rows of the wanted section can show: a->graph_chains. */
static void make_graph_chains(struct agg *a, u64 min)
{
	/* chains of branches are all different: nothing is won by leaving out frames */
	struct heavy h = { .a = a, .min = a->c.notes ? 0 : min };

	for (size_t k = 0; k < a->c.nr_keys; k++)
		h.by_symbol |= !strcmp(a->c.keys[k]->name, "symbol");
	a->graph_chains.nr = 0;
	arena_release(&a->graph_arena);
	if (h.min)
		weigh_frames(&h);
	for (u32 i = 0; i < a->chains.nr; i++) {
		const struct row_chain *rc = &a->chains.v[i];
		u32 self = a->slot_entry.v[rc->row];

		prefetch_chain(a, i + PREFETCH);
		if (rc->row != a->entries.v[self].slot || !rc->chain)
			continue;
		if (!h.min) {
			add_whole(a, self, rc);
			continue;
		}
		strip_light(&h, self, rc);
		if (h.scratch.nr > 1 || *h.scratch.v != CHAIN_BREAK ||
		    a->item_from[self] != UINT32_MAX)
			add_stripped(&h, self, rc);
	}
	free(h.weights);
	map_release(&h.by_chain);
	vec_free(&h.scratch);
}

static void note_item(struct agg *a, u32 entry, u32 chain, u32 pos)
{
	if (a->item_from[entry] != UINT32_MAX)
		*VEC_PUSH(&a->items) = (struct item_ref){ .entry = entry, .chain = chain,
							  .pos = pos };
}

static void note_items(struct agg *a, u32 chain)
{
	const struct graph_chain *g = &a->graph_chains.v[chain];
	u64 number = ++a->visits;

	stamp(a, g->self, number);
	note_item(a, g->self, chain, 0);
	if (!a->c.children)
		return;
	for (u32 i = 0; i < g->nr; i++) {
		frame_id f = g->frames[g->backwards ? g->nr - 1 - i : i];
		u32 entry;

		if (f == CHAIN_BREAK)
			continue;
		entry = caller_of(a, g->self, f);
		if (!stamp(a, entry, number) ||
		    (a->c.hide_unresolved && session_frame_get(a->s, f)->sym == SYM_NONE))
			continue;
		note_item(a, entry, chain, i);
	}
}

static int compare_items(const void *x, const void *y)
{
	const struct item_ref *a = x, *b = y;

	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	return a->chain < b->chain ? -1 : a->chain > b->chain;
}

void agg_collect_chains(struct agg *a, const struct agg_entry *const *rows, size_t nr, u64 min)
{
	a->item_from = xrealloc_array(a->item_from, a->entries.nr + 1, sizeof(*a->item_from));
	memset(a->item_from, 0xff, (a->entries.nr + 1) * sizeof(*a->item_from));
	for (size_t i = 0; i < nr; i++)
		a->item_from[rows[i] - a->entries.v] = 0;
	if (!a->stamps)
		a->stamps = XNEW_ARRAY(u64, a->entries.nr + 1);
	make_graph_chains(a, min);
	a->items.nr = 0;
	for (u32 i = 0; i < a->graph_chains.nr; i++)
		note_items(a, i);
	VEC_SORT(&a->items, compare_items);
	VEC_FOR(&a->entries, e)
		e->nr_items = 0;
	for (u32 i = 0; i < a->items.nr; i++) {
		u32 entry = a->items.v[i].entry;

		if (!a->entries.v[entry].nr_items++)
			a->item_from[entry] = i;
	}
}

/* Builders wait here between rows, so that rows can be made in parallel. */
static struct calltree_builder *take_builder(struct agg *a)
{
	struct calltree_builder *b = NULL;

	pthread_mutex_lock(&a->builder_lock);
	if (a->builders.nr)
		b = a->builders.v[--a->builders.nr];
	pthread_mutex_unlock(&a->builder_lock);
	return b ? b : calltree_builder_new(a->s);
}

static void put_builder(struct agg *a, struct calltree_builder *b)
{
	pthread_mutex_lock(&a->builder_lock);
	*VEC_PUSH(&a->builders) = b;
	pthread_mutex_unlock(&a->builder_lock);
}

bool agg_calltree(struct agg *a, const struct agg_entry *e, const struct calltree_opts *o,
		  struct view_tree *out)
{
	u32 from = a->item_from ? a->item_from[e - a->entries.v] : UINT32_MAX;
	_cleanup_(mem_freep) struct chain_item *items = NULL;
	struct calltree_opts opts = *o;
	struct calltree_builder *b;

	if (from == UINT32_MAX || !e->nr_items)
		return false;
	items = XNEW_ARRAY(struct chain_item, e->nr_items);
	for (u32 i = 0; i < e->nr_items; i++) {
		struct item_ref it = a->items.v[from + i];
		const struct graph_chain *g = &a->graph_chains.v[it.chain];

		items[i] = (struct chain_item){
			.at = g->backwards ? g->frames + (g->nr - 1 - it.pos) : g->frames + it.pos,
			.left = g->nr - it.pos, .step = g->backwards ? -1 : 1,
			.weight = g->weight, .count = g->count, .notes = g->notes };
	}
	b = take_builder(a);
	opts.function_of = a->function_of;
	opts.lines = a->c.join_lines;
	opts.full_source_path = a->c.full_source_path;
	calltree_build(b, items, e->nr_items, &opts, out);
	put_builder(a, b);
	return true;
}
