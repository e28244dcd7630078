/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script that perf script -g python writes: names of a recording are no code in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script/engine.h"

static char *generate(const char *system, const char *format)
{
	struct tracefmt_set *set = tracefmt_set_new();
	struct strbuf out = STRBUF_INIT;
	struct err e = ERR_INIT;

	tracefmt_set_add(set, system, format, strlen(format), &e);
	script_python.generate(set, &out);
	tracefmt_set_free(set);
	return strbuf_detach(&out);
}

static void test_handler(void **state)
{
	(void)state;
	_cleanup_(mem_freep) char *text = generate(
		"sub", "name: ev\nID: 7\nformat:\n"
		       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		       "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
		       "\tfield:char b[4];\toffset:12;\tsize:4;\tsigned:1;\n"
		       "\tfield:unsigned int from;\toffset:16;\tsize:4;\tsigned:0;\n"
		       "print fmt: \"%s\", __print_flags(REC->from, \"|\", { 1, \"x\" })\n");

	assert_non_null(strstr(text, "def sub__ev(event_name, context, common_cpu,\n"
				     "\tcommon_secs, common_nsecs, common_pid, common_comm,\n"
				     "\tcommon_callchain, a, b, from_2, perf_sample_dict):\n"));
	assert_non_null(strstr(text,
			       "print(\"a=%d, b=%s, from_2=%s\" % \\\n"
			       "\t\t(a, b, \n\t\tflag_str(\"sub__ev\", \"from\", from_2)))\n"));
}

static void test_hostile_names(void **state)
{
	(void)state;
	_cleanup_(mem_freep) char *text = generate(
		"s\"):evil1()#",
		"name: e\\\"):evil2()%\nID: 7\nformat:\n"
		"\tfield:int x\\\"+evil3()+\\\";\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:int context;\toffset:12;\tsize:4;\tsigned:1;\n"
		"\tfield:int context;\toffset:16;\tsize:4;\tsigned:1;\n"
		"\tfield:int %s;\toffset:20;\tsize:4;\tsigned:1;\n"
		"print fmt: \"%s\", __print_symbolic(REC->context, { 1, \"x\" })\n");

	for (const char *p = text; (p = strstr(p, "evil")); p++) {
		assert_true(p > text);
		assert_null(strchr("\"':+ ;\n", p[-1]));
		assert_int_not_equal(p[5], '(');
	}
	for (const char *p = strstr(text, "def s");
	     p && *p && strncmp(p, "def trace_unhandled", 19); p++)
		assert_false(*p == '#');
}

static void test_no_tracepoints(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;

	script_python.generate(NULL, &out);
	assert_non_null(strstr(out.buf, "def trace_begin():"));
	assert_non_null(strstr(
		out.buf,
		"def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):"));
	assert_null(strstr(out.buf, "common_callchain"));
	strbuf_release(&out);
}

static void test_languages(void **state)
{
	(void)state;
	assert_ptr_equal(script_language_find("PYTHON", 6), &script_python);
	assert_ptr_equal(script_language_find("py:x", 2), &script_python);
	assert_ptr_equal(script_language_find("pl", 2), &script_perl);
	assert_null(script_language_find("pyt", 3));
	assert_null(script_language_find("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handler),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_no_tracepoints),
		cmocka_unit_test(test_languages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
