/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How objdump names x86 instructions where Capstone's names are others. */
#ifndef DISASM_X86_NAMES_H
#define DISASM_X86_NAMES_H

#include "base/types.h"

/* Of Capstone's Intel name, without prefixes; mostly the same text. */
const char *x86_att_name(const char *intel);
const char *x86_intel_name(const char *capstone);
/* Whether AT&T syntax marks the size of memory with a letter where no register tells it. */
bool x86_takes_suffix(unsigned int id);
/* Whether Intel syntax shows no size of memory (prefetch, fxsave, ...). */
bool x86_has_no_size(unsigned int id);
/* Whether the name of a comparison tells what its immediate operand does ("cmpltps"). */
bool x86_has_predicate(const char *mnemonic, unsigned int id);
/* Bytes of memory that Intel syntax tells, where Capstone has another number. */
u8 x86_memory_size(unsigned int id, u8 size);
bool x86_is_general(unsigned int reg);
bool x86_is_vector(unsigned int reg);

enum x87_operands { X87_NONE, X87_REG, X87_REG_TOP, X87_TOP_REG };
struct x87_name {
	char text[12];
	enum x87_operands operands;
	u8 size; /* of memory, for Intel syntax; 0 = not shown */
};
/* False: this file does not know it (others do, or it is none). */
bool x87_find(u8 op, u8 modrm, bool intel, struct x87_name *out);

#endif
