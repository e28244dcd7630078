/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>
#include <errno.h>

#include "base/mem.h"
#include "cli/options.h"

struct values {
	bool all, quiet, children, children_set, inherit_off;
	int verbose, depth;
	u64 count;
	const char *input, *sort, *mode;
	char graph[32];
};

static int parse_graph(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e)
{
	char *graph = target;
	(void)o;
	if (arg && strcmp(arg, "fp") && strcmp(arg, "dwarf"))
		return err_set(e, EINVAL, "unknown mode '%s'", arg);
	snprintf(graph, 32, "%s", unset ? "none" : arg ? arg : "default");
	return 0;
}

static struct opt table[] = {
	OPT_BOOL('a', "all-cpus", struct values, all, "system-wide collection from all CPUs"),
	OPT_STR('i', "input", struct values, input, "file", "input file name"),
	OPT_INCR('v', "verbose", struct values, verbose, "be more verbose"),
	OPT_BOOL('q', "quiet", struct values, quiet, "say less"),
	OPT_U64('c', "count", struct values, count, "n", "event period to sample"),
	OPT_INT(0, "max-stack", struct values, depth, "n", "depth"),
	OPT_STR('s', "sort", struct values, sort, "key[,key2...]", "sort by keys"),
	OPT_STR(0, "source", struct values, mode, "", "source"),
	OPT_BOOL(0, "children", struct values, children, "add up the callees"),
	OPT_BOOL(0, "no-inherit", struct values, inherit_off,
		 "child tasks do not inherit counters"),
	OPT_CALL_F('g', "", struct values, graph, "", "call graphs", parse_graph, OPT_PEEK),
	OPT_CALL_F('z', "level", struct values, graph, "n", "level", parse_graph, OPT_OPTARG),
	OPT_CALL_F('l', "last", struct values, graph, "m", "mode", parse_graph, OPT_LASTARG_OPT),
	OPT_CALL_F(0, "fixed", struct values, graph, "m", "mode", parse_graph, OPT_NONEG),
	OPT_BOOL(0, "comm", struct values, quiet, "x"),
	OPT_END
};
static const char *const usage[] = { "perf record [<options>] [<command>]",
				     "perf record [<options>] -- <command> [<options>]", NULL };

static struct values got;
static const char *words[16];
static char printed[4096];

/* Parse a line split at blanks; what goes to stderr lands in printed[]. */
static int parse(const char *line, unsigned int flags)
{
	static char text[256];
	int argc = 0;
	snprintf(text, sizeof(text), "%s", line);
	for (char *s = text, *next; s && *s; s = next) {
		next = strchr(s, ' ');
		if (next)
			*next++ = '\0';
		words[argc++] = s;
	}
	words[argc] = NULL;
	got = (struct values){ .children = true };
	FILE *file = tmpfile();
	int saved = dup(2);
	fflush(stderr);
	dup2(fileno(file), 2);
	int ret = opts_parse(table, &got, argc, words, usage, flags);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(file);
	printed[fread(printed, 1, sizeof(printed) - 1, file)] = '\0';
	fclose(file);
	return ret;
}

static void forms_of_values(void **state)
{
	(void)state;
	assert_int_equal(parse("x -avv -c6 -i file --sort=comm,dso --max-stack 12", 0), 0);
	assert_true(got.all);
	assert_int_equal(got.verbose, 2);
	assert_int_equal(got.count, 6);
	assert_int_equal(got.depth, 12);
	assert_string_equal(got.input, "file");
	assert_string_equal(got.sort, "comm,dso");
	assert_int_equal(parse("x -asdso", 0), 0);
	assert_true(got.all);
	assert_string_equal(got.sort, "dso");
	assert_int_equal(parse("x -i -", 0), 0);
	assert_string_equal(got.input, "-");
	assert_int_equal(parse("x --max-stack -3", 0), 0);
	assert_int_equal(got.depth, -3);
}

static void negation(void **state)
{
	(void)state;
	table[8].set_offset = offsetof(struct values, children_set);
	assert_int_equal(parse("x --no-children --no-all-cpus --no-inherit", 0), 0);
	assert_false(got.children);
	assert_true(got.children_set);
	assert_true(got.inherit_off);
	assert_int_equal(parse("x --no-inherit --inherit", 0), 0);
	assert_false(got.inherit_off);
	assert_int_equal(parse("x --no-no-inherit", 0), 0);
	assert_false(got.inherit_off);
	assert_int_equal(parse("x -vvv --no-verbose -s a --no-sort", 0), 0);
	assert_int_equal(got.verbose, 0);
	assert_null(got.sort);
	assert_int_equal(parse("x --no-level", 0), 0);
	assert_string_equal(got.graph, "none");
	assert_int_equal(parse("x --no-fixed", 0), -EXIT_USAGE);
	assert_int_equal(parse("x --no-children=1", 0), -EXIT_USAGE);
	assert_non_null(strstr(printed, " Error: option `no-children' takes no value\n"));
}

static void prefixes(void **state)
{
	(void)state;
	assert_int_equal(parse("x --inp file --no-chi --all", 0), 0);
	assert_string_equal(got.input, "file");
	assert_false(got.children);
	assert_true(got.all);
	assert_int_equal(parse("x --comm", 0), 0);
	assert_int_equal(parse("x --so a", 0), -EXIT_USAGE);
	assert_string_equal(printed,
			    " Error: Ambiguous option: so (could be --sort or --source)\n\n"
			    " Usage: perf record [<options>] [<command>]\n"
			    "    or: perf record [<options>] -- <command> [<options>]\n\n"
			    "    -s, --sort <key[,key2...]>\n"
			    "                          sort by keys\n"
			    "        --source <...>    source\n");
	/* "inherit" is a spelling of no-inherit, so "in" is not only "input". */
	assert_int_equal(parse("x --in file", 0), -EXIT_USAGE);
}

static void remaining_words(void **state)
{
	(void)state;
	assert_int_equal(parse("x one -a two", 0), 2);
	assert_string_equal(words[0], "one");
	assert_string_equal(words[1], "two");
	assert_null(words[2]);
	assert_int_equal(parse("x -a cmd -q", OPTS_STOP_AT_NON_OPTION), 2);
	assert_false(got.quiet);
	assert_string_equal(words[1], "-q");
	assert_int_equal(parse("x -a -- -q", 0), 1);
	assert_string_equal(words[0], "-q");
	assert_int_equal(parse("x -a -- -q", OPTS_KEEP_DASHDASH), 2);
	assert_string_equal(words[0], "--");
	assert_int_equal(parse("x --odd -Z -a", OPTS_KEEP_UNKNOWN), 2);
	assert_string_equal(words[1], "-Z");
	assert_true(got.all);
}

static void optional_arguments(void **state)
{
	(void)state;
	assert_int_equal(parse("x -zfp -a", 0), 0);
	assert_string_equal(got.graph, "fp");
	assert_int_equal(parse("x -z fp", 0), 1);
	assert_string_equal(got.graph, "default");
	assert_int_equal(parse("x -l fp", 0), 0);
	assert_string_equal(got.graph, "fp");
	assert_int_equal(parse("x -l -a", 0), 0);
	assert_string_equal(got.graph, "default");
	assert_true(got.all);
	assert_int_equal(parse("x -l", 0), 0);
	assert_int_equal(parse("x -g dwarf cmd", OPTS_STOP_AT_NON_OPTION), 1);
	assert_string_equal(got.graph, "dwarf");
	assert_int_equal(parse("x -ag cmd", OPTS_STOP_AT_NON_OPTION), 1);
	assert_string_equal(got.graph, "default");
	assert_int_equal(parse("x -ga -c7", 0), 0);
	assert_true(got.all);
}

static void errors(void **state)
{
	(void)state;
	assert_int_equal(parse("x -c", 0), -EXIT_USAGE);
	assert_string_equal(printed, " Error: switch `c' requires a value\n"
				     " Usage: perf record [<options>] [<command>]\n"
				     "    or: perf record [<options>] -- <command> [<options>]\n\n"
				     "    -c, --count <n>       event period to sample\n");
	assert_int_equal(parse("x -c abc", 0), -EXIT_USAGE);
	assert_non_null(strstr(printed, "switch `c' expects a numerical value\n"));
	assert_int_equal(parse("x --count -5", 0), -EXIT_USAGE);
	assert_non_null(strstr(printed, "option `count' expects an unsigned numerical value\n"));
	assert_int_equal(parse("x --max-stack 99999999999", 0), -EXIT_USAGE);
	assert_int_equal(parse("x --bogus", 0), -EXIT_USAGE);
	assert_ptr_equal(strstr(printed, "  Error: unknown option `bogus'\n\n Usage: "), printed);
	assert_int_equal(parse("x -aZ", 0), -EXIT_USAGE);
	assert_ptr_equal(strstr(printed, "  Error: unknown switch `Z'\n\n Usage: "), printed);
	assert_int_equal(parse("x --level=odd", 0), -EXIT_USAGE);
	assert_ptr_equal(strstr(printed, "unknown mode 'odd'\n\n Usage: "), printed);
	assert_int_equal(parse("x \xe2\x80\x93"
			       "e cycles",
			       0),
			 -EXIT_USAGE);
	assert_non_null(strstr(printed, "type '-e'"));
	assert_int_equal(parse("x \xe2\x80\x93"
			       "call-graph=dwarf",
			       0),
			 -EXIT_USAGE);
	assert_non_null(strstr(printed, "type '--call-graph=dwarf'"));
}

static void help(void **state)
{
	(void)state;
	assert_int_equal(parse("x -h count", 0), -EXIT_USAGE);
	assert_string_equal(printed,
			    "\n Usage: perf record [<options>] [<command>]\n"
			    "    or: perf record [<options>] -- <command> [<options>]\n\n"
			    "    -c, --count <n>       event period to sample\n"
			    "        --no-inherit      child tasks do not inherit counters\n\n");
	assert_int_equal(parse("x -ah", 0), -EXIT_USAGE);
	assert_ptr_not_equal(
		strstr(printed, "\n    -z, --level[=<n>]     level\n        --children "), NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_of_values),
		cmocka_unit_test(negation),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(remaining_words),
		cmocka_unit_test(optional_arguments),
		cmocka_unit_test(errors),
		cmocka_unit_test(help),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
