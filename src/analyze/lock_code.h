/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_code: which of the kernel's code is that of locks, of the scheduler, and of what tells of
 * waits, so that who wanted a lock is found behind it in a stack. Any thread once it is filled.
 */
#ifndef ANALYZE_LOCK_CODE_H
#define ANALYZE_LOCK_CODE_H

#include "base/types.h"

struct symtab;

enum { LOCK_CODE_RANGES = 4 };

/* Zero bytes: nothing is. */
struct lock_code {
	struct {
		u64 from, until; /* as in the kernel's table of symbols */
	} ranges[LOCK_CODE_RANGES];
};

/* kernel: its symbols, NULL = they are not known. */
void lock_code_find(struct lock_code *c, const struct symtab *kernel);
bool lock_code_has(const struct lock_code *c, u64 at);

#endif
