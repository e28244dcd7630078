/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * go_frames: rules for the frames of Go functions from the table of their program's runtime
 * (go_table.h), which says of every instruction how deep the stack is: what Go's linker makes
 * .debug_frame of, and what is left when a program is stripped.
 *
 * Beyond that: functions at the begin of a stack end it; those that put something else into the
 * stack pointer (switches of stacks) end it, too, or have their frame by the frame pointer if they
 * make one. Source: as go_table.h; runtime/traceback.go. Threads: the table is written to, one at a
 * time.
 */
#ifndef UNWIND_GO_FRAMES_H
#define UNWIND_GO_FRAMES_H

#include "dso/symbols/go_table.h"
#include "unwind/cfi_program.h"

/* Hands out the rows of a function as cfi_program_run() does. False: nothing is told of it. */
bool go_frames_run(struct go_table *t, const struct go_function *fn, const struct unwind_abi *abi,
		   cfi_row_fn *row, void *ctx);

#endif
