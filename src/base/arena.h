/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena: many small allocations, freed together. Addresses are stable. Zero bytes are an empty
 * arena. One thread at a time.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/types.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks;
	u8 *at;
	u8 *end;
	size_t used; /* bytes handed out so far */
};

/* Uninitialised memory, aligned to 8 bytes. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
void *arena_zalloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
void *arena_dup(struct arena *a, const void *data, size_t size) __attribute__((returns_nonnull));
/* A NUL-terminated copy of the first n bytes of s (fewer if it ends earlier). */
char *arena_strndup(struct arena *a, const char *s, size_t n) __attribute__((returns_nonnull));
char *arena_strdup(struct arena *a, const char *s) __attribute__((returns_nonnull));
void arena_release(struct arena *a);

#endif
