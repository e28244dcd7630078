/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefmt: tracepoint formats: fields with typed access, and the text that the event's
 * "print fmt" makes of a record's raw bytes.
 *
 * A struct tracefmt is compiled once from the text of a format file (or of a perf.data's tracing
 * data) and is read-only afterwards: printing is thread-safe. Field values are read with bounds
 * checked against the raw size; what does not fit prints as nothing.
 * Source: the kernel's Documentation/trace/events.rst; the tracing data blob:
 * doc/format/perf.data.md.
 */
#ifndef TRACEFMT_TRACEFMT_H
#define TRACEFMT_TRACEFMT_H

#include "base/err.h"
#include "base/strbuf.h"

enum tracefmt_field_flags {
	TRACEFMT_ARRAY = 1 << 0,
	TRACEFMT_SIGNED = 1 << 1,
	TRACEFMT_STRING = 1 << 2, /* char array or __data_loc char[] */
	TRACEFMT_DYNAMIC = 1 << 3, /* __data_loc */
	TRACEFMT_REL_DYNAMIC = 1 << 4, /* __rel_loc */
	TRACEFMT_POINTER = 1 << 5,
	TRACEFMT_LONG = 1 << 6,
	TRACEFMT_COMMON = 1 << 7, /* common_type, common_flags, ... */
	TRACEFMT_SWAPPED = 1 << 8, /* recorded with the other byte order */
};

struct tracefmt_field {
	const char *name, *type;
	u32 offset, size;
	u32 element_size; /* of arrays */
	u32 nr; /* elements of a fixed array, 0 = not declared */
	unsigned int flags;
};

struct tracefmt;
struct tracefmt_set; /* all formats of a file, printk formats, saved cmdlines */

/*
 * The blob of feature TRACING_DATA or of record HEADER_TRACING_DATA, or a set filled from a running
 * kernel's tracefs on demand. Broken parts of the blob are skipped with *e describing the first
 * when nothing at all could be read (returns -1 then).
 */
int tracefmt_set_from_blob(struct tracefmt_set **out, const void *blob, size_t size, struct err *e);
struct tracefmt_set *tracefmt_set_new(void);
int tracefmt_set_add(struct tracefmt_set *s, const char *system, const char *format_text,
		     size_t len, struct err *e);
void tracefmt_set_free(struct tracefmt_set *s);
/* NULL when there is no such event. id: the config of a tracepoint attr. */
const struct tracefmt *tracefmt_by_id(const struct tracefmt_set *s, u64 id);
const struct tracefmt *tracefmt_by_name(const struct tracefmt_set *s, const char *system,
					const char *name);
size_t tracefmt_set_count(const struct tracefmt_set *s);
const struct tracefmt *tracefmt_set_at(const struct tracefmt_set *s, size_t i);

const char *tracefmt_system(const struct tracefmt *t);
const char *tracefmt_name(const struct tracefmt *t);
u64 tracefmt_id(const struct tracefmt *t);
size_t tracefmt_nr_fields(const struct tracefmt *t);
const struct tracefmt_field *tracefmt_field(const struct tracefmt *t, size_t i);
const struct tracefmt_field *tracefmt_find_field(const struct tracefmt *t, const char *name);

/* Integer field (sign-extended when signed); false when it does not lie in raw. */
bool tracefmt_u64(const struct tracefmt_field *f, const void *raw, size_t size, u64 *value);
/* String field, or any array, as bytes inside raw; false when out of bounds. */
bool tracefmt_bytes(const struct tracefmt_field *f, const void *raw, size_t size, const char **data,
		    size_t *len);

/* Kernel symbol names for %pS, %ps, %pF: writes "name" or "name+0x1a/0x40"; false = unknown. */
typedef bool (*tracefmt_sym_fn)(void *ctx, u64 addr, bool with_offset, struct strbuf *out);
struct tracefmt_print_ctx {
	tracefmt_sym_fn sym;
	void *sym_ctx;
	bool bit_lists; /* sets of bits (CPUs) as lists, "0-2,5", not in hexadecimal */
};
/* Whether every text of the event is printable ASCII: numbers, and such words between them. */
bool tracefmt_is_plain(const struct tracefmt *t);
/* Append the event's text as perf script prints it (no newline). Thread-safe. */
void tracefmt_print(const struct tracefmt *t, const void *raw, size_t size,
		    const struct tracefmt_print_ctx *ctx, struct strbuf *out);
/* The same without the event's format: " name=value" of every field that is not common to all. */
void tracefmt_print_fields(const struct tracefmt *t, const void *raw, size_t size,
			   struct strbuf *out);
/* A field that its event's format shows as a set of bits, as a list: "0-2,5". False: it is none. */
bool tracefmt_print_bit_list(const struct tracefmt *t, const struct tracefmt_field *f,
			     const void *raw, size_t size, struct strbuf *out);
/* One field's value as it stands there. */
void tracefmt_print_field(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw,
			  size_t size, struct strbuf *out);

/*
 * The names that the format has for values of fields (__print_flags(), __print_symbolic()): for
 * each such use first BEGIN, then its values. flags: of bits that are told together, with BEGIN's
 * text between two of them.
 */
enum tracefmt_names_kind { TRACEFMT_NAMES_BEGIN, TRACEFMT_NAMES_VALUE };
struct tracefmt_names {
	enum tracefmt_names_kind kind;
	const struct tracefmt_field *field;
	bool flags;
	bool plain; /* of the field as it stands, perhaps without some of its bits */
	s64 value;
	const char *text; /* not terminated */
	u32 len;
};
typedef void (*tracefmt_name_fn)(void *ctx, const struct tracefmt_names *n);
void tracefmt_each_name(const struct tracefmt *t, tracefmt_name_fn fn, void *ctx);

#endif
