/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/frame_pointers.h"

#include <string.h>

#include "arch/x86_insn.h"
#include "dso/elf/symbols.h"
#include "dso/symbols/go_symbols.h"
#include "unwind/cfi.h"
#include "unwind/cfi_program.h"

enum { PROLOGUE = 64, KEPT_PERCENT = 90, LOST_PERCENT = 10, COVERED_PERCENT = 50 };

/* What one function does. */
struct habits {
	const struct unwind_abi *abi;
	bool sets_fp; /* the frame pointer gets the place of the frame */
	bool makes_frame; /* the stack pointer moves, or the return address is saved */
	bool stub; /* its CFA is an expression: linkers' stubs, signal frames */
};

struct frame_reading {
	const struct elf_file *f;
	const struct unwind_abi *abi;
	u32 max;
	struct frame_pointers *out;
};

/* ---- the first instructions ---- */

static void look_at_x86(const u8 *p, size_t n, bool is64, struct habits *h)
{
	for (size_t at = 0; at < n;) {
		unsigned int len = x86_insn_length(p + at, n - at, is64);
		const u8 *i = p + at;

		if (!len || *i == 0xc3 || *i == 0xe8 || *i == 0xe9 || *i == 0xeb)
			return; /* a call, a jump or a return: the prologue is over */
		at += len;
		if ((*i & 0xf8) == 0x50 || (len == 2 && i[0] == 0x41 && (i[1] & 0xf8) == 0x50)) {
			h->makes_frame = true; /* push */
			continue;
		}
		if (is64 && len >= 3 && *i == 0x48) {
			i++;
			len--;
		}
		if (len < 2)
			continue;
		if ((i[0] == 0x89 && i[1] == 0xe5) || (i[0] == 0x8b && i[1] == 0xec) ||
		    (i[0] == 0x8d && len >= 4 && (i[1] == 0x6c || i[1] == 0xac) && i[2] == 0x24))
			h->sets_fp = true; /* mov rbp, rsp; lea rbp, [rsp + N] */
		else if ((i[0] == 0x83 || i[0] == 0x81) && i[1] == 0xec)
			h->makes_frame = true; /* sub rsp, N */
	}
}

static void look_at_arm64(const u8 *p, size_t n, struct habits *h)
{
	enum { RET = 0xd65f03c0U, BL = 0x94000000U };

	for (size_t at = 0; at + 4 <= n; at += 4) {
		u32 insn = p[at] | (u32)p[at + 1] << 8 | (u32)p[at + 2] << 16 |
			   (u32)p[at + 3] << 24;

		if (insn == RET || (insn & 0xfc000000U) == BL)
			return;
		if ((insn & 0xffc003ffU) == 0x910003fdU || (insn & 0xffc003ffU) == 0xd10003fdU)
			h->sets_fp = true; /* add x29, sp, #N; mov x29, sp; sub x29, sp, #N (Go) */
		else if ((insn & 0xfe407c00U) == 0xa8007800U && (insn >> 5 & 31) == 31)
			h->makes_frame = true; /* stp xN, x30, [sp ...] */
	}
}

/* offset: of the function in the file. */
static void look_at_code(const struct frame_reading *r, u64 offset, u64 size, struct habits *h)
{
	u8 code[PROLOGUE];
	size_t n = MIN(size, sizeof(code));

	if (!n || !elf_read(r->f, offset, code, n))
		return;
	if (r->f->machine == EM_X86_64 || r->f->machine == EM_386)
		look_at_x86(code, n, r->f->machine == EM_X86_64, h);
	else if (r->f->machine == EM_AARCH64)
		look_at_arm64(code, n, h);
}

static void count(const struct frame_reading *r, const struct habits *h)
{
	r->out->looked_at++;
	if (h->stub)
		return;
	if (h->sets_fp)
		r->out->framed++;
	else if (h->makes_frame)
		r->out->frameless++;
}

/* ---- call frame information ---- */

static void look_at_row(void *ctx, u64 offset UNUSED, const struct cfi_state *state)
{
	struct habits *h = ctx;
	const struct unwind_abi *abi = h->abi;

	if (state->cfa.kind != CFI_REGISTER || state->cfa.flags & CFI_RULE_SIGNAL) {
		h->stub = true;
		return;
	}
	if (state->cfa.reg == abi->fp)
		h->sets_fp = true;
	else if (abi->link_register)
		h->makes_frame |= state->regs[abi->ra].kind == CFI_OFFSET;
	else
		h->makes_frame |= state->cfa.value > abi->word;
}

static void look_at_function(void *ctx, const struct cfi_described *fn, u64 start, u64 len)
{
	const struct frame_reading *r = ctx;
	struct habits h = { .abi = r->abi };
	u64 offset;

	if (!cfi_described_rows(fn, look_at_row, &h))
		return;
	if (h.makes_frame && !h.sets_fp && elf_file_offset(r->f, start, &offset))
		look_at_code(r, offset, len, &h);
	count(r, &h);
}

/* ---- objects without it: symbols tell where functions begin ---- */

static void look_at_symbols(const struct frame_reading *r)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	size_t step;

	elf_symbols_read(r->f, elf_symbols_kind(r->f), r->f, ELF_SPACE_FILE, &b);
	if (elf_symbols_kind(r->f) != ELF_SYMBOLS_SYMTAB)
		go_symbols_read(r->f, &b);
	step = b.rows.nr / r->max + 1;
	for (size_t i = 0; i < b.rows.nr; i += step) {
		struct habits h = { .abi = r->abi };
		const struct sym_row *row = &b.rows.v[i];

		if (row->data || row->end <= row->start)
			continue;
		look_at_code(r, row->start, row->end - row->start, &h);
		count(r, &h);
	}
}

/* Bytes of code, less the stubs that linkers make and the start-up code that compilers link in. */
static u64 code_size(const struct elf_file *f)
{
	enum { STARTUP = 256 };
	u64 size = 0;

	for (u32 i = 0; i < f->nr_sections; i++)
		if (f->sections[i].flags & SHF_EXECINSTR &&
		    strncmp(f->sections[i].name, ".plt", 4) != 0)
			size += f->sections[i].size;
	return size - MIN(size, (u64)STARTUP);
}

void frame_pointers_read(const struct elf_file *runtime, const struct elf_file *debug, u32 max,
			 struct frame_pointers *out)
{
	struct frame_reading r = { .f = runtime, .max = max, .out = out };
	struct cfi *c = cfi_open(runtime, debug);
	u64 size = code_size(runtime);
	double covered = 0;

	*out = (struct frame_pointers){ 0 };
	if (c) {
		r.abi = cfi_abi(c);
		out->with_cfi = cfi_each_function(c, max, look_at_function, &r, &covered);
		cfi_free(c);
	}
	out->covered_percent =
		covered > 0 ? (unsigned int)MIN(covered * 100.0 / (double)MAX(size, (u64)1), 100.0)
			    : 0;
	if (out->covered_percent < COVERED_PERCENT)
		look_at_symbols(&r);
}

unsigned int frame_pointers_percent(const struct frame_pointers *fp)
{
	u32 telling = fp->framed + fp->frameless;

	return telling ? (unsigned int)((u64)fp->framed * 100 / telling) : 0;
}

enum fp_verdict frame_pointers_verdict(const struct frame_pointers *fp)
{
	unsigned int percent = frame_pointers_percent(fp);

	if (!fp->framed && !fp->frameless)
		return FP_UNKNOWN;
	if (percent >= KEPT_PERCENT)
		return FP_KEPT;
	return percent <= LOST_PERCENT ? FP_LOST : FP_MIXED;
}
