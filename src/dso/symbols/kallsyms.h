/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kallsyms: the kernel's own list of symbols ("ADDRESS TYPE NAME[\t[MODULE]]" per line, unsorted at
 * the seams) as symbol tables, one for the kernel and one per module.
 */
#ifndef DSO_KALLSYMS_H
#define DSO_KALLSYMS_H

#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "dso/symbols/symtab.h"

struct kallsyms_part {
	const char *module; /* without brackets, "" = the kernel itself */
	struct symtab_builder rows; /* names empty: offsets into text or file */
	u64 delta; /* to be added to addresses, for the loader's use */
};

struct kallsyms {
	/* all names: in memory, or left in a plain file, whose descriptor is ours */
	char *text;
	size_t text_size;
	struct sym_name_file file;
	VEC(struct kallsyms_part) parts; /* the kernel first */
	struct map by_module; /* the other parts */
	bool all_zero; /* addresses hidden by kernel.kptr_restrict */
};

/* One line, cut into its columns; name and module are not terminated. */
struct kallsyms_line {
	u64 addr;
	char type;
	const char *name, *module; /* module: without brackets, NULL = the kernel itself */
	size_t name_len, module_len;
};

/* The line [p, end), without its newline; false: it is none. For those who want a few symbols
 * alone. */
bool kallsyms_parse_line(const char *p, const char *end, struct kallsyms_line *l);

static inline bool kallsyms_line_is(const struct kallsyms_line *l, const char *name)
{
	return l->name_len == strlen(name) && !memcmp(l->name, name, l->name_len);
}

/* named: a user named it, so it may be a pipe (base/input.h). */
int kallsyms_read(struct kallsyms *k, const char *path, bool named, struct err *e);
/* Whether a plain file has lines of that name, as far as one can tell; true: it is not known. Much
 * faster than to read it. */
bool kallsyms_may_have(const char *path, const char *name);
/* Tell a part's rows where their names are; k must outlive the table that is made of them. */
void kallsyms_lend_names(const struct kallsyms *k, struct kallsyms_part *part);
/* Why it names nothing: *hint is added where the addresses are hidden; false: it does. */
bool kallsyms_useless(const struct kallsyms *k, const char *path, const char *hint, struct err *e);
void kallsyms_release(struct kallsyms *k);

#endif
