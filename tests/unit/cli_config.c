/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli/config: which files are read, and what becomes of their settings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/alias.h"
#include "cli/config.h"

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void system_then_user(void **state UNUSED)
{
	char dir[] = "/tmp/cli_config.XXXXXX", path[64], system_path[64];
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/.perfconfig", dir);
	snprintf(system_path, sizeof(system_path), "%s/system", dir);
	write_text(system_path, "[a]\nx=1\ny=2\n");
	write_text(path, "[a]\ny=3\n");
	setenv("HOME", dir, 1);
	unsetenv("PERF_CONFIG");

	struct config c = { .nr = 0 };
	config_load(&c, CONFIG_DEFAULT, system_path);
	assert_string_equal(config_get(&c, "a.x"), "1");
	assert_string_equal(config_get(&c, "a.y"), "3");
	assert_null(config_get(&c, "a.z"));
	config_release(&c);

	config_load(&c, CONFIG_SYSTEM, system_path);
	assert_string_equal(config_get(&c, "a.y"), "2");
	config_release(&c);

	config_load(&c, CONFIG_USER, system_path);
	assert_null(config_get(&c, "a.x"));
	config_release(&c);

	/* A named file is the only one. */
	setenv("PERF_CONFIG", path, 1);
	config_load(&c, CONFIG_DEFAULT, system_path);
	assert_null(config_get(&c, "a.x"));
	config_release(&c);
	unsetenv("PERF_CONFIG");

	_cleanup_(mem_freep) char *target = config_path(CONFIG_SYSTEM, system_path);
	assert_string_equal(target, system_path);
	unlink(path);
	unlink(system_path);
	rmdir(dir);
}

struct target {
	bool flag;
	const char *text;
	int number;
};

static int parse_number(const char *value, void *field, struct err *e)
{
	*(int *)field = (int)strtol(value, NULL, 10);
	return *(int *)field ? 0 : err_set(e, 1, "no number");
}

static void rows(void **state UNUSED)
{
	static const struct config_row table[] = {
		CONFIG_ROW("s.flag", CONFIG_BOOL, struct target, flag, NULL),
		CONFIG_ROW("s.text", CONFIG_STR, struct target, text, NULL),
		CONFIG_ROW("s.number", CONFIG_CALL, struct target, number, parse_number), CONFIG_END
	};
	static const char text[] = "[S]\nFlag = On\ntext = a b\nnumber = 7\n";
	struct config c = { .nr = 0 };
	struct target t = { .flag = false };
	struct err e = ERR_INIT;
	assert_int_equal(config_parse(&c, text, sizeof(text) - 1, "f", &e), 0);
	assert_int_equal(config_apply(&c, table, &t), 0);
	assert_true(t.flag);
	assert_string_equal(t.text, "a b");
	assert_int_equal(t.number, 7);
	config_set(&c, "s.number", "x");
	assert_int_equal(config_apply(&c, table, &t), -1);
	/* A switch that cannot be read stays as it was. */
	config_set(&c, "s.flag", "perhaps");
	config_set(&c, "s.number", "1");
	assert_int_equal(config_apply(&c, table, &t), 0);
	assert_true(t.flag);
	config_release(&c);
}

static void bools(void **state UNUSED)
{
	static const struct {
		const char *word;
		int value; /* -1: not one */
	} cases[] = { { "true", 1 },  { "YES", 1 },
		      { "on", 1 },    { "1", 1 },
		      { "-3", 1 },    { "0x10", 1 },
		      { "false", 0 }, { "No", 0 },
		      { "off", 0 },   { "0", 0 },
		      { "", 0 },      { "maybe", -1 },
		      { "1x", -1 },   { "99999999999999999999", -1 } };
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool value = false;
		assert_int_equal(config_parse_bool(cases[i].word, &value), cases[i].value >= 0);
		assert_int_equal(value, cases[i].value > 0);
	}
}

static void aliases(void **state UNUSED)
{
	const char *argv[] = { "X", "last", NULL };
	struct config c = { .nr = 0 };
	struct alias_line l;
	struct err e = ERR_INIT;
	config_set(&c, "alias.x", "  a 'b c'\"d\\\"e\" f\\ g '' ");
	assert_int_equal(alias_expand(&c, 2, argv, &l, &e), 1);
	assert_int_equal(l.words.nr, 5);
	assert_string_equal(l.words.v[0], "a");
	assert_string_equal(l.words.v[1], "b cd\"e");
	assert_string_equal(l.words.v[2], "f g");
	assert_string_equal(l.words.v[3], "");
	assert_string_equal(l.words.v[4], "last");
	assert_null(l.words.v[5]);
	alias_line_release(&l);
	config_set(&c, "alias.x", "a \"b");
	assert_int_equal(alias_expand(&c, 2, argv, &l, &e), -1);
	argv[0] = "y";
	assert_int_equal(alias_expand(&c, 2, argv, &l, &e), 0);
	config_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(system_then_user),
		cmocka_unit_test(rows),
		cmocka_unit_test(bools),
		cmocka_unit_test(aliases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
