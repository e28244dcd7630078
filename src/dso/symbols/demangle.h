/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle: names of C++, Rust (legacy and v0), D, OCaml and Java symbols as their authors wrote
 * them.
 */
#ifndef DSO_DEMANGLE_H
#define DSO_DEMANGLE_H

#include <string.h>

#include "base/types.h"

/* Whether a name may be a mangled one: cheap, and never wrongly false. */
static inline bool is_mangled(const char *name)
{
	switch (name[0]) {
	case '_': /* _Z: C++ and old Rust, _GLOBAL_: C++, _R: Rust, _D: D */
		return name[1] == 'Z' || name[1] == 'R' || name[1] == 'D' ||
		       (name[1] == 'G' && name[2] == 'L');
	case 'c': /* camlModule__name: OCaml */
		return name[1] == 'a' && name[2] == 'm' && name[3] == 'l' && name[4] >= 'A' &&
		       name[4] <= 'Z';
	case 'L': /* Lpackage/Class;method(): Java */
		return strchr(name, ';') != NULL;
	default:
		return false;
	}
}

/*
 * Fresh memory for free(), NULL when the name is not a mangled one. params: with the parameter
 * lists of functions. Any thread.
 */
char *demangle(const char *name, bool params);

#endif
