/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi_program: runs the call frame instructions of a CIE and an FDE and hands out a row for each
 * range of addresses with its own rules (DWARF 5 section 6.4.2; opcodes of GNU and AADWARF64).
 */
#ifndef UNWIND_CFI_PROGRAM_H
#define UNWIND_CFI_PROGRAM_H

#include "unwind/cfi.h"
#include "unwind/cfi_entry.h"

struct cfi_state {
	struct cfi_cfa cfa; /* nr is not used */
	struct cfi_reg
		regs[UNWIND_REGS]; /* by column; expressions: value = offset in the section */
};

/*
 * row() gets the state that holds from an offset in the function on, in rising order, the first at
 * 0. False: an instruction is unknown or its operands make no sense; rows before it were handed
 * out.
 */
bool cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde,
		     const struct unwind_abi *abi, cfi_row_fn *row, void *ctx);

#endif
