/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/btf.h"

#include <string.h>

#include "abi/btf.h"

struct types {
	const u8 *at, *end;
	const char *names;
	size_t names_len;
};

static bool is_named(const struct types *t, u32 name, const char *want)
{
	size_t len = strlen(want) + 1;

	return name < t->names_len && len <= t->names_len - name &&
	       !memcmp(t->names + name, want, len);
}

static bool find_member(const struct types *t, const struct btf_type *type, const char *name,
			u32 *offset)
{
	const struct btf_member *m = (const void *)(type + 1);

	for (u32 i = 0; i < BTF_INFO_VLEN(type->info); i++) {
		u32 bits = BTF_INFO_KFLAG(type->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset)
						      : m[i].offset;

		if (!is_named(t, m[i].name_off, name))
			continue;
		*offset = bits / 8;
		return true;
	}
	return false;
}

static bool view(struct types *t, const void *btf, size_t len)
{
	const struct btf_header *h = btf;
	size_t room;

	if (len < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h) ||
	    h->hdr_len > len)
		return false;
	room = len - h->hdr_len;
	if (h->type_off % 4 || h->hdr_len % 4 || h->type_off > room ||
	    h->type_len > room - h->type_off || h->str_off > room || h->str_len > room - h->str_off)
		return false;
	t->at = (const u8 *)btf + h->hdr_len + h->type_off;
	t->end = t->at + h->type_len;
	t->names = (const char *)btf + h->hdr_len + h->str_off;
	t->names_len = h->str_len;
	return true;
}

/* The first type of that kind and name; its number in *id. NULL: there is none, or the information
 * is damaged. */
static const struct btf_type *find(struct types *t, u32 wanted, const char *name, u32 *id)
{
	for (*id = 1; (size_t)(t->end - t->at) >= sizeof(struct btf_type); ++*id) {
		const struct btf_type *type = (const void *)t->at;
		u32 kind = BTF_INFO_KIND(type->info);
		long tail = btf_tail(kind, BTF_INFO_VLEN(type->info));

		t->at += sizeof(*type);
		if (tail < 0 || tail > t->end - t->at)
			return NULL;
		t->at += tail;
		if (kind == wanted && is_named(t, type->name_off, name))
			return type;
	}
	return NULL;
}

bool btf_member(const void *btf, size_t len, const char *structure, const char *member, u32 *offset)
{
	const struct btf_type *type;
	struct types t;
	u32 id;

	if (!view(&t, btf, len))
		return false;
	type = find(&t, BTF_KIND_STRUCT, structure, &id);
	return type && find_member(&t, type, member, offset);
}

bool btf_function(const void *btf, size_t len, const char *name, u32 *id)
{
	struct types t;

	return view(&t, btf, len) && find(&t, BTF_KIND_FUNC, name, id);
}
