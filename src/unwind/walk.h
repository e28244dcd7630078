/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: the callers of an interrupted function from its registers and a copy of its stack.
 *
 * Where an address has a rule of its object's call frame information, the rule is followed; where the
 * code has none, the frame pointer is tried. One walk is a loop without allocation; what is found out
 * about an address is remembered by the caller of unwind_walk(), behind the lookup function.
 * Threads: a walk touches only what it is given.
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "unwind/cfi.h"
#include "unwind/trampoline.h"

/* Bytes of the stack from the stack pointer up. */
struct unwind_stack {
	const u8 *bytes;
	u64 addr, size;
};

/* The rule of an address, or what calls return to there; any of them may be missing. */
struct unwind_rule {
	const struct cfi_rule *rule;
	const struct cfi *cfi; /* of the object */
	const struct trampoline *trampoline; /* begins one byte behind */
};

/* What is known of the code at an address. */
struct unwind_code {
	bool mapped; /* the address is in some object */
	struct cfi_step step; /* what the rule comes to; CFI_STEP_RULE: look at it */
	const struct unwind_rule *rule; /* NULL: nothing of that; valid until the next question */
};
typedef void unwind_lookup_fn(void *ctx, u64 pc, struct unwind_code *out);

enum unwind_end {
	UNWIND_COMPLETE,  /* the outermost frame says that it is one */
	UNWIND_TRUNCATED, /* the copy of the stack ends before the stack does */
	UNWIND_FULL,      /* there was no room for more frames */
	UNWIND_NO_RULE,   /* code without call frame information or frame pointer */
	UNWIND_UNMAPPED,  /* a return address outside of all objects */
	UNWIND_BROKEN,    /* a rule needs what is not known, or the stack makes no progress */
};

/*
 * Fills pcs, the interrupted address first. Callers are given by the address of the call's last byte
 * (the return address less one), so that a call at the end of a function counts to it; what a signal
 * interrupted, and the trampoline that the handler returns to, by the address itself.
 */
size_t unwind_walk(const struct unwind_abi *abi, struct unwind_regs *regs,
		   const struct unwind_stack *stack, unwind_lookup_fn *lookup, void *ctx, u64 *pcs,
		   size_t max, enum unwind_end *end);

/* A word of the stack; false outside of the copy. */
bool unwind_stack_word(const struct unwind_stack *stack, u64 addr, unsigned int size, u64 *value);

#endif
