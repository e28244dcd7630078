/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr: evaluates the DWARF expressions of call frame rules (DWARF 5 section 2.5): PLT stubs,
 * realigned stacks, signal frames. Every step is bounded.
 */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "unwind/abi.h"
#include "unwind/stack.h"

struct unwind_expr {
	const u8 *code;
	u16 len;
	const u64 *
		initial; /* pushed first, NULL = nothing (rules for registers start with the CFA) */
};

/* Steps that a walk may take in all of its expressions: they can jump back. */
enum { UNWIND_EXPR_STEPS = 1 << 16 };

/*
 * *steps: how many may still be taken; those taken are subtracted. False: a value is not known
 * (register, memory), the expression is broken, or goes on for too long.
 */
bool unwind_expr(const struct unwind_abi *abi, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, const struct unwind_expr *expr, u32 *steps,
		 u64 *result);

#endif
