/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86_insn: where an x86 instruction ends, its opcode and operands' bytes, and whether it is a
 * branch. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2
 * and the opcode maps of appendix A; AMD64 Architecture Programmer's Manual, volume 3, for XOP and
 * 3DNow.
 */
#ifndef ARCH_X86_INSN_H
#define ARCH_X86_INSN_H

#include "base/types.h"

enum { X86_INSN_MAX = 15 };

/* Where the parts of an instruction are. */
struct x86_insn {
	u8 len; /* 0: it goes on behind what can be read, or is none */
	u8 map; /* of the opcode: 0; 1 = behind 0f; X86_MAP_OTHER */
	u8 op;
	u8 rex; /* 0 = none; its R, X and B also where VEX, EVEX or XOP tell them */
	u8 modrm; /* offset, 0 = there is none */
	bool narrow; /* operands of 16 bits */
	bool short_address; /* ModRM is of 16-bit addressing, without SIB */
};
enum { X86_MAP_OTHER = 2 };

struct x86_insn x86_insn_parse(const u8 *p, size_t n, bool is64);
/* Bytes of the instruction at p, of which n can be read; 0: it goes on behind them, or is none.
 * is64: code of 64-bit mode, else of 32-bit protected mode. */
unsigned int x86_insn_length(const u8 *p, size_t n, bool is64);
/* Whether that instruction may go on elsewhere than behind itself: jumps, calls, returns, system
 * calls, software interrupts. */
bool x86_insn_is_branch(const u8 *p, size_t n, bool is64);

#endif
