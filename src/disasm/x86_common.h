/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86_common: the instructions of 64-bit mode that compiled code mostly consists of (moves,
 * arithmetic, branches, the simple ones of SSE), in objdump's words without Capstone: in a fifth of
 * the time, and code of nothing else needs no library. What is not in its tables, and prefixes that
 * change nothing, are left to Capstone. Source: Intel's manual, volume 2.
 */
#ifndef DISASM_X86_COMMON_H
#define DISASM_X86_COMMON_H

#include "disasm/disasm.h"

/* As disasm_one(), without the comment about `data`. False: not one of them. */
bool x86_common_text(const struct disasm_opts *o, const u8 *p, size_t n, u64 addr, struct insn *out,
		     struct strbuf *text);

#endif
