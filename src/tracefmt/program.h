/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program: what a "print fmt" compiles to, shared by the files of this module only.
 *
 * An expression is a tree of nodes in one array, addressed by index (0 = none). A format is a row
 * of pieces: literal text, or one conversion with the expression that it prints. Everything is
 * checked when it is compiled; running it only checks bounds of the record.
 */
#ifndef TRACEFMT_PROGRAM_H
#define TRACEFMT_PROGRAM_H

#include "base/arena.h"
#include "base/bits.h"
#include "base/map.h"
#include "base/vec.h"
#include "tracefmt/tracefmt.h"

enum {
	TRACEFMT_MAX_DEPTH = 400, /* nesting of an expression, operators in a row */
	TRACEFMT_MAX_NODES = 1 << 16, /* of one format */
	TRACEFMT_MAX_FIELDS = 1 << 12,
	TRACEFMT_MAX_TEXT = 1 << 20, /* bytes of one format file */
	TRACEFMT_MAX_EVENTS = 1 << 17,
	TRACEFMT_MAX_WIDTH = 4096, /* of one conversion, like "%*d" */
	TRACEFMT_MAX_PRINT = 1 << 20, /* bytes of one record's text, about */
};

enum node_type {
	NODE_NONE,
	NODE_NUM,
	NODE_NAME, /* an identifier without a value (0): an enum that was not resolved */
	NODE_FIELD,
	NODE_INDEX, /* a[b] */
	NODE_STRING, /* "literal" */
	NODE_UNARY,
	NODE_BINARY,
	NODE_COND, /* a ? b : c */
	NODE_CAST,
	NODE_FLAGS, /* a = value, str = delimiter, pairs */
	NODE_SYMBOLIC,
	NODE_HEX, /* a = array, b = length */
	NODE_HEX_STR,
	NODE_ARRAY, /* a = array, b = count, c = element size */
	NODE_GET_STR, /* of a dynamic field */
	NODE_DYNAMIC,
	NODE_DYNAMIC_LEN,
	NODE_BITMASK,
};

struct node_pair {
	s64 value; /* -1: negative, or a name without a value */
	const char *str;
	u32 len;
};

struct print_node {
	u8 type;
	u8 op;
	u8 size; /* CAST: bytes that are kept; 0 = value unchanged */
	u32 a, b, c;
	u64 num;
	const struct tracefmt_field *field;
	const char *str;
	u32 len; /* of str; CAST to a pointer: bytes of what it points to */
	u32 nr_pairs;
	const struct node_pair *pairs;
};

enum piece_kind {
	PIECE_TEXT,
	PIECE_INT, /* %d %u %x %X %o */
	PIECE_STR, /* %s */
	PIECE_PTR, /* %p */
	PIECE_SYM, /* %pS %ps %pF %pf ... */
	PIECE_MAC, /* %pM %pm */
	PIECE_IP, /* %pI4 %pI6c %pISpc ... */
	PIECE_UUID, /* %pU */
	PIECE_RAW, /* %*ph */
};

enum {
	PIECE_LEFT = 1 << 0, /* - */
	PIECE_ZERO = 1 << 1, /* 0 */
	PIECE_ALT = 1 << 2, /* # */
	PIECE_PLAIN = 1 << 3, /* no flags, width or precision at all */
};

struct print_piece {
	u8 kind;
	char conv; /* d u x X o; S s of %pS */
	u8 size; /* bytes of the integer that is printed */
	u8 flags;
	u8 load_size; /* bytes of a plain integer field, 0 = evaluate the node */
	bool load_swap;
	u32 load_offset;
	s32 width, prec; /* -1 = none */
	u32 node;
	u32 width_node, prec_node; /* of '*' */
	const char *text; /* TEXT; variant letters of IP, MAC and UUID */
	u32 len;
};

/*
 * Most of what is printed are literal texts with integers behind them: those are written without a
 * detour, a row of them at once; everything else as a piece.
 */
enum { STEP_PADDING = 16 }; /* bytes behind a step's text that may be read */

/* What stands behind a step's text. */
enum step_number {
	STEP_TEXT, /* nothing */
	STEP_HEX4, /* fields of that many bytes, printed as they are */
	STEP_HEX8,
	STEP_UNSIGNED4,
	STEP_UNSIGNED8,
	STEP_SIGNED4,
	STEP_SIGNED8,
	STEP_OTHER, /* a field that is turned around or narrowed */
};

struct step {
	const char *text; /* never NULL */
	u32 len;
	u32 piece; /* of what is no such integer, + 1 */
	u32 load_offset;
	u8 load_size; /* 0 = text alone */
	u8 size; /* bytes of the integer that is printed */
	char conv; /* d u x */
	bool load_swap;
	u8 number; /* enum step_number */
	/* of the first step of a row: how many steps it has, the bytes that it may write, and those
	 * of the record that it reads */
	u32 row, row_room, row_load;
};

struct tracefmt {
	struct tracefmt_set *set;
	const char *system, *name;
	u64 id;
	struct tracefmt_field *fields;
	u32 nr_fields;
	u32 nr_common; /* the first ones are the common_ fields */
	bool failed; /* the print fmt cannot be compiled */
	struct print_node *nodes;
	u32 nr_nodes;
	struct print_piece *pieces;
	struct step *steps;
	u32 nr_pieces, nr_steps;
};

struct tracefmt_addr {
	u64 addr;
	const char *name;
};

struct tracefmt_set {
	struct arena arena;
	VEC(struct tracefmt *) events;
	struct map by_id, by_name;
	VEC(struct tracefmt_addr) printk; /* sorted by address once read */
	VEC(struct tracefmt_addr) symbols; /* kallsyms of the blob, sorted */
	u8 long_size;
	bool swap; /* the recorded machine has the other byte order */
};

/* Adds an event to a set. A second one of the same id is dropped (the ftrace section repeats the
 * system "ftrace"); of several with one name the first is found. */
void set_insert(struct tracefmt_set *s, struct tracefmt *t);
/* Bytes of one element of a type by the common names in C and in the kernel, 0 = unknown. */
u32 type_size(const char *type, u8 long_size);
/* Compile the text after "print fmt:"; sets t->failed when it uses something unknown. */
void program_compile(struct tracefmt *t, const char *text, size_t len);

/* An integer of 1, 2, 4 or 8 bytes, zero-extended; other sizes give 0. */
static inline u64 program_load(bool swap, const u8 *p, u32 size)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return swap ? __builtin_bswap16(bits_u16(p)) : bits_u16(p);
	case 4:
		return swap ? __builtin_bswap32(bits_u32(p)) : bits_u32(p);
	case 8:
		return swap ? __builtin_bswap64(bits_u64(p)) : bits_u64(p);
	default:
		return 0;
	}
}

#endif
