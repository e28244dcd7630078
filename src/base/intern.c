/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/intern.h"

#include <string.h>

#include "base/hash.h"

static bool lookup(const struct intern *in, const char *s, size_t len, u64 h, u32 *id)
{
	for (struct map_probe p = map_first(&in->map, h); map_next(&in->map, &p, id);) {
		const char *have = in->strs.v[*id];

		if (!strncmp(have, s, len) && !have[len])
			return true;
	}
	return false;
}

str_id intern_add(struct intern *in, const char *s, size_t len)
{
	u32 id;
	u64 h;

	if (!in->strs.nr)
		*VEC_PUSH(&in->strs) = "";
	len = strnlen(s, len);
	if (!len)
		return 0;
	h = hash_bytes(s, len, 0);
	if (lookup(in, s, len, h, &id))
		return id;
	id = (u32)in->strs.nr;
	*VEC_PUSH(&in->strs) = arena_strndup(&in->arena, s, len);
	map_add(&in->map, h, id);
	return id;
}

str_id intern_adds(struct intern *in, const char *s)
{
	return intern_add(in, s, strlen(s));
}

str_id intern_find(const struct intern *in, const char *s)
{
	size_t len = strlen(s);
	u32 id;

	return len && lookup(in, s, len, hash_bytes(s, len, 0), &id) ? id : 0;
}

void intern_release(struct intern *in)
{
	arena_release(&in->arena);
	map_release(&in->map);
	vec_free(&in->strs);
}
