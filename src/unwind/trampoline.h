/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trampoline: the code that a signal handler returns to, where it has no call frame information:
 * Go's runtime and musl write it without (glibc and x86's vdso have some), and the table of arm64's
 * vdso leads past what was interrupted. It is known by its instructions; what was interrupted lies
 * above it on the stack, in the kernel's struct ucontext (asm/ucontext.h, asm/sigcontext.h).
 */
#ifndef UNWIND_TRAMPOLINE_H
#define UNWIND_TRAMPOLINE_H

#include "unwind/cfi.h"

enum { TRAMPOLINE_BYTES = 16 }; /* no longer ones are known */

struct trampoline {
	const char *abi; /* name of a struct unwind_abi */
	u16 machine; /* ELF's */
	u8 size;
	u8 code[TRAMPOLINE_BYTES];
	const struct cfi_rule *rule; /* without expressions */
};

/* machine: ELF's; NULL: it is none. */
const struct trampoline *trampoline_find(u16 machine, const u8 *code, size_t size);

#endif
