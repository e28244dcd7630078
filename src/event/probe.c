/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in code as events, made when they are named and taken back with the event:
 *
 *	probe = ("uprobe" | "uretprobe") ":" PATH ":" POINT [ARGS]
 *	      | ("kprobe" | "kretprobe") ":" [MODULE ":"] POINT [ARGS]
 *	      | "usdt" ":" PATH ":" PROVIDER ":" NAME
 *	ARGS  = "(" [ARG {"," ARG}] ")" ["/" terms "/"]
 *
 * POINT and ARG are perf probe's (probe/point.h). What stands between double quotes is taken as it
 * is; so is the character behind a '\'.
 */
#include <ctype.h>
#include <string.h>

#include "event/parser.h"

static const struct probe_word {
	const char *name;
	bool has_path, is_return, is_static;
} words[] = {
	{ "uprobe", true, false, false },  { "uretprobe", true, true, false },
	{ "kprobe", false, false, false }, { "kretprobe", false, true, false },
	{ "usdt", true, false, true },
};

static const struct probe_word *find_word(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i].name);

		if (!strncmp(s, words[i].name, n) && s[n] == ':')
			return &words[i];
	}
	return NULL;
}

size_t probe_word_span(const char *s)
{
	const struct probe_word *w = find_word(s);

	return w ? strlen(w->name) : 0;
}

/* In front of a comma that is in no brackets, quotes or, but for points in code, slashes. */
size_t event_span(const char *text)
{
	bool slash = false, quote = false;
	size_t n = 0, depth = 0;
	const struct probe_word *w = find_word(text);

	for (; text[n]; n++) {
		char c = text[n];

		if (c == '"')
			quote = !quote;
		else if (quote)
			continue;
		else if (c == '/' && !w && !depth)
			slash = !slash;
		else if (strchr("{[(", c))
			depth++;
		else if (strchr("}])", c))
			depth -= depth > 0;
		else if (c == ',' && !slash && !depth)
			break;
	}
	return n;
}

/* Whether letters for levels, and nothing else, end the event here, behind a ':'. */
static bool is_modifiers(const char *s)
{
	size_t n = modifiers_span(s, strlen(s));

	return n && (!s[n] || strchr(",} \t\n\r", s[n]));
}

/*
 * A part up to one of `stops` or, where ':' is none, up to modifiers. keep: '\' stays before what
 * it protects. -1: a quote has no end.
 */
static int read_part(struct parser *p, const char *stops, bool keep, struct strbuf *out)
{
	const char *start = p->text + p->pos;
	const char *s = start;

	for (; *s && !strchr(stops, *s); s++) {
		if (*s == ':' && is_modifiers(s + 1))
			break;
		if (*s == '"') {
			const char *end = strchr(s + 1, '"');

			if (!end)
				return parser_fail(p, (long)(p->pos + (size_t)(s - start)),
						   "the quote has no end");
			strbuf_add(out, s + 1, (size_t)(end - s - 1));
			s = end;
			continue;
		}
		if (*s == '\\' && s[1]) {
			if (keep)
				strbuf_addch(out, *s);
			s++;
		}
		strbuf_addch(out, *s);
	}
	parser_take(p, (size_t)(s - start));
	return 0;
}

/* One argument, up to a comma or parenthesis of its own level; blanks are of no meaning. */
static int read_arg(struct parser *p, struct strbuf *out)
{
	size_t depth = 0, start = p->pos, before;
	const char *s = p->text + start;

	strbuf_addch(out, ' ');
	before = out->len;
	for (; *s && (depth || !strchr(",)", *s)); s++) {
		depth += *s == '(' || *s == '[';
		depth -= depth && (*s == ')' || *s == ']');
		if (!isspace((unsigned char)*s))
			strbuf_addch(out, *s);
	}
	parser_take(p, (size_t)(s - p->text) - p->pos);
	if (!*s)
		return parser_fail(p, (long)start, "')' is missing behind the arguments");
	return out->len > before ? 0 : parser_fail(p, (long)start, "an argument is missing");
}

/* Behind the '('. */
static int read_args(struct parser *p, struct strbuf *out)
{
	parser_skip_blanks(p);
	while (parser_peek(p) != ')') {
		if (read_arg(p, out))
			return -1;
		if (parser_peek(p) != ',')
			break;
		parser_take(p, 1);
		if (parser_peek(p) == ')')
			return parser_fail(p, (long)p->pos, "an argument is missing");
	}
	parser_take(p, 1);
	return 0;
}

/* MODULE:FUNCTION, where what is in front of the colon is no function of a line nor a file. */
static char *split_module(struct strbuf *point)
{
	size_t n = strcspn(point->buf, ":;@+%=./\\");
	char *module;

	if (point->buf[n] != ':' || isdigit((unsigned char)point->buf[n + 1]))
		return NULL;
	module = xstrndup(point->buf, n);
	memmove(point->buf, point->buf + n + 1, point->len - n);
	point->len -= n + 1;
	return module;
}

int parser_fail_made(struct parser *p, size_t col, const struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf help = STRBUF_INIT;
	size_t first;

	strbuf_add_escaped_lines(&text, e->text);
	first = strcspn(text.buf, "\n");
	if (text.buf[first])
		strbuf_addf(&help, "%s\n", text.buf + first + 1);
	if (e->hint[0]) {
		strbuf_adds(&help, "Hint:\t");
		strbuf_add_escaped_lines(&help, e->hint);
		strbuf_addch(&help, '\n');
	}
	snprintf(p->ee->help, sizeof(p->ee->help), "%s", help.buf);
	return parser_fail(p, (long)col, "%.*s", (int)first, text.buf);
}

static bool is_named(const struct event_list *l, const char *name)
{
	VEC_FOR(&l->events, ev)
		if ((*ev)->name && !strcmp((*ev)->name, name))
			return true;
	return false;
}

/* "uprobe:main", or with a number where there is one already. */
static char *make_name(const struct parser *p, const char *word, const char *name)
{
	char *out = xasprintf("%s:%s", word, name);

	for (u32 i = 1; is_named(p->out, out) || (p->before && is_named(p->before, out)); i++) {
		free(out);
		out = xasprintf("%s:%s_%u", word, name, i);
	}
	return out;
}

/* Takes over what *from has. */
static void add_made(struct parser *p, const char *word, struct event_probe *from)
{
	struct event *ev = parser_add(p, EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, from->id);

	ev->name = make_name(p, word, from->name);
	ev->tp_system = xstrdup(word);
	ev->tp_name = xstrdup(ev->name + strlen(word) + 1);
	ev->tracefs = xstrdup(from->tracefs);
	ev->probe = XNEW(struct event_probe);
	*ev->probe = *from;
	*from = (struct event_probe){ .name = NULL };
}

static int make(struct parser *p, const struct event_probe_ask *ask, size_t col)
{
	struct event_probe_vec made = { 0 };
	struct err e = ERR_INIT;
	int rc;

	if (!p->env || !p->env->make_probes)
		return parser_fail(p, (long)col, "probes in place cannot be made here");
	rc = p->env->make_probes(p->env, ask, &made, &e);
	VEC_FOR(&made, one) {
		if (!rc)
			add_made(p, ask->word, one);
		event_probe_release(one);
	}
	vec_free(&made);
	return rc ? parser_fail_made(p, col, &e) : 0;
}

static int parse_terms(struct parser *p, size_t first)
{
	struct term_vec terms = { 0 };
	int rc;

	parser_take(p, 1);
	rc = terms_parse(p, &terms);
	for (size_t i = first; !rc && i < p->out->events.nr; i++)
		rc = terms_apply_tracepoint(p, &terms, p->out->events.v[i]);
	terms_release(&terms);
	return rc;
}

/* PATH ":", and PROVIDER ":" of a static point, of which the definition begins. */
static int parse_object(struct parser *p, const struct probe_word *w, struct strbuf *path,
			struct strbuf *definition)
{
	static const char ends[] = ":,} \t\n\r";
	size_t col = p->pos;

	if (!w->has_path)
		return 0;
	if (read_part(p, ends, false, path))
		return -1;
	if (!path->len || parser_peek(p) != ':')
		return parser_fail(p, (long)col, "%s:PATH:%s is expected", w->name,
				   w->is_static ? "PROVIDER:NAME" : "FUNCTION");
	parser_take(p, 1);
	if (!w->is_static)
		return 0;
	col = p->pos;
	strbuf_adds(definition, "%sdt_");
	if (read_part(p, ends, true, definition))
		return -1;
	if (p->pos == col || parser_peek(p) != ':')
		return parser_fail(p, (long)col,
				   "a provider and, behind ':', a point's name are expected");
	parser_take(p, 1);
	strbuf_addch(definition, ':');
	return 0;
}

int probe_parse(struct parser *p)
{
	const struct probe_word *w = find_word(p->text + p->pos);
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf point = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf definition = STRBUF_INIT;
	_cleanup_(mem_freep) char *module = NULL;
	struct event_probe_ask ask = { .word = w->name, .is_user = w->has_path };
	size_t col, first = p->out->events.nr;
	bool has_args;

	parser_take(p, strlen(w->name));
	parser_take(p, 1);
	if (parse_object(p, w, &path, &definition))
		return -1;
	col = p->pos;
	if (read_part(p, "(,} \t\n\r", true, &point))
		return -1;
	if (!point.len)
		return parser_fail(p, (long)col, "a %s is missing",
				   w->is_static ? "point's name" : "function");
	if (!w->has_path)
		module = split_module(&point);
	strbuf_addf(&definition, "%s%s", point.buf, w->is_return ? "%return" : "");
	has_args = parser_peek(p) == '(';
	if (has_args) {
		parser_take(p, 1);
		if (read_args(p, &definition))
			return -1;
	}
	ask.object = w->has_path ? path.buf : module;
	ask.definition = definition.buf;
	if (make(p, &ask, col))
		return -1;
	return has_args && parser_peek(p) == '/' ? parse_terms(p, first) : 0;
}
