/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi: call frame information (.eh_frame, .debug_frame, or the table of a Go program's runtime) of
 * one object, compiled into rules.
 *
 * A rule says how the caller's registers are found from a frame's: where the canonical frame
 * address (CFA) is, and which registers lie where. Functions are compiled when an address in them
 * is first asked for; equal rules are stored once per object.
 *
 * Sources: DWARF 5 section 6.4; LSB Core, "Exception Frames" (.eh_frame, .eh_frame_hdr, pointer
 * encodings); AADWARF64 (return address signing).
 * cfi_find() may be called by any number of threads; rules live as long as the object.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "dso/elf/file.h"
#include "unwind/abi.h"

enum cfi_kind {
	CFI_SAME, /* the caller's value is the register's own */
	CFI_UNDEFINED, /* lost; for the return address: the outermost frame */
	CFI_OFFSET, /* in memory at CFA + value */
	CFI_VAL_OFFSET, /* is CFA + value */
	CFI_REGISTER, /* in register `value` */
	CFI_EXPR, /* in memory where the expression at `value` in the section says */
	CFI_VAL_EXPR, /* is what the expression says */
};

struct cfi_reg {
	u8 column, kind;
	u16 len; /* bytes of an expression */
	s32 value;
};

enum { CFI_RULE_SIGNAL = 1, CFI_RULE_RA_SIGNED = 2 };

/* The CFA, and what else is fixed in size. */
struct cfi_cfa {
	u8 kind; /* CFI_REGISTER: register reg + value; CFI_VAL_EXPR; CFI_UNDEFINED: none */
	u8 reg;
	u8 flags;
	u8 nr; /* of the rule's regs; columns that are not listed keep their value */
	u16 len; /* bytes of an expression */
	u8 debug_frame; /* 1: expressions are in .debug_frame, else in .eh_frame */
	u8 reserved; /* 0: rules are compared as bytes */
	s32 value;
};

struct cfi_rule {
	struct cfi_cfa cfa;
	struct cfi_reg regs[];
};

/*
 * What most rules come to where only program counter, stack pointer and frame pointer are followed:
 * the CFA is one of the two and a number, the return address stands below it, nothing else matters
 * for the caller's three.
 */
enum cfi_step_kind {
	CFI_STEP_RULE, /* not so: all of the rule is needed */
	CFI_STEP_SP,
	CFI_STEP_FP,
	CFI_STEP_OUTERMOST, /* there is no caller */
	CFI_STEP_FP_AND_SP, /* of way_out_find() alone: as CFI_STEP_FP, but what was the caller's
			       stack pointer lies one word below the frame pointer */
};

struct cfi_step {
	s32 cfa; /* to be added to that register */
	s32 fp : 29; /* where the caller's frame pointer is, from the CFA; 0 = in its register */
	u32 kind : 3;
};

struct cfi;

/*
 * runtime: the object as it is mapped; debug: its separate debug information. Either may be NULL;
 * neither is needed afterwards. NULL: no call frame information for a known machine in them.
 */
struct cfi *cfi_open(const struct elf_file *runtime, const struct elf_file *debug);
void cfi_free(struct cfi *c);

const struct unwind_abi *cfi_abi(const struct cfi *c);
/* A function with call frame information; start, len: virtual addresses. */
struct cfi_described;
struct cfi_state;
typedef void cfi_row_fn(void *ctx, u64 offset, const struct cfi_state *state);
typedef void cfi_function_fn(void *ctx, const struct cfi_described *fn, u64 start, u64 len);
/* Its rows as cfi_program_run() hands them out. */
bool cfi_described_rows(const struct cfi_described *fn, cfi_row_fn *row, void *ctx);
/* Hand out the functions of each section by address, if there are more than max an even selection
 * of them; one thread. Returns how many there are; *bytes: the code that they are (of a selection
 * from the linker's table: about). */
u32 cfi_each_function(struct cfi *c, u32 max, cfi_function_fn *fn, void *ctx, double *bytes);
/* What the rule for an offset in the object's file comes to; false: the code there has none. */
bool cfi_find_step(struct cfi *c, u64 offset, struct cfi_step *out);
/*
 * The same for several offsets, of several objects, side by side; only in what has been asked for
 * before. found: false where cfi_find_step() has to be asked.
 */
struct cfi_question {
	struct cfi *c;
	u64 offset;
	bool found;
	struct cfi_step step;
	u64 addr, lo, hi; /* on the way: the address, where in the table */
	const void *fn;
};
void cfi_find_steps(struct cfi_question *q, size_t nr);
/* The rule itself, NULL: none. Where it comes to a step it is made anew each time, which takes
 * long. */
const struct cfi_rule *cfi_find(struct cfi *c, u64 offset);
/* Bytes of an expression of one of its rules. */
const u8 *cfi_expression(const struct cfi *c, const struct cfi_rule *rule, s32 value);

#endif
