/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_tests NAME: runs the unit test of that name. Each is a file with a main() of its own, which
 * the compiler is told to call unit_NAME (meson.build).
 */
#include <stdio.h>
#include <string.h>

#define UNIT_TEST(name) int unit_##name(void);
#include "unit_tests.h"
#undef UNIT_TEST

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
#define UNIT_TEST(name) { #name, unit_##name },
#include "unit_tests.h"
#undef UNIT_TEST
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (argc == 2 && strcmp(argv[1], tests[i].name) == 0)
			return tests[i].run();
	fprintf(stderr, "usage: unit_tests NAME\n");
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		fprintf(stderr, "  %s\n", tests[i].name);
	return 129;
}
