/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_tree: a call graph as perf's --stdio draws it. Four styles of the same tree:
 *   graph    percentages of everything, branches drawn with '|' and '--'
 *   fractal  percentages of the parent
 *   flat     one block per chain
 *   folded   one line per chain: "12.34% a;b;c"
 */
#ifndef RENDER_TEXT_TREE_H
#define RENDER_TEXT_TREE_H

#include "base/strbuf.h"
#include "view/tree.h"

enum text_tree_style {
	TEXT_TREE_GRAPH,
	TEXT_TREE_FRACTAL,
	TEXT_TREE_FLAT,
	TEXT_TREE_FOLDED,
};

enum text_tree_value {
	TEXT_TREE_PERCENT,
	TEXT_TREE_PERIOD,
	TEXT_TREE_COUNT,
};

struct text_tree_opts {
	enum text_tree_style style;
	enum text_tree_value value;
	u32 limit; /* branches per node, 0 = all */
	u32 margin; /* blanks before everything */
	bool skip_first; /* the row already shows the first label */
	char separator; /* folded: between frames, 0 = ';' */
	bool coloured; /* percentages, by view_class_of() */
};

void text_tree_add(struct strbuf *out, const struct view_tree *t, const struct text_tree_opts *o);

#endif
