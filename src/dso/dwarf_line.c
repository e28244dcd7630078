/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line number tables (DWARF 5 section 6.2), versions 2 to 5: address to file and line. A first run of the
 * program tells where its sequences are (C++ has one for each function); rows are kept of those alone that
 * are asked for.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf.h"
#include "dso/dwarf_forms.h"

enum { LENGTHS = 12 /* bytes that tell the length of a table */, FILES_MAX = 1 << 20, ROWS_MAX = 1 << 25, FORMATS_MAX = 16 };

enum {
	LNS_EXTENDED = 0, LNS_COPY, LNS_ADVANCE_PC, LNS_ADVANCE_LINE, LNS_SET_FILE, LNS_SET_COLUMN,
	LNS_NEGATE_STMT, LNS_BASIC_BLOCK, LNS_CONST_ADD_PC, LNS_FIXED_ADVANCE_PC, LNS_SET_PROLOGUE_END,
	LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS = 2, LNE_DEFINE_FILE = 3,
	LNCT_PATH = 1, LNCT_DIRECTORY = 2,
};

struct file {
	const char *name;
	u64 dir;
};

struct row {
	u64 addr;
	u32 file, line;
};

struct sequence {
	u64 lo, hi;
	const u8 *program, *end;
	u32 first, nr; /* rows; nr 0 = not kept */
};

struct dwarf_lines {
	u16 version;
	VEC(const char *) dirs;
	VEC(struct file) files;
	VEC(struct row) rows; /* those that are kept, one sequence behind the other */
	VEC(struct sequence) sequences; /* by lo */
	/* header */
	bool swap;
	u8 min_insn, line_range, opcode_base;
	s8 line_base;
	bool is_stmt;
	u8 lengths[256];
	dwarf_row_fn *row; /* who wants all rows; NULL: they are kept as below */
	void *row_ctx;
};

void dwarf_lines_free(struct dwarf_lines *l)
{
	if (!l)
		return;
	vec_free(&l->dirs);
	vec_free(&l->files);
	vec_free(&l->rows);
	vec_free(&l->sequences);
	free(l);
}

static const char *inline_string(struct dwarf_reader *r)
{
	const u8 *nul = memchr(r->p, '\0', (size_t)(r->end - r->p));
	const char *s = (const char *)r->p;

	if (!nul) {
		r->bad = true;
		return "";
	}
	r->p = nul + 1;
	return s;
}

static void read_old_file(struct dwarf_lines *l, struct dwarf_reader *r, const char *name)
{
	struct file f = { .name = name, .dir = dwarf_uleb(r) };

	dwarf_uleb(r); /* time */
	dwarf_uleb(r); /* length */
	if (l->files.nr < FILES_MAX)
		*VEC_PUSH(&l->files) = f;
}

/* Versions 2 to 4: lists of strings. Entry 0 of both is the unit's own. */
static void read_old_names(struct dwarf_lines *l, const struct dwarf_unit *u, struct dwarf_reader *r)
{
	const char *s;

	*VEC_PUSH(&l->dirs) = NULL;
	*VEC_PUSH(&l->files) = (struct file){ .name = u->name };
	while (!r->bad && *(s = inline_string(r)))
		*VEC_PUSH(&l->dirs) = s;
	while (!r->bad && *(s = inline_string(r)))
		read_old_file(l, r, s);
}

/* Version 5: tables whose columns are described first. */
static bool read_table(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_lines *l,
		       struct dwarf_reader *r, bool dirs)
{
	struct {
		u64 type, form;
	} formats[FORMATS_MAX];
	unsigned int nr_formats = (unsigned int)dwarf_bytes(r, 1);
	u64 nr;

	if (nr_formats > FORMATS_MAX)
		return false;
	for (unsigned int i = 0; i < nr_formats; i++) {
		formats[i].type = dwarf_uleb(r);
		formats[i].form = dwarf_uleb(r);
		if (formats[i].form > UINT16_MAX)
			return false;
	}
	nr = dwarf_uleb(r);
	if (nr > FILES_MAX || nr > (u64)(r->end - r->p) || (nr && !nr_formats))
		return false;
	for (u64 n = 0; n < nr && !r->bad; n++) {
		struct file f = { 0 };

		for (unsigned int i = 0; i < nr_formats; i++) {
			struct dwarf_value v;

			if (!dwarf_form_read(d, u, r, (u16)formats[i].form, 0, &v))
				return false;
			if (formats[i].type == LNCT_PATH)
				f.name = dwarf_value_string(d, u, &v);
			else if (formats[i].type == LNCT_DIRECTORY)
				f.dir = v.v;
		}
		if (dirs)
			*VEC_PUSH(&l->dirs) = f.name;
		else
			*VEC_PUSH(&l->files) = f;
	}
	return !r->bad;
}

/* The state machine of section 6.2.2, as far as it is needed. */
struct state {
	u64 addr;
	u32 file, line;
	bool is_stmt, prologue_end;
	/* of the sequence */
	u32 first; /* row */
	const u8 *program;
};

static int row_cmp(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void start_sequence(const struct dwarf_lines *l, struct state *s, const u8 *program)
{
	*s = (struct state){ .file = 1, .line = 1, .is_stmt = l->is_stmt, .first = (u32)l->rows.nr,
			     .program = program };
}

/* want: the address whose rows are kept. end: what follows. */
static void end_sequence(struct dwarf_lines *l, struct state *s, u64 want, const u8 *end)
{
	u32 nr = (u32)l->rows.nr - s->first;
	struct row *rows = nr ? &l->rows.v[s->first] : NULL;
	bool sorted = true;

	if (l->row)
		l->row(l->row_ctx, &(struct dwarf_row){ .addr = s->addr, .file = s->file, .line = s->line, .end = true });
	for (u32 i = 1; i < nr; i++)
		sorted &= rows[i - 1].addr <= rows[i].addr;
	if (!sorted)
		qsort(rows, nr, sizeof(*rows), row_cmp);
	/* Code that the linker dropped stands at 0. */
	if (nr && rows[0].addr && rows[0].addr < s->addr) {
		bool keep = want >= rows[0].addr && want < s->addr;

		*VEC_PUSH(&l->sequences) = (struct sequence){ rows[0].addr, s->addr, s->program, end,
							      s->first, keep ? nr : 0 };
		if (!keep)
			l->rows.nr = s->first;
	} else {
		l->rows.nr = s->first;
	}
	start_sequence(l, s, end);
}

static void add_row(struct dwarf_lines *l, struct state *s)
{
	if (l->row)
		l->row(l->row_ctx, &(struct dwarf_row){ s->addr, s->file, s->line, s->is_stmt, s->prologue_end, false });
	else if (l->rows.nr < ROWS_MAX)
		*VEC_PUSH(&l->rows) = (struct row){ s->addr, s->file, s->line };
	s->prologue_end = false;
}

static void run_extended(struct dwarf_lines *l, struct state *s, struct dwarf_reader *r, u64 want)
{
	u64 len = dwarf_uleb(r);
	struct dwarf_reader sub = *r;

	if (len > (u64)(r->end - r->p)) {
		r->bad = true;
		return;
	}
	sub.end = r->p + len;
	r->p += len;
	if (!len)
		return;
	switch (dwarf_bytes(&sub, 1)) {
	case LNE_END_SEQUENCE:
		end_sequence(l, s, want, r->p);
		break;
	case LNE_SET_ADDRESS:
		if (len == 5 || len == 9)
			s->addr = dwarf_bytes(&sub, (unsigned int)len - 1);
		break;
	case LNE_DEFINE_FILE:
		read_old_file(l, &sub, inline_string(&sub));
		break;
	default:
		break;
	}
}

static void run_standard(struct dwarf_lines *l, struct state *s, struct dwarf_reader *r, u8 op)
{
	switch (op) {
	case LNS_COPY:
		add_row(l, s);
		break;
	case LNS_ADVANCE_PC:
		s->addr += dwarf_uleb(r) * l->min_insn;
		break;
	case LNS_ADVANCE_LINE:
		s->line += (u32)dwarf_sleb(r);
		break;
	case LNS_SET_FILE:
		s->file = (u32)dwarf_uleb(r);
		break;
	case LNS_NEGATE_STMT:
		s->is_stmt = !s->is_stmt;
		break;
	case LNS_SET_PROLOGUE_END:
		s->prologue_end = true;
		break;
	case LNS_CONST_ADD_PC:
		s->addr += (u64)((255 - l->opcode_base) / l->line_range) * l->min_insn;
		break;
	case LNS_FIXED_ADVANCE_PC:
		s->addr += dwarf_bytes(r, 2);
		break;
	default:
		for (u8 i = 0; i < l->lengths[op]; i++)
			dwarf_uleb(r);
	}
}

static void run_program(struct dwarf_lines *l, struct dwarf_reader *r, u64 want)
{
	struct state s;

	start_sequence(l, &s, r->p);
	while (r->p < r->end && !r->bad) {
		u8 op = *r->p++;

		if (op >= l->opcode_base) {
			u8 adjusted = (u8)(op - l->opcode_base);

			s.addr += (u64)(adjusted / l->line_range) * l->min_insn;
			s.line += (u32)(l->line_base + adjusted % l->line_range);
			add_row(l, &s);
		} else if (op == LNS_EXTENDED) {
			run_extended(l, &s, r, want);
		} else {
			run_standard(l, &s, r, op);
		}
	}
}

static int sequence_cmp(const void *a, const void *b)
{
	const struct sequence *x = a;
	const struct sequence *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Header and program; false where the table makes no sense. */
static bool read_lines(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_lines *l, u64 want)
{
	struct dwarf_section *s = &d->sections[DWARF_LINE];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };
	struct dwarf_unit form = *u; /* sizes in this section may differ */
	const u8 *program;
	u64 len;

	if (!u->has_lines || !dwarf_section_need(s, u->lines_at, LENGTHS))
		return false;
	r.p = s->data + u->lines_at;
	form.offset_size = 4;
	len = dwarf_bytes(&r, 4);
	if (len == 0xffffffff) {
		form.offset_size = 8;
		len = dwarf_bytes(&r, 8);
	}
	if (r.bad || len > (u64)(r.end - r.p) || !dwarf_spend(d, DWARF_COST_LINE_BYTE * len) ||
	    !dwarf_section_need(s, (u64)(r.p - s->data), len))
		return false;
	r.end = r.p + len;
	l->swap = d->swap;
	l->version = (u16)dwarf_bytes(&r, 2);
	if (l->version < 2 || l->version > 5)
		return false;
	if (l->version == 5)
		dwarf_skip(&r, 2); /* sizes of addresses and selectors */
	len = dwarf_bytes(&r, form.offset_size);
	if (r.bad || len > (u64)(r.end - r.p))
		return false;
	program = r.p + len;
	l->min_insn = (u8)dwarf_bytes(&r, 1);
	if (l->version >= 4)
		dwarf_skip(&r, 1); /* operations per instruction: VLIW only */
	l->is_stmt = dwarf_bytes(&r, 1) != 0;
	l->line_base = (s8)dwarf_bytes(&r, 1);
	l->line_range = (u8)dwarf_bytes(&r, 1);
	l->opcode_base = (u8)dwarf_bytes(&r, 1);
	if (r.bad || !l->line_range || !l->opcode_base)
		return false;
	for (int i = 1; i < l->opcode_base; i++)
		l->lengths[i] = (u8)dwarf_bytes(&r, 1);
	if (l->version < 5)
		read_old_names(l, u, &r);
	else if (!read_table(d, &form, l, &r, true) || !read_table(d, &form, l, &r, false))
		return false;
	r.p = program;
	run_program(l, &r, want);
	VEC_SORT(&l->sequences, sequence_cmp);
	return true;
}

/* want: an address that will be asked for, 0 = none. */
static struct dwarf_lines *lines_of(struct dwarf *d, struct dwarf_unit *u, u64 want)
{
	if (!u->lines) {
		u->lines = XNEW(struct dwarf_lines);
		if (!read_lines(d, u, u->lines, want))
			u->lines->sequences.nr = 0;
	}
	return u->lines;
}

/* Rows of a sequence that was not wanted when the table was read. */
static void read_sequence(struct dwarf_lines *l, size_t i)
{
	struct sequence seq = l->sequences.v[i];
	struct dwarf_reader r = { .p = seq.program, .end = seq.end, .swap = l->swap };
	size_t sequences = l->sequences.nr;
	size_t files = l->files.nr;

	seq.first = (u32)l->rows.nr;
	run_program(l, &r, seq.lo);
	seq.nr = (u32)l->rows.nr - seq.first;
	/* It is known already, and so are the files that it defined. */
	l->sequences.nr = sequences;
	l->files.nr = files;
	l->sequences.v[i] = seq;
}

bool dwarf_line_rows(struct dwarf *d, struct dwarf_unit *u, dwarf_row_fn *row, void *ctx)
{
	struct dwarf_lines l = { .row = row, .row_ctx = ctx };
	bool fine = read_lines(d, u, &l, 0);

	vec_free(&l.dirs);
	vec_free(&l.files);
	vec_free(&l.rows);
	vec_free(&l.sequences);
	return fine;
}

void dwarf_line_ranges(struct dwarf *d, struct dwarf_unit *u, dwarf_range_fn *range, void *ctx)
{
	VEC_FOR(&lines_of(d, u, 0)->sequences, seq)
		range(ctx, seq->lo, seq->hi);
}

bool dwarf_line_file(struct dwarf *d, struct dwarf_unit *u, u32 file, struct dwarf_place *out)
{
	const struct dwarf_lines *l = lines_of(d, u, 0);
	const struct file *f;

	if (file >= l->files.nr || !l->files.v[file].name)
		return false;
	f = &l->files.v[file];
	out->file = f->name;
	out->dir = f->dir < l->dirs.nr ? l->dirs.v[f->dir] : NULL;
	out->comp_dir = u->comp_dir;
	return true;
}

bool dwarf_line_find(struct dwarf *d, struct dwarf_unit *u, u64 addr, struct dwarf_place *out)
{
	struct dwarf_lines *l = lines_of(d, u, addr);
	size_t lo = search_up_to(l->sequences.v, l->sequences.nr, sizeof(*l->sequences.v), addr);
	struct sequence *seq;
	size_t from;

	if (!lo || addr >= l->sequences.v[lo - 1].hi)
		return false;
	if (!l->sequences.v[lo - 1].nr)
		read_sequence(l, lo - 1);
	seq = &l->sequences.v[lo - 1];
	from = seq->nr ? search_up_to(l->rows.v + seq->first, seq->nr, sizeof(*l->rows.v), addr) : 0;
	if (!from || !dwarf_line_file(d, u, l->rows.v[seq->first + from - 1].file, out))
		return false;
	out->line = l->rows.v[seq->first + from - 1].line;
	return true;
}
