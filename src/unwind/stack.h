/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack: the copy of a thread's stack that a sample carries. */
#ifndef UNWIND_STACK_H
#define UNWIND_STACK_H

#include <string.h>

#include "base/types.h"

struct unwind_stack {
	const u8 *bytes;
	u64 addr, size; /* of the first byte: the stack pointer; bytes that were copied */
};

/* size bytes (8 at most) at addr as a number. False, and *value is as it was: not all of them were
 * copied. */
static inline bool unwind_stack_word(const struct unwind_stack *stack, u64 addr, unsigned int size,
				     u64 *value)
{
	u64 at = addr - stack->addr;

	if (UNLIKELY(at >= stack->size || stack->size - at < size))
		return false;
	*value = 0;
	if (LIKELY(size == sizeof(*value)))
		memcpy(value, stack->bytes + at, sizeof(*value));
	else
		memcpy(value, stack->bytes + at, size);
	return true;
}

#endif
