// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "agg/private.h"

enum { OWNER = 7, ENTRY = 3, DEEP = 3 * GRAPH_PATH };

static u32 child(const struct graph_trie *t, u32 parent, frame_id frame)
{
	for (u32 c = t->nodes.v[parent].child; c; c = t->nodes.v[c].next)
		if (t->nodes.v[c].frame == frame)
			return c;
	return 0;
}

static void add(struct graph_trie *t, struct graph_path *path, u64 owner, const frame_id *frames,
		u32 nr, u64 weight)
{
	graph_trie_add(t, path, graph_trie_root(t, owner, ENTRY), frames, nr, weight, 1);
}

static void chains_share_nodes(void **state UNUSED)
{
	const frame_id x[] = { 1, 2, 3 }, y[] = { 1, 2, 4, 5 }, z[] = { 1, 2 };
	struct graph_trie t = { 0 };
	struct graph_path path = { 0 };
	u32 root, n;

	add(&t, &path, OWNER, x, 3, 10);
	add(&t, &path, OWNER, y, 4, 20);
	add(&t, &path, OWNER, z, 2, 1);
	add(&t, &path, OWNER, x, 3, 100);
	graph_trie_sum(&t);
	assert_int_equal(t.roots.nr, 1);
	assert_int_equal(t.roots.v[0].entry, ENTRY);
	assert_int_equal(t.nodes.nr, 1 + 1 + 5);
	root = t.roots.v[0].node;
	n = child(&t, child(&t, root, 1), 2);
	assert_int_equal(t.nodes.v[root].total, 131);
	assert_int_equal(t.nodes.v[root].count, 4);
	assert_int_equal(t.nodes.v[n].total, 131);
	assert_int_equal(t.nodes.v[child(&t, n, 3)].total, 110);
	assert_int_equal(t.nodes.v[child(&t, n, 3)].count, 2);
	assert_int_equal(t.nodes.v[child(&t, child(&t, n, 4), 5)].total, 20);
	assert_int_equal(child(&t, root, 2), 0);
	graph_trie_release(&t);
}

/* The path of another owner is not taken, nor what is behind a shorter chain. */
static void owners_stay_apart(void **state UNUSED)
{
	const frame_id x[] = { 1, 2, 3 };
	struct graph_trie t = { 0 };
	struct graph_path path = { 0 };

	add(&t, &path, OWNER, x, 3, 10);
	add(&t, &path, OWNER + 1, x, 3, 20);
	add(&t, &path, OWNER + 1, x, 1, 5);
	add(&t, &path, OWNER + 1, x, 3, 40);
	graph_trie_sum(&t);
	assert_int_equal(t.roots.nr, 2);
	assert_int_equal(t.nodes.nr, 1 + 2 * 4);
	assert_int_equal(t.nodes.v[t.roots.v[0].node].total, 10);
	assert_int_equal(t.nodes.v[t.roots.v[1].node].total, 65);
	graph_trie_release(&t);
}

static void long_chains(void **state UNUSED)
{
	frame_id x[DEEP];
	struct graph_trie t = { 0 };
	struct graph_path path = { 0 };

	for (u32 i = 0; i < DEEP; i++)
		x[i] = i + 1;
	add(&t, &path, OWNER, x, DEEP, 1);
	add(&t, &path, OWNER, x, DEEP, 1);
	x[DEEP - 1] = 1;
	add(&t, &path, OWNER, x, DEEP, 1);
	graph_trie_sum(&t);
	assert_int_equal(t.nodes.nr, 1 + 1 + DEEP + 1);
	assert_int_equal(t.nodes.v[t.roots.v[0].node].total, 3);
	graph_trie_release(&t);
}

/* Nodes of equal frames stay apart: who asks for them adds them up. */
static void appended(void **state UNUSED)
{
	const frame_id x[] = { 1, 2, 3 }, y[] = { 1, 4 };
	struct graph_trie t = { 0 }, u = { 0 }, none = { 0 };
	struct graph_path path = { 0 }, path2 = { 0 };
	u32 root;

	add(&t, &path, OWNER, x, 3, 10);
	add(&u, &path2, OWNER + 1, y, 2, 7);
	add(&u, &path2, OWNER, y, 2, 20);
	u.nodes.v[child(&u, child(&u, u.roots.v[1].node, 1), 4)].row1 = 9;
	graph_trie_append(&t, &u);
	graph_trie_append(&t, &none);
	graph_trie_sum(&t);
	graph_trie_release(&u);
	assert_int_equal(t.roots.nr, 3);
	assert_int_equal(t.nodes.nr, 1 + 4 + 3 + 3);
	root = t.roots.v[0].node;
	assert_int_equal(t.nodes.v[root].total, 10);
	assert_int_equal(t.nodes.v[child(&t, child(&t, root, 1), 2)].total, 10);
	assert_int_equal(t.nodes.v[t.roots.v[1].node].total, 7);
	assert_int_equal(t.roots.v[2].owner, OWNER);
	assert_int_equal(t.roots.v[2].entry, ENTRY);
	root = t.roots.v[2].node;
	assert_int_equal(t.nodes.v[root].total, 20);
	assert_int_equal(t.nodes.v[child(&t, child(&t, root, 1), 4)].total, 20);
	assert_int_equal(t.nodes.v[child(&t, child(&t, root, 1), 4)].row1, 9);
	graph_trie_release(&t);
	graph_trie_append(&none, &t);
	assert_int_equal(none.nodes.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_share_nodes),
		cmocka_unit_test(owners_stay_apart),
		cmocka_unit_test(long_chains),
		cmocka_unit_test(appended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
