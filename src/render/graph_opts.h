/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph_opts: how call graphs are shown, as -g of perf report and --call-graph of perf top say it.
 */
#ifndef RENDER_GRAPH_OPTS_H
#define RENDER_GRAPH_OPTS_H

#include "base/err.h"
#include "render/text_tree.h"

enum graph_order { ORDER_DEFAULT, ORDER_CALLER, ORDER_CALLEE };

/* -g TYPE,MIN,LIMIT,ORDER,KEY,BRANCH,VALUE */
struct graph_opts {
	bool given, off;
	enum text_tree_style style;
	enum text_tree_value value;
	enum graph_order order;
	double min_percent;
	u32 limit;
	bool address; /* key=address: not merged by function */
	bool lines; /* key=srcline: merged by function and source line */
	bool branch; /* branch records are part of the chains */
};

/* What -g may be followed by, nr words. */
const char *const *graph_words(size_t *nr);
/* "graph,0.5,caller,...": changes what it speaks of. */
int graph_words_parse(struct graph_opts *g, const char *text, struct err *e);

#endif
