/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types: of which type of variable the memory is that an instruction reads or writes, and which
 * part of it: "struct node", 8 bytes from its start.
 *
 * Debug information tells where variables are at an address (in a register, in the frame, at a
 * fixed address) and of what type; from there pointers are followed through the function's code,
 * along all ways through it: what a register holds is known where all ways agree. A type is told
 * where that proves it; else the reason is told why not. What counts as proof is what the compiler
 * wrote down, and that code does not leave the object that its pointer points into.
 *
 * Of x86_64, i386 and aarch64, in objects with debug information (DWARF) and code. A function is
 * looked at as a whole when an address in it is asked for first. One thread at a time.
 */
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include "base/strbuf.h"
#include "dso/dso.h"

enum types_found {
	TYPES_KNOWN,
	TYPES_STACK, /* pushes, pops, calls, returns: of no variable */
	TYPES_NO_SYMBOL, /* the address is in no function */
	TYPES_NO_INSN, /* its code is not here, or not known to the disassembler */
	TYPES_NO_MEMORY, /* the instruction accesses none */
	TYPES_NO_DEBUG, /* no debug information */
	TYPES_NO_FUNCTION, /* debug information knows no function there */
	TYPES_NO_TYPE, /* nothing tells what its registers point to */
	TYPES_NO_VARIABLE, /* no variable is known at that place of the frame, or at that address */
	TYPES_OUTSIDE, /* the type is known, but the access is not within it */
	TYPES_SEGMENT, /* memory of a thread or CPU, by a segment register */
	TYPES_SEVERAL, /* more than one place in memory */
	TYPES_NR_FOUND,
};

/* One word each, as statistics name them: "no_mem_ops". */
const char *types_found_name(enum types_found found);

/* A number of a type, beginning with 1, in the order they are found; 0 = none. Of one object; types
 * of different units that have the same name, size and members are one. */
typedef u32 type_id;

struct types_access {
	enum types_found found;
	type_id type; /* TYPES_KNOWN */
	u64 offset; /* in it, bytes */
	bool vague; /* an index tells where in it, and that is not known; offset is 0 */
	u8 size; /* bytes that are accessed, 0 = unknown */
	bool fused; /* it is that of the comparison before a jump: CPUs take both for one */
	const char *insn; /* its mnemonic, "" = unknown; lives as long as the types */
};

struct types;

/* The dsos outlive it. */
struct types *types_new(struct dso_table *dsos);
void types_free(struct types *t); /* NULL is allowed */
/* addr: in the dso's address space. */
void types_of(struct types *t, dso_id dso, u64 addr, struct types_access *out);

/* ---- what is known of a type ---- */

struct types_type {
	const char *name; /* "struct node"; as in the file: escape it */
	dso_id dso; /* whose it is */
	u64 size; /* bytes */
};

const struct types_type *types_get(const struct types *t, type_id type);

/* A member and what is below it, in their order. */
struct types_field {
	u32 depth; /* 1: of the type itself */
	u64 offset, size; /* from the start of the type; size 0 = unknown */
	const char *type, *name; /* "" = it has none */
	bool has_members; /* those that follow with a larger depth */
	bool is_bits; /* its bytes may hold bits of others, too */
};

enum { TYPES_FIELDS_MAX = 1 << 14 };

/* Members of structures in it, too; valid until types_free(). *nr: up to TYPES_FIELDS_MAX. */
const struct types_field *types_fields(struct types *t, type_id type, size_t *nr);
/* "struct node +0x8 (key)", what perf calls the offset of a data type; "struct node +? (index)";
 * "(unknown)". */
void types_add_place(struct types *t, const struct types_access *a, struct strbuf *out);
/* The name of the type, "(unknown)" or "(stack operation)". */
const char *types_name(const struct types *t, const struct types_access *a);

#endif
