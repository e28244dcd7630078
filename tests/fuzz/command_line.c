/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any words (one per line) as a command line for a table with every kind of option. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/options.h"

enum { MAX_WORDS = 64 };

struct values {
	bool flag, other, set;
	int count, number;
	u64 big;
	const char *text;
};

static int parse_word(const struct opt *o UNUSED, void *target UNUSED, const char *arg, bool unset,
		      struct err *e)
{
	return !unset && arg && arg[0] == 'x' ? err_set(e, 1, "no '%s'", arg) : 0;
}

#define V struct values
static const struct opt table[] = {
	OPT_BOOL('a', "all-cpus", V, flag, "all"),
	OPT_BOOL(0, "no-inherit", V, other, "none"),
	OPT_INCR('v', "verbose", V, count, "more"),
	OPT_INT('n', "number", V, number, "n", "number"),
	OPT_U64('c', "count", V, big, "n", "period"),
	OPT_STR('i', "input", V, text, "file", "input"),
	OPT_GROUP_ROW("a group"),
	OPT_CALL('F', "freq", V, text, "hz", "rate", parse_word),
	OPT_CALL_F('g', "", V, text, "mode", "graph", parse_word, OPT_PEEK),
	OPT_CALL_F('z', "level", V, text, "n", "level", parse_word, OPT_OPTARG),
	OPT_CALL_F('G', "graph", V, text, "mode", "graph", parse_word,
		   OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_CALL_F(0, "fixed", V, text, "x", "fixed", parse_word, OPT_NONEG),
	OPT_CALL_F(0, "plain", V, text, "", "plain", parse_word, OPT_NOARG | OPT_HIDDEN),
	{ .type = OPT_TYPE_BOOL,
	  .long_name = OPT_TEXT("set", "set", ""),
	  .offset = offsetof(V, flag),
	  .set_offset = offsetof(V, set) },
	OPT_END
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const usage[] = { "perf fuzz [<options>]", "perf fuzz -- <command>",
					     NULL };
	static FILE *nowhere;
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	const char *argv[MAX_WORDS + 2] = { "fuzz" };
	int argc = 1;
	struct values values = { 0 };
	FILE *errors = stderr;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	char *rest = text;
	for (char *word; argc <= MAX_WORDS && (word = strsep(&rest, "\n"));)
		argv[argc++] = word;
	stderr = nowhere;
	int left = opts_parse(table, &values, argc, argv, usage, size ? data[0] & 7 : 0);
	stderr = errors;
	if (left > argc || (left < 0 && left != -EXIT_USAGE))
		abort();
	return 0;
}
