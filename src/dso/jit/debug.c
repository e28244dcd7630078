/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/debug.h"

#include <stdlib.h>

#include "base/vec.h"
#include "dso/jit/lines.h"

enum { SECTION_MAX = 1 << 30 };
enum { UNIT = 1, TAG_COMPILE_UNIT = 0x11, VERSION = 4, ADDR_SIZE = 8 };
enum { AT_NAME = 0x03, AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12 };
enum { FORM_ADDR = 0x01, FORM_DATA8 = 0x07, FORM_STRING = 0x08, FORM_SEC_OFFSET = 0x17 };
enum { LNS_EXTENDED = 0, LNS_COPY = 1, LNS_ADVANCE_PC = 2, LNS_ADVANCE_LINE = 3, LNS_SET_FILE = 4 };
enum { LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS = 2 };

/* What the only kind of entry consists of. */
static const u8 abbreviations[] = {
	UNIT,
	TAG_COMPILE_UNIT,
	0,
	AT_STMT_LIST,
	FORM_SEC_OFFSET,
	AT_LOW_PC,
	FORM_ADDR,
	AT_HIGH_PC,
	FORM_DATA8,
	AT_NAME,
	FORM_STRING,
	0,
	0,
	0,
};

/* Smallest instruction, operations in one, is_stmt, line base and range, opcodes and their
 * operands. */
static const u8 line_parameters[] = { 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };

struct line_row {
	u64 offset; /* in the function */
	u32 line, file; /* files count from 1 */
};

struct line_table {
	VEC(struct line_row) rows;
	VEC(const char *) files;
};

static void put8(struct strbuf *out, u8 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void put32(struct strbuf *out, u32 v)
{
	strbuf_add(out, &v, sizeof(v));
}

static void put_unsigned(struct strbuf *out, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		put8(out, (u8)(v | 0x80));
	put8(out, (u8)v);
}

static void put_signed(struct strbuf *out, s64 v)
{
	for (; v < -0x40 || v >= 0x40; v >>= 7)
		put8(out, (u8)(v | 0x80));
	put8(out, (u8)(v & 0x7f));
}

/* A length that is known when everything behind it is there. */
static void patch_length(struct strbuf *out, size_t at)
{
	u32 len = (u32)(out->len - at - sizeof(len));

	memcpy(out->buf + at, &len, sizeof(len));
}

static u32 file_number(struct line_table *t, const char *name)
{
	if (!t->files.nr || strcmp(*VEC_LAST(&t->files), name) != 0)
		*VEC_PUSH(&t->files) = name;
	return (u32)t->files.nr;
}

static int cmp_row(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static void read_lines(const struct jit_debug_function *f, struct line_table *t)
{
	struct jit_lines l = { .addr = f->lines_addr, .size = f->size };
	struct jit_line_entry e;

	if (!jit_lines_begin(&l, f->lines, f->lines_size, f->nr_lines))
		return;
	while (jit_lines_next(&l, &e))
		if (e.offset < f->size && e.line)
			*VEC_PUSH(&t->rows) = (struct line_row){ .offset = e.offset,
								 .line = e.line,
								 .file = file_number(t, e.file) };
	VEC_SORT(&t->rows, cmp_row);
}

static void put_program(struct strbuf *out, const struct jit_debug_function *f,
			const struct line_table *t)
{
	struct line_row now = { .line = 1, .file = 1 };

	put8(out, LNS_EXTENDED);
	put_unsigned(out, 1 + ADDR_SIZE);
	put8(out, LNE_SET_ADDRESS);
	strbuf_add(out, &f->start, ADDR_SIZE);
	VEC_FOR(&t->rows, r) {
		if (r->offset != now.offset) {
			put8(out, LNS_ADVANCE_PC);
			put_unsigned(out, r->offset - now.offset);
		}
		if (r->line != now.line) {
			put8(out, LNS_ADVANCE_LINE);
			put_signed(out, (s64)r->line - (s64)now.line);
		}
		if (r->file != now.file) {
			put8(out, LNS_SET_FILE);
			put_unsigned(out, r->file);
		}
		put8(out, LNS_COPY);
		now = *r;
	}
	put8(out, LNS_ADVANCE_PC);
	put_unsigned(out, f->size - now.offset);
	put8(out, LNS_EXTENDED);
	put_unsigned(out, 1);
	put8(out, LNE_END_SEQUENCE);
}

static void put_table(struct strbuf *out, const struct jit_debug_function *f,
		      const struct line_table *t)
{
	static const u16 version = VERSION;
	size_t unit = out->len, header;

	put32(out, 0);
	strbuf_add(out, &version, sizeof(version));
	header = out->len;
	put32(out, 0);
	strbuf_add(out, line_parameters, sizeof(line_parameters));
	put8(out, 0); /* no folders */
	VEC_FOR(&t->files, name) {
		strbuf_add(out, *name, strlen(*name) + 1);
		strbuf_pad(out, '\0', 3); /* folder, time, size */
	}
	put8(out, 0);
	patch_length(out, header);
	put_program(out, f, t);
	patch_length(out, unit);
}

void jit_debug_add(struct jit_debug *d, const struct jit_debug_function *f)
{
	static const u16 version = VERSION;
	struct line_table t = { .files = { 0 } };
	size_t unit = d->info.len;

	read_lines(f, &t);
	if (t.rows.nr && d->line.len < SECTION_MAX && d->info.len < SECTION_MAX) {
		if (!d->abbrev.len)
			strbuf_add(&d->abbrev, abbreviations, sizeof(abbreviations));
		put32(&d->info, 0);
		strbuf_add(&d->info, &version, sizeof(version));
		put32(&d->info, 0); /* of the abbreviations */
		put8(&d->info, ADDR_SIZE);
		put8(&d->info, UNIT);
		put32(&d->info, (u32)d->line.len);
		strbuf_add(&d->info, &f->start, ADDR_SIZE);
		strbuf_add(&d->info, &f->size, sizeof(f->size));
		strbuf_add(&d->info, f->name, strlen(f->name) + 1);
		patch_length(&d->info, unit);
		put_table(&d->line, f, &t);
	}
	vec_free(&t.rows);
	vec_free(&t.files);
}

void jit_debug_release(struct jit_debug *d)
{
	strbuf_release(&d->abbrev);
	strbuf_release(&d->info);
	strbuf_release(&d->line);
}
