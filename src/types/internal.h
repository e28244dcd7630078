/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of types share. */
#ifndef TYPES_INTERNAL_H
#define TYPES_INTERNAL_H

#include "base/arena.h"
#include "debug/debug.h"
#include "disasm/effect.h"
#include "dso/code.h"
#include "types/types.h"

/* An entry of debug information that describes a type; d NULL = none. */
struct type_ref {
	struct dwarf *d;
	u64 offset;
};

static inline bool type_ref_equal(struct type_ref a, struct type_ref b)
{
	return a.d == b.d && a.offset == b.offset;
}

/* ---- layout.c: types by themselves ---- */

struct type_ref type_ref_of(const struct dwarf_entry *e);
/* The type behind names and qualifiers. */
bool type_ref_read(struct type_ref ref, struct dwarf_entry *out);
/*
 * What a pointer or reference points to, without qualifiers and names; but what has no name itself
 * by its typedef. False: it is none, or to void.
 */
bool type_pointee(const struct dwarf_entry *type, struct type_ref *out);

/* A place in something that is of a type. */
struct type_place {
	struct type_ref type;
	s64 at; /* from its start */
	bool indexed; /* (by_pointer only) what nobody knows is added, times scale; constants may be
			 a part of it */
	u8 scale, size; /* size: of the access */
	bool vague; /* an answer: somewhere in the type, an index tells where; at means nothing */
	bool by_pointer; /* there may be more of the type before and behind */
};

/*
 * The structure, union or simple value that the place is in: through names, qualifiers and arrays.
 * False: it is not in it.
 */
bool type_settle(struct type_place *p);
/* What the pointer at a settled place points to; false: it is none, or members of a union disagree.
 */
bool type_pointer_at(const struct type_place *p, u8 word, struct type_ref *out);
/* "struct node", "char*", "long int[]". */
void type_add_name(struct type_ref type, struct strbuf *out);

/* ---- places.c: where variables are ---- */

/* A variable or what it points to. */
struct types_place {
	u64 lo, hi; /* where in the code that holds, addresses of debug information */
	enum {
		PLACE_POINTER, /* reg holds the address of something of the type, + at */
		PLACE_BY_REGISTER, /* an object of the type is at reg + at */
		PLACE_IN_FRAME, /* it is at the CFA + at */
	} kind;
	s8 reg;
	s64 at;
	u16 depth; /* of its scope */
	struct type_ref type;
};
VEC_TYPE(types_places, struct types_place);

/* What is at a fixed address. */
struct types_global {
	u64 addr, size;
	struct type_ref type;
};
VEC_TYPE(types_globals, struct types_global);

/* Code of a function that is not where the rest of it is. */
struct types_part {
	u64 shown;
	size_t size;
};
enum { TYPES_PARTS_MAX = 16, TYPES_PART_MAX = 1 << 20 /* bytes */ };

struct types_function;
/* What debug information knows of a function: its places, by where they begin, and other parts. */
void types_places_read(struct types_function *f);
/* All of the object's variables, by address. */
void types_globals_read(struct debug_info *g, struct types_globals *out);
const struct types_global *types_globals_find(const struct types_globals *v, u64 addr);

/* ---- flow.c: what registers hold ---- */

struct types_insn {
	u64 addr; /* in the dso's address space */
	struct types_access access;
	struct type_place place; /* TYPES_KNOWN: settled */
};
VEC_TYPE(types_insns, struct types_insn);

/* A function, and what is needed to look at it. */
struct types_function {
	const struct dso_code *code;
	struct disasm *disasm;
	const struct effect_machine *machine;
	struct debug_info *g; /* NULL: it has no debug information */
	const struct types_globals *globals;
	struct cfi *cfi; /* NULL = none */
	const u8 *bytes;
	size_t size;
	u64 start; /* in the dso's address space */
	u64 shown; /* the same as tools show it */
	u64 vaddr; /* the same in debug information */
	bool known; /* debug information knows it */
	bool is_entry; /* it is entered at its start */
	struct types_part parts[TYPES_PARTS_MAX]; /* others */
	u32 nr_parts;
	bool has_globals; /* fixed addresses in its code mean the same there */
	struct types_places places;
};

void types_flow(struct types_function *f, struct types_insns *out);

#endif
