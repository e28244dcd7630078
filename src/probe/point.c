/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/point.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char return_word[] = "return";

bool probe_is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	return !*s;
}

bool probe_is_pattern(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

/* The first of the characters in `set` that has no '\' before it, else NULL. */
static const char *find_special(const char *s, const char *set)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (strchr(set, *s))
			return s;
	}
	return NULL;
}

/* Without the '\' that take meaning away. */
static char *unescaped(const char *s, size_t len)
{
	char *out = xmalloc(len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\\' && ++i == len)
			break;
		out[n++] = s[i];
	}
	out[n] = '\0';
	return out;
}

static void replace(char **where, char *with)
{
	free(*where);
	*where = with;
}

/* What follows the first part of a point, by the character that it begins with. */
static int parse_tail(struct probe_point *p, char what, const char *s, size_t len, struct err *e)
{
	_cleanup_(mem_freep) char *text = unescaped(s, len);
	char *end = text;

	switch (what) {
	case ':':
		p->line = (int)strtol(text, &end, 0);
		if (*end)
			return err_set(e, EINVAL,
				       "Semantic error :There is non-digit char in line number.");
		return 0;
	case '+':
		p->offset = strtoul(text, &end, 0);
		if (*end)
			return err_set(e, EINVAL,
				       "Semantic error :There is non-digit character in offset.");
		return 0;
	case '@':
		if (p->file)
			return err_set(e, EINVAL, "Semantic error :SRC@SRC is not allowed.");
		p->file = xstrdup(text);
		return 0;
	default: /* '%' */
		if (strcmp(text, return_word))
			return err_set(e, EINVAL, "Semantic error :%%%s is not supported.", text);
		p->is_return = true;
		return 0;
	}
}

static int check_point(const struct probe_point *p, struct err *e)
{
	const char *wrong = NULL;

	if (p->lazy && p->line)
		wrong = "Lazy pattern can't be used with line number.";
	else if (p->lazy && p->offset)
		wrong = "Lazy pattern can't be used with offset.";
	else if (p->line && p->offset)
		wrong = "Offset can't be used with line number.";
	else if (!p->line && !p->lazy && p->file && !p->function)
		wrong = "File always requires line number or lazy pattern.";
	else if (p->offset && !p->function)
		wrong = "Offset requires an entry function.";
	else if ((p->offset || p->line || p->lazy) && p->is_return)
		wrong = "Offset/Line/Lazy pattern can't be used with return probe.";
	else if (p->is_return && !p->function)
		wrong = "Return probe requires an entry function.";
	return wrong ? err_set(e, EINVAL, "Semantic error :%s", wrong) : 0;
}

/* Whether the first `len` bytes of a point name a file, not a function. */
static bool names_file(const char *s, size_t len)
{
	return (s[len] == ':' || s[len] == ';') && memchr(s, '.', len) && !find_special(s, "+@%");
}

static int parse_point(const char *s, struct probe_point *p, struct err *e)
{
	const char *at = find_special(s, ";:+@%");
	size_t len = at ? (size_t)(at - s) : strlen(s);

	if (len) {
		char **part = names_file(s, len) ? &p->file : &p->function;

		*part = unescaped(s, len);
	}
	while (at && *at != ';') {
		const char *next = find_special(at + 1, ";:+@%");
		size_t part = next ? (size_t)(next - at - 1) : strlen(at + 1);

		if (parse_tail(p, *at, at + 1, part, e))
			return -1;
		at = next;
	}
	if (at)
		p->lazy = xstrdup(at + 1);
	if (p->function && !strncmp(p->function, "0x", 2)) {
		char *end;

		p->address = strtoul(p->function, &end, 0);
		p->has_address = true;
		if (*end || !p->function[2])
			return err_set(e, EINVAL, "Semantic error :Invalid absolute address.");
	}
	return check_point(p, e);
}

/* %[GROUP:]EVENT[@OBJECT] */
static int parse_kept(const char *s, struct probe_definition *d, struct err *e)
{
	const char *at = strchr(s, '@');
	size_t len = at ? (size_t)(at - s) : strlen(s);
	const char *colon = memchr(s, ':', len);

	if (strcspn(s, ";=+%") < strlen(s))
		return err_set(e, EINVAL, "Semantic error :%s must be an SDT name.", s);
	d->kept = true;
	if (colon) {
		d->group = xstrndup(s, (size_t)(colon - s));
		s = colon + 1;
		len = at ? (size_t)(at - s) : strlen(s);
	}
	d->event = xstrndup(s, len);
	if (at)
		d->object = xstrdup(at + 1);
	return 0;
}

static int bad_name(const char *name, struct err *e)
{
	return err_set(
		e, EINVAL,
		"Semantic error :%s is bad for event name -it must follow C symbol-naming rule.",
		name);
}

/* [[GROUP:]EVENT=]POINT */
static int parse_head(const char *s, struct probe_definition *d, struct err *e)
{
	bool sdt = !strncmp(s, "sdt_", 4) && strchr(s, ':') && !strchr(s, '=');
	const char *at;

	if (*s == '%' || sdt)
		return parse_kept(s + (*s == '%'), d, e);
	at = find_special(s, ";=@+%");
	if (at && *at == '=') {
		size_t len = (size_t)(at - s);
		const char *colon = memchr(s, ':', len);

		if (colon) {
			d->group = xstrndup(s, (size_t)(colon - s));
			if (!probe_is_name(d->group))
				return bad_name(d->group, e);
			len -= (size_t)(colon + 1 - s);
			s = colon + 1;
		}
		d->event = xstrndup(s, len);
		if (!probe_is_name(d->event))
			return bad_name(d->event, e);
		s = at + 1;
	}
	return parse_point(s, &d->point, e);
}

/* The chain of members behind a variable: ->NAME .NAME [NUMBER]. */
static int check_chain(const char *s, struct err *e)
{
	const char *component = s;

	s += strcspn(s, "-.[");
	while (*s) {
		if (*s == '[') {
			char *end;

			component = s;
			(void)strtol(s + 1, &end, 0);
			if (end == s + 1 || *end != ']')
				return err_set(e, EINVAL,
					       "Semantic error :Array index must be a number.");
			s = end + 1;
			if (*s && !strchr("-.[", *s))
				return err_set(e, EINVAL,
					       "Semantic error :Argument parse error: %s",
					       component);
			continue;
		}
		if (*s == '-' && s[1] != '>')
			return err_set(e, EINVAL, "Semantic error :Argument parse error: %s",
				       component);
		s += *s == '-' ? 2 : 1;
		component = s;
		s += strcspn(s, "-.[");
	}
	return 0;
}

static int parse_arg(const char *s, struct probe_arg_spec *a, struct err *e)
{
	const char *equals = strchr(s, '=');
	const char *at;
	const char *colon;
	size_t len;

	*a = (struct probe_arg_spec){ .user = false };
	if (equals) {
		a->name = xstrndup(s, (size_t)(equals - s));
		s = equals + 1;
	}
	len = strlen(s);
	at = strchr(s, '@');
	if (at && at > s && !strcmp(at, "@user")) {
		a->user = true;
		len = (size_t)(at - s);
	}
	colon = memchr(s, ':', len);
	if (colon) {
		a->type = xstrndup(colon + 1, len - (size_t)(colon + 1 - s));
		len = (size_t)(colon - s);
	}
	a->expression = xstrndup(s, len);
	if (!strcmp(a->expression, "$vars") || !strcmp(a->expression, "$params"))
		a->variable = true;
	else if (isalpha((unsigned char)*a->expression) || *a->expression == '_')
		a->variable = true;
	return a->variable && a->expression[0] != '$' ? check_chain(a->expression, e) : 0;
}

static size_t count_words(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += !isspace((unsigned char)*s) && (!s[1] || isspace((unsigned char)s[1]));
	return n;
}

/* The next word of *s in fresh memory; NULL: there is none. */
static char *next_word(const char **s)
{
	const char *start;

	while (isspace((unsigned char)**s))
		(*s)++;
	start = *s;
	while (**s && !isspace((unsigned char)**s))
		(*s)++;
	return *s == start ? NULL : xstrndup(start, (size_t)(*s - start));
}

static int parse_words(const char *text, struct probe_definition *d, struct err *e)
{
	_cleanup_(mem_freep) char *head = NULL;
	size_t words = count_words(text);
	char *word;

	if (words > PROBE_ARGS_MAX + 1)
		return err_set(e, E2BIG, "Semantic error :Too many probe arguments (%zu).",
			       words - 1);
	head = next_word(&text);
	if (!head)
		return err_set(e, EINVAL, "Semantic error :No probe point is given.");
	if (parse_head(head, d, e))
		return -1;
	while ((word = next_word(&text))) {
		int r = parse_arg(word, VEC_PUSH(&d->args), e);

		free(word);
		if (r)
			return -1;
	}
	return 0;
}

int probe_definition_parse(const char *text, struct probe_definition *d, struct err *e)
{
	*d = (struct probe_definition){ .group = NULL };
	if (!parse_words(text, d, e))
		return 0;
	probe_definition_release(d);
	return -1;
}

void probe_point_release(struct probe_point *p)
{
	replace(&p->function, NULL);
	replace(&p->file, NULL);
	replace(&p->lazy, NULL);
}

void probe_definition_release(struct probe_definition *d)
{
	replace(&d->group, NULL);
	replace(&d->event, NULL);
	replace(&d->object, NULL);
	probe_point_release(&d->point);
	VEC_FOR(&d->args, a) {
		free(a->name);
		free(a->expression);
		free(a->type);
	}
	vec_free(&d->args);
}

bool probe_definition_needs_debug(const struct probe_definition *d)
{
	VEC_FOR(&d->args, a)
		if (a->variable)
			return true;
	return (d->point.file && !d->point.is_return) || d->point.line || d->point.lazy;
}

/* Where the last three parts of a path begin, as perf shows it. */
static const char *tail_of_path(const char *path)
{
	size_t i = strlen(path);

	if (i < 31)
		return path;
	i -= 30;
	while (path[i] && path[i] != '/')
		i++;
	return path[i] ? path + i + 1 : path + strlen(path) - 30;
}

void probe_point_text(const struct probe_point *p, struct strbuf *out)
{
	strbuf_adds(out, p->function ? p->function : "");
	if (p->offset)
		strbuf_addf(out, "+%lu", (unsigned long)p->offset);
	else if (p->line && p->function)
		strbuf_addf(out, ":%d", p->line);
	else if (p->is_return)
		strbuf_addf(out, "%%%s", return_word);
	if (p->file) {
		strbuf_addf(out, "@%s", tail_of_path(p->file));
		if (!p->function && p->line)
			strbuf_addf(out, ":%d", p->line);
	}
}

void probe_arg_spec_text(const struct probe_arg_spec *a, struct strbuf *out)
{
	if (a->name)
		strbuf_addf(out, "%s=", a->name);
	strbuf_adds(out, a->expression);
	if (a->type)
		strbuf_addf(out, ":%s", a->type);
}

/* A number of a range; *s moves behind it. */
static int range_number(const char **s, const char *what, int *out, struct err *e)
{
	char *end;
	long value = strtol(*s, &end, 0);

	if (end == *s)
		return err_set(e, EINVAL, "Semantic error :'%s' is not a valid number.", what);
	*s = end;
	*out = (int)value;
	return 0;
}

static int parse_lines(const char *s, struct probe_line_range *r, struct err *e)
{
	if (range_number(&s, "start line", &r->start, e))
		return -1;
	if (*s == '+' || *s == '-') {
		char sign = *s++;

		if (range_number(&s, "end line", &r->end, e))
			return -1;
		if (sign == '+') {
			long long last = (long long)r->start + r->end - 1;

			r->end = last > INT_MAX ? INT_MAX : last < INT_MIN ? INT_MIN : (int)last;
		}
	}
	if (r->start > r->end)
		return err_set(e, EINVAL,
			       "Semantic error :Start line must be smaller than end line.");
	if (*s)
		return err_set(e, EINVAL, "Semantic error :Tailing with invalid str '%s'.", s);
	return 0;
}

static int parse_range(const char *text, struct probe_line_range *r, struct err *e)
{
	const char *colon = strchr(text, ':');
	_cleanup_(mem_freep) char *name = xstrndup(text,
						   colon ? (size_t)(colon - text) : strlen(text));
	char *at = strchr(name, '@');

	if (colon && parse_lines(colon + 1, r, e))
		return -1;
	if (at) {
		*at = '\0';
		r->file = at[1] ? xstrdup(at + 1) : NULL;
	}
	if (at && !*name)
		return 0;
	if (at || !strpbrk(name, "./")) {
		if (!probe_is_name(name))
			return err_set(e, EINVAL,
				       "Semantic error :'%s' is not a valid function name.", name);
		r->function = xstrdup(name);
		return 0;
	}
	r->file = xstrdup(name);
	return 0;
}

int probe_line_range_parse(const char *text, struct probe_line_range *r, struct err *e)
{
	*r = (struct probe_line_range){ .end = INT_MAX };
	if (!parse_range(text, r, e))
		return 0;
	probe_line_range_release(r);
	return -1;
}

void probe_line_range_release(struct probe_line_range *r)
{
	replace(&r->function, NULL);
	replace(&r->file, NULL);
}
