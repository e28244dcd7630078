/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug: questions to the debug information (DWARF) of an object that have to do with variables:
 * which scopes are around an address, where the variables in them are just there, and of what type
 * they are. Units and functions by address; nothing of source lines (dso/source.h).
 *
 * Addresses are those of the file ("link-time"). Names are as in the file: escape them. What is
 * handed out is valid until debug_info_close(). Everything comes from files: what makes no sense
 * gives nothing. One thread at a time per object.
 *
 * Sources: DWARF 5, sections 2.5, 2.6, 3 to 5.
 */
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "dso/dwarf/entry.h"
#include "dso/dwarf/of_dso.h"

enum { DEBUG_SCOPES_MAX = 64 };

/* Code of a function. */
struct debug_code {
	u64 lo, hi;
	u64 die;
};

/* An entry that stands for another: inlined, or code of what is described elsewhere. */
struct debug_copy {
	u64 origin; /* offset; DEBUG_ALT set: in the file of dwz */
	u64 die;
};
#define DEBUG_ALT (1ULL << 63)

/* Of the table of lines, read by who asks for them (probe). */
struct debug_row {
	u64 addr;
	u32 order; /* in the table */
	u32 file, line;
	bool prologue_end, end;
};

/* What was found out of a unit. */
struct debug_unit {
	struct dwarf *d, *full_d;
	struct dwarf_unit *u,
		*full; /* full: with the entries; the same where nothing was split off */
	bool have_index, have_rows;
	VEC(struct debug_code) code; /* of functions, by lo */
	VEC(struct debug_copy) copies; /* by origin, then as in the unit */
	VEC(u64) functions; /* entries of functions with a name, as in the unit */
	VEC(struct debug_row) rows; /* of statements, by address, then order */
};

struct cfi;
struct symtab;

struct debug_info {
	struct dso *dso;
	struct dso_dwarf files;
	struct dwarf *dwarf;
	bool is_kernel; /* or a module: memory is named by symbols */
	u16 machine; /* EM_... */
	struct cfi *cfi;
	bool cfi_tried;
	struct symtab *symbols; /* by address in the file, not demangled; NULL = not read yet */
	VEC(struct debug_unit *) units; /* by offset */
	bool have_units;
};

/*
 * d: DSO_USER, DSO_KERNEL or DSO_MODULE; it outlives the result. Separate debug information is
 * looked for (and asked for) as the dso's table says. NULL, ENODATA: there is none.
 */
struct debug_info *debug_info_open(struct dso *d, struct err *e);
void debug_info_close(struct debug_info *g); /* NULL is allowed */
/* All units; those of the file of dwz are behind the others. */
void debug_info_read_units(struct debug_info *g);
/* The unit with code at an address; NULL: none. */
struct debug_unit *debug_info_unit_of(struct debug_info *g, u64 addr);
const struct symtab *debug_info_symbols(struct debug_info *g);

/* ---- scope.c ---- */

/* Where functions of a unit are, and what was inlined. */
void debug_unit_index(struct debug_unit *u);

/* The innermost function with code at an address; false: none. */
bool debug_function_at(struct debug_unit *u, u64 addr, struct dwarf_entry *out);
/* Whether an entry's code contains an address. */
bool debug_entry_covers(const struct dwarf_entry *e, u64 addr);
/* Lowest address of an entry's code, false: it has none. *end: behind its last range. */
bool debug_entry_range(const struct dwarf_entry *e, u64 *lo, u64 *end);
bool debug_entry_start(const struct dwarf_entry *e, u64 *start);

/*
 * The entries around an address: the function, then what contains the address in it, outermost
 * first: inlined functions and blocks. Returns how many; 0: no function is there.
 */
size_t debug_scopes_at(struct debug_info *g, u64 addr, struct dwarf_entry *out, size_t max);

/* ---- type.c ---- */

/* Through typedefs and qualifiers; false: void. */
bool debug_type_resolve(const struct dwarf_entry *e, struct dwarf_entry *out);
/* The same of a type itself. */
bool debug_type_strip(struct dwarf_entry *type);
/* Bytes of a resolved type; false: unknown. */
bool debug_type_size(const struct dwarf_entry *type, u64 *size);
/* Dimensions of an array; bytes of an element once `used` indices were given. */
u32 debug_type_dimensions(const struct dwarf_entry *array);
bool debug_type_element_size(const struct dwarf_entry *array, u32 used, u64 *size);
enum debug_type_style {
	DEBUG_TYPE_C, /* "struct node", "void*", "long int[]", "(function)*" */
	DEBUG_TYPE_PERF, /* as perf 6.1 lists variables: "(unknown_type)", "long int*", ... */
};
/* Appends the name of a type, without qualifiers; type NULL: void. */
void debug_type_name(const struct dwarf_entry *type, enum debug_type_style style,
		     struct strbuf *out);

static inline bool debug_type_is_record(u16 tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static inline bool debug_type_is_pointer(u16 tag) /* or a reference */
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* Where a member lies in its structure, in bytes; false: that is not fixed. */
bool debug_member_place(const struct dwarf_entry *m, u64 *at);
/* A member of a structure or union, also of unnamed ones in it; *at: its place in bytes. False:
 * there is none. */
bool debug_type_member(const struct dwarf_entry *type, const char *name, struct dwarf_entry *out,
		       u64 *at);

/* ---- location.c ---- */

/* An address and what is around it. */
struct debug_context {
	struct debug_info *g;
	u64 addr;
	struct dwarf_entry scopes[DEBUG_SCOPES_MAX]; /* of debug_scopes_at() */
	size_t nr_scopes;
	size_t own; /* the scope of the function that was asked for */
	bool by_frame; /* what lies in the frame is told by the CFA (DEBUG_FRAME) */
};

/* function: as found by name, NULL = what is innermost there. False: no function is at the address.
 */
bool debug_context_init(struct debug_context *c, struct debug_info *g, u64 addr,
			const struct dwarf_entry *function);

enum { DEBUG_DEREFS_MAX = 16 };

/*
 * Something that can be looked at: a register, address or number, the memory that it leads to in
 * steps, and a number to be added at the end.
 */
struct debug_value {
	enum { DEBUG_REGISTER, DEBUG_ADDRESS, DEBUG_NUMBER, DEBUG_FRAME } base;
	u64 v; /* number of the register, address, number; of the CFA: 0 */
	s64 derefs[DEBUG_DEREFS_MAX]; /* each: add this, go on with the word that is there */
	u32 nr_derefs;
	s64 add;
	bool is_place; /* it is where the object is, not the object itself */
	bool in_pieces; /* only the first word of it is there */
};

/*
 * Where a variable is: 0; -ENOENT: nowhere at that address; -ENOTSUP: where nobody can look, as
 * things are.
 */
int debug_locate(const struct debug_context *c, const struct dwarf_entry *var,
		 struct debug_value *out);
/*
 * The same for all addresses of [lo, hi): each place of the variable is handed out with where it
 * holds. What nobody can look at is left out, and so is what depends on a frame base that moves.
 */
typedef void debug_place_fn(void *ctx, u64 lo, u64 hi, const struct debug_value *value);
void debug_locate_all(struct debug_context *c, const struct dwarf_entry *var, u64 lo, u64 hi,
		      debug_place_fn *fn, void *ctx);
/* Whether an expression leads to something in memory or a register, as far as its first step tells.
 */
bool debug_expression_is_somewhere(const u8 *code, size_t len);

/* Offsets of broken debug information may leave what a number holds. */
static inline s64 debug_plus(s64 a, u64 b)
{
	return (s64)((u64)a + b);
}

/* ---- variables.c ---- */

/* Variables around the address, as in the unit. */
typedef void debug_variable_fn(void *ctx, const struct dwarf_entry *var);
void debug_variables_each(const struct debug_context *c, debug_variable_fn *fn, void *ctx);
/* Those of one scope alone. */
void debug_variables_in(const struct dwarf_entry *scope, debug_variable_fn *fn, void *ctx);
/* Those of a unit, outside of functions. */
void debug_globals_each(struct debug_unit *u, debug_variable_fn *fn, void *ctx);

#endif
