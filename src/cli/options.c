/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: the command-line parser; see options.h for the rules. The texts of the errors are
 * perf's.
 */
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "cli/usage.h"

struct option_parser {
	const struct opt *table;
	const char *const *usage;
	char *target;
	int argc;
	const char **argv;
	int pos; /* the word being read */
	int kept; /* words kept so far, in argv[0..kept) */
	unsigned int flags;
};

/* One use of an option on the command line. */
struct use {
	const struct opt *opt;
	const char *glued; /* argument in the same word, or NULL */
	bool by_short; /* for the wording of errors */
	bool unset;
};

/* "switch `x'" or "option `[no-]long'". */
static void add_subject(struct strbuf *out, const struct use *u)
{
	const struct opt *o = u->opt;
	if (u->by_short) {
		strbuf_addf(out, "switch `%c'", o->short_name);
	} else if (u->unset && !strncmp(o->long_name, "no-", 3)) {
		strbuf_addf(out, "option `%s'", o->long_name + 3);
	} else {
		strbuf_addf(out, "option `%s%s'", u->unset ? "no-" : "", o->long_name);
	}
}

/* "-call-graph" is -c with the argument "all-graph": hints that a dash is missing. */
static void add_dash_hint(const struct option_parser *p, struct strbuf *out)
{
	const char *word = p->argv[p->pos];
	if (word[0] != '-' || word[1] == '-' || strlen(word) < 4)
		return;
	for (const struct opt *o = p->table; o->type != OPT_TYPE_END; o++) {
		if (o->type == OPT_TYPE_GROUP || !*o->long_name)
			continue;
		if (strlen(o->long_name) == strcspn(word + 1, "=") &&
		    !strncmp(o->long_name, word + 1, strlen(o->long_name)))
			strbuf_addf(out, "hint: did you mean '--%s'?\n", o->long_name);
	}
}

static int fail_use(const struct option_parser *p, const struct use *u, const char *what)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	strbuf_adds(&out, " Error: ");
	add_subject(&out, u);
	strbuf_addf(&out, " %s\n", what);
	add_dash_hint(p, &out);
	usage_add_head(&out, p->usage);
	usage_add_row(&out, u->opt);
	fputs(out.buf, stderr);
	return -EXIT_USAGE;
}

static int fail_value(const struct option_parser *p, const struct use *u, const struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	if (e->text[0]) {
		strbuf_add_escaped_lines(&out, e->text);
		strbuf_addch(&out, '\n');
	}
	if (e->hint[0]) {
		strbuf_adds(&out, "hint: ");
		strbuf_add_escaped_lines(&out, e->hint);
		strbuf_addch(&out, '\n');
	}
	add_dash_hint(p, &out);
	strbuf_addch(&out, '\n');
	usage_add_head(&out, p->usage);
	usage_add_row(&out, u->opt);
	fputs(out.buf, stderr);
	return -EXIT_USAGE;
}

static void print_unknown(const char *kind, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf name_text = STRBUF_INIT;
	strbuf_add_escaped(&name_text, name);
	fprintf(stderr, "  Error: unknown %s `%s'\n", kind, name_text.buf);
}

static int fail_unknown_short(const struct option_parser *p, char letter)
{
	const char name[] = { letter, '\0' };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	print_unknown("switch", name);
	add_dash_hint(p, &out);
	fputs(out.buf, stderr);
	opts_print_usage(p->table, p->usage, NULL);
	return -EXIT_USAGE;
}

/* The long options nearest to name: "--callgraph" for --call-graph. */
static void find_near(const struct option_parser *p, const char *name, struct similar *near)
{
	bool negated = !strncmp(name, "no-", 3);
	for (const struct opt *o = p->table; o->type != OPT_TYPE_END; o++) {
		if (o->type == OPT_TYPE_GROUP || !*o->long_name || o->flags & OPT_HIDDEN)
			continue;
		_cleanup_(mem_freep) char *plain = xasprintf("--%s", o->long_name);
		_cleanup_(mem_freep) char *other = xasprintf("--no-%s", o->long_name);
		similar_offer_as(near, o->long_name, plain);
		if (negated && !(o->flags & OPT_NONEG))
			similar_offer_as(near, other + 2, other);
	}
}

static bool is_near(const struct similar *near, const char *long_name)
{
	for (size_t i = 0; i < near->nr; i++) {
		const char *name = near->names[i] + 2;
		if (!strcmp(name, long_name) ||
		    (!strncmp(name, "no-", 3) && !strcmp(name + 3, long_name)))
			return true;
	}
	return false;
}

/* Shows options of similar names instead of the whole list, if there are any. */
static int fail_unknown_long(const struct option_parser *p, const char *name)
{
	_cleanup_(mem_freep) char *bare = xstrndup(name, strcspn(name, "="));
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct similar near;
	print_unknown("option", name);
	similar_init(&near, bare);
	find_near(p, bare, &near);
	strbuf_adds(&out, "hint: ");
	if (!similar_question(&near, &out)) {
		opts_print_usage(p->table, p->usage, NULL);
		return -EXIT_USAGE;
	}
	strbuf_adds(&out, "\n\n");
	usage_add_head(&out, p->usage);
	for (const struct opt *o = p->table; o->type != OPT_TYPE_END; o++) {
		if (o->type != OPT_TYPE_GROUP && *o->long_name && is_near(&near, o->long_name))
			usage_add_row(&out, o);
	}
	fputs(out.buf, stderr);
	return -EXIT_USAGE;
}

static int parse_number(const struct opt *o, void *field, const char *arg, const char **what)
{
	char *end;
	errno = 0;
	*what = "expects a numerical value";
	if (o->type == OPT_TYPE_INT) {
		long v = strtol(arg, &end, 10);
		if (end == arg || *end || errno || v < INT_MIN || v > INT_MAX)
			return -1;
		*(int *)field = (int)v;
		return 0;
	}
	unsigned long long v = strtoull(arg, &end, 10);
	if (end == arg || *end || errno)
		return -1;
	if (strchr(arg, '-')) {
		*what = "expects an unsigned numerical value";
		return -1;
	}
	*(u64 *)field = v;
	return 0;
}

/* Store the use; arg is NULL for options without one and for an absent optional one. */
static int store(struct option_parser *p, const struct use *u, const char *arg)
{
	const struct opt *o = u->opt;
	void *field = p->target + o->offset;
	if (o->set_offset >= 0)
		*(bool *)(p->target + o->set_offset) = true;
	switch (o->type) {
	case OPT_TYPE_BOOL:
		*(bool *)field = !u->unset;
		return 0;
	case OPT_TYPE_INCR:
		*(int *)field = u->unset ? 0 : *(int *)field + 1;
		return 0;
	case OPT_TYPE_STR:
		*(const char **)field = arg;
		return 0;
	case OPT_TYPE_INT:
	case OPT_TYPE_U64: {
		const char *what;
		if (u->unset || !arg) {
			if (o->type == OPT_TYPE_INT)
				*(int *)field = 0;
			else
				*(u64 *)field = 0;
			return 0;
		}
		return parse_number(o, field, arg, &what) ? fail_use(p, u, what) : 0;
	}
	case OPT_TYPE_CALL: {
		struct err e = ERR_INIT;
		return o->parse(o, field, arg, u->unset, &e) ? fail_value(p, u, &e) : 0;
	}
	case OPT_TYPE_GROUP:
	case OPT_TYPE_END:
		break;
	}
	return 0;
}

/* OPT_PEEK: the next word is the argument if parse() says so. */
static int store_peeked(struct option_parser *p, const struct use *u)
{
	const struct opt *o = u->opt;
	if (p->pos + 1 < p->argc && p->argv[p->pos + 1][0] != '-') {
		struct err e = ERR_INIT;
		if (!o->parse(o, p->target + o->offset, p->argv[p->pos + 1], false, &e)) {
			p->pos++;
			if (o->set_offset >= 0)
				*(bool *)(p->target + o->set_offset) = true;
			return 0;
		}
	}
	return store(p, u, NULL);
}

static int use_option(struct option_parser *p, const struct use *u)
{
	const struct opt *o = u->opt;
	if (u->unset && (o->flags & OPT_NONEG))
		return fail_use(p, u, "isn't available");
	if (u->unset || !opt_takes_arg(o))
		return u->glued ? fail_use(p, u, "takes no value") : store(p, u, NULL);
	if (u->glued)
		return store(p, u, u->glued);
	if (o->flags & OPT_PEEK)
		return store_peeked(p, u);
	bool next = p->pos + 1 < p->argc;
	if (o->flags & (OPT_OPTARG | OPT_LASTARG_OPT)) {
		if (!(o->flags & OPT_LASTARG_OPT) || !next || p->argv[p->pos + 1][0] == '-')
			return store(p, u, NULL);
	}
	if (!next)
		return fail_use(p, u, "requires a value");
	return store(p, u, p->argv[++p->pos]);
}

/* -h or --help: the words that remain choose rows. */
static int show_help(const struct option_parser *p)
{
	const char **words = xcalloc((size_t)(p->argc - p->pos) + 1, sizeof(*words));
	size_t n = 0;
	for (int i = p->pos + 1; i < p->argc; i++)
		words[n++] = p->argv[i];
	opts_print_usage(p->table, p->usage, words);
	free(words);
	return -EXIT_USAGE;
}

const struct opt *opts_find_short(const struct opt *table, char c)
{
	for (const struct opt *o = table; o->type != OPT_TYPE_END; o++) {
		if (o->type != OPT_TYPE_GROUP && o->short_name == c)
			return o;
	}
	return NULL;
}

bool opt_takes_word(const struct opt *o)
{
	return o->type >= OPT_TYPE_INT &&
	       !(o->flags & (OPT_NOARG | OPT_OPTARG | OPT_LASTARG_OPT | OPT_PEEK));
}

static int parse_bundle(struct option_parser *p, const char *word, bool *unknown)
{
	for (const char *c = word + 1; *c; c++) {
		struct use u = { .opt = opts_find_short(p->table, *c), .by_short = true };
		if (!u.opt) {
			if (*c == 'h')
				return show_help(p);
			if ((p->flags & OPTS_KEEP_UNKNOWN) && c == word + 1) {
				*unknown = true;
				return 0;
			}
			return fail_unknown_short(p, *c);
		}
		bool rest = c[1] && opt_takes_arg(u.opt) && !(u.opt->flags & OPT_PEEK);
		/* letters behind the flag are flags, not its argument */
		if (c[1] && (u.opt->flags & OPT_PEEK)) {
			int ret = store(p, &u, NULL);
			if (ret)
				return ret;
			continue;
		}
		if (rest)
			u.glued = c + 1;
		int ret = use_option(p, &u);
		if (ret || rest)
			return ret;
	}
	return 0;
}

enum option_match { MATCH_NONE, MATCH_PREFIX, MATCH_EXACT };

static enum option_match match_name(const char *full, const char *name, size_t len)
{
	if (strncmp(full, name, len))
		return MATCH_NONE;
	return full[len] ? MATCH_PREFIX : MATCH_EXACT;
}

/* How name[0..len) fits a row, in its plain or its negated spelling. */
static enum option_match match_row(const struct opt *o, const char *name, size_t len, bool *unset)
{
	*unset = false;
	if (o->type == OPT_TYPE_GROUP || !*o->long_name)
		return MATCH_NONE;
	enum option_match plain = match_name(o->long_name, name, len);
	if (plain == MATCH_EXACT)
		return plain;
	enum option_match negated = MATCH_NONE;
	if (!strncmp(o->long_name, "no-", 3) && !(o->flags & OPT_NONEG))
		negated = match_name(o->long_name + 3, name, len);
	if (negated != MATCH_EXACT && len >= 3 && !strncmp(name, "no-", 3)) {
		enum option_match m = match_name(o->long_name, name + 3, len - 3);
		negated = MAX(negated, m);
	}
	*unset = negated > plain;
	return MAX(plain, negated);
}

struct candidates {
	struct use last, previous;
	int n;
};

/* Several spellings of one thing (an old name kept as a hidden row) are not ambiguous. */
static bool same_meaning(const struct opt *a, const struct opt *b)
{
	return a->type == b->type && a->offset == b->offset && a->parse == b->parse &&
	       a->type != OPT_TYPE_CALL;
}

static void add_candidate(struct candidates *c, const struct use *u)
{
	if (c->n && c->last.unset == u->unset && same_meaning(c->last.opt, u->opt))
		return;
	c->previous = c->last;
	c->last = *u;
	c->n++;
}

static int fail_ambiguous(const struct option_parser *p, const struct candidates *c,
			  const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	strbuf_addf(&out, " Error: Ambiguous option: %s (could be --%s%s or --%s%s)\n\n", name,
		    c->previous.unset ? "no-" : "", c->previous.opt->long_name,
		    c->last.unset ? "no-" : "", c->last.opt->long_name);
	_cleanup_(mem_freep) char *bare = xstrndup(name, strcspn(name, "="));
	usage_add_option(&out, p->table, p->usage, bare);
	fputs(out.buf, stderr);
	return -EXIT_USAGE;
}

static int parse_long(struct option_parser *p, const char *name, bool *unknown)
{
	size_t len = strcspn(name, "=");
	struct candidates found = { .n = 0 };
	const char *glued = name[len] ? name + len + 1 : NULL;
	for (const struct opt *o = p->table; o->type != OPT_TYPE_END; o++) {
		struct use u = { .opt = o, .glued = glued };
		enum option_match m = match_row(o, name, len, &u.unset);
		if (m == MATCH_EXACT)
			return use_option(p, &u);
		if (m == MATCH_PREFIX && len)
			add_candidate(&found, &u);
	}
	if (!strcmp(name, "help"))
		return show_help(p);
	if (found.n > 1)
		return fail_ambiguous(p, &found, name);
	if (found.n == 1)
		return use_option(p, &found.last);
	if (p->flags & OPTS_KEEP_UNKNOWN) {
		*unknown = true;
		return 0;
	}
	return fail_unknown_long(p, name);
}

/* Dashes that word processors and web pages make of '-', in UTF-8: U+2010..U+2015 and U+2212. */
static size_t typographic_dash(const char *word)
{
	if (!strncmp(word, "\xe2\x80", 2) && (u8)word[2] >= 0x90 && (u8)word[2] <= 0x95)
		return 3;
	return strncmp(word, "\xe2\x88\x92", 3) ? 0 : 3;
}

int opt_ignore(const struct opt *o UNUSED, void *target UNUSED, const char *arg UNUSED,
	       bool unset UNUSED, struct err *e UNUSED)
{
	return 0;
}

int opts_dash_error(const char *word)
{
	const char *rest = word;
	if (!typographic_dash(word) || !word[typographic_dash(word)])
		return 0;
	while (typographic_dash(rest))
		rest += typographic_dash(rest);
	rest += strspn(rest, "-");
	fprintf(stderr, "error: '%s' begins with a typographic dash, not with '-'\n", word);
	/* A long dash before a whole word was "--" before an editor joined the two. */
	fprintf(stderr, "hint: text copied from a document? type '%s%s'\n",
		strlen(rest) > 1 && !strchr("0123456789", rest[1]) ? "--" : "-", rest);
	return EXIT_USAGE;
}

int opts_parse(const struct opt *table, void *target, int argc, const char **argv,
	       const char *const *usage, unsigned int flags)
{
	struct option_parser p = { .table = table,
				   .usage = usage,
				   .target = target,
				   .argc = argc,
				   .argv = argv,
				   .pos = 1,
				   .flags = flags };
	for (; p.pos < argc; p.pos++) {
		const char *word = argv[p.pos];
		bool keep = false;
		int ret = 0;
		if (opts_dash_error(word))
			return -EXIT_USAGE;
		if (word[0] != '-' || !word[1]) {
			if (flags & OPTS_STOP_AT_NON_OPTION)
				break;
			keep = true;
		} else if (!strcmp(word, "--")) {
			if (!(flags & OPTS_KEEP_DASHDASH))
				p.pos++;
			break;
		} else if (word[1] == '-') {
			ret = parse_long(&p, word + 2, &keep);
		} else {
			ret = parse_bundle(&p, word, &keep);
		}
		if (ret)
			return ret;
		if (keep)
			argv[p.kept++] = word;
	}
	while (p.pos < argc)
		argv[p.kept++] = argv[p.pos++];
	if (argc > 0 && p.kept < argc)
		argv[p.kept] = NULL;
	return p.kept;
}
