/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: command-line parsing from const tables, with perf's habits: unique prefixes of long
 * options, --no-X for everything that can be negated, bundled short flags (-ag), glued values
 * (-F99, -c6, --call-graph=dwarf), "--" ends options; -h prints the table and exits 129.
 *
 * A table row names the place of its value by offset in the command's own options struct, so there
 * is no global configuration. Shared rows are macros that expand to rows (cli/shared_opts.h).
 *
 *	struct foo_opts { bool all; const char *input; u64 freq; };
 *	static const struct opt foo_table[] = {
 *		OPT_BOOL('a', "all", struct foo_opts, all, "count everything"),
 *		OPT_STR('i', "input", struct foo_opts, input, "FILE", "input file name"),
 *		OPT_CALL('F', "freq", struct foo_opts, freq, "N", "sample at N Hz", parse_freq),
 *		OPT_END
 *	};
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "base/types.h"

enum opt_type {
	OPT_TYPE_END,
	OPT_TYPE_GROUP, /* a heading in -h; help is its text */
	OPT_TYPE_BOOL, /* bool */
	OPT_TYPE_INCR, /* int, +1 per use; --no-x sets 0 */
	OPT_TYPE_INT, /* int */
	OPT_TYPE_U64, /* u64 */
	OPT_TYPE_STR, /* const char * (borrowed from argv) */
	OPT_TYPE_CALL, /* parse() decides */
};

enum opt_flags {
	OPT_NOARG = 1 << 0, /* CALL without an argument */
	OPT_OPTARG = 1 << 1, /* the argument is optional and only taken when glued (--x=ARG, -xARG);
			      * parse() then gets arg NULL */
	OPT_NONEG = 1 << 2, /* no --no-x */
	OPT_HIDDEN = 1 << 3, /* not in -h */
	OPT_LASTARG_OPT = 1 << 4, /* optional argument also taken from the next word unless that
				   * begins with '-' (perf's report -g MODE) */
	OPT_PEEK = 1 << 5, /* never glued: record's "-g dwarf CMD" against "-g CMD". The next word
			      is the argument if parse() accepts it (returns 0). Else it stays,
			      parse() has changed nothing and is called with NULL. */
};

struct opt;
/*
 * One use of the option. target = the field at the row's offset; arg NULL when none was given;
 * unset for --no-x. 0, or -1 with *e saying what is wrong with the value.
 */
typedef int (*opt_parse_fn)(const struct opt *o, void *target, const char *arg, bool unset,
			    struct err *e);

/* Small, because the loader writes to every page of the tables when perf starts. */
struct opt {
	u8 type; /* enum opt_type */
	char short_name; /* 0 = none */
	u8 flags; /* enum opt_flags */
	u16 offset; /* in the command's options struct */
	s16 set_offset; /* bool in the same struct set to true when the option was used;
			 * -1 = not wanted */
	const char *long_name; /* "" = none; OPT_TEXT() */
	opt_parse_fn parse;
};

/* A name, help (one line, lower case) and what the argument is called there ("" = none). */
#define OPT_TEXT(name, help, arg) name "\0" help "\0" arg
const char *opt_help(const struct opt *o);
const char *opt_arg_name(const struct opt *o); /* "" = none */

#define OPT_ROW(t, s, l, st, m, a, h, p, f)                                                        \
	{                                                                                          \
		.type = (t), .short_name = (s), .long_name = OPT_TEXT(l, h, a),                    \
		.offset = offsetof(st, m), .parse = (p), .flags = (f), .set_offset = -1            \
	}
#define OPT_BOOL(s, l, st, m, h) OPT_ROW(OPT_TYPE_BOOL, s, l, st, m, "", h, NULL, 0)
#define OPT_INCR(s, l, st, m, h) OPT_ROW(OPT_TYPE_INCR, s, l, st, m, "", h, NULL, 0)
#define OPT_INT(s, l, st, m, a, h) OPT_ROW(OPT_TYPE_INT, s, l, st, m, a, h, NULL, 0)
#define OPT_U64(s, l, st, m, a, h) OPT_ROW(OPT_TYPE_U64, s, l, st, m, a, h, NULL, 0)
#define OPT_STR(s, l, st, m, a, h) OPT_ROW(OPT_TYPE_STR, s, l, st, m, a, h, NULL, 0)
#define OPT_CALL(s, l, st, m, a, h, p) OPT_ROW(OPT_TYPE_CALL, s, l, st, m, a, h, p, 0)
#define OPT_CALL_F(s, l, st, m, a, h, p, f) OPT_ROW(OPT_TYPE_CALL, s, l, st, m, a, h, p, f)
#define OPT_GROUP_ROW(h)                                                                           \
	{                                                                                          \
		.type = OPT_TYPE_GROUP, .long_name = OPT_TEXT("", h, ""), .set_offset = -1         \
	}
#define OPT_END                                                                                    \
	{                                                                                          \
		.type = OPT_TYPE_END, .set_offset = -1                                             \
	}

enum opt_parse_flags {
	OPTS_STOP_AT_NON_OPTION = 1 << 0, /* record, stat: the workload begins there */
	OPTS_KEEP_DASHDASH = 1 << 1,
	OPTS_KEEP_UNKNOWN = 1 << 2,
};

enum { EXIT_USAGE = 129 };

/* parse() of options that are accepted for other perfs' scripts and need nothing here. */
int opt_ignore(const struct opt *o, void *target, const char *arg, bool unset, struct err *e);

/*
 * How -h words are chosen: `perf CMD -h WORD...` shows only the rows whose names or help contain a
 * WORD. Rows are sorted as perf does: those with a short name first, each part alphabetical.
 *
 * A parse() that fails has its err text printed as it is (it may have several lines), then the
 * usage block of that one option.
 *
 * Parse argv[1..]. Returns the number of remaining words, moved to argv[0..]; prints usage and
 * returns -EXIT_USAGE on -h or an error (the caller returns EXIT_USAGE). usage: NULL-terminated
 * lines like "perf record [<options>] [<command>]".
 */
int opts_parse(const struct opt *table, void *target, int argc, const char **argv,
	       const char *const *usage, unsigned int flags);
/*
 * Print the text as it is (a newline is added if it has none at its end), then the usage block of
 * one option ("short or long name", NULL = all) on stderr, as perf does; returns EXIT_USAGE. Where
 * perf leaves a blank line between them, end the text with "\n\n". usage NULL: only the row of the
 * option, for a further option that the error is about.
 */
int opts_usage_error(const struct opt *table, const char *const *usage, const char *option,
		     const char *fmt, ...) PRINTF_LIKE(4, 5);
/* If the word begins with a dash that is not '-' (copied from a document), say so on stderr and
 * return EXIT_USAGE, else 0. opts_parse() does this for every word it reads. */
int opts_dash_error(const char *word);
/* The -h text on stderr; words: NULL-terminated filter, may be NULL. */
void opts_print_usage(const struct opt *table, const char *const *usage, const char *const *words);
/* All long options on one line of stdout, for completion. */
void opts_list(const struct opt *table);
/* For words that are options of another command: the row of a short name, NULL = none. */
const struct opt *opts_find_short(const struct opt *table, char c);
/* Whether the option needs a value: the next word, unless it is glued to the option. */
bool opt_takes_word(const struct opt *o);

#endif
