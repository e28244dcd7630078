/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * go_table: the table by which the runtime of a Go program makes stack traces and which stays in
 * stripped programs (.gopclntab): functions by address, and for each of them tables of values by
 * program counter. Known are the four forms of Go 1.2 to now: their numbers 0xfffffffb (1.2),
 * 0xfffffffa (1.16), 0xfffffff0 (1.18), 0xfffffff1 (1.20).
 *
 * Everything is checked where it is read: what lies outside of the table is not there.
 * Sources: "Go 1.2 Runtime Symbol Information" (golang.org/s/go12symtab); the formats as packages
 * debug/gosym, runtime (symtab.go, symtabinl.go) and internal/abi of Go 1.19 to 1.24 document them
 * (BSD licence). One thread at a time, but for what is const.
 */
#ifndef DSO_GO_TABLE_H
#define DSO_GO_TABLE_H

#include "dso/dwarf/reader.h"
#include "dso/elf/file.h"

enum { GO_TABLE_WORDS = 8 };

struct go_form;

struct go_table {
	const struct go_form *form;
	u8 *bytes; /* of the section, and a NUL behind */
	const u8 *data; /* from the header on */
	u64 size, addr; /* from there to the section's end; its virtual address */
	bool swap;
	u8 word, quantum; /* bytes of an address; of the smallest instruction */
	u64 words[GO_TABLE_WORDS]; /* of the header */
	u64 text; /* addresses of functions are told from there */
	u64 nr; /* functions */
	u64 names, names_end; /* places of the names */
	u64 work_left; /* bytes of tables of values that are still read */
};

/* False: not a Go program. f is not needed afterwards. */
bool go_table_open(struct go_table *t, const struct elf_file *f);
void go_table_release(struct go_table *t); /* also for _cleanup_; all zeros is a released one */

enum go_flags { GO_TOP_FRAME = 1, GO_WRITES_SP = 2 };
enum { GO_ID_CGOCALLBACK = 4 };

struct go_function {
	u64 start, end; /* virtual addresses */
	u64 place; /* of its description behind the address */
	u64 name; /* place of the name, 0 = none */
};

/* By number, up to t->nr; false: it makes no sense. */
bool go_table_function(const struct go_table *t, u64 number, struct go_function *out);
/* The number of the function that contains an address; false: none does. */
bool go_table_find(const struct go_table *t, u64 addr, u64 *number);
/* A string at a place of the table; NULL outside. */
const char *go_table_string(const struct go_table *t, u64 place);
/* The name at an offset of the names, which begins there; NULL: none does. */
const char *go_table_name(const struct go_table *t, u64 offset);

/* Of a description: 0 where the form does not have it. */
u8 go_function_flags(const struct go_table *t, const struct go_function *fn);
u8 go_function_id(const struct go_table *t, const struct go_function *fn);

enum go_values_kind {
	GO_STACK, /* bytes between the stack pointer and where it was when the function was called
		   */
	GO_FILES,
	GO_LINES,
	GO_INLINED, /* number of the inlined call */
};

/* A table of values: ranges of addresses, in rising order. */
struct go_values {
	struct dwarf_reader r;
	struct go_table *t;
	u64 from, to; /* offsets in the function */
	s32 value;
	bool begun;
};

/* False: the function has none. */
bool go_values_begin(struct go_table *t, const struct go_function *fn, enum go_values_kind kind,
		     struct go_values *out);
/* The next range; false: there is none. */
bool go_values_next(struct go_values *v);
/* The value at an offset in the function; false: there is none. */
bool go_values_find(struct go_table *t, const struct go_function *fn, enum go_values_kind kind,
		    u64 offset, s32 *value);

/* The file of that number in the function; NULL: unknown. */
const char *go_table_file(const struct go_table *t, const struct go_function *fn, s32 file);

/* How inlined calls are described (FUNCDATA_InlTree); size 0: they are not known of that form. */
struct go_inlined_form {
	u8 size, name, call; /* bytes of an entry; where its name and the offset of the call are,
				u32 each */
};
const struct go_inlined_form *go_table_inlined_form(const struct go_table *t);
/* Where the function's inlined calls are told, from the program's go:func.*; false: it has none. */
bool go_function_inlined(const struct go_table *t, const struct go_function *fn, u32 *offset);

#endif
