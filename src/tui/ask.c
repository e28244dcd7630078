/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/ask.h"

#include <errno.h>
#include <string.h>

int ask_possible(const struct browse *b, struct err *e)
{
	if (b->source.opts->agg.again)
		return 0;
	return err_set(e, ENOTSUP, "there are no callchains: record them with -g");
}

int ask_rows(const struct browse *b, const struct snapshot *s, const struct ask_opts *o,
	     struct agg **out, struct err *e)
{
	struct agg_config c = b->source.opts->agg;

	c.keys[0] = agg_key_find(o->key, strlen(o->key));
	c.nr_keys = 1;
	c.sort[0] = (struct agg_sort){ .index = o->children ? AGG_OVERHEAD_CHILDREN
							    : AGG_OVERHEAD };
	c.nr_sort = 1;
	c.children = o->children;
	c.caller_first = o->caller_first;
	c.callees = o->children && o->caller_first;
	c.graphs = true;
	c.graph_min = 0;
	c.levels = c.latency = false;
	return snapshot_rows(out, s, &c, e);
}

const struct agg_section *ask_section(const struct browse *b, struct agg *rows)
{
	return b->shown.look.event < agg_nr_sections(rows) ? agg_section(rows, b->shown.look.event)
							   : NULL;
}

static u64 least(const struct agg_section *s, const struct ask_opts *o)
{
	return (u64)((double)s->shown_period[0] * o->min_percent / 100.0);
}

void ask_prepare(struct agg *rows, const struct agg_section *s, const struct agg_entry *const *v,
		 size_t nr, const struct ask_opts *o)
{
	agg_collect_chains(rows, v, nr, least(s, o));
}

bool ask_tree(struct agg *rows, const struct agg_section *s, const struct agg_entry *e,
	      const struct ask_opts *o, struct view_tree *out)
{
	struct calltree_opts opts = { .min_percent = o->min_percent, .total = s->shown_period[0] };

	out->row_total = agg_value(rows, e, 0, o->children ? AGG_OVERHEAD_CHILDREN : AGG_OVERHEAD);
	out->total = s->shown_period[0];
	return agg_calltree(rows, e, &opts, out);
}
