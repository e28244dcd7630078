/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"

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

void *mem_apart_new(size_t n, size_t size)
{
	size_t bytes;
	void *p = NULL;

	if (__builtin_mul_overflow(n ? n : 1, size, &bytes) || posix_memalign(&p, MEM_APART, bytes))
		out_of_memory(n * size);
	return memset(p, 0, bytes);
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

enum { LARGE_PAGE = 2 << 20 };

void *mem_large_new(size_t size)
{
	size_t len = ALIGN_UP(size, (size_t)LARGE_PAGE);
	u8 *p = mmap(NULL, len + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	size_t before;

	if (p == MAP_FAILED)
		out_of_memory(len);
	before = ALIGN_UP((size_t)(uintptr_t)p, (size_t)LARGE_PAGE) - (size_t)(uintptr_t)p;
	if (before)
		munmap(p, before);
	if (before < LARGE_PAGE)
		munmap(p + before + len, LARGE_PAGE - before);
	madvise(p + before, len, MADV_HUGEPAGE);
	return p + before;
}

void mem_large_free(void *p, size_t size)
{
	if (p)
		munmap(p, ALIGN_UP(size, (size_t)LARGE_PAGE));
}

void *mem_lines_new(void **memory, size_t size)
{
	enum { CACHE_LINE = 64 };

	*memory = xcalloc(1, size + CACHE_LINE);
	return (void *)ALIGN_UP((uintptr_t)*memory, CACHE_LINE);
}

void *mem_pages_new(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		out_of_memory(size);
	return p;
}

void mem_pages_free(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* of Linux 5.14 */
#endif

void mem_populate(void *p, size_t size)
{
	enum { PAGE = 4096 };
	uintptr_t from = ALIGN_UP((uintptr_t)p, (uintptr_t)PAGE);
	uintptr_t to = ((uintptr_t)p + size) / PAGE * PAGE;
	int error = errno;

	if (to > from && to - from >= 8 * PAGE)
		madvise((void *)from, to - from, MADV_POPULATE_WRITE);
	errno = error;
}

void mem_setup(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
}

void mem_keep(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 25);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

void mem_one_heap(void)
{
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
#endif
}

void mem_give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
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
