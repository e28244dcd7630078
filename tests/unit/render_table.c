/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "render/text_table.h"

static const char *const names[] = { "main", "a:b", "\xc3\xa9t\xc3\xa9", "main" };
static const u64 values[] = { 60, 30, 9, 1 };

static void cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		 struct view_marks *marks)
{
	enum view_class class = view_class_of((double)values[row]);
	size_t from = out->len;

	(*(size_t *)ctx)++;
	if (column) {
		strbuf_adds(out, names[row]);
		return;
	}
	strbuf_add_u64_width(out, values[row], (int)width, ' ');
	if (marks && class != VIEW_PLAIN)
		*VEC_PUSH(marks) = (struct view_mark){ from, out->len - from, class };
}

/* Rows 0 and 3 have the same name. */
static u64 sign(void *ctx, size_t row, size_t column)
{
	(void)ctx;
	return column && row % 3 == 0 ? 1 : 0;
}

static bool tree(void *ctx, size_t row, struct view_tree *out)
{
	u32 node;

	(void)ctx;
	if (row)
		return false;
	view_tree_add(out);
	node = view_tree_add(out);
	out->nodes.v[0] = (struct view_node){ .child = node, .total = 60 };
	out->nodes.v[node] = (struct view_node){ .nr_labels = 1, .total = 60, .self = 60 };
	*VEC_PUSH(&out->labels) = (struct view_label){ .text = "start" };
	out->row_total = 60;
	out->total = 100;
	return true;
}

static bool keep(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return true;
}

static const struct view_column columns[] = {
	{ .header = "Nr", .width = 4, .right = true, .number = true, .unit = VIEW_PERIOD },
	{ .header = "Name", .width = 6 },
};

static void check(struct text_table_opts o, struct view_table t, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	o.write = keep;
	o.ctx = &out;
	assert_true(text_table_print(&t, &o));
	assert_string_equal(out.buf, expected);
	strbuf_release(&out);
}

static void layouts(void **state)
{
	size_t cells = 0;
	struct view_table t = { .columns = columns,
				.nr_columns = 2,
				.nr_rows = 4,
				.ctx = &cells,
				.cell = cell,
				.sign = sign };

	(void)state;
	check((struct text_table_opts){ .tree = { 0 } }, t,
	      "#   Nr  Name  \n# ....  ......\n#\n"
	      "    60  main\n    30  a:b\n     9  \xc3\xa9t\xc3\xa9\n     1  main\n");
	assert_int_equal(cells, 7); /* one was known */
	t.padded = true;
	check((struct text_table_opts){ .no_header = true }, t,
	      "    60  main  \n    30  a:b   \n     9  \xc3\xa9t\xc3\xa9   \n     1  main  \n");
	t.padded = false;
	check((struct text_table_opts){ .separator = ":" }, t,
	      "#   Nr:Name  \n60  :main\n30  :a.b\n9   :\xc3\xa9t\xc3\xa9\n1   :main\n");
}

static void colours(void **state)
{
	size_t cells = 0;
	struct view_table t = {
		.columns = columns, .nr_columns = 2, .nr_rows = 4, .ctx = &cells, .cell = cell
	};

	(void)state;
	check((struct text_table_opts){ .no_header = true, .coloured = true }, t,
	      "  \033[31m  60\033[m  main\n  \033[31m  30\033[m  a:b\n"
	      "  \033[31m   9\033[m  \xc3\xa9t\xc3\xa9\n  \033[32m   1\033[m  main\n");
	/* separated values are for programs */
	check((struct text_table_opts){ .no_header = true, .coloured = true, .separator = "," }, t,
	      "60  ,main\n30  ,a:b\n9   ,\xc3\xa9t\xc3\xa9\n1   ,main\n");
}

static void trees(void **state)
{
	size_t cells = 0;
	struct view_table t = { .columns = columns,
				.nr_columns = 2,
				.nr_rows = 2,
				.ctx = &cells,
				.cell = cell,
				.tree = tree };

	(void)state;
	check((struct text_table_opts){ .no_header = true, .tree = { .margin = 2 } }, t,
	      "    60  main\n  |\n  ---start\n\n    30  a:b\n");
	check((struct text_table_opts){ .no_header = true, .tree = { .style = TEXT_TREE_FOLDED } },
	      t, "    60  main\n60.00% start\n    30  a:b\n");
}

static bool refuse(void *ctx, const char *text, size_t len)
{
	(void)text;
	(void)len;
	(*(size_t *)ctx)++;
	return false;
}

/* Rows in any number of threads are the same, and nothing follows a write that failed. */
static void many(void **state)
{
	size_t cells = 0, writes = 0;
	struct view_table t = {
		.columns = columns, .nr_columns = 2, .nr_rows = 4, .ctx = &cells, .cell = cell
	};
	struct text_table_opts o = { .write = refuse, .ctx = &writes };

	(void)state;
	assert_false(text_table_print(&t, &o));
	assert_int_equal(writes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts),
		cmocka_unit_test(colours),
		cmocka_unit_test(trees),
		cmocka_unit_test(many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
