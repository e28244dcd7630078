/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracing-data blob: magic, version, byte order and sizes of the recorded machine, then
 * sections of lengths and texts. All lengths are checked against what is left.
 */
#include <ctype.h>
#include <endian.h>
#include <errno.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/limits.h"
#include "tracefmt/program.h"

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
		if (tracefmt_set_add(s, system, (const char *)text, size, &e) && !first->code)
			*first = e;
	}
	return true;
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
	VEC_SORT(&s->printk, by_u64);
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
	VEC_SORT(&s->symbols, by_u64);
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
