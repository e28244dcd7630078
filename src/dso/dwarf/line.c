/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line number tables (DWARF 5 section 6.2), versions 2 to 5: address to file and line. A first run
 * of the program tells where its sequences are (C++ has one for each function). Rows are not kept:
 * of a sequence that is asked for, some places are, from which the program is run again up to an
 * address.
 */
#include <stdlib.h>

#include "base/compare.h"
#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf/dwarf.h"
#include "dso/dwarf/forms.h"
#include "dso/dwarf/units.h"

enum {
	LENGTHS = 12 /* bytes that tell the length of a table */,
	FILES_MAX = 1 << 20,
	ROWS_MAX = 1 << 25,
	FORMATS_MAX = 16
};
/* Of a program: what is read at once, what most instructions take, rows between places that are
 * kept. */
enum { WINDOW = 1 << 16, WINDOW_REST = 64, STOP_ROWS = 64, STOP_BYTES = 512 };
/* Of a header what is before the lengths of instructions. */
enum { HEAD = 2 + 2 + 8 + 6 };

enum {
	LNS_EXTENDED = 0,
	LNS_COPY,
	LNS_ADVANCE_PC,
	LNS_ADVANCE_LINE,
	LNS_SET_FILE,
	LNS_SET_COLUMN,
	LNS_NEGATE_STMT,
	LNS_BASIC_BLOCK,
	LNS_CONST_ADD_PC,
	LNS_FIXED_ADVANCE_PC,
	LNS_SET_PROLOGUE_END,
	LNE_END_SEQUENCE = 1,
	LNE_SET_ADDRESS = 2,
	LNE_DEFINE_FILE = 3,
	LNE_SET_DISCRIMINATOR = 4,
	LNCT_PATH = 1,
	LNCT_DIRECTORY = 2,
};

struct file {
	struct dwarf_value name;
	const char *kept; /* the same; NULL = not asked for yet */
	u64 dir;
};

struct sequence_row {
	u64 addr;
	u32 file, line, discriminator;
};

/* A row, and where the program goes on. */
struct stop {
	struct sequence_row row;
	u64 next;
};

struct sequence {
	u64 lo, hi;
	u64 program, end; /* in the section */
	u32 first, nr; /* stops; nr 0 = not known */
	bool sorted; /* addresses only grow */
};

struct dwarf_lines {
	u16 version;
	VEC(struct file) dirs; /* their dir means nothing */
	VEC(struct file) files;
	VEC(struct stop) stops; /* of a sequence one behind the other */
	VEC(struct sequence) sequences; /* by lo */
	/* header */
	struct dwarf *d;
	struct dwarf_unit *u;
	u8 min_insn, line_range, opcode_base;
	s8 line_base;
	bool is_stmt;
	u8 lengths[256];
	dwarf_row_fn *row; /* gets all rows; NULL: none is wanted */
	void *row_ctx;
};

void dwarf_lines_free(struct dwarf_lines *l)
{
	if (!l)
		return;
	vec_free(&l->dirs);
	vec_free(&l->files);
	vec_free(&l->stops);
	vec_free(&l->sequences);
	free(l);
}

/* The place of a string at the cursor, which is over the section. */
static struct dwarf_value inline_string(const struct dwarf_lines *l, struct dwarf_reader *r)
{
	const u8 *nul = memchr(r->p, '\0', (size_t)(r->end - r->p));
	struct dwarf_value v = { .class = DWARF_TABLE_STRING_AT };

	if (!nul) {
		r->bad = true;
		return v;
	}
	v.v = (u64)(r->p - l->d->sections[DWARF_LINE].data);
	r->p = nul + 1;
	return v;
}

/* r: over the section. */
static void read_old_file(struct dwarf_lines *l, struct dwarf_reader *r)
{
	struct file f = { .name = inline_string(l, r) };

	f.dir = dwarf_uleb(r);
	dwarf_uleb(r); /* time */
	dwarf_uleb(r); /* length */
	if (l->files.nr < FILES_MAX)
		*VEC_PUSH(&l->files) = f;
}

/* Versions 2 to 4: lists of strings. Entry 0 of both is the unit's own. */
static void read_old_names(struct dwarf_lines *l, struct dwarf_reader *r)
{
	*VEC_PUSH(&l->dirs) = (struct file){ 0 };
	*VEC_PUSH(&l->files) = (struct file){ .kept = l->u->name };
	while (!r->bad && r->p < r->end && *r->p)
		*VEC_PUSH(&l->dirs) = (struct file){ .name = inline_string(l, r) };
	dwarf_skip(r, 1);
	while (!r->bad && r->p < r->end && *r->p)
		read_old_file(l, r);
	dwarf_skip(r, 1);
}

/* Version 5: tables whose columns are described first. */
static bool read_table(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_lines *l,
		       struct dwarf_reader *r, bool dirs)
{
	struct {
		u64 type, form;
	} formats[FORMATS_MAX];
	unsigned int nr_formats = (unsigned int)dwarf_bytes(r, 1);
	const u8 *line = d->sections[DWARF_LINE].data;
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
			if (formats[i].type == LNCT_PATH && v.class == DWARF_STRING)
				f.name = (struct dwarf_value){ .class = DWARF_TABLE_STRING_AT,
							       .v = (u64)((const u8 *)v.s - line) };
			else if (formats[i].type == LNCT_PATH)
				f.name = v;
			else if (formats[i].type == LNCT_DIRECTORY)
				f.dir = v.v;
		}
		if (dirs)
			*VEC_PUSH(&l->dirs) = f;
		else
			*VEC_PUSH(&l->files) = f;
	}
	return !r->bad;
}

/* The state machine of section 6.2.2, as far as it is needed. */
struct state {
	u64 addr;
	u32 file, line, discriminator;
	bool is_stmt, prologue_end;
	/* of the sequence */
	u64 program, lo, last; /* where it begins; its lowest address and its latest */
	u32 rows, first; /* stops before it */
	bool sorted;
	/* what a run is for: the rows of a sequence with this address, or the last row up to it */
	u64 want;
	bool look_up, done; /* the latter of both; nothing better follows */
	struct sequence_row best; /* addr 0 = none */
};

static void start_sequence(const struct dwarf_lines *l, struct state *s, u64 program)
{
	*s = (struct state){ .file = 1,
			     .line = 1,
			     .is_stmt = l->is_stmt,
			     .program = program,
			     .first = (u32)l->stops.nr,
			     .sorted = true,
			     .want = s->want,
			     .look_up = s->look_up,
			     .best = s->best };
}

/* end: what follows. */
static void end_sequence(struct dwarf_lines *l, struct state *s, u64 end)
{
	bool keep = s->want >= s->lo && s->want < s->addr;

	s->done |= s->look_up;
	if (s->done)
		return;
	if (l->row)
		l->row(l->row_ctx,
		       &(struct dwarf_row){
			       .addr = s->addr, .file = s->file, .line = s->line, .end = true });
	/* Code that the linker dropped stands at 0. */
	if (s->rows && s->lo && s->lo < s->addr)
		*VEC_PUSH(&l->sequences) =
			(struct sequence){ .lo = s->lo,
					   .hi = s->addr,
					   .program = s->program,
					   .end = end,
					   .first = s->first,
					   .nr = keep ? (u32)l->stops.nr - s->first : 0,
					   .sorted = s->sorted };
	else
		keep = false;
	if (!keep)
		l->stops.nr = s->first;
	start_sequence(l, s, end);
}

/* next: where the program goes on. */
static void add_row(struct dwarf_lines *l, struct state *s, u64 next)
{
	struct sequence_row row = { s->addr, s->file, s->line, s->discriminator };

	s->discriminator = 0;

	if (s->look_up) {
		if (s->addr <= s->want && s->addr >= s->best.addr)
			s->best = row;
		s->done |= s->sorted && s->addr > s->want;
		return;
	}
	if (l->row)
		l->row(l->row_ctx, &(struct dwarf_row){ s->addr, s->file, s->line, s->is_stmt,
							s->prologue_end, false });
	else if (s->rows % STOP_ROWS == 0 && l->stops.nr < ROWS_MAX)
		*VEC_PUSH(&l->stops) = (struct stop){ row, next };
	s->sorted &= !s->rows || s->addr >= s->last;
	s->lo = s->rows ? MIN(s->lo, s->addr) : s->addr;
	s->last = s->addr;
	s->rows++;
	s->prologue_end = false;
}

/* Over the bytes of a program, through a window where that is possible: most are looked at once. */
struct line_program {
	struct dwarf_reader r;
	const u8 *bytes; /* where r began */
	u64 base, end; /* offset of bytes; where the program ends */
	u8 *window; /* NULL: bytes are those of the section */
	size_t room;
};

static u64 program_at(const struct line_program *p)
{
	return p->base + (u64)(p->r.p - p->bytes);
}

static void program_directly(struct dwarf *d, struct line_program *p, u64 offset)
{
	struct dwarf_section *s = &d->sections[DWARF_LINE];

	free(p->window);
	p->window = NULL;
	p->base = offset;
	p->bytes = s->data + offset;
	p->r = (struct dwarf_reader){ .p = p->bytes, .end = p->bytes, .swap = d->swap };
	if (dwarf_section_need(s, offset, p->end - offset))
		p->r.end = s->data + p->end;
}

/* Have rest bytes in the window, or those that are left. */
static void program_more(struct dwarf *d, struct line_program *p, u64 rest)
{
	u64 offset = program_at(p);
	size_t size = (size_t)MIN(p->end - offset, (u64)p->room);

	if (!p->window || (u64)(p->r.end - p->r.p) >= MIN(rest, p->end - offset))
		return;
	if (rest > p->room ||
	    !dwarf_section_copy(&d->sections[DWARF_LINE], offset, p->window, size)) {
		program_directly(d, p, offset);
		return;
	}
	p->base = offset;
	p->r = (struct dwarf_reader){ .p = p->window, .end = p->window + size, .swap = d->swap };
}

static void program_begin(struct dwarf *d, struct line_program *p, u64 offset, u64 end, size_t room)
{
	*p = (struct line_program){ .base = offset,
				    .end = end,
				    .room = (size_t)MIN(room, end - offset) };
	if (!dwarf_section_can_copy(&d->sections[DWARF_LINE])) {
		program_directly(d, p, offset);
		return;
	}
	p->window = xmalloc(p->room + 1);
	p->bytes = p->r.p = p->r.end = p->window;
	p->r.swap = d->swap;
}

static void run_extended(struct dwarf_lines *l, struct state *s, struct line_program *p)
{
	struct dwarf_section *section = &l->d->sections[DWARF_LINE];
	u64 len = dwarf_uleb(&p->r);
	u64 at = program_at(p);
	struct dwarf_reader sub;

	if (len > p->end - at) {
		p->r.bad = true;
		return;
	}
	program_more(l->d, p, len);
	sub = p->r;
	if ((u64)(sub.end - sub.p) < len) {
		p->r.bad = true;
		return;
	}
	sub.end = sub.p + len;
	p->r.p += len;
	if (!len)
		return;
	switch (dwarf_bytes(&sub, 1)) {
	case LNE_END_SEQUENCE:
		end_sequence(l, s, at + len);
		break;
	case LNE_SET_ADDRESS:
		if (len == 5 || len == 9)
			s->addr = dwarf_bytes(&sub, (unsigned int)len - 1);
		break;
	case LNE_DEFINE_FILE:
		if (s->look_up || !dwarf_section_need(section, at, len))
			break;
		sub.p = section->data + at + 1;
		sub.end = section->data + at + len;
		read_old_file(l, &sub);
		break;
	case LNE_SET_DISCRIMINATOR:
		s->discriminator = (u32)dwarf_uleb(&sub);
		break;
	default:
		break;
	}
}

static void run_standard(struct dwarf_lines *l, struct state *s, struct line_program *p, u8 op)
{
	struct dwarf_reader *r = &p->r;

	switch (op) {
	case LNS_COPY:
		add_row(l, s, program_at(p));
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

/* Returns how many bytes of the program were looked at. */
static u64 run_program(struct dwarf_lines *l, struct state *s, u64 offset, u64 end, size_t room)
{
	struct line_program p;

	program_begin(l->d, &p, offset, end, room);
	while (!p.r.bad && !s->done) {
		u8 op;

		if (p.r.end - p.r.p < WINDOW_REST) {
			program_more(l->d, &p, WINDOW_REST);
			if (p.r.p == p.r.end)
				break;
		}
		op = *p.r.p++;
		if (op >= l->opcode_base) {
			u8 adjusted = (u8)(op - l->opcode_base);

			s->addr += (u64)(adjusted / l->line_range) * l->min_insn;
			s->line += (u32)(l->line_base + adjusted % l->line_range);
			add_row(l, s, program_at(&p));
		} else if (op == LNS_EXTENDED) {
			run_extended(l, s, &p);
		} else {
			run_standard(l, s, &p, op);
		}
	}
	end = program_at(&p);
	free(p.window);
	return end - offset;
}

static size_t lines_size(const struct dwarf_lines *l)
{
	return l->dirs.cap * sizeof(*l->dirs.v) + l->files.cap * sizeof(*l->files.v) +
	       l->sequences.cap * sizeof(*l->sequences.v) + l->stops.cap * sizeof(*l->stops.v);
}

/* What stands before the lists of names; false where it makes no sense. */
static bool read_head(struct dwarf_lines *l, struct dwarf_reader *r)
{
	l->min_insn = (u8)dwarf_bytes(r, 1);
	if (l->version >= 4)
		dwarf_skip(r, 1); /* operations per instruction: VLIW only */
	l->is_stmt = dwarf_bytes(r, 1) != 0;
	l->line_base = (s8)dwarf_bytes(r, 1);
	l->line_range = (u8)dwarf_bytes(r, 1);
	l->opcode_base = (u8)dwarf_bytes(r, 1);
	if (r->bad || !l->line_range || !l->opcode_base)
		return false;
	for (int i = 1; i < l->opcode_base; i++)
		l->lengths[i] = (u8)dwarf_bytes(r, 1);
	return true;
}

/* Header and program; false where the table makes no sense. */
static bool read_lines(struct dwarf *d, struct dwarf_unit *u, struct dwarf_lines *l, u64 want)
{
	struct dwarf_section *s = &d->sections[DWARF_LINE];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };
	struct dwarf_unit form = *u; /* sizes in this section may differ */
	struct state state = { .want = want };
	u64 len, end;

	l->d = d;
	l->u = u;
	if (!u->has_lines || !dwarf_section_need(s, u->lines_at, LENGTHS + HEAD))
		return false;
	r.p = s->data + u->lines_at;
	form.offset_size = 4;
	len = dwarf_bytes(&r, 4);
	if (len == 0xffffffff) {
		form.offset_size = 8;
		len = dwarf_bytes(&r, 8);
	}
	if (r.bad || len > (u64)(r.end - r.p) || !dwarf_spend(d, DWARF_COST_LINE_BYTE * len))
		return false;
	r.end = r.p + len;
	end = (u64)(r.end - s->data);
	l->version = (u16)dwarf_bytes(&r, 2);
	if (l->version < 2 || l->version > 5)
		return false;
	if (l->version == 5)
		dwarf_skip(&r, 2); /* sizes of addresses and selectors */
	len = dwarf_bytes(&r, form.offset_size);
	if (r.bad || len > (u64)(r.end - r.p) ||
	    (len && !dwarf_section_need(s, (u64)(r.p - s->data), len)))
		return false;
	r.end = r.p + len;
	len += (u64)(r.p - s->data);
	if (!read_head(l, &r))
		return false;
	if (l->version < 5)
		read_old_names(l, &r);
	else if (!read_table(d, &form, l, &r, true) || !read_table(d, &form, l, &r, false))
		return false;
	start_sequence(l, &state, len);
	run_program(l, &state, len, end, WINDOW);
	VEC_SORT(&l->sequences, by_u64);
	return true;
}

/* want: an address that will be asked for, 0 = none. */
static struct dwarf_lines *lines_of(struct dwarf *d, struct dwarf_unit *u, u64 want)
{
	if (!u->lines) {
		u->lines = XNEW(struct dwarf_lines);
		if (!read_lines(d, u, u->lines, want))
			u->lines->sequences.nr = 0;
		dwarf_count_tables(d, u, lines_size(u->lines));
	}
	return u->lines;
}

/* Stops of a sequence that was not wanted when the table was read. */
static void read_sequence(struct dwarf_lines *l, size_t i)
{
	struct sequence seq = l->sequences.v[i];
	struct state state = { .want = seq.lo };
	size_t sequences = l->sequences.nr;
	size_t files = l->files.nr;
	size_t before = lines_size(l);

	seq.first = (u32)l->stops.nr;
	start_sequence(l, &state, seq.program);
	run_program(l, &state, seq.program, seq.end, WINDOW);
	seq.nr = (u32)l->stops.nr - seq.first;
	/* It is known already, and so are the files that it defined. */
	l->sequences.nr = sequences;
	l->files.nr = files;
	l->sequences.v[i] = seq;
	dwarf_count_tables(l->d, l->u, lines_size(l) - before);
}

bool dwarf_line_rows(struct dwarf *d, struct dwarf_unit *u, dwarf_row_fn *row, void *ctx)
{
	struct dwarf_lines l = { .row = row, .row_ctx = ctx };
	bool fine = read_lines(d, u, &l, 0);

	vec_free(&l.dirs);
	vec_free(&l.files);
	vec_free(&l.stops);
	vec_free(&l.sequences);
	return fine;
}

void dwarf_line_ranges(struct dwarf *d, struct dwarf_unit *u, dwarf_range_fn *range, void *ctx)
{
	VEC_FOR(&lines_of(d, u, 0)->sequences, seq)
		range(ctx, seq->lo, seq->hi);
}

static const char *file_name(const struct dwarf_lines *l, struct file *f)
{
	if (!f->kept)
		f->kept = dwarf_keep_value(l->d, l->d, l->u, &f->name);
	return f->kept;
}

bool dwarf_line_file(struct dwarf *d, struct dwarf_unit *u, u32 file, struct dwarf_place *out)
{
	struct dwarf_lines *l = lines_of(d, u, 0);
	struct file *f;

	if (file >= l->files.nr || !file_name(l, &l->files.v[file]))
		return false;
	f = &l->files.v[file];
	out->file = f->kept;
	out->dir = f->dir < l->dirs.nr ? file_name(l, &l->dirs.v[f->dir]) : NULL;
	out->comp_dir = u->comp_dir;
	out->in_comp_dir = l->version >= 5 && f->dir == 0;
	return true;
}

/* The last row of a sequence up to an address; false: there is none. */
static bool find_row(struct dwarf_lines *l, const struct sequence *seq, u64 addr,
		     struct sequence_row *out)
{
	enum { USUAL_BYTES = 1 << 13, BYTES_OF_WORK = 16 };
	struct state state = { .want = addr, .look_up = true };
	u64 from = seq->program;
	u64 ran;
	size_t at;

	start_sequence(l, &state, from);
	at = seq->nr && seq->sorted
		     ? search_up_to(l->stops.v + seq->first, seq->nr, sizeof(*l->stops.v), addr)
		     : 0;
	if (at) {
		const struct stop *stop = &l->stops.v[seq->first + at - 1];

		state.best = stop->row;
		state.addr = stop->row.addr;
		state.file = stop->row.file;
		state.line = stop->row.line;
		from = stop->next;
	}
	state.sorted = seq->sorted;
	ran = run_program(l, &state, from, seq->end, seq->sorted ? STOP_BYTES : WINDOW);
	/* Compilers' rows are near a place that is known. What is asked of others may take as long
	 * each time. */
	if (ran > USUAL_BYTES && !dwarf_spend(l->d, ran / BYTES_OF_WORK))
		return false;
	*out = state.best;
	return out->addr != 0;
}

bool dwarf_line_find(struct dwarf *d, struct dwarf_unit *u, u64 addr, struct dwarf_place *out)
{
	struct dwarf_lines *l = lines_of(d, u, addr);
	size_t lo = search_up_to(l->sequences.v, l->sequences.nr, sizeof(*l->sequences.v), addr);
	struct sequence_row row;

	if (!lo || addr >= l->sequences.v[lo - 1].hi)
		return false;
	if (!l->sequences.v[lo - 1].nr)
		read_sequence(l, lo - 1);
	if (!find_row(l, &l->sequences.v[lo - 1], addr, &row) ||
	    !dwarf_line_file(d, u, row.file, out))
		return false;
	out->line = row.line;
	out->discriminator = row.discriminator;
	return true;
}
