/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/lock_code.h"

#include "dso/dso.h"

void lock_code_find(struct lock_code *c, const struct symtab *kernel)
{
	/* where one begins, and what is behind it; the same: it is that function */
	static const char *const marks[2 * LOCK_CODE_RANGES] = {
		"__sched_text_start",
		"__sched_text_end",
		"__lock_text_start",
		"__lock_text_end",
		"__traceiter_contention_begin",
		"__traceiter_contention_begin",
		"__traceiter_contention_end",
		"__traceiter_contention_end",
	};
	u32 found[2 * LOCK_CODE_RANGES];

	if (!kernel)
		return;
	symtab_find_names(kernel, marks, ARRAY_SIZE(marks), found);
	for (size_t i = 0; i < LOCK_CODE_RANGES; i++) {
		u32 from = found[2 * i], behind = found[2 * i + 1];

		if (from == SYM_NONE || behind == SYM_NONE)
			continue;
		c->ranges[i].from = symtab_start(kernel, from);
		c->ranges[i].until = from == behind ? symtab_end(kernel, from)
						    : symtab_start(kernel, behind);
	}
}

bool lock_code_has(const struct lock_code *c, u64 at)
{
	for (size_t i = 0; i < LOCK_CODE_RANGES; i++)
		if (at >= c->ranges[i].from && at < c->ranges[i].until)
			return true;
	return false;
}
