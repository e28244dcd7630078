/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * effect: what an instruction does to registers and memory, as far as those need it who follow
 * pointers through code: which memory it reads or writes, and what its registers hold afterwards
 * where that is simple. Of x86_64, i386 and aarch64.
 *
 * Registers have the numbers of DWARF (the psABIs'). Nothing is guessed: what is not known to
 * leave a register as it was counts as written.
 */
#ifndef DISASM_EFFECT_H
#define DISASM_EFFECT_H

#include "disasm/disasm.h"

enum { EFFECT_REGS = 32, EFFECT_NO_REG = -1 };

struct effect_memory {
	bool there, several; /* several: there is more than this one */
	bool segment; /* relative to FS or GS: of the thread or CPU */
	bool fixed; /* of a fixed address: disp is it (x86: by rip) */
	bool other; /* by a register that is followed by nobody: a vector of addresses, 16 bits */
	s8 base, index; /* registers, EFFECT_NO_REG */
	u8 scale;
	u8 size; /* bytes, 0 = unknown */
	s64 disp;
};

enum effect_kind {
	EFFECT_NONE, /* beside what is written */
	EFFECT_COPY, /* dst = src */
	EFFECT_ADD, /* dst = src + number */
	EFFECT_CONSTANT, /* dst = number */
	EFFECT_ADDRESS, /* dst = the address of memory, which is not touched */
	EFFECT_LOAD, /* dst = what is in memory, a whole register of it */
	EFFECT_PUSH, /* the stack pointer (dst) falls by number */
};

struct effect {
	struct insn insn; /* without text */
	const char *name; /* of the mnemonic, in the disassembler's words; of the library */
	enum effect_kind kind;
	s8 dst, src;
	s64 number;
	bool stack; /* it moves something on the stack by itself: push, pop, call, return */
	u32 written; /* registers that hold something else afterwards, dst too */
	struct effect_memory memory;
};

/* False: the instruction (or the machine) is not known; out->insn.len is how far the next is. */
bool effect_of(struct disasm *d, const u8 *p, size_t n, u64 addr, struct effect *out);

/* How the machine calls functions. */
struct effect_machine {
	u8 nr_regs;
	s8 stack; /* pointer */
	s8 result; /* of functions */
	u8 word;
	u8 entry_frame; /* at a function's entry the CFA is the stack pointer + this */
	u32 lost; /* registers that a called function may change */
};
/* NULL: it is not known. */
const struct effect_machine *effect_machine_of(u16 elf_machine);

#endif
