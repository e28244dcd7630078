/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map: open-addressing hash tables that map a hash to a u32 index into the caller's own array.
 *
 * The map stores {high hash bits, index + 1}; equality is the caller's, so any key works:
 *
 *	u32 i;
 *	for (struct map_probe p = map_first(&m, h); map_next(&m, &p, &i);)
 *		if (equal(&items[i], key))
 *			return i;
 *	map_add(&m, h, new_index);
 *
 * Power-of-two size, linear probing, grows at 5/8 load. 8 bytes per slot. Not thread-safe for
 * writers; concurrent readers are fine while nobody writes. Zero bytes are an empty map.
 * map_add() needs the full hash again when it grows, so the upper 32 bits and the slot are both
 * derived from a 32-bit digest of the hash: at most 2^31 entries.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdlib.h>

#include "base/mem.h"

struct map_slot {
	u32 digest;
	u32 index1; /* index + 1, 0 = empty */
};

struct map {
	struct map_slot *slots;
	u32 mask; /* size - 1 */
	u32 nr;
};

struct map_probe {
	u32 digest;
	u32 pos;
};

static inline struct map_probe map_first(const struct map *m, u64 hash)
{
	u32 digest = (u32)(hash >> 32) ^ (u32)hash;

	return (struct map_probe){ .digest = digest, .pos = digest & m->mask };
}

/* Next index stored under the probe's hash; false at the end of the run. */
static inline bool map_next(const struct map *m, struct map_probe *p, u32 *index)
{
	if (UNLIKELY(!m->slots))
		return false;
	for (;;) {
		struct map_slot s = m->slots[p->pos];

		if (!s.index1)
			return false;
		p->pos = (p->pos + 1) & m->mask;
		if (s.digest == p->digest) {
			*index = s.index1 - 1;
			return true;
		}
	}
}

/* map_first() will be called for it soon. */
static inline void map_prefetch(const struct map *m, u64 hash)
{
	if (LIKELY(m->slots))
		__builtin_prefetch(&m->slots[map_first(m, hash).pos]);
}

void map_add(struct map *m, u64 hash, u32 index);
void map_reserve(struct map *m, u32 nr);
void map_release(struct map *m);
/* Forget all entries, keep the memory. */
void map_clear(struct map *m);

#endif
