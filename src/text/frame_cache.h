/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts: what was rendered of an address in an object, for forms that take long to render. One
 * cache per worker, nothing shared, of fixed size: the oldest text goes first, unless it was asked
 * for lately.
 */
#ifndef TEXT_FRAME_CACHE_H
#define TEXT_FRAME_CACHE_H

#include "dso/dso.h"

struct text_key {
	u64 addr;
	dso_id dso; /* not 0 */
	u16 form;
};

struct texts;

struct texts *texts_new(void);
void texts_free(struct texts *t); /* NULL is allowed */
/* NULL when it is not kept. Valid until the next call. */
const char *texts_get(struct texts *t, const struct text_key *key, size_t *len);
/* Very long ones are not kept. */
void texts_put(struct texts *t, const struct text_key *key, const char *text, size_t len);

#endif
