/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * children: the chains of the rows that print, for their call graphs.
 */
#include "agg/private.h"
#include "base/hash.h"

enum { NO_ROW = UINT32_MAX };

/* The row of a frame in a chain of row `from`; NO_ROW: too light (agg_config.caller_min). */
static u32 caller_of(const struct agg *a, u32 from, frame_id frame)
{
	const struct agg_base *b = &a->bases.v[a->entries.v[from].base];
	u32 code = a->code_of[frame];

	return b->pages[code / BASE_PAGE][code % BASE_PAGE] - 1;
}

/* Chains lie all over memory: ask for one well before it is walked. */
enum { PREFETCH = 8 };

static void prefetch_chain(const struct agg *a, size_t chain)
{
	if (chain + PREFETCH < a->chains.pairs.nr)
		session_chain_prefetch(a->s, a->chains.pairs.v[chain + PREFETCH].chain);
	if (chain < a->chains.pairs.nr)
		session_chain_prefetch_frames(a->s, a->chains.pairs.v[chain].chain);
}

/*
 * A node of a call graph weighs no more than all the chains with its frame, so with an absolute
 * threshold a frame lighter than that can neither be shown nor have a shown node behind it. Such
 * frames become breaks; the chains that are the same then, nearly all of them, fall together. Where
 * rows hold several frames (no key by symbol), the first frame of a row in a chain stays: there the
 * row's part of the chain begins, however light the frame is. Where rows are told apart by code,
 * what all chains with a code weigh is known already, and no frame of it weighs more.
 */
struct heavy {
	struct agg *a;
	u64 min;
	bool by_symbol; /* a row for each frame */
	bool by_code; /* agg.code_weights tell what is heavy */
	const u64 *weights; /* by frame, else */
	u64 *bits; /* by frame: it is heavy */
	struct heavy_part *parts; /* by worker */
};

/* What a worker has of that. */
struct heavy_part {
	u64 *weights;
	u32 *seen; /* by frame: the last chain with it, + 1 */
	u64 *stamps, visits; /* by entry: the last chain where it began */
	u64 *met; /* by code: the last chain with it that was looked at; by_code */
	VEC(frame_id) scratch;
	struct graph_trie trie;
	struct graph_path *paths; /* by thread */
};

enum { SLICE = 1024, MARK_SLICE = 1 << 14 };

/* What the graph shows of a frame. */
static frame_id shown_frame(const struct agg *a, frame_id f)
{
	return a->function_of ? a->function_of[f] : f;
}

static void weigh_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct heavy *h = ctx;
	struct heavy_part *p = &h->parts[worker];
	struct agg *a = h->a;

	if (!p->weights) {
		p->weights = XNEW_ARRAY(u64, a->nr_frames + 1);
		p->seen = XNEW_ARRAY(u32, a->nr_frames + 1);
	}
	for (u32 c = (u32)from; c < to; c++) {
		const struct row_chain *rc = &a->chains.pairs.v[c];
		size_t nr;
		const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);

		prefetch_chain(a, c + PREFETCH);
		for (size_t i = 0; i < nr; i++) {
			frame_id f = shown_frame(a, frames[i]);

			if (p->seen[f] != c + 1) /* recursion weighs once */
				p->weights[f] += rc->period;
			p->seen[f] = c + 1;
		}
	}
}

static void weigh_frames(struct heavy *h, unsigned int nr_workers)
{
	u64 *sum = XNEW_ARRAY(u64, h->a->nr_frames + 1);

	par_for(session_par(h->a->s), h->a->chains.pairs.nr, SLICE, weigh_slice, h);
	for (unsigned int w = 0; w < nr_workers; w++) {
		struct heavy_part *p = &h->parts[w];

		for (u32 f = 0; p->weights && f <= h->a->nr_frames; f++)
			sum[f] += p->weights[f];
		free(p->weights);
		free(p->seen);
	}
	h->weights = sum;
}

static void mark_slice(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct heavy *h = ctx;
	const struct agg *a = h->a;

	for (size_t f = from; f < to; f++) {
		u64 weight = h->by_code ? a->code_weights[a->code_of[f]]
					: h->weights[shown_frame(a, (frame_id)f)];

		if (weight >= h->min)
			h->bits[f / 64] |= 1ULL << f % 64;
	}
}

/* The frames that are heavy enough. */
static void mark_heavy(struct heavy *h, unsigned int nr_workers)
{
	_Static_assert(MARK_SLICE % 64 == 0, "no two workers write to the same word");

	if (!h->by_code)
		weigh_frames(h, nr_workers);
	h->bits = XNEW_ARRAY(u64, h->a->nr_frames / 64 + 1);
	par_for(session_par(h->a->s), h->a->nr_frames + 1, MARK_SLICE, mark_slice, h);
	free((void *)h->weights);
}

static bool is_hidden(const struct agg *a, frame_id f)
{
	return a->c.hide_unresolved && session_frame_get(a->s, f)->sym == SYM_NONE;
}

/* Whether a row that prints begins here in the chain that the part works on. */
static bool begins_row(const struct heavy *h, struct heavy_part *p, u32 self, frame_id f)
{
	u32 entry;

	if (h->by_symbol || is_hidden(h->a, f))
		return false;
	if (!p->stamps)
		p->stamps = XNEW_ARRAY(u64, h->a->entries.nr + 1);
	entry = caller_of(h->a, self, f);
	if (entry == NO_ROW || p->stamps[entry] == p->visits)
		return false;
	p->stamps[entry] = p->visits;
	return h->a->item_from[entry] != UINT32_MAX;
}

static bool is_heavy(const struct heavy *h, frame_id f)
{
	return h->bits[f / 64] >> f % 64 & 1;
}

/* Into scratch, in the order of the call graph. There is room. */
static void strip_where_rows_begin(const struct heavy *h, struct heavy_part *p, u32 self,
				   const frame_id *frames, size_t nr)
{
	p->visits++;
	for (size_t i = 0; i < nr; i++) {
		frame_id f = frames[h->a->c.caller_first ? nr - 1 - i : i];

		if (is_heavy(h, f) || begins_row(h, p, self, f))
			p->scratch.v[p->scratch.nr++] = f;
		else if (!p->scratch.nr || p->scratch.v[p->scratch.nr - 1] != CHAIN_BREAK)
			p->scratch.v[p->scratch.nr++] = CHAIN_BREAK;
	}
}

/* The same where only heavy frames stay. Which those are cannot be predicted: no jump. */
static void strip_light(const struct heavy *h, struct heavy_part *p, const frame_id *frames,
			size_t nr)
{
	const u64 *bits = h->bits;
	frame_id *to = p->scratch.v;
	bool caller_first = h->a->c.caller_first, heavy_before = true;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		frame_id f = frames[caller_first ? nr - 1 - i : i];
		bool heavy = bits[f / 64] >> f % 64 & 1;

		to[n] = heavy ? f : CHAIN_BREAK;
		n += heavy | heavy_before;
		heavy_before = heavy;
	}
	p->scratch.nr = n;
}

static void strip_chain(const struct heavy *h, struct heavy_part *p, u32 self,
			const struct row_chain *rc)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(h->a->s, rc->chain, &nr);

	p->scratch.nr = 0;
	VEC_GROW(&p->scratch, nr + 1);
	if (h->by_symbol)
		strip_light(h, p, frames, nr);
	else
		strip_where_rows_begin(h, p, self, frames, nr);
}

/* Rows with the same other words share their callers; only a row that prints must stay apart. */
static u64 owner_of(const struct agg *a, u32 self)
{
	return a->item_from[self] != UINT32_MAX ? (u64)self << 1 | 1
						: (u64)a->entries.v[self].base << 1;
}

/* The row that prints and begins at a frame which is met there first, + 1. */
static u32 row_beginning_at(const struct agg *a, u32 self, frame_id f)
{
	u32 entry;

	if (f == CHAIN_BREAK || is_hidden(a, f))
		return 0;
	entry = caller_of(a, self, f);
	if (entry == NO_ROW || (entry == self && !a->c.callees))
		return 0;
	return a->item_from[entry] != UINT32_MAX ? entry + 1 : 0;
}

static bool row_begins_above(const struct graph_node *nodes, u32 at, u32 row1)
{
	u32 up = nodes[at].parent;

	while (up && nodes[up].row1 != row1)
		up = nodes[up].parent;
	return up;
}

/* Whether no code like that of the frame stands before it; of all frames of a chain one after the
 * other. */
static bool is_first(const struct heavy *h, struct heavy_part *p, frame_id f)
{
	u64 *met;
	bool first;

	if (f == CHAIN_BREAK)
		return false;
	met = &p->met[h->a->code_of[f]];
	first = *met != p->visits;
	*met = p->visits;
	return first;
}

/* The rows that begin at nodes that are new, from `nr` on: those of the last frames in scratch. */
static void note_rows(const struct heavy *h, struct heavy_part *p, u32 self, u32 nr)
{
	struct graph_node *nodes = p->trie.nodes.v;
	size_t old = p->scratch.nr - (p->trie.nodes.nr - nr);

	if (nr == p->trie.nodes.nr)
		return;
	p->visits++;
	for (size_t i = 0; h->by_code && i < old; i++)
		is_first(h, p, p->scratch.v[i]);
	for (; nr < p->trie.nodes.nr; nr++) {
		bool first = !h->by_code || is_first(h, p, nodes[nr].frame);
		u32 row1 = first ? row_beginning_at(h->a, self, nodes[nr].frame) : 0;

		if (row1 && (h->by_code || !row_begins_above(nodes, nr, row1)))
			nodes[nr].row1 = row1;
	}
}

/* Into the worker's trie, from scratch. */
static void add_stripped(const struct heavy *h, struct heavy_part *p, u32 self,
			 const struct row_chain *rc)
{
	u32 root = graph_trie_root(&p->trie, owner_of(h->a, self), self);
	struct graph_path *path =
		&p->paths[hash_u64((u64)root << 32 | rc->first_thread) % GRAPH_PATHS];
	u32 nr = (u32)p->trie.nodes.nr;

	graph_trie_add(&p->trie, path, root, p->scratch.v, (u32)p->scratch.nr, rc->period, rc->nr);
	note_rows(h, p, self, nr);
}

static void strip_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct heavy *h = ctx;
	struct heavy_part *p = &h->parts[worker];
	struct agg *a = h->a;

	if (!p->paths) {
		p->paths = XNEW_ARRAY(struct graph_path, GRAPH_PATHS);
		p->met = h->by_code ? XNEW_ARRAY(u64, a->nr_codes) : NULL;
		map_reserve(&p->trie.by_frame, (u32)MIN(a->chains.pairs.nr, (size_t)1 << 16));
	}
	for (size_t i = from; i < to; i++) {
		const struct row_chain *rc = &a->chains.pairs.v[i];
		u32 self = a->slot_entry.v[rc->row];

		prefetch_chain(a, i + PREFETCH);
		if (rc->row != a->entries.v[self].slot || !rc->chain)
			continue;
		strip_chain(h, p, self, rc);
		if (p->scratch.nr > 1 || *p->scratch.v != CHAIN_BREAK ||
		    a->item_from[self] != UINT32_MAX)
			add_stripped(h, p, self, rc);
	}
}

/* The tries of the workers become one. */
static void strip_chains(struct heavy *h, unsigned int nr_workers)
{
	struct agg *a = h->a;

	par_for(session_par(a->s), a->chains.pairs.nr, SLICE, strip_slice, h);
	for (unsigned int w = 0; w < nr_workers; w++) {
		struct heavy_part *p = &h->parts[w];

		if (!a->graph.nodes.nr) {
			/* (of a worker whose chains were all left out: room alone) */
			graph_trie_release(&a->graph);
			a->graph = p->trie;
		} else {
			graph_trie_append(&a->graph, &p->trie);
			graph_trie_release(&p->trie);
		}
		free(p->paths);
		vec_free(&p->scratch);
		free(p->stamps);
		free(p->met);
	}
	graph_trie_sum(&a->graph);
}

static void add_whole(struct agg *a, u32 self, const struct row_chain *rc)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);

	*VEC_PUSH(&a->graph_chains) = (struct graph_chain){ .self = self,
							    .nr = (u32)nr,
							    .weight = rc->period,
							    .count = rc->nr,
							    .frames = frames,
							    .backwards = a->c.caller_first,
							    .notes = a->c.notes ? (u32)nr : 0 };
}

/* The chains that rows of the wanted section can show: a->graph_chains, or a->graph. */
static void make_graph_chains(struct agg *a, u64 min)
{
	unsigned int nr_workers = par_workers(session_par(a->s));
	/* chains of branches are all different, and chains of one row each are few: nothing is won
	 * by leaving out frames */
	struct heavy h = { .a = a, .min = a->c.notes || !a->c.children ? 0 : min };

	vec_free(&a->graph_chains);
	graph_trie_release(&a->graph);
	for (size_t i = 0; !h.min && i < a->chains.pairs.nr; i++) {
		const struct row_chain *rc = &a->chains.pairs.v[i];
		u32 self = a->slot_entry.v[rc->row];

		prefetch_chain(a, i + PREFETCH);
		if (rc->row == a->entries.v[self].slot && rc->chain)
			add_whole(a, self, rc);
	}
	if (!h.min)
		return;
	for (size_t k = 0; k < a->c.nr_keys; k++)
		h.by_symbol |= !strcmp(a->c.keys[k]->name, "symbol");
	h.by_code = a->code_weights && !a->c.hide_unresolved;
	h.parts = XNEW_ARRAY(struct heavy_part, nr_workers);
	mark_heavy(&h, nr_workers);
	strip_chains(&h, nr_workers);
	free(h.bits);
	free(h.parts);
}

/* Rows that print, met in graph chains: behind each other in the order of the chains. */
struct met_row {
	u32 entry;
	struct item_ref item;
};

VEC_TYPE(met_row_vec, struct met_row);

static void note_item(struct agg *a, struct met_row_vec *met, u32 entry, u32 chain, u32 pos)
{
	if (a->item_from[entry] == UINT32_MAX)
		return;
	*VEC_PUSH(met) = (struct met_row){ .entry = entry, .item = { .chain = chain, .pos = pos } };
	a->entries.v[entry].nr_items++;
}

/* stamps: by entry, the last chain that was noted for it, + 1. */
static void note_items(struct agg *a, struct met_row_vec *met, u32 *stamps, u32 chain)
{
	const struct graph_chain *g = &a->graph_chains.v[chain];

	if (!a->c.callees) {
		stamps[g->self] = chain + 1;
		note_item(a, met, g->self, chain, 0);
	}
	if (!a->c.children)
		return;
	for (u32 i = 0; i < g->nr; i++) {
		frame_id f = g->frames[g->backwards ? g->nr - 1 - i : i];
		u32 entry;

		if (f == CHAIN_BREAK || is_hidden(a, f))
			continue;
		entry = caller_of(a, g->self, f);
		if (entry == NO_ROW || stamps[entry] == chain + 1)
			continue;
		stamps[entry] = chain + 1;
		note_item(a, met, entry, chain, i);
	}
}

/* Rows that begin at nodes, and those of the roots themselves, which begin at the first frames. */
static void note_nodes(struct agg *a, struct met_row_vec *met)
{
	const struct graph_node *nodes = a->graph.nodes.v;

	for (size_t i = 0; !a->c.callees && i < a->graph.roots.nr; i++) {
		const struct graph_root *root = &a->graph.roots.v[i];

		for (u32 c = nodes[root->node].child; c; c = nodes[c].next)
			note_item(a, met, root->entry, c, 0);
	}
	for (u32 i = 1; i < a->graph.nodes.nr; i++)
		if (nodes[i].row1)
			note_item(a, met, nodes[i].row1 - 1, i, 0);
}

/* By row, and in the order of the chains: a->items. */
static void sort_items(struct agg *a, const struct met_row_vec *met)
{
	u32 from = 0;

	vec_free(&a->items);
	VEC_GROW(&a->items, met->nr);
	a->items.nr = met->nr;
	for (size_t i = 0; i < a->entries.nr; i++) {
		struct agg_entry *e = &a->entries.v[i];

		if (!e->nr_items)
			continue;
		a->item_from[i] = from;
		from += e->nr_items;
		e->nr_items = 0;
	}
	VEC_FOR(met, m)
		a->items.v[a->item_from[m->entry] + a->entries.v[m->entry].nr_items++] = m->item;
}

void agg_collect_chains(struct agg *a, const struct agg_entry *const *rows, size_t nr, u64 min)
{
	_cleanup_(mem_freep) u32 *stamps = XNEW_ARRAY(u32, a->entries.nr + 1);
	struct met_row_vec met = { 0 };

	a->item_from = xrealloc_array(a->item_from, a->entries.nr + 1, sizeof(*a->item_from));
	memset(a->item_from, 0xff, (a->entries.nr + 1) * sizeof(*a->item_from));
	for (size_t i = 0; i < nr; i++)
		a->item_from[rows[i] - a->entries.v] = 0;
	if (a->c.children)
		mem_give_back(); /* of what ordered the rows */
	make_graph_chains(a, min);
	VEC_FOR(&a->entries, e)
		e->nr_items = 0;
	note_nodes(a, &met);
	for (u32 i = 0; i < a->graph_chains.nr; i++)
		note_items(a, &met, stamps, i);
	sort_items(a, &met);
	vec_free(&met);
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

static void build_of_nodes(const struct agg *a, struct calltree_builder *b, u32 from, size_t nr,
			   const struct calltree_opts *o, struct view_tree *out)
{
	_cleanup_(mem_freep) u32 *nodes = XNEW_ARRAY(u32, nr);

	for (size_t i = 0; i < nr; i++)
		nodes[i] = a->items.v[from + i].chain;
	calltree_build_nodes(b, a->graph.nodes.v, nodes, nr, o, out);
}

static void build_of_chains(const struct agg *a, struct calltree_builder *b, u32 from, size_t nr,
			    const struct calltree_opts *o, struct view_tree *out)
{
	_cleanup_(mem_freep) struct chain_item *items = XNEW_ARRAY(struct chain_item, nr);

	for (size_t i = 0; i < nr; i++) {
		struct item_ref it = a->items.v[from + i];
		const struct graph_chain *g = &a->graph_chains.v[it.chain];

		items[i] = (struct chain_item){ .at = g->backwards
							      ? g->frames + (g->nr - 1 - it.pos)
							      : g->frames + it.pos,
						.left = g->nr - it.pos,
						.step = g->backwards ? -1 : 1,
						.weight = g->weight,
						.count = g->count,
						.notes = g->notes };
	}
	calltree_build(b, items, nr, o, out);
}

bool agg_calltree(struct agg *a, const struct agg_entry *e, const struct calltree_opts *o,
		  struct view_tree *out)
{
	u32 from = a->item_from ? a->item_from[e - a->entries.v] : UINT32_MAX;
	struct calltree_opts opts = *o;
	struct calltree_builder *b;

	if (from == UINT32_MAX || !e->nr_items)
		return false;
	b = take_builder(a);
	opts.function_of = a->function_of;
	opts.lines = a->c.join_lines;
	opts.full_source_path = a->c.full_source_path;
	if (a->graph.nodes.nr)
		build_of_nodes(a, b, from, e->nr_items, &opts, out);
	else
		build_of_chains(a, b, from, e->nr_items, &opts, out);
	put_builder(a, b);
	return true;
}
