/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btf/btf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum {
	BTF_FILE_BYTES = 256 << 20,
	TYPES_MAX = 1 << 24,
	HOPS_MAX = 32, /* typedefs and qualifiers of a type */
	POINTER_SIZE = 8,
};

/* One blob; ids and offsets of strings go on where those of its base end. */
struct btf_part {
	struct strbuf bytes;
	u32 strings_from; /* offsets below belong to the parts before it */
	const char *strings;
	u32 strings_len;
};

struct btf_types {
	struct btf_part parts[2]; /* the kernel's, a module's */
	size_t nr_parts;
	VEC(const struct btf_type *) types; /* by id; 0 is void */
};

/* ---- reading ---- */

const char *btf_string(const struct btf_types *b, u32 offset)
{
	for (size_t i = b->nr_parts; i-- > 0;) {
		const struct btf_part *p = &b->parts[i];

		if (offset >= p->strings_from)
			return offset - p->strings_from < p->strings_len
				       ? p->strings + (offset - p->strings_from)
				       : "";
	}
	return "";
}

static bool read_types(struct btf_types *b, const struct btf_part *p, const struct btf_header *h)
{
	const char *s = p->bytes.buf + h->hdr_len + h->type_off;
	size_t left = h->type_len;

	while (left) {
		struct btf_type t;
		long tail;

		if (left < sizeof(t) || b->types.nr >= TYPES_MAX)
			return false;
		memcpy(&t, s, sizeof(t));
		tail = btf_tail(btf_kind(&t), BTF_INFO_VLEN(t.info));
		if (tail < 0 || (size_t)tail > left - sizeof(t))
			return false;
		*VEC_PUSH(&b->types) = (const struct btf_type *)(const void *)s;
		s += sizeof(t) + (size_t)tail;
		left -= sizeof(t) + (size_t)tail;
	}
	return true;
}

static int read_part(struct btf_types *b, const char *path, struct err *e)
{
	struct btf_part *p = &b->parts[b->nr_parts];
	const struct btf_part *base = b->nr_parts ? p - 1 : NULL;
	struct btf_header h;
	size_t len;

	p->bytes = (struct strbuf)STRBUF_INIT;
	b->nr_parts++;
	if (rw_slurp(path, &p->bytes, e))
		return -1;
	len = p->bytes.len;
	p->strings_from = base ? base->strings_from + base->strings_len : 0;
	if (len < sizeof(h) || len > BTF_FILE_BYTES)
		return err_set(e, EINVAL, "'%s' is no type information", path);
	memcpy(&h, p->bytes.buf, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len < sizeof(h) || h.hdr_len > len || h.hdr_len % 4 ||
	    h.type_off % 4 || h.type_off > len - h.hdr_len ||
	    h.type_len > len - h.hdr_len - h.type_off || h.str_off > len - h.hdr_len ||
	    h.str_len > len - h.hdr_len - h.str_off || !h.str_len ||
	    p->bytes.buf[h.hdr_len + h.str_off + h.str_len - 1])
		return err_set(e, EINVAL, "'%s' is no type information", path);
	p->strings = p->bytes.buf + h.hdr_len + h.str_off;
	p->strings_len = h.str_len;
	return read_types(b, p, &h) ? 0 : err_set(e, EINVAL, "'%s' is damaged", path);
}

struct btf_types *btf_types_open_file(const char *path, struct err *e)
{
	struct btf_types *b = XNEW(struct btf_types);

	*VEC_PUSH(&b->types) = NULL;
	if (!read_part(b, path, e))
		return b;
	btf_types_free(b);
	return NULL;
}

struct btf_types *btf_types_open(const char *dir, const char *module, struct err *e)
{
	struct btf_types *b = XNEW(struct btf_types);
	const char *names[] = { "vmlinux", module };

	*VEC_PUSH(&b->types) = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names) && names[i]; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/%s", dir ? dir : "/sys/kernel/btf",
							    names[i]);

		if (read_part(b, path, e)) {
			btf_types_free(b);
			return NULL;
		}
	}
	return b;
}

void btf_types_free(struct btf_types *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_parts; i++)
		strbuf_release(&b->parts[i].bytes);
	vec_free(&b->types);
	free(b);
}

/* ---- types ---- */

u32 btf_nr_types(const struct btf_types *b)
{
	return (u32)b->types.nr;
}

const struct btf_type *btf_type(const struct btf_types *b, u32 id)
{
	return id < b->types.nr ? b->types.v[id] : NULL;
}

const struct btf_type *btf_plain_type(const struct btf_types *b, u32 id)
{
	for (int hop = 0; hop < HOPS_MAX; hop++) {
		const struct btf_type *t = btf_type(b, id);

		if (!t)
			return NULL;
		switch (btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case 18: /* a tag of a type */
			id = t->type;
			break;
		default:
			return t;
		}
	}
	return NULL;
}

u64 btf_size(const struct btf_types *b, u32 id)
{
	u64 nr = 1;

	for (int hop = 0; hop < HOPS_MAX; hop++) {
		const struct btf_type *t = btf_plain_type(b, id);

		if (!t)
			return 0;
		switch (btf_kind(t)) {
		case BTF_KIND_PTR:
			return nr * POINTER_SIZE;
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(nr, (u64)btf_array_of(t)->nelems, &nr) ||
			    nr > INT32_MAX)
				return 0;
			id = btf_array_of(t)->type;
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_FLOAT:
		case BTF_ENUM64:
			return nr * t->size;
		default:
			return 0;
		}
	}
	return 0;
}

/* ---- enumerations ---- */

const char *btf_enumerator_name(const struct btf_types *b, const struct btf_type *t, u32 i)
{
	/* both kinds begin with the name */
	const size_t step = btf_kind(t) == BTF_ENUM64 ? 12 : sizeof(struct btf_enum);
	u32 name;

	if (i >= BTF_INFO_VLEN(t->info))
		return NULL;
	memcpy(&name, (const char *)(t + 1) + i * step, sizeof(name));
	return btf_string(b, name);
}

static s64 value_of(const struct btf_type *t, u32 i)
{
	const char *values = (const char *)(t + 1);
	u32 low, high;

	if (btf_kind(t) == BTF_ENUM64) {
		memcpy(&low, values + i * 12 + 4, sizeof(low));
		memcpy(&high, values + i * 12 + 8, sizeof(high));
		return (s64)((u64)high << 32 | low);
	}
	memcpy(&low, values + i * sizeof(struct btf_enum) + 4, sizeof(low));
	return BTF_INFO_KFLAG(t->info) ? (s32)low : (s64)low;
}

bool btf_enumerator(const struct btf_types *b, const struct btf_type *t, const char *name,
		    size_t len, s64 *value)
{
	const char *called;

	for (u32 i = 0; (called = btf_enumerator_name(b, t, i)) != NULL; i++) {
		if (strncmp(called, name, len) != 0 || called[len])
			continue;
		*value = value_of(t, i);
		return true;
	}
	return false;
}

const struct btf_type *btf_find_enum(const struct btf_types *b, const char *name)
{
	for (u32 i = 1; i < b->types.nr; i++) {
		const struct btf_type *t = b->types.v[i];

		if ((btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_ENUM64) &&
		    BTF_INFO_VLEN(t->info) && !strcmp(btf_string(b, t->name_off), name))
			return t;
	}
	return NULL;
}
