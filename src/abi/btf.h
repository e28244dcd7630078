/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi/btf: the kernel's type information, for whoever walks over its types.
 *
 * Source: Documentation/bpf/btf.rst, linux/btf.h.
 */
#ifndef ABI_BTF_H
#define ABI_BTF_H

#include <linux/btf.h>

/* What older headers do not have; enumerations there, so that an #ifdef would not see them. */
enum { BTF_DECL_TAG = 17, BTF_ENUM64 = 19 };

/* Bytes behind the common part (struct btf_type) of a type with nr members or values; -1: an
 * unknown kind, with which a walk over the types ends. */
static inline long btf_tail(unsigned int kind, unsigned int nr)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_ENUM64:
		return (long)nr * 12;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return (long)nr * 8;
	default:
		return kind <= BTF_ENUM64 ? 0 : -1;
	}
}

#endif
