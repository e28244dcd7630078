/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem: allocation that cannot fail (it aborts with a message), and scope-bound release.
 *
 * Sizes that come from input are capped by the caller before they reach these functions
 * (base/limits.h). All results are freed with free(). Thread-safe.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/types.h"

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
/* Multiplication is checked; old may be NULL. */
void *xrealloc_array(void *old, size_t n, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
/* Formatted string in fresh memory; the caller frees it. */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) __attribute__((malloc, returns_nonnull));

#define XNEW(type) ((type *)xcalloc(1, sizeof(type)))
#define XNEW_ARRAY(type, n) ((type *)xcalloc((n), sizeof(type)))

/* As memset(p, 0, size), for structs of up to 500 bytes in the hottest paths: there memset()
 * becomes an instruction that takes longer than all else on such a path. size: a constant, a
 * multiple of 8. */
static inline __attribute__((always_inline)) void mem_clear(void *p, size_t size)
{
	typedef u64 pair __attribute__((vector_size(16), aligned(8), may_alias));
	typedef u64 word __attribute__((may_alias));
	pair *at = (pair *)p;

#pragma GCC unroll 32
	for (size_t i = 0; i < size / sizeof(pair); i++)
		at[i] = (pair){ 0, 0 };
	if (size % sizeof(pair))
		*(word *)(at + size / sizeof(pair)) = 0;
}

/*
 * An array with an element for each thread: what one writes shares no cache line with what another
 * one uses (CPUs fetch lines in pairs). The type is declared `struct PER_THREAD name`.
 */
enum { MEM_APART = 128 };
#define PER_THREAD __attribute__((aligned(MEM_APART)))
#define XNEW_PER_THREAD(type, n) ((type *)mem_apart_new((n), sizeof(type)))
void *mem_apart_new(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/*
 * A large table that is looked up at random: zeros, in large pages where the system has them, so
 * that finding a page costs less than what stands in it. Given back by mem_large_free() with the
 * same size.
 */
void *mem_large_new(size_t size) __attribute__((malloc, returns_nonnull));
void mem_large_free(void *p, size_t size);

/* Zeroed, at the beginning of one of the CPU's cache lines; *memory is what to free. */
void *mem_lines_new(void **memory, size_t size);

/* Zeroed pages that belong to the system again when they are freed, whichever thread does that. */
void *mem_pages_new(size_t size) __attribute__((malloc, returns_nonnull));
void mem_pages_free(void *p, size_t size);

/*
 * Memory that nobody has touched yet, and all of which will be written soon, in no order, as by a
 * hash table that is filled: the system makes its pages at once, for half of what they cost one by
 * one. A hint.
 */
void mem_populate(void *p, size_t size);

/*
 * At the start of a program: blocks of more than a few pages go back to the system when they are
 * freed, however large those freed before were. (glibc takes each for a sign that there will be
 * more of them.)
 */
void mem_setup(void);
/*
 * From now on blocks that are freed stay with the process, to be used again: for work that makes
 * and drops large tables one after the other in several threads. The kernel would take and clear
 * the pages of each, and interrupt the other threads for it. Costs memory.
 */
void mem_keep(void);
/* All threads take blocks from one heap: where they seldom do, and holes in several would cost
 * more. Before the first one is started. */
void mem_one_heap(void);
/* Pages of freed blocks that still stay with the process go back to the kernel: where little of
 * them would be used again. */
void mem_give_back(void);

/*
 * Scope-bound release: `_cleanup_(mem_freep) char *s = NULL;`. The functions below take the
 * address of the variable and accept the "nothing" value (NULL, fd -1).
 */
#define _cleanup_(fn) __attribute__((cleanup(fn)))
void mem_freep(void *ptr_to_pointer);
void mem_closep(int *fd);
void mem_fclosep(void *ptr_to_file); /* FILE ** */

#include "base/banned.h"

#endif
