/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of formats, and the tracing-data blob: magic, version, byte order and sizes of the recorded
 * machine, then sections of lengths and texts. All lengths are checked against what is left.
 */
#include <ctype.h>
#include <endian.h>
#include <errno.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/limits.h"
#include "tracefmt/format.h"

struct tracefmt_set *tracefmt_set_new(void)
{
	struct tracefmt_set *s = XNEW(struct tracefmt_set);

	s->long_size = 8;
	return s;
}

void tracefmt_set_free(struct tracefmt_set *s)
{
	if (!s)
		return;
	vec_free(&s->events);
	vec_free(&s->printk);
	vec_free(&s->symbols);
	map_release(&s->by_id);
	map_release(&s->by_name);
	arena_release(&s->arena);
	free(s);
}

static u64 name_hash(const char *system, const char *name)
{
	return hash_bytes(name, strlen(name), hash_bytes(system, strlen(system), 0));
}

const struct tracefmt *tracefmt_by_id(const struct tracefmt_set *s, u64 id)
{
	u32 i;

	for (struct map_probe p = map_first(&s->by_id, hash_u64(id)); map_next(&s->by_id, &p, &i);)
		if (s->events.v[i]->id == id)
			return s->events.v[i];
	return NULL;
}

const struct tracefmt *tracefmt_by_name(const struct tracefmt_set *s, const char *system,
					const char *name)
{
	u64 h = name_hash(system, name);
	u32 i;

	for (struct map_probe p = map_first(&s->by_name, h); map_next(&s->by_name, &p, &i);)
		if (!strcmp(s->events.v[i]->name, name) && !strcmp(s->events.v[i]->system, system))
			return s->events.v[i];
	return NULL;
}

/* A second event of the same id (the ftrace section repeats the system "ftrace") is dropped; of a
 * name the first is found. */
void set_insert(struct tracefmt_set *s, struct tracefmt *t)
{
	if (s->events.nr >= TRACEFMT_MAX_EVENTS || tracefmt_by_id(s, t->id))
		return;
	u32 i = (u32)s->events.nr;

	*VEC_PUSH(&s->events) = t;
	map_add(&s->by_id, hash_u64(t->id), i);
	if (!tracefmt_by_name(s, t->system, t->name))
		map_add(&s->by_name, name_hash(t->system, t->name), i);
}

int tracefmt_set_add(struct tracefmt_set *s, const char *system, const char *format_text,
		     size_t len, struct err *e)
{
	return format_parse(s, system, format_text, len, e);
}

size_t tracefmt_set_count(const struct tracefmt_set *s)
{
	return s->events.nr;
}

const struct tracefmt *tracefmt_set_at(const struct tracefmt_set *s, size_t i)
{
	return s->events.v[i];
}

/* ------------------------------------------------------------------ the blob */

struct set_cursor {
	const u8 *p, *end;
	bool swap;
};

static size_t left(const struct set_cursor *c)
{
	return (size_t)(c->end - c->p);
}

static bool take(struct set_cursor *c, u64 n, const u8 **out)
{
	if (n > left(c))
		return false;
	*out = c->p;
	c->p += n;
	return true;
}

static bool take_u32(struct set_cursor *c, u32 *v)
{
	const u8 *p;

	if (!take(c, 4, &p))
		return false;
	*v = bits_u32(p);
	if (c->swap)
		*v = __builtin_bswap32(*v);
	return true;
}

static bool take_u64(struct set_cursor *c, u64 *v)
{
	const u8 *p;

	if (!take(c, 8, &p))
		return false;
	*v = bits_u64(p);
	if (c->swap)
		*v = __builtin_bswap64(*v);
	return true;
}

static bool take_string(struct set_cursor *c, const char **s)
{
	const u8 *nul = left(c) ? memchr(c->p, 0, left(c)) : NULL;

	if (!nul)
		return false;
	*s = (const char *)c->p;
	c->p = nul + 1;
	return true;
}

static bool skip_named(struct set_cursor *c, const char *name)
{
	const char *s;
	const u8 *body;
	u64 size;

	return take_string(c, &s) && !strcmp(s, name) && take_u64(c, &size) && take(c, size, &body);
}

static bool read_events(struct set_cursor *c, struct tracefmt_set *s, const char *system, u32 count,
			struct err *first)
{
	for (u32 i = 0; i < count; i++) {
		struct err e = ERR_INIT;
		const u8 *text;
		u64 size;

		if (!take_u64(c, &size) || !take(c, size, &text))
			return false;
		if (format_parse(s, system, (const char *)text, size, &e) && !first->code)
			*first = e;
	}
	return true;
}

static int by_addr(const void *a, const void *b)
{
	const struct tracefmt_addr *x = a;
	const struct tracefmt_addr *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool hex_number(const char **p, const char *end, u64 *v)
{
	const char *start = *p;

	*v = 0;
	for (; *p < end && isxdigit((unsigned char)**p); (*p)++) {
		int c = (unsigned char)**p;

		*v = *v << 4 | (u64)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return *p > start;
}

/* Lines `0xADDR : "text"`. */
static void read_printk(struct tracefmt_set *s, const char *p, const char *end)
{
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *eol = nl ? nl : end;
		u64 addr;

		if (eol - p > 2 && p[0] == '0' && p[1] == 'x')
			p += 2;
		if (hex_number(&p, eol, &addr)) {
			const char *quote = memchr(p, '"', (size_t)(eol - p));
			const char *last = eol;

			while (last > p && last[-1] != '"')
				last--;
			if (quote && last - 1 > quote)
				*VEC_PUSH(&s->printk) = (struct tracefmt_addr){
					.addr = addr,
					.name = arena_strndup(&s->arena, quote + 1,
							      (size_t)(last - 2 - quote)),
				};
		}
		p = eol + 1;
	}
	VEC_SORT(&s->printk, by_addr);
}

/* Lines "ADDR t name [module]". */
static void read_kallsyms(struct tracefmt_set *s, const char *p, const char *end)
{
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *eol = nl ? nl : end;
		u64 addr;

		if (hex_number(&p, eol, &addr) && eol - p > 3) {
			const char *name = p + 3;
			const char *stop = name;

			while (stop < eol && *stop != ' ' && *stop != '\t')
				stop++;
			*VEC_PUSH(&s->symbols) = (struct tracefmt_addr){
				.addr = addr,
				.name = arena_strndup(&s->arena, name, (size_t)(stop - name)),
			};
		}
		p = eol + 1;
	}
	VEC_SORT(&s->symbols, by_addr);
}

static bool read_sections(struct set_cursor *c, struct tracefmt_set *s, struct err *first)
{
	u32 count, systems, size;
	const u8 *body;

	if (!skip_named(c, "header_page") || !skip_named(c, "header_event"))
		return false;
	if (!take_u32(c, &count) || !read_events(c, s, "ftrace", count, first))
		return false;
	if (!take_u32(c, &systems))
		return false;
	for (u32 i = 0; i < systems; i++) {
		const char *name;

		if (!take_string(c, &name) || !take_u32(c, &count) ||
		    !read_events(c, s, name, count, first))
			return false;
	}
	if (!take_u32(c, &size) || !take(c, size, &body))
		return false;
	read_kallsyms(s, (const char *)body, (const char *)body + size);
	if (!take_u32(c, &size) || !take(c, size, &body))
		return false;
	read_printk(s, (const char *)body, (const char *)body + size);
	return true; /* saved cmdlines (0.6) follow: nothing here needs them */
}

int tracefmt_set_from_blob(struct tracefmt_set **out, const void *blob, size_t size, struct err *e)
{
	static const u8 magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct set_cursor c = { .p = blob, .end = (const u8 *)blob + size };
	struct err first = ERR_INIT;
	const char *version;
	const u8 *p;
	u32 page_size;

	if (size > LIMIT_FEATURE || !take(&c, sizeof(magic), &p) || memcmp(p, magic, sizeof(magic)))
		return err_set(e, EINVAL, "tracing data has no magic number");
	if (!take_string(&c, &version) || !take(&c, 2, &p))
		return err_set(e, EINVAL, "tracing data ends in its header");
	struct tracefmt_set *s = tracefmt_set_new();

	s->swap = (p[0] != 0) != (__BYTE_ORDER == __BIG_ENDIAN);
	s->long_size = p[1] == 4 ? 4 : 8;
	c.swap = s->swap;
	bool complete = take_u32(&c, &page_size) && read_sections(&c, s, &first);

	if (!complete && s->events.nr == 0) {
		tracefmt_set_free(s);
		if (first.code && e) {
			*e = first;
			return -1;
		}
		return err_set(e, EINVAL, "tracing data is cut short");
	}
	*out = s;
	return 0;
}

/* ------------------------------------------------------------------ access */

const char *tracefmt_system(const struct tracefmt *t)
{
	return t->system;
}

u64 tracefmt_id(const struct tracefmt *t)
{
	return t->id;
}

const char *tracefmt_name(const struct tracefmt *t)
{
	return t->name;
}

size_t tracefmt_nr_fields(const struct tracefmt *t)
{
	return t->nr_fields;
}

const struct tracefmt_field *tracefmt_field(const struct tracefmt *t, size_t i)
{
	return &t->fields[i];
}

const struct tracefmt_field *tracefmt_find_field(const struct tracefmt *t, const char *name)
{
	for (u32 i = 0; i < t->nr_fields; i++)
		if (!strcmp(t->fields[i].name, name))
			return &t->fields[i];
	return NULL;
}

bool tracefmt_u64(const struct tracefmt_field *f, const void *raw, size_t size, u64 *value)
{
	const u8 *p = (const u8 *)raw + f->offset;

	if (f->offset > size || f->size > size - f->offset)
		return false;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return false;
	u64 v = program_load(f->flags & TRACEFMT_SWAPPED, p, f->size);
	unsigned int unused_bits = 64 - 8 * f->size;

	if (f->flags & TRACEFMT_SIGNED)
		v = (u64)((s64)(v << unused_bits) >> unused_bits);
	*value = v;
	return true;
}

bool tracefmt_bytes(const struct tracefmt_field *f, const void *raw, size_t size, const char **data,
		    size_t *len)
{
	u32 offset = f->offset;
	u32 bytes = f->size;

	if (f->flags & TRACEFMT_DYNAMIC) {
		if (offset > size || size - offset < 4)
			return false;
		u32 loc = (u32)program_load(f->flags & TRACEFMT_SWAPPED, (const u8 *)raw + offset,
					    4);

		bytes = loc >> 16;
		offset = (loc & 0xffff) + (f->flags & TRACEFMT_REL_DYNAMIC ? offset + 4 : 0);
	}
	if (offset > size || bytes > size - offset)
		return false;
	*data = (const char *)raw + offset;
	*len = bytes;
	return true;
}
