/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symtab: building of symbol tables. A source (ELF, kallsyms, perf-PID.map, ...) fills a builder
 * with rows in the order of its file; symtab_build() sorts them, keeps one name per address, closes
 * open ends and makes the immutable table that dso.h's functions read.
 *
 * About 11 bytes per symbol plus the strings, which are kept as one block and never copied, or are
 * left in their file when they are many.
 */
#ifndef DSO_SYMTAB_H
#define DSO_SYMTAB_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/dso.h"

struct sym_row {
	u64 start, end; /* end == start: unknown, up to the next symbol */
	u32 name; /* offset in names */
	char binding;
	bool data; /* a variable, not code */
	bool sizeless; /* set while building: end was unknown */
};

/*
 * A large string table that stays in its file: a name is read when it is asked for. fd belongs to
 * the builder and then to the table; size 0 = there is none.
 */
struct sym_name_file {
	int fd;
	u64 offset;
	u32 size;
	bool lines; /* a text: names end at a blank or with the line; fd is not the table's */
};

/*
 * The strings that rows refer to: offsets below file.size lie in the file, the others behind; from
 * SYM_PLT_NAMES on, those of functions whose entries in a procedure linkage table are meant, which
 * are shown with "@plt" behind.
 */
#define SYM_PLT_NAMES 0xc0000000U
struct sym_names {
	const char *mem;
	size_t mem_size;
	struct sym_name_file file, plt;
};

struct symtab_builder {
	VEC(struct sym_row) rows;
	struct strbuf names; /* NUL-terminated strings */
	/* Names in memory of another owner, which outlive the table; names is unused then. */
	const char *shared;
	size_t shared_size;
	struct sym_name_file file, plt;
};

#define SYMTAB_BUILDER_INIT                                                                        \
	{                                                                                          \
		.names = STRBUF_INIT                                                               \
	}

enum symtab_flags {
	SYMTAB_DEMANGLE = 1 << 0,
	SYMTAB_PARAMS = 1 << 1, /* demangled names show parameter lists */
	SYMTAB_LAST_WINS = 1 << 2, /* the last row of an address wins (perf-PID.map) */
};

/* Appends a row with a copy of the name; rows beyond LIMIT_SYMBOLS are dropped. */
void symtab_builder_add(struct symtab_builder *b, u64 start, u64 end, const char *name,
			char binding);
/* The same for an entry of a procedure linkage table; name: offset in b->plt. */
void symtab_builder_add_plt(struct symtab_builder *b, u64 start, u64 end, u32 name);
/*
 * How far a recorded kernel stood from where the rows say (kernel address space randomisation): the
 * difference between the two addresses of a reference symbol; 0 without one (NULL).
 */
u64 symtab_rows_distance(const struct symtab_builder *b, const char *symbol, u64 addr);
void symtab_rows_move(struct symtab_builder *b, u64 delta);
void symtab_builder_release(struct symtab_builder *b); /* also for _cleanup_ */
/* Takes the builder's contents and leaves it empty. */
struct symtab *symtab_build(struct symtab_builder *b, unsigned int flags);
/* The name that symtab_name() shows, as it is in the file, in place of what out holds. */
void symtab_raw_name(const struct symtab *st, u32 index, struct strbuf *out);
/* Without a size of its own, inside of a function that has one: counts only where no function is.
 */
bool symtab_is_label(const struct symtab *st, u32 index);
struct sym_names symtab_builder_names(const struct symtab_builder *b);
/* "" when there is none; tmp holds what had to be read. Any thread. */
const char *sym_name_at(const struct sym_names *n, u32 offset, struct strbuf *tmp);
/*
 * Which of two names for one address is shown: true = a, which comes first in the file. names: the
 * strings that the rows refer to.
 */
bool symtab_prefers(const struct sym_row *a, const struct sym_row *b,
		    const struct sym_names *names);
/* The table without symbols, for those who have none; static, symtab_free() ignores it. */
struct symtab *symtab_none(void);

#endif
