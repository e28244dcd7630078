/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/section.h"

#define LEAST 0.5 /* percent */

struct streams {
	struct view_stream v[STREAMS_HOT];
	size_t nr;
	u64 period; /* of all */
};

void streams_options(struct session_opts *s, struct profile_opts *o)
{
	s->branches = s->branch_notes = s->by_address = s->lbr = true;
	o->sort = STREAMS_SORT;
	o->agg.chains = o->agg.graphs = o->agg.notes = true;
	o->agg.join_addresses = o->agg.join_lines = true;
}

static void release_stream(struct view_stream *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free((char *)s->frames[i]);
	free((void *)s->frames);
}

void streams_free(struct streams *s)
{
	for (size_t i = 0; s && i < s->nr; i++)
		release_stream(&s->v[i]);
	free(s);
}

/* A place for one of such weight: a new one, or that of the lightest, which is lighter; or NULL. */
static struct view_stream *place_for(struct streams *s, u64 period)
{
	size_t lightest = 0;

	if (s->nr < STREAMS_HOT)
		return &s->v[s->nr++];
	for (size_t i = 1; i < s->nr; i++)
		if (s->v[i].period < s->v[lightest].period)
			lightest = i;
	if (s->v[lightest].period >= period)
		return NULL;
	release_stream(&s->v[lightest]);
	return &s->v[lightest];
}

static void add_stream(struct streams *s, const struct view_tree *t, u32 node)
{
	const struct view_node *n = &t->nodes.v[node];
	struct view_stream *to = place_for(s, n->self);
	const char **frames;

	s->period += n->self;
	if (!to)
		return;
	frames = XNEW_ARRAY(const char *, n->nr_labels + 1);
	*to = (struct view_stream){ .frames = frames, .nr = n->nr_labels, .period = n->self };
	for (u32 i = 0; i < n->nr_labels; i++) {
		frames[i] = xstrdup(t->labels.v[n->labels + i].text);
		to->cycles += t->labels.v[n->labels + i].cycles;
	}
}

static int compare_nodes(const void *a, const void *b, void *ctx)
{
	const struct view_tree *t = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	u64 p = t->nodes.v[x].self, q = t->nodes.v[y].self;

	if (p != q)
		return p > q ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The heaviest first; which one makes place for another depends on that. */
static void add_streams(struct streams *s, const struct view_tree *t, u64 min)
{
	_cleanup_(mem_freep) u32 *nodes = XNEW_ARRAY(u32, t->nodes.nr);
	size_t nr = 0;

	for (u32 n = 1; n < t->nodes.nr; n++)
		if (t->nodes.v[n].self && t->nodes.v[n].self >= min)
			nodes[nr++] = n;
	qsort_r(nodes, nr, sizeof(*nodes), compare_nodes, (void *)t);
	for (size_t i = 0; i < nr; i++)
		add_stream(s, t, nodes[i]);
}

struct streams *streams_new(struct agg *a, const struct agg_section *s)
{
	struct streams *out = XNEW(struct streams);
	struct calltree_opts o = { .bare = true,
				   .min_percent = LEAST,
				   .total = s->nr_members ? s->period[0] : 0 };
	struct view_tree tree = { 0 };

	agg_collect_chains(a, s->rows, s->nr_rows, 0);
	for (size_t i = 0; i < s->nr_rows; i++) {
		view_tree_reset(&tree);
		if (!agg_calltree(a, s->rows[i], &o, &tree))
			continue;
		add_streams(out, &tree, (u64)((double)o.total * LEAST / 100));
	}
	for (size_t i = 0; i < out->nr; i++)
		out->v[i].percent = section_percent(out->v[i].period, out->period);
	view_tree_release(&tree);
	return out;
}

static bool is_same(const struct view_stream *x, const struct view_stream *y)
{
	bool same = x->nr == y->nr;

	for (size_t i = 0; same && i < x->nr; i++)
		same = !strcmp(x->frames[i], y->frames[i]);
	return same;
}

struct view_stream_pair *streams_join(const struct streams *base, const struct streams *other,
				      size_t *nr)
{
	struct view_stream_pair *out = XNEW_ARRAY(struct view_stream_pair, 2 * STREAMS_HOT);
	bool taken[STREAMS_HOT] = { false };

	*nr = 0;
	for (size_t i = 0; i < base->nr; i++) {
		struct view_stream_pair *pair = &out[(*nr)++];

		*pair = (struct view_stream_pair){ .base = &base->v[i] };
		for (size_t k = 0; k < other->nr && !pair->other; k++) {
			if (taken[k] || !is_same(&base->v[i], &other->v[k]))
				continue;
			taken[k] = true;
			pair->other = &other->v[k];
		}
	}
	for (size_t k = 0; k < other->nr; k++)
		if (!taken[k])
			out[(*nr)++].other = &other->v[k];
	return out;
}
