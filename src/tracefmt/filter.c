/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracefmt/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct condition_reader {
	const struct tracefmt *t;
	const struct tracefmt_more_names *more; /* NULL = none */
	const char *text, *p;
	const char *copied; /* what is before it is in out */
	struct strbuf *out;
	struct tracefmt_filter_error *e;
	size_t open; /* parentheses */
	const char *last_open;
};

/* A condition: what is known of its field. */
struct condition_field {
	const char *word;
	int len;
	const struct tracefmt_field *field; /* NULL: the kernel's own, or one that is not known */
	bool is_text, is_function;
	bool globs; /* behind '~' */
};

static bool PRINTF_LIKE(3, 4)
	wrong(struct condition_reader *r, const char *at, const char *format, ...)
{
	va_list args;

	r->e->at = (size_t)(at - r->text);
	va_start(args, format);
	vsnprintf(r->e->text, sizeof(r->e->text), format, args);
	va_end(args);
	return false;
}

static void skip_blanks(struct condition_reader *r)
{
	while (isspace((u8)*r->p))
		r->p++;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((u8)s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(word, name, len);
}

static void begin_similar(struct condition_reader *r, const char *word, size_t len)
{
	snprintf(r->e->typed, sizeof(r->e->typed), "%.*s", (int)MIN(len, (size_t)SIMILAR_MAX),
		 word);
	similar_init(&r->e->near, r->e->typed);
}

/* ------------------------------------------------------------------ fields */

/* Fields that every event has without its format saying so. */
static const struct {
	const char *name;
	bool is_text;
} general[] = {
	{ "CPU", false }, { "cpu", false },        { "common_cpu", false }, { "COMM", true },
	{ "comm", true }, { "common_comm", true }, { "STACKTRACE", false }, { "stacktrace", false },
};

static bool find_field(struct condition_reader *r, struct condition_field *f)
{
	size_t len = (size_t)f->len;

	for (size_t i = 0; i < tracefmt_nr_fields(r->t); i++) {
		const struct tracefmt_field *field = tracefmt_field(r->t, i);

		if (!is_word(f->word, len, field->name))
			continue;
		f->field = field;
		f->is_text = field->flags & TRACEFMT_STRING ||
			     (field->flags & TRACEFMT_POINTER && strstr(field->type, "char"));
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(general); i++) {
		if (!is_word(f->word, len, general[i].name))
			continue;
		f->is_text = general[i].is_text;
		return true;
	}
	begin_similar(r, f->word, len);
	for (size_t i = 0; i < tracefmt_nr_fields(r->t); i++)
		similar_offer(&r->e->near, tracefmt_field(r->t, i)->name);
	r->e->no_field = true;
	return wrong(r, f->word, "no such field");
}

static bool read_field(struct condition_reader *r, struct condition_field *f)
{
	size_t len = word_length(r->p);

	*f = (struct condition_field){ .word = r->p, .len = (int)len };
	if (!len)
		return wrong(r, r->p, "a field is missing here");
	r->p += len;
	if (!find_field(r, f))
		return false;
	if (*r->p != '.')
		return true;
	len = word_length(++r->p);
	if (is_word(r->p, len, "function"))
		f->is_function = true;
	else if (is_word(r->p, len, "ustring"))
		f->is_text = true;
	else
		return wrong(r, r->p, "behind a field's '.' is ustring or function");
	r->p += len;
	return true;
}

static bool read_operator(struct condition_reader *r, struct condition_field *f)
{
	/* longer ones first */
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };

	skip_blanks(r);
	for (size_t i = 0; i < ARRAY_SIZE(operators) && strncmp(r->p, "&&", 2) != 0; i++) {
		size_t len = strlen(operators[i]);

		if (strncmp(r->p, operators[i], len) != 0)
			continue;
		f->globs = *r->p == '~';
		r->p += len;
		skip_blanks(r);
		return true;
	}
	return wrong(r, r->p, "an operator is missing here: ==, !=, <, <=, >, >=, & or ~");
}

/* ------------------------------------------------------------------ values */

struct name_search {
	const struct tracefmt_field *field;
	const char *word;
	size_t len;
	struct similar *near; /* NULL = the name itself is looked for */
	bool found, differs; /* one text of several values tells nothing */
	s64 value;
};

static void look_at_name(void *ctx, const struct tracefmt_names *n)
{
	struct name_search *s = ctx;
	char name[SIMILAR_MAX];

	/* a value below 0 may be a name that the kernel has not resolved */
	if (n->kind != TRACEFMT_NAMES_VALUE || n->field != s->field || !n->plain || n->value < 0)
		return;
	if (s->near) {
		snprintf(name, sizeof(name), "%.*s", (int)MIN(n->len, (u32)SIMILAR_MAX), n->text);
		similar_offer(s->near, name);
	} else if (n->len == s->len && !memcmp(n->text, s->word, s->len)) {
		s->differs |= s->found && s->value != n->value;
		s->found = true;
		s->value = n->value;
	}
}

/* A name, or several with '|' between them. */
static bool find_names(const struct condition_reader *r, const struct condition_field *f,
		       const char *word, size_t len, s64 *value)
{
	const char *end = word + len;

	*value = 0;
	for (size_t part; f->field && len; word += part + 1) {
		struct name_search s = { .field = f->field, .word = word };
		const char *bar = memchr(word, '|', (size_t)(end - word));

		part = (size_t)((bar ? bar : end) - word);
		s.len = part;
		tracefmt_each_name(r->t, look_at_name, &s);
		if (!s.found && r->more)
			s.found = r->more->find(r->more->ctx, f->field, word, part, &s.value);
		if (!s.found || s.differs)
			return false;
		*value |= s.value;
		if (!bar)
			return true;
	}
	return false;
}

/* What the filter has from `from` on becomes `text`. */
static void replace(struct condition_reader *r, const char *from, const char *text, size_t len)
{
	strbuf_add(r->out, r->copied, (size_t)(from - r->copied));
	strbuf_add(r->out, text, len);
	r->copied = r->p;
}

static bool translate_name(struct condition_reader *r, const struct condition_field *f,
			   const char *from, const char *word, size_t len)
{
	char number[24];
	s64 value;

	if (f->is_text || f->is_function || !find_names(r, f, word, len, &value))
		return false;
	snprintf(number, sizeof(number), "%lld", (long long)value);
	replace(r, from, number, strlen(number));
	return true;
}

static bool read_quoted(struct condition_reader *r, const struct condition_field *f)
{
	const char *open = r->p, *close = strchr(open + 1, *open);

	if (!close)
		return wrong(r, open, "this quote is not closed");
	r->p = close + 1;
	if (f->is_text || f->is_function ||
	    translate_name(r, f, open, open + 1, (size_t)(close - open - 1)))
		return true;
	return wrong(r, open, "%.*s is a number", MIN(f->len, 80), f->word);
}

static bool is_number(const char *word, size_t len)
{
	char text[32], *end;

	if (!len || len >= sizeof(text))
		return false;
	memcpy(text, word, len);
	text[len] = '\0';
	if (!isdigit((u8)text[text[0] == '-']))
		return false;
	errno = 0;
	if (text[0] == '-')
		strtoll(text, &end, 0);
	else
		strtoull(text, &end, 0);
	return !*end && !errno;
}

/* Up to what may stand behind a value. A single '|' joins names of bits. */
static size_t value_length(const char *s)
{
	size_t n = 0;

	while (s[n] && !isspace((u8)s[n]) && s[n] != ')' && s[n] != '(' && s[n] != '&' &&
	       strncmp(s + n, "||", 2) != 0)
		n++;
	return n;
}

static bool no_value(struct condition_reader *r, const struct condition_field *f, const char *word,
		     size_t len)
{
	struct name_search s = { .field = f->field, .near = &r->e->near };

	if (isdigit((u8)*word))
		return wrong(r, word, "this is no number of 64 bits");
	begin_similar(r, word, len);
	if (f->field)
		tracefmt_each_name(r->t, look_at_name, &s);
	if (f->field && r->more)
		r->more->offer(r->more->ctx, f->field, s.near);
	return wrong(r, word, "%.*s has no value of that name, and it is no number",
		     MIN(f->len, 80), f->word);
}

static bool read_value(struct condition_reader *r, const struct condition_field *f)
{
	const char *word = r->p;
	size_t len;

	if (*word == '"' || *word == '\'')
		return read_quoted(r, f);
	if (!strncmp(word, "CPUS{", 5)) {
		r->p += strcspn(word, "}");
		if (!*r->p)
			return wrong(r, word, "'}' is missing behind this list of CPUs");
		r->p++;
		return true;
	}
	len = value_length(word);
	if (!len)
		return wrong(r, word, "a value is missing here");
	r->p += len;
	if (f->is_function)
		return true;
	if (f->is_text && !memchr(word, '"', len)) {
		_cleanup_(mem_freep) char *quoted = xasprintf("\"%.*s\"", (int)len, word);

		replace(r, word, quoted, strlen(quoted));
		return true;
	}
	if (f->globs)
		return wrong(r, f->word, "'~' is for strings, and this is a number");
	if (is_number(word, len) || translate_name(r, f, word, word, len))
		return true;
	return no_value(r, f, word, len);
}

/* ------------------------------------------------------------------ conditions */

static bool read_condition(struct condition_reader *r)
{
	struct condition_field f;

	for (skip_blanks(r); *r->p == '(' || *r->p == '!'; skip_blanks(r)) {
		if (*r->p == '(') {
			r->open++;
			r->last_open = r->p;
		}
		r->p++;
	}
	if (!read_field(r, &f) || !read_operator(r, &f) || !read_value(r, &f))
		return false;
	for (skip_blanks(r); *r->p == ')'; skip_blanks(r)) {
		if (!r->open)
			return wrong(r, r->p, "there is no '(' for this ')'");
		r->open--;
		r->p++;
	}
	return true;
}

static bool read_conditions(struct condition_reader *r)
{
	while (read_condition(r)) {
		if (!*r->p && r->open)
			return wrong(r, r->last_open, "')' is missing");
		if (!*r->p)
			return true;
		if (strncmp(r->p, "&&", 2) != 0 && strncmp(r->p, "||", 2) != 0)
			return wrong(r, r->p, "&& or || is missing here");
		r->p += 2;
	}
	return false;
}

bool tracefmt_filter(const struct tracefmt *t, const char *text,
		     const struct tracefmt_more_names *more, struct strbuf *out,
		     struct tracefmt_filter_error *e)
{
	struct condition_reader r = {
		.t = t, .more = more, .text = text, .p = text, .copied = text, .out = out, .e = e
	};
	size_t before = out->len;
	bool understood;

	memset(e, 0, sizeof(*e));
	similar_init(&e->near, e->typed);
	understood = read_conditions(&r);
	if (!understood) {
		out->len = before;
		r.copied = text;
	}
	strbuf_adds(out, r.copied);
	return understood;
}
