/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf: the type information of the running kernel and its modules (BTF, /sys/kernel/btf): types by
 * number, their names, sizes and enumerators. What a type consists of stands behind it as
 * linux/btf.h has it; that it is there is checked when the file is read, numbers and offsets in it
 * are for btf_type() and btf_string(), which take any.
 *
 * One thread. Source: the kernel's Documentation/bpf/btf.rst.
 */
#ifndef BTF_BTF_H
#define BTF_BTF_H

#include "abi/btf.h"
#include "base/err.h"
#include "base/types.h"

struct btf_types;

/* dir NULL = /sys/kernel/btf; module NULL = the kernel itself. NULL, ENOENT: there is none. */
struct btf_types *btf_types_open(const char *dir, const char *module, struct err *e);
/* One file. */
struct btf_types *btf_types_open_file(const char *path, struct err *e);
void btf_types_free(struct btf_types *b); /* NULL is allowed */

/* Numbers are smaller; 0 is void. */
u32 btf_nr_types(const struct btf_types *b);
/* NULL: void, or there is no such type. */
const struct btf_type *btf_type(const struct btf_types *b, u32 id);
/* Through typedefs and qualifiers; NULL: void, or damaged. */
const struct btf_type *btf_plain_type(const struct btf_types *b, u32 id);
/* "" for what is no place of the strings. */
const char *btf_string(const struct btf_types *b, u32 offset);
/* In bytes, 0: unknown. */
u64 btf_size(const struct btf_types *b, u32 id);
/* The value of "enum TYPE" that is called so. */
bool btf_enumerator(const struct btf_types *b, const struct btf_type *t, const char *name,
		    size_t len, s64 *value);
/* The i-th name of an enumeration, NULL = there are no more. */
const char *btf_enumerator_name(const struct btf_types *b, const struct btf_type *t, u32 i);
/* "enum NAME", NULL = there is none. */
const struct btf_type *btf_find_enum(const struct btf_types *b, const char *name);

static inline u32 btf_kind(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static inline const struct btf_array *btf_array_of(const struct btf_type *t)
{
	return (const struct btf_array *)(t + 1);
}

#endif
