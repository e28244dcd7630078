/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is decoded here and not by Capstone (x86_vector): bytes, general registers and
 * memory operands of 64-bit code, in objdump's words. Source: Intel's manual, volume 2, chapter 2.
 */
#ifndef DISASM_X86_OPERANDS_H
#define DISASM_X86_OPERANDS_H

#include "disasm/disasm.h"

/* Bytes that are not read yet; behind the end they are 0, and `broken`. */
struct x86_bytes {
	const u8 *p, *end;
	bool broken;
};

static inline u8 x86_next(struct x86_bytes *b)
{
	if (b->p < b->end)
		return *b->p++;
	b->broken = true;
	return 0;
}

enum { X86_NO_REG = 0xff, X86_ON_RIP = 0xfe };

struct x86_address {
	u8 base, index; /* numbers of registers, X86_NO_REG, X86_ON_RIP */
	u8 scale;
	bool has_disp, is_disp8, narrow; /* narrow: registers of 32 bits */
	bool names_no_index; /* a SIB byte that was not needed: "%riz" */
	s64 disp;
	const char *segment; /* NULL = none */
};

/* What ModRM's memory operand is, with the bits that extend its registers. narrow and segment stay.
 */
void x86_read_address(struct x86_bytes *b, u8 modrm, bool ext_base, bool ext_index,
		      struct x86_address *out);

void x86_add_address(struct strbuf *text, const struct x86_address *a, bool intel);
/* Of 1, 2, 4 or 8 bytes; with a REX prefix 4 to 7 are other registers of 1 byte. */
void x86_add_general(struct strbuf *text, unsigned int number, u8 size, bool rex, bool intel);
/* "        # 2004 <name>": the address that an instruction whose text begins at `from` refers to.
 */
void x86_add_data(const struct disasm_opts *o, size_t from, struct insn *out, struct strbuf *text);

#endif
