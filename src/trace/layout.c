/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/btf.h"
#include "base/bits.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/vec.h"
#include "trace/quote.h"

enum {
	MAX_BYTES = 64 << 20, /* of the type information */
	MAX_DEPTH = 6, /* structures in structures; names of types of types */
	MAX_SHOWN = 16, /* elements of an array */
	MOST_SHOWN = 8, /* members of a structure */
	ALL_SHOWN = 2, /* members of a structure that are shown even if they are 0 */
};

struct trace_layouts {
	struct strbuf file;
	const u8 *data;
	size_t size;
	const char *names;
	u32 names_size;
	VEC(u32) types; /* where type i + 1 is in data */
	VEC(u32) structures; /* types with a name */
};

static const struct btf_type *type_of(const struct trace_layouts *l, u32 id)
{
	return id && id <= l->types.nr ? (const void *)(l->data + l->types.v[id - 1]) : NULL;
}

static const char *name_of(const struct trace_layouts *l, u32 offset)
{
	return offset < l->names_size ? l->names + offset : "";
}

static unsigned int kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

/* ------------------------------------------------------------------ reading */

static int index_types(struct trace_layouts *l, const u8 *from, const u8 *to)
{
	const u8 *at = from;

	while ((size_t)(to - at) >= sizeof(struct btf_type)) {
		const struct btf_type *t = (const void *)at;
		long tail = btf_tail(kind_of(t), BTF_INFO_VLEN(t->info));

		if (tail < 0 || tail > to - at - (long)sizeof(*t))
			return -1;
		*VEC_PUSH(&l->types) = (u32)(at - l->data);
		if (kind_of(t) == BTF_KIND_STRUCT && t->name_off)
			*VEC_PUSH(&l->structures) = (u32)l->types.nr;
		at += sizeof(*t) + (size_t)tail;
	}
	return 0;
}

static int index_all(struct trace_layouts *l)
{
	const struct btf_header *h = (const void *)l->data;
	u64 types, names;

	if (l->size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > l->size)
		return -1;
	types = (u64)h->hdr_len + h->type_off;
	names = (u64)h->hdr_len + h->str_off;
	if (types + h->type_len > l->size || names + h->str_len > l->size || !h->str_len ||
	    types % 4 || l->data[names + h->str_len - 1])
		return -1;
	l->names = (const char *)l->data + names;
	l->names_size = h->str_len;
	return index_types(l, l->data + types, l->data + types + h->type_len);
}

static int read_all(const char *path, struct strbuf *out, struct err *e)
{
	enum { AT_ONCE = 1 << 20 };
	int fd = input_open(path, INPUT_KERNEL, e);
	ssize_t n = 1;

	if (fd < 0)
		return -1;
	while (n > 0 && out->len < MAX_BYTES) {
		strbuf_grow(out, AT_ONCE);
		n = read(fd, out->buf + out->len, AT_ONCE);
		out->len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		err_sys(e, errno, "cannot read '%s'", path);
	close(fd);
	return n < 0 ? -1 : 0;
}

struct trace_layouts *trace_layouts_new(const char *path, struct err *e)
{
	struct trace_layouts *l = XNEW(struct trace_layouts);

	path = path ? path : "/sys/kernel/btf/vmlinux";
	l->file = (struct strbuf)STRBUF_INIT;
	if (read_all(path, &l->file, e) == 0) {
		l->data = (const u8 *)l->file.buf;
		l->size = l->file.len;
		if (index_all(l) == 0)
			return l;
		err_set(e, EINVAL, "'%s' is no type information", path);
	}
	trace_layouts_free(l);
	return NULL;
}

void trace_layouts_free(struct trace_layouts *l)
{
	if (!l)
		return;
	strbuf_release(&l->file);
	vec_free(&l->types);
	vec_free(&l->structures);
	free(l);
}

u32 trace_layout_find(const struct trace_layouts *l, const char *name, size_t len)
{
	for (size_t i = 0; i < l->structures.nr; i++) {
		const char *n = name_of(l, type_of(l, l->structures.v[i])->name_off);

		if (!strncmp(n, name, len) && !n[len])
			return l->structures.v[i];
	}
	return 0;
}

static const struct btf_type *find_union(const struct trace_layouts *l, const char *name)
{
	for (u32 id = 1; id <= l->types.nr; id++) {
		const struct btf_type *t = type_of(l, id);

		if (kind_of(t) == BTF_KIND_UNION && !strcmp(name_of(l, t->name_off), name))
			return t;
	}
	return NULL;
}

static bool has_member(const struct trace_layouts *l, const struct btf_type *t, const char *member,
		       unsigned int depth)
{
	const struct btf_member *m = (const void *)(t + 1);

	if (depth > MAX_DEPTH || (kind_of(t) != BTF_KIND_STRUCT && kind_of(t) != BTF_KIND_UNION))
		return false;
	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const char *name = name_of(l, m[i].name_off);
		const struct btf_type *of = type_of(l, m[i].type);

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
		const struct btf_type *of = type_of(l, m[i].type);
		const char *own = name_of(l, m[i].name_off);

		if (of && kind_of(of) == BTF_KIND_STRUCT &&
		    (*own ? !strcmp(own, member) : has_member(l, of, member, 0)))
			return m[i].type;
	}
	return 0;
}

u32 trace_layout_size(const struct trace_layouts *l, u32 id)
{
	const struct btf_type *t = l ? type_of(l, id) : NULL;

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

/* Without its names: const, typedef. */
static u32 plain_type(const struct trace_layouts *l, u32 id)
{
	for (unsigned int i = 0; i < 32; i++) {
		const struct btf_type *t = type_of(l, id);

		if (!t || (kind_of(t) != BTF_KIND_TYPEDEF && kind_of(t) != BTF_KIND_CONST &&
			   kind_of(t) != BTF_KIND_VOLATILE && kind_of(t) != BTF_KIND_RESTRICT))
			return id;
		id = t->type;
	}
	return 0;
}

static u32 size_of(const struct trace_layouts *l, u32 id, unsigned int depth)
{
	const struct btf_type *t = type_of(l, plain_type(l, id));
	const struct btf_array *a;

	if (!t || depth > MAX_DEPTH)
		return 0;
	switch (kind_of(t)) {
	case BTF_KIND_PTR:
		return sizeof(void *);
	case BTF_KIND_ARRAY:
		a = (const void *)(t + 1);
		return (u32)MIN((u64)a->nelems * size_of(l, a->type, depth + 1), (u64)MAX_BYTES);
	default:
		return t->size;
	}
}

static bool is_inside(const struct layout_print *p, u64 bit, u32 bytes)
{
	return bytes && bit / 8 + bytes <= p->len;
}

static bool is_zero(const struct layout_print *p, const struct layout_member *m)
{
	u32 bytes = m->bits ? 8 : size_of(p->l, m->id, 0);

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

static void add_enumerator(struct strbuf *out, const struct trace_layouts *l,
			   const struct btf_type *t, u64 v)
{
	const struct btf_enum *e = (const void *)(t + 1);

	for (u32 i = 0; kind_of(t) == BTF_KIND_ENUM && i < BTF_INFO_VLEN(t->info); i++) {
		if ((u32)e[i].val != (u32)v)
			continue;
		strbuf_adds(out, name_of(l, e[i].name_off));
		return;
	}
	strbuf_add_u64(out, v);
}

static void add_structure(const struct layout_print *p, const struct btf_type *t, u64 bit,
			  unsigned int depth);
static void add_value(const struct layout_print *p, const struct layout_member *m,
		      unsigned int depth);

static bool is_character(const struct trace_layouts *l, u32 id)
{
	const struct btf_type *t = type_of(l, plain_type(l, id));

	return t && kind_of(t) == BTF_KIND_INT && t->size == 1 &&
	       strstr(name_of(l, t->name_off), "char") &&
	       strcmp(name_of(l, t->name_off), "unsigned char") != 0;
}

static void add_array(const struct layout_print *p, const struct layout_member *m,
		      const struct btf_array *a, unsigned int depth)
{
	u32 size = size_of(p->l, a->type, 0);

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
	const struct btf_type *t = type_of(p->l, plain_type(p->l, m->id));
	u32 bytes = size_of(p->l, m->id, 0);
	u64 v;

	if (!t || depth > MAX_DEPTH || (!m->bits && !is_inside(p, m->bit, bytes))) {
		strbuf_adds(p->out, "...");
		return;
	}
	switch (kind_of(t)) {
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
	if (p->fn && p->fn(p->ctx, p->out, m->type, m->name, v))
		return;
	if (kind_of(t) == BTF_KIND_ENUM) {
		add_enumerator(p->out, p->l, t, v);
	} else if (kind_of(t) == BTF_KIND_PTR && v) {
		strbuf_adds(p->out, "0x");
		strbuf_add_hex(p->out, v);
	} else {
		add_number(p->out, v, bytes,
			   !m->bits && kind_of(t) == BTF_KIND_INT &&
				   BTF_INT_ENCODING(*(const u32 *)(t + 1)) & BTF_INT_SIGNED);
	}
}

static struct layout_member member_of(const struct trace_layouts *l, const struct btf_type *t,
				      u32 i, u64 bit)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1) + i;
	bool fields = BTF_INFO_KFLAG(t->info);

	return (struct layout_member){ .type = name_of(l, t->name_off),
				       .name = name_of(l, m->name_off),
				       .id = m->type,
				       .bit = bit + (fields ? BTF_MEMBER_BIT_OFFSET(m->offset)
							    : m->offset),
				       .bits = fields ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0 };
}

/* Members; those of a structure without a name are the outer one's. */
static void add_members(const struct layout_print *p, const struct btf_type *t, u64 bit,
			unsigned int depth, u32 *shown)
{
	u32 nr = BTF_INFO_VLEN(t->info);
	bool all = nr <= ALL_SHOWN;

	for (u32 i = 0; i < nr && depth <= MAX_DEPTH && (!i || kind_of(t) == BTF_KIND_STRUCT);
	     i++) {
		struct layout_member m = member_of(p->l, t, i, bit);
		const struct btf_type *of = type_of(p->l, plain_type(p->l, m.id));

		if (m.bit / 8 >= p->len || !of || (!all && is_zero(p, &m)))
			continue;
		if (!m.name[0] &&
		    (kind_of(of) == BTF_KIND_STRUCT || kind_of(of) == BTF_KIND_UNION)) {
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
	const struct btf_type *t = type_of(l, id);

	if (t)
		add_structure(&p, t, 0, 0);
}
