/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_CHUNK = 4096, MAX_CHUNK = 1 << 20 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	u8 data[];
};

static void new_chunk(struct arena *a, size_t need)
{
	size_t size = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
	struct arena_chunk *c;

	if (size > MAX_CHUNK)
		size = MAX_CHUNK;
	if (size < need)
		size = need;
	c = xmalloc(sizeof(*c) + size);
	c->next = a->chunks;
	c->size = size;
	a->chunks = c;
	a->at = c->data;
	a->end = c->data + size;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = (size_t)ALIGN_UP(MAX(size, (size_t)1), 8);
	if ((size_t)(a->end - a->at) < size)
		new_chunk(a, size);
	p = a->at;
	a->at += size;
	a->used += size;
	return p;
}

void *arena_zalloc(struct arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}

void *arena_dup(struct arena *a, const void *data, size_t size)
{
	void *p = arena_alloc(a, size);

	if (size)
		memcpy(p, data, size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

void arena_release(struct arena *a)
{
	struct arena_chunk *c = a->chunks;

	while (c) {
		struct arena_chunk *next = c->next;

		free(c);
		c = next;
	}
	*a = (struct arena){ 0 };
}
