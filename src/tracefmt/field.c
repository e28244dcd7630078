/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields: how large their types are, and their values in a record. */
#include "tracefmt/program.h"

u32 type_size(const char *type, u8 long_size)
{
	static const struct {
		const char *word;
		u32 size;
	} sizes[] = {
		{ "u64", 8 }, { "s64", 8 },   { "int64", 8 }, { "long long", 8 },
		{ "u32", 4 }, { "s32", 4 },   { "int32", 4 }, { "u16", 2 },
		{ "s16", 2 }, { "int16", 2 }, { "short", 2 }, { "u8", 1 },
		{ "s8", 1 },  { "int8", 1 },  { "char", 1 },  { "bool", 1 },
	};

	if (strchr(type, '*'))
		return long_size;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (strstr(type, sizes[i].word))
			return sizes[i].size;
	if (strstr(type, "long"))
		return long_size;
	if (strstr(type, "int") || strstr(type, "unsigned"))
		return 4;
	return 0;
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
