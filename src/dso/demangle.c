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

char *demangle(const char *name, bool params)
{
	static const char plt[] = "@plt";
	int options = params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	_cleanup_(mem_freep) char *bare = NULL;
	_cleanup_(mem_freep) char *shown = NULL;
	size_t len;

	if (!is_mangled(name))
		return NULL;
	len = strnlen(name, MAX_MANGLED);
	if (len == MAX_MANGLED)
		return NULL;
	if (len < sizeof(plt) || strcmp(name + len - strlen(plt), plt) != 0)
		return cplus_demangle(name, options);
	bare = xstrndup(name, len - strlen(plt));
	shown = cplus_demangle(bare, options);
	return shown ? xasprintf("%s%s", shown, plt) : NULL;
}
#else
char *demangle(const char *name, bool params)
{
	(void)name;
	(void)params;
	return NULL;
}
#endif
