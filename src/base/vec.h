/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vec: growing arrays of any type.
 *
 *	VEC(struct foo) foos = { 0 };	or	VEC_TYPE(foo_vec, struct foo);
 *	*VEC_PUSH(&foos) = (struct foo){ ... };
 *	VEC_FOR(&foos, f) use(f->x);
 *	vec_free(&foos);
 *
 * Element addresses move when the vector grows. Zero bytes are an empty vector.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>

#include "base/mem.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t nr;                                                                         \
		size_t cap;                                                                        \
	}
#define VEC_TYPE(name, type)                                                                       \
	struct name {                                                                              \
		type *v;                                                                           \
		size_t nr;                                                                         \
		size_t cap;                                                                        \
	}

static inline void *vec_room(void *v, size_t nr, size_t *cap, size_t want, size_t size)
{
	size_t c = *cap;

	if (nr + want <= c)
		return v;
	while (c < nr + want)
		c = c ? c + c / 2 + 1 : 8;
	*cap = c;
	return xrealloc_array(v, c, size);
}

/* Make room for n more elements. */
#define VEC_GROW(vec, n)                                                                           \
	((vec)->v = vec_room((vec)->v, (vec)->nr, &(vec)->cap, (n), sizeof(*(vec)->v)))
/* Pointer to a new, uninitialised last element. */
#define VEC_PUSH(vec) (VEC_GROW(vec, 1), &(vec)->v[(vec)->nr++])
#define VEC_LAST(vec) (&(vec)->v[(vec)->nr - 1])
/* (An empty vector has v NULL, and C does not allow NULL + 0.) */
#define VEC_FOR(vec, it)                                                                           \
	for (__typeof__((vec)->v[0]) *it = (vec)->v; (vec)->nr && it < (vec)->v + (vec)->nr; it++)
#define VEC_SORT(vec, cmp)                                                                         \
	do {                                                                                       \
		if ((vec)->nr > 1)                                                                 \
			qsort((vec)->v, (vec)->nr, sizeof(*(vec)->v), (cmp));                      \
	} while (0)
#define vec_free(vec)                                                                              \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->nr = 0;                                                                     \
		(vec)->cap = 0;                                                                    \
	} while (0)

#endif
