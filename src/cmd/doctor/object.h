/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor/object: what can be known of one mapped file: frame pointers, unwind tables, symbols,
 * debug information and where more of it comes from.
 */
#ifndef CMD_DOCTOR_OBJECT_H
#define CMD_DOCTOR_OBJECT_H

#include "base/strbuf.h"
#include "dso/dso.h"
#include "unwind/frame_pointers.h"

enum object_lines { LINES_NONE, LINES_OWN, LINES_SEPARATE };

struct object_facts {
	bool readable; /* the file is there and is an ELF file */
	bool is32;
	bool stripped; /* no symbol table of its own, only exported names */
	bool go_table; /* it is stripped, but a Go program: the runtime's table has its functions */
	bool symbols; /* a full symbol table, own or separate, or such a table */
	enum object_lines lines;
	char debug_path[256]; /* the separate file, "" = none */
	struct build_id build_id;
	struct frame_pointers fp;
};

void object_facts_read(struct dso *d, struct object_facts *o);
/* Whether most of its code can be unwound by call frame information. */
bool object_has_tables(const struct object_facts *o);
/* "keeps frame pointers (97 % of 120 functions), unwind tables, symbols, source lines" */
void object_facts_text(const struct object_facts *o, struct strbuf *out);
/* The one command that gives names to an object that has none; false: nothing is known. */
bool object_mend_symbols(const char *path, const struct build_id *id, struct strbuf *out);

#endif
