/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_internal: what the files debug*.c share and others do not see.
 */
#ifndef PROBE_DEBUG_INTERNAL_H
#define PROBE_DEBUG_INTERNAL_H

#include "dso/dwarf/of_dso.h"
#include "dso/dwarf/entry.h"
#include "probe/debug.h"

enum { PROBE_PLACES_MAX = 1 << 14, PROBE_SCOPES_MAX = 64 };

/* Code of a function. */
struct probe_code {
	u64 lo, hi;
	u64 die;
};

/* An entry that stands for another: inlined, or code of what is described elsewhere. */
struct probe_copy {
	u64 origin; /* offset; PROBE_ALT set: in the file of dwz */
	u64 die;
};
#define PROBE_ALT (1ULL << 63)

struct probe_row {
	u64 addr;
	u32 order; /* in the table */
	u32 file, line;
	bool prologue_end, end;
};

/* What was found out of a unit. */
struct probe_unit {
	struct dwarf *d, *full_d;
	struct dwarf_unit *u,
		*full; /* full: with the entries; the same where nothing was split off */
	bool have_index, have_rows;
	VEC(struct probe_code) code; /* of functions, by lo */
	VEC(struct probe_copy) copies; /* by origin, then as in the unit */
	VEC(u64) functions; /* entries of functions with a name, as in the unit */
	VEC(struct probe_row) rows; /* of statements, by address, then order */
};

struct cfi;
struct symtab;

struct probe_debug {
	struct dso *dso;
	struct dso_dwarf files;
	struct dwarf *dwarf;
	bool is_kernel; /* or a module: memory is named by symbols */
	u16 machine; /* EM_... */
	struct cfi *cfi;
	bool cfi_tried;
	struct symtab *symbols; /* by address in the file, not demangled; NULL = not read yet */
	VEC(struct probe_unit *) units; /* by offset */
	bool have_units;
};

/* All units; those of the file of dwz are behind the others. */
void probe_debug_read_units(struct probe_debug *g);
/* The unit with code at an address; NULL: none. */
struct probe_unit *probe_debug_unit_of(struct probe_debug *g, u64 addr);
const struct symtab *probe_debug_symbols(struct probe_debug *g);

/* ---- debug_place.c ---- */

/* "dir/file" as debug information has it; relative to comp_dir when that is not absolute. */
void probe_place_path(const struct dwarf_place *p, struct strbuf *out);
/* The same from the root, where that is known. */
void probe_place_full(const struct dwarf_place *p, struct strbuf *out);
/* Whether the path of a file, with the directory it was compiled in, ends with what was asked for,
 * by whole names. */
bool probe_place_fits(const struct dwarf_place *p, const char *asked);

/* ---- debug_scope.c ---- */

/* Where functions of a unit are, and what was inlined. */
void probe_unit_index(struct probe_unit *u);

/* A function that has code somewhere: its own, or where it is inlined. */
struct probe_function {
	struct probe_unit *unit;
	struct dwarf_entry entry; /* with the code; completed */
	bool is_inlined;
	u64 start; /* where it is entered */
};
VEC_TYPE(probe_functions, struct probe_function);

/* Functions of a name or pattern, declared in `file` (NULL: anywhere), in the order of their units.
 */
void probe_functions_find(struct probe_debug *g, const char *name, const char *file,
			  bool no_inlines, struct probe_functions *out);
/* Whether a function's code contains an address where lines are looked for: the place where it is
 * entered counts. */
bool probe_function_covers(const struct probe_function *f, u64 addr);
/* Lowest address of an entry's code, false: it has none. *end: behind its last range. */
bool probe_entry_range(const struct dwarf_entry *e, u64 *lo, u64 *end);
bool probe_entry_start(const struct dwarf_entry *e, u64 *start);

/*
 * The entries around an address: the function, then what contains the address in it, outermost
 * first: inlined functions and blocks. Returns how many; 0: no function is there.
 */
size_t probe_scopes_at(struct probe_debug *g, u64 addr, struct dwarf_entry *out, size_t max);

/* ---- debug_rows.c ---- */

/* The row that an address belongs to; NULL: none. */
const struct probe_row *probe_row_around(struct probe_unit *u, u64 addr);
/* Where rows of a function begin, and behind them; NULL: all of the unit's. */
size_t probe_rows_from(struct probe_unit *u, const struct probe_function *f, u64 *end);
/* The first of the unit's files whose path ends with what was asked for. */
bool probe_unit_file(struct probe_unit *u, const char *asked, struct dwarf_place *out);
/*
 * File and line that an address begins with, as perf counts: a function begins with its
 * declaration. False: no row begins there.
 */
bool probe_line_of(struct probe_debug *g, struct probe_unit *u, u64 addr, struct dwarf_place *out);
/* Behind a function's prologue; its start when there is none. */
u64 probe_skip_prologue(const struct probe_function *f);

/* ---- debug_type.c ---- */

/* Through typedefs and qualifiers; false: void. */
bool probe_type_resolve(const struct dwarf_entry *e, struct dwarf_entry *out);
/* The same of a type itself. */
bool probe_type_strip(struct dwarf_entry *type);
/* Bytes of a resolved type; false: unknown. */
bool probe_type_size(const struct dwarf_entry *type, u64 *size);
/* Dimensions of an array; bytes of an element once `used` indices were given. */
u32 probe_type_dimensions(const struct dwarf_entry *array);
bool probe_type_element_size(const struct dwarf_entry *array, u32 used, u64 *size);
/* As perf 6.1 shows the type of a variable. */
void probe_type_name(const struct dwarf_entry *variable, struct strbuf *out);
/* A member of a structure or union, also of unnamed ones in it; *at: its place in bytes. False:
 * there is none. */
bool probe_type_member(const struct dwarf_entry *type, const char *name, struct dwarf_entry *out,
		       u64 *at);

/* ---- debug_location.c ---- */

/* An address and what is around it. */
struct probe_context {
	struct probe_debug *g;
	u64 addr;
	struct dwarf_entry scopes[PROBE_SCOPES_MAX]; /* of probe_scopes_at() */
	size_t nr_scopes;
	size_t own; /* the scope of the function that was asked for */
};

/* function: as found by name, NULL = what is innermost there. False: no function is at the address.
 */
bool probe_context_init(struct probe_context *c, struct probe_debug *g, u64 addr,
			const struct probe_function *function);

enum { PROBE_DEREFS_MAX = 16 };

/*
 * Something that a probe can look at: a register, address or number, the memory that it leads to in
 * steps, and a number to be added at the end.
 */
struct probe_value {
	enum { PROBE_REGISTER, PROBE_ADDRESS, PROBE_NUMBER } base;
	u64 v; /* number of the register, address, number */
	s64 derefs[PROBE_DEREFS_MAX]; /* each: add this, go on with the word that is there */
	u32 nr_derefs;
	s64 add;
	bool is_place; /* it is where the object is, not the object itself */
	bool in_pieces; /* only the first word of it is there */
};

/*
 * Where a variable is: 0; -ENOENT: nowhere at that address; -ENOTSUP: where no probe can look.
 */
int probe_locate(const struct probe_context *c, const struct dwarf_entry *var,
		 struct probe_value *out);
/* Name of a register in the kernel's probe events, with '%'; NULL: it has none. */
const char *probe_register_name(u16 machine, u64 nr);

/* Whether an expression leads to something in memory or a register, as far as its first step tells.
 */
bool probe_expression_is_somewhere(const u8 *code, size_t len);

/* Offsets of broken debug information may leave what a number holds. */
static inline s64 probe_plus(s64 a, u64 b)
{
	return (s64)((u64)a + b);
}

/* ---- debug_find.c ---- */

/* The same as probe_debug_find(); found is told what is around each place. */
typedef void probe_found_fn(void *ctx, const struct probe_debug_place *place,
			    const struct probe_context *c);
int probe_find_places(struct probe_debug *g, const struct probe_point *p,
		      const struct probe_debug_opts *o, probe_found_fn *found, void *ctx,
		      struct err *e);

/* ---- debug_value.c ---- */

/* One argument, or those that $vars and $params stand for. */
void probe_value_make(const struct probe_context *c, const struct probe_arg_spec *spec,
		      struct probe_debug_args *out);
/* Variables around the address, as in the unit. */
typedef void probe_variable_fn(void *ctx, const struct dwarf_entry *var);
void probe_variables_each(const struct probe_context *c, probe_variable_fn *fn, void *ctx);
/* Those of a unit, outside of functions. */
void probe_globals_each(struct probe_unit *u, probe_variable_fn *fn, void *ctx);

#endif
