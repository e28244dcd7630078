/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph_trie: chains of which call graphs are made, as a tree of frames. Chains that begin alike
 * are the same nodes as far as they do, so a row that has thousands of chains behind it has few
 * nodes to look at.
 */
#include "agg/private.h"
#include "base/hash.h"

u32 graph_trie_root(struct graph_trie *t, u64 owner, u32 entry)
{
	u64 hash = hash_u64(owner);
	u32 i;

	for (struct map_probe p = map_first(&t->by_owner, hash); map_next(&t->by_owner, &p, &i);)
		if (t->roots.v[i].owner == owner)
			return t->roots.v[i].node;
	if (!t->nodes.nr)
		*VEC_PUSH(&t->nodes) = (struct graph_node){ 0 }; /* none */
	i = (u32)t->nodes.nr;
	*VEC_PUSH(&t->nodes) = (struct graph_node){ 0 };
	map_add(&t->by_owner, hash, (u32)t->roots.nr);
	*VEC_PUSH(&t->roots) = (struct graph_root){ .owner = owner, .node = i, .entry = entry };
	return i;
}

static u32 add_child(struct graph_trie *t, u32 parent, frame_id frame, u64 hash)
{
	u32 i = (u32)t->nodes.nr;

	*VEC_PUSH(&t->nodes) = (struct graph_node){ .parent = parent,
						    .frame = frame,
						    .next = t->nodes.v[parent].child };
	t->nodes.v[parent].child = i;
	map_add(&t->by_frame, hash, i);
	return i;
}

static u32 child_of(struct graph_trie *t, u32 parent, frame_id frame)
{
	u64 hash = hash_u64((u64)parent << 32 | frame);
	u32 i;

	for (struct map_probe p = map_first(&t->by_frame, hash); map_next(&t->by_frame, &p, &i);)
		if (t->nodes.v[i].parent == parent && t->nodes.v[i].frame == frame)
			return i;
	return add_child(t, parent, frame, hash);
}

void graph_trie_add(struct graph_trie *t, struct graph_path *path, u32 root, const frame_id *frames,
		    u32 nr, u64 weight, u64 count)
{
	u32 node = root, i = 0;

	if (path->root == root)
		while (i < nr && i < path->nr && path->frames[i] == frames[i])
			i++;
	if (i)
		node = path->nodes[i - 1];
	for (; i < nr; i++) {
		node = child_of(t, node, frames[i]);
		if (i < GRAPH_PATH) {
			path->frames[i] = frames[i];
			path->nodes[i] = node;
		}
	}
	path->root = root;
	path->nr = MIN(nr, (u32)GRAPH_PATH);
	t->nodes.v[node].total += weight;
	t->nodes.v[node].count += count;
}

void graph_trie_append(struct graph_trie *t, const struct graph_trie *from)
{
	u32 shift = (u32)t->nodes.nr - 1;

	if (!t->nodes.nr || !from->nodes.nr)
		shift = 0;
	VEC_GROW(&t->nodes, from->nodes.nr);
	for (u32 i = shift ? 1 : 0; i < from->nodes.nr; i++) {
		struct graph_node *n = VEC_PUSH(&t->nodes);

		*n = from->nodes.v[i];
		n->parent += n->parent ? shift : 0;
		n->child += n->child ? shift : 0;
		n->next += n->next ? shift : 0;
	}
	VEC_FOR(&from->roots, r)
		*VEC_PUSH(&t->roots) = (struct graph_root){ .owner = r->owner,
							    .node = r->node + shift,
							    .entry = r->entry };
}

void graph_trie_sum(struct graph_trie *t)
{
	for (u32 i = (u32)t->nodes.nr; i-- > 1;) {
		struct graph_node *n = &t->nodes.v[i];
		struct graph_node *parent = &t->nodes.v[n->parent];

		parent->total += n->total;
		parent->count += n->count;
	}
	map_release(&t->by_frame);
}

void graph_trie_release(struct graph_trie *t)
{
	vec_free(&t->nodes);
	vec_free(&t->roots);
	map_release(&t->by_owner);
	map_release(&t->by_frame);
}
