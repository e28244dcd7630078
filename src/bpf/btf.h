/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/btf: where members of the kernel's structures are, from its type information. Pure.
 *
 * Source: Documentation/bpf/btf.rst, linux/btf.h.
 */
#ifndef BPF_BTF_H
#define BPF_BTF_H

#include "base/types.h"

/* Bytes from the beginning of the first structure of that name to the member. false: there is none,
 * or the information is damaged. */
bool btf_member(const void *btf, size_t len, const char *structure, const char *member,
		u32 *offset);

/* The id of the kernel's function of that name, by which programs call it. */
bool btf_function(const void *btf, size_t len, const char *name, u32 *id);

#endif
