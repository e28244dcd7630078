/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format files: "name:", "ID:", the list of fields, "print fmt:". */
#include <ctype.h>
#include <errno.h>

#include "base/fmt.h"
#include "base/limits.h"
#include "tracefmt/program.h"

struct format_line {
	const char *p, *end;
};

/* The next line without its newline; false at the end. */
static bool next_line(struct format_line *cursor, struct format_line *out)
{
	if (cursor->p >= cursor->end)
		return false;
	const char *nl = memchr(cursor->p, '\n', (size_t)(cursor->end - cursor->p));

	out->p = cursor->p;
	out->end = nl ? nl : cursor->end;
	cursor->p = nl ? nl + 1 : cursor->end;
	return true;
}

static bool begins(struct format_line l, const char *word, struct format_line *rest)
{
	size_t n = strlen(word);

	while (l.p < l.end && (*l.p == ' ' || *l.p == '\t'))
		l.p++;
	if ((size_t)(l.end - l.p) < n || memcmp(l.p, word, n) != 0)
		return false;
	rest->p = l.p + n;
	rest->end = l.end;
	return true;
}

static u64 number(struct format_line l)
{
	u64 v = 0;

	while (l.p < l.end && isspace((unsigned char)*l.p))
		l.p++;
	for (; l.p < l.end && isdigit((unsigned char)*l.p); l.p++)
		v = v * 10 + (u64)(*l.p - '0');
	return v;
}

/* Value of "key:N;" in a field line. */
static bool keyed_number(struct format_line l, const char *key, u64 *v)
{
	const char *at = memmem(l.p, (size_t)(l.end - l.p), key, strlen(key));

	if (!at)
		return false;
	*v = number((struct format_line){ at + strlen(key), l.end });
	return true;
}

static bool type_is(const char *type, const char *want)
{
	return strstr(type, want) != NULL;
}

static unsigned int type_flags(const char *type, bool is_array)
{
	unsigned int flags = 0;
	bool is_char = type_is(type, "char") || !strncmp(type, "u8", 2) || !strncmp(type, "s8", 2);

	if (strchr(type, '*'))
		flags |= TRACEFMT_POINTER;
	if (is_array) {
		flags |= TRACEFMT_ARRAY;
		if (is_char && !type_is(type, "unsigned char *"))
			flags |= TRACEFMT_STRING;
	}
	return flags;
}

/* Split "TYPE NAME[N]" at the name; strips __data_loc and __rel_loc into flags. */
static void declare(struct tracefmt_set *s, struct tracefmt_field *f, const char *p,
		    const char *end)
{
	bool is_array = false;
	struct strbuf type = STRBUF_INIT;
	struct format_line rest;

	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	if (begins((struct format_line){ p, end }, "__data_loc ", &rest)) {
		f->flags |= TRACEFMT_DYNAMIC;
		p = rest.p;
	} else if (begins((struct format_line){ p, end }, "__rel_loc ", &rest)) {
		f->flags |= TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC;
		p = rest.p;
	}
	const char *e = end;

	if (e > p && e[-1] == ']') {
		is_array = true;
		while (e > p && *e != '[')
			e--;
		f->nr = (u32)number((struct format_line){ e + 1, end });
	}
	const char *name = e;

	while (name > p && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	f->name = arena_strndup(&s->arena, name, (size_t)(e - name));
	const char *type_end = name;

	while (type_end > p && isspace((unsigned char)type_end[-1]))
		type_end--;
	strbuf_add(&type, p, (size_t)(type_end - p));
	if (type_end > p && type_end[-1] == ']')
		is_array = true; /* "char[] name" of dynamic fields */
	f->type = arena_strdup(&s->arena, type.buf);
	strbuf_release(&type);
	f->flags |= type_flags(f->type, is_array);
	f->element_size = f->nr && !(f->flags & TRACEFMT_DYNAMIC) ? f->size / f->nr
			  : is_array                              ? type_size(f->type, s->long_size)
								  : f->size;
}

static bool parse_field(struct tracefmt_set *s, struct format_line l, struct tracefmt_field *f)
{
	const char *semi = memchr(l.p, ';', (size_t)(l.end - l.p));
	u64 offset, size, is_signed = 0;

	if (!semi)
		return false;
	struct format_line rest = { semi, l.end };

	if (!keyed_number(rest, "offset:", &offset) || !keyed_number(rest, "size:", &size))
		return false;
	if (offset > LIMIT_SMALL_FILE || size > LIMIT_SMALL_FILE)
		return false;
	*f = (struct tracefmt_field){ .offset = (u32)offset, .size = (u32)size };
	if (keyed_number(rest, "signed:", &is_signed) && is_signed)
		f->flags |= TRACEFMT_SIGNED;
	if (s->swap)
		f->flags |= TRACEFMT_SWAPPED;
	declare(s, f, l.p, semi);
	if (type_is(f->type, "long") && size == s->long_size && !type_is(f->type, "long long"))
		f->flags |= TRACEFMT_LONG;
	if (!strncmp(f->name, "common_", 7))
		f->flags |= TRACEFMT_COMMON;
	return f->name[0] != '\0';
}

int tracefmt_set_add(struct tracefmt_set *s, const char *system, const char *text, size_t len,
		     struct err *e)
{
	struct format_line all = { text, text + len };
	struct format_line l, rest;
	VEC(struct tracefmt_field) fields = { 0 };
	const char *name = NULL;
	const char *print = NULL;
	bool have_id = false;
	u64 id = 0;

	if (len > TRACEFMT_MAX_TEXT)
		return err_set(e, EFBIG, "format of a %s event is too large", system);
	while (next_line(&all, &l)) {
		if (begins(l, "print fmt:", &rest)) {
			print = rest.p;
			break;
		}
		if (!name && begins(l, "name:", &rest)) {
			while (rest.p < rest.end && isspace((unsigned char)*rest.p))
				rest.p++;
			name = arena_strndup(&s->arena, rest.p, (size_t)(rest.end - rest.p));
		} else if (!have_id && begins(l, "ID:", &rest)) {
			id = number(rest);
			have_id = true;
		} else if (begins(l, "field:", &rest) || begins(l, "field special:", &rest)) {
			if (fields.nr >= TRACEFMT_MAX_FIELDS)
				break;
			if (!parse_field(s, rest, VEC_PUSH(&fields)))
				fields.nr--;
		}
	}
	if (!name || !have_id) {
		vec_free(&fields);
		return err_set(e, EINVAL, "format of a %s event has no name or no id", system);
	}
	struct tracefmt *t = arena_zalloc(&s->arena, sizeof(*t));

	t->set = s;
	t->system = arena_strdup(&s->arena, system);
	t->name = name;
	t->id = id;
	t->nr_fields = (u32)fields.nr;
	t->fields = arena_dup(&s->arena, fields.v ? (const void *)fields.v : "",
			      fields.nr * sizeof(*fields.v));
	vec_free(&fields);
	while (t->nr_common < t->nr_fields && (t->fields[t->nr_common].flags & TRACEFMT_COMMON))
		t->nr_common++;
	if (print)
		program_compile(t, print, (size_t)(text + len - print));
	else
		t->failed = true;
	set_insert(s, t);
	return 0;
}
