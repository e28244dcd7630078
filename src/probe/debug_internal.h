/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_internal: what the files debug*.c share and others do not see.
 */
#ifndef PROBE_DEBUG_INTERNAL_H
#define PROBE_DEBUG_INTERNAL_H

#include "debug/debug.h"
#include "probe/debug.h"

enum { PROBE_PLACES_MAX = 1 << 14 };

/* ---- debug_place.c ---- */

/* "dir/file" as debug information has it; relative to comp_dir when that is not absolute. */
void probe_place_path(const struct dwarf_place *p, struct strbuf *out);
/* The same from the root, where that is known. */
void probe_place_full(const struct dwarf_place *p, struct strbuf *out);
/* Whether the path of a file, with the directory it was compiled in, ends with what was asked for,
 * by whole names. */
bool probe_place_fits(const struct dwarf_place *p, const char *asked);

/* ---- debug_functions.c ---- */

/* A function that has code somewhere: its own, or where it is inlined. */
struct probe_function {
	struct debug_unit *unit;
	struct dwarf_entry entry; /* with the code; completed */
	bool is_inlined;
	u64 start; /* where it is entered */
};
VEC_TYPE(probe_functions, struct probe_function);

/* Functions of a name or pattern, declared in `file` (NULL: anywhere), in the order of their units.
 */
void probe_functions_find(struct debug_info *g, const char *name, const char *file, bool no_inlines,
			  struct probe_functions *out);
/* Whether a function's code contains an address where lines are looked for: the place where it is
 * entered counts. */
bool probe_function_covers(const struct probe_function *f, u64 addr);

/* ---- debug_rows.c ---- */

/* The row that an address belongs to; NULL: none. */
const struct debug_row *probe_row_around(struct debug_unit *u, u64 addr);
/* Where rows of a function begin, and behind them; NULL: all of the unit's. */
size_t probe_rows_from(struct debug_unit *u, const struct probe_function *f, u64 *end);
/* The first of the unit's files whose path ends with what was asked for. */
bool probe_unit_file(struct debug_unit *u, const char *asked, struct dwarf_place *out);
/*
 * File and line that an address begins with, as perf counts: a function begins with its
 * declaration. False: no row begins there.
 */
bool probe_line_of(struct debug_info *g, struct debug_unit *u, u64 addr, struct dwarf_place *out);
/* Behind a function's prologue; its start when there is none. */
u64 probe_skip_prologue(const struct probe_function *f);

/* ---- debug_find.c ---- */

/* The same as probe_debug_find(); found is told what is around each place. */
typedef void probe_found_fn(void *ctx, const struct probe_debug_place *place,
			    const struct debug_context *c);
int probe_find_places(struct debug_info *g, const struct probe_point *p,
		      const struct probe_debug_opts *o, probe_found_fn *found, void *ctx,
		      struct err *e);

/* ---- debug_value.c ---- */

/* One argument, or those that $vars and $params stand for. */
void probe_value_make(const struct debug_context *c, const struct probe_arg_spec *spec,
		      struct probe_debug_args *out);

#endif
