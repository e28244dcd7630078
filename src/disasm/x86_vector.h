/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86 instructions that Capstone 4 does not know, or gets wrong: most of AVX-512 (EVEX, and masks
 * of VEX), of which the C library's hottest functions are made, and some small ones. Source:
 * Intel's manual, volume 2, sections 2.6 and the pages of the instructions.
 */
#ifndef DISASM_X86_VECTOR_H
#define DISASM_X86_VECTOR_H

#include "disasm/disasm.h"

/* Bytes of an instruction without a name, 1 where its length cannot be told. */
u8 x86_bad_length(const u8 *p, size_t n, bool is64);

/*
 * Code of 64-bit mode at p, which begins with the instruction at addr; out gets its length, and
 * data; the text neither ends with a comment nor is there a name. False: this file does not know
 * it.
 */
bool x86_vector_text(const u8 *p, size_t n, u64 addr, enum disasm_syntax syntax, struct insn *out,
		     struct strbuf *text);

#endif
