/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/map.h"

#include <string.h>

static void place(struct map_slot *slots, u32 mask, struct map_slot s)
{
	u32 pos = s.digest & mask;

	while (slots[pos].index1)
		pos = (pos + 1) & mask;
	slots[pos] = s;
}

static void resize(struct map *m, u32 size)
{
	struct map_slot *slots = XNEW_ARRAY(struct map_slot, size);

	if (m->slots) {
		/* entries lie at random: some of them in each page */
		if (m->nr >= size / 8)
			mem_populate(slots, size * sizeof(*slots));
		for (u32 i = 0; i <= m->mask; i++)
			if (m->slots[i].index1)
				place(slots, size - 1, m->slots[i]);
	}
	free(m->slots);
	m->slots = slots;
	m->mask = size - 1;
}

void map_reserve(struct map *m, u32 nr)
{
	u32 size = m->slots ? m->mask + 1 : 16;

	while ((u64)size * 5 / 8 < nr)
		size *= 2;
	if (!m->slots || size > m->mask + 1)
		resize(m, size);
}

void map_add(struct map *m, u64 hash, u32 index)
{
	u32 digest = (u32)(hash >> 32) ^ (u32)hash;

	map_reserve(m, m->nr + 1);
	place(m->slots, m->mask, (struct map_slot){ .digest = digest, .index1 = index + 1 });
	m->nr++;
}

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

void map_clear(struct map *m)
{
	if (m->slots)
		memset(m->slots, 0, ((size_t)m->mask + 1) * sizeof(*m->slots));
	m->nr = 0;
}
