/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/demangle.h"

#include <string.h>

#include "base/mem.h"

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

enum { MAX_MANGLED = 1 << 16 }; /* longer names are shown as they are */

/*
 * libiberty calls xmalloc(), xstrdup() and this one; its own copy would bring its xmalloc() along,
 * which clashes with ours.
 */
void *xrealloc(void *old, size_t size);
void *xrealloc(void *old, size_t size)
{
	return xrealloc_array(old, size, 1);
}

static bool looks_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D' ||
				  strncmp(name, "__Z", 3) == 0);
}

char *demangle(const char *name, bool params)
{
	if (!looks_mangled(name) || strnlen(name, MAX_MANGLED) == MAX_MANGLED)
		return NULL;
	return cplus_demangle(name, params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
}
#else
char *demangle(const char *name, bool params)
{
	(void)name;
	(void)params;
	return NULL;
}
#endif
