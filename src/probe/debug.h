/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug: what a dynamic tracepoint needs of debug information (DWARF): addresses of functions, of
 * what was inlined of them and of source lines; where variables are at an address, as the kernel's
 * probe events fetch them; which lines can be probed.
 *
 * Addresses are those of the file ("link-time"). Strings and arrays of results belong to the
 * caller, who releases them. Names are as in the file: escape them. One thread at a time per
 * object.
 *
 * Errors: ENODATA there is no debug information; ENOENT what was asked for is not in it; EINVAL it
 * is not meant so (text says why); ERANGE an offset is behind the end of its function.
 *
 * Sources: DWARF 5; the kernel's Documentation/trace/kprobetrace.rst and uprobetracer.rst (what can
 * be fetched, and how bit fields are counted); psABIs for numbers of registers.
 */
#ifndef PROBE_DEBUG_H
#define PROBE_DEBUG_H

#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "debug/debug.h"
#include "dso/dso.h"
#include "probe/point.h"

struct probe_debug_opts {
	bool no_inlines; /* functions that have code of their own alone */
	bool everywhere; /* at the entry of a function also where variables are not set up yet */
	u32 max_places; /* 0 = no limit */
	const char *source_dir; /* -s, for patterns of lines; NULL = none */
};

struct probe_debug_arg {
	char *name; /* the kernel's name of the field; NULL: none is given */
	char *fetch; /* "-20(%bp):s32"; NULL: see problem */
	char *problem; /* why it cannot be fetched, a line or more as perf says it; NULL: it can */
	bool expanded; /* it is one of $vars or $params: what cannot be fetched of these is left out
			*/
	bool cut; /* it is longer than the 64 bits that are fetched; type is its name */
	char *type;
};
VEC_TYPE(probe_debug_args, struct probe_debug_arg);

struct probe_debug_place {
	u64 addr;
	u64 file_offset; /* of addr, in the object; UINT64_MAX: it is not in the file */
	char *function; /* that contains it, by its name in the source; NULL: unknown */
	u64 offset; /* from its start */
	char *symbol; /* that contains it in the symbol table, not demangled; NULL: unknown */
	u64 entry; /* addr before its prologue was skipped, else addr */
	char *asked; /* the function that was asked for, if it was by name: may be one inlined here
		      */
	bool is_inlined; /* asked is inlined here: it has no entry and does not return */
	bool skipped_prologue; /* as the program is not optimised */
	char *file; /* as debug information names it; NULL: unknown */
	u32 line;
	struct probe_debug_args
		args; /* in the order of the specs; $vars and $params became several */
};
VEC_TYPE(probe_debug_place_vec, struct probe_debug_place);

struct probe_debug_places {
	struct probe_debug_place_vec v; /* in the order of units and of entries in them */
	bool truncated; /* there are more than max_places */
	/* No place has the line, since its code begins with another one's: that line, counted as in
	 * the point. 0: nothing of the kind. */
	u32 shared_line;
	bool shares;
};

/*
 * Where a point is, and what its arguments are there. Raw arguments become "fetch" as they are. -1,
 * ENOENT: nowhere. out is to be released after either.
 */
int probe_debug_find(struct debug_info *g, const struct probe_point *p,
		     const struct probe_arg_specs *args, const struct probe_debug_opts *o,
		     struct probe_debug_places *out, struct err *e);
void probe_debug_places_release(struct probe_debug_places *p);

/*
 * An address as a list shows it: "FUNC[+OFFSET|:LINE][@FILE]", into p, which is to be released.
 * is_return: it is a function's entry. False: debug information knows no function there.
 */
bool probe_debug_point_at(struct debug_info *g, u64 addr, bool is_return, struct probe_point *p);

/* ---- --vars ---- */

struct probe_debug_vars {
	char *function; /* "@<function+offset>" */
	u64 offset;
	VEC(char *) lines; /* sorted; "int\targc", with ranges "[VAL]\tint\targc\t@<main+[0-17]>" */
};
VEC_TYPE(probe_debug_vars_vec, struct probe_debug_vars);

struct probe_debug_vars_opts {
	bool externs, ranges;
	bool (*wanted)(void *ctx, const char *name); /* NULL: all */
	void *ctx;
};

int probe_debug_vars(struct debug_info *g, const struct probe_point *p,
		     const struct probe_debug_vars_opts *o, const struct probe_debug_opts *find,
		     struct probe_debug_vars_vec *out, struct err *e);
void probe_debug_vars_release(struct probe_debug_vars_vec *v);

/* ---- --line ---- */

struct probe_debug_lines {
	char *function; /* NULL: the range is one of a file */
	char *file; /* as debug information names it, with its directory */
	char *comp_dir; /* where it was compiled; NULL = unknown */
	u32 first; /* the line in the file that is number 0 of a function; 0 for a file */
	u32 start, end; /* in the file; end UINT32_MAX: some lines behind the last that can be
			   probed */
	VEC(u32) lines; /* that can be probed, rising */
};

/* -1, ENOENT: none can be probed. */
int probe_debug_lines(struct debug_info *g, const struct probe_line_range *r,
		      struct probe_debug_lines *out, struct err *e);
void probe_debug_lines_release(struct probe_debug_lines *l);

/*
 * Where a source file is now: below source_dir (as a whole, then with leading folders left out one
 * by one), or, without source_dir (NULL), where it was compiled. -1: nowhere.
 */
int probe_debug_source(const char *file, const char *comp_dir, const char *source_dir,
		       struct strbuf *path, struct err *e);
/* For reading; NULL and *e: debug information may name anything, and only a regular file of some
 * size is a source. */
FILE *probe_debug_open_source(const char *path, struct err *e);

#endif
