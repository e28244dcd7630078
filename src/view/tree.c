/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/tree.h"

void view_tree_reset(struct view_tree *t)
{
	t->nodes.nr = 0;
	t->labels.nr = 0;
	arena_release(&t->arena);
}

void view_tree_release(struct view_tree *t)
{
	vec_free(&t->nodes);
	vec_free(&t->labels);
	arena_release(&t->arena);
}

u32 view_tree_add(struct view_tree *t)
{
	*VEC_PUSH(&t->nodes) = (struct view_node){ .labels = (u32)t->labels.nr };
	return (u32)t->nodes.nr - 1;
}
