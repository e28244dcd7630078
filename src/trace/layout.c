/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "btf/btf.h"
#include "trace/quote.h"

enum {
	MAX_BYTES = 64 << 20, /* of a type */
	MAX_DEPTH = 6, /* structures in structures; names of types of types */
	MAX_SHOWN = 16, /* elements of an array */
	MOST_SHOWN = 12, /* members of a structure */
	ALL_SHOWN = 2, /* members of a structure that are shown even if they are 0 */
};

struct trace_layouts {
	struct btf_types *types;
	VEC(u32) structures; /* types with a name */
};

struct trace_layouts *trace_layouts_new(const char *path, struct err *e)
{
	struct btf_types *types = path ? btf_types_open_file(path, e)
				       : btf_types_open(NULL, NULL, e);
	struct trace_layouts *l;

	if (!types)
		return NULL;
	l = XNEW(struct trace_layouts);
	l->types = types;
	for (u32 i = 1; i < btf_nr_types(types); i++) {
		const struct btf_type *t = btf_type(types, i);

		if (btf_kind(t) == BTF_KIND_STRUCT && t->name_off)
			*VEC_PUSH(&l->structures) = i;
	}
	return l;
}

void trace_layouts_free(struct trace_layouts *l)
{
	if (!l)
		return;
	btf_types_free(l->types);
	vec_free(&l->structures);
	free(l);
}

static const char *name_of(const struct trace_layouts *l, u32 offset)
{
	return btf_string(l->types, offset);
}

u32 trace_layout_find(const struct trace_layouts *l, const char *name, size_t len)
{
	for (size_t i = 0; i < l->structures.nr; i++) {
		const char *n = name_of(l, btf_type(l->types, l->structures.v[i])->name_off);

		if (!strncmp(n, name, len) && !n[len])
			return l->structures.v[i];
	}
	return 0;
}

static const struct btf_type *find_union(const struct trace_layouts *l, const char *name)
{
	for (u32 id = 1; id < btf_nr_types(l->types); id++) {
		const struct btf_type *t = btf_type(l->types, id);

		if (btf_kind(t) == BTF_KIND_UNION && !strcmp(name_of(l, t->name_off), name))
			return t;
	}
	return NULL;
}

static bool has_member(const struct trace_layouts *l, const struct btf_type *t, const char *member,
		       unsigned int depth)
{
	const struct btf_member *m = (const void *)(t + 1);

	if (depth > MAX_DEPTH || (btf_kind(t) != BTF_KIND_STRUCT && btf_kind(t) != BTF_KIND_UNION))
		return false;
	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const char *name = name_of(l, m[i].name_off);
		const struct btf_type *of = btf_type(l->types, m[i].type);

		if (!strcmp(name, member) || (!*name && of && has_member(l, of, member, depth + 1)))
			return true;
	}
	return false;
}

u32 trace_layout_part(const struct trace_layouts *l, const char *name, const char *member)
{
	const struct btf_type *t = find_union(l, name);
	const struct btf_member *m = t ? (const void *)(t + 1) : NULL;

	for (u32 i = 0; t && i < BTF_INFO_VLEN(t->info); i++) {
		const struct btf_type *of = btf_type(l->types, m[i].type);
		const char *own = name_of(l, m[i].name_off);

		if (of && btf_kind(of) == BTF_KIND_STRUCT &&
		    (*own ? !strcmp(own, member) : has_member(l, of, member, 0)))
			return m[i].type;
	}
	return 0;
}

u32 trace_layout_size(const struct trace_layouts *l, u32 id)
{
	const struct btf_type *t = l ? btf_type(l->types, id) : NULL;

	return t ? t->size : 0;
}

/* ------------------------------------------------------------------ as text */

struct layout_print {
	struct strbuf *out;
	const struct trace_layouts *l;
	const u8 *data;
	size_t len;
	trace_member_fn *fn;
	void *ctx;
};

struct layout_member {
	const char *type, *name; /* of the structure; its own */
	u32 id; /* of its type */
	u64 bit;
	u32 bits; /* 0 = as wide as its type */
};

static const struct btf_type *plain_type(const struct trace_layouts *l, u32 id)
{
	return btf_plain_type(l->types, id);
}

static u32 size_of(const struct trace_layouts *l, u32 id)
{
	return (u32)MIN(btf_size(l->types, id), (u64)MAX_BYTES);
}

static bool is_inside(const struct layout_print *p, u64 bit, u32 bytes)
{
	return bytes && bit / 8 + bytes <= p->len;
}

static bool is_zero(const struct layout_print *p, const struct layout_member *m)
{
	u32 bytes = m->bits ? 8 : size_of(p->l, m->id);

	for (u64 bit = m->bit; m->bits && bit < m->bit + m->bits && bit / 8 < p->len; bit++)
		if (p->data[bit / 8] >> bit % 8 & 1)
			return false;
	for (u64 i = m->bit / 8; !m->bits && i < m->bit / 8 + bytes && i < p->len; i++)
		if (p->data[i])
			return false;
	return true;
}

/* Little endian, as all architectures here are. */
static u64 load(const struct layout_print *p, const struct layout_member *m, u32 bytes)
{
	u64 v = 0;

	if (m->bits) {
		for (u32 i = 0; i < m->bits && (m->bit + i) / 8 < p->len; i++)
			v |= (u64)(p->data[(m->bit + i) / 8] >> (m->bit + i) % 8 & 1) << i;
		return v;
	}
	memcpy(&v, p->data + m->bit / 8, MIN(bytes, (u32)sizeof(v)));
	return v;
}

static void add_number(struct strbuf *out, u64 v, u32 bytes, bool is_signed)
{
	unsigned int shift = bytes < 8 ? 64 - 8 * bytes : 0;
	s64 s = (s64)(v << shift) >> shift;

	if (is_signed && s < 0) {
		strbuf_addch(out, '-');
		v = 0 - (u64)s;
	}
	strbuf_add_u64(out, v);
}

static const char *enumerator(const struct trace_layouts *l, const struct btf_type *t, u64 v)
{
	const struct btf_enum *e = (const void *)(t + 1);

	for (u32 i = 0; btf_kind(t) == BTF_KIND_ENUM && i < BTF_INFO_VLEN(t->info); i++)
		if ((u32)e[i].val == (u32)v)
			return name_of(l, e[i].name_off);
	return NULL;
}

bool trace_layout_enum(struct strbuf *out, const struct trace_layouts *l, const char *name,
		       size_t len, u64 value)
{
	for (u32 id = 1; id < btf_nr_types(l->types); id++) {
		const struct btf_type *t = btf_type(l->types, id);
		const char *type = name_of(l, t->name_off), *found;

		if (btf_kind(t) != BTF_KIND_ENUM || strncmp(type, name, len) != 0 || type[len])
			continue;
		found = enumerator(l, t, value);
		if (found)
			strbuf_add_escaped(out, found);
		return found;
	}
	return false;
}

static void add_structure(const struct layout_print *p, const struct btf_type *t, u64 bit,
			  unsigned int depth);
static void add_value(const struct layout_print *p, const struct layout_member *m,
		      unsigned int depth);

static bool is_character(const struct trace_layouts *l, u32 id)
{
	const struct btf_type *t = plain_type(l, id);

	return t && btf_kind(t) == BTF_KIND_INT && t->size == 1 &&
	       strstr(name_of(l, t->name_off), "char") &&
	       strcmp(name_of(l, t->name_off), "unsigned char") != 0;
}

static void add_array(const struct layout_print *p, const struct layout_member *m,
		      const struct btf_array *a, unsigned int depth)
{
	u32 size = size_of(p->l, a->type);

	if (is_character(p->l, a->type)) {
		u64 from = m->bit / 8, room = p->len - MIN(from, (u64)p->len);

		trace_quote(p->out, (const char *)p->data + from,
			    strnlen((const char *)p->data + from, MIN((u64)a->nelems, room)), true);
		return;
	}
	strbuf_addch(p->out, '[');
	for (u32 i = 0; i < a->nelems && i < MAX_SHOWN; i++) {
		const struct layout_member one = { .type = m->type,
						   .name = m->name,
						   .id = a->type,
						   .bit = m->bit + 8ULL * i * size };

		strbuf_adds(p->out, i ? ", " : "");
		add_value(p, &one, depth + 1);
	}
	strbuf_adds(p->out, a->nelems > MAX_SHOWN ? ", ...]" : "]");
}

static void add_value(const struct layout_print *p, const struct layout_member *m,
		      unsigned int depth)
{
	const struct btf_type *t = plain_type(p->l, m->id);
	u32 bytes = size_of(p->l, m->id);
	u64 v;

	if (!t || depth > MAX_DEPTH || (!m->bits && !is_inside(p, m->bit, bytes))) {
		strbuf_adds(p->out, "...");
		return;
	}
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		add_structure(p, t, m->bit, depth + 1);
		return;
	case BTF_KIND_ARRAY:
		add_array(p, m, (const void *)(t + 1), depth);
		return;
	default:
		break;
	}
	v = load(p, m, bytes);
	if (p->fn && p->fn(p->ctx, p->out, m->type, m->name, v, p->data, p->len))
		return;
	if (btf_kind(t) == BTF_KIND_ENUM) {
		const char *name = enumerator(p->l, t, v);

		if (name)
			strbuf_adds(p->out, name);
		else
			strbuf_add_u64(p->out, v);
	} else if (btf_kind(t) == BTF_KIND_PTR && v) {
		strbuf_adds(p->out, "0x");
		strbuf_add_hex(p->out, v);
	} else {
		add_number(p->out, v, bytes,
			   !m->bits && btf_kind(t) == BTF_KIND_INT &&
				   BTF_INT_ENCODING(*(const u32 *)(t + 1)) & BTF_INT_SIGNED);
	}
}

static struct layout_member member_of(const struct trace_layouts *l, const struct btf_type *t,
				      u32 i, u64 bit)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1) + i;
	bool fields = BTF_INFO_KFLAG(t->info);

	return (struct layout_member){
		.type = name_of(l, t->name_off),
		.name = name_of(l, m->name_off),
		.id = m->type,
		.bit = bit + (fields ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset),
		.bits = fields ? MIN(BTF_MEMBER_BITFIELD_SIZE(m->offset), 64U) : 0
	};
}

/* A member that is 0 may have a name. */
static bool has_zero_name(const struct layout_print *p, const struct layout_member *m)
{
	size_t before = p->out->len;
	bool named = p->fn && p->fn(p->ctx, p->out, m->type, m->name, 0, p->data, p->len);

	p->out->len = before;
	p->out->buf[before] = '\0';
	return named;
}

/* Members; those of a structure without a name are the outer one's. */
static void add_members(const struct layout_print *p, const struct btf_type *t, u64 bit,
			unsigned int depth, u32 *shown)
{
	u32 nr = BTF_INFO_VLEN(t->info);
	bool all = nr <= ALL_SHOWN;

	for (u32 i = 0; i < nr && depth <= MAX_DEPTH && (!i || btf_kind(t) == BTF_KIND_STRUCT);
	     i++) {
		struct layout_member m = member_of(p->l, t, i, bit);
		const struct btf_type *of = plain_type(p->l, m.id);

		if (m.bit / 8 >= p->len || !of || (!all && is_zero(p, &m) && !has_zero_name(p, &m)))
			continue;
		if (!m.name[0] &&
		    (btf_kind(of) == BTF_KIND_STRUCT || btf_kind(of) == BTF_KIND_UNION)) {
			add_members(p, of, m.bit, depth + 1, shown);
			continue;
		}
		if (*shown == MOST_SHOWN) {
			strbuf_adds(p->out, ", ...");
			++*shown;
		}
		if (*shown > MOST_SHOWN)
			return;
		strbuf_adds(p->out, *shown ? ", ." : " .");
		++*shown;
		strbuf_add_escaped(p->out, m.name);
		strbuf_adds(p->out, ": ");
		add_value(p, &m, depth);
	}
}

static void add_structure(const struct layout_print *p, const struct btf_type *t, u64 bit,
			  unsigned int depth)
{
	u32 shown = 0;

	strbuf_addch(p->out, '{');
	add_members(p, t, bit, depth, &shown);
	strbuf_adds(p->out, " }");
}

void trace_layout_add(struct strbuf *out, const struct trace_layouts *l, u32 id, const u8 *data,
		      size_t len, trace_member_fn *fn, void *ctx)
{
	const struct layout_print p = {
		.out = out, .l = l, .data = data, .len = len, .fn = fn, .ctx = ctx
	};
	const struct btf_type *t = btf_type(l->types, id);

	if (t)
		add_structure(&p, t, 0, 0);
}
