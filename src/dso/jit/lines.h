/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit_lines: the source lines of a function as a jitdump has them (JIT_CODE_DEBUG_INFO): u64
 * address, u32 line, u32 discriminator, file name with a NUL; the name "\xff" stands for the one
 * before.
 */
#ifndef DSO_JIT_LINES_H
#define DSO_JIT_LINES_H

#include "base/types.h"

struct jit_lines {
	const char *at, *end;
	u32 left;
	u64 addr, size; /* of the function */
	bool swap;
	const char *file;
};

struct jit_line_entry {
	u64 offset; /* in the function */
	u32 line;
	const char *file;
};

/*
 * Of nr entries in bytes, which stay the caller's. False: they make no sense (V8 may write names
 * that it has freed), none of them is to be believed.
 */
bool jit_lines_begin(struct jit_lines *l, const void *bytes, u32 size, u32 nr);
bool jit_lines_next(struct jit_lines *l, struct jit_line_entry *out);

#endif
