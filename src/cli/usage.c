/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: the text of -h and the usage block behind an error, in perf's layout: names in columns
 * 4..25, help from column 26, on the next line where the names are too wide.
 */
#include "cli/usage.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "cli/pager.h"

enum { HELP_COLUMN = 26, NAMES_INDENT = 4 };

const char *opt_help(const struct opt *o)
{
	return o->long_name + strlen(o->long_name) + 1;
}

const char *opt_arg_name(const struct opt *o)
{
	const char *help = opt_help(o);

	return help + strlen(help) + 1;
}

bool opt_takes_arg(const struct opt *o)
{
	switch (o->type) {
	case OPT_TYPE_INT:
	case OPT_TYPE_U64:
	case OPT_TYPE_STR:
		return true;
	case OPT_TYPE_CALL:
		return !(o->flags & OPT_NOARG) &&
		       (*opt_arg_name(o) || (o->flags & (OPT_OPTARG | OPT_LASTARG_OPT | OPT_PEEK)));
	case OPT_TYPE_END:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_BOOL:
	case OPT_TYPE_INCR:
		break;
	}
	return false;
}

static void add_argument_name(struct strbuf *out, const struct opt *o)
{
	const char *arg = opt_arg_name(o);
	if (!opt_takes_arg(o) || (o->type == OPT_TYPE_CALL && !*arg))
		return;
	if (!*arg)
		arg = o->type == OPT_TYPE_STR ? "..." : "n";
	if (!(o->flags & OPT_OPTARG) || (o->flags & OPT_LASTARG_OPT))
		strbuf_addf(out, (o->flags & OPT_PEEK) ? " [<%s>]" : " <%s>", arg);
	else
		strbuf_addf(out, *o->long_name ? "[=<%s>]" : "[<%s>]", arg);
}

void usage_add_row(struct strbuf *out, const struct opt *o)
{
	size_t start = out->len;
	strbuf_pad(out, ' ', NAMES_INDENT);
	if (o->short_name)
		strbuf_addf(out, "-%c", o->short_name);
	else
		strbuf_pad(out, ' ', 4);
	if (*o->long_name)
		strbuf_addf(out, "%s--%s", o->short_name ? ", " : "", o->long_name);
	add_argument_name(out, o);
	size_t width = out->len - start;
	if (width + 2 <= HELP_COLUMN) {
		strbuf_pad(out, ' ', HELP_COLUMN - width);
	} else {
		strbuf_addch(out, '\n');
		strbuf_pad(out, ' ', HELP_COLUMN);
	}
	strbuf_addf(out, "%s\n", opt_help(o));
}

void usage_add_head(struct strbuf *out, const char *const *usage)
{
	if (!usage)
		return;
	for (size_t i = 0; usage[i]; i++)
		strbuf_addf(out, "%s %s\n", i ? "    or:" : " Usage:", usage[i]);
	strbuf_addch(out, '\n');
}

static int letter_rank(const struct opt *o)
{
	return o->short_name ? tolower((unsigned char)o->short_name) : INT_MAX;
}

/*
 * Options with a short name first, by letter without regard to case; the rest, and equal letters,
 * by long name.
 */
static int compare_rows(const struct opt *a, const struct opt *b)
{
	int letter_a = letter_rank(a), letter_b = letter_rank(b);
	if (letter_a != letter_b)
		return letter_a < letter_b ? -1 : 1;
	return strcmp(a->long_name, b->long_name);
}

static bool row_matches(const struct opt *o, const char *const *words)
{
	if (!words || !words[0])
		return true;
	for (size_t i = 0; words[i]; i++) {
		const char *word = words[i];
		if (word[0] == '-')
			word += word[1] == '-' ? 2 : 1;
		if (!word[0])
			continue;
		if (word[1] == '\0' && o->short_name == word[0])
			return true;
		if (word[1] == '\0')
			continue;
		if (*o->long_name && strstr(o->long_name, word))
			return true;
		if (strcasestr(opt_help(o), word))
			return true;
	}
	return false;
}

/* The rows [from, end or next heading) sorted; insertion sort keeps the table's order of equals. */
static const struct opt *add_section(struct strbuf *out, const struct opt *from,
				     const char *const *words)
{
	size_t n = 0;
	while (from[n].type != OPT_TYPE_END && from[n].type != OPT_TYPE_GROUP)
		n++;
	const struct opt **rows = xcalloc(n + 1, sizeof(*rows));
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		if ((from[i].flags & OPT_HIDDEN) || !row_matches(&from[i], words))
			continue;
		size_t at = used++;
		while (at > 0 && compare_rows(rows[at - 1], &from[i]) > 0) {
			rows[at] = rows[at - 1];
			at--;
		}
		rows[at] = &from[i];
	}
	for (size_t i = 0; i < used; i++)
		usage_add_row(out, rows[i]);
	free(rows);
	return from + n;
}

void opts_print_usage(const struct opt *table, const char *const *usage, const char *const *words)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	strbuf_addch(&out, '\n');
	usage_add_head(&out, usage);
	const struct opt *o = add_section(&out, table, words);
	while (o->type == OPT_TYPE_GROUP) {
		if (!words || !words[0])
			strbuf_addf(&out, "\n%s\n", opt_help(o));
		o = add_section(&out, o + 1, words);
	}
	strbuf_addch(&out, '\n');
	fputs(out.buf, isatty(STDERR_FILENO) && pager_start() ? stdout : stderr);
}

/* Whether the row has this name, given without dashes. Not exact: a prefix of a long name is
 * enough. */
static bool row_is_named(const struct opt *o, const char *name, bool exact)
{
	if (o->type == OPT_TYPE_GROUP || !name[0])
		return false;
	if (name[1] == '\0' && o->short_name == name[0])
		return true;
	if (!*o->long_name)
		return false;
	return exact ? !strcmp(o->long_name, name) : !strncmp(o->long_name, name, strlen(name));
}

void usage_add_option(struct strbuf *out, const struct opt *table, const char *const *usage,
		      const char *name)
{
	usage_add_head(out, usage);
	bool exact = false;
	for (const struct opt *o = table; o->type != OPT_TYPE_END; o++)
		exact = exact || row_is_named(o, name, true);
	for (const struct opt *o = table; o->type != OPT_TYPE_END; o++) {
		if (row_is_named(o, name, exact) && (exact || !(o->flags & OPT_HIDDEN)))
			usage_add_row(out, o);
	}
}

int opts_usage_error(const struct opt *table, const char *const *usage, const char *option,
		     const char *fmt, ...)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_add_escaped_lines(&out, text.buf);
	if (out.len && out.buf[out.len - 1] != '\n')
		strbuf_addch(&out, '\n');
	if (option) {
		usage_add_option(&out, table, usage, option);
		fputs(out.buf, stderr);
		return EXIT_USAGE;
	}
	fputs(out.buf, stderr);
	opts_print_usage(table, usage, NULL);
	return EXIT_USAGE;
}

void opts_list(const struct opt *table)
{
	for (const struct opt *o = table; o->type != OPT_TYPE_END; o++) {
		if (o->type != OPT_TYPE_GROUP && *o->long_name && !(o->flags & OPT_HIDDEN))
			printf("--%s ", o->long_name);
	}
	putchar('\n');
}
