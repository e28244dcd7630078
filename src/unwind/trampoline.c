/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/trampoline.h"

#include <string.h>

/* Where struct sigcontext has the registers, from the stack pointer in the trampoline on: the handler's
 * return has taken the address below it. */
enum { X86_64_REGS = 40 };

static const struct cfi_rule x86_64_rule = {
	.cfa = { .kind = CFI_REGISTER, .reg = 7, .flags = CFI_RULE_SIGNAL, .nr = 17 },
	.regs = {
		{ 0, CFI_OFFSET, 0, X86_64_REGS + 104 },  { 1, CFI_OFFSET, 0, X86_64_REGS + 96 },
		{ 2, CFI_OFFSET, 0, X86_64_REGS + 112 },  { 3, CFI_OFFSET, 0, X86_64_REGS + 88 },
		{ 4, CFI_OFFSET, 0, X86_64_REGS + 72 },	  { 5, CFI_OFFSET, 0, X86_64_REGS + 64 },
		{ 6, CFI_OFFSET, 0, X86_64_REGS + 80 },	  { 7, CFI_OFFSET, 0, X86_64_REGS + 120 },
		{ 8, CFI_OFFSET, 0, X86_64_REGS },	  { 9, CFI_OFFSET, 0, X86_64_REGS + 8 },
		{ 10, CFI_OFFSET, 0, X86_64_REGS + 16 },  { 11, CFI_OFFSET, 0, X86_64_REGS + 24 },
		{ 12, CFI_OFFSET, 0, X86_64_REGS + 32 },  { 13, CFI_OFFSET, 0, X86_64_REGS + 40 },
		{ 14, CFI_OFFSET, 0, X86_64_REGS + 48 },  { 15, CFI_OFFSET, 0, X86_64_REGS + 56 },
		{ 16, CFI_OFFSET, 0, X86_64_REGS + 128 },
	},
};

/* mov $15, %rax; syscall */
static const struct trampoline trampolines[] = {
	{ "x86_64", 9, { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 }, &x86_64_rule },
	{ "x86_64", 7, { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 }, &x86_64_rule },
};

const struct trampoline *trampoline_find(u16 machine, const u8 *code, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(trampolines); i++) {
		const struct trampoline *t = &trampolines[i];

		if (machine == EM_X86_64 && size >= t->size && !memcmp(code, t->code, t->size))
			return t;
	}
	return NULL;
}
