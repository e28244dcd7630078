/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi: how a machine's registers are numbered in call frame information and in samples.
 *
 * Sources: x86-64 psABI 3.6.2, i386 psABI 2.5, DWARF for the Arm 64-bit Architecture (AADWARF64);
 * sample registers: the kernel's asm/perf_regs.h of each architecture, part of its ABI.
 */
#ifndef UNWIND_ABI_H
#define UNWIND_ABI_H

#include "base/types.h"

/* DWARF columns that are followed: general registers and return address; on arm64 the last one
 * stands for the program counter that a signal interrupted. */
enum { UNWIND_REGS = 33, UNWIND_PC = 32 };

struct unwind_abi {
	const char *name;
	u16 elf_machine;
	u8 word; /* bytes of an address */
	u8 nr_regs; /* columns below this are followed */
	u8 sp, fp, ra; /* columns */
	bool link_register; /* a function without a rule for ra still has it in the register */
	u8 pc_reg; /* sample register of the program counter */
	const s8 *perf_reg; /* of each column, -1 = not in samples */
};

/* machine as in uname -m or the header feature ARCH; is32: the sample's registers are 32-bit ones
 * (PERF_SAMPLE_REGS_ABI_32). NULL: no unwinding for it. */
const struct unwind_abi *unwind_abi_find(const char *machine, bool is32);

/* Registers at one frame. Values are meaningful where valid has the column's bit. */
struct unwind_regs {
	u64 v[UNWIND_REGS];
	u64 valid;
	u64 pc;
};

/* Where the registers of an event's samples are: one word per bit set in a mask, lowest first. */
struct unwind_reg_words {
	const struct unwind_abi *abi; /* of the machine, and */
	u64 mask; /* the registers that samples have */
	u64 valid; /* as in struct unwind_regs; 0: pc or stack pointer are not there */
	u8 pc; /* number of its word */
	u8 nr;
	struct {
		u8 column, word;
	} reg[UNWIND_REGS];
};

/* abi NULL: nothing is there. */
void unwind_reg_words_init(struct unwind_reg_words *m, const struct unwind_abi *abi, u64 mask);
void unwind_regs_read(const struct unwind_reg_words *m, const u64 *words, struct unwind_regs *out);
/* Both at once; m, zero bytes at first, is made anew where abi or mask are others than before.
 * False: pc or stack pointer are not in it. */
bool unwind_regs_from_sample(struct unwind_reg_words *m, const struct unwind_abi *abi, u64 mask,
			     const u64 *words, struct unwind_regs *out);

#endif
