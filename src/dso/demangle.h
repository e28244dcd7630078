/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle: names of C++, Rust (legacy and v0) and D symbols as their authors wrote them.
 */
#ifndef DSO_DEMANGLE_H
#define DSO_DEMANGLE_H

#include "base/types.h"

/* Whether a name may be a mangled one: cheap, and never wrongly false. */
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D' ||
				  (name[1] == '_' && name[2] == 'Z'));
}

/*
 * Fresh memory for free(), NULL when the name is not a mangled one. params: with the parameter
 * lists of functions. Any thread.
 */
char *demangle(const char *name, bool params);

#endif
