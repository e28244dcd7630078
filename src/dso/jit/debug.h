/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit_debug: debug information (DWARF 4) made of the source lines that a JIT compiler wrote down: a
 * unit and a line table for each function. For jit_object only.
 */
#ifndef DSO_JIT_DEBUG_H
#define DSO_JIT_DEBUG_H

#include "base/strbuf.h"

struct jit_debug {
	struct strbuf abbrev, info, line; /* the sections; empty = nothing is known */
};

#define JIT_DEBUG_INIT                                                                             \
	{                                                                                          \
		.abbrev = STRBUF_INIT, .info = STRBUF_INIT, .line = STRBUF_INIT                    \
	}

struct jit_debug_function {
	const char *name;
	u64 start, size; /* in the object */
	const void *lines; /* of jit/lines.h, this machine's byte order */
	u32 lines_size, nr_lines;
	u64 lines_addr; /* of the function, for the addresses in lines */
};

void jit_debug_add(struct jit_debug *d, const struct jit_debug_function *f);
void jit_debug_release(struct jit_debug *d);

#endif
