/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/trampoline.h"

#include <string.h>

/* Where struct sigcontext has the registers, from the stack pointer in the trampoline on: the
 * handler's return has taken the address below it. */
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

/* The same for arm64: struct siginfo lies before struct ucontext. */
enum { ARM64_REGS = 128 + 176 + 8 };
#define X(nr)                                                                                      \
	{                                                                                          \
		nr, CFI_OFFSET, 0, ARM64_REGS + 8 * (nr)                                           \
	}

static const struct cfi_rule
	arm64_rule = {
		.cfa = { .kind = CFI_REGISTER, .reg = 31, .flags = CFI_RULE_SIGNAL, .nr = 33 },
		.regs = { X(0),  X(1),  X(2),  X(3),  X(4),  X(5),        X(6),  X(7),  X(8),
			  X(9),  X(10), X(11), X(12), X(13), X(14),       X(15), X(16), X(17),
			  X(18), X(19), X(20), X(21), X(22), X(23),       X(24), X(25), X(26),
			  X(27), X(28), X(29), X(30), X(31), X(UNWIND_PC) },
	};

static const struct trampoline trampolines[] = {
	/* mov $15, %rax; syscall */
	{ "x86_64", EM_X86_64, 9, { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 }, &x86_64_rule },
	{ "x86_64", EM_X86_64, 7, { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 }, &x86_64_rule },
	/* mov x8, #139; svc #0 */
	{ "aarch64", EM_AARCH64, 8, { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }, &arm64_rule },
};

const struct trampoline *trampoline_find(u16 machine, const u8 *code, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(trampolines); i++) {
		const struct trampoline *t = &trampolines[i];

		if (machine == t->machine && size >= t->size && !memcmp(code, t->code, t->size))
			return t;
	}
	return NULL;
}
