/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr: evaluates the DWARF expressions of call frame rules (DWARF 5 section 2.5): PLT stubs,
 * realigned stacks, signal frames. Every step is bounded.
 */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "unwind/abi.h"
#include "unwind/stack.h"

/*
 * initial: pushed first, NULL = nothing (rules for registers start with the CFA). False: a value is
 * not known (register, memory) or the expression is broken.
 */
bool unwind_expr(const struct unwind_abi *abi, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, const u8 *code, u16 len, const u64 *initial,
		 u64 *result);

#endif
