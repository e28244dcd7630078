/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * way_out: where code without unwind tables keeps its return address, told by the instructions that
 * it will leave by.
 *
 * From an address on, all ways through the code are followed up to a return: what they pop and add
 * on the way is how deep the stack is. All ways that are found have to agree. Code that takes its
 * frame down by the frame pointer, or reaches variables below it, keeps one. Nothing has to be
 * known of where the function begins, so this serves for stripped programs and code of JIT
 * compilers, too. Where a frame is not of the function that its pointer is set in (SBCL's calls),
 * nothing is found. x86 alone.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. Threads: nothing
 * is kept.
 */
#ifndef UNWIND_WAY_OUT_H
#define UNWIND_WAY_OUT_H

#include "unwind/cfi.h"

/* Bytes of code that are worth having: altogether, and in front of the address, for jumps back. */
enum { WAY_OUT_CODE = 5120, WAY_OUT_BEFORE = 1024 };

struct way_out_code {
	const u8 *bytes;
	u32 size, at;
	bool is64;
};

/*
 * code: around the address, which is at `at`, as much as there is. called: what stands in front of
 * it is a call. True: out is CFI_STEP_SP or CFI_STEP_FP, as if a table had told it, or
 * CFI_STEP_FP_AND_SP.
 */
bool way_out_find(struct way_out_code code, bool called, struct cfi_step *out);
/*
 * Whether it comes to a return soon, past branches, with one call at most on the way, and with a
 * stack pointer that it computed: so do functions that end by __builtin_eh_return().
 */
bool way_out_leaves_by_sp(struct way_out_code code);

#endif
