/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the source lines of an object's addresses, and the functions that the compiler inlined
 * there.
 *
 * Of the kernel, debug information is that of the vmlinux which symbols are read from.
 * Debug information is looked for and opened when the first address of an object is asked for;
 * units are read when an address in them is. Any thread; one at a time works on an object. Callers
 * keep the answers: asking again costs a search.
 */
#ifndef DSO_SOURCE_H
#define DSO_SOURCE_H

#include "base/strbuf.h"
#include "dso/dso.h"

/* A place in a function. Strings live as long as the dso table; they are as in the file: escape
 * them. */
struct source_frame {
	const char
		*function; /* inlined, demangled; NULL: the function that the symbol table names */
	const char *raw; /* the same as in the file */
	const char *dir, *comp_dir, *file; /* file NULL = unknown */
	u32 line; /* 0 = unknown */
	u32 discriminator; /* of the innermost: tells pieces of one line apart; 0 = none */
};

enum { SOURCE_FRAMES_MAX = 65 };

/*
 * addr: in the dso's address space, as for symtab_find(). Fills the frames at it, the innermost
 * inlined function first, the real one last. 0: the object has no debug information.
 */
size_t dso_source(struct dso *d, u64 addr, struct source_frame *out, size_t max);

/* "file.c", or with the whole path; f->file is known. */
void source_add_file(struct strbuf *out, const struct source_frame *f, bool full_path);
/* "file.c:12", or with the whole path; "??:0" where it is unknown. */
void source_add_place(struct strbuf *out, const struct source_frame *f, bool full_path);

#endif
