/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_entry: entries of debug information with all that is told of variables and types, for those
 * who look at few of them; and what entries refer to: types, abstract origins, declarations, type
 * units.
 *
 * dwarf_look_for_variables() comes first. An entry points into the debug information and is valid
 * as long as that is open. Hostile references lead nowhere; chains of them are followed DWARF_HOPS
 * far. Source: DWARF 5 sections 2.14 to 2.23, 3, 4 and 5; 5.7.6 of DWARF 3 for DW_AT_bit_offset.
 */
#ifndef DSO_DWARF_ENTRY_H
#define DSO_DWARF_ENTRY_H

#include "dso/dwarf/dwarf.h"

enum { DWARF_HOPS = 32 };

struct dwarf_entry {
	struct dwarf *d;
	struct dwarf_unit *u;
	u64 offset; /* in .debug_info */
	u64 next; /* behind its attributes: its first child, or what follows */
	struct dwarf_die die;
	/* class DWARF_NOTHING: not there */
	struct dwarf_value type, location, frame_base, entry_pc, const_value;
	struct dwarf_value byte_size, bit_size, bit_offset, data_bit_offset, member_at, upper_bound,
		count;
	struct dwarf_value producer;
	u32 decl_file, decl_line; /* 0 = unknown; numbers of files are those of decl_u */
	struct dwarf *decl_d;
	struct dwarf_unit *decl_u;
	u8 encoding; /* DW_ATE_... */
	bool external, declaration, is_inline, artificial;
};

enum {
	DW_ATE_boolean = 0x02,
	DW_ATE_signed = 0x05,
	DW_ATE_signed_char = 0x06,
	DW_ATE_unsigned = 0x07,
	DW_ATE_unsigned_char = 0x08,
};

/* The entry at an offset of u; false: broken, or the end of a list of siblings (die.tag 0, next is
 * set). */
bool dwarf_entry_at(struct dwarf *d, struct dwarf_unit *u, u64 offset, struct dwarf_entry *out);
/* The unit's own. */
bool dwarf_entry_root(struct dwarf *d, struct dwarf_unit *u, struct dwarf_entry *out);
/* What an attribute of an entry refers to. out may be the entry itself. */
bool dwarf_entry_follow(const struct dwarf_entry *e, const struct dwarf_value *ref,
			struct dwarf_entry *out);
/* The entry's type, or that of what it stands for; false: none (void). */
bool dwarf_entry_type(const struct dwarf_entry *e, struct dwarf_entry *out);
/* Fill in what abstract origin and declaration tell of an entry: file and line, constant, flags. */
void dwarf_entry_complete(struct dwarf_entry *e);
/* Its name, or that of what it stands for; NULL: none. */
const char *dwarf_entry_name(const struct dwarf_entry *e);
/* File and line of its declaration; false: unknown. */
bool dwarf_entry_place(const struct dwarf_entry *e, struct dwarf_place *out);
/* The unit whose table of lines numbers the files of u: for a split unit its skeleton's. */
struct dwarf_unit *dwarf_lines_unit(struct dwarf *d, struct dwarf_unit *u, struct dwarf **in);

/*
 * Over the entries below one, in their order. Start with dwarf_walk_begin(); skip leaves out what
 * is below the entry that was handed out last. Depth 1 is a child. False: the end, or broken.
 */
enum { DWARF_WALK_DEPTH = 256 };

struct dwarf_walk {
	struct dwarf *d;
	struct dwarf_unit *u;
	u64 at;
	u32 depth; /* of the entry that was handed out last */
	u32 level; /* of what comes next */
	u64 sibling; /* of the last one, 0 = unknown */
	bool children; /* the last one has some that were not entered */
};

void dwarf_walk_begin(struct dwarf_walk *w, const struct dwarf_entry *parent);
/* enter: go on with what is below the last one, if there is something. */
bool dwarf_walk_next(struct dwarf_walk *w, bool enter, struct dwarf_entry *out);

/* ---- dwarf/location.c ---- */

/* One expression for [lo, hi), which may be empty. False: no more are wanted. */
typedef bool dwarf_location_fn(void *ctx, u64 lo, u64 hi, const u8 *code, size_t len);
/* The places that an attribute of e tells: one for everywhere (0 to UINT64_MAX), or a list. False:
 * it cannot be read, or is none. */
bool dwarf_locations(const struct dwarf_entry *e, const struct dwarf_value *v,
		     dwarf_location_fn *fn, void *ctx);

#endif
