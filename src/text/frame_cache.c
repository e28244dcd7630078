/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/frame_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {
	SETS = 1 << 13,
	WAYS = 4,
	RING_SIZE = 2 << 20,
	UNIT = 8, /* bytes; texts begin at multiples of it */
	RING_UNITS = RING_SIZE / UNIT,
	TEXT_MAX = RING_SIZE / 16,
};

struct slot {
	u64 addr;
	dso_id dso; /* 0 = empty */
	u32 text; /* units written before it */
};

/* New addresses come in at the end, and a hit moves one to the front. */
struct set {
	struct slot ways[WAYS];
};

struct text {
	u32 len;
	u16 form;
	char bytes[];
};

/*
 * Texts lie in a ring: the oldest one is overwritten, and the slot that knows it sees that from its
 * age. One that is asked for shortly before is written again.
 */
struct texts {
	struct set *sets;
	u8 *ring;
	u32 written; /* units, from the start; modulo 2^32 */
};

struct texts *texts_new(void)
{
	struct texts *t = XNEW(struct texts);

	t->sets = XNEW_ARRAY(struct set, SETS);
	t->ring = xmalloc(RING_SIZE);
	return t;
}

void texts_free(struct texts *t)
{
	if (!t)
		return;
	free(t->ring);
	free(t->sets);
	free(t);
}

static u32 units(size_t len)
{
	return (u32)(ALIGN_UP(sizeof(struct text) + len, UNIT) / UNIT);
}

static struct text *text_at(const struct texts *t, u32 text)
{
	return (struct text *)(void *)(t->ring + (size_t)(text % RING_UNITS) * UNIT);
}

/* Units that were written since the text began; as long as the ring has as many, it is there. */
static u32 age(const struct texts *t, const struct slot *s)
{
	return t->written - s->text;
}

static u32 reserve(struct texts *t, u32 nr)
{
	u32 rest = RING_UNITS - t->written % RING_UNITS;
	u32 at = t->written + (nr > rest ? rest : 0);

	/* the count of units starts over: what is older would look young */
	if (at + nr < t->written)
		memset(t->sets, 0, SETS * sizeof(*t->sets));
	t->written = at + nr;
	return at;
}

static struct set *find_set(const struct texts *t, const struct text_key *k)
{
	return &t->sets[hash_u64(k->addr ^ ((u64)k->dso << 40) ^ ((u64)k->form << 55)) % SETS];
}

/* A text that would be overwritten soon moves to the front of the ring. */
static u32 renew(struct texts *t, u32 text)
{
	const struct text *old = text_at(t, text);
	u32 at;

	/* what is reserved may be where it lies */
	if (t->written - text + 2 * units(TEXT_MAX) >= RING_UNITS)
		return text;
	at = reserve(t, units(old->len));
	memcpy(text_at(t, at), old, sizeof(*old) + old->len);
	return at;
}

const char *texts_get(struct texts *t, const struct text_key *key, size_t *len)
{
	struct slot *ways = find_set(t, key)->ways;

	for (size_t i = 0; i < WAYS; i++) {
		struct slot s = ways[i];

		if (s.addr != key->addr || s.dso != key->dso || age(t, &s) > RING_UNITS ||
		    text_at(t, s.text)->form != key->form)
			continue;
		if (age(t, &s) > RING_UNITS / 4 * 3)
			s.text = renew(t, s.text);
		if (i)
			ways[i] = ways[i - 1];
		ways[i ? i - 1 : 0] = s;
		*len = text_at(t, s.text)->len;
		return text_at(t, s.text)->bytes;
	}
	return NULL;
}

void texts_put(struct texts *t, const struct text_key *key, const char *text, size_t len)
{
	struct slot *ways = find_set(t, key)->ways;
	struct slot *victim = &ways[WAYS - 1];
	u32 at;

	if (len > TEXT_MAX)
		return;
	for (size_t i = 0; i < WAYS; i++)
		if (!ways[i].dso || age(t, &ways[i]) > RING_UNITS) {
			victim = &ways[i];
			break;
		}
	at = reserve(t, units(len));
	*victim = (struct slot){ key->addr, key->dso, at };
	text_at(t, at)->len = (u32)len;
	text_at(t, at)->form = key->form;
	memcpy(text_at(t, at)->bytes, text, len);
}
