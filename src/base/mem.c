/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static NORETURN void out_of_memory(size_t size)
{
	fprintf(stderr, "error: out of memory (%zu bytes wanted)\n", size);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n * size);
	return p;
}

void *xrealloc_array(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n * size);
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *out = NULL;

	va_start(ap, fmt);
	if (vasprintf(&out, fmt, ap) < 0)
		out_of_memory(0);
	va_end(ap);
	return out;
}

void mem_freep(void *ptr_to_pointer)
{
	void **p = ptr_to_pointer;

	free(*p);
	*p = NULL;
}

void mem_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void mem_fclosep(void *ptr_to_file)
{
	FILE **f = ptr_to_file;

	if (*f)
		fclose(*f);
	*f = NULL;
}
