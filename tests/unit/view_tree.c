/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "view/table.h"

static void nodes(void **state)
{
	struct view_tree t = { .total = 7 };
	u32 root, first;

	(void)state;
	root = view_tree_add(&t);
	*VEC_PUSH(&t.labels) = (struct view_label){ .text = arena_strdup(&t.arena, "a") };
	first = view_tree_add(&t);
	assert_int_equal(root, 0);
	assert_int_equal(first, 1);
	/* a node's labels begin where there are none yet */
	assert_int_equal(t.nodes.v[0].labels, 0);
	assert_int_equal(t.nodes.v[1].labels, 1);
	view_tree_reset(&t);
	assert_int_equal(t.nodes.nr, 0);
	assert_int_equal(t.labels.nr, 0);
	assert_int_equal(view_tree_add(&t), 0);
	assert_int_equal(t.nodes.v[0].total, 0);
	view_tree_release(&t);
}

static void classes(void **state)
{
	(void)state;
	assert_int_equal(view_class_of(5.0), VIEW_HOT);
	assert_int_equal(view_class_of(4.99), VIEW_WARM);
	assert_int_equal(view_class_of(0.51), VIEW_WARM);
	assert_int_equal(view_class_of(0.5), VIEW_PLAIN);
	assert_int_equal(view_class_of(0), VIEW_PLAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(nodes), cmocka_unit_test(classes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
