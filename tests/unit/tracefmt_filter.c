/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions on the fields of a tracepoint: what the kernel gets, and where the caret stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tracefmt/filter.h"

static const char format[] =
	"name: one\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:char comm_of[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:int reason;\toffset:40;\tsize:4;\tsigned:1;\n"
	"\tfield:void * site;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:56;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"%s %s %s\", (REC->state & 7) ? __print_flags(REC->state & 7, \"|\", { 1, \"S\" },"
	" { 2, \"D\" }, { 4, \"T\" }) : \"R\", __print_symbolic(REC->reason, { 0, \"hit\" },"
	" { 3, \"missed\" }, { 9, \"twice\" }, { 10, \"twice\" }), __print_symbolic(REC->pid >> 2,"
	" { 1, \"odd\" })\n";

/* Of one field alone. */
static bool find(void *ctx, const struct tracefmt_field *f, const char *name, size_t len,
		 s64 *value)
{
	(void)ctx;
	*value = 64;
	return !strcmp(f->name, "state") && len == 7 && !strncmp(name, "O_CREAT", len);
}

static void offer(void *ctx, const struct tracefmt_field *f, struct similar *near)
{
	(void)ctx;
	if (!strcmp(f->name, "state"))
		similar_offer(near, "O_CREAT");
}

static const struct tracefmt_more_names more = { find, offer, NULL };

static void check(const char *text, const char *want, long at, const char *what)
{
	struct tracefmt_set *s = tracefmt_set_new();
	struct strbuf out = STRBUF_INIT;
	struct tracefmt_filter_error e;
	bool understood;

	assert_int_equal(tracefmt_set_add(s, "sys", format, strlen(format), NULL), 0);
	understood = tracefmt_filter(tracefmt_set_at(s, 0), text, &more, &out, &e);
	assert_string_equal(out.buf, want);
	assert_int_equal(understood, at < 0);
	if (at >= 0) {
		assert_int_equal(e.at, at);
		assert_non_null(strstr(e.text, what));
	}
	strbuf_release(&out);
	tracefmt_set_free(s);
}

static void passes(const char *text)
{
	check(text, text, -1, "");
}

static void test_kernels_language(void **state)
{
	(void)state;
	passes("pid > 0");
	passes("  pid==-1&&pid!=0x1f || ! (pid <= 010)");
	passes("!!(pid & 3) && !pid > 1");
	passes("comm_of ~ \"a*b?[c]\" || comm_of == 'a\"b' || comm_of != \"\"");
	passes("cpu & CPUS{0-3,7} && CPU == 1 && COMM == \"a\" && common_type == 1");
	passes("path.ustring ~ \"/etc*\" && comm_of.ustring == \"a\"");
	passes("site.function == schedule");
	passes("stacktrace == 1");
}

static void test_names(void **state)
{
	(void)state;
	check("state == R", "state == 0", -1, "");
	check("state & S|T || reason == \"missed\"", "state & 5 || reason == 3", -1, "");
	check("(reason != hit)&&pid == 1", "(reason != 0)&&pid == 1", -1, "");
	/* of two values, and of an expression that is not the field itself */
	check("reason == twice", "reason == twice", 10, "reason has no value");
	check("pid == odd", "pid == odd", 7, "pid has no value");
}

static void test_strings(void **state)
{
	(void)state;
	check("comm_of ~ nginx* && comm == sh", "comm_of ~ \"nginx*\" && comm == \"sh\"", -1, "");
	check("(path == /bin/sh)", "(path == \"/bin/sh\")", -1, "");
	check("comm_of == \"a", "comm_of == \"a", 11, "not closed");
	check("pid == \"3\"", "pid == \"3\"", 7, "pid is a number");
}

static void test_wrong(void **state)
{
	(void)state;
	check("state == D && nosuch > 1", "state == D && nosuch > 1", 14, "no such field");
	check("pid = 3", "pid = 3", 4, "an operator is missing");
	check("pid == 3abc", "pid == 3abc", 7, "no number");
	check("pid == 3 pid == 4", "pid == 3 pid == 4", 9, "&& or ||");
	check("(pid == 3", "(pid == 3", 0, "')' is missing");
	check("pid == 3)", "pid == 3)", 8, "no '('");
	check("pid >", "pid >", 5, "a value is missing");
	check("pid && pid", "pid && pid", 4, "an operator is missing");
	check("", "", 0, "a field is missing");
	check("pid ~ 3", "pid ~ 3", 0, "'~' is for strings");
	check("cpu & CPUS{0", "cpu & CPUS{0", 6, "'}' is missing");
	check("pid.nosuch == 1", "pid.nosuch == 1", 4, "ustring or function");
	check("pid == 99999999999999999999", "pid == 99999999999999999999", 7, "no number");
}

static void test_callers_names(void **state)
{
	(void)state;
	check("state & O_CREAT && pid > 0", "state & 64 && pid > 0", -1, "");
	check("state & O_CREAT|S", "state & 65", -1, "");
	check("state & \"O_CREAT\"", "state & 64", -1, "");
	check("state & O_CREATE", "state & O_CREATE", 8, "state has no value of that name");
	check("pid & O_CREAT", "pid & O_CREAT", 6, "pid has no value of that name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels_language),
		cmocka_unit_test(test_callers_names),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
