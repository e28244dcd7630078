/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/calltree.h"

#include <math.h>

#include "agg/private.h"
#include "base/mem.h"
#include "dso/source.h"

/* What is known of the branches that a node stands for; counts of samples. */
struct note_sums {
	u64 from, to;
	u64 predicted, aborts, cycles, iterations, iteration_cycles;
	u32 kinds;
};

struct group {
	frame_id frame;
	u32 notes; /* in the builder's */
	u32 nr; /* chains */
	u64 weight;
	u64 count;
	u64 place; /* decides between equal weights, and before it: */
	u32 seniority;
	size_t from; /* first of its items, once they are sorted out */
};

struct calltree_builder {
	struct session *session;
	u32 nr_frames;
	u32 *group_of; /* by frame: index of its group, valid if stamp matches */
	u32 *stamp;
	u64 *shift; /* by dso, all 0 between uses: from its addresses to those of a process */
	u32 generation;
	const struct calltree_opts *o;
	struct view_tree *out;
	VEC(struct group) groups; /* a stack of the groups of every open node */
	VEC(struct note_sums) notes; /* of all groups so far, where chains have notes */
	VEC(struct chain_item) items; /* likewise */
	const struct graph_node *trie; /* or else, of this one: */
	VEC(u32) nodes;
};

struct calltree_builder *calltree_builder_new(struct session *s)
{
	struct calltree_builder *b = XNEW(struct calltree_builder);

	b->session = s;
	b->nr_frames = session_nr_frames(s) + 1;
	b->group_of = XNEW_ARRAY(u32, b->nr_frames);
	b->stamp = XNEW_ARRAY(u32, b->nr_frames);
	return b;
}

void calltree_builder_free(struct calltree_builder *b)
{
	if (!b)
		return;
	free(b->group_of);
	free(b->stamp);
	free(b->shift);
	vec_free(&b->groups);
	vec_free(&b->notes);
	vec_free(&b->items);
	vec_free(&b->nodes);
	free(b);
}

/* The frame that stands for a frame in the graph. */
static frame_id shown_frame(const struct calltree_builder *b, frame_id f)
{
	return b->o->function_of ? b->o->function_of[f] : f;
}

/* Whether the graph tells the addresses of a function apart, and this frame is one. */
static bool by_address(const struct calltree_builder *b, const struct frame *f)
{
	return f->at && !b->o->function_of;
}

/* "name file.c:12"; where the line is not known "name +34", or "name ??:0" of all such addresses.
 */
static const char *label_with_place(struct dso *d, const struct frame *f,
				    const struct calltree_opts *o, struct arena *arena)
{
	static const char mark[] = " (inlined)";
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct source_frame place;

	if (f->inlined)
		strbuf_add(&text, f->inlined, strlen(f->inlined) - strlen(mark));
	else
		strbuf_adds(&text, symtab_name(dso_symtab(d), f->sym));
	strbuf_addch(&text, ' ');
	if (agg_place_of(d, f, &place))
		source_add_place(&text, &place, o->full_source_path);
	else if (o->lines)
		strbuf_adds(&text, "??:0");
	else
		strbuf_addf(&text, "+%llu", (unsigned long long)(f->at - f->addr));
	if (f->inlined)
		strbuf_adds(&text, mark);
	return arena_strdup(arena, text.buf);
}

/* A symbol (of frames by address, with its line), or the sampled address. */
static const char *label_of(const struct calltree_builder *b, frame_id frame, struct arena *arena)
{
	const struct frame *f = session_frame_get(b->session, frame);
	struct dso *d = dso_table_get(session_dsos(b->session), f->dso);
	char text[24];

	/* (in the kernel perf shows lines by address only) */
	if (f->sym != SYM_NONE && f->at && (by_address(b, f) || (b->o->lines && !dso_is_kernel(d))))
		return label_with_place(d, f, b->o, arena);
	if (f->inlined)
		return f->inlined;
	if (f->sym != SYM_NONE)
		return symtab_name(dso_symtab(d), f->sym);
	snprintf(text, sizeof(text), "%#llx", (unsigned long long)f->ip);
	return arena_strdup(arena, text);
}

static u32 kind_of(const struct calltree_builder *b, frame_id frame)
{
	static const char guess[] = " [guess]", inlined[] = " (inlined)";
	const char *text = session_frame_get(b->session, frame)->inlined;
	size_t len = text ? strlen(text) : 0;

	if (len >= strlen(inlined) && !strcmp(text + len - strlen(inlined), inlined))
		return VIEW_LABEL_INLINED;
	if (len >= strlen(guess) && !strcmp(text + len - strlen(guess), guess))
		return VIEW_LABEL_GUESS;
	return 0;
}

static void add_note(struct note_sums *to, const struct chain_note *n, u64 count)
{
	to->from += n->end & NOTE_FROM ? count : 0;
	to->to += n->end & NOTE_TO ? count : 0;
	to->predicted += n->end & NOTE_PREDICTED ? count : 0;
	to->aborts += n->end & NOTE_ABORT ? count : 0;
	to->cycles += n->cycles * count;
	to->iterations += n->iterations * count;
	to->iteration_cycles += n->iteration_cycles * count;
	to->kinds |= n->kinds;
}

static void add_word(struct strbuf *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* One more of the words in brackets. */
static void add_word(struct strbuf *out, const char *format, ...)
{
	va_list ap;

	strbuf_adds(out, out->len ? " " : " (");
	va_start(ap, format);
	strbuf_vaddf(out, format, ap);
	va_end(ap);
}

static void add_iterations(struct strbuf *out, const struct note_sums *n)
{
	/* perf counts them of all samples, and the samples but for the first */
	u64 each = n->from > 1 ? n->iterations / (n->from - 1) : 0;

	if (!each)
		return;
	add_word(out, "iter:%llu", (unsigned long long)each);
	add_word(out, "avg_cycles:%llu", (unsigned long long)(n->iteration_cycles / n->iterations));
}

/* " (COND_FWD predicted:50.0% cycles:3)": what is remarkable about the branches of a node. */
static void add_notes(struct strbuf *out, const struct note_sums *n)
{
	static const enum branch_kind order[] = { BRANCH_COND_FWD, BRANCH_COND_BWD };

	if (!n->from && !n->to) {
		strbuf_adds(out, " (calltrace)");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		if (n->kinds & 1U << order[i])
			add_word(out, "%s", branch_kind_name(order[i]));
	for (unsigned int k = 0; k < BRANCH_NR_KINDS; k++)
		if (n->kinds & 1U << k && k != BRANCH_COND_FWD && k != BRANCH_COND_BWD)
			add_word(out, "%s", branch_kind_name(k));
	if (n->predicted < n->to)
		add_word(out, "predicted:%.1f%%", 100.0 * (double)n->predicted / (double)n->to);
	if (n->aborts)
		add_word(out, "abort:%.1f%%", 100.0 * (double)n->aborts / (double)n->to);
	if (n->from && n->cycles / n->from)
		add_word(out, "cycles:%llu", (unsigned long long)(n->cycles / n->from));
	add_iterations(out, n);
	if (out->len)
		strbuf_addch(out, ')');
}

static void push_label(struct calltree_builder *b, u32 node, const struct group *g)
{
	_cleanup_(strbuf_releasep) struct strbuf notes = STRBUF_INIT;
	const struct note_sums none = { 0 }, *n = b->notes.nr ? &b->notes.v[g->notes] : &none;
	const char *label = label_of(b, g->frame, &b->out->arena);

	if (b->notes.nr && !b->o->flat && !b->o->bare)
		add_notes(&notes, n);
	if (notes.len) {
		size_t len = strlen(label);
		char *both = arena_alloc(&b->out->arena, len + notes.len + 1);

		memcpy(both, label, len);
		memcpy(both + len, notes.buf, notes.len + 1);
		label = both;
	}
	*VEC_PUSH(&b->out->labels) = (struct view_label){ .text = label,
							  .kind = kind_of(b, g->frame),
							  .cycles = n->from ? n->cycles / n->from
									    : 0,
							  .code = g->frame };
	b->out->nodes.v[node].nr_labels++;
}

/* Groups of other items are made now. */
static void next_generation(struct calltree_builder *b)
{
	if (++b->generation)
		return;
	memset(b->stamp, 0, b->nr_frames * sizeof(*b->stamp));
	b->generation = 1;
}

/* The group of a frame; *fresh: it was made. */
static struct group *group_of(struct calltree_builder *b, size_t base, frame_id f, bool *fresh)
{
	*fresh = b->stamp[f] != b->generation;
	if (*fresh) {
		b->stamp[f] = b->generation;
		b->group_of[f] = (u32)(b->groups.nr - base);
		*VEC_PUSH(&b->groups) = (struct group){ .frame = f, .notes = (u32)b->notes.nr };
	}
	return &b->groups.v[base + b->group_of[f]];
}

/* Sort the chains into groups by their next frame; what ends here is the node's own. */
static void make_groups(struct calltree_builder *b, u32 node, const struct chain_item *items,
			size_t nr, size_t base)
{
	u64 self = 0, self_count = 0;

	next_generation(b);
	for (size_t i = 0; i < nr; i++) {
		struct group *g;
		bool fresh;

		if (!items[i].left) {
			self += items[i].weight;
			self_count += items[i].count;
			continue;
		}
		g = group_of(b, base, shown_frame(b, *items[i].at), &fresh);
		if (fresh && items[i].notes)
			*VEC_PUSH(&b->notes) = (struct note_sums){ 0 };
		g->nr++;
		g->weight += items[i].weight;
		g->count += items[i].count;
		if (items[i].notes) {
			struct chain_note n = session_note(b->session, items[i].at[items[i].notes]);

			add_note(&b->notes.v[g->notes], &n, items[i].count);
		}
	}
	b->out->nodes.v[node].self = self;
	b->out->nodes.v[node].self_count = self_count;
}

static void advance(struct chain_item *items, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		items[i].at += items[i].step;
		items[i].left--;
	}
}

/*
 * Where a frame stands among equally heavy ones: frames of one object by the address in it, those
 * without a symbol by that in the process. So that this is an order, symbols stand between the
 * latter as in the process where the object lies highest.
 */
static void place_groups(struct calltree_builder *b, size_t base)
{
	u32 nr_dsos = dso_table_count(session_dsos(b->session)) + 1;
	bool unnamed = false;

	if (!b->shift)
		b->shift = XNEW_ARRAY(u64, nr_dsos);
	for (size_t i = base; i < b->groups.nr; i++) {
		const struct frame *f = session_frame_get(b->session, b->groups.v[i].frame);

		b->groups.v[i].seniority = dso_seniority(
			dso_table_get(session_dsos(b->session), f->dso));
		b->groups.v[i].place = f->sym == SYM_NONE || by_address(b, f) ? f->ip : f->addr;
		if (f->sym == SYM_NONE && f->ip - f->addr > b->shift[f->dso]) {
			b->shift[f->dso] = f->ip - f->addr;
			unnamed = true;
		}
	}
	for (size_t i = base; unnamed && i < b->groups.nr; i++) {
		const struct frame *f = session_frame_get(b->session, b->groups.v[i].frame);

		if (f->sym != SYM_NONE && !by_address(b, f))
			b->groups.v[i].place += b->shift[f->dso];
	}
	for (size_t i = base; unnamed && i < b->groups.nr; i++)
		b->shift[session_frame_get(b->session, b->groups.v[i].frame)->dso] = 0;
}

/* Heavier ones first, then frames of the younger object, then the higher address. */
static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct calltree_builder *builder = arg;
	const struct group *x = a, *y = b;
	const struct frame *f, *g;
	int inlined;

	if (x->weight != y->weight && !builder->o->flat)
		return x->weight > y->weight ? -1 : 1;
	if (x->seniority != y->seniority)
		return x->seniority > y->seniority ? -1 : 1;
	if (x->place != y->place)
		return x->place > y->place ? -1 : 1;
	f = session_frame_get(builder->session, x->frame);
	g = session_frame_get(builder->session, y->frame);
	inlined = agg_compare_inlined(f, g);
	if (inlined)
		return inlined;
	/* lines of one function */
	if (f->at != g->at)
		return f->at > g->at ? -1 : 1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Drop groups of the node below the threshold, order the others. Returns how many are left. */
static size_t choose_groups(struct calltree_builder *b, size_t base, u32 node)
{
	const struct view_node *n = &b->out->nodes.v[node];
	u64 of = b->o->relative ? n->total - n->self : b->o->total;
	double min = (double)of * (b->o->min_percent / 100.0);
	size_t kept = 0;

	/* perf's thresholds are whole numbers */
	min = b->o->relative ? ceil(min) : floor(min);
	for (size_t i = base; i < b->groups.nr; i++)
		if ((double)b->groups.v[i].weight >= min && b->groups.v[i].weight &&
		    b->groups.v[i].frame != CHAIN_BREAK)
			b->groups.v[base + kept++] = b->groups.v[i];
	b->groups.nr = base + kept;
	if (kept > 1)
		place_groups(b, base);
	qsort_r(b->groups.v + base, kept, sizeof(struct group), compare_groups, b);
	return kept;
}

/* Where the items of the chosen groups will lie, group by group, on a stack of so many. Returns how
 * many. */
static size_t lay_out(struct calltree_builder *b, size_t base, size_t top)
{
	size_t total = 0;

	next_generation(b);
	for (size_t g = base; g < b->groups.nr; g++) {
		struct group *gr = &b->groups.v[g];

		b->stamp[gr->frame] = b->generation;
		b->group_of[gr->frame] = (u32)(g - base);
		gr->from = top + total;
		total += gr->nr;
		gr->nr = 0;
	}
	return total;
}

/* Copy the items of the chosen groups, group by group, onto the item stack. */
static void distribute(struct calltree_builder *b, const struct chain_item *items, size_t nr,
		       size_t base)
{
	size_t total = lay_out(b, base, b->items.nr);

	VEC_GROW(&b->items, total);
	b->items.nr += total;
	for (size_t i = 0; i < nr; i++) {
		struct group *gr;
		frame_id f;

		if (!items[i].left)
			continue;
		f = shown_frame(b, *items[i].at);
		if (b->stamp[f] != b->generation)
			continue;
		gr = &b->groups.v[base + b->group_of[f]];
		b->items.v[gr->from + gr->nr++] = items[i];
	}
}

static void fill(struct calltree_builder *b, u32 node, size_t items, size_t nr);
static void fill_behind(struct calltree_builder *b, u32 node, const struct group *of);

static void add_children(struct calltree_builder *b, u32 node, size_t base)
{
	u32 prev = 0;

	for (size_t g = base; g < b->groups.nr; g++) {
		struct group gr = b->groups.v[g];
		u32 child = view_tree_add(b->out);

		b->out->nodes.v[child].total = gr.weight;
		b->out->nodes.v[child].count = gr.count;
		if (prev)
			b->out->nodes.v[prev].next = child;
		else
			b->out->nodes.v[node].child = child;
		prev = child;
		push_label(b, child, &gr);
		if (b->trie) {
			fill_behind(b, child, &gr);
			continue;
		}
		advance(b->items.v + gr.from, gr.nr);
		fill(b, child, gr.from, gr.nr);
	}
}

/* Where there is one way on, and nothing ends here, the node takes it as one more of its labels. */
static bool take_only_group(struct calltree_builder *b, u32 node, size_t base)
{
	const struct view_node *n = &b->out->nodes.v[node];

	/* (what has aged may have a weight without a sample) */
	if (!node || n->self || n->self_count || b->groups.nr - base != 1 ||
	    b->groups.v[base].frame == CHAIN_BREAK)
		return false;
	push_label(b, node, &b->groups.v[base]);
	b->groups.nr = base;
	return true;
}

/* items: position on the item stack, which may move. */
static void fill(struct calltree_builder *b, u32 node, size_t items, size_t nr)
{
	size_t base = b->groups.nr, top = b->items.nr;

	for (;;) {
		make_groups(b, node, b->items.v + items, nr, base);
		if (!take_only_group(b, node, base))
			break;
		advance(b->items.v + items, nr);
	}
	if (choose_groups(b, base, node)) {
		/* no pointer into the stack survives its growth */
		VEC_GROW(&b->items, nr);
		distribute(b, b->items.v + items, nr, base);
		add_children(b, node, base);
	}
	b->groups.nr = base;
	b->items.nr = top;
}

/* ---- the same of nodes ---- */

static void group_nodes(struct calltree_builder *b, size_t from, size_t nr, size_t base)
{
	next_generation(b);
	for (size_t i = from; i < from + nr; i++) {
		const struct graph_node *n = &b->trie[b->nodes.v[i]];
		bool fresh;
		struct group *g = group_of(b, base, shown_frame(b, n->frame), &fresh);

		g->nr++;
		g->weight += n->total;
		g->count += n->count;
	}
}

static void distribute_nodes(struct calltree_builder *b, size_t from, size_t nr, size_t base)
{
	size_t total = lay_out(b, base, b->nodes.nr);

	VEC_GROW(&b->nodes, total);
	b->nodes.nr += total;
	for (size_t i = from; i < from + nr; i++) {
		frame_id f = shown_frame(b, b->trie[b->nodes.v[i]].frame);
		struct group *gr;

		if (b->stamp[f] != b->generation)
			continue;
		gr = &b->groups.v[base + b->group_of[f]];
		b->nodes.v[gr->from + gr->nr++] = b->nodes.v[i];
	}
}

/* Push the nodes behind some; what ends with these is the own of the tree's node. Returns how many.
 */
static size_t push_behind(struct calltree_builder *b, u32 node, size_t from, size_t nr)
{
	size_t top = b->nodes.nr;
	u64 self = 0, self_count = 0;

	for (size_t i = from; i < from + nr; i++) {
		const struct graph_node *n = &b->trie[b->nodes.v[i]];

		self += n->total;
		self_count += n->count;
		for (u32 c = n->child; c; c = b->trie[c].next) {
			self -= b->trie[c].total;
			self_count -= b->trie[c].count;
			*VEC_PUSH(&b->nodes) = c;
		}
	}
	b->out->nodes.v[node].self = self;
	b->out->nodes.v[node].self_count = self_count;
	return b->nodes.nr - top;
}

/* from: on the stack of nodes. */
static void fill_nodes(struct calltree_builder *b, u32 node, size_t from, size_t nr)
{
	size_t base = b->groups.nr;

	for (;;) {
		size_t top = b->nodes.nr;

		group_nodes(b, from, nr, base);
		if (!take_only_group(b, node, base))
			break;
		nr = push_behind(b, node, from, nr);
		from = top;
	}
	if (choose_groups(b, base, node)) {
		distribute_nodes(b, from, nr, base);
		add_children(b, node, base);
	}
	b->groups.nr = base;
}

static void fill_behind(struct calltree_builder *b, u32 node, const struct group *of)
{
	size_t top = b->nodes.nr;
	size_t nr = push_behind(b, node, of->from, of->nr);

	fill_nodes(b, node, top, nr);
	b->nodes.nr = top;
}

/* ---- flat: the chains of the tree as a list ---- */

struct flat_chain {
	u32 labels, nr_labels;
	u64 weight, count; /* of the chains that end here */
	u64 total, total_count; /* with those that go on */
	u32 order;
};

VEC_TYPE(flat_vec, struct flat_chain);
VEC_TYPE(label_vec, struct view_label);

struct flat_walk {
	const struct view_tree *t;
	struct label_vec path;
	struct label_vec labels;
	struct flat_vec chains;
	double min;
};

static void flat_node(struct flat_walk *w, u32 node)
{
	const struct view_node *n = &w->t->nodes.v[node];

	for (u32 i = 0; i < n->nr_labels; i++)
		*VEC_PUSH(&w->path) = w->t->labels.v[n->labels + i];
	for (u32 c = n->child; c; c = w->t->nodes.v[c].next)
		flat_node(w, c);
	if (n->self && (double)n->self >= w->min) {
		*VEC_PUSH(&w->chains) = (struct flat_chain){ .labels = (u32)w->labels.nr,
							     .nr_labels = (u32)w->path.nr,
							     .weight = n->self,
							     .count = n->self_count,
							     .total = n->total,
							     .total_count = n->count,
							     .order = (u32)w->chains.nr };
		for (size_t i = 0; i < w->path.nr; i++)
			*VEC_PUSH(&w->labels) = w->path.v[i];
	}
	w->path.nr -= n->nr_labels;
}

static int compare_flat(const void *a, const void *b)
{
	const struct flat_chain *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void flatten(struct view_tree *t, double min)
{
	struct flat_walk w = { .t = t, .min = min };
	struct view_node root = t->nodes.v[0];
	u32 prev = 0;

	flat_node(&w, 0);
	VEC_SORT(&w.chains, compare_flat);
	root.child = 0;
	t->nodes.nr = 0;
	t->labels.nr = 0;
	*VEC_PUSH(&t->nodes) = root;
	VEC_FOR(&w.chains, c) {
		u32 node = view_tree_add(t);
		struct view_node *n = &t->nodes.v[node];

		n->nr_labels = c->nr_labels;
		n->self = c->weight;
		n->self_count = c->count;
		n->total = c->total;
		n->count = c->total_count;
		if (prev)
			t->nodes.v[prev].next = node;
		else
			t->nodes.v[0].child = node;
		prev = node;
		for (u32 i = 0; i < c->nr_labels; i++)
			*VEC_PUSH(&t->labels) = w.labels.v[c->labels + i];
	}
	vec_free(&w.path);
	vec_free(&w.labels);
	vec_free(&w.chains);
}

/* The root of the tree, to which the caller adds the weights of all. */
static struct view_node *begin(struct calltree_builder *b, const struct graph_node *trie,
			       const struct calltree_opts *o, struct view_tree *out)
{
	b->o = o;
	b->out = out;
	b->trie = trie;
	b->items.nr = b->nodes.nr = b->notes.nr = 0;
	view_tree_add(out);
	return &out->nodes.v[0];
}

static void finish(const struct calltree_builder *b)
{
	if (b->o->flat)
		flatten(b->out, floor((double)b->o->total * (b->o->min_percent / 100.0)));
}

void calltree_build(struct calltree_builder *b, struct chain_item *items, size_t nr,
		    const struct calltree_opts *o, struct view_tree *out)
{
	struct view_node *root = begin(b, NULL, o, out);

	VEC_GROW(&b->items, nr);
	for (size_t i = 0; i < nr; i++) {
		*VEC_PUSH(&b->items) = items[i];
		root->total += items[i].weight;
		root->count += items[i].count;
	}
	fill(b, 0, 0, nr);
	finish(b);
}

void calltree_build_nodes(struct calltree_builder *b, const struct graph_node *trie,
			  const u32 *nodes, size_t nr, const struct calltree_opts *o,
			  struct view_tree *out)
{
	struct view_node *root = begin(b, trie, o, out);

	for (size_t i = 0; i < nr; i++) {
		*VEC_PUSH(&b->nodes) = nodes[i];
		root->total += trie[nodes[i]].total;
		root->count += trie[nodes[i]].count;
	}
	fill_nodes(b, 0, 0, nr);
	finish(b);
}
