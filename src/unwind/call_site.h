/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_site: whether an address is one that a call returns to, by the instruction in front of it.
 * For what is taken from the stack where no unwind table tells. Source: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, "CALL", "JMP" and tables of ModR/M.
 */
#ifndef UNWIND_CALL_SITE_H
#define UNWIND_CALL_SITE_H

#include "base/types.h"

enum { CALL_SITE_BYTES = 7 }; /* no longer forms are known */

enum call_kind {
	CALL_NONE,
	CALL_DIRECT, /* to `target` bytes from the return address */
	CALL_INDIRECT, /* by a register or memory */
};

struct call_site {
	enum call_kind kind;
	s32 target;
};

/* code: the CALL_SITE_BYTES in front of a return address, of x86. */
struct call_site call_site_before(const u8 code[CALL_SITE_BYTES]);

#endif
