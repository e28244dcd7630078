/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_frames: frames by object and address in it, so that what one process had to find is known when
 * the next one runs the same program: most code of short-lived processes. A frame with a symbol is
 * the same wherever the object lies in memory, one without is only where the object lies as far
 * from its own addresses.
 *
 * Sets of three fill a line of the CPU's cache. The table grows with what is put into it, up to a
 * limit; beyond that a new frame takes the room of the oldest of its set.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "session/private.h"

enum { SETS_MIN = 1 << 10, SETS_MAX = 1 << 16, WAYS = 3, PAGE_BITS = 12, SHIFT_BITS = 40 };

#define ANY_SHIFT ((1ULL << SHIFT_BITS) - 1)

struct frame_set {
	u64 addr[WAYS];
	u64 key[WAYS];
	frame_id frame[WAYS]; /* 0 = empty */
	u32 next;	      /* to be replaced */
};

_Static_assert(sizeof(struct frame_set) == 64, "a set fills a cache line");

u64 dso_frame_key(dso_id dso, bool kernel, u64 shift)
{
	u64 pages = -shift >> PAGE_BITS;

	if (dso >> (63 - SHIFT_BITS) || shift & ((1U << PAGE_BITS) - 1) || pages >= ANY_SHIFT)
		return 0;
	return (u64)kernel << 63 | (u64)dso << SHIFT_BITS | pages;
}

static struct frame_set *set_of(const struct dso_frames *p, u64 key, u64 addr)
{
	return &p->sets[hash_finish(addr ^ (key | ANY_SHIFT)) & p->mask];
}

void dso_frame_prefetch(const struct dso_frames *p, u64 key, u64 addr)
{
	if (p->sets)
		__builtin_prefetch(set_of(p, key, addr));
}

frame_id dso_frame_find(const struct dso_frames *p, u64 key, u64 addr, bool *nameless)
{
	const struct frame_set *s;

	*nameless = false;
	if (UNLIKELY(!p->sets))
		return 0;
	s = set_of(p, key, addr);
	for (int i = 0; i < WAYS; i++) {
		if (s->addr[i] != addr || (s->key[i] | ANY_SHIFT) != (key | ANY_SHIFT) ||
		    !s->frame[i])
			continue;
		if (s->key[i] == key || s->key[i] == (key | ANY_SHIFT))
			return s->frame[i];
		*nameless = true;
	}
	return 0;
}

static void put(struct dso_frames *p, u64 key, u64 addr, frame_id frame)
{
	struct frame_set *s = set_of(p, key, addr);
	u32 i = s->next;

	s->next = (i + 1) % WAYS;
	s->addr[i] = addr;
	s->key[i] = key;
	s->frame[i] = frame;
}

static void resize(struct dso_frames *p, u32 nr)
{
	struct dso_frames bigger = { .mask = nr - 1 };

	bigger.sets = aligned_table(&bigger.memory, nr * sizeof(*bigger.sets));
	for (u32 s = 0; p->sets && s <= p->mask; s++)
		for (int i = 0; i < WAYS; i++)
			if (p->sets[s].frame[i])
				put(&bigger, p->sets[s].key[i], p->sets[s].addr[i],
				    p->sets[s].frame[i]);
	free(p->memory);
	*p = bigger;
}

void dso_frame_add(struct dso_frames *p, u64 key, u64 addr, bool named, frame_id frame)
{
	if (!p->sets)
		resize(p, SETS_MIN);
	else if (p->added > 2 * p->mask && p->mask < SETS_MAX - 1)
		resize(p, (p->mask + 1) * 4);
	p->added++;
	put(p, named ? key | ANY_SHIFT : key, addr, frame);
}

void dso_frames_release(struct dso_frames *p)
{
	free(p->memory);
	*p = (struct dso_frames){ 0 };
}
