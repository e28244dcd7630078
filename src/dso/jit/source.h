/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit_source: source lines of a JIT compiler's code, as its jitdump has them. Any thread; every
 * call reads the function's lines from the file.
 */
#ifndef DSO_JIT_SOURCE_H
#define DSO_JIT_SOURCE_H

#include "base/strbuf.h"
#include "dso/dso.h"

struct jit_line {
	struct strbuf file;
	u32 line; /* 0 = unknown */
};

/* place: in the dump's address space. False: the compiler has told nothing. */
bool jit_source_line(struct dso *d, u64 place, struct jit_line *out);

#endif
