/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "probe/point.h"

static void describe_args(const struct probe_definition *d, struct strbuf *out)
{
	VEC_FOR(&d->args, a) {
		strbuf_addf(out, " [%s%s]", a->variable ? "v " : "", a->user ? "@ " : "");
		out->len--;
		if (a->name)
			strbuf_addf(out, "%s=", a->name);
		strbuf_adds(out, a->expression);
		if (a->type)
			strbuf_addf(out, ":%s", a->type);
		strbuf_addch(out, ']');
	}
}

/* What a definition means, as one line. */
static char *describe(const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct probe_definition d;
	struct err e = ERR_INIT;

	if (probe_definition_parse(text, &d, &e))
		return xstrdup(e.text);
	if (d.group)
		strbuf_addf(&out, "%s:", d.group);
	if (d.event)
		strbuf_addf(&out, "%s=", d.event);
	if (d.kept)
		strbuf_addf(&out, "kept %s", d.object ? d.object : "");
	if (d.point.function)
		strbuf_adds(&out, d.point.function);
	if (d.point.file)
		strbuf_addf(&out, "@%s", d.point.file);
	if (d.point.line)
		strbuf_addf(&out, ":%d", d.point.line);
	if (d.point.offset)
		strbuf_addf(&out, "+%#llx", (unsigned long long)d.point.offset);
	if (d.point.is_return)
		strbuf_adds(&out, "%return");
	if (d.point.lazy)
		strbuf_addf(&out, ";%s", d.point.lazy);
	if (d.point.has_address)
		strbuf_addf(&out, " at %#llx", (unsigned long long)d.point.address);
	describe_args(&d, &out);
	probe_definition_release(&d);
	return strbuf_detach(&out);
}

#define S "Semantic error :"

static const struct {
	const char *text, *means;
} definitions[] = {
	{ "main", "main" },
	{ " main\t ", "main" },
	{ "main:1", "main:1" },
	{ "main:0x10", "main:16" },
	{ "main:", "main" },
	{ "main:5:6", "main:6" },
	{ "main:zz", S "There is non-digit char in line number." },
	{ "main+4", "main+0x4" },
	{ "main+-1", "main+0xffffffffffffffff" },
	{ "main+zz", S "There is non-digit character in offset." },
	{ "main%return", "main%return" },
	{ "main%return@t.c", "main@t.c%return" },
	{ "main%foo", S "%foo is not supported." },
	{ "main%", S "% is not supported." },
	{ "main@t.c", "main@t.c" },
	{ "main@", "main@" },
	{ "main@t.c:2", "main@t.c:2" },
	{ "main@t.c@x", S "SRC@SRC is not allowed." },
	{ "main;x=*", "main;x=*" },
	{ "main;a;b:3+3%return", "main;a;b:3+3%return" },
	{ "main;a\\;b", "main;a\\;b" },
	{ "main;", "main;" },
	{ "t.c:20", "@t.c:20" },
	{ "./t.c:20:3", "@./t.c:3" },
	{ "t.c;work*", "@t.c;work*" },
	{ "t.c", "t.c" },
	{ "t.c+1", "t.c+0x1" },
	{ "t.c@x:3", "t.c@x:3" },
	{ "t.c:0", S "File always requires line number or lazy pattern." },
	{ "@t.c", S "File always requires line number or lazy pattern." },
	{ "@t.c:10", "@t.c:10" },
	{ "+5", S "Offset requires an entry function." },
	{ "main:1+3", S "Offset can't be used with line number." },
	{ "main:3;x", S "Lazy pattern can't be used with line number." },
	{ "main+3;x", S "Lazy pattern can't be used with offset." },
	{ "main:1%return", S "Offset/Line/Lazy pattern can't be used with return probe." },
	{ "t.c:3%return", S "Offset/Line/Lazy pattern can't be used with return probe." },
	{ "foo=main", "foo=main" },
	{ "foo:bar=main:3", "foo:bar=main:3" },
	{ "foo==main", "foo==main" },
	{ "a@b=c", "a@b=c" },
	{ "a:b:c=main", S "b:c is bad for event name -it must follow C symbol-naming rule." },
	{ "foo:=main", S " is bad for event name -it must follow C symbol-naming rule." },
	{ "foo-bar=main", S "foo-bar is bad for event name -it must follow C symbol-naming rule." },
	{ "foo\\:bar:1", "foo:bar:1" },
	{ "ns\\:\\:f", "ns::f" },
	{ "ns::f", S "There is non-digit char in line number." },
	{ "e=a@b\\:c:3", "e=a@b:c:3" },
	{ "e=foo\\+bar+1", "e=foo+bar+0x1" },
	{ "a\\=b:3", "a=b:3" },
	{ "\\main\\", "main" },
	{ "0x10", "0x10 at 0x10" },
	{ "e=0x10%return", "e=0x10%return at 0x10" },
	{ "0x", S "Invalid absolute address." },
	{ "0x10zz", S "Invalid absolute address." },
	{ "%sdt_a:b", "sdt_a:b=kept " },
	{ "sdt_a:b@/bin/x", "sdt_a:b=kept /bin/x" },
	{ "%foo", "foo=kept " },
	{ "sdt_a:b=c", "sdt_a:b=c" },
	{ "sdt_a", "sdt_a" },
	{ "%foo=bar", S "foo=bar must be an SDT name." },
	{ "sdt_a:b+3", S "sdt_a:b+3 must be an SDT name." },
	{ "main x=%di:u64 +0(+8(%sp)):string", "main [x=%di:u64] [+0(+8(%sp)):string]" },
	{ "main $vars $params $retval", "main [v $vars] [v $params] [$retval]" },
	{ "main n=a->b[1].c:u32", "main [v n=a->b[1].c:u32]" },
	{ "main x=y=z x:y:z", "main [v x=y=z] [v x:y:z]" },
	{ "main x:string@user %di@user", "main [v @ x:string] [@ %di]" },
	{ "main x=@sym@user @user x@usr", "main [x=@sym@user] [@user] [v x@usr]" },
	{ "main :x x= \\$x", "main [:x] [x=] [\\$x]" },
	{ "main x-y", S "Argument parse error: x-y" },
	{ "main x->y-", S "Argument parse error: y-" },
	{ "main x[1]y", S "Argument parse error: [1]y" },
	{ "main x[a]", S "Array index must be a number." },
	{ "main x[1][-2].z->", "main [v x[1][-2].z->]" },
	{ " ", S "No probe point is given." },
};

static void all_definitions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(definitions) / sizeof(*definitions); i++) {
		_cleanup_(mem_freep) char *means = describe(definitions[i].text);

		assert_string_equal(means, definitions[i].means);
	}
}

static void too_many_arguments(void **state)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct probe_definition d;
	struct err e = ERR_INIT;

	(void)state;
	strbuf_adds(&text, "main");
	for (int i = 0; i < PROBE_ARGS_MAX; i++)
		strbuf_adds(&text, " 1");
	assert_int_equal(probe_definition_parse(text.buf, &d, &e), 0);
	assert_int_equal(d.args.nr, PROBE_ARGS_MAX);
	probe_definition_release(&d);
	strbuf_adds(&text, " 1");
	assert_int_equal(probe_definition_parse(text.buf, &d, &e), -1);
	assert_int_equal(e.code, E2BIG);
	assert_string_equal(e.text, S "Too many probe arguments (129).");
}

static void debug_information(void **state)
{
	static const char *const without[] = { "main",        "main+4",
					       "main%return", "main@a.c%return",
					       "main %di",    "main $retval" };
	static const char *const with[] = { "main:1", "main@a.c", "a.c:3",
					    "main;x", "main x",   "main $vars" };
	struct probe_definition d;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(probe_definition_parse(without[i], &d, NULL), 0);
		assert_false(probe_definition_needs_debug(&d));
		probe_definition_release(&d);
		assert_int_equal(probe_definition_parse(with[i], &d, NULL), 0);
		assert_true(probe_definition_needs_debug(&d));
		probe_definition_release(&d);
	}
}

static const struct {
	const char *text, *function, *file;
	int start, end;
	const char *error;
} ranges[] = {
	{ "main", "main", NULL, 0, INT_MAX, NULL },
	{ "main:3", "main", NULL, 3, INT_MAX, NULL },
	{ "main:3-5", "main", NULL, 3, 5, NULL },
	{ "main:3+2", "main", NULL, 3, 4, NULL },
	{ "main:-3", "main", NULL, -3, INT_MAX, NULL },
	{ "main@t.c:1-3", "main", "t.c", 1, 3, NULL },
	{ "t.c", NULL, "t.c", 0, INT_MAX, NULL },
	{ "x/y:10+2", NULL, "x/y", 10, 11, NULL },
	{ "main:5-3", NULL, NULL, 0, 0, "Start line must be smaller than end line." },
	{ "main:3-", NULL, NULL, 0, 0, "'end line' is not a valid number." },
	{ "main:x", NULL, NULL, 0, 0, "'start line' is not a valid number." },
	{ "main:1-2-3", NULL, NULL, 0, 0, "Tailing with invalid str '-3'." },
	{ "main+3", NULL, NULL, 0, 0, "'main+3' is not a valid function name." },
	{ ":3", NULL, NULL, 0, 0, "'' is not a valid function name." },
	{ "main:1+2147483647", "main", NULL, 1, INT_MAX, NULL },
};

static void same(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void line_ranges(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		struct probe_line_range r;
		struct err e = ERR_INIT;
		int bad = probe_line_range_parse(ranges[i].text, &r, &e);

		assert_int_equal(bad, ranges[i].error ? -1 : 0);
		if (bad) {
			assert_string_equal(e.text + strlen(S), ranges[i].error);
			continue;
		}
		same(r.function, ranges[i].function);
		same(r.file, ranges[i].file);
		assert_int_equal(r.start, ranges[i].start);
		assert_int_equal(r.end, ranges[i].end);
		probe_line_range_release(&r);
	}
}

static void patterns(void **state)
{
	(void)state;
	assert_true(probe_match("*", ""));
	assert_true(probe_match("ma?n", "main"));
	assert_true(probe_match("m*n*", "main"));
	assert_true(probe_match("ma[a-j]n", "main"));
	assert_false(probe_match("ma[!a-j]n", "main"));
	assert_false(probe_match("main", "main2"));
	assert_false(probe_match("*x", "main"));
	assert_true(probe_match("a*b*c", "abbbbbc"));
	assert_true(probe_match("a\\*b", "a*b"));
	assert_false(probe_match("a\\*b", "axb"));
	assert_false(probe_match("a b", "ab"));
	assert_true(probe_match_lazy("a=*", "\ta == b;"));
	assert_true(probe_match_lazy("rq=cpu_rq*", "  rq = cpu_rq(cpu);"));
	assert_false(probe_match_lazy("a=b", "a = bc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_definitions),   cmocka_unit_test(too_many_arguments),
		cmocka_unit_test(debug_information), cmocka_unit_test(line_ranges),
		cmocka_unit_test(patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
