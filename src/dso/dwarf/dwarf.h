/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf: the debug information of one object: its sections, compilation units and entries (DIEs).
 * DWARF 2 to 5, also compressed sections, the common part that dwz moved to another file, and units
 * whose entries the compiler left in files of their own (split DWARF: .dwo, packed: .dwp).
 *
 * Everything comes from files and is checked where it is read; references that make no sense give
 * nothing. Of a large object only units that are asked for are read (dwarf/section.h), which
 * .debug_aranges tells or, where that is silent, every unit's first entry. What is read is kept
 * until dwarf_close(), or, for those who call it between questions, dwarf_trim(). One thread at a
 * time per object.
 *
 * Many units may refer to one large table, so that a small file claims hours of work and any amount
 * of memory: work is counted, and an object that has used up many times what reading all of it once
 * takes gives nothing more. Source: DWARF 5 (dwarfstd.org), sections 7.4 to 7.6; older versions
 * where they differ.
 */
#ifndef DSO_DWARF_H
#define DSO_DWARF_H

#include "base/intern.h"
#include "base/vec.h"
#include "dso/dwarf/reader.h"
#include "dso/dwarf/section.h"

enum dwarf_section_nr {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_LINE,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_ADDR,
	DWARF_STR_OFFSETS,
	DWARF_ARANGES,
	DWARF_LOC,
	DWARF_LOCLISTS,
	DWARF_NR_SECTIONS,
};

/* The value of an attribute. */
enum dwarf_class {
	DWARF_NOTHING, /* not there, or read over, of no use here */
	DWARF_ADDRESS,
	DWARF_ADDRESS_INDEX, /* into .debug_addr */
	DWARF_CONSTANT,
	DWARF_STRING,
	DWARF_STRING_AT, /* offset in .debug_str */
	DWARF_LINE_STRING_AT, /* in .debug_line_str */
	DWARF_TABLE_STRING_AT, /* in .debug_line */
	DWARF_STRING_AT_ALT, /* in .debug_str of the file of dwz */
	DWARF_STRING_INDEX, /* into .debug_str_offsets */
	DWARF_REFERENCE, /* offset in .debug_info */
	DWARF_REFERENCE_ALT, /* the same in the file of dwz */
	DWARF_OFFSET, /* into another section */
	DWARF_LIST_INDEX, /* of a range list */
	DWARF_LOCATION_INDEX, /* of a location list */
	DWARF_SIGNATURE, /* of a type unit */
	DWARF_BLOCK, /* v bytes at s: an expression, or a constant */
};

struct dwarf_value {
	enum dwarf_class class;
	u64 v;
	const char *s;
};

enum { DWARF_SIZE_VARIES = UINT16_MAX };

struct dwarf_abbrev {
	u64 code;
	u16 tag;
	bool children;
	bool has_code; /* may have an address or ranges */
	bool has_sibling;
	u16 size; /* of all values; DWARF_SIZE_VARIES */
	u16 sibling_at; /* where among the values a sibling of 4 bytes is; DWARF_SIZE_VARIES */
	u32 first, nr; /* of the table's specs */
};

struct dwarf_spec {
	u16 name, form;
	u16 size; /* of the value; DWARF_SIZE_VARIES */
	bool wanted; /* something here looks at it */
	s64 implicit;
};

/* Abbreviations. All units of a program may have the same, as LTO and dwz leave them. */
struct dwarf_abbrevs {
	u32 units; /* that have it: it is forgotten with the last one's */
	VEC(struct dwarf_abbrev) abbrevs; /* by code */
	VEC(struct dwarf_spec) specs;
};

struct dwarf_lines;
struct dwarf_inlines;

struct dwarf_unit {
	u64 offset, dies, end; /* in .debug_info */
	u64 abbrev;
	u16 version;
	u8 addr_size, offset_size;
	u64 dwo_id; /* what ties a skeleton to its split unit */
	bool split_type; /* a type unit: contains no code */
	u64 signature, type_at; /* of a type unit: its name, and offset of the type's entry */
	bool prepared, broken;
	u32 loaded; /* the object's `trims` when all of it was read; 0 = was not */
	u32 asked; /* the object's number of the latest question that concerned its tables */
	size_t tables; /* bytes of its own: lines, inlined functions */
	bool dropped; /* it had them before */
	struct dwarf_abbrevs *abbrevs; /* NULL = not read; of the object's */
	/* of the unit's own entry */
	u64 low_pc, str_offsets_base, addr_base, rnglists_base, loclists_base, ranges_base,
		lines_at;
	bool has_lines;
	const char *comp_dir, *name;
	const char *dwo_name; /* a skeleton: where the rest is; NULL: it is all there is */
	struct dwarf *split; /* a skeleton: the .dwo file, NULL = not found or not looked for */
	bool split_tried;
	struct dwarf_unit
		*skeleton; /* of a split unit that was found through it; in `main` of its file */
	struct dwarf_lines *lines; /* NULL = not read yet */
	struct dwarf_inlines *inlines; /* NULL = not read yet */
};

struct dwarf_range {
	u64 lo, hi;
	u64 unit; /* offset */
};
VEC_TYPE(dwarf_ranges, struct dwarf_range);

/* Where abbreviations are, and what the sizes of their values depend on, as a number. */
struct dwarf_abbrevs_place {
	u64 key;
	struct dwarf_abbrevs *table;
};

struct dwarf_package;

/*
 * Open the file with a skeleton's entries, NULL = the .dwp of the whole object. False: there is
 * none. The caller closes it.
 */
typedef bool dwarf_find_split_fn(void *ctx, const char *comp_dir, const char *dwo_name,
				 struct elf_file *out);

struct dwarf {
	struct dwarf_section sections[DWARF_NR_SECTIONS];
	int fd; /* of the file; -1: everything was read at once */
	bool swap;
	VEC(struct dwarf_unit *) units; /* that are known, by offset */
	bool have_units; /* all of them */
	VEC(struct dwarf_abbrevs_place) abbrevs; /* that units have, by key */
	/* code of units, by address: by .debug_aranges, and by themselves */
	struct dwarf_ranges aranges, ranges;
	bool have_aranges, have_ranges;
	u64 work_left; /* see enum dwarf_cost */
	struct intern names; /* what stays valid: names of units, files, functions */
	u32 trims; /* 1 + how often pages were forgotten */
	u32 asked; /* questions so far */
	size_t tables, tables_max; /* bytes of units' tables, and how many are kept */
	size_t made_again; /* bytes of tables that had been dropped, since tables_max changed */
	struct dwarf *alt; /* what dwz moved out; NULL = nothing */
	struct dwarf *types; /* .debug_types of DWARF 4; NULL = not there or not wanted */
	bool is_types; /* it is such */
	bool wants_variables;
	/* split DWARF */
	dwarf_find_split_fn *find_split; /* NULL: .dwo files are not looked for */
	void *find_ctx;
	struct dwarf *package; /* the .dwp file; NULL = none or not looked for */
	bool package_tried;
	struct dwarf
		*main; /* of a .dwo or .dwp: the file with its skeletons; NULL: this is no such */
	u8 *index_data; /* .debug_cu_index of a .dwp */
	struct dwarf_package *index; /* its header, see split.c */
};

/* What is counted as work: roughly the memory that may be kept of it, in words. Entries cost 1 and
 * 1 for each attribute. */
enum dwarf_cost { DWARF_COST_SPEC = 4, DWARF_COST_LINE_BYTE = 8, DWARF_COST_RANGE = 16 };

/* Count work; false when there was too much, from then on always. */
static inline bool dwarf_spend(struct dwarf *d, u64 work)
{
	d->work_left = work < d->work_left ? d->work_left - work : 0;
	return d->work_left != 0;
}

/* NULL: f has no debug information. alt_path: where the file that f's .gnu_debugaltlink names was
 * found, NULL = nowhere. f is not needed afterwards; what is read later comes from the same file.
 */
struct dwarf *dwarf_open(const struct elf_file *f, const char *alt_path);
/* Where split units are looked for from now on, when something in them is asked for. */
void dwarf_look_for_split(struct dwarf *d, dwarf_find_split_fn *find, void *ctx);
/* That types and places of variables will be asked for (dwarf/entry.h); before .dwo files are
 * looked for. f: as for dwarf_open(). */
void dwarf_look_for_variables(struct dwarf *d, const struct elf_file *f);
void dwarf_close(struct dwarf *d);

/*
 * Between questions: forget what can be read again if it has become much. Entries, values and
 * units' tables are not valid any more; units, places (struct dwarf_place) and names of inlined
 * functions are.
 */
void dwarf_trim(struct dwarf *d);
/* For the files of this folder: a copy that stays valid, NULL of NULL. */
const char *dwarf_keep(struct dwarf *d, const char *s);

/* The unit whose code contains an address; NULL: none. */
struct dwarf_unit *dwarf_unit_of(struct dwarf *d, u64 addr);

/* What is looked at in an entry; absent attributes are 0 or NULL. */
struct dwarf_die {
	u16 tag; /* 0: the end of a list of siblings */
	bool children;
	bool has_low, high_is_size, has_ranges, ranges_is_index, has_origin, origin_in_alt;
	u64 low, high, ranges, origin; /* origin: of abstract_origin or specification */
	u64 sibling; /* offset, 0 = unknown */
	struct dwarf_value name, linkage_name; /* strings */
	u32 call_file, call_line;
	/* only units' */
	bool has_lines;
	u64 lines_at, str_offsets_base, addr_base, rnglists_base, loclists_base, ranges_base,
		dwo_id;
	struct dwarf_value comp_dir, dwo_name; /* strings */
};

/* Read the entry under the cursor; false where it is broken. The cursor is over .debug_info or a
 * copy. */
bool dwarf_die_read(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
		    struct dwarf_die *out);
/* The same; hands out every attribute, too. */
typedef void dwarf_attribute_fn(void *ctx, u16 name, const struct dwarf_value *v);
bool dwarf_die_attributes(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
			  struct dwarf_die *out, dwarf_attribute_fn *fn, void *ctx);
/* The same for those who look for one kind of entry alone: much faster. */
struct dwarf_skimmed {
	u16 tag; /* 0: the end of a list of siblings */
	bool children, has_code;
	u64 sibling; /* offset, 0 = unknown */
};
bool dwarf_die_skim(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
		    struct dwarf_skimmed *out);
/* A cursor over a part of the unit; end 0: up to the unit's. */
struct dwarf_reader dwarf_entries(struct dwarf *d, struct dwarf_unit *u, u64 offset, u64 end);
/* Name of the function that an entry stands for (linkage name where there is one), following
 * origins and specifications; NULL: none. It stays valid. */
const char *dwarf_function_name(struct dwarf *d, struct dwarf_unit *u, const struct dwarf_die *die);
/* The same of the entry at an offset; tells what else is in it, without strings. */
const char *dwarf_function_name_at(struct dwarf *d, struct dwarf_unit *u, u64 offset,
				   struct dwarf_die *die);
/* The entry's code; each range is handed out. */
typedef void dwarf_range_fn(void *ctx, u64 lo, u64 hi);
void dwarf_die_ranges(struct dwarf *d, struct dwarf_unit *u, const struct dwarf_die *die,
		      dwarf_range_fn *range, void *ctx);

enum {
	DW_TAG_inlined_subroutine = 0x1d,
	DW_TAG_lexical_block = 0x0b,
	DW_TAG_subprogram = 0x2e,
	DW_TAG_compile_unit = 0x11,
	DW_TAG_partial_unit = 0x3c,
	DW_TAG_namespace = 0x39,
	DW_TAG_module = 0x1e,
	DW_TAG_skeleton_unit = 0x4a,
	DW_TAG_structure_type = 0x13,
	DW_TAG_class_type = 0x02,
	DW_TAG_union_type = 0x17,
	DW_TAG_call_site = 0x48,
	DW_TAG_try_block = 0x32,
	DW_TAG_catch_block = 0x25,
	DW_TAG_with_stmt = 0x22,
	DW_TAG_entry_point = 0x03,
	DW_TAG_interface_type = 0x38,
	DW_TAG_array_type = 0x01,
	DW_TAG_enumeration_type = 0x04,
	DW_TAG_formal_parameter = 0x05,
	DW_TAG_member = 0x0d,
	DW_TAG_pointer_type = 0x0f,
	DW_TAG_reference_type = 0x10,
	DW_TAG_subroutine_type = 0x15,
	DW_TAG_typedef = 0x16,
	DW_TAG_inheritance = 0x1c,
	DW_TAG_subrange_type = 0x21,
	DW_TAG_base_type = 0x24,
	DW_TAG_const_type = 0x26,
	DW_TAG_variable = 0x34,
	DW_TAG_volatile_type = 0x35,
	DW_TAG_restrict_type = 0x37,
	DW_TAG_unspecified_type = 0x3b,
	DW_TAG_rvalue_reference_type = 0x42,
	DW_TAG_atomic_type = 0x47,
	DW_TAG_type_unit = 0x41,
};

/* All units by offset, ready to be read: the first behind an offset, or at it. NULL: there is none.
 */
struct dwarf_unit *dwarf_unit_next(struct dwarf *d, u64 offset);
/* The unit that holds an entry, ready to be read; NULL: there is none. */
struct dwarf_unit *dwarf_unit_at(struct dwarf *d, u64 offset);
/* The type unit of that signature; NULL: there is none. Looks at all units. */
struct dwarf_unit *dwarf_unit_of_type(struct dwarf *d, u64 signature);

/* For the files of this folder: a .dwo or .dwp, NULL = without units. */
struct dwarf *dwarf_open_split(const struct elf_file *f, struct dwarf *main);
/* The last known unit that does not begin behind an offset; NULL: there is none. */
struct dwarf_unit *dwarf_unit_before(struct dwarf *d, u64 offset);
/* Abbreviations and the unit's own attributes; false: of no use. */
bool dwarf_unit_prepare(struct dwarf *d, struct dwarf_unit *u, struct dwarf_die *root);

/* ---- dwarf/split.c ---- */

/*
 * The unit that holds a skeleton's entries, and the file it is in. The unit itself if it is no
 * skeleton or its other half cannot be found.
 */
struct dwarf_unit *dwarf_full_unit(struct dwarf *d, struct dwarf_unit *u, struct dwarf **in);

/* ---- dwarf/line.c ---- */

struct dwarf_place {
	const char *dir, *file; /* dir NULL: file is all that is known, or absolute */
	const char *comp_dir; /* to which a relative dir belongs; NULL = unknown */
	bool in_comp_dir; /* dir is comp_dir, as DWARF 5 names it first among the directories */
	u32 line;
	u32 discriminator; /* tells pieces of one line apart, 0 = none; of an address */
};

/* Source line of an address; false: unknown. */
bool dwarf_line_find(struct dwarf *d, struct dwarf_unit *u, u64 addr, struct dwarf_place *out);
/* File by the number that call_file gives. */
bool dwarf_line_file(struct dwarf *d, struct dwarf_unit *u, u32 file, struct dwarf_place *out);
/* All rows of the unit's table of lines, in its order. */
struct dwarf_row {
	u64 addr;
	u32 file, line;
	bool is_stmt; /* a good place for a breakpoint */
	bool prologue_end; /* the function's frame is set up */
	bool end; /* behind the last byte of a sequence: no row of its own */
};
typedef void dwarf_row_fn(void *ctx, const struct dwarf_row *row);
/* False: the table makes no sense; rows before were handed out. */
bool dwarf_line_rows(struct dwarf *d, struct dwarf_unit *u, dwarf_row_fn *row, void *ctx);
/* The code that the unit's table of lines covers. */
void dwarf_line_ranges(struct dwarf *d, struct dwarf_unit *u, dwarf_range_fn *range, void *ctx);
void dwarf_lines_free(struct dwarf_lines *l);

/* ---- dwarf/ranges.c ---- */

/* By address, each address in one range: that of the first unit of those that claim it. */
void dwarf_ranges_sort(struct dwarf_ranges *r);

/* ---- dwarf/inline.c ---- */

struct dwarf_inline {
	u64 die; /* its entry */
	u32 call_file, call_line; /* where it is called, in the function around it */
	const char *name; /* as dwarf_function_name() */
};

enum { DWARF_INLINE_DEPTH = 64 };

/* The calls that were inlined at an address, innermost first; valid until the next call. */
size_t dwarf_inline_find(struct dwarf *d, struct dwarf_unit *u, u64 addr,
			 const struct dwarf_inline **out, size_t max);

#endif
