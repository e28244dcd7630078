/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * insn: the bytes of instructions, from the files that were mapped. A set per worker: one thread.
 */
#ifndef TEXT_INSN_H
#define TEXT_INSN_H

#include "session/session.h"

enum { INSN_MAX = 15 };

struct insns;

struct insns *insns_new(void);
void insns_free(struct insns *x);
/* Bytes of the instruction at a place, at most INSN_MAX, copied to bytes. 0: the object is not
 * here, is the kernel, is for another CPU than x86, or has no instruction there. */
size_t insns_read(struct insns *x, struct dso_table *dsos, const struct location *loc, u8 *bytes);
/* The same of all that lies there, at most size; *is64: code of 64-bit mode. */
size_t insns_read_block(struct insns *x, struct dso_table *dsos, const struct location *loc,
			u8 *bytes, size_t size, bool *is64);

#endif
