/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: what stands in rows, and what is kept for it.
 */
#include <errno.h>
#include <string.h>

#include "cmd/top/top.h"

/* Percent. Frame pointers lead into nowhere in code without them: most callers are addresses that
 * were seen once, which no list is long enough to reach. */
#define CALLER_MIN 0.03

/* Flame graphs begin with commands. */
static void keep_commands(struct agg_config *keep)
{
	const struct agg_key *comm = agg_key_find("comm", strlen("comm"));

	for (size_t k = 0; k < keep->nr_keys; k++)
		if (keep->keys[k] == comm)
			return;
	if (comm && keep->nr_keys < AGG_MAX_KEYS && !keep->branches)
		keep->keys[keep->nr_keys++] = comm;
}

int top_settle(struct top *t, struct err *e)
{
	const struct graph_opts *g = &t->o->graph;
	struct profile_opts *p = &t->o->profile;
	struct agg_config keep;

	p->no_chains = !t->o->callgraph;
	p->children = t->o->callgraph && (p->children || !t->o->children_given);
	p->agg.branches = t->o->sampling.cfg.branch && !t->o->callgraph;
	p->graph = (struct profile_graph){
		.off = !t->o->callgraph,
		.flat = g->style == TEXT_TREE_FLAT || g->style == TEXT_TREE_FOLDED,
		.relative = g->style == TEXT_TREE_FRACTAL,
		.min_percent = g->min_percent,
	};
	p->agg.chains = t->o->callgraph;
	p->agg.graphs = t->o->callgraph;
	p->agg.graph_min = p->graph.relative ? 0 : p->graph.min_percent;
	p->agg.caller_first = g->order == ORDER_CALLER ||
			      (g->order == ORDER_DEFAULT && p->children);
	p->agg.children = p->children;
	p->agg.caller_min = CALLER_MIN;
	p->agg.short_kernel = true;
	p->agg.group = true;
	p->agg.group_sort = (u32)t->o->group_sort;
	p->agg.again = p->agg.chains;
	if (profile_columns_make(p, t->session, &t->columns, e) < 0)
		return -1;
	if (profile_lacks_switches(p, t->session))
		return err_set(e, ENOTSUP,
			       "perf top records no context switches: it cannot tell latency or "
			       "parallelism");
	keep = p->agg;
	keep.children = keep.graphs = false;
	if (t->tui && keep.chains)
		keep_commands(&keep);
	return agg_new(&t->agg, t->session, &keep, e);
}
