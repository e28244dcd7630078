/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern: strings to dense u32 numbers and back. Number 0 is always the empty string, so a zeroed
 * field means "none". Strings live until intern_release(); intern_str() pointers are stable.
 * One writer at a time; readers (intern_str) must not run while a writer adds.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

typedef u32 str_id;

struct intern {
	struct arena arena;
	struct map map;
	VEC(const char *) strs;
};

str_id intern_add(struct intern *in, const char *s, size_t len);
str_id intern_adds(struct intern *in, const char *s);
/* The number of s, or 0 when it was never added (or is empty). */
str_id intern_find(const struct intern *in, const char *s);
void intern_release(struct intern *in);

static inline const char *intern_str(const struct intern *in, str_id id)
{
	return id < in->strs.nr ? in->strs.v[id] : "";
}

#endif
