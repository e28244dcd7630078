/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "render/text_tree.h"

/* A frame's name must not look like two frames of a folded line; elsewhere it is shown as it is. */
static void separators_in_names(void **state)
{
	struct view_tree t = { .nodes = { 0 } };
	struct text_tree_opts o = { .style = TEXT_TREE_FOLDED, .value = TEXT_TREE_COUNT };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	(void)state;
	view_tree_reset(&t);
	u32 node = view_tree_add(&t);

	if (!node)
		node = view_tree_add(&t);
	t.nodes.v[0].child = node;
	*VEC_PUSH(&t.labels) = (struct view_label){ .text = "<[u8; 4] as Debug>::fmt" };
	*VEC_PUSH(&t.labels) = (struct view_label){ .text = "a,b\nc" };
	t.nodes.v[node] = (struct view_node){ .nr_labels = 2, .self_count = 3, .count = 3 };
	text_tree_add(&out, &t, &o);
	assert_string_equal(out.buf, "3 <[u8\\x3b 4] as Debug>::fmt;a,b\\x0ac\n");
	strbuf_reset(&out);
	o.separator = ',';
	text_tree_add(&out, &t, &o);
	assert_string_equal(out.buf, "3 <[u8; 4] as Debug>::fmt,a\\x2cb\\x0ac\n");
	strbuf_reset(&out);
	o.style = TEXT_TREE_FLAT;
	text_tree_add(&out, &t, &o);
	assert_non_null(strstr(out.buf, "<[u8; 4] as Debug>::fmt\n"));
	view_tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(separators_in_names) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
