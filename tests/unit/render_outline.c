/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those that it needs */
#include <cmocka.h>

#include "render/text_outline.h"

static const struct view_column columns[] = {
	{ .header = "Nr", .width = 4, .right = true, .number = true, .unit = VIEW_PERIOD },
	{ .header = "  Command", .width = 9 },
	{ .header = "Symbol", .width = 6 },
};

struct rows {
	struct view_rows view;
	const char *const *names;
};

static void cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		 struct view_marks *marks)
{
	const struct rows *r = ctx;

	(void)marks;
	if (!column)
		strbuf_add_u64_width(out, 10 - row, (int)width, ' ');
	else if (column == r->view.level + 1)
		strbuf_addf(out, "  %s", r->names[row]);
}

static int opened;

/* "a" has two rows below it, "b" none that reaches the limit. */
static struct view_rows *open_rows(void *ctx, const struct view_rows *above, size_t row)
{
	static const char *const top[] = { "a", "b,c" }, *const below[] = { "f", "g" };
	struct rows *r = xcalloc(1, sizeof(*r));

	(void)ctx;
	opened++;
	r->names = above ? below : top;
	r->view.level = above ? 1 : 0;
	r->view.table =
		(struct view_table){ .nr_rows = above && row ? 0 : 2, .ctx = r, .cell = cell };
	return &r->view;
}

static void close_rows(struct view_rows *rows)
{
	opened--;
	free(rows);
}

static bool keep(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return true;
}

static void check(struct text_table_opts o, size_t nr_levels, const char *expected)
{
	struct strbuf out = STRBUF_INIT;
	struct view_outline v = { .columns = columns,
				  .nr_columns = 3,
				  .nr_levels = nr_levels,
				  .level = { 0, 1, 2 },
				  .percent_limit = 5,
				  .open = open_rows,
				  .close = close_rows };

	o.write = keep;
	o.ctx = &out;
	text_outline_print(&v, &o);
	assert_string_equal(out.buf, expected);
	assert_int_equal(opened, 0);
	strbuf_release(&out);
}

static void levels(void **state)
{
	(void)state;
	check((struct text_table_opts){ .tree = { 0 } }, 2,
	      "#      Nr  Command / Symbol\n# .......  ................\n#\n"
	      "    10     a\n       10     f\n        9     g\n"
	      "     9     b,c\n              no entry >= 5.00%\n");
	check((struct text_table_opts){ .separator = ",", .no_header = true }, 2,
	      "  10,a\n     10,f\n      9,g\n   9,b.c\n              no entry >= 5.00%\n");
	check((struct text_table_opts){ .separator = "," }, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(levels) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
