/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embedded: names and source lines that travel with a recording (header feature SYMBOLS): of each
 * object the symbols in which something was recorded, and where asked for the source lines of the
 * recorded addresses. Addresses are in the object's own address space (dso.h).
 *
 * The same struct is written and read. Format: doc/format/perf.data.md.
 */
#ifndef DSO_EMBEDDED_H
#define DSO_EMBEDDED_H

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "dso/jit/jitdump.h"
#include "dso/source.h"

enum embedded_symbol_flags {
	EMBEDDED_DATA = 1 << 0, /* a variable */
	EMBEDDED_LABEL = 1 << 1, /* inside of a function: see symtab_is_label() */
};

struct embedded_symbol {
	u64 start, end;
	const char *name; /* not demangled */
	u8 binding, flags;
};

struct embedded_place {
	u64 addr; /* first: searched by it */
	const struct source_frame *frames; /* as dso_source() gives them; function: not demangled */
	u32 nr;
};

struct embedded_object {
	enum dso_kind kind;
	u32 pid; /* DSO_PERF_MAP: whose */
	const char *name;
	struct build_id id; /* size 0 = unknown */
	VEC(struct embedded_symbol) symbols;
	VEC(struct embedded_place) places; /* by address */
	/* DSO_JITDUMP instead of symbols */
	VEC(struct jit_code) codes; /* name: index in code_names */
	VEC(const char *) code_names;
	u64 first_time;
	bool tsc;
};

struct embedded {
	VEC(struct embedded_object) objects;
	struct arena arena; /* what a reader made */
};

void embedded_write(const struct embedded *e, struct strbuf *body);
/* Fresh; NULL and *e when the body is broken. swap: it is of the other byte order. */
struct embedded *embedded_read(const void *body, size_t size, bool swap, struct err *e);
void embedded_free(struct embedded *e);
void embedded_release(struct embedded *e); /* its contents only */

/* From then on objects of the table that have nothing better get their names from there; takes it
 * over. Before symbols are loaded. */
void dso_table_set_embedded(struct dso_table *t, struct embedded *e);
/* Whether there are names of a process's memory without files. */
bool embedded_has_perf_map(const struct dso_table *t, u32 pid);
/* Of an object, NULL = nothing. Any thread. */
const struct embedded_object *dso_embedded(const struct dso *d);

#endif
